// SPDX-License-Identifier: GPL-2.0-only
/*
 * What RDMA drivers owe: every byte is where it belongs however pages lie, and
 * a registration that the device refuses is undone. The driver is judged, by
 * bytes, by the peer exporter, and where the device is the suite's emulated one
 * also by its counters.
 * Clauses: NIC-07 to NIC-09, NIC-13 to NIC-15, ERR-03. Keys are in rdma_key.c,
 * and what is left when somebody goes is in rdma_gone.c; what is about moves and
 * revokes is judged on the suite's own user of RDMA core's umem.
 */
#include <stdio.h>
#include <unistd.h>

#include "importer/nic_wrongs.h"
#include "importer/region.h"
#include "importer/verbs_mover.h"
#include "oracle/drive.h"
#include "oracle/fdinfo.h"
#include "oracle/guard.h"
#include "pair/clause_test.h"
#include "peer/life.h"

#define SEED		0x21c0
#define PAGE		UINT64_C(4096)
#define SIZE		((uint64_t)PAIR_BUFFER_SIZE)
#define SETTLE_MS	10000

/* ---- pages ---------------------------------------------------------- */

#define KIB		UINT64_C(1024)
#define MIB		(1024 * KIB)
#define SMALL_SIZE	(256 * KIB)
#define BIG_SIZE	(5 * MIB)
#define SMALL_WINDOW	(128 * KIB + 36)
#define BIG_WINDOW	(2 * MIB + 64 * KIB + 36)

/*
 * Where windows lie in the buffer, and in the region against that: as pages of
 * 4 KiB, 64 KiB and 2 MiB would have it, and as they would not.
 */
static const struct placement_in_region {
	uint64_t offset;
	uint64_t shift;
	uint64_t length;
} placements[] = {
	{ 0, 0, SMALL_WINDOW },
	{ 0, PAGE, SMALL_WINDOW },
	{ 0, 64 * KIB, SMALL_WINDOW },
	{ PAGE, 0, SMALL_WINDOW },
	{ PAGE, PAGE, SMALL_WINDOW },
	{ PAGE, 64 * KIB, SMALL_WINDOW },
	{ 64 * KIB, 0, SMALL_WINDOW },
	{ 64 * KIB, PAGE, SMALL_WINDOW },
	{ 64 * KIB, 64 * KIB, SMALL_WINDOW },
	{ 64 * KIB + 100, 0, SMALL_WINDOW },
	{ 64 * KIB + 100, 2 * MIB, SMALL_WINDOW },
	{ 64 * KIB - PAGE, 64 * KIB - PAGE, SMALL_WINDOW },
	{ 2 * MIB - 64 * KIB, 2 * MIB - 64 * KIB, SMALL_WINDOW },
	{ 2 * MIB, 2 * MIB, BIG_WINDOW },
	{ 2 * MIB + PAGE, 64 * KIB, BIG_WINDOW },
};

#define SAMPLE	64

/* Beside each border of a page size; the end of the window as well. */
static const uint64_t samples[] = {
	0, PAGE - SAMPLE, PAGE - 32, PAGE, 64 * KIB - 32, 64 * KIB,
	MIB + 5 * PAGE - 32, 2 * MIB - 32, 2 * MIB,
};

static uint64_t sample_at(size_t sample, uint64_t length)
{
	if (sample < ARRAY_SIZE(samples) && samples[sample] <= length - SAMPLE)
		return samples[sample];
	return length - SAMPLE;
}

/* A region under test: where it lies in its buffer, and which bytes are looked at. */
struct window {
	struct verbs_mover *mover;
	struct verbs_region region;
	struct buffer *buffer;
	uint64_t offset;
	uint64_t (*place)(size_t sample, uint64_t length);
	size_t samples;
};

static uint64_t place_of_sample(const struct window *window, size_t sample)
{
	return window->place(sample, window->region.length);
}

