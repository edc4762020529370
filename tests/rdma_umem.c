// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of RDMA regions: what RDMA core does to an exporter between a
 * registration and its end, and which pages the device gets. RDMA core is
 * judged, by the events and counters of the peer exporter and by bytes that
 * go through the device.
 * Clauses: RUM-01, RUM-02, RUM-04 to RUM-06, RUM-10, RUM-13 to RUM-16.
 */
#include <stdio.h>

#include "importer/region.h"
#include "oracle/bufinfo.h"
#include "oracle/fdinfo.h"
#include "oracle/fds.h"
#include "oracle/thread.h"
#include "pair/clause_test.h"
#include "peer/life.h"
#include "peer/peer_umem.h"

#define SEED		0x3e30
#define PAGE		4096
#define PAGES		64
#define SIZE		(PAGES * PAGE)
#define FENCE_MS	5000
#define SETTLE_MS	10000
#define MANY		16

/* The event by which the exporter saw the first attachment. */
static const struct peer_event *attach_of(const struct event_log *log)
{
	int attach = event_find(log, PEER_CALL_ATTACH, 0);

	return attach < 0 ? NULL : &log->events[attach];
}

/* ---- what is attached and how it is mapped -------------------------- */

CLAUSE_TEST(device_of_the_dma_is_attached,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM) | ANY_EXPORTER, RUM_01_a)
{
	const char *device = self->importer->backend.device;
	struct import import;
	struct bufinfo info;
	int found;

	must_import(IMPORT_BOTH, &import);
	found = bufinfo_find(fds_inode(self->buffer.fd), &info);
	if (found < 0)
		skip_case("cannot read bufinfo: %s", errno_text(found));
	must_be(found == 1);
	check_equal(RUM_01_a, 1, info.attachments);
	check_saying(RUM_01_a, !strcmp(info.devices[0], device),
		     "attached is %s, not %s", info.devices[0], device);
	must(importer_release(&import));
}

CLAUSE_TEST(pinned_region_allows_peer_to_peer,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM, IMPORTER_PINNED), RUM_01_b)
{
	static struct event_log log;

	must_live(IMPORT_BOTH, &log);
	must_be(attach_of(&log));
	check(RUM_01_b, attach_of(&log)->flags & PEER_EVENT_P2P);
}

CLAUSE_TEST(map_is_for_both_directions,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM, IMPORTER_MAPS) | ANY_EXPORTER, RUM_02_a)
{
	const unsigned int accesses[] = { IMPORT_READ, IMPORT_WRITE, IMPORT_BOTH };
	static struct event_log log;
	int map;

	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++) {
		must_live(accesses[i], &log);
		map = event_find(&log, PEER_CALL_MAP, 0);
		must_be(map >= 0);
		check_equal(RUM_02_a, PEER_BIDIRECTIONAL,
			    log.events[map].direction);
	}
}

/* What RDMA core makes of a descriptor that only lets read. */
CLAUSE_TEST(read_only_buffer_is_told,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM) | ANY_EXPORTER, RUM_02_b)
{
	const struct buffer_spec spec = {
		.size = PAIR_BUFFER_SIZE, .flags = BUFFER_READ_ONLY,
	};
	struct import import;
	struct buffer buffer;
	uint8_t byte = 1;
	int error;

	needs_no_decline();
	must(exporter_alloc(self->exporter, &spec, &buffer));
	error = importer_import(self->importer, buffer.fd, 0, 0, IMPORT_BOTH,
				&import);
	if (error) {
		observe(RUM_02_b, "no region: %s", errno_text(error));
	} else {
		error = importer_write(&import, 0, &byte, 1);
		observe(RUM_02_b, "a region; writing to it gives %s",
			errno_text(error));
		must(importer_release(&import));
	}
	exporter_release(&buffer);
}

/* ---- waiting for content -------------------------------------------- */

struct attempt {
	struct importer *importer;
	struct buffer *buffer;
};

