// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an importer does when the exporter tells it something: a notice of a
 * move, one that means nothing, one that comes while pinned. Any importer is
 * judged, by the peer exporter; for what it waits is in fence.c.
 * Clauses: INV-02 to INV-05, INV-07.b, INV-09, INV-11, INV-12.b and .c.
 */
#include <time.h>

#include "oracle/thread.h"
#include "pair/clause_test.h"
#include "pair/notice.h"
#include "peer/life.h"

#define SEED		0x2f0b
#define PAGE		((size_t)4096)
#define MOVES		16
#define NOTICES		10
#define TRIES		5
#define FENCE_MS	5000	/* a fence that the test signals itself */
#define SETTLE_MS	10000
#define STAYS_MS	300	/* what is mapped for so long after a notice stays */

/* The suite's bound for an unmap: the contract names none. */
#define UNMAP_BOUND_MS	10000

static enum peer_placement other_place(enum peer_placement place)
{
	return place == PEER_PLACE_SYSTEM ? PEER_PLACE_OTHER : PEER_PLACE_SYSTEM;
}

/* Moves to the other of two places; the one that was left goes to @left. */
static int move_away(struct buffer *buffer, enum peer_placement *left)
{
	*left = exporter_saw(buffer).placement;
	return peer_exporter_move(buffer, other_place(*left), 0, 0);
}

/* Writes after a move reach the new place, and leave the old one alone. */
CLAUSE_TEST(writes_follow_the_move,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS, IMPORTER_MOVES_BYTES),
	    INV_02_a, INV_02_b)
{
	enum peer_placement left;
	struct import import;
	uint32_t maps;

	needs_moves_while_imported();
	must_import(IMPORT_BOTH, &import);
	must(pattern_send(SEED, &import));
	must(move_away(&self->buffer, &left));
	maps = exporter_saw(&self->buffer).calls[PEER_CALL_MAP];

	check_ok(INV_02_b, pattern_send(SEED + 1, &import));
	check(INV_02_b, exporter_saw(&self->buffer).calls[PEER_CALL_MAP] > maps);
	check_ok(INV_02_b, pattern_verify(SEED + 1, &self->buffer));
	check_ok(INV_02_a, place_is_poisoned(&self->buffer, left));
	must(importer_release(&import));
}

/* What it read before, and what is in the old place, reaches nobody. */
CLAUSE_TEST(reads_follow_the_move,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS, IMPORTER_MOVES_BYTES),
	    INV_05_b, INV_02_b)
{
	enum peer_placement left;
	struct import import;

	needs_moves_while_imported();
	must(pattern_write(SEED, &self->buffer));
	must_import(IMPORT_BOTH, &import);
	must(pattern_receive(SEED, &import));
	must(move_away(&self->buffer, &left));
	check_ok(INV_02_b, pattern_receive(SEED, &import));

	must(move_away(&self->buffer, &left));
	must(pattern_write(SEED + 1, &self->buffer));
	check_ok(INV_05_b, pattern_receive(SEED + 1, &import));
	must(importer_release(&import));
}

/* A device that writes without pause, except where it is told to. */
struct writer {
	struct import *import;
	atomic_bool pause;
	atomic_bool paused;
	atomic_bool stop;
	atomic_int rounds;
};

static int write_on_and_on(void *argument)
{
	struct writer *writer = argument;
	int error = 0;

	while (!writer->stop && !error) {
		writer->paused = writer->pause;
		if (writer->paused) {
			usleep(AWAIT_STEP_US);
			continue;
		}
		error = pattern_send(SEED, writer->import);
		writer->rounds++;
	}
	writer->paused = true;
	return error;
}

/* Lets the device write some more. */
static bool writes_more(struct writer *writer)
{
	int before = writer->rounds;

	return comes_true(SETTLE_MS, writer->rounds > before + 1);
}

/*
 * The exporter waits for the fences before it leaves a place. What the write
 * that was under way then does to it later was neither stopped nor covered;
 * what those after it do goes through an old mapping.
 */
CLAUSE_TEST(old_place_is_left_alone,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS, IMPORTER_MOVES_BYTES),
	    INV_03, INV_05_a)
{
	struct thread thread;
	struct import import;
	struct writer writer = { .import = &import };
	enum peer_placement left;
	int error;

	needs_moves_while_imported();
	must_import(IMPORT_BOTH, &import);
	must(thread_start(&thread, write_on_and_on, &writer));
	for (int i = 0; i < MOVES; i++) {
		must_be(writes_more(&writer));
		writer.pause = true;
		must(move_away(&self->buffer, &left));
		must_be(comes_true(SETTLE_MS, writer.paused));
		check_ok(INV_03, place_is_poisoned(&self->buffer, left));
		writer.pause = false;
		must_be(writes_more(&writer));
		check_ok(INV_05_a, place_is_poisoned(&self->buffer, left));
	}
	writer.stop = true;
	must(thread_join(&thread, SETTLE_MS, &error));
	must(error);
	must(importer_release(&import));
}

