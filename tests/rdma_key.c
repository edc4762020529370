// SPDX-License-Identifier: GPL-2.0-only
/*
 * The keys of regions: which work they allow, in which protection domain, and
 * until when. The driver is judged for what its device does, by bytes, by the
 * work's completions, and where the device is the suite's emulated one also by
 * its counters.
 * Clauses: NIC-10, RDR-03.b.
 */
#include "importer/nic_wrongs.h"
#include "importer/region.h"
#include "importer/verbs_mover.h"
#include "pair/await.h"
#include "pair/clause_test.h"

#define SEED		0x6e1
#define SIZE		((uint64_t)PAIR_BUFFER_SIZE)
#define PAGE		4096
#define WATCH_MS	60
#define DELAY_MS	20	/* that the device takes before it begins */
#define QUEUED		4
#define SETTLE_MS	10000

/* ---- rights --------------------------------------------------------- */

/* One piece of work between a region and memory of the program. */
struct piece {
	enum verbs_operation operation;
	bool into_region;		/* the region is what the work writes to */
	bool region_is_local;
};

static const struct piece write_there = { VERBS_WRITE, true, false };
static const struct piece read_there = { VERBS_READ, false, false };
static const struct piece read_into = { VERBS_READ, true, true };

#define LENGTH	256

static int run_piece(struct verbs_mover *mover, const struct piece *piece,
		     const struct verbs_region *region)
{
	const struct verbs_region *near = piece->region_is_local ?
					  region : &mover->region;
	const struct verbs_region *far = piece->region_is_local ?
					 &mover->region : region;
	const struct verbs_work work = {
		.operation = piece->operation,
		.local = near->iova, .lkey = near->lkey,
		.remote = far->iova, .rkey = far->rkey,
		.length = LENGTH,
	};

	return verbs_run(mover->near, &work, NULL);
}

/* On ends of its own, since work that fails may spoil them. */
static int try_piece(struct verbs_domain *domain, const struct piece *piece,
		     const struct verbs_region *region, int *result)
{
	struct verbs_mover mover;
	int ret = verbs_mover_open(domain, &mover);

	if (ret)
		return ret;
	memset(mover.memory, 0x77, LENGTH);
	*result = run_piece(&mover, piece, region);
	return verbs_mover_close(&mover);
}

static int run_receive(struct verbs_mover *mover,
		       const struct verbs_region *region)
{
	const struct verbs_work work = {
		.operation = VERBS_SEND,
		.local = mover->region.iova, .lkey = mover->region.lkey,
		.length = LENGTH,
	};
	struct verbs_completion completion;
	int ret = verbs_post_receive(mover->far, 1, region->lkey, region->iova,
				     LENGTH);

	if (!ret)
		ret = verbs_run(mover->near, &work, NULL);
	if (!ret)
		ret = verbs_complete(mover->far, SETTLE_MS, &completion);
	return !ret && completion.status ? -EREMOTEIO : ret;
}

/* A message that is to be received in a region. */
static int try_receive(struct verbs_domain *domain,
		       const struct verbs_region *region, int *result)
{
	struct verbs_mover mover;
	int ret = verbs_mover_open(domain, &mover);

	if (ret)
		return ret;
	memset(mover.memory, 0x77, LENGTH);
	*result = run_receive(&mover, region);
	return verbs_mover_close(&mover);
}

/* A message that is sent out of a region, into memory of the program. */
static int run_send(struct verbs_mover *mover, const struct verbs_region *region)
{
	const struct verbs_work work = {
		.operation = VERBS_SEND,
		.local = region->iova, .lkey = region->lkey, .length = LENGTH,
	};
	int ret = verbs_post_receive(mover->far, 1, mover->region.lkey,
				     mover->region.iova, LENGTH);

	return ret ? ret : verbs_run(mover->near, &work, NULL);
}

