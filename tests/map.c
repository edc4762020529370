// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings: every direction, several at once, kept by the core or not, ready
 * for use when map returns. Exporters are judged through the peer importer,
 * the core through both peers, importers through the peer exporter. Clauses:
 * MAP-02, MAP-04.a, MAP-04.b, MAP-08, MAP-10, MAP-11. Mappings that storage
 * leaves behind are in notify.c, what an importer owes its mappings in
 * importer.c, maps that fail in errors.c.
 */
#include "oracle/thread.h"
#include "pair/clause_test.h"
#include "pair/decline.h"
#include "peer/hold.h"
#include "peer/observe.h"

#define SEED		0x3a9
#define PAGE		4096
#define FENCE_MS	5000
#define COPY_MS		50
#define LONG_COPY_MS	300	/* nothing else takes so long */
#define STAYS_MS	30
#define ENDS_MS		15000	/* however long it takes */
#define RETURNS_MS	4000	/* before a fence expires */

#define must_hold(direction_, hold_) \
	must_unless_declined(hold_take(self->importer, self->buffer.fd, NULL, \
				       direction_, hold_))

static bool has(const struct pair *pair, enum capability capability)
{
	return pair_capabilities(pair) & CAP(capability);
}

/* ---- directions ------------------------------------------------------ */

static const struct {
	enum peer_direction direction;
	enum clause_id clause;
	bool device_reads;
	bool device_writes;
} directions[] = {
	{ PEER_TO_DEVICE, MAP_02_a, true, false },
	{ PEER_FROM_DEVICE, MAP_02_b, false, true },
	{ PEER_BIDIRECTIONAL, MAP_02_c, true, true },
};

/* A map in each direction succeeds, and bytes go where it says. */
CLAUSE_TEST(every_direction_maps,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_PEER, IMPORTER_MAPS),
	    MAP_02_a, MAP_02_b, MAP_02_c)
{
	for (size_t i = 0; i < ARRAY_SIZE(directions); i++) {
		enum clause_id clause = directions[i].clause;
		struct hold hold;
		int error;

		must(pattern_write(SEED + i, &self->buffer));
		error = hold_take(self->importer, self->buffer.fd, NULL,
				  directions[i].direction, &hold);
		skip_if_declined(error);
		check_ok(clause, error);
		if (error)
			continue;
		if (directions[i].device_reads)
			check_ok(clause, device_sees(&hold.mapping, SEED + i));
		if (directions[i].device_writes)
			check_ok(clause, device_writes(&hold.mapping, ~SEED));
		check_ok(clause, hold_drop(&hold));
		if (directions[i].device_writes)
			check_ok(clause, pattern_verify(~SEED, &self->buffer));
	}
}

/* The importer maps what it attached before, and where it may sleep. */
CLAUSE_TEST(map_follows_attach,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS), MAP_02_d)
{
	static struct event_log log;
	struct import import;
	int attached, mapped;

	must_import(IMPORT_BOTH, &import);
	must(importer_release(&import));
	exporter_log(&self->buffer, &log);
	attached = event_find(&log, PEER_CALL_ATTACH, 0);
	mapped = event_find(&log, PEER_CALL_MAP, 0);
	check_saying(MAP_02_d, attached >= 0 && attached < mapped,
		     "attach is event %d, map event %d", attached, mapped);
	check_equal(MAP_02_d, 0, exporter_saw(&self->buffer).context_wrong);
}

/* ---- a mapping and the place of the storage -------------------------- */

/* The importer lets go of what moved, and from then on uses the new place. */
CLAUSE_TEST(importer_follows_the_move,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    MAP_04_a)
{
	struct hold hold;

	needs_law(LAW_MOVES_WHILE_MAPPED, YES);
	must(pattern_write(SEED, &self->buffer));
	must_hold(PEER_BIDIRECTIONAL, &hold);
	must(exporter_move(&self->buffer, PLACE_OTHER));
	check_equal(MAP_04_a, 1, importer_saw(&hold.attachment).mapping_gone);

	must(peer_map(&hold.attachment, PEER_BIDIRECTIONAL, &hold.mapping));
	check_ok(MAP_04_a, device_sees(&hold.mapping, SEED));
	check_ok(MAP_04_a, device_writes(&hold.mapping, ~SEED));
	check_ok(MAP_04_a, place_holds(&self->buffer, PEER_PLACE_OTHER, ~SEED));
	check_ok(MAP_04_a, place_is_poisoned(&self->buffer, PEER_PLACE_SYSTEM));
	must(hold_drop(&hold));
}

