// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attach and detach: who may come, what the core does on its own account when
 * two sides of different kind meet, and what is left when one goes. The core
 * and the importers are judged through the peer exporter, exporters through
 * the peer importer. Clauses: ATT-01 to ATT-10 but for ATT-07.c (importer.c).
 */
#include "oracle/power.h"
#include "oracle/slab.h"
#include "oracle/thread.h"
#include "pair/clause_test.h"
#include "pair/kernel.h"
#include "peer/hold.h"
#include "peer/life.h"

#define OWN_ERROR	EREMOTEIO	/* no part of the kernel returns it here */
#define LEAK_ROUNDS	512	/* far more than what others come and go with */
#define STRESS_ROUNDS	100
#define WALKS		100
#define JOIN_MS		10000
#define STORM_IMPORTS	20

static bool importer_is(const struct importer *importer, enum capability what)
{
	return importer->backend.capabilities & CAP(what);
}

/* How many attachments the core has in its own list of the buffer. */
static int listed(struct buffer *buffer)
{
	struct peer_walk walk;
	int ret = peer_exporter_walk(buffer, 1, &walk);

	return ret ? ret : (int)walk.seen_max;
}

/* ---- refusals and failures ------------------------------------------ */

#define NARROW_END	(1ull << 24)

static const struct attach_options narrow = { .device = PEER_DEVICE_NARROW };

/* Says the DMA layer, one of them, when a device cannot reach what it maps. */
#define provokes_dma_warning() \
	do { \
		provokes_warning("dma_direct_map_sg"); \
		klog_expect("dma_direct_map_page"); \
		klog_expect("dma_direct_map_phys"); \
		klog_expect("dma_map_phys"); \
		klog_expect("swiotlb_map"); \
	} while (0)

/* Whether the device can put every address of its table on its bus. */
static int reaches_all(struct mapping *mapping, bool *reaches)
{
	static struct peer_table_entry entries[PAIR_BUFFER_SIZE / 4096];
	int count = peer_table(mapping, entries, ARRAY_SIZE(entries));

	*reaches = count > 0;
	for (int i = 0; i < count; i++)
		*reaches &= entries[i].address + entries[i].length <= NARROW_END;
	return count;
}

/*
 * A device with 24 address bits: the buffer lies out of its reach, so that
 * attach or map fails, or the addresses it gets are ones that it has. The DMA
 * layer warns of a map that it cannot serve.
 */
CLAUSE_TEST(narrow_device_gets_no_wide_address,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS),
	    ATT_01_a, ATT_01_b)
{
	struct mapping mapping;
	struct attachment attachment;
	bool reaches;
	int error;

	provokes_dma_warning();
	error = peer_attach(self->importer, self->buffer.fd, &narrow,
			    &attachment);
	observe(ATT_01_b, "attach: %s", errno_text(error));
	if (!error)
		error = peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping);
	skip_if_declined(error);
	if (error) {
		check_saying(ATT_01_a, true, "%s", errno_text(error));
		return;
	}
	must(reaches_all(&mapping, &reaches));
	check(ATT_01_a, reaches);
	must(peer_unmap(&mapping));
	must(peer_detach(&attachment));
}

/*
 * Memory that only peer-to-peer reaches, of an exporter that cannot move it:
 * an importer without peer-to-peer gets an error.
 */
CLAUSE_TEST(fixed_device_memory_is_out_of_reach,
	    NEEDS(EXPORTER_PEER, EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS) | EACH_PAIR,
	    ATT_01_a, ATT_01_b)
{
	const struct buffer_spec spec = {
		.size = PAIR_BUFFER_SIZE, .placement = PLACE_DEVICE,
	};
	struct hold hold = { 0 };
	struct buffer buffer;
	int error;

	if (self->exporter->backend.capabilities & CAP(EXPORTER_MOVES))
		skip_case("the exporter moves its memory to where it is reached");
	if (importer_is(self->importer, IMPORTER_P2P))
		skip_case("the importer reaches device memory");
	needs_no_decline();
	must(exporter_alloc(self->exporter, &spec, &buffer));
	error = hold_take(self->importer, buffer.fd, NULL, PEER_BIDIRECTIONAL,
			  &hold);
	check_fails(ATT_01_a, error);
	observe(ATT_01_b, "import: %s", errno_text(error));
	exporter_release(&buffer);
}

