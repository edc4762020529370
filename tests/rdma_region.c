// SPDX-License-Identifier: GPL-2.0-only
/*
 * A region of a dma-buf once it is registered: its bounds hold to the byte,
 * and RDMA core knows it as it knows any other. RDMA core is judged, and the
 * driver for what its device does.
 * Clauses: RDR-08, RDR-11 to RDR-13; what can be registered at all is in
 * rdma_register.c.
 */
#include <rdma/ib_user_verbs.h>

#include "importer/region.h"
#include "importer/verbs_mover.h"
#include "oracle/restrack.h"
#include "pair/clause_test.h"

#define SEED	0x4d52
#define PAGE	UINT64_C(4096)
#define SIZE	((uint64_t)PAIR_BUFFER_SIZE)

/* ---- its bounds ----------------------------------------------------- */

/* Whether a buffer has one content in a range and another around it. */
static int content_is(struct buffer *buffer, uint32_t inside, uint32_t outside,
		      uint64_t offset, uint64_t length)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	uint64_t end = offset + length;
	int ret = exporter_read(buffer, 0, data, SIZE);

	if (ret)
		return ret;
	if (pattern_mismatch(outside, 0, data, offset) >= 0 ||
	    pattern_mismatch(inside, offset, data + offset, length) >= 0 ||
	    pattern_mismatch(outside, end, data + end, SIZE - end) >= 0)
		return -EILSEQ;
	return 0;
}

static const struct {
	uint64_t offset;
	uint64_t length;
} windows[] = {
	{ 0, SIZE },
	{ 100, 8 },
	{ 0, 1 },
	{ PAGE - 1, 1 },
	{ PAGE - 1, 2 },
	{ 3 * PAGE + 100, 5 * PAGE + 17 },
	{ 1, SIZE - 2 },
	{ SIZE - 1, 1 },
};

static int fill_window(struct verbs_mover *mover,
		       const struct verbs_region *region, uint64_t offset,
		       uint32_t seed)
{
	static uint8_t data[PAIR_BUFFER_SIZE];

	pattern_fill(seed, offset, data, region->length);
	return verbs_move_in(mover, region, 0, data, region->length);
}

static int read_window(struct verbs_mover *mover,
		       const struct verbs_region *region, uint64_t offset,
		       uint32_t seed)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	int ret = verbs_move_out(mover, region, 0, data, region->length);

	if (!ret && pattern_mismatch(seed, offset, data, region->length) >= 0)
		ret = -EILSEQ;
	return ret;
}

/* Byte for byte in the window, and not a byte around it. */
CLAUSE_TEST(windows_are_exact,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_VERBS,
		  IMPORTER_MOVES_BYTES),
	    RDR_08_b, RDR_08_d)
{
	struct verbs_domain *domain;
	struct verbs_mover mover;

	must_open_domain(&domain);
	must(verbs_mover_open(domain, &mover));
	for (size_t i = 0; i < ARRAY_SIZE(windows); i++) {
		uint64_t offset = windows[i].offset, length = windows[i].length;
		const struct verbs_request request =
			region_request(domain, &self->buffer, offset, length);
		struct verbs_region region;

		must(pattern_write(SEED, &self->buffer));
		must(verbs_register(domain, &request, &region));
		check_ok(RDR_08_b, read_window(&mover, &region, offset, SEED));
		check_ok(RDR_08_b, fill_window(&mover, &region, offset, ~SEED));
		check_ok(RDR_08_d, content_is(&self->buffer, ~SEED, SEED,
					      offset, length));
		check_ok(RDR_08_b, read_window(&mover, &region, offset, ~SEED));
		must(verbs_deregister(&region));
	}
	must(verbs_mover_close(&mover));
	must(verbs_domain_free(domain));
}

/* The middle of a page: what is around it belongs to the same page. */
#define INNER_OFFSET	(2 * PAGE + 1000)
#define INNER_LENGTH	64