static int try_send(struct verbs_domain *domain,
		    const struct verbs_region *region, int *result)
{
	struct verbs_mover mover;
	int ret = verbs_mover_open(domain, &mover);

	if (ret)
		return ret;
	*result = run_send(&mover, region);
	return verbs_mover_close(&mover);
}

/* That there are ends to try it on is no merit of the device. */
#define check_piece(clause, wanted, domain_, piece_, region_) \
	do { \
		int outcome_ = 0; \
\
		must(try_piece(domain_, piece_, region_, &outcome_)); \
		check_equal(clause, wanted, outcome_); \
	} while (0)

#define check_receive(clause, wanted, domain_, region_) \
	do { \
		int outcome_ = 0; \
\
		must(try_receive(domain_, region_, &outcome_)); \
		check_equal(clause, wanted, outcome_); \
	} while (0)

#define must_register_with(access_, region_) \
	do { \
		struct verbs_request request_ = \
			region_request(domain, &self->buffer, 0, SIZE); \
\
		request_.access = access_; \
		must(verbs_register(domain, &request_, region_)); \
	} while (0)

/* Bytes that the emulated NIC has written to a region; other devices tell nothing. */
#define check_written(clause, wanted, page_, region_) \
	do { \
		struct nic_region told_ = { 0 }; \
\
		if ((page_)->registers) { \
			must(nic_region(page_, (region_)->rkey, &told_)); \
			check_equal(clause, wanted, told_.bytes_written); \
		} \
	} while (0)

/* Only reading it locally needs no right: that it can be is how it is known to be there. */
CLAUSE_TEST(rights_are_none_unless_asked_for,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_VERBS,
		  IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
	    RDR_03_b)
{
	const struct verbs_traits *traits =
		verbs_traits(verbs_of(self->importer));
	struct verbs_request request;
	struct verbs_region region;
	struct raw_domain raw;
	int sent = 0;
	uint32_t mr;

	must_open_raw(&raw);
	must(pattern_write(SEED, &self->buffer));
	request = region_request(raw.domain, &self->buffer, 0, SIZE);
	must(raw_register_and_keep(&raw, &request, 0, 0, &mr, &region));
	must(try_send(raw.domain, &region, &sent));
	must(sent);
	if (traits->rdma_write)
		check_piece(RDR_03_b, -EREMOTEIO, raw.domain, &write_there,
			    &region);
	if (traits->rdma_read) {
		check_piece(RDR_03_b, -EREMOTEIO, raw.domain, &read_there,
			    &region);
		check_piece(RDR_03_b, -EREMOTEIO, raw.domain, &read_into,
			    &region);
	}
	check_receive(RDR_03_b, -EREMOTEIO, raw.domain, &region);
	check_ok(RDR_03_b, pattern_verify(SEED, &self->buffer));
	must(uverbs_deregister(&raw.uverbs, mr));
	must(raw_domain_close(&raw));
}

CLAUSE_TEST(remote_write_needs_its_right,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_VERBS,
		  IMPORTER_MOVES_BYTES, IMPORTER_RDMA_WRITE) | ANY_EXPORTER,
	    NIC_10_a, NIC_10_d)
{
	struct verbs_domain *domain;
	struct verbs_region region;
	struct nic_page page;

	must_open_domain(&domain);
	nic_page_if_any(self->importer, &page);
	must(pattern_write(SEED, &self->buffer));
	must_register_with(VERBS_LOCAL_WRITE | VERBS_REMOTE_READ, &region);
	check_piece(NIC_10_a, -EREMOTEIO, domain, &write_there, &region);
	check_written(NIC_10_d, 0, &page, &region);
	check_ok(NIC_10_d, pattern_verify(SEED, &self->buffer));
	must(verbs_deregister(&region));

	must_register_with(VERBS_LOCAL_WRITE | VERBS_REMOTE_WRITE, &region);
	check_piece(NIC_10_a, 0, domain, &write_there, &region);
	check_written(NIC_10_a, LENGTH, &page, &region);
	must(verbs_deregister(&region));
	nic_page_close(&page);
	must(verbs_domain_free(domain));
}

