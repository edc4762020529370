// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reservation lock: who holds it in which call, also while others fight
 * for it. "Held" means that the calling task owns it, which the peers read
 * from the lock itself; that somebody holds it is not enough. Importers are
 * judged by the peer exporter, exporters by the peer importer.
 * Clauses: LOCK-01 to LOCK-05, LOCK-08, MAP-01, PIN-02.
 */
#include <unistd.h>

#include "oracle/thread.h"
#include "pair/await.h"
#include "pair/clause_test.h"
#include "peer/life.h"

#define SEED		0x10c4
#define MOVES		16
#define ROUNDS		20
#define SETTLE_MS	10000	/* for a rival to run, or to let go */
#define DEADLOCK_S	10	/* after so long nothing comes any more */
#define LENGTH		4096

#define EVERYTHING	(IMPORT_BOTH | IMPORT_PIN)

/* Judges a rule on a call by all such calls that were seen. */
#define check_held(clause, log, call) \
	check_saying(clause, event_count_locked(log, call) == \
		     event_count(log, call), "%d of %d calls own it", \
		     event_count_locked(log, call), event_count(log, call))

#define check_not_held(clause, log, call) \
	check_saying(clause, !event_count_locked(log, call), \
		     "%d of %d calls own it", event_count_locked(log, call), \
		     event_count(log, call))

static bool importer_is_dynamic(const struct event_log *log)
{
	int attach = event_find(log, PEER_CALL_ATTACH, 0);

	return attach >= 0 && log->events[attach].flags & PEER_EVENT_DYNAMIC;
}

/* Map and unmap, by the rule for the kinds of both sides. */
CLAUSE_TEST(map_and_unmap_hold_it,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS) | EACH_PAIR,
	    LOCK_01_b, MAP_01_a, MAP_01_b, MAP_01_c)
{
	bool exporter_dynamic = exporter_is_dynamic(self->exporter);
	static struct event_log log;
	bool importer_dynamic;

	must_live(EVERYTHING, &log);
	check(MAP_01_c, event_find(&log, PEER_CALL_DETACH, 0) >= 0);
	importer_dynamic = importer_is_dynamic(&log);
	if (law_is(LAW_MAPS_AT_ATTACH) && importer_dynamic != exporter_dynamic)
		skip_case("the core maps for this pair");
	if (importer_dynamic || exporter_dynamic) {
		skip_clause(MAP_01_b, "one side is dynamic");
		check_held(MAP_01_a, &log, PEER_CALL_MAP);
		check_held(MAP_01_a, &log, PEER_CALL_UNMAP);
	} else {
		skip_clause(MAP_01_a, "both sides are static");
		check_held(MAP_01_b, &log, PEER_CALL_MAP);
		check_held(MAP_01_b, &log, PEER_CALL_UNMAP);
		if (law_value(LAW_MAP_LOCK_ALWAYS) != YES)
			skip_case("both sides are static");
	}
	check_held(LOCK_01_b, &log, PEER_CALL_MAP);
	check_held(LOCK_01_b, &log, PEER_CALL_UNMAP);
}

CLAUSE_TEST(pin_and_unpin_hold_it,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_DYNAMIC),
	    LOCK_01_a, PIN_02_a, PIN_02_b)
{
	static struct event_log log;

	must_live(EVERYTHING, &log);
	if (!event_count_with(&log, PEER_CALL_PIN, PEER_EVENT_IMPLICIT, 0))
		skip_case("this importer does not pin");
	check_held(PIN_02_a, &log, PEER_CALL_PIN);
	check_held(PIN_02_b, &log, PEER_CALL_UNPIN);
	check_held(LOCK_01_a, &log, PEER_CALL_PIN);
	check_held(LOCK_01_a, &log, PEER_CALL_UNPIN);
}

