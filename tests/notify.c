// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notices of moves: who gets them, when, and what holds before and after.
 * Exporters are judged through the peer importer, the core through both peers.
 * Clauses: INV-01, INV-06 to INV-08, INV-10, INV-12, MAP-04 to MAP-06, LOCK-03.
 * What an importer owes after a notice (INV-02 to INV-05) is in reaction.c.
 */
#include "oracle/thread.h"
#include "pair/clause_test.h"
#include "pair/decline.h"
#include "peer/observe.h"

#define SEED		0x51ab
#define FENCE_MS	5000
#define REMAPS		50
#define STAYS_MS	30
#define RETURNS_MS	10000

static const struct attach_options keep_mapping = {
	.reaction = PEER_REACT_NEVER,
};

/* Every kind of move, to every place that this importer can reach. */
static const struct {
	const char *name;
	enum peer_placement from;
	enum peer_placement to;
	unsigned int flags;
	unsigned int fence_ms;
} moves[] = {
	{ "plain", PEER_PLACE_SYSTEM, PEER_PLACE_OTHER, 0, 0 },
	{ "back", PEER_PLACE_OTHER, PEER_PLACE_SYSTEM, 0, 0 },
	{ "eviction", PEER_PLACE_OTHER, PEER_PLACE_SYSTEM, PEER_MOVE_EVICT, 0 },
	{ "pipelined", PEER_PLACE_SYSTEM, PEER_PLACE_OTHER,
	  PEER_MOVE_SLOW_FENCE, 10 },
};

/*
 * A mapping that is alive while the storage moves, or only an attachment
 * where mappings pin.
 */
static int map_if_it_may_move(struct attachment *attachment,
			      struct mapping *mapping)
{
	memset(mapping, 0, sizeof(*mapping));
	if (law_value(LAW_MOVES_WHILE_MAPPED) != YES)
		return 0;
	return peer_map(attachment, PEER_BIDIRECTIONAL, mapping);
}

/* Each move is announced once, whatever the reason and wherever it goes. */
CLAUSE_TEST(every_kind_of_move_is_announced,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    INV_01_c)
{
	struct attachment attachment;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	for (size_t i = 0; i < ARRAY_SIZE(moves); i++) {
		uint32_t before;

		must(peer_exporter_move(&self->buffer, moves[i].from, 0, 0));
		before = importer_saw(&attachment).notifies;
		must(peer_exporter_move(&self->buffer, moves[i].to,
					moves[i].flags, moves[i].fence_ms));
		check_saying(INV_01_c,
			     importer_saw(&attachment).notifies == before + 1,
			     "%s move: %u notices", moves[i].name,
			     importer_saw(&attachment).notifies - before);
	}
	must(peer_detach(&attachment));
}

/* Several attachments: each gets its notice, not just the first or the last. */
CLAUSE_TEST(every_attachment_is_told,
	    NEEDS(EXPORTER_MOVES, IMPORTER_PEER, IMPORTER_NOTIFIED),
	    INV_01_a, INV_10_a)
{
	struct attachment attachments[3];

	for (size_t i = 0; i < ARRAY_SIZE(attachments); i++)
		must_unless_declined(peer_attach(self->importer, self->buffer.fd,
						 NULL, &attachments[i]));
	needs_way_out();
	must(exporter_move(&self->buffer, PLACE_OTHER));
	for (size_t i = 0; i < ARRAY_SIZE(attachments); i++) {
		check_equal(INV_01_a, 1, importer_saw(&attachments[i]).notifies);
		check_equal(INV_10_a, 1, importer_saw(&attachments[i]).notifies);
	}
	for (size_t i = 0; i < ARRAY_SIZE(attachments); i++)
		must(peer_detach(&attachments[i]));
}

/* An attachment without a callback is passed over; the others are told. */
CLAUSE_TEST(silent_attachments_are_passed_over,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_PEER,
		  IMPORTER_ATTACHES, IMPORTER_SILENT),
	    INV_10_b, INV_10_a)
{
	struct attachment silent, notified;
	struct importer other;

	must(importer_open("peer:notify", &other));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &silent));
	must_unless_declined(peer_attach(&other, self->buffer.fd,
					 NULL, &notified));

	check_ok(INV_10_b, exporter_move(&self->buffer, PLACE_OTHER));
	check_equal(INV_10_b, 0, importer_saw(&silent).notifies);
	check_equal(INV_10_a, 1, importer_saw(&notified).notifies);

	must(peer_detach(&notified));
	must(peer_detach(&silent));
	importer_close(&other);
}

