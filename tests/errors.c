// SPDX-License-Identifier: GPL-2.0-only
/*
 * Failure and unwinding: attach, pin and map are made to fail, each with an
 * errno of its own, and what an importer and the core leave behind is
 * counted. Any importer is judged, by the peer exporter.
 * Clauses: ERR-01 to ERR-06, PIN-03.b, PIN-11.e, MAP-12.
 */
#include "oracle/fdinfo.h"
#include "oracle/thread.h"
#include "pair/clause_test.h"
#include "peer/life.h"

#define SETTLE_MS	10000
#define FENCE_MS	5000
#define TIMES		100
#define POINTS		8

/*
 * Failures that no driver would think up by itself, so that one can be told
 * from another.
 */
static const struct {
	enum peer_failure what;
	int error;
} map_failures[] = {
	{ PEER_FAIL_MAP, EREMOTEIO },
	{ PEER_FAIL_MAP_NULL, ENOMEM },
};

/* An import that is over at once, whether it succeeds or not. */
static int try_access(struct importer *importer, struct buffer *buffer,
		      unsigned int access)
{
	struct import import;
	int error = importer_import(importer, buffer->fd, 0, 0, access, &import);

	return error ? error : importer_release(&import);
}

static int try_import(struct importer *importer, struct buffer *buffer)
{
	return try_access(importer, buffer, IMPORT_BOTH | IMPORT_PIN);
}

/* An import in which step @what_ fails; @result_ is what it returned. */
#define must_import_with(what_, after_, error_, result_) \
	do { \
		must(peer_exporter_fail(&self->buffer, what_, after_, 1, \
					-(error_))); \
		*(result_) = try_import(self->importer, &self->buffer); \
		must(peer_exporter_fail(&self->buffer, what_, 0, 0, 0)); \
	} while (0)

/* Whichever map of an import fails: pins, attachment and reference go. */
CLAUSE_TEST(failed_map_is_unwound,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS),
	    ERR_01_a, ERR_01_b, MAP_12_b)
{
	struct peer_exporter_stat saw;
	int error = 0;

	must_unless_declined(try_import(self->importer, &self->buffer));
	for (size_t i = 0; i < ARRAY_SIZE(map_failures); i++) {
		must_import_with(map_failures[i].what, 0, map_failures[i].error,
				 &error);
		if (!exporter_saw(&self->buffer).failures[PEER_CALL_MAP])
			skip_case("an import by this importer maps nothing");
		check_saying(MAP_12_b, error < 0, "import returns %s",
			     errno_text(error));
		check_equal(ERR_01_a, 0, left_behind(&self->buffer));
		if (map_failures[i].what == PEER_FAIL_MAP)
			observe(ERR_01_b, "%s", error == -EREMOTEIO ?
				"user space sees the exporter's error" :
				errno_text(error));
	}
	for (int after = 1; error && after < POINTS; after++) {
		must_import_with(PEER_FAIL_MAP, after, EREMOTEIO, &error);
		check_equal(ERR_01_a, 0, left_behind(&self->buffer));
	}
	saw = exporter_saw(&self->buffer);
	check_equal(MAP_12_b, saw.calls[PEER_CALL_MAP] -
		    saw.failures[PEER_CALL_MAP], saw.calls[PEER_CALL_UNMAP]);
}

/* No table at all is an error like any other. */
CLAUSE_TEST(missing_table_becomes_an_error,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_MAPS),
	    MAP_12_a)
{
	int error;

	must_unless_declined(try_import(self->importer, &self->buffer));
	must_import_with(PEER_FAIL_MAP_NULL, 0, ENOMEM, &error);
	check_errno(MAP_12_a, ENOMEM, error);
}

/* Many failed imports hold no reference. */
CLAUSE_TEST(failed_maps_hold_no_reference,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS),
	    ERR_01_a)
{
	long before = fdinfo_references(self->buffer.fd);

	must(before);
	must_unless_declined(try_import(self->importer, &self->buffer));
	must_be(left_behind(&self->buffer) == 0);
	/* Some let go of an import a while after they said that it is released. */
	must_be(comes_true(SETTLE_MS,
			   fdinfo_references(self->buffer.fd) == before));
	must(peer_exporter_fail(&self->buffer, PEER_FAIL_MAP, 0, TIMES,
				-EREMOTEIO));
	for (int i = 0; i < TIMES; i++)
		must_be(try_import(self->importer, &self->buffer) < 0);
	check_equal(ERR_01_a, 0, left_behind(&self->buffer));
	check(ERR_01_a, comes_true(SETTLE_MS,
				   fdinfo_references(self->buffer.fd) == before));
}