CLAUSE_TEST(vmap_and_vunmap_hold_it,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_ATTACHES),
	    LOCK_01_c, LOCK_02_d)
{
	struct attachment attachment;
	static struct event_log log;
	uint8_t data[LENGTH];

	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	must(peer_vmap_read(&attachment, 1, 0, data, sizeof(data)));
	exporter_log(&self->buffer, &log);
	must_be(event_count(&log, PEER_CALL_VMAP) == 1);
	check_held(LOCK_01_c, &log, PEER_CALL_VMAP);
	check_held(LOCK_01_c, &log, PEER_CALL_VUNMAP);
	check_not_held(LOCK_02_d, &log, PEER_CALL_BEGIN_CPU);
	check_not_held(LOCK_02_d, &log, PEER_CALL_END_CPU);
	must(peer_detach(&attachment));
}

CLAUSE_TEST(attach_and_detach_do_not_hold_it,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES),
	    LOCK_02_a, LOCK_02_b)
{
	static struct event_log log;

	must_live(EVERYTHING, &log);
	check_not_held(LOCK_02_a, &log, PEER_CALL_ATTACH);
	check_not_held(LOCK_02_b, &log, PEER_CALL_DETACH);
}

/* The CPU's way in: mmap, and the brackets around each access. */
CLAUSE_TEST(cpu_access_does_not_hold_it,
	    NEEDS(EXPORTER_PEER, EXPORTER_MMAPS, IMPORTER_CPU),
	    LOCK_02_d, LOCK_02_e)
{
	static struct event_log log;
	struct import import;

	must(importer_import(self->importer, self->buffer.fd, 0, 0, EVERYTHING,
			     &import));
	must(pattern_send(SEED, &import));
	must(importer_release(&import));
	exporter_log(&self->buffer, &log);
	must_be(event_count(&log, PEER_CALL_BEGIN_CPU) > 0);
	must_be(event_count(&log, PEER_CALL_MMAP) > 0);
	check_not_held(LOCK_02_d, &log, PEER_CALL_BEGIN_CPU);
	check_not_held(LOCK_02_d, &log, PEER_CALL_END_CPU);
	check_not_held(LOCK_02_e, &log, PEER_CALL_MMAP);
}

/* Everybody else lets go of the buffer before the importer does. */
static int import_and_put_last(struct importer *importer, struct buffer *buffer)
{
	struct import import;
	int error = importer_import(importer, buffer->fd, 0, 0, EVERYTHING,
				    &import);

	if (error)
		return error;
	close(buffer->fd);
	buffer->fd = -1;
	return importer_release(&import);
}

/* What the exporter knows of the last put, PEER_EVENT_*; 0 if that never came. */
static uint32_t seen_of_last_put(struct buffer *buffer)
{
	static struct event_log log;
	int release;

	(void)comes_true(SETTLE_MS, exporter_saw(buffer).released);
	exporter_log(buffer, &log);
	release = event_find(&log, PEER_CALL_RELEASE, 0);
	return release < 0 ? 0 : log.events[release].flags;
}

#define needs_last_put(seen_) \
	do { \
		if (!((seen_) & PEER_EVENT_PUT_SEEN)) \
			skip_case("the last reference went by no call that the exporter sees"); \
	} while (0)

CLAUSE_TEST(last_put_does_not_hold_it,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES),
	    LOCK_02_c)
{
	const struct buffer_spec spec = {
		.size = PAIR_BUFFER_SIZE, .flags = BUFFER_OWN_RESV,
	};
	struct buffer buffer;
	uint32_t seen;

	must(exporter_alloc(self->exporter, &spec, &buffer));
	must_unless_declined(import_and_put_last(self->importer, &buffer));
	seen = seen_of_last_put(&buffer);
	exporter_release(&buffer);
	needs_last_put(seen);
	check(LOCK_02_c, !(seen & PEER_EVENT_PUT_LOCKED));
}

