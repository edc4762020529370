// SPDX-License-Identifier: GPL-2.0-only
/*
 * The steps between RDMA core and a driver: map, unmap, revoke, and what a
 * driver is told and handed. RDMA core is judged through the suite's own
 * importer, and that importer for its part, which is a self-test; what does not
 * need the steps is in rdma_umem.c, and the driver's keys in a race with notices
 * are in umem_key.c.
 * Clauses: RUM-03, RUM-05.b to .d, RUM-06 to RUM-12,
 * NIC-01 to NIC-05, NIC-07, NIC-11.
 */
#include <sched.h>

#include "oracle/drive.h"
#include "oracle/guard.h"
#include "oracle/module.h"
#include "oracle/thread.h"
#include "pair/clause_test.h"
#include "peer/life.h"
#include "peer/peer_umem.h"
#include "peer/umem_case.h"

#define SEED		0x75e3
#define PAGE		((size_t)4096)
#define PAGES		64
#define SIZE		(PAGES * PAGE)
#define FENCE_MS	5000
#define SETTLE_MS	10000
#define NOTICES		3
#define OWN_ERROR	EREMOTEIO	/* no part of the kernel returns it here */

static int region_log(struct umem_region *region, struct event_log *log)
{
	int count = umem_events(region, log->events, EVENT_LOG_SIZE);

	log->count = count < 0 ? 0 : count;
	return count < 0 ? count : 0;
}

/* Calls of revoke callbacks, also for regions that are gone; < 0: an errno. */
static long revokes_told(struct importer *importer)
{
	struct peer_umem_info info;
	int ret = umem_info(importer, &info);

	return ret ? ret : (long)info.revokes;
}

/* ---- map and unmap --------------------------------------------------- */

static int map_in_thread(void *argument)
{
	return umem_map(argument, NULL);
}

/* Mapped is mapped; but new content may be on its way. */
CLAUSE_TEST(second_map_only_waits,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS) | ANY_EXPORTER,
	    RUM_03_a, RUM_03_b)
{
	struct umem_region region;
	struct thread thread;
	int fence, result;
	uint32_t maps;

	must_register(0, &region);
	maps = exporter_saw(&self->buffer).calls[PEER_CALL_MAP];
	must(umem_map(&region, NULL));
	check_equal(RUM_03_a, maps,
		    exporter_saw(&self->buffer).calls[PEER_CALL_MAP]);

	fence = peer_exporter_fence(&self->buffer, PEER_USAGE_KERNEL, FENCE_MS);
	must(fence);
	must(thread_start(&thread, map_in_thread, &region));
	check(RUM_03_b, thread_waits(&thread, 30));
	must(peer_exporter_signal(&self->buffer, fence));
	must(thread_join(&thread, SETTLE_MS, &result));
	check_equal(RUM_03_b, 0, result);
	check_equal(RUM_03_a, maps,
		    exporter_saw(&self->buffer).calls[PEER_CALL_MAP]);
	must(umem_deregister(&region));
}

CLAUSE_TEST(second_unmap_does_nothing,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS) | ANY_EXPORTER, RUM_07)
{
	struct umem_region region;
	uint32_t unmaps;

	must(pattern_write(SEED, &self->buffer));
	must_register(0, &region);
	must(umem_unmap(&region));
	unmaps = exporter_saw(&self->buffer).calls[PEER_CALL_UNMAP];
	check_ok(RUM_07, umem_unmap(&region));
	check_equal(RUM_07, unmaps,
		    exporter_saw(&self->buffer).calls[PEER_CALL_UNMAP]);
	check_equal(RUM_07, 0, exporter_saw(&self->buffer).order_wrong);

	must(umem_map(&region, NULL));
	check_ok(RUM_07, region_shows(&region, SEED));
	must(umem_deregister(&region));
}

/* Before there was a map, too. */
CLAUSE_TEST(unmap_before_map_does_nothing,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS) | ANY_EXPORTER, RUM_07)
{
	struct umem_region region;

	if (umem_mode(self->importer) != PEER_UMEM_DYNAMIC)
		skip_case("RDMA core maps these regions itself");
	must_register(PEER_UMEM_UNMAPPED, &region);
	check_ok(RUM_07, umem_unmap(&region));
	check_equal(RUM_07, 0, exporter_saw(&self->buffer).order_wrong);
	must(umem_deregister(&region));
}