/* After a refused attach the core lists nothing and detaches nothing. */
CLAUSE_TEST(failed_attach_leaves_nothing,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES), ATT_02_a, ATT_02_b)
{
	struct import import;

	must(peer_exporter_fail(&self->buffer, PEER_FAIL_ATTACH, 0, 1,
				-OWN_ERROR));
	must_be(importer_import(self->importer, self->buffer.fd, 0,
				PAIR_BUFFER_SIZE, IMPORT_READ, &import) < 0);
	must_be(exporter_saw(&self->buffer).failures[PEER_CALL_ATTACH] == 1);

	check_equal(ATT_02_a, 0, listed(&self->buffer));
	check_equal(ATT_02_a, 0, exporter_saw(&self->buffer).attachments);
	check_equal(ATT_02_b, 0,
		    exporter_saw(&self->buffer).calls[PEER_CALL_DETACH]);
}

/* ---- what hangs on an attachment ------------------------------------ */

/* The exporter's pointer in the attachment stays what attach made it. */
CLAUSE_TEST(exporter_keeps_its_pointer,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS), ATT_03_a)
{
	struct hold hold;

	must_unless_declined(hold_take(self->importer, self->buffer.fd, NULL,
				       PEER_BIDIRECTIONAL, &hold));
	check(ATT_03_a, !hold.mapping.priv_changed);
	must(peer_unmap(&hold.mapping));
	/* The next map looks again, and so sees what the unmap did. */
	must(peer_map(&hold.attachment, PEER_BIDIRECTIONAL, &hold.mapping));
	check(ATT_03_a, !hold.mapping.priv_changed);
	must(hold_drop(&hold));
}

static int attach_and_detach(struct importer *importer, int fd, int rounds)
{
	struct attachment attachment;
	int ret = 0;

	for (int i = 0; i < rounds && !ret; i++) {
		ret = peer_attach(importer, fd, NULL, &attachment);
		if (!ret)
			ret = peer_detach(&attachment);
	}
	return ret;
}

/* One object lost a round would show; half of that is left to others. */
CLAUSE_TEST(attach_and_detach_leave_no_memory,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_ATTACHES) | ANY_IMPORTER, ATT_03_b)
{
	long before, after;

	if (kernel_config("CONFIG_KASAN_GENERIC") == CONFIG_ON)
		skip_case("KASAN keeps what was freed for a while, and so it "
			  "counts as in use");
	must_unless_declined(attach_and_detach(self->importer, self->buffer.fd,
					       8));
	before = slab_objects();
	if (before < 0)
		skip_case("/proc/slabinfo: %s", errno_text(before));
	must(attach_and_detach(self->importer, self->buffer.fd, LEAK_ROUNDS));
	after = slab_objects();
	must(after);
	check_saying(ATT_03_b, after - before < LEAK_ROUNDS / 2,
		     "%ld objects more after %d rounds", after - before,
		     LEAK_ROUNDS);
}

/* ---- locks and lists ------------------------------------------------ */

/* The exporter may take the reservation itself in attach and in detach. */
CLAUSE_TEST(attach_and_detach_come_unlocked,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES), ATT_04_a, ATT_04_b)
{
	static struct event_log log;
	struct import import;
	int attached, detached;

	must_import(IMPORT_BOTH, &import);
	must(importer_release(&import));
	must_be(everyone_detached(&self->buffer));
	exporter_log(&self->buffer, &log);
	attached = event_find(&log, PEER_CALL_ATTACH, 0);
	detached = event_find(&log, PEER_CALL_DETACH, 0);
	must_be(attached >= 0 && detached > attached);
	check(ATT_04_a, log.events[attached].lock != PEER_LOCK_CALLER);
	check(ATT_04_b, log.events[detached].lock != PEER_LOCK_CALLER);
}

struct stress {
	struct importer *importer;
	int fd;
};

static int attach_without_pause(void *argument)
{
	struct stress *stress = argument;

	return attach_and_detach(stress->importer, stress->fd, STRESS_ROUNDS);
}