/* A write that takes its time, and when it was over. */
struct slow_write {
	struct import *import;
	uint32_t seed;
	uint64_t ended_ns;
};

/* The clock of the exporter's log. */
static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

static int write_slowly(void *argument)
{
	static unsigned char content[PAIR_BUFFER_SIZE];
	struct slow_write *write = argument;
	int error;

	pattern_fill(write->seed, 0, content, sizeof(content));
	error = importer_write_slowly(write->import, 0, content,
				      sizeof(content));
	write->ended_ns = clock_ns();
	return error;
}

/* Whether the write has come to the place where the storage is. */
static bool write_has_begun(const struct slow_write *write,
			    struct buffer *buffer)
{
	unsigned char page[PAGE];

	return !exporter_read(buffer, 0, page, sizeof(page)) &&
	       pattern_mismatch(write->seed, 0, page, sizeof(page)) < 0;
}

/* Whether the last notice came before the write was over. */
static bool notice_met(const struct slow_write *write, struct buffer *buffer)
{
	static struct event_log log;
	int notice;

	exporter_log(buffer, &log);
	notice = event_last(&log, PEER_CALL_NOTIFY);
	return notice >= 0 && log.events[notice].time_ns < write->ended_ns;
}

/*
 * A write that has hardly begun when the notice comes: it ends there, or the
 * exporter waits for it, or it is dropped on its way. Only not in a place that
 * was left meanwhile. On a busy machine the notice may be late, and then says
 * nothing.
 */
CLAUSE_TEST_TIMEOUT(write_under_way_is_stopped_or_covered, 60,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS, IMPORTER_MOVES_BYTES, IMPORTER_SLOW),
	    INV_03)
{
	struct import import;
	struct slow_write write = { .import = &import, .seed = SEED };
	enum peer_placement left;
	struct thread thread;

	needs_moves_while_imported();
	must_import(IMPORT_BOTH, &import);
	do {
		must_be(write.seed++ < SEED + TRIES);
		must(thread_start(&thread, write_slowly, &write));
		must_be(comes_true(SETTLE_MS,
				   write_has_begun(&write, &self->buffer)));
		must(move_away(&self->buffer, &left));
		must(thread_join(&thread, SETTLE_MS, NULL));
	} while (!notice_met(&write, &self->buffer));
	check_ok(INV_03, place_is_poisoned(&self->buffer, left));
	must(importer_release(&import));
}

/* Between the last fence and the unmap a device has nothing left to write. */
CLAUSE_TEST(old_mapping_is_at_rest,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_PEER,
		  IMPORTER_NOTIFIED, IMPORTER_MAPS),
	    INV_05_a)
{
	const struct attach_options keeping = { .reaction = PEER_REACT_NEVER };
	struct attachment attachment;
	enum peer_placement left;
	struct mapping mapping;
	int fence;

	needs_law(LAW_MOVES_WHILE_MAPPED, YES);
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 &keeping, &attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	fence = peer_importer_fence(&attachment, PEER_USAGE_WRITE, FENCE_MS);
	must(fence);
	must(device_writes(&mapping, SEED));
	must(peer_importer_signal(&attachment, fence));
	must(move_away(&self->buffer, &left));
	must(peer_unmap(&mapping));
	check_ok(INV_05_a, place_is_poisoned(&self->buffer, left));
	must(peer_detach(&attachment));
}

/* Mappings that were alive at a notice have been given back. */
static bool unmapped_since(struct buffer *buffer,
			   const struct peer_exporter_stat *before)
{
	return exporter_saw(buffer).calls[PEER_CALL_UNMAP] -
	       before->calls[PEER_CALL_UNMAP] >= before->maps;
}

/* A notice makes it unmap, in time. */
CLAUSE_TEST_TIMEOUT(notice_is_answered_by_unmap, 30,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS),
	    INV_04_a, INV_04_b)
{
	static struct event_log log;
	struct peer_exporter_stat before;
	struct import import;
	int notice, unmap;

	needs_heed();
	must_import(IMPORT_BOTH, &import);
	before = exporter_saw(&self->buffer);
	if (!before.maps) {
		must(importer_release(&import));
		skip_case("this importer has nothing mapped after its import");
	}
	exporter_log(&self->buffer, &log);
	must(peer_exporter_notify(&self->buffer, 1));
	check(INV_04_a, comes_true(UNMAP_BOUND_MS,
				   unmapped_since(&self->buffer, &before)));

	exporter_log(&self->buffer, &log);
	notice = event_find(&log, PEER_CALL_NOTIFY, 0);
	unmap = event_find(&log, PEER_CALL_UNMAP, 0);
	must_be(notice >= 0);
	if (unmap < 0)
		observe(INV_04_b, "does not unmap");
	else if (log.events[unmap].task == log.events[notice].task)
		observe(INV_04_b, "unmaps in the callback");
	else
		observe(INV_04_b, "unmaps after the callback");
	must(importer_release(&import));
}

