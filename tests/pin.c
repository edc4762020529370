// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pinning: a pin keeps the storage where it is, does not mean a move to system
 * memory, is counted, and ends when the last one is given back. Exporters are
 * judged through the peer importer, importers through the peer exporter, and
 * the core through both. Clauses: PIN-04 to PIN-11 and PIN-13, and of others
 * INV-01, INV-08, LOCK-04; what importers owe (PIN-01 to PIN-03) is in
 * importer.c, pins and revoke (PIN-14) in revoke.c.
 */
#include "pair/clause_test.h"
#include "pair/decline.h"
#include "peer/observe.h"

#define SEED		0x91a2
#define SLOW_MOVE_MS	250
#define DEADLOCK_S	10	/* after so long nothing comes any more */

/* A pinned buffer stays where it is, however it is asked to move. */
CLAUSE_TEST(pin_holds_storage,
	    NEEDS(EXPORTER_MOVES, EXPORTER_MAPS, EXPORTER_PIN_OP,
		  IMPORTER_PEER, IMPORTER_DYNAMIC),
	    PIN_04_a, PIN_04_b)
{
	struct attachment attachment;
	struct mapping mapping;
	enum placement pinned_at;

	needs_moves_at_will();
	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must(peer_pin(&attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	pinned_at = place_of(&self->buffer);

	check_fails(PIN_04_a, exporter_move(&self->buffer, PLACE_OTHER));
	check_equal(PIN_04_a, pinned_at, place_of(&self->buffer));
	check_ok(PIN_04_b, device_sees(&mapping, SEED));

	must(peer_unmap(&mapping));
	must(peer_unpin(&attachment));
	must(peer_detach(&attachment));
}

/* While pinned, nobody hears of a move, since there is none. */
CLAUSE_TEST(pin_silences_notify,
	    NEEDS(EXPORTER_MOVES, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    PIN_04_c)
{
	struct attachment attachment;

	needs_moves_at_will();
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must(peer_pin(&attachment));
	exporter_move(&self->buffer, PLACE_OTHER);
	check_equal(PIN_04_c, 0, importer_saw(&attachment).notifies);
	must(peer_unpin(&attachment));
	must(peer_detach(&attachment));
}

/* Two mappings under one pin are the same memory. */
CLAUSE_TEST(pin_keeps_mappings_together,
	    NEEDS(EXPORTER_MAPS, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_DYNAMIC),
	    PIN_04_b)
{
	struct attachment attachment;
	struct mapping first, second;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must(peer_pin(&attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &first));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &second));

	check_ok(PIN_04_b, device_writes(&second, SEED));
	check_ok(PIN_04_b, device_sees(&first, SEED));

	must(peer_unmap(&second));
	must(peer_unmap(&first));
	must(peer_unpin(&attachment));
	must(peer_detach(&attachment));
}

/* A pin taken while a copy is in flight shows the content, not what was there. */
CLAUSE_TEST(pin_returns_with_content,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, EXPORTER_PIN_OP,
		  IMPORTER_PEER, IMPORTER_DYNAMIC),
	    PIN_05_a, PIN_05_b, PIN_05_c)
{
	struct attachment attachment;
	struct mapping mapping;
	int seen;

	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must(peer_exporter_move(&self->buffer, PEER_PLACE_OTHER,
				PEER_MOVE_SLOW_FENCE, SLOW_MOVE_MS));
	must(peer_pin(&attachment));
	observe(PIN_05_b, "%s", exporter_saw(&self->buffer).fences_pending ?
		"pending fence at return" : "all fences signalled at return");

	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	seen = device_sees(&mapping, SEED);
	check_ok(PIN_05_a, seen);
	check_ok(PIN_05_c, seen);

	must(peer_unmap(&mapping));
	must(peer_unpin(&attachment));
	must(peer_detach(&attachment));
}