/* The exporter walks the list while others come and go: it is always whole. */
CLAUSE_TEST(list_is_whole_under_the_lock,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_ATTACHES), ATT_05)
{
	struct stress stress = { self->importer, self->buffer.fd };
	struct attachment resident;
	struct peer_walk walk;
	struct thread thread;
	int error;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &resident));
	must(thread_start(&thread, attach_without_pause, &stress));
	do {
		must(peer_exporter_walk(&self->buffer, WALKS, &walk));
		check_equal(ATT_05, 0, walk.broken);
		check_saying(ATT_05, walk.seen_max == 1 || walk.seen_max == 2,
			     "%u attachments in the list", walk.seen_max);
	} while (!thread.done);
	must(thread_join(&thread, JOIN_MS, &error));
	must(error);
	check_equal(ATT_05, 1, listed(&self->buffer));
	must(peer_detach(&resident));
}

/* ---- the importer's callback ---------------------------------------- */

/*
 * Notices come without pause while the importer attaches, some before its
 * attach has returned: the import works, and nothing happens in the kernel
 * that it would complain of.
 */
CLAUSE_TEST(importer_is_ready_before_it_attaches,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_ATTACHES,
		  IMPORTER_NOTIFIED),
	    ATT_06)
{
	struct import import;
	char complaint[200] = "";
	int error;

	must(peer_exporter_storm(&self->buffer, true));
	for (int i = 0; i < STORM_IMPORTS; i++) {
		error = import_beside_notices(self->importer, &self->buffer,
					      IMPORT_BOTH, &import);
		skip_if_declined(error);
		check_ok(ATT_06, error);
		if (!error)
			check_ok(ATT_06, importer_release(&import));
	}
	must(peer_exporter_storm(&self->buffer, false));
	check_equal(ATT_06, 0, exporter_saw(&self->buffer).attachments);
	/* An importer that is not ready makes itself heard there. */
	check_saying(ATT_06, !klog_end(complaint, sizeof(complaint)), "%s",
		     complaint);
	klog_begin();
}

/* No callback where it is mandatory: EINVAL, and the core says so loudly. */
CLAUSE_TEST(missing_callback_is_refused,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_SILENT), ATT_07_a)
{
	struct attachment attachment;

	needs_law(LAW_NOTIFY_OPTIONAL, NO);
	provokes_warning("dma_buf_dynamic_attach");
	check_errno(ATT_07_a, EINVAL,
		    peer_attach(self->importer, self->buffer.fd, NULL,
				&attachment));
}

/* No callback where it may be left out: the attachment is as good as any. */
CLAUSE_TEST(missing_callback_is_accepted,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_SILENT), ATT_07_b)
{
	struct attachment attachment;
	int error;

	needs_law(LAW_NOTIFY_OPTIONAL, YES);
	error = peer_attach(self->importer, self->buffer.fd, NULL, &attachment);
	skip_if_declined(error);
	check_ok(ATT_07_b, error);
	if (!error)
		check_ok(ATT_07_b, peer_detach(&attachment));
}

/* ---- what the core does at attach ----------------------------------- */

/*
 * By kind of pair, and by nothing else: where the core maps at attach it maps
 * for a pair of one static and one dynamic side, and pins before if the
 * importer is the static one. Elsewhere attach is attach.
 */
CLAUSE_TEST(core_pins_and_maps_at_attach_by_law,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_ATTACHES),
	    ATT_08_a, ATT_08_b, ATT_08_e)
{
	bool static_importer = importer_is(self->importer, IMPORTER_STATIC);
	bool dynamic_exporter = exporter_is_dynamic(self->exporter);
	bool one_sided = static_importer == dynamic_exporter;
	struct attachment attachment;
	struct peer_exporter_stat seen;

	if (law_value(LAW_MAPS_AT_ATTACH) == EITHER)
		skip_case("whether this core maps at attach is not known");
	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	seen = exporter_saw(&self->buffer);
	check_equal(ATT_08_a, static_importer && dynamic_exporter, seen.pins);
	check_equal(ATT_08_b, one_sided, seen.maps);
	check_equal(ATT_08_e, 0, seen.calls[PEER_CALL_PIN]);
	check_equal(ATT_08_e, 0, seen.calls[PEER_CALL_MAP]);
	must(peer_detach(&attachment));
	must_be(exporter_saw(&self->buffer).maps == 0);
	must_be(exporter_saw(&self->buffer).pins == 0);
}