/* Where an access begins against the window's start, and how long it is. */
static const struct {
	int64_t from;
	uint32_t length;
} trespasses[] = {
	{ -1, 8 }, { -8, 8 }, { -1, 1 }, { INNER_LENGTH - 7, 8 },
	{ INNER_LENGTH, 1 }, { INNER_LENGTH, 8 }, { -8, INNER_LENGTH + 16 },
	{ 0, INNER_LENGTH + 1 }, { -1000, 8 }, { 2 * PAGE, 8 },
};

static int trespass(struct verbs_mover *mover, const struct verbs_region *region,
		    size_t which, bool into)
{
	uint8_t data[INNER_LENGTH + 16];
	uint64_t from = trespasses[which].from;
	uint32_t length = trespasses[which].length;

	memset(data, 0x5a, sizeof(data));
	return into ? verbs_move_in(mover, region, from, data, length) :
		      verbs_move_out(mover, region, from, data, length);
}

CLAUSE_TEST(nothing_outside_a_window_is_reached,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_VERBS,
		  IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
	    RDR_08_c, RDR_08_d)
{
	struct verbs_request request;
	struct verbs_domain *domain;
	struct verbs_region region;
	struct verbs_mover mover;

	must_open_domain(&domain);
	must(verbs_mover_open(domain, &mover));
	must(pattern_write(SEED, &self->buffer));
	request = region_request(domain, &self->buffer, INNER_OFFSET,
				 INNER_LENGTH);
	must(verbs_register(domain, &request, &region));
	for (size_t i = 0; i < 2 * ARRAY_SIZE(trespasses); i++) {
		size_t which = i / 2;
		int error = trespass(&mover, &region, which, i % 2);

		check_saying(RDR_08_c, error == -EREMOTEIO,
			     "%s %u bytes at %lld of %d: %s",
			     i % 2 ? "writing" : "reading",
			     trespasses[which].length,
			     (long long)trespasses[which].from, INNER_LENGTH,
			     errno_text(error));
	}
	check_ok(RDR_08_d, pattern_verify(SEED, &self->buffer));
	must(verbs_deregister(&region));
	must(verbs_mover_close(&mover));
	must(verbs_domain_free(domain));
}

/* ---- what RDMA core knows ------------------------------------------- */

#define ODD_LENGTH	(3 * PAGE + 123)

CLAUSE_TEST(region_is_listed, NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_11_a)
{
	const char *device = verbs_traits(verbs_of(self->importer))->name;
	struct verbs_request request;
	struct verbs_domain *domain;
	struct verbs_region region;
	uint64_t lengths[16];
	int before, after, found = 0;

	must_open_domain(&domain);
	request = region_request(domain, &self->buffer, PAGE, ODD_LENGTH);
	must(before = restrack_regions(device, lengths, ARRAY_SIZE(lengths)));
	must(verbs_register(domain, &request, &region));
	must(after = restrack_regions(device, lengths, ARRAY_SIZE(lengths)));
	must_be(after <= (int)ARRAY_SIZE(lengths));
	for (int i = 0; i < after; i++)
		found += lengths[i] == ODD_LENGTH;
	check_equal(RDR_11_a, before + 1, after);
	check_equal(RDR_11_a, 1, found);
	must(verbs_deregister(&region));
	check_equal(RDR_11_a, before, restrack_regions(device, lengths,
						       ARRAY_SIZE(lengths)));
	must(verbs_domain_free(domain));
}

CLAUSE_TEST(region_keeps_its_domain,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_11_b)
{
	struct verbs_request request;
	struct raw_domain raw;
	uint32_t pd, mr;

	must_open_raw(&raw);
	must(uverbs_alloc_pd(&raw.uverbs, &pd));
	request = region_request(raw.domain, &self->buffer, 0, SIZE);
	must(uverbs_register(&raw.uverbs, pd, &request, &mr, NULL));
	check_errno(RDR_11_b, EBUSY, uverbs_dealloc_pd(&raw.uverbs, pd));
	must(uverbs_deregister(&raw.uverbs, mr));
	check_ok(RDR_11_b, uverbs_dealloc_pd(&raw.uverbs, pd));
	must(raw_domain_close(&raw));
}