static int receive_samples(struct window *window, uint32_t seed)
{
	uint8_t data[SAMPLE];
	int ret = 0;

	for (size_t i = 0; !ret && i < window->samples; i++) {
		uint64_t at = place_of_sample(window, i);

		ret = verbs_move_out(window->mover, &window->region, at, data,
				     SAMPLE);
		if (!ret && pattern_mismatch(seed, window->offset + at, data,
					     SAMPLE) >= 0)
			ret = -EILSEQ;
	}
	return ret;
}

static int send_samples(struct window *window, uint32_t seed)
{
	uint8_t data[SAMPLE];
	int ret = 0;

	for (size_t i = 0; !ret && i < window->samples; i++) {
		uint64_t at = place_of_sample(window, i);

		pattern_fill(seed, window->offset + at, data, SAMPLE);
		ret = verbs_move_in(window->mover, &window->region, at, data,
				    SAMPLE);
	}
	return ret;
}

/* As the exporter sees the window, looked at once. */
static int samples_arrived(const struct window *window, uint32_t seed)
{
	size_t size = window->region.length;
	uint8_t *data = malloc(size);
	int ret = data ? exporter_read(window->buffer, window->offset, data,
				       size) : -ENOMEM;

	for (size_t i = 0; !ret && i < window->samples; i++) {
		uint64_t at = place_of_sample(window, i);

		if (pattern_mismatch(seed, window->offset + at, data + at,
				     SAMPLE) >= 0)
			ret = -EILSEQ;
	}
	free(data);
	return ret;
}

/* What was there is read, overwritten, found by the exporter, and put back. */
static int window_works(struct window *window,
			const struct verbs_request *request)
{
	int ret = verbs_register(window->mover->domain, request,
				 &window->region);
	int released;

	if (ret)
		return ret;
	ret = receive_samples(window, SEED);
	if (!ret)
		ret = send_samples(window, ~SEED);
	if (!ret)
		ret = samples_arrived(window, ~SEED);
	if (!ret)
		ret = send_samples(window, SEED);
	released = verbs_deregister(&window->region);
	return ret ? ret : released;
}

static int placement_works(struct verbs_mover *mover, struct buffer *buffer,
			   const struct placement_in_region *place)
{
	struct verbs_request request =
		region_request(mover->domain, buffer, place->offset,
			       place->length);
	struct window window = {
		.mover = mover, .buffer = buffer, .offset = place->offset,
		.place = sample_at, .samples = ARRAY_SIZE(samples) + 1,
	};

	request.iova = REGION_BASE + place->shift + place->offset % PAGE;
	return window_works(&window, &request);
}

static int alloc_filled(struct exporter *exporter, size_t size,
			struct buffer *buffer)
{
	const struct buffer_spec spec = { .size = size };
	int ret = exporter_alloc(exporter, &spec, buffer);

	return ret ? ret : pattern_write(SEED, buffer);
}

CLAUSE_TEST(bytes_are_in_place_at_any_alignment,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_VERBS,
		  IMPORTER_MOVES_BYTES),
	    NIC_08_a)
{
	struct verbs_domain *domain;
	struct buffer small, big;
	struct verbs_mover mover;
	int error;

	must_open_domain(&domain);
	must(verbs_mover_open(domain, &mover));
	must(alloc_filled(self->exporter, SMALL_SIZE, &small));
	error = alloc_filled(self->exporter, BIG_SIZE, &big);
	if (error == -EOPNOTSUPP)
		skip_case("the exporter has no buffers of %lu bytes", BIG_SIZE);
	must(error);
	for (size_t i = 0; i < ARRAY_SIZE(placements); i++) {
		uint64_t end = placements[i].offset + placements[i].length;

		/* All of the buffer is mapped, which takes a big one its time. */
		error = placement_works(&mover, end <= SMALL_SIZE ? &small : &big,
					&placements[i]);
		check_saying(NIC_08_a, !error,
			     "%#llx bytes at %#llx, %#llx after the base: %s",
			     (unsigned long long)placements[i].length,
			     (unsigned long long)placements[i].offset,
			     (unsigned long long)placements[i].shift,
			     errno_text(error));
	}
	exporter_release(&big);
	exporter_release(&small);
	must(verbs_mover_close(&mover));
	must(verbs_domain_free(domain));
}