/* The map of the core is for both directions, as it does not know which. */
CLAUSE_TEST(core_maps_both_ways_at_attach,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_STATIC),
	    ATT_08_b)
{
	static struct event_log log;
	struct attachment attachment;
	int pinned, mapped;

	needs_law(LAW_MAPS_AT_ATTACH, YES);
	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	exporter_log(&self->buffer, &log);
	pinned = event_find(&log, PEER_CALL_PIN, 0);
	mapped = event_find(&log, PEER_CALL_MAP, 0);
	check_saying(ATT_08_b, pinned >= 0 && pinned < mapped,
		     "pin is event %d, map event %d", pinned, mapped);
	if (mapped >= 0)
		check_equal(ATT_08_b, PEER_BIDIRECTIONAL,
			    log.events[mapped].direction);
	must(peer_detach(&attachment));
}

static const struct {
	enum peer_failure step;
	enum clause_id clause;
} steps_of_attach[] = {
	{ PEER_FAIL_PIN, ATT_08_c },
	{ PEER_FAIL_MAP, ATT_08_d },
};

/* A step that fails undoes those before it, and its error comes out. */
CLAUSE_TEST(attach_undoes_what_the_core_began,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_PEER,
		  IMPORTER_STATIC),
	    ATT_08_c, ATT_08_d)
{
	struct attachment attachment;
	struct peer_exporter_stat seen;

	needs_law(LAW_MAPS_AT_ATTACH, YES);
	needs_no_decline();
	for (size_t i = 0; i < ARRAY_SIZE(steps_of_attach); i++) {
		enum clause_id clause = steps_of_attach[i].clause;

		must(peer_exporter_fail(&self->buffer, steps_of_attach[i].step,
					0, 1, -OWN_ERROR));
		check_errno(clause, OWN_ERROR,
			    peer_attach(self->importer, self->buffer.fd, NULL,
					&attachment));
		seen = exporter_saw(&self->buffer);
		check_equal(clause, 0, seen.pins);
		check_equal(clause, 0, seen.maps);
		check_equal(clause, 0, seen.attachments);
		check_equal(clause, 0, listed(&self->buffer));
		check_equal(clause, 0, seen.order_wrong);
	}
}

/* ---- what the exporter does at attach ------------------------------- */

/* The memory may still go anywhere: to attach is not yet to use. */
CLAUSE_TEST(attach_alone_moves_nothing,
	    NEEDS(EXPORTER_MOVES, IMPORTER_PEER, IMPORTER_DYNAMIC,
		  IMPORTER_ATTACHES),
	    ATT_09)
{
	struct attachment attachment;
	enum placement before;
	bool moved;
	int error;

	needs_moves_at_will();
	must(exporter_move(&self->buffer, PLACE_OTHER));
	before = place_of(&self->buffer);
	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	moved = place_of(&self->buffer) != before;
	error = exporter_move(&self->buffer, PLACE_SYSTEM);
	observe(ATT_09, "attach %s and %s",
		moved ? "moves the storage" : "leaves the storage",
		error == -EBUSY ? "pins it" : "pins nothing");
	must(peer_detach(&attachment));
}

#define must_have_power_count(before_) \
	do { \
		const char *device_ = self->exporter->backend.device; \
\
		*(before_) = power_usage(device_); \
		if (*(before_) < 0) \
			skip_case("exporter device \"%s\" shows no runtime power count", \
				  device_); \
	} while (0)

/* Power taken in attach is given back in detach. */
CLAUSE_TEST(power_is_given_back,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS), ATT_10_a)
{
	struct hold hold;
	int before;

	must_have_power_count(&before);
	must_unless_declined(hold_take(self->importer, self->buffer.fd, NULL,
				       PEER_BIDIRECTIONAL, &hold));
	must(hold_drop(&hold));
	check_equal(ATT_10_a, before,
		    power_usage(self->exporter->backend.device));
}

/* So it is where a map fails, since the device does not reach the memory. */
CLAUSE_TEST(power_is_given_back_after_failure,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS), ATT_10_b)
{
	struct hold hold;
	int before;

	must_have_power_count(&before);
	provokes_dma_warning();
	if (!hold_take(self->importer, self->buffer.fd, &narrow,
		       PEER_BIDIRECTIONAL, &hold)) {
		must(hold_drop(&hold));
		skip_case("nothing fails: the memory lies low");
	}
	check_equal(ATT_10_b, before,
		    power_usage(self->exporter->backend.device));
}

CLAUSE_TEST_MAIN("attach")