CLAUSE_TEST(last_put_with_lent_reservation_is_told,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES),
	    LOCK_02_f)
{
	uint32_t seen;

	must_unless_declined(import_and_put_last(self->importer, &self->buffer));
	seen = seen_of_last_put(&self->buffer);
	needs_last_put(seen);
	observe(LOCK_02_f, "the last put comes %s the reservation",
		seen & PEER_EVENT_PUT_LOCKED ? "under" : "without");
}

/* A rival takes the reservation over and over, by way of another attachment. */
struct rival {
	struct importer importer;
	struct buffer *buffer;
	int (*round)(struct rival *rival);
	struct attachment attachment;
	atomic_bool stop;
	atomic_int rounds;
	struct thread thread;
};

/* The core takes it to list an attachment and to take it off. */
static int attach_and_detach(struct rival *rival)
{
	int error = peer_attach(&rival->importer, rival->buffer->fd, NULL,
				&rival->attachment);

	return error ? error : peer_detach(&rival->attachment);
}

/* A move may come between and unmap, or pins may refuse the map. */
static int map_and_unmap(struct rival *rival)
{
	struct mapping mapping;
	int error = peer_map(&rival->attachment, PEER_BIDIRECTIONAL, &mapping);

	if (!error)
		error = peer_unmap(&mapping);
	return error == -ENOENT ? 0 : error;
}

static int compete(void *argument)
{
	struct rival *rival = argument;
	int error = 0;

	while (!rival->stop && !error) {
		error = rival->round(rival);
		rival->rounds++;
		usleep(50);
	}
	return error;
}

static int rival_start(struct rival *rival, struct buffer *buffer,
		       int (*round)(struct rival *rival))
{
	bool near = buffer->exporter->backend.capabilities &
		    CAP(EXPORTER_WANTS_P2P);
	int error = importer_open(near ? "peer:notify-p2p" : "peer:notify",
				  &rival->importer);

	if (error)
		return error;
	rival->buffer = buffer;
	rival->round = round;
	if (round == map_and_unmap)
		error = peer_attach(&rival->importer, buffer->fd, NULL,
				    &rival->attachment);
	return error ? error : thread_start(&rival->thread, compete, rival);
}

static int rival_stop(struct rival *rival)
{
	int error, result = 0;

	rival->stop = true;
	error = thread_join(&rival->thread, SETTLE_MS, &result);
	importer_close(&rival->importer);
	return error ? error : result;
}

/* Between two places; in between a mapping or a vmap may hold it. */
static int move_once(struct buffer *buffer)
{
	enum placement to = place_of(buffer) == PLACE_OTHER ? PLACE_SYSTEM :
			    PLACE_OTHER;
	int error;

	comes_true(SETTLE_MS, (error = exporter_move(buffer, to)) != -EBUSY);
	return error;
}

/* The notifying task itself owns it, while another one wants it as well. */
CLAUSE_TEST(notices_hold_it_among_rivals,
	    NEEDS(EXPORTER_MOVES, IMPORTER_PEER, IMPORTER_NOTIFIED),
	    LOCK_03)
{
	static struct rival rival;
	struct attachment attachment;

	needs_moves_at_will();
	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	must(rival_start(&rival, &self->buffer, attach_and_detach));
	for (int i = 0; i < MOVES; i++)
		must(move_once(&self->buffer));
	must_be(comes_true(SETTLE_MS, rival.rounds > 0));
	must(rival_stop(&rival));

	must_be(importer_saw(&attachment).notifies == MOVES);
	check_equal(LOCK_03, 0, importer_saw(&attachment).notifies_unlocked);
	must(peer_detach(&attachment));
}

/* Whether another task had it between a notice and the end of the move. */
static bool hold_was_broken(const struct event_log *log)
{
	int notice = event_find(log, PEER_CALL_NOTIFY, 0);
	int moved = event_find(log, PEER_CALL_MOVE_END, notice + 1);

	if (notice < 0 || moved < 0 ||
	    log->events[notice].lock != PEER_LOCK_CALLER ||
	    log->events[moved].lock != PEER_LOCK_CALLER)
		return true;
	for (int i = notice + 1; i < moved; i++)
		if (log->events[i].lock == PEER_LOCK_CALLER &&
		    log->events[i].task != log->events[notice].task)
			return true;
	return false;
}

