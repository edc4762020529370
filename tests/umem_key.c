// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys of regions that move or are revoked: when they let the device in, whose
 * they are, and what becomes of them where a deregistration meets a notice. The
 * driver is judged, which here is the suite's own importer through RDMA core;
 * that is a self-test.
 * Clauses: NIC-01.b, NIC-04.a, NIC-06, NIC-08.b.
 */
#include <stdatomic.h>

#include "oracle/thread.h"
#include "pair/await.h"
#include "pair/clause_test.h"
#include "peer/observe.h"
#include "peer/peer_exporter.h"
#include "peer/umem_case.h"

#define SEED		0x4e1
#define PAGE		4096
#define NOTICES		20
#define ROUNDS		40
#define MANY		64
#define DEADLOCK_MS	20000
#define SETTLE_MS	10000

/* ---- a notice -------------------------------------------------------- */

/* A device at work, until it is told to stop. */
struct writer {
	struct umem_region *region;
	atomic_bool stop;
	atomic_int writes;	/* that reached the memory */
};

/* That its key is suspended is no error: it waits for the map. */
static int write_on(void *argument)
{
	static uint8_t data[PAGE];
	struct writer *writer = argument;
	int ret = 0;

	while (!ret && !atomic_load(&writer->stop)) {
		ret = umem_write(writer->region, 0, data, sizeof(data));
		if (!ret)
			atomic_fetch_add(&writer->writes, 1);
		if (ret == -EAGAIN)
			ret = 0;
	}
	return ret;
}

/* Whether the device is at work: only then does a notice meet an access. */
static bool writes_more(struct writer *writer, struct thread *thread)
{
	int before = atomic_load(&writer->writes);

	comes_true(SETTLE_MS, atomic_load(&writer->writes) > before ||
			      thread->done);
	return atomic_load(&writer->writes) > before;
}

/*
 * What is unmapped no IOMMU translates any more: an access that comes between
 * unmap and the end of the key is a fault.
 */
CLAUSE_TEST(notice_unmaps_what_nobody_uses,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS, IMPORTER_NOTIFIED),
	    NIC_01_b)
{
	struct umem_region region;
	struct writer writer = { .region = &region };
	struct thread thread;
	int error, notices = 0;

	needs_dynamic();
	must_register(0, &region);
	if (!region_saw(&region).translated)
		skip_case("no IOMMU translates for %s, so nothing tells of an access after unmap",
			  self->importer->backend.device);
	must(thread_start(&thread, write_on, &writer));
	while (notices < NOTICES && writes_more(&writer, &thread)) {
		must(peer_exporter_notify(&self->buffer, 1));
		must(umem_map(&region, NULL));
		notices++;
	}
	atomic_store(&writer.stop, true);
	must(thread_join(&thread, SETTLE_MS, &error));
	check_equal(NIC_01_b, 0, error);
	check_equal(NIC_01_b, 0, region_saw(&region).dma_faults);
	must_be(error || notices == NOTICES);
	must(umem_deregister(&region));
}

/* ---- pages that lie otherwise ---------------------------------------- */

static const enum peer_device devices[] = {
	PEER_DEVICE_BEST, PEER_DEVICE_PLATFORM,
};

static int send_bytes(struct umem_region *region, uint32_t seed)
{
	static uint8_t data[PAIR_BUFFER_SIZE];

	pattern_fill(seed, 0, data, region->length);
	return umem_write(region, 0, data, region->length);
}

/* While it is mapped where the exporter may do that. */
static int move_region(struct umem_region *region, struct buffer *buffer)
{
	int ret = 0;

	if (law_value(LAW_MOVES_WHILE_MAPPED) != YES)
		ret = umem_unmap(region);
	if (!ret)
		ret = exporter_move(buffer, PLACE_OTHER);
	return ret ? ret : umem_map(region, NULL);
}

/* The sizes of the pieces that a new region has now; as one number. */
static int layout_now(struct importer *importer, int fd,
		      const struct umem_options *options, uint64_t *layout)
{
	struct peer_table_entry entries[2 * PAIR_BUFFER_SIZE / PAGE];
	struct umem_region region;
	int ret = umem_register(importer, fd, options, &region);
	int count;

	if (ret)
		return ret;
	count = umem_table(&region, entries, ARRAY_SIZE(entries));
	*layout = 0;
	for (int i = 0; i < count; i++)
		*layout = *layout * 31 + entries[i].length;
	ret = umem_deregister(&region);
	return count < 0 ? count : ret;
}

/*
 * A device without an IOMMU gets a piece for each run of pages. Where a map
 * pins, an exporter may move its storage back for that.
 */