/* Nothing the exporter counts went wrong, and the import ends as ever. */
static int ends_well(struct import *import, struct buffer *buffer)
{
	int error = importer_release(import);
	struct peer_exporter_stat stat;

	if (error)
		return error;
	if (!everyone_detached(buffer))
		return -ETIMEDOUT;
	stat = exporter_saw(buffer);
	return stat.order_wrong || stat.tables_changed ? -EPROTO : 0;
}

/* Notices with nothing mapped. */
CLAUSE_TEST(notice_without_mapping_does_nothing,
	    NEEDS(EXPORTER_PEER, IMPORTER_NOTIFIED),
	    INV_09_a)
{
	struct peer_exporter_stat idle;
	struct import import;

	needs_heed();
	must_import(IMPORT_BOTH, &import);
	must(peer_exporter_notify(&self->buffer, 1));
	if (!comes_true(STAYS_MS, exporter_saw(&self->buffer).maps == 0)) {
		must(importer_release(&import));
		skip_case("something stays mapped");
	}
	idle = exporter_saw(&self->buffer);
	must(peer_exporter_notify(&self->buffer, 1));
	check_equal(INV_09_a, idle.calls[PEER_CALL_UNMAP],
		    exporter_saw(&self->buffer).calls[PEER_CALL_UNMAP]);
	check_ok(INV_09_a, ends_well(&import, &self->buffer));
}

/* Several notices in a row, the first of which found a mapping. */
CLAUSE_TEST(repeated_notices_do_nothing,
	    NEEDS(EXPORTER_PEER, IMPORTER_NOTIFIED),
	    INV_09_b)
{
	struct import import;

	must_import(IMPORT_BOTH, &import);
	must(peer_exporter_notify(&self->buffer, NOTICES));
	check_ok(INV_09_b, ends_well(&import, &self->buffer));
}

/* Maps anew at once, when it needs it, or never. */
CLAUSE_TEST(new_mapping_after_notice_is_told,
	    NEEDS(EXPORTER_PEER, IMPORTER_NOTIFIED, IMPORTER_MAPS),
	    INV_07_b)
{
	struct import import;
	uint32_t maps;
	int error;

	must_import(IMPORT_BOTH, &import);
	maps = exporter_saw(&self->buffer).calls[PEER_CALL_MAP];
	must(peer_exporter_notify(&self->buffer, 1));
	if (exporter_saw(&self->buffer).calls[PEER_CALL_MAP] > maps) {
		observe(INV_07_b, "maps again by itself");
	} else {
		error = pattern_receive(SEED, &import);
		observe(INV_07_b, "%s", exporter_saw(&self->buffer)
			.calls[PEER_CALL_MAP] > maps ? "maps again when used" :
			error == -EOPNOTSUPP ? "does not map again by itself" :
			"does not map again");
	}
	must(importer_release(&import));
}

/* The callback returns with a fence unsignalled that could wait for it. */
CLAUSE_TEST(callback_waits_for_no_fence,
	    NEEDS(EXPORTER_PEER, IMPORTER_NOTIFIED),
	    INV_11)
{
	struct import import;
	int fence;

	must_import(IMPORT_BOTH, &import);
	fence = peer_exporter_fence(&self->buffer, PEER_USAGE_KERNEL,
				    FENCE_MS);
	must(fence);
	must(peer_exporter_notify(&self->buffer, 1));
	check_equal(INV_11, 1, exporter_saw(&self->buffer).fences_pending);
	must(peer_exporter_signal(&self->buffer, fence));
	check_equal(INV_11, 0, exporter_saw(&self->buffer).context_wrong);
	must(importer_release(&import));
}

static const char *answer_of(const struct peer_exporter_stat *after)
{
	if (after->maps)
		return after->pins ? "keeps mapping and pin" :
				     "unpins and keeps its mapping";
	return after->pins ? "unmaps and keeps its pin" : "unmaps and unpins";
}

/* A notice to a pinned importer takes its access away. */
CLAUSE_TEST_TIMEOUT(pinned_importer_gives_up_access, 30,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS),
	    INV_12_b, INV_12_c)
{
	bool revoked = law_is(LAW_PINNED_NOTIFY_REVOKES);
	static struct event_log log;
	struct peer_exporter_stat after;
	struct import import;

	must_import(IMPORT_BOTH | IMPORT_PIN, &import);
	exporter_log(&self->buffer, &log);
	if (event_count_with(&log, PEER_CALL_PIN, PEER_EVENT_IMPLICIT, 0) <=
	    event_count_with(&log, PEER_CALL_UNPIN, PEER_EVENT_IMPLICIT, 0)) {
		must(importer_release(&import));
		skip_case("this importer is not pinned");
	}
	must(peer_exporter_notify(&self->buffer, 1));
	check(INV_12_b, comes_true(revoked ? UNMAP_BOUND_MS : 0,
				   exporter_saw(&self->buffer).maps == 0));
	after = exporter_saw(&self->buffer);
	observe(INV_12_c, "%s", answer_of(&after));
	must(importer_release(&import));
}

CLAUSE_TEST_MAIN("reaction")