/* ---- which entries the device gets ----------------------------------- */

/*
 * Without an IOMMU the device gets the entries as the exporter made them, with
 * one they are likely to be one.
 */
static const enum peer_device devices[] = {
	PEER_DEVICE_BEST, PEER_DEVICE_PLATFORM,
};

static const enum peer_shape shapes[] = {
	PEER_SHAPE_MERGED, PEER_SHAPE_PAGES, PEER_SHAPE_SPLIT,
	PEER_SHAPE_PAGELESS,
};

/* A split table has entries of 1, 2, 3, 1 ... pages. */
static const struct {
	size_t offset;
	size_t length;
} windows[] = {
	{ 0, SIZE },
	{ 0, PAGE },
	{ 0, 1 },
	{ PAGE, PAGE },
	{ 3 * PAGE, 3 * PAGE },
	{ 2 * PAGE, 3 * PAGE },
	{ 4 * PAGE, PAGE },
	{ 4 * PAGE + 100, 8 },
	{ 6 * PAGE - 1, 2 },
	{ 5 * PAGE + 1, 40 * PAGE },
	{ SIZE - PAGE, PAGE },
	{ SIZE - 1, 1 },
};

#define ENTRIES_MAX	(2 * PAGES)

struct table {
	int count;
	struct peer_table_entry entries[ENTRIES_MAX];
};

static int table_of(struct importer *importer, int fd,
		    const struct umem_options *options, struct table *table)
{
	struct umem_region region;
	int ret = umem_register(importer, fd, options, &region);

	if (ret)
		return ret;
	table->count = umem_table(&region, table->entries, ENTRIES_MAX);
	ret = umem_deregister(&region);
	return table->count < 0 ? table->count : ret;
}

/* The lengths that a range cuts out of a table; addresses are another map's. */
static void cut(const struct table *whole, size_t start, size_t end,
		struct table *out)
{
	size_t at = 0;

	out->count = 0;
	for (int i = 0; i < whole->count; i++) {
		size_t first = at, last = at + whole->entries[i].length;

		at = last;
		if (first < start)
			first = start;
		if (last > end)
			last = end;
		if (first < last)
			out->entries[out->count++].length = last - first;
	}
}

static size_t last_length(const struct table *table)
{
	return table->count > 0 ? table->entries[table->count - 1].length : 0;
}

static size_t page_down(size_t offset)
{
	return offset / PAGE * PAGE;
}

/* First and last entry are cut, what lies between is left as it was. */
CLAUSE_TEST(table_has_the_pages_of_the_region,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS) | ANY_EXPORTER,
	    RUM_05_b, RUM_05_c, RUM_05_d)
{
	static struct table whole, wanted, seen;
	struct buffer_spec spec = { .size = SIZE };
	struct buffer buffer;

	needs_no_decline();
	for (size_t i = 0; i < ARRAY_SIZE(shapes) * ARRAY_SIZE(devices); i++) {
		struct umem_options options = {
			.device = devices[i % ARRAY_SIZE(devices)],
			.length = SIZE,
		};

		spec.shape = shapes[i / ARRAY_SIZE(devices)];
		must(exporter_alloc(self->exporter, &spec, &buffer));
		must(table_of(self->importer, buffer.fd, &options, &whole));
		for (size_t j = 0; j < ARRAY_SIZE(windows); j++) {
			options.offset = windows[j].offset;
			options.length = windows[j].length;
			must(table_of(self->importer, buffer.fd, &options,
				      &seen));
			cut(&whole, page_down(options.offset),
			    page_down(options.offset + options.length +
				      PAGE - 1), &wanted);
			check_equal(RUM_05_d, wanted.count, seen.count);
			check_equal(RUM_05_b, wanted.entries[0].length,
				    seen.entries[0].length);
			check_equal(RUM_05_b, 0,
				    seen.entries[0].address % PAGE);
			check_equal(RUM_05_c, last_length(&wanted),
				    last_length(&seen));
		}
		exporter_release(&buffer);
	}
}