CLAUSE_TEST(bytes_are_in_place_after_a_move,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_UMEM_STEPS,
		  IMPORTER_NOTIFIED),
	    NIC_08_b)
{
	struct umem_region region;
	uint64_t before, after;

	needs_dynamic();
	needs_no_decline();
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		const struct umem_options options = {
			.device = devices[i], .length = PAIR_BUFFER_SIZE,
		};

		must(exporter_move(&self->buffer, PLACE_SYSTEM));
		must(pattern_write(SEED, &self->buffer));
		must(layout_now(self->importer, self->buffer.fd, &options,
				&before));
		must(umem_register(self->importer, self->buffer.fd, &options,
				   &region));
		must(region_shows(&region, SEED));
		must(move_region(&region, &self->buffer));
		if (exporter_saw(&self->buffer).placement == PEER_PLACE_SYSTEM)
			skip_case("a map takes the storage back to where it was");
		must(layout_now(self->importer, self->buffer.fd, &options,
				&after));
		if (devices[i] == PEER_DEVICE_PLATFORM)
			must_be(before != after);
		check_ok(NIC_08_b, region_shows(&region, SEED));
		check_ok(NIC_08_b, send_bytes(&region, ~SEED));
		check_ok(NIC_08_b, pattern_verify(~SEED, &self->buffer));
		must(umem_deregister(&region));
	}
}

/* ---- a revoke -------------------------------------------------------- */

/* A device that names keys afresh takes the first number that is free. */
CLAUSE_TEST(revoked_key_is_nobody_elses,
	    NEEDS(EXPORTER_PEER, EXPORTER_REVOKES, IMPORTER_UMEM_STEPS,
		  IMPORTER_PINNED, IMPORTER_NOTIFIED),
	    NIC_04_a)
{
	static struct umem_region others[MANY];
	struct umem_region revoked;
	uint32_t key;

	must_register(0, &revoked);
	key = region_saw(&revoked).rkey;
	must_be(key);
	must(exporter_revoke(&self->buffer));
	must_be(region_saw(&revoked).key == PEER_UMEM_KEY_DEAD);
	must(exporter_restore(&self->buffer));
	for (int i = 0; i < MANY; i++) {
		must_register(0, &others[i]);
		check(NIC_04_a, region_saw(&others[i]).rkey != key);
	}
	check_equal(NIC_04_a, key, region_saw(&revoked).rkey);
	for (int i = 0; i < MANY; i++)
		must(umem_deregister(&others[i]));
	must(umem_deregister(&revoked));
}

struct round {
	struct importer *importer;
	struct buffer *buffer;
	atomic_bool stop;
};

/* The notices begin when the region is there, and go on until it is gone. */
static int register_and_deregister(struct round *round)
{
	const struct umem_options options = { .length = PAIR_BUFFER_SIZE };
	struct umem_region region;
	int ret = umem_register(round->importer, round->buffer->fd, &options,
				&region);
	int stopped;

	if (!ret)
		ret = peer_exporter_storm(round->buffer, true);
	if (!ret)
		ret = umem_deregister(&region);
	stopped = peer_exporter_storm(round->buffer, false);
	return ret ? ret : stopped;
}

static int run_rounds(void *argument)
{
	struct round *round = argument;
	int ret = 0;

	for (int i = 0; !ret && i < ROUNDS && !atomic_load(&round->stop); i++)
		ret = register_and_deregister(round);
	return ret;
}

/* Of two that wait for each other one may listen to a signal. */
static int end_rounds(struct round *round, struct thread *thread)
{
	atomic_store(&round->stop, true);
	if (!atomic_load(&thread->done))
		thread_interrupt(thread);
	return thread_join(thread, SETTLE_MS, NULL);
}

static uint32_t done(const struct peer_exporter_stat *stat, enum peer_call call)
{
	return stat->calls[call] - stat->failures[call];
}

CLAUSE_TEST(deregistration_may_meet_a_notice,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS, IMPORTER_NOTIFIED),
	    NIC_06_a, NIC_06_b)
{
	struct round round = { self->importer, &self->buffer, false };
	struct peer_exporter_stat stat;
	struct thread thread;

	needs_no_decline();
	must(thread_start(&thread, run_rounds, &round));
	check(NIC_06_a, comes_true(DEADLOCK_MS, thread.done));
	must(end_rounds(&round, &thread));
	check_equal(NIC_06_a, 0, thread.result);
	stat = exporter_saw(&self->buffer);
	check_equal(NIC_06_b, done(&stat, PEER_CALL_ATTACH),
		    done(&stat, PEER_CALL_DETACH));
	check_equal(NIC_06_b, done(&stat, PEER_CALL_MAP),
		    done(&stat, PEER_CALL_UNMAP));
	check_equal(NIC_06_b, done(&stat, PEER_CALL_PIN),
		    done(&stat, PEER_CALL_UNPIN));
	check_equal(NIC_06_b, 0, stat.order_wrong);
}

CLAUSE_TEST_MAIN("umem_key")