/* Tables of the peer exporter that drivers must take as they are. */
struct table {
	size_t pages;
	unsigned int shape;
};

#define PAGE_SAMPLES	24

/* The first pages, some in between, and the end. */
static uint64_t page_sample_at(size_t sample, uint64_t length)
{
	uint64_t pages = length / PAGE;

	if (sample == PAGE_SAMPLES - 1)
		return length - SAMPLE;
	return sample < 8 ? sample % pages * PAGE :
	       pages * sample / PAGE_SAMPLES * PAGE;
}

static int table_works(struct pair *pair, struct verbs_mover *mover,
		       const struct table *table)
{
	const struct buffer_spec spec = {
		.size = table->pages * PAGE, .shape = table->shape,
	};
	struct verbs_request request;
	struct buffer buffer;
	struct window window = {
		.mover = mover, .buffer = &buffer,
		.place = page_sample_at, .samples = PAGE_SAMPLES,
	};
	int ret = exporter_alloc(&pair->exporter, &spec, &buffer);

	if (ret)
		return ret;
	request = region_request(mover->domain, &buffer, 0, buffer.size);
	/*
	 * Where an IOMMU makes the table one range, a page off the range's own
	 * alignment keeps the driver from telling the device of one large page.
	 */
	request.iova += PAGE;
	ret = pattern_write(SEED, &buffer);
	if (!ret)
		ret = window_works(&window, &request);
	exporter_release(&buffer);
	return ret;
}

/* Around 4 and 512 pages devices change the way in which they are told them. */
static const struct {
	enum clause_id clause;
	struct table table;
} tables[] = {
	{ NIC_09_a, { 1, PEER_SHAPE_PAGELESS } },
	{ NIC_09_a, { 64, PEER_SHAPE_PAGELESS } },
	{ NIC_09_b, { 1, PEER_SHAPE_PAGES } },
	{ NIC_09_b, { 4, PEER_SHAPE_PAGES } },
	{ NIC_09_b, { 5, PEER_SHAPE_PAGES } },
	{ NIC_09_b, { 511, PEER_SHAPE_PAGES } },
	{ NIC_09_b, { 512, PEER_SHAPE_PAGES } },
	{ NIC_09_b, { 513, PEER_SHAPE_PAGES } },
	{ NIC_09_b, { 2049, PEER_SHAPE_PAGES } },
	{ NIC_09_b, { 300, PEER_SHAPE_SPLIT } },
	{ NIC_09_b, { 300, PEER_SHAPE_MERGED } },
};

/* What the tables above must make the emulated NIC meet. */
static const enum nic_counter kinds[] = {
	NIC_PAGE_LISTS_INLINE, NIC_PAGE_LISTS_DIRECT,
};

CLAUSE_TEST(any_legal_table_is_taken,
	    NEEDS(EXPORTER_PEER, IMPORTER_VERBS, IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
	    NIC_09_a, NIC_09_b)
{
	struct verbs_domain *domain;
	struct verbs_mover mover;
	struct nic_page page;
	uint64_t lists[ARRAY_SIZE(kinds)] = { 0 };

	must_open_domain(&domain);
	nic_page_if_any(self->importer, &page);
	must(verbs_mover_open(domain, &mover));
	for (size_t i = 0; page.registers && i < ARRAY_SIZE(kinds); i++)
		lists[i] = nic_counter(&page, kinds[i]);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		int error = table_works(&self->pair, &mover, &tables[i].table);

		check_saying(tables[i].clause, !error, "shape %u, %zu pages: %s",
			     tables[i].table.shape, tables[i].table.pages,
			     errno_text(error));
	}
	for (size_t i = 0; page.registers && i < ARRAY_SIZE(kinds); i++)
		must_be(nic_counter(&page, kinds[i]) > lists[i]);
	nic_page_close(&page);
	must(verbs_mover_close(&mover));
	must(verbs_domain_free(domain));
}

/* ---- more pages than a list has ------------------------------------- */

