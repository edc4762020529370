// SPDX-License-Identifier: GPL-2.0-only
/*
 * Revocation: an exporter takes a buffer away, waits until nobody reaches it,
 * and may give it back. Exporters are judged by the peer importer, importers
 * by the peer exporter. Clauses: REV-01 to REV-10, PIN-14.
 */
#include "oracle/thread.h"
#include "pair/await.h"
#include "pair/clause_test.h"
#include "pair/decline.h"
#include "pair/notice.h"
#include "peer/observe.h"

#define SEED		0x7e0c
#define FENCE_MS	500
#define LATE_MS		300
#define SETTLE_MS	10000
#define JOIN_MS		12000
#define ROUNDS		5

static bool can_be_revoked(const struct importer *importer)
{
	return importer->backend.capabilities & CAP(IMPORTER_NOTIFIED);
}

/* Whoever cannot be told of a revoke does not come in. */
CLAUSE_TEST(unrevocable_importer_is_refused,
	    NEEDS(EXPORTER_REVOKES, IMPORTER_PEER, IMPORTER_ATTACHES) | EACH_PAIR,
	    REV_01_a, REV_01_b)
{
	struct attachment attachment;
	int error;

	if (can_be_revoked(self->importer))
		skip_case("this importer can be revoked");
	error = peer_attach(self->importer, self->buffer.fd, NULL, &attachment);
	check_refused(REV_01_a, EOPNOTSUPP, error);
	observe(REV_01_b, "attach: %s", errno_text(error));
	if (!error)
		must(peer_detach(&attachment));
}

/* The peer exporter asks the core, and acts on the answer. */
CLAUSE_TEST(core_tells_who_can_be_revoked,
	    NEEDS(EXPORTER_PEER, EXPORTER_REVOKES, IMPORTER_ATTACHES) | EACH_PAIR,
	    REV_02_a, REV_02_b)
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
	if (log.events[attach].flags & PEER_EVENT_NOTIFIABLE) {
		skip_clause(REV_02_b, "this importer has a callback");
		check_ok(REV_02_a, log.events[attach].result);
	} else {
		skip_clause(REV_02_a, "this importer has no callback");
		check_errno(REV_02_b, EOPNOTSUPP, log.events[attach].result);
	}
}

CLAUSE_TEST_TIMEOUT(answer_to_revoke_is_told, 30,
	    NEEDS(EXPORTER_PEER, EXPORTER_REVOKES, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS),
	    REV_02_c, REV_08_b, REV_08_c)
{
	struct peer_exporter_stat stat;
	struct import import;
	int error;

	needs_heed();
	must_import(IMPORT_BOTH | IMPORT_PIN, &import);
	error = exporter_revoke(&self->buffer);
	stat = exporter_saw(&self->buffer);
	observe(REV_02_c, "%s", stat.maps ? "keeps its mapping" : "unmaps");
	check_saying(REV_08_b, stat.maps == 0, "%u mappings are left; revoke: %s",
		     stat.maps, errno_text(error));
	observe(REV_08_c, "%s", stat.pins ? "keeps its pin" :
		stat.calls[PEER_CALL_UNPIN] ? "unpins" : "has no pin");
	must(importer_release(&import));
}

/* It detaches at the end of the import, not before. */
CLAUSE_TEST(revoked_importer_stays_attached,
	    NEEDS(EXPORTER_PEER, EXPORTER_REVOKES, IMPORTER_NOTIFIED),
	    REV_08_a)
{
	struct import import;

	needs_heed();
	must_import(IMPORT_BOTH, &import);
	must(exporter_revoke(&self->buffer));
	check(REV_08_a, !comes_true(LATE_MS,
				    !exporter_saw(&self->buffer).attachments));
	check_ok(REV_08_a, importer_release(&import));
	check(REV_08_a, comes_true(SETTLE_MS,
				   !exporter_saw(&self->buffer).attachments));
}

/* No map while revoked, whoever attached before. */
CLAUSE_TEST(revoked_buffer_is_not_mapped,
	    NEEDS(EXPORTER_REVOKES, IMPORTER_PEER, IMPORTER_MAPS),
	    REV_03_a, REV_03_b)
{
	struct attachment before, after;
	struct mapping mapping;
	int error;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &before));
	must(exporter_revoke(&self->buffer));
	check_errno(REV_03_a, ENODEV,
		    peer_map(&before, PEER_BIDIRECTIONAL, &mapping));
	error = peer_attach(self->importer, self->buffer.fd, NULL, &after);
	observe(REV_03_b, "attach: %s", errno_text(error));
	if (!error) {
		check_errno(REV_03_a, ENODEV,
			    peer_map(&after, PEER_BIDIRECTIONAL, &mapping));
		must(peer_detach(&after));
	}
	must(peer_detach(&before));
}