/* Also when it is a notice that ends the mapping. */
CLAUSE_TEST(table_is_restored_after_a_notice,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS, IMPORTER_NOTIFIED) | ANY_EXPORTER,
	    RUM_06)
{
	struct buffer_spec spec = { .size = SIZE };
	struct umem_options options = { .device = PEER_DEVICE_PLATFORM };
	struct umem_region region;
	struct buffer buffer;

	needs_no_decline();
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		spec.shape = shapes[i];
		must(exporter_alloc(self->exporter, &spec, &buffer));
		for (size_t j = 0; j < ARRAY_SIZE(windows); j++) {
			options.offset = windows[j].offset;
			options.length = windows[j].length;
			must(umem_register(self->importer, buffer.fd, &options,
					   &region));
			must(peer_exporter_notify(&buffer, 1));
			must_be(!region_saw(&region).mapped);
			check_equal(RUM_06, 0,
				    exporter_saw(&buffer).tables_changed);
			must(umem_deregister(&region));
		}
		exporter_release(&buffer);
	}
}

/* ---- revoke ----------------------------------------------------------- */

/* By the exporter where that can be, else by the driver. */
static int revoke_region(struct buffer *buffer, struct umem_region *region)
{
	if (umem_mode(region->importer) == PEER_UMEM_REVOCABLE)
		return peer_exporter_notify(buffer, 1);
	return umem_revoke(region);
}

CLAUSE_TEST(revoked_region_cannot_be_mapped,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS), RUM_08)
{
	struct umem_region region;
	uint32_t maps;

	needs_law(LAW_UMEM_REVOKES, YES);
	must_register(0, &region);
	must(revoke_region(&self->buffer, &region));
	must_be(region_saw(&region).revoked);
	maps = exporter_saw(&self->buffer).maps;
	check_errno(RUM_08, EINVAL, umem_map(&region, NULL));
	must(peer_exporter_notify(&self->buffer, 1));
	check_errno(RUM_08, EINVAL, umem_map(&region, NULL));
	check_equal(RUM_08, maps, exporter_saw(&self->buffer).maps);
	must(umem_deregister(&region));
}

static uint64_t time_of(const struct event_log *log, enum peer_call call)
{
	int event = event_find(log, call, 0);

	return event < 0 ? 0 : log->events[event].time_ns;
}

static bool is_locked(const struct event_log *log, enum peer_call call)
{
	int count = event_count(log, call);

	return count > 0 && count == event_count_locked(log, call);
}

/* Callback, unmap, unpin: once, and under the reservation. */
CLAUSE_TEST(revoke_goes_in_order,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_UMEM_STEPS,
		  IMPORTER_PINNED, IMPORTER_NOTIFIED),
	    RUM_09_a, RUM_09_b, RUM_09_c)
{
	static struct event_log exporter, driver;
	struct umem_region region;
	long told;

	must_register(0, &region);
	exporter_log(&self->buffer, &exporter);
	told = revokes_told(self->importer);
	must(told);
	must(peer_exporter_notify(&self->buffer, NOTICES));

	exporter_log(&self->buffer, &exporter);
	must(region_log(&region, &driver));
	check(RUM_09_a, time_of(&driver, PEER_CALL_REVOKE));
	check(RUM_09_a, time_of(&driver, PEER_CALL_REVOKE) <
	      time_of(&exporter, PEER_CALL_UNMAP));
	check(RUM_09_a, time_of(&exporter, PEER_CALL_UNMAP) <
	      time_of(&exporter, PEER_CALL_UNPIN));
	check(RUM_09_c, is_locked(&driver, PEER_CALL_REVOKE));
	check(RUM_09_c, is_locked(&exporter, PEER_CALL_UNMAP));
	check(RUM_09_c, is_locked(&exporter, PEER_CALL_UNPIN));

	must(umem_deregister(&region));
	must(peer_exporter_notify(&self->buffer, NOTICES));
	check_equal(RUM_09_b, told + 1, revokes_told(self->importer));
	check_equal(RUM_09_b, 1, event_count(&exporter, PEER_CALL_UNMAP));
	exporter_log(&self->buffer, &exporter);
	check_equal(RUM_09_b, 0, event_count(&exporter, PEER_CALL_UNMAP));
	check_equal(RUM_09_b, 0, event_count(&exporter, PEER_CALL_UNPIN));
}

