// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an importer does to an exporter in the life of an import: attach, pin,
 * map, unmap, unpin, detach, put. Any importer is judged, by the events and
 * counters of the peer exporter; what it does when storage moves is in
 * reaction.c, how it unwinds in errors.c, which locks it holds in lock.c.
 * Clauses: PIN-01, PIN-03, PIN-12, PIN-15, LIFE-02 to LIFE-07, MAP-03, MAP-07,
 * MAP-09, SGT-05, ATT-07.c, P2P-01, P2P-04.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/bufinfo.h"
#include "oracle/fds.h"
#include "pair/clause_test.h"
#include "peer/life.h"

#define SEED		0x1e57
#define SETTLE_MS	10000
#define ROUNDS		20
#define MANY		16

/* Pins that the importer asked for, not the core on its behalf. */
static int own_calls(const struct event_log *log, enum peer_call call)
{
	return event_count_with(log, call, PEER_EVENT_IMPLICIT, 0);
}

static const char *kind_of(const struct peer_event *attach)
{
	if (!(attach->flags & PEER_EVENT_DYNAMIC))
		return "static";
	return attach->flags & PEER_EVENT_NOTIFIABLE ?
	       "dynamic with a callback" : "dynamic without a callback";
}

/* Static, dynamic with a callback, or without: seen even if it is declined. */
CLAUSE_TEST(kind_shows_at_attach,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES),
	    ATT_07_c, P2P_01_b)
{
	static struct event_log log;
	struct import import;
	int attach;

	if (!importer_import(self->importer, self->buffer.fd, 0, 0, IMPORT_BOTH,
			     &import))
		must(importer_release(&import));
	exporter_log(&self->buffer, &log);
	attach = event_find(&log, PEER_CALL_ATTACH, 0);
	must_be(attach >= 0);

	observe(ATT_07_c, "%s", kind_of(&log.events[attach]));
	if (log.events[attach].flags & PEER_EVENT_DYNAMIC)
		skip_clause(P2P_01_b, "the importer is dynamic");
	else
		check(P2P_01_b, !(log.events[attach].flags & PEER_EVENT_P2P));
}

/* The device that moves the bytes is the one that is attached. */
CLAUSE_TEST(device_of_the_dma_is_attached,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES),
	    P2P_04)
{
	const char *device = self->importer->backend.device;
	struct import import;
	struct bufinfo info;
	int found;

	if (!*device)
		skip_case("which device does the DMA is not known");
	must_import(IMPORT_BOTH, &import);
	found = bufinfo_find(fds_inode(self->buffer.fd), &info);
	if (found < 0)
		skip_case("debugfs cannot be read: %s", errno_text(found));
	must_be(found == 1);
	check_equal(P2P_04, 1, info.attachments);
	check_saying(P2P_04, !strcmp(info.devices[0], device),
		     "attached is %s, the DMA is done by %s", info.devices[0],
		     device);
	must(importer_release(&import));
}

/* With every descriptor closed the import keeps the buffer until detach. */
CLAUSE_TEST(import_keeps_the_buffer,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES),
	    LIFE_02, LIFE_03_b)
{
	static struct event_log log;
	struct import import;
	int detached, released;

	must_import(IMPORT_BOTH, &import);
	must_call(close(self->buffer.fd));
	self->buffer.fd = -1;
	check_equal(LIFE_02, 0, exporter_saw(&self->buffer).released);
	check_equal(LIFE_02, 1, exporter_saw(&self->buffer).attachments);

	check_ok(LIFE_02, importer_release(&import));
	check(LIFE_02, comes_true(SETTLE_MS,
				  exporter_saw(&self->buffer).released == 1));
	exporter_log(&self->buffer, &log);
	detached = event_find(&log, PEER_CALL_DETACH, 0);
	released = event_find(&log, PEER_CALL_RELEASE, 0);
	check_saying(LIFE_03_b, detached >= 0 && detached < released,
		     "detach is event %d, release event %d", detached,
		     released);
}

/* The same for any exporter: the bytes are there without a descriptor. */
CLAUSE_TEST(import_works_without_descriptor,
	    NEEDS(EXPORTER_FILLS, EXPORTER_MAPS, IMPORTER_ATTACHES,
		  IMPORTER_MAPS, IMPORTER_MOVES_BYTES),
	    LIFE_02)
{
	struct import import;

	must(pattern_write(SEED, &self->buffer));
	must_import(IMPORT_BOTH, &import);
	must_call(close(self->buffer.fd));
	self->buffer.fd = -1;
	check_ok(LIFE_02, pattern_receive(SEED, &import));
	check_ok(LIFE_02, pattern_send(SEED + 1, &import));
	check_ok(LIFE_02, pattern_receive(SEED + 1, &import));
	check_ok(LIFE_02, importer_release(&import));
}