/* A pin is no request to move: storage that all attachments reach may stay. */
CLAUSE_TEST(pin_does_not_force_migration,
	    NEEDS(EXPORTER_MOVES, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_DYNAMIC),
	    PIN_06_a, PIN_06_b)
{
	struct attachment attachment;
	struct mapping mapping;

	needs_moves_at_will();
	must(exporter_move(&self->buffer, PLACE_OTHER));
	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must(peer_pin(&attachment));

	observe(PIN_06_b, "pin %s", place_of(&self->buffer) == PLACE_OTHER ?
		"kept the place" : "moved the storage");
	check_ok(PIN_06_a, peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	check_ok(PIN_06_a, device_sees(&mapping, SEED));

	must(peer_unmap(&mapping));
	must(peer_unpin(&attachment));
	must(peer_detach(&attachment));
}

/* Device memory that a peer-to-peer importer reaches need not move either. */
CLAUSE_TEST(pin_leaves_device_memory,
	    NEEDS(EXPORTER_MOVES, EXPORTER_PEER, EXPORTER_PIN_OP,
		  IMPORTER_PEER, IMPORTER_P2P),
	    PIN_06_a, PIN_06_b)
{
	struct attachment attachment;
	struct mapping mapping;

	must(pattern_write(SEED, &self->buffer));
	must(exporter_move(&self->buffer, PLACE_DEVICE));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must(peer_pin(&attachment));

	observe(PIN_06_b, "pin %s", place_of(&self->buffer) == PLACE_DEVICE ?
		"kept the place" : "moved the storage");
	check_ok(PIN_06_a, peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	check_ok(PIN_06_a, device_sees(&mapping, SEED));

	must(peer_unmap(&mapping));
	must(peer_unpin(&attachment));
	must(peer_detach(&attachment));
}

/*
 * With an attachment that cannot reach device memory the storage has to leave
 * it, or the pin has to fail.
 */
CLAUSE_TEST(pin_reaches_every_attachment,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, EXPORTER_PIN_OP,
		  IMPORTER_PEER, IMPORTER_P2P),
	    PIN_06_a)
{
	struct attachment near, far;
	struct importer distant;
	struct mapping mapping;

	must(pattern_write(SEED, &self->buffer));
	must(exporter_move(&self->buffer, PLACE_DEVICE));
	must(importer_open("peer:notify", &distant));
	must_unless_declined(peer_attach(&distant, self->buffer.fd,
					 NULL, &far));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &near));

	must(peer_pin(&near));
	check(PIN_06_a, place_of(&self->buffer) != PLACE_DEVICE);
	check_ok(PIN_06_a, peer_map(&far, PEER_BIDIRECTIONAL, &mapping));
	check_ok(PIN_06_a, device_sees(&mapping, SEED));

	must(peer_unmap(&mapping));
	must(peer_unpin(&near));
	must(peer_detach(&near));
	must(peer_detach(&far));
	importer_close(&distant);
}

/* Pinned where a newcomer cannot reach: its pin fails and nothing changes. */
CLAUSE_TEST(pin_out_of_reach_fails_cleanly,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, EXPORTER_PINS_IN_PLACE,
		  IMPORTER_PEER, IMPORTER_P2P),
	    PIN_06_c, PIN_07_a, PIN_07_b)
{
	struct attachment near, far;
	struct importer distant;
	struct mapping mapping;
	uint32_t pins;

	must(pattern_write(SEED, &self->buffer));
	must(exporter_move(&self->buffer, PLACE_DEVICE));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &near));
	must(peer_pin(&near));
	must(peer_map(&near, PEER_BIDIRECTIONAL, &mapping));
	must_be(place_of(&self->buffer) == PLACE_DEVICE);
	pins = exporter_saw(&self->buffer).pins;

	must(importer_open("peer:notify", &distant));
	must_unless_declined(peer_attach(&distant, self->buffer.fd,
					 NULL, &far));
	check_fails(PIN_07_a, peer_pin(&far));
	observe(PIN_06_c, "a later attachment gets an error from pin");
	check_equal(PIN_07_b, PLACE_DEVICE, place_of(&self->buffer));
	check_equal(PIN_07_b, pins, exporter_saw(&self->buffer).pins);
	check_ok(PIN_07_b, device_sees(&mapping, SEED));

	must(peer_detach(&far));
	importer_close(&distant);
	must(peer_unmap(&mapping));
	must(peer_unpin(&near));
	must(peer_detach(&near));
}