/* Nobody revoked it: the driver hears of it all the same, at the end. */
CLAUSE_TEST(release_tells_the_driver,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS, IMPORTER_PINNED,
		  IMPORTER_NOTIFIED),
	    RUM_10_b)
{
	long told = revokes_told(self->importer);
	struct umem_region region;

	must(told);
	must_register(0, &region);
	must_be(revokes_told(self->importer) == told);
	must(umem_deregister(&region));
	check_equal(RUM_10_b, told + 1, revokes_told(self->importer));
}

/*
 * A region may be revoked before it is there: here by the notice of a pin that
 * moves the storage. RDMA core then gives up, and has to undo that pin.
 */
CLAUSE_TEST(region_revoked_by_its_own_pin_is_undone,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, EXPORTER_PIN_OP,
		  IMPORTER_UMEM_STEPS, IMPORTER_PINNED, IMPORTER_NOTIFIED),
	    RUM_10_a)
{
	const struct umem_options options = { .length = PAIR_BUFFER_SIZE };
	struct peer_exporter_stat stat;
	struct umem_region region;

	needs_no_decline();
	must(exporter_move(&self->buffer, PLACE_OTHER));
	if (!umem_register(self->importer, self->buffer.fd, &options, &region))
		skip_case("a pin moves nothing here");
	stat = exporter_saw(&self->buffer);
	/* It failed behind a pin, and not on its way there. */
	must_be(stat.calls[PEER_CALL_PIN] > stat.failures[PEER_CALL_PIN]);
	check_equal(RUM_10_a, 0, stat.attachments);
	check_equal(RUM_10_a, 0, stat.pins);
	check_equal(RUM_10_a, 0, stat.order_wrong);
}

CLAUSE_TEST(region_is_handed_over_locked,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS, IMPORTER_PINNED,
		  IMPORTER_NOTIFIED) | ANY_EXPORTER,
	    RUM_11_a)
{
	struct umem_region region;

	must_register(0, &region);
	check_equal(RUM_11_a, PEER_LOCK_CALLER, region.handed_over);
	must(umem_deregister(&region));
}

static int register_in_vain(struct importer *importer, int fd)
{
	const struct umem_options options = {
		.length = PAIR_BUFFER_SIZE, .error = -OWN_ERROR,
	};
	struct umem_region region;

	return umem_register(importer, fd, &options, &region);
}

CLAUSE_TEST(driver_that_gave_up_is_not_told,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS, IMPORTER_PINNED,
		  IMPORTER_NOTIFIED),
	    RUM_11_b)
{
	long told = revokes_told(self->importer);

	must(told);
	needs_no_decline();
	must_be(register_in_vain(self->importer, self->buffer.fd) == -OWN_ERROR);
	check_equal(RUM_11_b, told, revokes_told(self->importer));
}

CLAUSE_TEST(callback_is_demanded,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS), RUM_12)
{
	const struct umem_options options = {
		.length = PAIR_BUFFER_SIZE, .flags = PEER_UMEM_UNTOLD,
	};
	struct umem_region region;

	needs_law(LAW_NOTIFY_OPTIONAL, NO);
	if (umem_mode(self->importer) != PEER_UMEM_DYNAMIC)
		skip_case("these regions have the callback of RDMA core");
	check_errno(RUM_12, EINVAL,
		    umem_register(self->importer, self->buffer.fd, &options,
				  &region));
}

/* ---- the driver's part ------------------------------------------------ */