CLAUSE_TEST(remote_read_needs_its_right,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS, IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
	    NIC_10_b)
{
	const struct verbs_traits *traits =
		verbs_traits(verbs_of(self->importer));
	struct verbs_domain *domain;
	struct verbs_region region;

	if (!traits->rdma_read)
		skip_case("the device has no RDMA read");
	must_open_domain(&domain);
	must_register_with(VERBS_LOCAL_WRITE | (traits->rdma_write ?
			   VERBS_REMOTE_WRITE : 0), &region);
	check_piece(NIC_10_b, -EREMOTEIO, domain, &read_there, &region);
	must(verbs_deregister(&region));
	must_register_with(VERBS_REMOTE_READ, &region);
	check_piece(NIC_10_b, 0, domain, &read_there, &region);
	must(verbs_deregister(&region));
	must(verbs_domain_free(domain));
}

CLAUSE_TEST(local_write_needs_its_right,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_VERBS,
		  IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
	    NIC_10_c, NIC_10_d)
{
	bool reads = verbs_traits(verbs_of(self->importer))->rdma_read;
	struct verbs_domain *domain;
	struct verbs_region region;

	must_open_domain(&domain);
	must(pattern_write(SEED, &self->buffer));
	must_register_with(VERBS_REMOTE_READ, &region);
	check_receive(NIC_10_c, -EREMOTEIO, domain, &region);
	if (reads)
		check_piece(NIC_10_c, -EREMOTEIO, domain, &read_into, &region);
	check_ok(NIC_10_d, pattern_verify(SEED, &self->buffer));
	must(verbs_deregister(&region));

	must_register_with(VERBS_LOCAL_WRITE, &region);
	check_receive(NIC_10_c, 0, domain, &region);
	if (reads)
		check_piece(NIC_10_c, 0, domain, &read_into, &region);
	must(verbs_deregister(&region));
	must(verbs_domain_free(domain));
}

/* The same work in the domain of the region works, so it is the domain. */
CLAUSE_TEST(key_works_in_its_domain_only,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_VERBS,
		  IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
	    NIC_10_g, NIC_10_d)
{
	struct verbs *verbs = verbs_of(self->importer);
	const struct piece *piece = verbs_traits(verbs)->rdma_write ?
				    &write_there : &read_into;
	struct verbs_domain *domain, *other;
	struct verbs_request request;
	struct verbs_region region;

	if (!verbs_traits(verbs)->rdma_read)
		skip_case("the device has no RDMA read");
	must_open_domain(&domain);
	must(verbs_domain_new(verbs, &other));
	must(pattern_write(SEED, &self->buffer));
	request = region_request(domain, &self->buffer, 0, SIZE);
	must(verbs_register(domain, &request, &region));
	check_piece(NIC_10_g, -EREMOTEIO, other, piece, &region);
	check_piece(NIC_10_g, -EREMOTEIO, other, &read_there, &region);
	check_ok(NIC_10_d, pattern_verify(SEED, &self->buffer));
	check_piece(NIC_10_g, 0, domain, piece, &region);
	must(verbs_deregister(&region));
	must(verbs_domain_free(other));
	must(verbs_domain_free(domain));
}

/* ---- the life of a key ---------------------------------------------- */

/*
 * A region of another buffer may have taken the place of the dead one, down to
 * its DMA addresses: that buffer must not change either.
 */