static int import_in_thread(void *argument)
{
	struct attempt *attempt = argument;
	struct import import;
	int ret = importer_import(attempt->importer, attempt->buffer->fd, 0, 0,
				  IMPORT_BOTH, &import);

	return ret ? ret : importer_release(&import);
}

CLAUSE_TEST(region_waits_for_its_content,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM, IMPORTER_MAPS),
	    RUM_04_a, RUM_04_b, RUM_04_c)
{
	struct attempt attempt = { self->importer, &self->buffer };
	struct thread thread;
	int fence, result;
	char state;

	needs_no_decline();
	fence = peer_exporter_fence(&self->buffer, PEER_USAGE_KERNEL, FENCE_MS);
	must(fence);
	must(thread_start(&thread, import_in_thread, &attempt));
	check(RUM_04_a, thread_waits(&thread, 50));
	state = thread_state(&thread);
	must_be(state == 'S' || state == 'D');
	must(thread_interrupt(&thread));
	check(RUM_04_b, thread_waits(&thread, 50));
	must(peer_exporter_signal(&self->buffer, fence));
	must(thread_join(&thread, SETTLE_MS, &result));
	check_equal(RUM_04_b, 0, result);
	check_equal(RUM_04_a, 1,
		    exporter_saw(&self->buffer).calls[PEER_CALL_MAP]);
	observe(RUM_04_c, "%s", state == 'D' ? "asleep, deaf to signals" :
		"asleep, not deaf to signals");
}

/* ---- which pages the device gets ------------------------------------ */

static const unsigned int shapes[] = {
	PEER_SHAPE_MERGED, PEER_SHAPE_PAGES, PEER_SHAPE_SPLIT,
	PEER_SHAPE_PAGELESS,
};

/*
 * In a split table entries end after pages 1, 3, 6, 7, 9 and so on: windows
 * begin and end at such places, beside them, and within a page.
 */
static const struct {
	size_t offset;
	size_t length;
} windows[] = {
	{ 0, SIZE },
	{ 0, PAGE },
	{ 1 * PAGE, 2 * PAGE },
	{ 3 * PAGE, 3 * PAGE },
	{ 4 * PAGE, PAGE },
	{ 4 * PAGE + 100, 8 },
	{ 2 * PAGE, 3 * PAGE },
	{ 2 * PAGE + 4000, 200 },
	{ 5 * PAGE - 1, 2 },
	{ 7 * PAGE, 50 * PAGE },
	{ 63 * PAGE, PAGE },
	{ SIZE - 1, 1 },
	{ 1, SIZE - 2 },
};

static int receive_window(struct import *import, uint32_t seed)
{
	static uint8_t data[SIZE];
	int ret = importer_read(import, 0, data, import->length);

	if (!ret && pattern_mismatch(seed, import->offset, data,
				     import->length) >= 0)
		ret = -EILSEQ;
	return ret;
}

static int send_window(struct import *import, uint32_t seed)
{
	static uint8_t data[SIZE];

	pattern_fill(seed, import->offset, data, import->length);
	return importer_write(import, 0, data, import->length);
}

/* The window has one content, all around it another. */
static int window_holds(struct buffer *buffer, const struct import *import,
			uint32_t inside, uint32_t outside)
{
	static uint8_t data[SIZE];
	size_t end = import->offset + import->length;
	int ret = exporter_read(buffer, 0, data, SIZE);

	if (!ret && (pattern_mismatch(outside, 0, data, import->offset) >= 0 ||
		     pattern_mismatch(inside, import->offset,
				      data + import->offset,
				      import->length) >= 0 ||
		     pattern_mismatch(outside, end, data + end,
				      SIZE - end) >= 0))
		ret = -EILSEQ;
	return ret;
}

static int window_works(struct buffer *buffer, struct import *import)
{
	int ret = receive_window(import, SEED);

	if (!ret)
		ret = send_window(import, ~SEED);
	return ret ? ret : window_holds(buffer, import, ~SEED, SEED);
}