/*
 * After the last unpin the exporter may move the buffer again. It says so
 * first, the device finds the content in the new place, and the old place is
 * no longer the buffer's.
 */
CLAUSE_TEST(unpin_restores_movability,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, EXPORTER_PIN_OP,
		  IMPORTER_PEER, IMPORTER_NOTIFIED),
	    PIN_08_a, PIN_08_b, INV_01_a, INV_08)
{
	struct attachment attachment;
	static struct event_log log;
	struct mapping mapping;
	enum peer_placement pinned_at;
	int notified, moved;

	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must(peer_pin(&attachment));
	pinned_at = exporter_saw(&self->buffer).placement;
	must_be(exporter_move(&self->buffer, PLACE_OTHER) == -EBUSY);
	must(peer_unpin(&attachment));
	/* Where a mapping pins as well, only an unmapped buffer can move. */
	if (law_value(LAW_MOVES_WHILE_MAPPED) == YES)
		must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	exporter_log(&self->buffer, &log);

	check_ok(PIN_08_a, exporter_move(&self->buffer, PLACE_OTHER));
	check_equal(PIN_08_a, PLACE_OTHER, place_of(&self->buffer));
	check_ok(PIN_08_a, place_is_poisoned(&self->buffer, pinned_at));
	check_equal(INV_01_a, 1, importer_saw(&attachment).notifies);
	exporter_log(&self->buffer, &log);
	notified = event_find(&log, PEER_CALL_NOTIFY, 0);
	moved = event_find(&log, PEER_CALL_MOVE_END, 0);
	check_saying(PIN_08_b, notified >= 0 && notified < moved,
		     "notify is event %d, move is event %d", notified, moved);
	if (notified >= 0)
		check_equal(PIN_08_b, pinned_at, log.events[notified].placement);

	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	check_ok(INV_08, device_sees(&mapping, SEED));
	check_ok(INV_08, device_writes(&mapping, SEED + 1));
	/* Where a mapping pins, the map may have moved the storage once more. */
	check_ok(INV_08, place_holds(&self->buffer,
				     exporter_saw(&self->buffer).placement,
				     SEED + 1));

	must(peer_unmap(&mapping));
	must(peer_detach(&attachment));
}

/* Pins are counted: the first unpin of two leaves the buffer where it is. */
CLAUSE_TEST(pins_are_counted,
	    NEEDS(EXPORTER_MOVES, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_DYNAMIC),
	    PIN_09, PIN_08_a)
{
	struct attachment first, second;
	enum placement pinned_at;

	needs_moves_at_will();
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &first));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &second));
	must(peer_pin(&first));
	must(peer_pin(&second));
	pinned_at = place_of(&self->buffer);

	must(peer_unpin(&first));
	check_fails(PIN_09, exporter_move(&self->buffer, PLACE_OTHER));
	check_equal(PIN_09, pinned_at, place_of(&self->buffer));

	must(peer_unpin(&second));
	check_ok(PIN_08_a, exporter_move(&self->buffer, PLACE_OTHER));
	check_equal(PIN_08_a, PLACE_OTHER, place_of(&self->buffer));

	must(peer_detach(&second));
	must(peer_detach(&first));
}

/* The same attachment may pin twice and has to unpin twice. */
CLAUSE_TEST(pins_of_one_attachment_are_counted,
	    NEEDS(EXPORTER_MOVES, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_DYNAMIC),
	    PIN_09)
{
	struct attachment attachment;

	needs_moves_at_will();
	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must(peer_pin(&attachment));
	must(peer_pin(&attachment));
	must(peer_unpin(&attachment));
	check_fails(PIN_09, exporter_move(&self->buffer, PLACE_OTHER));

	must(peer_unpin(&attachment));
	check_ok(PIN_09, exporter_move(&self->buffer, PLACE_OTHER));
	must(peer_detach(&attachment));
}

/*
 * Pin and unpin under the reservation that the importer holds: an exporter
 * that takes it again never returns, and the case runs into its time limit.
 */