/* The notice comes first, under one hold of the lock, then the move. */
CLAUSE_TEST(notice_comes_before_the_move,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    INV_01_b, LOCK_03)
{
	struct attachment attachment;
	static struct event_log log;
	int notified, moved;
	uint32_t left;

	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	left = exporter_saw(&self->buffer).placement;
	exporter_log(&self->buffer, &log);
	must(exporter_move(&self->buffer, PLACE_OTHER));

	exporter_log(&self->buffer, &log);
	notified = event_find(&log, PEER_CALL_NOTIFY, 0);
	moved = event_find(&log, PEER_CALL_MOVE_END, 0);
	check_saying(INV_01_b, notified >= 0 && notified < moved,
		     "notify is event %d, the end of the move event %d",
		     notified, moved);
	must_be(notified >= 0);
	check_equal(INV_01_b, left, log.events[notified].placement);
	check_equal(LOCK_03, 0, importer_saw(&attachment).notifies_unlocked);
	must(peer_detach(&attachment));
}

/*
 * The old mapping stays valid for the bus until its unmap: a device may still
 * read there, which may show old bytes but must not fault. Unmapping it after
 * the move undoes what was mapped, not what is current.
 */
CLAUSE_TEST(mapping_outlives_the_move,
	    NEEDS(EXPORTER_MOVES, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    MAP_05, MAP_06, MAP_04_c)
{
	struct attachment attachment;
	struct mapping old, new;
	uint8_t page[4096];
	int moved;

	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 &keep_mapping, &attachment));
	must_unless_declined(peer_map(&attachment, PEER_BIDIRECTIONAL, &old));
	needs_way_out();
	moved = exporter_move(&self->buffer, PLACE_OTHER);
	observe(MAP_04_c, "move while mapped: %s", errno_text(moved));
	must_be(moved == 0 || moved == -EBUSY);

	check_ok(MAP_05, peer_read(&old, PEER_ENGINE_TRANSLATE, 0, page,
				   sizeof(page)));
	check_equal(MAP_05, 0, importer_saw(&attachment).dma_faults);
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &new));
	check_ok(MAP_06, peer_unmap(&old));
	check_ok(MAP_06, device_sees(&new, SEED));
	check_ok(MAP_06, peer_unmap(&new));
	must(peer_detach(&attachment));
}

/* The exporter knows the table again, and takes it off its books. */
CLAUSE_TEST(unmap_after_the_move_counts,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    MAP_06)
{
	struct attachment attachment;
	struct mapping old, new;

	needs_law(LAW_MOVES_WHILE_MAPPED, YES);
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 &keep_mapping, &attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &old));
	must(exporter_move(&self->buffer, PLACE_OTHER));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &new));
	must(peer_unmap(&old));
	check_equal(MAP_06, 1, exporter_saw(&self->buffer).maps);
	must(peer_unmap(&new));
	check_equal(MAP_06, 0, exporter_saw(&self->buffer).maps);
	check_equal(MAP_06, 0, exporter_saw(&self->buffer).tables_changed);
	must(peer_detach(&attachment));
}

/* Without a callback the storage stays as long as it is mapped and pinned. */
CLAUSE_TEST(storage_stays_for_importers_without_notice,
	    NEEDS(EXPORTER_MOVES, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_STATIC),
	    MAP_04_b)
{
	struct attachment attachment;
	struct mapping mapping;

	needs_moves_at_will();
	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must_unless_declined(peer_map(&attachment, PEER_BIDIRECTIONAL,
				      &mapping));
	check_fails(MAP_04_b, exporter_move(&self->buffer, PLACE_OTHER));
	check_ok(MAP_04_b, device_sees(&mapping, SEED));
	must(peer_unmap(&mapping));
	must(peer_detach(&attachment));
}

/* Every map after a move gives the new place, wherever the old one was. */
CLAUSE_TEST(map_after_move_gives_new_place,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    INV_08)
{
	struct attachment attachment;
	struct mapping mapping;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	for (unsigned int i = 0; i < ARRAY_SIZE(moves); i++) {
		must(peer_exporter_move(&self->buffer, moves[i].from, 0, 0));
		must(pattern_write(SEED + i, &self->buffer));
		must(map_if_it_may_move(&attachment, &mapping));
		must(peer_exporter_move(&self->buffer, moves[i].to,
					moves[i].flags, moves[i].fence_ms));

		must_unless_declined(peer_map(&attachment, PEER_BIDIRECTIONAL,
					      &mapping));
		check_ok(INV_08, device_sees(&mapping, SEED + i));
		check_ok(INV_08, device_writes(&mapping, SEED + i + 1));
		/* Where a mapping pins, the map may have moved it once more. */
		check_ok(INV_08, place_holds(&self->buffer,
				exporter_saw(&self->buffer).placement,
				SEED + i + 1));
		must(peer_unmap(&mapping));
	}
	must(peer_detach(&attachment));
}