#define GIB		(1024 * MIB)
#define LONG_SIZE	(2 * GIB + 22 * MIB)
#define LONG_SAMPLES	40

/* With the driver, which asks for limits when it takes the device. */
static int set_limit(const struct binding *binding, const struct nic_page *page,
		     enum nic_control limit, uint32_t value)
{
	int ret = nic_set_control(page, limit, value);

	if (!ret)
		ret = drive(binding->driver, "unbind", binding->device);
	return ret ? ret : drive(binding->driver, "bind", binding->device);
}

/* In each list of pages the bytes lie otherwise, and so do they where one begins. */
static int long_region_reads(struct verbs_mover *mover,
			     const struct verbs_region *region)
{
	uint8_t data[SAMPLE];
	int ret = 0;

	for (uint64_t i = 0; !ret && i <= LONG_SAMPLES; i++) {
		uint64_t at = (LONG_SIZE - PAGE) / LONG_SAMPLES * i / PAGE * PAGE;

		ret = verbs_move_out(mover, region, at, data, SAMPLE);
		if (!ret && pattern_mismatch(SEED, at % PEER_REPEAT_BYTES, data,
					     SAMPLE) >= 0)
			ret = -EILSEQ;
	}
	return ret;
}

static int long_region_works(struct verbs *verbs, struct buffer *buffer)
{
	struct verbs_request request;
	struct verbs_domain *domain;
	struct verbs_region region;
	struct verbs_mover mover;
	int ret = verbs_domain_new(verbs, &domain);

	if (ret)
		return ret;
	ret = verbs_mover_open(domain, &mover);
	if (ret)
		goto free_domain;
	request = region_request(domain, buffer, 0, LONG_SIZE);
	ret = verbs_register(domain, &request, &region);
	if (!ret) {
		ret = long_region_reads(&mover, &region);
		verbs_deregister(&region);
	}
	verbs_mover_close(&mover);
free_domain:
	verbs_domain_free(domain);
	return ret;
}

/*
 * In pages of 4 KiB, which is all that this device has, the list of more than 2 GiB
 * is longer than what drivers get in one piece: it is in pieces, with a list of
 * these. The buffer has no more than a few pages, again and again.
 */