/* What it had before the revoke is no use to it afterwards. */
CLAUSE_TEST_TIMEOUT(restored_buffer_is_mapped_anew, 30,
	    NEEDS(EXPORTER_PEER, EXPORTER_REVOKES, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS, IMPORTER_MOVES_BYTES),
	    REV_04_a, REV_04_b)
{
	struct import import;
	uint32_t maps;
	bool again;
	int error;

	needs_heed();
	must_import(IMPORT_BOTH | IMPORT_PIN, &import);
	must(pattern_send(SEED, &import));
	exporter_revoke(&self->buffer);	/* fails if the importer never unmaps */
	must(exporter_restore(&self->buffer));
	maps = exporter_saw(&self->buffer).calls[PEER_CALL_MAP];
	error = pattern_send(SEED + 1, &import);
	again = exporter_saw(&self->buffer).calls[PEER_CALL_MAP] > maps;

	check_saying(REV_04_a, error || again, "writes without a new mapping");
	check_ok(REV_04_a, pattern_verify(error ? SEED : SEED + 1,
					  &self->buffer));
	observe(REV_04_b, "%s", again ? "maps again" : "does not map again");
	must(importer_release(&import));
}

/* Work on it ends in an error, and changes nothing. */
CLAUSE_TEST_TIMEOUT(work_on_revoked_buffer_fails, 30,
	    NEEDS(EXPORTER_PEER, EXPORTER_REVOKES, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS, IMPORTER_MOVES_BYTES),
	    REV_10)
{
	struct import import;

	needs_heed();
	must(pattern_write(SEED, &self->buffer));
	must_import(IMPORT_BOTH, &import);
	must(pattern_receive(SEED, &import));
	exporter_revoke(&self->buffer);	/* fails if the importer never unmaps */
	check_fails(REV_10, pattern_send(SEED + 1, &import));
	check_fails(REV_10, pattern_receive(SEED, &import));
	check_ok(REV_10, pattern_verify(SEED, &self->buffer));
	must(importer_release(&import));
}

/* Whoever may still have work under way is waited for. */
CLAUSE_TEST(revoke_waits_for_fences,
	    NEEDS(EXPORTER_REVOKES, IMPORTER_PEER, IMPORTER_NOTIFIED),
	    REV_05_a)
{
	struct attachment attachment;

	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	must(peer_importer_fence(&attachment, PEER_USAGE_BOOKKEEP, FENCE_MS));
	must(exporter_revoke(&self->buffer));
	check_equal(REV_05_a, 0, importer_saw(&attachment).fences_pending);
	must(peer_detach(&attachment));
}