/* A mapping in the way refuses the move where mappings pin. */
static int move_to_and_fro(void *buffer)
{
	int error = 0;

	for (int i = 0; i < REMAPS && (!error || error == -EBUSY); i++)
		error = exporter_move(buffer, i & 1 ? PLACE_SYSTEM :
						      PLACE_OTHER);
	return error == -EBUSY ? 0 : error;
}

/*
 * Maps racing moves: each is served or fails cleanly, and what it gives is
 * the place of that moment, never a torn table.
 */
CLAUSE_TEST(remap_races_moves,
	    NEEDS(EXPORTER_MOVES, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    INV_07_a)
{
	struct attachment attachment;
	struct mapping mapping;
	struct thread mover;
	int error;

	needs_moves_at_will();
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 &keep_mapping, &attachment));
	needs_no_decline();
	must(thread_start(&mover, move_to_and_fro, &self->buffer));
	for (int i = 0; i < REMAPS; i++) {
		error = peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping);
		check_saying(INV_07_a, !error || error == -EBUSY ||
			     error == -EAGAIN, "map %d: %s", i,
			     errno_text(error));
		if (error)
			continue;
		check_equal(INV_07_a, PAIR_BUFFER_SIZE, mapping.length);
		check_ok(INV_07_a, peer_unmap(&mapping));
	}
	must(thread_join(&mover, RETURNS_MS, &error));
	must(error);
	check_equal(INV_07_a, 0, importer_saw(&attachment).maps);
	must(peer_detach(&attachment));
}

/*
 * Old storage is not reused while a fence may cover an access to it: the move
 * is not done, and the content still there, until the fence has signalled.
 */
static const struct {
	enum peer_usage usage;
	const char *name;
} covering[] = {
	{ PEER_USAGE_KERNEL, "KERNEL" },
	{ PEER_USAGE_WRITE, "WRITE" },
	{ PEER_USAGE_READ, "READ" },
	{ PEER_USAGE_BOOKKEEP, "BOOKKEEP" },
};

static int move_once(void *buffer)
{
	return exporter_move(buffer, PLACE_OTHER);
}

/* Whether the move waited, with everything in place, until the fence signalled. */
static int move_waits_for(struct attachment *attachment, struct buffer *buffer,
			  enum peer_usage usage, bool *waited)
{
	int fence = peer_importer_fence(attachment, usage, FENCE_MS);
	int signalled, error, result;
	struct thread move;

	if (fence < 0)
		return fence;
	error = thread_start(&move, move_once, buffer);
	if (error)
		return error;
	*waited = thread_waits(&move, STAYS_MS) &&
		  place_of(buffer) == PLACE_SYSTEM &&
		  !place_holds(buffer, PEER_PLACE_SYSTEM, SEED);
	signalled = peer_importer_signal(attachment, fence);
	error = thread_join(&move, RETURNS_MS, &result);
	return signalled ?: error ?: result;
}

CLAUSE_TEST(old_storage_waits_for_fences,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    INV_06_a, INV_06_b)
{
	struct attachment attachment;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	for (size_t i = 0; i < ARRAY_SIZE(covering); i++) {
		bool waited = false;

		must(exporter_move(&self->buffer, PLACE_SYSTEM));
		must(pattern_write(SEED, &self->buffer));
		must(move_waits_for(&attachment, &self->buffer,
				    covering[i].usage, &waited));
		if (covering[i].usage == PEER_USAGE_BOOKKEEP)
			observe(INV_06_b, "%s", waited ?
				"waits for BOOKKEEP fences" :
				"does not wait for BOOKKEEP fences");
		else
			check_saying(INV_06_a, waited, "%s fence",
				     covering[i].name);
	}
	must(peer_detach(&attachment));
}

/* A revoke that needs all access stopped returns after the last unmap. */
CLAUSE_TEST(revoke_waits_for_the_unmap,
	    NEEDS(EXPORTER_PEER, EXPORTER_REVOKES, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    INV_06_c)
{
	const struct attach_options late = {
		.reaction = PEER_REACT_LATE, .late_ms = 300,
	};
	struct attachment attachment;
	struct mapping mapping;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 &late, &attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	must(exporter_revoke(&self->buffer));
	check_equal(INV_06_c, 0, exporter_saw(&self->buffer).maps);
	must(peer_detach(&attachment));
}

/* Where a notice to a pinned importer means nothing, there is none. */
CLAUSE_TEST(pinned_importers_hear_nothing,
	    NEEDS(EXPORTER_MOVES, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    INV_12_a)
{
	struct attachment attachment;

	needs_moves_at_will();
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must_unless_declined(peer_pin(&attachment));
	exporter_move(&self->buffer, PLACE_OTHER);
	check_equal(INV_12_a, 0, importer_saw(&attachment).notifies_pinned);
	must(peer_unpin(&attachment));
	must(peer_detach(&attachment));
}

CLAUSE_TEST_MAIN("notify")