/* Whether one event comes before another, if both are there. */
static bool in_order(int earlier, int later)
{
	return earlier < 0 || later < 0 || earlier < later;
}

/* Taken down in reverse: unmap, unpin, detach. */
CLAUSE_TEST(teardown_is_in_order,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS),
	    LIFE_03_a, LIFE_04_a)
{
	static struct event_log log;
	struct import import;
	int unmap, unpin, detach;

	must_import(IMPORT_BOTH | IMPORT_PIN, &import);
	exporter_log(&self->buffer, &log);
	must(importer_release(&import));
	must_be(everyone_detached(&self->buffer));

	exporter_log(&self->buffer, &log);
	unmap = event_last(&log, PEER_CALL_UNMAP);
	unpin = event_last(&log, PEER_CALL_UNPIN);
	detach = event_find(&log, PEER_CALL_DETACH, 0);
	check_saying(LIFE_03_a, unmap >= 0 && unmap < detach,
		     "unmap is event %d, detach event %d", unmap, detach);
	check_saying(LIFE_03_a, in_order(unmap, unpin) && in_order(unpin, detach),
		     "unmap is event %d, unpin %d, detach %d", unmap, unpin,
		     detach);
	check_equal(LIFE_04_a, 0, event_count_with(&log, PEER_CALL_DETACH,
						   PEER_EVENT_MAPPED,
						   PEER_EVENT_MAPPED));
	check_equal(LIFE_04_a, 0, exporter_saw(&self->buffer).maps);
	check_equal(LIFE_04_a, 0, exporter_saw(&self->buffer).order_wrong);
}

/* As many unpins as pins, all by an importer that may pin. */
CLAUSE_TEST(pins_are_balanced,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_DYNAMIC),
	    PIN_01, PIN_03_a, LIFE_04_b)
{
	static struct event_log log;
	int attach, pins;

	must_live(IMPORT_BOTH | IMPORT_PIN, &log);
	attach = event_find(&log, PEER_CALL_ATTACH, 0);
	pins = own_calls(&log, PEER_CALL_PIN);
	/*
	 * Pins of a static attachment count as the core's, which takes at most
	 * one for each map.
	 */
	check_saying(PIN_01, log.events[attach].flags & PEER_EVENT_DYNAMIC ||
		     event_count(&log, PEER_CALL_PIN) <=
		     event_count(&log, PEER_CALL_MAP),
		     "%d pins and %d maps by a static importer",
		     event_count(&log, PEER_CALL_PIN),
		     event_count(&log, PEER_CALL_MAP));
	if (!event_count(&log, PEER_CALL_PIN))
		skip_case("this importer does not pin");
	check_equal(PIN_03_a, pins, own_calls(&log, PEER_CALL_UNPIN));
	check_equal(LIFE_04_b, 0, exporter_saw(&self->buffer).pins);
	check_equal(LIFE_04_b, 0, exporter_saw(&self->buffer).order_wrong);
}

/* What user space can make it pin, with nothing but imports. */
CLAUSE_TEST(pins_for_user_space_are_told,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_DYNAMIC),
	    PIN_12)
{
	const struct buffer_spec spec = { .size = PAIR_BUFFER_SIZE };
	struct buffer buffers[MANY];
	struct import imports[MANY];
	int pinned = 0;

	for (int i = 0; i < MANY; i++) {
		must(exporter_alloc(self->exporter, &spec, &buffers[i]));
		must_unless_declined(importer_import(self->importer,
						     buffers[i].fd, 0, 0,
						     IMPORT_BOTH | IMPORT_PIN,
						     &imports[i]));
		pinned += exporter_saw(&buffers[i]).pins > 0;
	}
	observe(PIN_12, "%d of %d imports pinned for their life", pinned, MANY);
	for (int i = 0; i < MANY; i++) {
		must(importer_release(&imports[i]));
		exporter_release(&buffers[i]);
	}
}

/* An importer with a callback may pin only while it maps. */
CLAUSE_TEST(short_pin_is_told,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS),
	    PIN_15)
{
	static struct event_log log;

	must_live(IMPORT_BOTH, &log);
	if (!own_calls(&log, PEER_CALL_PIN))
		observe(PIN_15, "maps without a pin");
	else if (event_count_with(&log, PEER_CALL_UNPIN, PEER_EVENT_MAPPED |
				  PEER_EVENT_IMPLICIT, PEER_EVENT_MAPPED))
		observe(PIN_15, "keeps the mapping after its unpin");
	else
		observe(PIN_15, "pins as long as it has a mapping");
}