/* Nothing is left, and the next registration works. */
CLAUSE_TEST(refused_registration_is_undone,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS),
	    NIC_07_a, NIC_07_b, NIC_07_c)
{
	struct peer_exporter_stat stat;
	struct umem_region region;

	needs_no_decline();
	check_errno(NIC_07_b, OWN_ERROR,
		    register_in_vain(self->importer, self->buffer.fd));
	stat = exporter_saw(&self->buffer);
	check_equal(NIC_07_a, 0, stat.attachments);
	check_equal(NIC_07_a, 0, stat.maps);
	check_equal(NIC_07_a, 0, stat.pins);
	check_equal(NIC_07_a, 0, stat.order_wrong);
	check_equal(NIC_07_a, stat.calls[PEER_CALL_MAP],
		    stat.calls[PEER_CALL_UNMAP]);
	must(pattern_write(SEED, &self->buffer));
	must_register(0, &region);
	check_ok(NIC_07_c, region_shows(&region, SEED));
	check_ok(NIC_07_c, umem_deregister(&region));
	check_errno(NIC_07_c, ENOENT, umem_deregister(&region));
}

/* From callback to map accesses wait: the key is suspended. */
CLAUSE_TEST(notice_suspends_the_key,
	    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS, IMPORTER_NOTIFIED),
	    NIC_01_a, NIC_02_a)
{
	struct umem_region region;

	needs_dynamic();
	must(pattern_write(SEED, &self->buffer));
	must_register(0, &region);
	must(region_shows(&region, SEED));
	must(peer_exporter_notify(&self->buffer, 1));
	check_equal(NIC_01_a, PEER_UMEM_KEY_SUSPENDED, region_saw(&region).key);
	check_errno(NIC_01_a, EAGAIN, region_shows(&region, SEED));
	check_ok(NIC_02_a, umem_map(&region, NULL));
	check_ok(NIC_02_a, region_shows(&region, SEED));
	must(umem_deregister(&region));
}

/* What is freed and allocated from here on goes through one processor. */
static int stay_on_this_processor(void)
{
	int processor = sched_getcpu();
	cpu_set_t set;

	if (processor < 0)
		return -errno;
	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

/*
 * The addresses of an IOMMU are handed out again, first to whoever asks for as
 * many on the same processor. A region that gets its own ones back cannot be
 * told from one that never gave them up: @squatter, of another buffer, is to
 * have them.
 */
static int take_given_up_addresses(struct importer *importer,
				   const struct buffer *other,
				   struct umem_region *squatter)
{
	const struct umem_options options = { .length = other->size };

	return umem_register(importer, other->fd, &options, squatter);
}

/* Mapped again on command, or by the driver itself. */
CLAUSE_TEST(region_goes_on_at_the_new_place,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_UMEM_STEPS,
		  IMPORTER_NOTIFIED),
	    NIC_01_a, NIC_02_a, NIC_02_b)
{
	const struct buffer_spec spec = { .size = PAIR_BUFFER_SIZE };
	const unsigned int flags[] = { 0, PEER_UMEM_REMAP };
	struct umem_region region, squatter;
	struct buffer other;

	needs_dynamic();
	needs_law(LAW_MOVES_WHILE_MAPPED, YES);
	must(stay_on_this_processor());
	must(exporter_alloc(self->exporter, &spec, &other));
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		must(exporter_move(&self->buffer, PLACE_SYSTEM));
		must(pattern_write(SEED, &self->buffer));
		must_register(flags[i], &region);
		must(region_shows(&region, SEED));
		must(exporter_move(&self->buffer, PLACE_OTHER));
		check_ok(NIC_01_a, place_is_poisoned(&self->buffer,
						     PEER_PLACE_SYSTEM));
		must(take_given_up_addresses(self->importer, &other, &squatter));
		if (flags[i])
			check(NIC_02_a, comes_true(SETTLE_MS,
						   region_saw(&region).key ==
						   PEER_UMEM_KEY_LIVE));
		else
			must(umem_map(&region, NULL));
		must(pattern_write(~SEED, &self->buffer));
		check_ok(NIC_02_b, region_shows(&region, ~SEED));
		must(umem_deregister(&region));
		must(umem_deregister(&squatter));
	}
	exporter_release(&other);
}