/* Every byte where it belongs, in every shape of table. */
CLAUSE_TEST(windows_show_their_bytes,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM, IMPORTER_MOVES_BYTES) | ANY_EXPORTER, RUM_05_a)
{
	struct buffer_spec spec = { .size = SIZE };
	struct import import;
	struct buffer buffer;
	int error;

	needs_no_decline();
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		spec.shape = shapes[i];
		must(exporter_alloc(self->exporter, &spec, &buffer));
		for (size_t j = 0; j < ARRAY_SIZE(windows); j++) {
			must(pattern_write(SEED, &buffer));
			must(importer_import(self->importer, buffer.fd,
					     windows[j].offset,
					     windows[j].length, IMPORT_BOTH,
					     &import));
			error = window_works(&buffer, &import);
			check_saying(RUM_05_a, !error,
				     "shape %u, %zu bytes at %zu: %s",
				     shapes[i], import.length, import.offset,
				     errno_text(error));
			must(importer_release(&import));
		}
		exporter_release(&buffer);
	}
}

/*
 * A table that ends before the region does. What a device makes of pages that
 * it was not given is not tried out.
 */
CLAUSE_TEST(short_table_is_told,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM, IMPORTER_MAPS) | ANY_EXPORTER, RUM_14)
{
	const struct buffer_spec spec = { .size = SIZE, .flags = BUFFER_SHORT };
	struct import import;
	struct buffer buffer;
	int error;

	disrupts("gives a device fewer pages than it asked for");
	must(exporter_alloc(self->exporter, &spec, &buffer));
	error = importer_import(self->importer, buffer.fd, 0, SIZE, IMPORT_BOTH,
				&import);
	skip_if_declined(error);
	if (error) {
		observe(RUM_14, "no region: %s", errno_text(error));
	} else {
		observe(RUM_14, "a region, without a word");
		must(importer_release(&import));
	}
	exporter_release(&buffer);
}

/* The exporter gets its table back as it was, wherever a window began. */
CLAUSE_TEST(table_is_restored,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM, IMPORTER_MAPS) | ANY_EXPORTER, RUM_06)
{
	struct buffer_spec spec = { .size = SIZE };
	struct import import;
	struct buffer buffer;

	needs_no_decline();
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		spec.shape = shapes[i];
		must(exporter_alloc(self->exporter, &spec, &buffer));
		for (size_t j = 0; j < ARRAY_SIZE(windows); j++) {
			uint32_t changed = exporter_saw(&buffer).tables_changed;

			must(importer_import(self->importer, buffer.fd,
					     windows[j].offset,
					     windows[j].length, IMPORT_BOTH,
					     &import));
			must(importer_release(&import));
			check_saying(RUM_06, exporter_saw(&buffer).tables_changed ==
				     changed, "shape %u, %zu bytes at %zu",
				     shapes[i], windows[j].length,
				     windows[j].offset);
		}
		exporter_release(&buffer);
	}
}

/* ---- the end -------------------------------------------------------- */

static bool in_order(const struct event_log *log, enum peer_call earlier,
		     enum peer_call later)
{
	int first = event_last(log, earlier), second = event_find(log, later, 0);

	return first < 0 || second < 0 || first < second;
}

CLAUSE_TEST(release_undoes_each_step_once,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM, IMPORTER_MAPS), RUM_10_a)
{
	static struct event_log log;
	long before = fdinfo_of(self->buffer.fd).count;

	must_live(IMPORT_BOTH, &log);
	check_equal(RUM_10_a, 1, event_count(&log, PEER_CALL_DETACH));
	check_equal(RUM_10_a, event_count(&log, PEER_CALL_MAP),
		    event_count(&log, PEER_CALL_UNMAP));
	check_equal(RUM_10_a, event_count(&log, PEER_CALL_PIN),
		    event_count(&log, PEER_CALL_UNPIN));
	check(RUM_10_a, in_order(&log, PEER_CALL_UNMAP, PEER_CALL_UNPIN));
	check(RUM_10_a, in_order(&log, PEER_CALL_UNPIN, PEER_CALL_DETACH));
	check_equal(RUM_10_a, 0, exporter_saw(&self->buffer).order_wrong);
	check_equal(RUM_10_a, before, fdinfo_of(self->buffer.fd).count);
}