/* Nobody could tell it of a move: pinned before it maps, until it unmapped. */
CLAUSE_TEST(mapping_without_callback_is_pinned,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_DYNAMIC,
		  IMPORTER_MAPS) | EACH_PAIR,
	    MAP_07)
{
	static struct event_log log;
	struct import import;
	int attach;

	must_import(IMPORT_BOTH, &import);
	exporter_log(&self->buffer, &log);
	attach = event_find(&log, PEER_CALL_ATTACH, 0);
	must_be(attach >= 0);
	if (log.events[attach].flags & PEER_EVENT_NOTIFIABLE) {
		must(importer_release(&import));
		skip_case("this importer has a callback");
	}
	check_equal(MAP_07, event_count(&log, PEER_CALL_MAP),
		    event_count_with(&log, PEER_CALL_MAP, PEER_EVENT_PINNED,
				     PEER_EVENT_PINNED));
	check(MAP_07, exporter_saw(&self->buffer).pins > 0);

	must(importer_release(&import));
	exporter_log(&self->buffer, &log);
	check_equal(MAP_07, 0, event_count_with(&log, PEER_CALL_UNPIN,
						PEER_EVENT_MAPPED,
						PEER_EVENT_MAPPED));
}

/*
 * Where the core keeps the mapping of a pair of one static and one dynamic
 * side, the importer's own map and unmap do not reach the exporter.
 */
static bool core_maps(const struct exporter *exporter,
		      const struct event_log *log)
{
	int attach = event_find(log, PEER_CALL_ATTACH, 0);

	return law_is(LAW_MAPS_AT_ATTACH) && attach >= 0 &&
	       !(log->events[attach].flags & PEER_EVENT_DYNAMIC) ==
	       exporter_is_dynamic(exporter);
}

static int unmaps_with(const struct event_log *log, uint32_t flag)
{
	return event_count_with(log, PEER_CALL_UNMAP, flag, flag);
}

/* Each unmap names attachment, table and direction of its map. */
CLAUSE_TEST(unmap_names_its_map,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS) | EACH_PAIR,
	    MAP_03_a, MAP_03_b, SGT_05)
{
	const unsigned int accesses[] = { IMPORT_READ, IMPORT_WRITE, IMPORT_BOTH };
	static struct event_log log;

	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++) {
		must_live(accesses[i], &log);
		check_equal(SGT_05, 0,
			    unmaps_with(&log, PEER_EVENT_TABLE_CHANGED));
		if (core_maps(self->exporter, &log))
			skip_case("the core keeps the mapping of this pair");
		check_equal(MAP_03_a, event_count(&log, PEER_CALL_MAP),
			    event_count(&log, PEER_CALL_UNMAP));
		check_equal(MAP_03_a, 0,
			    unmaps_with(&log, PEER_EVENT_TABLE_FOREIGN));
		check_equal(MAP_03_b, 0,
			    unmaps_with(&log, PEER_EVENT_DIRECTION_CHANGED));
	}
}

/* From import to release, or only when something is to be done. */
CLAUSE_TEST(time_mapped_is_told,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS),
	    MAP_09)
{
	struct import import;

	must_import(IMPORT_BOTH, &import);
	if (exporter_saw(&self->buffer).maps)
		observe(MAP_09, "mapped from import to release");
	else if (exporter_saw(&self->buffer).calls[PEER_CALL_MAP])
		observe(MAP_09, "mapped only during import");
	else
		observe(MAP_09, "not mapped by import");
	must(importer_release(&import));
}

/* Each of two imports is detached from its own buffer. */
CLAUSE_TEST(detach_is_from_its_own_buffer,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES),
	    LIFE_05)
{
	const struct buffer_spec spec = { .size = PAIR_BUFFER_SIZE };
	struct import first, second;
	struct buffer other;
	bool gone;

	must(exporter_alloc(self->exporter, &spec, &other));
	must_import(IMPORT_BOTH, &first);
	must_unless_declined(importer_import(self->importer, other.fd, 0, 0,
					     IMPORT_BOTH, &second));

	check_ok(LIFE_05, importer_release(&first));
	gone = everyone_detached(&self->buffer);
	check(LIFE_05, gone);
	check_equal(LIFE_05, 1, exporter_saw(&other).attachments);
	check_ok(LIFE_05, importer_release(&second));
	/* Who was waited for in vain once need not be a second time. */
	if (gone)
		check(LIFE_05, everyone_detached(&other));
	exporter_release(&other);
}