/* A pin that fails is not undone; what came before it is. */
CLAUSE_TEST(failed_pin_is_unwound,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_DYNAMIC),
	    PIN_03_b, PIN_03_a)
{
	static struct event_log log;
	int error, pins, failed;

	must_unless_declined(try_import(self->importer, &self->buffer));
	exporter_log(&self->buffer, &log);
	must_import_with(PEER_FAIL_PIN, 0, ENOLCK, &error);
	exporter_log(&self->buffer, &log);
	must(log.count);
	pins = event_count(&log, PEER_CALL_PIN);
	failed = exporter_saw(&self->buffer).failures[PEER_CALL_PIN];
	if (!failed)
		skip_case("this importer does not pin");
	check_saying(PIN_03_b, event_count(&log, PEER_CALL_UNPIN) ==
		     pins - failed, "%d pins, %d of them failed, %d unpins; import returns %s",
		     pins, failed, event_count(&log, PEER_CALL_UNPIN),
		     errno_text(error));
	check_equal(PIN_03_a, 0, left_behind(&self->buffer));
}

/* A pin whose map fails: one unpin, no more and no less. */
CLAUSE_TEST(failed_map_is_unpinned_once,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_DYNAMIC,
		  IMPORTER_MAPS),
	    PIN_03_a)
{
	static struct event_log log;
	int error, pins;

	must_unless_declined(try_import(self->importer, &self->buffer));
	exporter_log(&self->buffer, &log);
	must_import_with(PEER_FAIL_MAP, 0, EREMOTEIO, &error);
	must_be(error < 0);
	must_be(comes_true(SETTLE_MS,
			   exporter_saw(&self->buffer).attachments == 0));
	exporter_log(&self->buffer, &log);
	pins = event_count(&log, PEER_CALL_PIN);
	if (!pins)
		skip_case("this importer does not pin");
	check_equal(PIN_03_a, pins, event_count(&log, PEER_CALL_UNPIN));
	check_equal(PIN_03_a, 0, exporter_saw(&self->buffer).order_wrong);
}

/* The same for a pin that the core takes for a map. */
CLAUSE_TEST(failed_implicit_pin_is_unwound,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_MAPS),
	    ERR_01_a)
{
	int error;

	must_unless_declined(try_import(self->importer, &self->buffer));
	must_import_with(PEER_FAIL_PIN, 0, ENOLCK, &error);
	if (!exporter_saw(&self->buffer).failures[PEER_CALL_PIN])
		skip_case("nobody pins for this importer");
	check_saying(ERR_01_a, left_behind(&self->buffer) == 0,
		     "%u things are left; import returns %s",
		     left_behind(&self->buffer), errno_text(error));
}

/* The core gives back what it pinned for a map that then failed. */
CLAUSE_TEST(failed_map_leaves_no_implicit_pin,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_MAPS) | EACH_PAIR,
	    PIN_11_e)
{
	static struct event_log log;
	int error, pins;

	must_unless_declined(try_import(self->importer, &self->buffer));
	must_be(everyone_detached(&self->buffer));
	exporter_log(&self->buffer, &log);
	must_import_with(PEER_FAIL_MAP, 0, EREMOTEIO, &error);
	must_be(error < 0);
	exporter_log(&self->buffer, &log);
	pins = event_count_with(&log, PEER_CALL_PIN, PEER_EVENT_IMPLICIT,
				PEER_EVENT_IMPLICIT);
	if (!pins)
		skip_case("the core takes no pin for this importer");
	check_equal(PIN_11_e, pins,
		    event_count_with(&log, PEER_CALL_UNPIN,
				     PEER_EVENT_IMPLICIT, PEER_EVENT_IMPLICIT));
	check_equal(PIN_11_e, 0, exporter_saw(&self->buffer).pins);
}

/* Many refused attaches: no reference held, nothing else called. */
CLAUSE_TEST(failed_attach_is_put,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES),
	    ERR_02_a, ERR_02_b)
{
	long before = fdinfo_references(self->buffer.fd);
	struct peer_exporter_stat stat;

	must(before);
	must(peer_exporter_fail(&self->buffer, PEER_FAIL_ATTACH, 0, TIMES,
				-ESTALE));
	for (int i = 0; i < TIMES; i++)
		must_be(try_import(self->importer, &self->buffer) < 0);
	check(ERR_02_a, comes_true(SETTLE_MS,
				   fdinfo_references(self->buffer.fd) == before));

	stat = exporter_saw(&self->buffer);
	check_equal(ERR_02_b, 0, stat.calls[PEER_CALL_DETACH]);
	check_equal(ERR_02_b, 0, stat.calls[PEER_CALL_MAP]);
	check_equal(ERR_02_b, 0, stat.calls[PEER_CALL_UNMAP]);
	check_equal(ERR_02_b, 0, stat.calls[PEER_CALL_PIN]);
	check_equal(ERR_02_b, 0, stat.calls[PEER_CALL_UNPIN]);
}

/* Unmap, unpin, detach: whatever was done is undone in reverse. */
static bool unwinds_in_order(const struct event_log *log)
{
	int unmap = event_last(log, PEER_CALL_UNMAP);
	int unpin = event_last(log, PEER_CALL_UNPIN);
	int detach = event_find(log, PEER_CALL_DETACH, 0);

	return unmap >= 0 && unmap < detach && unpin < detach &&
	       (unpin < 0 || unmap < unpin);
}