/* What a dead key names is out of reach, and stays so. */
CLAUSE_TEST(revoked_key_is_dead,
	    NEEDS(EXPORTER_PEER, EXPORTER_REVOKES, IMPORTER_UMEM_STEPS,
		  IMPORTER_PINNED, IMPORTER_NOTIFIED),
	    NIC_03, NIC_04_b, NIC_05_a, NIC_05_b)
{
	static struct event_log log;
	struct umem_region region;

	must(pattern_write(SEED, &self->buffer));
	must_register(0, &region);
	must(region_shows(&region, SEED));
	exporter_log(&self->buffer, &log);
	must(exporter_revoke(&self->buffer));
	check_errno(NIC_03, EKEYREVOKED, region_shows(&region, SEED));
	must(exporter_restore(&self->buffer));
	check_errno(NIC_04_b, EKEYREVOKED, region_shows(&region, SEED));
	check_equal(NIC_04_b, PEER_UMEM_KEY_DEAD, region_saw(&region).key);
	check_ok(NIC_05_a, umem_deregister(&region));
	exporter_log(&self->buffer, &log);
	check_equal(NIC_05_b, 1, event_count(&log, PEER_CALL_UNMAP));
	check_equal(NIC_05_b, 1, event_count_with(&log, PEER_CALL_UNPIN,
						  PEER_EVENT_IMPLICIT, 0));
	check_equal(NIC_05_b, 0, exporter_saw(&self->buffer).order_wrong);
}

/* The region ends with the device; the handle stays, and names nothing. */
CLAUSE_TEST_TIMEOUT(device_goes_with_its_region, 60,
		    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS),
		    NIC_11_a, NIC_11_b, NIC_11_c)
{
	static struct binding binding;
	struct peer_exporter_stat stat;
	struct umem_region region;
	pid_t guard;

	disrupts("takes a device from its driver");
	if (drive_find(self->importer->backend.device, &binding))
		skip_case("the device is no PCI function");
	must(pattern_write(SEED, &self->buffer));
	must_register(0, &region);
	must(guard = drive_guard(&binding));
	must(drive(binding.driver, "unbind", binding.device));
	stat = exporter_saw(&self->buffer);
	check_equal(NIC_11_a, 0, stat.attachments);
	check_equal(NIC_11_a, 0, stat.maps + stat.pins + stat.order_wrong);
	check_errno(NIC_11_b, ENODEV, umem_map(&region, NULL));
	check_errno(NIC_11_b, EKEYREVOKED, region_shows(&region, SEED));
	check_ok(NIC_11_b, umem_deregister(&region));

	must(drive(binding.driver, "bind", binding.device));
	guard_stop(guard);
	must_register(0, &region);
	check_ok(NIC_11_c, region_shows(&region, SEED));
	must(umem_deregister(&region));
}

/* Its module goes and comes while the buffer stays. */
CLAUSE_TEST_TIMEOUT(driver_is_unloaded_beside_buffers, 60,
		    NEEDS(EXPORTER_PEER, IMPORTER_UMEM_STEPS),
		    NIC_11_a, NIC_11_c, NIC_11_d)
{
	static struct module_list modules;
	char selector[sizeof(self->importer->backend.selector)];
	const struct module *module;
	struct umem_region region;
	pid_t guard;

	disrupts("unloads the importer's module");
	must(pattern_write(SEED, &self->buffer));
	strcpy(selector, self->importer->backend.selector);
	importer_close(self->importer);
	if (modules_of(self->importer->backend.device, &modules))
		skip_case("the driver is no module");
	must(importer_open(selector, self->importer));
	module = module_kept(&modules);
	check_saying(NIC_11_d, module, "an open device keeps no module of its driver");
	if (!module || module->uses)
		skip_case("the driver cannot be unloaded safely: others use it");

	must_register(0, &region);
	must(guard = module_guard(module));
	check_errno(NIC_11_d, EAGAIN, module_unload(module));
	check_ok(NIC_11_d, region_shows(&region, SEED));
	importer_close(self->importer);
	must(module_unload(module));
	check_equal(NIC_11_a, 0, exporter_saw(&self->buffer).attachments);
	check_equal(NIC_11_a, 0, exporter_saw(&self->buffer).order_wrong);
	check_ok(NIC_11_a, pattern_verify(SEED, &self->buffer));

	must(module_load(module));
	guard_stop(guard);
	must(importer_open(selector, self->importer));
	must_register(0, &region);
	check_ok(NIC_11_c, region_shows(&region, SEED));
	must(umem_deregister(&region));
}

CLAUSE_TEST_MAIN("umem")