/* Nobody would tell this importer of a move, so there is none. */
CLAUSE_TEST(mapped_storage_stays,
	    NEEDS(EXPORTER_MOVES, IMPORTER_MAPS) | EACH_PAIR, MAP_04_b)
{
	struct import import;
	enum placement before;

	needs_moves_at_will();
	if (has(&self->pair, IMPORTER_NOTIFIED) &&
	    !has(&self->pair, IMPORTER_PINNED) &&
	    law_value(LAW_MOVES_WHILE_MAPPED) != NO)
		skip_case("the importer is told of moves");
	must(pattern_write(SEED, &self->buffer));
	must_import(IMPORT_BOTH, &import);
	before = place_of(&self->buffer);

	check_fails(MAP_04_b, exporter_move(&self->buffer, PLACE_OTHER));
	check_equal(MAP_04_b, before, place_of(&self->buffer));
	if (has(&self->pair, IMPORTER_MOVES_BYTES))
		check_ok(MAP_04_b, pattern_receive(SEED, &import));
	must(importer_release(&import));
}

/* ---- one mapping or two --------------------------------------------- */

/* Exactly one side is dynamic: then some kernels map at attach and keep that. */
static bool is_one_sided(const struct pair *pair)
{
	return has(pair, IMPORTER_STATIC) ==
	       exporter_is_dynamic(&pair->exporter);
}

/*
 * The core keeps its mapping, which is for both directions: every map gets
 * it, in whatever direction, and the exporter hears of none.
 */
CLAUSE_TEST(kept_mapping_serves_every_map,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_MAPS),
	    MAP_08_a, MAP_08_b)
{
	struct mapping mappings[ARRAY_SIZE(directions)];
	struct attachment attachment;

	needs_law(LAW_MAPS_AT_ATTACH, YES);
	if (!is_one_sided(&self->pair))
		skip_case("both sides are of one kind: nothing is kept");
	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	for (size_t i = 0; i < ARRAY_SIZE(directions); i++) {
		check_ok(MAP_08_a, peer_map(&attachment,
					    directions[i].direction,
					    &mappings[i]));
		if (i)
			check(MAP_08_b, mappings[i].same_as);
	}
	check_equal(MAP_08_b, 1, exporter_saw(&self->buffer).calls[PEER_CALL_MAP]);
	for (size_t i = 0; i < ARRAY_SIZE(directions); i++)
		must(peer_unmap(&mappings[i]));
	check_equal(MAP_08_b, 1, exporter_saw(&self->buffer).maps);
	must(peer_detach(&attachment));
	check_equal(MAP_08_b, 0, exporter_saw(&self->buffer).maps);
}

/* Drivers that ask a core that keeps mappings to keep theirs as well. */
static const char *const keeping_drivers[] = { "vgem", "virtio_gpu" };

static bool asks_to_keep(const struct exporter *exporter)
{
	for (size_t i = 0; i < ARRAY_SIZE(keeping_drivers); i++)
		if (!strcmp(exporter->backend.driver, keeping_drivers[i]))
			return true;
	return false;
}

/* What is kept for one direction is no good for the other. */
CLAUSE_TEST(kept_mapping_has_its_direction,
	    NEEDS(EXPORTER_DRM, EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_STATIC),
	    MAP_08_a, MAP_08_b)
{
	struct attachment attachment;
	struct mapping first, again, other;

	needs_law(LAW_CACHED_SGT, YES);
	if (!asks_to_keep(self->exporter))
		skip_case("not known to have the core keep mappings");
	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	must(peer_map(&attachment, PEER_FROM_DEVICE, &first));
	check_ok(MAP_08_b, peer_map(&attachment, PEER_FROM_DEVICE, &again));
	check(MAP_08_b, again.same_as);
	check_errno(MAP_08_a, EBUSY,
		    peer_map(&attachment, PEER_TO_DEVICE, &other));
	must(peer_unmap(&again));
	must(peer_unmap(&first));
	must(peer_detach(&attachment));
}

/* Nothing is kept: the exporter hears of each map, and of each unmap. */
CLAUSE_TEST(every_map_reaches_the_exporter,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_MAPS),
	    MAP_08_c)
{
	static struct event_log log;
	struct hold hold;
	struct mapping second;
	int map, unmap;

	needs_law(LAW_MAPS_AT_ATTACH, NO);
	must_hold(PEER_TO_DEVICE, &hold);
	must(peer_map(&hold.attachment, PEER_FROM_DEVICE, &second));
	must(peer_unmap(&second));
	must(hold_drop(&hold));

	exporter_log(&self->buffer, &log);
	check_equal(MAP_08_c, 2, event_count(&log, PEER_CALL_MAP));
	check_equal(MAP_08_c, 2, event_count(&log, PEER_CALL_UNMAP));
	map = event_find(&log, PEER_CALL_MAP, 0);
	unmap = event_find(&log, PEER_CALL_UNMAP, 0);
	must_be(map >= 0 && unmap >= 0);
	check_equal(MAP_08_c, PEER_TO_DEVICE, log.events[map].direction);
	check_equal(MAP_08_c, PEER_FROM_DEVICE, log.events[unmap].direction);
	map = event_find(&log, PEER_CALL_MAP, map + 1);
	check(MAP_08_c, map > 0 &&
	      log.events[map].direction == PEER_FROM_DEVICE);
}