CLAUSE_TEST_TIMEOUT(pin_does_not_take_the_lock, DEADLOCK_S,
	    NEEDS(EXPORTER_PIN_OP, IMPORTER_PEER, IMPORTER_DYNAMIC),
	    PIN_10, LOCK_04_b)
{
	struct attachment attachment;
	int pinned;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	pinned = peer_pin(&attachment);
	check_ok(PIN_10, pinned);
	check_ok(PIN_10, peer_unpin(&attachment));
	check_ok(LOCK_04_b, peer_pin(&attachment));
	check_ok(LOCK_04_b, peer_unpin(&attachment));
	must(peer_detach(&attachment));
}

/*
 * Who pins for whom. The core pins for a static importer, from attach to
 * detach or from map to unmap, and for every map where mappings pin.
 */
CLAUSE_TEST(core_pins_for_static_importers,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_STATIC),
	    PIN_11_a, PIN_11_b)
{
	struct attachment attachment;
	struct mapping mapping;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	check_equal(PIN_11_a, 1, exporter_saw(&self->buffer).pins);
	check_equal(PIN_11_b, 0, exporter_saw(&self->buffer).pins);

	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	check_equal(PIN_11_a, 1, exporter_saw(&self->buffer).pins);
	check_equal(PIN_11_b, 1, exporter_saw(&self->buffer).pins);

	must(peer_unmap(&mapping));
	check_equal(PIN_11_a, 1, exporter_saw(&self->buffer).pins);
	check_equal(PIN_11_b, 0, exporter_saw(&self->buffer).pins);

	must(peer_detach(&attachment));
	check_equal(PIN_11_a, 0, exporter_saw(&self->buffer).pins);
	check_equal(PIN_11_b, 0, exporter_saw(&self->buffer).pins);
}

CLAUSE_TEST(core_pins_maps_where_mappings_pin,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    PIN_11_c, PIN_11_d)
{
	struct attachment attachment;
	struct mapping mapping;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	check_equal(PIN_11_c, 0, exporter_saw(&self->buffer).pins);
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	check_equal(PIN_11_c, 1, exporter_saw(&self->buffer).pins);
	check_equal(PIN_11_d, 0, exporter_saw(&self->buffer).pins);
	must(peer_unmap(&mapping));
	check_equal(PIN_11_c, 0, exporter_saw(&self->buffer).pins);
	check_equal(PIN_11_d, 0, exporter_saw(&self->buffer).pins);
	must(peer_detach(&attachment));
}

CLAUSE_TEST(core_leaves_pins_to_silent_importers,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_SILENT),
	    PIN_11_f)
{
	struct attachment attachment;
	struct mapping mapping;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd,
					 NULL, &attachment));
	must(peer_pin(&attachment));
	check_equal(PIN_11_f, 1, exporter_saw(&self->buffer).pins);
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	check_equal(PIN_11_f, 1, exporter_saw(&self->buffer).pins);
	must(peer_unmap(&mapping));
	must(peer_unpin(&attachment));
	must(peer_detach(&attachment));
}

/* A static importer is never told EBUSY, wherever the storage was before. */
CLAUSE_TEST(static_map_is_never_busy,
	    NEEDS(EXPORTER_MOVES, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_STATIC),
	    PIN_13)
{
	static const enum placement places[] = {
		PLACE_SYSTEM, PLACE_OTHER, PLACE_DEVICE,
	};

	needs_moves_at_will();
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct attachment attachment;
		struct mapping mapping;
		int error;

		must(exporter_move(&self->buffer, places[i]));
		error = peer_attach(self->importer, self->buffer.fd, NULL,
				    &attachment);
		skip_if_declined(error);
		if (error) {
			check_saying(PIN_13, error != -EBUSY, "attach in place %d: %s",
				     places[i], errno_text(error));
			continue;
		}
		error = peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping);
		skip_if_declined(error);
		check_saying(PIN_13, error != -EBUSY, "map in place %d: %s",
			     places[i], errno_text(error));
		if (!error)
			must(peer_unmap(&mapping));
		must(peer_detach(&attachment));
	}
}

CLAUSE_TEST_MAIN("pin")