CLAUSE_TEST(key_dies_with_its_region,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_VERBS,
		  IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
	    NIC_10_e, NIC_10_d)
{
	const struct buffer_spec spec = { .size = PAIR_BUFFER_SIZE };
	struct verbs *verbs = verbs_of(self->importer);
	const struct piece *piece = verbs_traits(verbs)->rdma_write ?
				    &write_there : &read_into;
	struct verbs_region region, dead, next;
	struct verbs_domain *domain;
	struct verbs_request request;
	struct nic_wrongs before;
	struct nic_page page;
	struct buffer other;

	if (!verbs_traits(verbs)->rdma_read)
		skip_case("the device has no RDMA read");
	must_open_domain(&domain);
	nic_page_if_any(self->importer, &page);
	must(exporter_alloc(self->exporter, &spec, &other));
	must(pattern_write(SEED, &self->buffer));
	must(pattern_write(SEED + 1, &other));
	request = region_request(domain, &self->buffer, 0, SIZE);
	must(verbs_register(domain, &request, &region));
	dead = region;
	must(verbs_deregister(&region));
	request.fd = other.fd;
	must(verbs_register(domain, &request, &next));
	before = nic_wrongs(&page);
	check_piece(NIC_10_e, -EREMOTEIO, domain, piece, &dead);
	check_piece(NIC_10_e, -EREMOTEIO, domain, &read_there, &dead);
	check_receive(NIC_10_e, -EREMOTEIO, domain, &dead);
	check_no_wrongs(NIC_10_e, before, &page);
	check_ok(NIC_10_d, pattern_verify(SEED, &self->buffer));
	check_ok(NIC_10_d, pattern_verify(SEED + 1, &other));
	must(verbs_deregister(&next));
	nic_page_close(&page);
	exporter_release(&other);
	must(verbs_domain_free(domain));
}

/* Work that writes into a region, left in the queue. */
static int post_write(struct verbs_mover *mover,
		      const struct verbs_region *region)
{
	bool writes = verbs_domain_traits(mover->domain)->rdma_write;
	const struct verbs_region *near = writes ? &mover->region : region;
	const struct verbs_region *far = writes ? region : &mover->region;
	const struct verbs_work work = {
		.operation = writes ? VERBS_WRITE : VERBS_READ,
		.local = near->iova, .lkey = near->lkey,
		.remote = far->iova, .rkey = far->rkey,
		.length = PAGE,
	};

	return verbs_post(mover->near, &work);
}

/* However it ended: that is for others to judge. */
static int await_work(struct verbs_mover *mover)
{
	struct verbs_completion completion;
	int ret = 0;

	for (int i = 0; !ret && i < QUEUED; i++)
		ret = verbs_complete(mover->near, SETTLE_MS, &completion);
	return ret;
}

/* With work in the queue that nobody waited for, and that the NIC delays. */
CLAUSE_TEST(nothing_is_touched_after_deregistration,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_VERBS,
		  IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
	    NIC_10_f)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	struct verbs_domain *domain;
	struct verbs_request request;
	struct verbs_region region;
	struct verbs_mover mover;
	struct nic_wrongs before;
	struct nic_page page;

	if (!verbs_traits(verbs_of(self->importer))->rdma_read)
		skip_case("the device has no RDMA read");
	must_open_domain(&domain);
	nic_page_if_any(self->importer, &page);
	must(verbs_mover_open(domain, &mover));
	request = region_request(domain, &self->buffer, 0, SIZE);
	must(verbs_register(domain, &request, &region));
	before = nic_wrongs(&page);
	pattern_fill(SEED, 0, data, SIZE);
	must(verbs_move_in(&mover, &region, 0, data, SIZE));
	if (page.registers)
		must(nic_set_control(&page, NIC_CONTROL_DELAY_MS, DELAY_MS));
	for (int i = 0; i < QUEUED; i++)
		must(post_write(&mover, &region));
	must(verbs_deregister(&region));
	must(pattern_write(SEED + 1, &self->buffer));
	check(NIC_10_f, !comes_true(WATCH_MS,
				    !nic_same_wrongs(before, nic_wrongs(&page)) ||
				    pattern_verify(SEED + 1, &self->buffer)));
	must(await_work(&mover));
	if (page.registers)
		nic_page_reset(&page);
	check_no_wrongs(NIC_10_f, before, &page);
	check_ok(NIC_10_f, pattern_verify(SEED + 1, &self->buffer));
	must(verbs_mover_close(&mover));
	nic_page_close(&page);
	must(verbs_domain_free(domain));
}

CLAUSE_TEST_MAIN("rdma_key")