/* ---- several attachments -------------------------------------------- */

/* Devices of several kinds; those that this machine lacks are left out. */
static const struct attach_options devices[] = {
	{ .device = PEER_DEVICE_BEST },
	{ .device = PEER_DEVICE_SECOND },
	{ .device = PEER_DEVICE_PLATFORM },
	{ .device = PEER_DEVICE_BEST },
};

/* All have it mapped at once, see the same bytes, and go without a trace. */
CLAUSE_TEST(several_attachments_map_at_once,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_PEER, IMPORTER_MAPS),
	    MAP_10)
{
	struct hold holds[ARRAY_SIZE(devices)];
	int count = 0, error;

	must(pattern_write(SEED, &self->buffer));
	for (size_t i = 0; i < ARRAY_SIZE(devices); i++) {
		error = hold_take(self->importer, self->buffer.fd, &devices[i],
				  PEER_BIDIRECTIONAL, &holds[count]);
		if (error == -ENODEV && devices[i].device)
			continue;
		if (error && is_out_of_reach(&self->buffer, devices[i].device))
			continue;
		skip_if_declined(error);
		check_ok(MAP_10, error);
		if (error)
			break;
		count++;
	}
	for (int i = 0; i < count; i++)
		check_ok(MAP_10, device_sees(&holds[i].mapping, SEED));
	if (count)
		check_ok(MAP_10, device_writes(&holds[0].mapping, ~SEED));
	for (int i = 0; i < count; i++) {
		check_ok(MAP_10, device_sees(&holds[i].mapping, ~SEED));
		check_ok(MAP_10, hold_drop(&holds[i]));
	}
	check_ok(MAP_10, pattern_verify(~SEED, &self->buffer));
}

/* ---- ready for use -------------------------------------------------- */

/*
 * What was written before the map is what the device reads after it. Dynamic
 * importers are left out: they have to wait for fences themselves (FENCE-01).
 */
CLAUSE_TEST(content_is_there_after_map,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_MAPS, IMPORTER_STATIC,
		  IMPORTER_MOVES_BYTES),
	    MAP_11_a)
{
	struct import import;

	must(pattern_write(SEED, &self->buffer));
	must_import(IMPORT_BOTH, &import);
	check_ok(MAP_11_a, pattern_receive(SEED, &import));
	must(importer_release(&import));
}

/* Neither a move before the map nor one that still copies shows through. */
CLAUSE_TEST(content_is_there_after_moves,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_MAPS, IMPORTER_STATIC,
		  IMPORTER_MOVES_BYTES),
	    MAP_11_a)
{
	struct import import;

	must(pattern_write(SEED, &self->buffer));
	must(exporter_move(&self->buffer, PLACE_OTHER));
	must_import(IMPORT_BOTH, &import);
	check_ok(MAP_11_a, pattern_receive(SEED, &import));
	must(importer_release(&import));

	must(peer_exporter_move(&self->buffer, PEER_PLACE_SYSTEM,
				PEER_MOVE_SLOW_FENCE, COPY_MS));
	must_import(IMPORT_BOTH, &import);
	check_ok(MAP_11_a, pattern_receive(SEED, &import));
	must(importer_release(&import));
}

/*
 * By the device's own DMA engine: it reads what the exporter has, and writes
 * one page without touching its neighbours. The engine is slow and the same
 * for every kind of attachment: one kind is enough.
 */
CLAUSE_TEST(dma_engine_reaches_the_buffer,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_PEER, IMPORTER_MAPS,
		  IMPORTER_STATIC, IMPORTER_ENGINE),
	    MAP_11_a)
{
	uint8_t page[PAGE];
	struct hold hold;

	must(pattern_write(SEED, &self->buffer));
	must_hold(PEER_BIDIRECTIONAL, &hold);
	check_ok(MAP_11_a, peer_read(&hold.mapping, PEER_ENGINE_DEVICE, PAGE,
				     page, sizeof(page)));
	check_equal(MAP_11_a, -1,
		    pattern_mismatch(SEED, PAGE, page, sizeof(page)));

	pattern_fill(~SEED, 2 * PAGE, page, sizeof(page));
	check_ok(MAP_11_a, peer_write(&hold.mapping, PEER_ENGINE_DEVICE,
				      2 * PAGE, page, sizeof(page)));
	must(hold_drop(&hold));
	for (size_t at = 0; at < PAIR_BUFFER_SIZE; at += PAGE) {
		must(exporter_read(&self->buffer, at, page, sizeof(page)));
		check_saying(MAP_11_a,
			     pattern_mismatch(at == 2 * PAGE ? ~SEED : SEED, at,
					      page, sizeof(page)) < 0,
			     "page at %zu", at);
	}
}