CLAUSE_TEST_TIMEOUT(list_of_lists_is_taken, 60,
		    NEEDS(EXPORTER_PEER, IMPORTER_VERBS, IMPORTER_NIC_PAGE,
			  IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
		    NIC_09_b)
{
	const struct buffer_spec spec = {
		.size = LONG_SIZE, .flags = BUFFER_REPEATED,
	};
	static struct binding binding;
	struct verbs_domain *domain;
	struct buffer buffer, period;
	struct nic_page page;
	struct verbs *verbs;
	uint64_t lists;
	pid_t guard;
	int error;

	disrupts("takes the RDMA device from its driver");
	must_open_domain(&domain);
	must(verbs_domain_free(domain));
	must(drive_find(self->importer->backend.device, &binding));
	must(exporter_alloc(self->exporter, &spec, &buffer));
	period = buffer;
	period.size = PEER_REPEAT_BYTES;
	must(pattern_write(SEED, &period));
	must(nic_page_of(self->importer, &page));
	importer_close(self->importer);
	must(guard = drive_guard(&binding));
	error = set_limit(&binding, &page, NIC_CONTROL_PAGE_SIZES_LO, PAGE);
	lists = nic_counter(&page, NIC_PAGE_LISTS_INDIRECT);
	if (!error && comes_true(SETTLE_MS, !verbs_open(binding.device, &verbs))) {
		check_ok(NIC_09_b, long_region_works(verbs, &buffer));
		verbs_close(verbs);
	}
	lists = nic_counter(&page, NIC_PAGE_LISTS_INDIRECT) - lists;
	must(set_limit(&binding, &page, NIC_CONTROL_PAGE_SIZES_LO,
		       page.found[NIC_CONTROL_PAGE_SIZES_LO]));
	guard_stop(guard);
	nic_page_close(&page);
	exporter_release(&buffer);
	must(error);
	must_be(lists == 1);
}

/* ---- a device that refuses ------------------------------------------ */

/* How the emulated device may refuse a registration. */
static const uint32_t refusals[] = {
	NIC_STATUS_NO_RESOURCE, NIC_STATUS_UNSUPPORTED, NIC_STATUS_ILLEGAL,
};

static bool unwinds_in_order(const struct event_log *log)
{
	int unmap = event_last(log, PEER_CALL_UNMAP);
	int unpin = event_last(log, PEER_CALL_UNPIN);
	int detach = event_find(log, PEER_CALL_DETACH, 0);

	return unmap >= 0 && unmap < detach && unpin < detach &&
	       (unpin < 0 || unmap < unpin) &&
	       event_count(log, PEER_CALL_UNMAP) ==
	       event_count(log, PEER_CALL_MAP) &&
	       event_count(log, PEER_CALL_UNPIN) ==
	       event_count(log, PEER_CALL_PIN) &&
	       event_count(log, PEER_CALL_DETACH) == 1;
}

static int refuse(const struct nic_page *page, uint32_t status)
{
	int ret = nic_set_control(page, NIC_CONTROL_FAIL_OPCODE, NIC_COMMAND_REG_MR);

	if (!ret)
		ret = nic_set_control(page, NIC_CONTROL_FAIL_STATUS, status);
	return ret ? ret : nic_set_control(page, NIC_CONTROL_FAIL_NTH, 1);
}

CLAUSE_TEST(refused_registration_is_undone,
	    NEEDS(EXPORTER_PEER, IMPORTER_VERBS, IMPORTER_NIC_PAGE) | ANY_EXPORTER,
	    NIC_07_a, NIC_07_b, NIC_07_c, ERR_03)
{
	static struct event_log log;
	struct verbs_region region = { 0 };
	struct verbs_request request;
	struct verbs_domain *domain;
	struct nic_page page;
	long references;
	uint64_t live;

	must_open_domain(&domain);
	must(nic_page_of(self->importer, &page));
	request = region_request(domain, &self->buffer, 0, SIZE);
	references = fdinfo_of(self->buffer.fd).count;
	live = nic_counter(&page, NIC_MR_LIVE);
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		exporter_log(&self->buffer, &log);
		must(refuse(&page, refusals[i]));
		check_fails(NIC_07_b, verbs_register(domain, &request, &region));
		nic_page_reset(&page);
		verbs_deregister(&region);
		exporter_log(&self->buffer, &log);
		check(NIC_07_a, unwinds_in_order(&log));
		check(ERR_03, unwinds_in_order(&log));
		check_equal(NIC_07_a, 0,
			    exporter_saw(&self->buffer).attachments);
		check_equal(NIC_07_a, 0, exporter_saw(&self->buffer).pins);
		check_equal(NIC_07_a, 0, exporter_saw(&self->buffer).order_wrong);
		check_equal(NIC_07_a, references,
			    fdinfo_of(self->buffer.fd).count);
		check_ok(NIC_07_c, region_try(domain, &request));
	}
	check_equal(NIC_07_c, live, nic_counter(&page, NIC_MR_LIVE));
	nic_page_close(&page);
	must(verbs_domain_free(domain));
}

/* ---- recorded ------------------------------------------------------- */

CLAUSE_TEST(relaxed_ordering_is_told,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, NIC_13)
{
	struct verbs_request request;
	struct verbs_domain *domain;

	must_open_domain(&domain);
	request = region_request(domain, &self->buffer, 0, SIZE);
	request.access |= REGION_RELAXED_ORDERING;
	observe(NIC_13, "%s", errno_text(region_try(domain, &request)));
	must(verbs_domain_free(domain));
}

static uint32_t attaches(struct buffer *buffer)
{
	return exporter_saw(buffer).calls[PEER_CALL_ATTACH];
}

/* Only the peer exporter remembers who has been there. */
static const char *attached_since(const struct exporter *exporter,
				  struct buffer *buffer, uint32_t before)
{
	if (!(exporter->backend.capabilities & CAP(EXPORTER_PEER)))
		return "";
	return attaches(buffer) > before ? ", and the buffer was attached" :
	       ", and the buffer was not attached";
}