/* ---- notices -------------------------------------------------------- */

/* Words of the callback that regions have where one is mandatory. */
#define IGNORED_NOTICE	"should not be called when memory is pinned"

/* Of the importers that pin, the suite's own also has regions to revoke. */
#define needs_unrevocable() \
	do { \
		if (umem_mode(self->importer) == PEER_UMEM_REVOCABLE) \
			skip_case("a notice revokes these regions"); \
	} while (0)

/*
 * It says so ten times in five seconds at most, for whatever region: when that
 * was used up by others, a notice after that time is told of again.
 */
#define RATE_LIMIT_MS	11000

static bool says_that_it_ignores(struct buffer *buffer)
{
	int listener = klog_listen();

	if (listener < 0)
		return false;
	(void)peer_exporter_notify(buffer, 1);
	return klog_heard(listener, IGNORED_NOTICE);
}

CLAUSE_TEST(notice_changes_nothing,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_UMEM,
		  IMPORTER_PINNED),
	    RUM_13_a, RUM_13_c)
{
	struct peer_exporter_stat before, after;
	struct import import;
	int listener;
	bool told;

	needs_unrevocable();
	must(pattern_write(SEED, &self->buffer));
	must_import(IMPORT_BOTH, &import);
	before = exporter_saw(&self->buffer);
	must(listener = klog_listen());
	must(peer_exporter_notify(&self->buffer, 3));
	told = klog_heard(listener, IGNORED_NOTICE);
	after = exporter_saw(&self->buffer);
	check(RUM_13_a, after.pins);
	check(RUM_13_a, after.maps);
	check_equal(RUM_13_a, before.pins, after.pins);
	check_equal(RUM_13_a, before.calls[PEER_CALL_UNMAP],
		    after.calls[PEER_CALL_UNMAP]);
	check_equal(RUM_13_a, before.calls[PEER_CALL_MAP],
		    after.calls[PEER_CALL_MAP]);
	check(RUM_13_c, told ||
	      comes_true(law_is(LAW_NOTIFY_OPTIONAL) ? 0 : RATE_LIMIT_MS,
			 says_that_it_ignores(&self->buffer)));
	if (pair_capabilities(&self->pair) & CAP(IMPORTER_MOVES_BYTES))
		check_ok(RUM_13_a, pattern_receive(SEED, &import));
	must(importer_release(&import));
}

CLAUSE_TEST(pinned_region_has_no_callback,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM, IMPORTER_PINNED), RUM_13_b)
{
	static struct event_log log;

	needs_unrevocable();
	must_live(IMPORT_BOTH, &log);
	must_be(attach_of(&log));
	check(RUM_13_b, !(attach_of(&log)->flags & PEER_EVENT_NOTIFIABLE));
}

/* ---- several regions ------------------------------------------------ */

static int import_many(struct pair *pair, int fd, struct import *imports)
{
	int ret = 0;

	for (int i = 0; !ret && i < MANY; i++)
		ret = importer_import(&pair->importer, fd, 0, 0, IMPORT_BOTH,
				      &imports[i]);
	return ret;
}

/* Whether the i-th of many goes in the first half; in no simple order. */
static bool goes_first(int i)
{
	return i * 7 % MANY < MANY / 2;
}

#define must_release_half(first_) \
	do { \
		for (int i_ = 0; i_ < MANY; i_++) \
			if (goes_first(i_) == (first_)) \
				must(importer_release(&imports[i_])); \
	} while (0)