/* Hardware that refuses, after all of the buffer's part succeeded. */
CLAUSE_TEST(late_failure_is_unwound_in_order,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_MAPS),
	    ERR_03)
{
	capability_set has = pair_capabilities(&self->pair);
	const struct import_request request = {
		.direction = PEER_BIDIRECTIONAL,
		.pin = has & CAP(IMPORTER_DYNAMIC) &&
		       !(has & CAP(EXPORTER_REFUSES_PIN)),
		.error = EREMOTEIO,
	};
	struct attachment attachment;
	static struct event_log log;
	struct mapping mapping;

	must_unless_declined(try_import(self->importer, &self->buffer));
	exporter_log(&self->buffer, &log);
	check_errno(ERR_03, EREMOTEIO,
		    peer_import(self->importer, self->buffer.fd, NULL,
				&request, &attachment, &mapping));
	exporter_log(&self->buffer, &log);
	check(ERR_03, unwinds_in_order(&log));
	check_equal(ERR_03, 0, left_behind(&self->buffer));
}

/* A map that fails says so, and nothing of it stays mapped. */
CLAUSE_TEST(failed_map_leaves_no_mapping,
	    NEEDS(EXPORTER_PEER, EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS),
	    ERR_05_a, ERR_05_b)
{
	int error;

	must_unless_declined(try_import(self->importer, &self->buffer));
	must_import_with(PEER_FAIL_MAP, 0, EREMOTEIO, &error);
	check_errno(ERR_05_a, EREMOTEIO, error);
	check_equal(ERR_05_b, 0, exporter_saw(&self->buffer).maps);
}

/* An import in a thread of its own, to be interrupted; a pin might wait less. */
struct attempt {
	struct importer *importer;
	struct buffer *buffer;
};

static int import_in_thread(void *argument)
{
	struct attempt *attempt = argument;

	return try_access(attempt->importer, attempt->buffer, IMPORT_BOTH);
}

/*
 * Interrupts an import that waits for a fence, and then signals the fence: at
 * once if the wait is deaf to signals.
 */
static int interrupt(struct thread *thread, struct buffer *buffer, int fence)
{
	uint32_t unmaps = exporter_saw(buffer).calls[PEER_CALL_UNMAP];
	bool deaf;
	int error;

	if (!thread_waits(thread, 5))
		return -ENOENT;
	deaf = thread_state(thread) == 'D';
	error = thread_interrupt(thread);
	if (error)
		return error;
	/* A library may begin the call again by itself. */
	comes_true(deaf ? 0 : SETTLE_MS, thread->done ||
		   exporter_saw(buffer).calls[PEER_CALL_UNMAP] > unmaps);
	return peer_exporter_signal(buffer, fence);
}

/* Whether the map of a static importer was undone before anything else. */
static bool map_is_undone(const struct event_log *log)
{
	int map = event_find(log, PEER_CALL_MAP, 0);
	int unmap = event_find(log, PEER_CALL_UNMAP, map + 1);
	int again = event_find(log, PEER_CALL_MAP, map + 1);

	return map >= 0 && unmap >= 0 && (again < 0 || unmap < again) &&
	       !(log->events[unmap].flags & PEER_EVENT_TABLE_FOREIGN);
}

/* Unmapped first, then unpinned. */
static bool pin_is_undone(const struct event_log *log)
{
	int pin = event_find(log, PEER_CALL_PIN, 0);
	int unmap = event_find(log, PEER_CALL_UNMAP, 0);
	int unpin = event_find(log, PEER_CALL_UNPIN, pin + 1);

	return pin >= 0 && unmap > pin && unpin > unmap;
}

/* A signal ends the wait for fences in map, and the map is undone. */
CLAUSE_TEST(interrupted_map_is_unwound,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS),
	    ERR_04_a, ERR_04_b, ERR_06_c)
{
	struct attempt attempt = { self->importer, &self->buffer };
	static struct event_log log;
	struct thread thread;
	int fence, error, attach;

	must_unless_declined(try_import(self->importer, &self->buffer));
	must_be(everyone_detached(&self->buffer));
	exporter_log(&self->buffer, &log);
	fence = peer_exporter_fence(&self->buffer, PEER_USAGE_KERNEL, FENCE_MS);
	must(fence);
	must(thread_start(&thread, import_in_thread, &attempt));
	error = interrupt(&thread, &self->buffer, fence);
	must(thread_join(&thread, 2 * FENCE_MS, NULL));
	if (error == -ENOENT)
		skip_case("this importer does not wait for KERNEL fences");
	must(error);
	check_saying(ERR_06_c, thread.result == 0 || thread.result == -EINTR,
		     "import returns %s", errno_text(thread.result));

	exporter_log(&self->buffer, &log);
	attach = event_find(&log, PEER_CALL_ATTACH, 0);
	must_be(attach >= 0);
	if (log.events[attach].flags & PEER_EVENT_DYNAMIC)
		skip_case("the core waits for static importers only");
	check(ERR_04_a, map_is_undone(&log));
	if (event_find(&log, PEER_CALL_PIN, 0) < 0)
		skip_clause(ERR_04_b, "the core takes no pin");
	else
		check(ERR_04_b, pin_is_undone(&log));
}

CLAUSE_TEST_MAIN("errors")