struct importing {
	struct importer *importer;
	int fd;
	struct import import;
};

static int import_now(void *argument)
{
	struct importing *importing = argument;

	return importer_import(importing->importer, importing->fd, 0, 0, IMPORT_BOTH,
			       &importing->import);
}

/* As long as a KERNEL fence is pending, map does not return. */
CLAUSE_TEST(static_map_waits_for_kernel_fences,
	    NEEDS(EXPORTER_PEER, IMPORTER_STATIC, IMPORTER_MAPS),
	    MAP_11_b)
{
	struct importing importing = {
		.importer = self->importer, .fd = self->buffer.fd,
	};
	struct thread thread;
	int fence, error;

	needs_no_decline();
	fence = peer_exporter_fence(&self->buffer, PEER_USAGE_KERNEL, FENCE_MS);
	must(fence);
	must(thread_start(&thread, import_now, &importing));
	check(MAP_11_b, thread_waits(&thread, STAYS_MS));
	must(peer_exporter_signal(&self->buffer, fence));
	check_ok(MAP_11_b, thread_join(&thread, RETURNS_MS, &error));
	/* However long it takes: it uses what is here. */
	must(thread.done ? 0 : thread_join(&thread, ENDS_MS, &error));
	check_ok(MAP_11_b, error);
	must(importer_release(&importing.import));
}

struct steps {
	struct importer *importer;
	int fd;
	struct attachment attachment;
	struct mapping mapping;
};

/* In two calls, as either may be the one that maps. */
static int attach_and_map(void *argument)
{
	struct steps *steps = argument;
	int ret = peer_attach(steps->importer, steps->fd, NULL,
			      &steps->attachment);

	return ret ? ret : peer_map(&steps->attachment, PEER_BIDIRECTIONAL,
				    &steps->mapping);
}

/* A signal ends the wait, and with it the map: neither mapping nor pin stays. */
CLAUSE_TEST(static_map_can_be_interrupted,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_STATIC, IMPORTER_MAPS),
	    MAP_11_c)
{
	struct steps steps = {
		.importer = self->importer, .fd = self->buffer.fd,
	};
	struct thread thread;
	int fence, error = 0;

	needs_no_decline();
	fence = peer_exporter_fence(&self->buffer, PEER_USAGE_KERNEL, FENCE_MS);
	must(fence);
	must(thread_start(&thread, attach_and_map, &steps));
	must_be(thread_waits(&thread, STAYS_MS));
	must(thread_interrupt(&thread));
	check_ok(MAP_11_c, thread_join(&thread, RETURNS_MS, &error));
	check_errno(MAP_11_c, EINTR, error);
	check_equal(MAP_11_c, 1, exporter_saw(&self->buffer).fences_pending);
	check_equal(MAP_11_c, 0, exporter_saw(&self->buffer).maps);
	check_equal(MAP_11_c, 0, exporter_saw(&self->buffer).pins);
	must(peer_exporter_signal(&self->buffer, fence));
	must(thread.done ? 0 : thread_join(&thread, ENDS_MS, NULL));
}

/* Whether pin or map wait for a copy under way, or leave that to others. */
CLAUSE_TEST(who_waits_for_a_move,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_PEER, IMPORTER_MAPS,
		  IMPORTER_STATIC),
	    MAP_11_d)
{
	static struct event_log log;
	struct hold hold;
	int began, mapped;
	uint64_t passed;

	must(peer_exporter_move(&self->buffer, PEER_PLACE_OTHER,
				PEER_MOVE_SLOW_FENCE, LONG_COPY_MS));
	must_hold(PEER_BIDIRECTIONAL, &hold);
	must(hold_drop(&hold));
	exporter_log(&self->buffer, &log);
	began = event_find(&log, PEER_CALL_MOVE_BEGIN, 0);
	mapped = event_find(&log, PEER_CALL_MAP, 0);
	must_be(began >= 0 && mapped >= 0);
	passed = log.events[mapped].time_ns - log.events[began].time_ns;
	observe(MAP_11_d, "the exporter %s", passed >= LONG_COPY_MS * 1000000ull ?
		"waits for its move" : "leaves the wait for its move to others");
}

CLAUSE_TEST_MAIN("map")