static void forget_log(struct buffer *buffer, struct event_log *log)
{
	do
		exporter_log(buffer, log);
	while (log->count == EVENT_LOG_SIZE);
}

/* From before the callback until after it, nobody else gets the lock. */
CLAUSE_TEST(callback_keeps_it,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_NOTIFIED),
	    LOCK_05_a)
{
	static struct event_log log;
	static struct rival rival;
	struct import import;

	must_import(IMPORT_BOTH, &import);
	if (law_value(LAW_MOVES_WHILE_MAPPED) != YES)
		must(peer_exporter_notify(&self->buffer, 1));
	if (exporter_saw(&self->buffer).pins) {
		must(importer_release(&import));
		skip_case("this importer keeps the storage from moving");
	}
	must(rival_start(&rival, &self->buffer, map_and_unmap));
	for (int i = 0; i < MOVES; i++) {
		forget_log(&self->buffer, &log);
		must(move_once(&self->buffer));
		exporter_log(&self->buffer, &log);
		check(LOCK_05_a, !hold_was_broken(&log));
	}
	must(rival_stop(&rival));
	must(importer_release(&import));
}

/* Torn down while notices come: both ends get on. */
CLAUSE_TEST_TIMEOUT(teardown_and_notices_get_on, DEADLOCK_S,
	    NEEDS(EXPORTER_PEER, IMPORTER_NOTIFIED),
	    LOCK_05_b)
{
	struct import import;

	must(peer_exporter_storm(&self->buffer, true));
	for (int i = 0; i < ROUNDS; i++) {
		must_import_beside_notices(EVERYTHING, &import);
		check_ok(LOCK_05_b, importer_release(&import));
	}
	check_ok(LOCK_05_b, peer_exporter_storm(&self->buffer, false));
}

/* Under its caller's hold an exporter's map and unmap return. */
CLAUSE_TEST_TIMEOUT(exporter_map_leaves_it_alone, DEADLOCK_S,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS),
	    LOCK_04_a)
{
	struct attachment attachment;
	static struct rival rival;
	struct mapping mapping;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	must(rival_start(&rival, &self->buffer, attach_and_detach));
	for (int i = 0; i < ROUNDS; i++) {
		must_unless_declined(peer_map(&attachment, PEER_BIDIRECTIONAL,
					      &mapping));
		check_ok(LOCK_04_a, peer_unmap(&mapping));
	}
	must(rival_stop(&rival));
	must(peer_detach(&attachment));
}

CLAUSE_TEST(exporter_vmap_leaves_it_alone,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_ATTACHES),
	    LOCK_04_c)
{
	struct attachment attachment;
	uint8_t data[LENGTH];
	int error;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	error = peer_vmap_read(&attachment, 2, 0, data, sizeof(data));
	must(peer_detach(&attachment));
	if (error == -EOPNOTSUPP || error == -EINVAL)
		skip_case("the exporter offers no vmap: %s", errno_text(error));
	check_ok(LOCK_04_c, error);
}

/* The pointer that everybody locks by stays the same through a buffer's life. */
CLAUSE_TEST(reservation_stays_the_same,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS),
	    LOCK_08_a)
{
	struct attachment attachment;
	struct mapping mapping;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	if (!peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping))
		must(peer_unmap(&mapping));
	check_equal(LOCK_08_a, 0, importer_saw(&attachment).resv_changed);
	exporter_move(&self->buffer, PLACE_OTHER);
	check_equal(LOCK_08_a, 0, importer_saw(&attachment).resv_changed);
	must(peer_detach(&attachment));
}

CLAUSE_TEST_MAIN("lock")