/* Each of the things that ibv_rereg_mr() can change. */
static int reregister(const struct raw_domain *raw, uint32_t mr, uint32_t flag)
{
	static uint8_t memory[2 * 4096];
	struct ib_uverbs_rereg_mr_resp answer;
	struct ib_uverbs_rereg_mr request = {
		.response = (uintptr_t)&answer,
		.mr_handle = mr,
		.flags = flag,
		.start = (uintptr_t)memory,
		.length = sizeof(memory),
		.hca_va = (uintptr_t)memory,
		.pd_handle = raw->pd,
		.access_flags = VERBS_LOCAL_WRITE,
	};
	struct uverbs_attribute attributes[] = {
		{ .id = UVERBS_ATTR_WRITE_CMD, .length = 8,
		  .data = IB_USER_VERBS_CMD_REREG_MR },
		{ .id = UVERBS_ATTR_CORE_IN, .length = sizeof(request),
		  .data = (uintptr_t)&request },
		{ .id = UVERBS_ATTR_CORE_OUT, .length = sizeof(answer),
		  .data = (uintptr_t)&answer },
	};

	return uverbs_call(&raw->uverbs, UVERBS_OBJECT_DEVICE,
			   UVERBS_METHOD_INVOKE_WRITE, attributes, 3);
}

CLAUSE_TEST(region_is_not_registered_anew,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_12)
{
	static const uint32_t flags[] = { 1, 2, 4, 7 };
	struct verbs_request request;
	struct raw_domain raw;
	uint32_t mr;

	must_open_raw(&raw);
	request = region_request(raw.domain, &self->buffer, 0, SIZE);
	must(uverbs_register(&raw.uverbs, raw.pd, &request, &mr, NULL));
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		check_errno(RDR_12, EOPNOTSUPP, reregister(&raw, mr, flags[i]));
	must(uverbs_deregister(&raw.uverbs, mr));
	must(raw_domain_close(&raw));
}

static int query(const struct raw_domain *raw, uint32_t mr,
		 struct verbs_region *told)
{
	struct uverbs_attribute attributes[] = {
		{ .id = UVERBS_ATTR_QUERY_MR_HANDLE, .data = mr },
		{ .id = UVERBS_ATTR_QUERY_MR_RESP_LKEY, .length = 4,
		  .data = (uintptr_t)&told->lkey },
		{ .id = UVERBS_ATTR_QUERY_MR_RESP_RKEY, .length = 4,
		  .data = (uintptr_t)&told->rkey },
		{ .id = UVERBS_ATTR_QUERY_MR_RESP_LENGTH, .length = 8,
		  .data = (uintptr_t)&told->length },
	};

	return uverbs_call(&raw->uverbs, UVERBS_OBJECT_MR,
			   UVERBS_METHOD_QUERY_MR, attributes, 4);
}

CLAUSE_TEST(query_tells_the_registration,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_13_a)
{
	struct verbs_region region, told = { 0 };
	struct verbs_request request;
	struct raw_domain raw;
	uint32_t mr;

	must_open_raw(&raw);
	request = region_request(raw.domain, &self->buffer, 100, ODD_LENGTH);
	must(uverbs_register(&raw.uverbs, raw.pd, &request, &mr, &region));
	check_ok(RDR_13_a, query(&raw, mr, &told));
	check_equal(RDR_13_a, region.lkey, told.lkey);
	check_equal(RDR_13_a, region.rkey, told.rkey);
	check_equal(RDR_13_a, ODD_LENGTH, told.length);
	must(uverbs_deregister(&raw.uverbs, mr));
	must(raw_domain_close(&raw));
}

CLAUSE_TEST(deregistration_detaches,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS), RDR_13_b)
{
	struct verbs_request request;
	struct verbs_domain *domain;
	struct verbs_region region;
	int before;

	must_open_domain(&domain);
	before = region_attachments(&self->buffer);
	if (before < 0)
		skip_case("cannot read bufinfo: %s", errno_text(before));
	request = region_request(domain, &self->buffer, 0, SIZE);
	must(verbs_register(domain, &request, &region));
	check_equal(RDR_13_b, before + 1, region_attachments(&self->buffer));
	must(verbs_deregister(&region));
	check_equal(RDR_13_b, before, region_attachments(&self->buffer));
	must(verbs_domain_free(domain));
}

CLAUSE_TEST_MAIN("rdma_region")