CLAUSE_TEST(revoke_waits_for_unmaps,
	    NEEDS(EXPORTER_REVOKES, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    REV_05_b)
{
	const struct attach_options late = {
		.reaction = PEER_REACT_LATE, .late_ms = LATE_MS,
	};
	struct attachment attachment;
	struct mapping mapping;

	must(peer_attach(self->importer, self->buffer.fd, &late, &attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	must(exporter_revoke(&self->buffer));
	check_equal(REV_05_b, 0, importer_saw(&attachment).maps);
	must(peer_detach(&attachment));
}

/* Maps until it is told that there is nothing to map any more. */
static int map_until_it_fails(void *argument)
{
	struct attachment *attachment = argument;
	struct mapping mapping;
	int error;

	do
		error = peer_map(attachment, PEER_BIDIRECTIONAL, &mapping);
	while (!error);
	return error;
}

/* A map that races with the revoke fails, or its mapping gets a notice. */
CLAUSE_TEST_TIMEOUT(no_map_slips_past_the_revoke, 60,
	    NEEDS(EXPORTER_REVOKES, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    REV_06)
{
	struct attachment attachment;
	struct thread thread;
	int error;

	for (int i = 0; i < ROUNDS; i++) {
		must(peer_attach(self->importer, self->buffer.fd, NULL,
				 &attachment));
		must(thread_start(&thread, map_until_it_fails, &attachment));
		must_be(comes_true(SETTLE_MS, importer_saw(&attachment).maps));
		error = exporter_revoke(&self->buffer);
		must(thread_join(&thread, JOIN_MS, NULL));
		check_errno(REV_06, ENODEV, thread.result);
		check_saying(REV_06, importer_saw(&attachment).maps == 0,
			     "%u mappings without a notice; revoke: %s",
			     importer_saw(&attachment).maps, errno_text(error));
		must(peer_detach(&attachment));
		if (!self->exporter->ops->restore)
			break;
		must(exporter_restore(&self->buffer));
	}
}

CLAUSE_TEST_TIMEOUT(second_revoke_does_no_harm, 30,
	    NEEDS(EXPORTER_REVOKES, EXPORTER_MAPS, IMPORTER_ATTACHES),
	    REV_07_a)
{
	struct import import;

	needs_heed();
	must_import(IMPORT_BOTH, &import);
	must(exporter_revoke(&self->buffer));
	check_ok(REV_07_a, exporter_revoke(&self->buffer));
	check_ok(REV_07_a, importer_release(&import));
}

CLAUSE_TEST_TIMEOUT(revoke_works_again_after_restore, 60,
	    NEEDS(EXPORTER_REVOKES, EXPORTER_FILLS, IMPORTER_MAPS),
	    REV_07_b)
{
	struct import import;

	if (!self->exporter->ops->restore)
		skip_case("what this exporter revoked is gone for good");
	needs_heed();
	for (int i = 0; i < ROUNDS; i++) {
		must_import(IMPORT_BOTH, &import);
		check_ok(REV_07_b, exporter_revoke(&self->buffer));
		check_ok(REV_07_b, importer_release(&import));
		check_ok(REV_07_b, exporter_restore(&self->buffer));
		check_ok(REV_07_b, pattern_write(SEED + i, &self->buffer));
	}
}

/* A callback that changes the list it is called from would break the walk. */
CLAUSE_TEST(callback_leaves_the_list_alone,
	    NEEDS(EXPORTER_PEER, IMPORTER_NOTIFIED),
	    REV_09)
{
	static struct event_log log;
	struct import first, second;

	must_import(IMPORT_BOTH, &first);
	must(importer_import(self->importer, self->buffer.fd, 0, 0, IMPORT_BOTH,
			     &second));
	exporter_log(&self->buffer, &log);
	must(peer_exporter_notify(&self->buffer, 1));
	exporter_log(&self->buffer, &log);
	must_be(event_find(&log, PEER_CALL_NOTIFY, 0) >= 0);
	check_equal(REV_09, 0, event_count(&log, PEER_CALL_ATTACH));
	check_equal(REV_09, 0, event_count(&log, PEER_CALL_DETACH));
	check_equal(REV_09, 2, exporter_saw(&self->buffer).attachments);
	must(importer_release(&first));
	must(importer_release(&second));
}

/* Pins that are left, or were too many, if the exporter counts them. */
static unsigned int wrong_pins(struct buffer *buffer)
{
	struct peer_exporter_stat stat;

	return peer_exporter_stat(buffer, &stat) ? 0 :
	       stat.pins + stat.order_wrong;
}

/* The pin may go with the mapping, inside the notice. */
CLAUSE_TEST(unpin_in_the_notice_is_accepted,
	    NEEDS(EXPORTER_REVOKES, EXPORTER_PIN_OP, EXPORTER_MAPS,
		  IMPORTER_PEER, IMPORTER_NOTIFIED),
	    PIN_14_a)
{
	const struct attach_options unpinning = {
		.reaction = PEER_REACT_UNPIN,
	};
	struct attachment attachment;
	struct mapping mapping;

	must(peer_attach(self->importer, self->buffer.fd, &unpinning,
			 &attachment));
	must(peer_pin(&attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	check_ok(PIN_14_a, exporter_revoke(&self->buffer));
	must_be(importer_saw(&attachment).pins == 0);
	check_equal(PIN_14_a, 0, wrong_pins(&self->buffer));
	must(peer_detach(&attachment));
}

/* Or it stays until long after. */
CLAUSE_TEST(unpin_after_the_revoke_is_accepted,
	    NEEDS(EXPORTER_REVOKES, EXPORTER_PIN_OP, EXPORTER_MAPS,
		  IMPORTER_PEER, IMPORTER_NOTIFIED),
	    PIN_14_b)
{
	struct attachment attachment;
	struct mapping mapping;

	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	must(peer_pin(&attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	must(exporter_revoke(&self->buffer));
	check_ok(PIN_14_b, peer_unpin(&attachment));
	check_equal(PIN_14_b, 0, wrong_pins(&self->buffer));
	must(peer_detach(&attachment));
}

CLAUSE_TEST_MAIN("revoke")