CLAUSE_TEST(region_beyond_the_limit_is_told,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, NIC_14)
{
	uint64_t most = verbs_traits(verbs_of(self->importer))->region_max;
	const struct buffer_spec spec = { .size = (most / PAGE + 1) * PAGE };
	struct verbs_request request;
	struct verbs_domain *domain;
	struct buffer buffer;
	int error;

	must_open_domain(&domain);
	if (most > 64 * MIB) {
		observe(NIC_14, "not tried: the limit is %llu MiB",
			(unsigned long long)(most / MIB));
	} else {
		must(exporter_alloc(self->exporter, &spec, &buffer));
		request = region_request(domain, &buffer, 0, spec.size);
		error = region_try(domain, &request);
		observe(NIC_14, "%s%s", errno_text(error),
			attached_since(self->exporter, &buffer, 0));
		exporter_release(&buffer);
	}
	must(verbs_domain_free(domain));
}

#define FEW_PAGES	8

/* A region of a page more than the device allows, on a device opened anew. */
static int try_beyond(const char *device, struct buffer *buffer, int *error)
{
	struct verbs_request request;
	struct verbs_domain *domain;
	struct verbs *verbs;
	int ret = verbs_open(device, &verbs);

	if (ret)
		return ret;
	if (verbs_traits(verbs)->region_max != FEW_PAGES * PAGE)
		ret = -ERANGE;
	if (!ret)
		ret = verbs_domain_new(verbs, &domain);
	if (!ret) {
		request = region_request(domain, buffer, 0,
					 (FEW_PAGES + 1) * PAGE);
		*error = region_try(domain, &request);
		ret = verbs_domain_free(domain);
	}
	verbs_close(verbs);
	return ret;
}

/* A device whose limit is small enough for a buffer to exceed it. */
CLAUSE_TEST_TIMEOUT(region_beyond_a_small_limit_is_told, 60,
		    NEEDS(EXPORTER_PEER, IMPORTER_VERBS, IMPORTER_NIC_PAGE) | ANY_EXPORTER,
		    NIC_14)
{
	static struct binding binding;
	struct verbs_domain *domain;
	struct nic_page page;
	uint32_t before;
	pid_t guard;
	int error = 0, ret;

	disrupts("takes the RDMA device from its driver");
	must_open_domain(&domain);
	must(verbs_domain_free(domain));
	must(drive_find(self->importer->backend.device, &binding));
	must(nic_page_of(self->importer, &page));
	importer_close(self->importer);
	must(guard = drive_guard(&binding));
	before = attaches(&self->buffer);
	ret = set_limit(&binding, &page, NIC_CONTROL_REGION_PAGES, FEW_PAGES);
	if (!ret)
		comes_true(SETTLE_MS, !(ret = try_beyond(binding.device,
							 &self->buffer,
							 &error)));
	must(set_limit(&binding, &page, NIC_CONTROL_REGION_PAGES,
		       page.found[NIC_CONTROL_REGION_PAGES]));
	guard_stop(guard);
	nic_page_close(&page);
	must(ret);
	observe(NIC_14, "%s%s", errno_text(error),
		attached_since(self->exporter, &self->buffer, before));
}

/* A driver that can do without works, any other says why not. */
CLAUSE_TEST(paging_on_demand_is_not_missed,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, NIC_15)
{
	struct verbs_request request;
	struct verbs_domain *domain;
	int error;

	needs_no_decline();
	needs_law(LAW_ON_DEMAND_PAGING, NO);
	must(verbs_domain_new(verbs_of(self->importer), &domain));
	request = region_request(domain, &self->buffer, 0, SIZE);
	error = region_try(domain, &request);
	check_saying(NIC_15, !error || error == -EOPNOTSUPP, "%s",
		     errno_text(error));
	must(verbs_domain_free(domain));
}

CLAUSE_TEST_MAIN("rdma_nic")