/* Calls that name an attachment after its detach. */
static int calls_after_detach(const struct event_log *log)
{
	int late = 0;

	for (int i = 0; i < log->count; i++)
		for (int j = i + 1; j < log->count &&
		     log->events[i].call == PEER_CALL_DETACH; j++)
			late += log->events[j].attachment ==
				log->events[i].attachment;
	return log->count < 0 ? log->count : late;
}

/* Detaches that may have left a pin or a mapping, which LIFE-04 and RUM-10 judge. */
static unsigned int early_detaches(const struct event_log *log)
{
	return event_count(log, PEER_CALL_DETACH) -
	       event_count_with(log, PEER_CALL_DETACH,
				PEER_EVENT_PINNED | PEER_EVENT_MAPPED, 0);
}

/*
 * Notices that arrive while an import goes away find nothing to touch, and an unpin
 * of what left is an error of order that no detach explains.
 */
CLAUSE_TEST(nothing_follows_detach,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES),
	    LIFE_06)
{
	static struct event_log log;
	struct import import;

	must(peer_exporter_storm(&self->buffer, true));
	for (int i = 0; i < ROUNDS; i++) {
		must_import_beside_notices(IMPORT_BOTH, &import);
		must(importer_release(&import));
	}
	must(peer_exporter_notify(&self->buffer, ROUNDS));
	must(peer_exporter_storm(&self->buffer, false));
	must_be(everyone_detached(&self->buffer));

	exporter_log(&self->buffer, &log);
	check_equal(LIFE_06, 0, calls_after_detach(&log));
	check(LIFE_06, exporter_saw(&self->buffer).order_wrong <=
		       early_detaches(&log));
}

/* A process of its own, as what it inherits would outlive it here. */
static pid_t import_elsewhere(const char *selector, int fd)
{
	struct importer importer;
	struct import import;
	pid_t child = fork();

	if (child)
		return child;
	if (importer_open(selector, &importer))
		_exit(1);
	if (importer_import(&importer, fd, 0, 0, IMPORT_BOTH | IMPORT_PIN, &import))
		_exit(2);
	for (;;)
		pause();
}

/* Killed in the middle of it: nothing of the import is left. */
CLAUSE_TEST(death_of_the_process_ends_the_import,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES),
	    LIFE_07)
{
	struct import import;
	pid_t child;

	must_import(IMPORT_BOTH | IMPORT_PIN, &import);
	must(importer_release(&import));
	must_be(everyone_detached(&self->buffer));

	must_call(child = import_elsewhere(self->importer->backend.selector,
					   self->buffer.fd));
	must_be(comes_true(SETTLE_MS,
			   exporter_saw(&self->buffer).attachments == 1));
	must_call(kill(child, SIGKILL));
	must_be(waitpid(child, NULL, 0) == child);

	check(LIFE_07, everyone_detached(&self->buffer));
	check_equal(LIFE_07, 0, exporter_saw(&self->buffer).maps);
	check_equal(LIFE_07, 0, exporter_saw(&self->buffer).pins);
	check_equal(LIFE_07, 0, exporter_saw(&self->buffer).order_wrong);
}

/* An importer that allows peer to peer copes with memory without pages. */
CLAUSE_TEST(memory_without_pages_works,
	    NEEDS(EXPORTER_PEER, IMPORTER_P2P, IMPORTER_MAPS) | EACH_PAIR,
	    P2P_01_a)
{
	const struct buffer_spec spec = {
		.size = PAIR_BUFFER_SIZE,
		.placement = PLACE_DEVICE,
		.shape = PEER_SHAPE_PAGELESS,
	};
	struct import import;
	struct buffer buffer;
	int error;

	must(exporter_alloc(self->exporter, &spec, &buffer));
	must(pattern_write(SEED, &buffer));
	error = importer_import(self->importer, buffer.fd, 0, 0, IMPORT_BOTH, &import);
	skip_if_declined(error);
	check_ok(P2P_01_a, error);
	if (error)
		return;
	error = pattern_receive(SEED, &import);
	if (error != -EOPNOTSUPP) {
		check_ok(P2P_01_a, error);
		check_ok(P2P_01_a, pattern_send(SEED + 1, &import));
		check_ok(P2P_01_a, pattern_verify(SEED + 1, &buffer));
	}
	check_ok(P2P_01_a, importer_release(&import));
	exporter_release(&buffer);
}

CLAUSE_TEST_MAIN("importer")