/* RDMA core has a way of its own for each kind of region and buffer. */
CLAUSE_TEST(regions_of_a_buffer_are_independent,
	    NEEDS(EXPORTER_MAPS, IMPORTER_UMEM) | EACH_PAIR, RUM_15_a, RUM_15_b)
{
	static struct import imports[MANY];
	int before = region_attachments(&self->buffer);

	if (before < 0)
		skip_case("cannot read bufinfo: %s", errno_text(before));
	needs_no_decline();
	must(import_many(&self->pair, self->buffer.fd, imports));
	check_equal(RUM_15_a, before + MANY, region_attachments(&self->buffer));
	must_release_half(true);
	check(RUM_15_b, comes_true(SETTLE_MS, region_attachments(&self->buffer) ==
				   before + MANY / 2));
	if (pair_capabilities(&self->pair) & CAP(IMPORTER_MOVES_BYTES) &&
	    pair_capabilities(&self->pair) & CAP(EXPORTER_FILLS)) {
		for (int i = 0; i < MANY; i++) {
			if (goes_first(i))
				continue;
			check_ok(RUM_15_b, pattern_send(SEED + i, &imports[i]));
			check_ok(RUM_15_b, pattern_verify(SEED + i,
							  &self->buffer));
		}
	}
	must_release_half(false);
	check(RUM_15_b, comes_true(SETTLE_MS,
				   region_attachments(&self->buffer) == before));
}

/* One after another, with regions of other buffers around. */
CLAUSE_TEST(regions_of_many_buffers_are_independent,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_UMEM,
		  IMPORTER_MOVES_BYTES),
	    RUM_15_b)
{
	const struct buffer_spec spec = { .size = PAGE };
	static struct import imports[MANY];
	static struct buffer buffers[MANY];

	needs_no_decline();
	for (int i = 0; i < MANY; i++) {
		must(exporter_alloc(self->exporter, &spec, &buffers[i]));
		must(pattern_write(SEED + i, &buffers[i]));
		must(importer_import(self->importer, buffers[i].fd, 0, 0,
				     IMPORT_BOTH, &imports[i]));
	}
	for (int i = 0; i < MANY; i++)
		check_ok(RUM_15_b, pattern_receive(SEED + i, &imports[i]));
	must_release_half(true);
	for (int i = 0; i < MANY; i++)
		if (!goes_first(i))
			check_ok(RUM_15_b, pattern_receive(SEED + i,
							   &imports[i]));
	must_release_half(false);
	for (int i = 0; i < MANY; i++)
		exporter_release(&buffers[i]);
}

/* ---- refusals ------------------------------------------------------- */

CLAUSE_TEST(error_of_pin_is_handed_on,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_UMEM,
		  IMPORTER_PINNED),
	    RUM_16_a)
{
	static const int errors[] = {
		EINVAL, EOPNOTSUPP, ENOMEM, EBUSY, EREMOTEIO, ESTALE,
	};
	struct import import;

	must_import(IMPORT_BOTH, &import);
	must(importer_release(&import));
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		must(peer_exporter_fail(&self->buffer, PEER_FAIL_PIN, 0, 1,
					-errors[i]));
		check_equal(RUM_16_a, -errors[i],
			    importer_import(self->importer, self->buffer.fd,
					    0, 0, IMPORT_BOTH, &import));
		must(peer_exporter_fail(&self->buffer, PEER_FAIL_PIN, 0, 0, 0));
	}
}

/* The documented refusal, and nothing of it left. */
CLAUSE_TEST(refusal_to_pin_is_handed_on,
	    NEEDS(EXPORTER_PEER, EXPORTER_REFUSES_PIN, IMPORTER_UMEM,
		  IMPORTER_PINNED),
	    RUM_16_b)
{
	struct peer_exporter_stat stat;
	struct import import;

	check_errno(RUM_16_b, EOPNOTSUPP,
		    importer_import(self->importer, self->buffer.fd, 0, 0,
				    IMPORT_BOTH, &import));
	stat = exporter_saw(&self->buffer);
	check_equal(RUM_16_b, 0, stat.attachments + stat.maps + stat.pins);
}

CLAUSE_TEST_MAIN("rdma_umem")
