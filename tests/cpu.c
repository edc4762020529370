// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access by the CPU: SYNC and its waits, mmap, kernel mappings. The core is
 * judged on its waits by fences that user space brings, exporters on what CPU
 * and device see. Clauses: CPU-01 to CPU-08, ERR-06.
 */
#include <linux/dma-buf.h>
#include <sys/mman.h>

#include "oracle/thread.h"
#include "pair/clause_test.h"
#include "pair/cpu.h"
#include "pair/decline.h"
#include "pair/fence.h"
#include "peer/observe.h"

#define PAGE		4096
#define SEED		0xc9a1
#define STAY_MS		10	/* how long a wait is watched */
#define RETURN_MS	3000	/* of a call that need not wait; no fence expires by then */
#define HOLD_MS		5000	/* unless a signal ends it */
#define DEPTH		3

/* A SYNC in a thread of its own. */
struct access {
	struct thread thread;
	int fd;
	uint64_t flags;
};

static int begin_access(void *argument)
{
	struct access *access = argument;

	return cpu_sync_once(access->fd, access->flags | DMA_BUF_SYNC_START);
}

static int start_access(struct access *access, int fd, uint64_t flags)
{
	*access = (struct access){ .fd = fd, .flags = flags };
	return thread_start(&access->thread, begin_access, access);
}

/* What it returned; -ETIMEDOUT if it does not return. */
static int finish_access(struct access *access)
{
	int result, error = thread_join(&access->thread, RETURN_MS, &result);

	return error ? error : result;
}

/* @flags wait for a fence of @fence_flags, and no longer than for that. */
#define check_waits(clause, flags, fence_flags) \
	do { \
		struct access access_; \
		struct fence fence_; \
\
		must_create_fence(&fence_); \
		must(fence_add(&fence_, self->buffer.fd, fence_flags)); \
		must(start_access(&access_, self->buffer.fd, flags)); \
		check(clause, thread_waits(&access_.thread, STAY_MS)); \
		must(fence_signal(&fence_)); \
		check_ok(clause, finish_access(&access_)); \
		must(cpu_sync(self->buffer.fd, (flags) | DMA_BUF_SYNC_END)); \
		fence_destroy(&fence_); \
	} while (0)

CLAUSE_TEST(readers_wait_for_writers, NEEDS(IMPORTER_CPU), CPU_01_a)
{
	check_waits(CPU_01_a, DMA_BUF_SYNC_READ, DMA_BUF_SYNC_WRITE);
}

CLAUSE_TEST(writers_wait_for_all, NEEDS(IMPORTER_CPU), CPU_01_b)
{
	check_waits(CPU_01_b, DMA_BUF_SYNC_WRITE, DMA_BUF_SYNC_WRITE);
	check_waits(CPU_01_b, DMA_BUF_SYNC_WRITE, DMA_BUF_SYNC_READ);
	check_waits(CPU_01_b, DMA_BUF_SYNC_RW, DMA_BUF_SYNC_READ);
}

CLAUSE_TEST(readers_pass_readers, NEEDS(IMPORTER_CPU), CPU_01_c)
{
	struct access access;
	struct fence fence;

	must_create_fence(&fence);
	must(fence_add(&fence, self->buffer.fd, DMA_BUF_SYNC_READ));
	must(start_access(&access, self->buffer.fd, DMA_BUF_SYNC_READ));
	check_ok(CPU_01_c, finish_access(&access));
	check_equal(CPU_01_c, 0, sync_file_status(fence.sync_file));
	fence_destroy(&fence);
}

/* Interrupted it says so, and works once it is tried again in peace. */
CLAUSE_TEST(signals_end_the_wait, NEEDS(IMPORTER_CPU),
	    CPU_01_d, ERR_06_a, ERR_06_b)
{
	int result, fd = self->buffer.fd;
	struct access access;
	struct fence fence;

	must_create_fence(&fence);
	must(fence_add(&fence, fd, DMA_BUF_SYNC_WRITE));
	must(start_access(&access, fd, DMA_BUF_SYNC_RW));
	must_be(thread_waits(&access.thread, STAY_MS));
	must(thread_interrupt(&access.thread));
	result = finish_access(&access);
	check_saying(CPU_01_d, result != -ETIMEDOUT, "it waits on");
	check_equal(CPU_01_d, 0, sync_file_status(fence.sync_file));

	must(fence_signal(&fence));
	/* One that was restarted ends well, but not before the fence. */
	if (result == -ETIMEDOUT)
		check_ok(ERR_06_a, finish_access(&access));
	else
		check_errno(ERR_06_a, EINTR, result);
	check_ok(ERR_06_b, cpu_sync(fd, DMA_BUF_SYNC_RW | DMA_BUF_SYNC_START));
	check_ok(ERR_06_b, cpu_sync(fd, DMA_BUF_SYNC_RW | DMA_BUF_SYNC_END));
	fence_destroy(&fence);
}

CLAUSE_TEST(exporter_begins_before_the_wait, NEEDS(EXPORTER_PEER, IMPORTER_CPU),
	    CPU_01_e)
{
	static struct event_log log;
	struct access access;
	struct fence fence;

	must_create_fence(&fence);
	must(fence_add(&fence, self->buffer.fd, DMA_BUF_SYNC_WRITE));
	exporter_log(&self->buffer, &log);
	must(start_access(&access, self->buffer.fd, DMA_BUF_SYNC_READ));
	must_be(thread_waits(&access.thread, STAY_MS));
	exporter_log(&self->buffer, &log);
	check_equal(CPU_01_e, 1, event_count(&log, PEER_CALL_BEGIN_CPU));
	must(fence_signal(&fence));
	must(finish_access(&access));
	fence_destroy(&fence);
}

CLAUSE_TEST(failed_begin_does_not_wait, NEEDS(EXPORTER_PEER, IMPORTER_CPU),
	    CPU_01_e)
{
	struct access access;
	struct fence fence;

	must_create_fence(&fence);
	must(fence_add(&fence, self->buffer.fd, DMA_BUF_SYNC_WRITE));
	must(peer_exporter_fail(&self->buffer, PEER_FAIL_BEGIN_CPU, 0, 1, -EIO));
	must(start_access(&access, self->buffer.fd, DMA_BUF_SYNC_READ));
	check_errno(CPU_01_e, EIO, finish_access(&access));
	check_equal(CPU_01_e, 0, sync_file_status(fence.sync_file));
	fence_destroy(&fence);
}

CLAUSE_TEST(cpu_sees_what_the_device_wrote,
	    NEEDS(EXPORTER_MMAPS, EXPORTER_MAPS, IMPORTER_MOVES_BYTES), CPU_02_a)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	struct import import;

	must_import(IMPORT_BOTH, &import);
	must(pattern_send(SEED, &import));
	must(cpu_read(self->buffer.fd, self->buffer.size, 0, data, sizeof(data)));
	check_equal(CPU_02_a, -1, pattern_mismatch(SEED, 0, data, sizeof(data)));
	must(importer_release(&import));
}

CLAUSE_TEST(device_sees_what_the_cpu_wrote,
	    NEEDS(EXPORTER_MMAPS, EXPORTER_MAPS, IMPORTER_MOVES_BYTES), CPU_02_b)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	struct import import;

	must_import(IMPORT_BOTH, &import);
	pattern_fill(SEED, 0, data, sizeof(data));
	must(cpu_write(self->buffer.fd, self->buffer.size, 0, data, sizeof(data)));
	check_ok(CPU_02_b, pattern_receive(SEED, &import));
	must(importer_release(&import));
}

CLAUSE_TEST(vmap_users_bracket_their_access,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_ATTACHES), CPU_03)
{
	struct attachment attachment;
	static struct event_log log;
	uint8_t page[PAGE];
	int begin, end;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	exporter_log(&self->buffer, &log);
	must(peer_vmap_read(&attachment, 1, 0, page, PAGE));
	exporter_log(&self->buffer, &log);
	begin = event_find(&log, PEER_CALL_BEGIN_CPU, 0);
	end = event_find(&log, PEER_CALL_END_CPU, 0);
	check_saying(CPU_03, begin >= 0 && begin < end,
		     "begin is event %d, end is event %d", begin, end);
	must(peer_detach(&attachment));
}

/* When an event came; the last moment of all if it did not. */
static uint64_t time_of(const struct event_log *log, int event)
{
	return event < 0 ? UINT64_MAX : log->events[event].time_ns;
}

/* The importer records each of its vunmaps when it is back from there. */
CLAUSE_TEST(vmap_users_share_one_mapping,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_ATTACHES),
	    CPU_04_a, CPU_04_b, CPU_04_c)
{
	static struct event_log seen, done;
	struct attachment attachment;
	uint8_t page[PAGE];
	int last_but_one = -1;

	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	exporter_log(&self->buffer, &seen);
	importer_log(&attachment, &done);
	/* The importer compares the addresses that it is given: ESTALE. */
	check_ok(CPU_04_c, peer_vmap_read(&attachment, DEPTH, PAGE, page, PAGE));
	check_equal(CPU_04_c, -1, pattern_mismatch(SEED, PAGE, page, PAGE));
	exporter_log(&self->buffer, &seen);
	importer_log(&attachment, &done);
	check_equal(CPU_04_a, 1, event_count(&seen, PEER_CALL_VMAP));
	check_equal(CPU_04_b, 1, event_count(&seen, PEER_CALL_VUNMAP));
	for (int i = 1; i < DEPTH; i++)
		last_but_one = event_find(&done, PEER_CALL_VUNMAP,
					  last_but_one + 1);
	check(CPU_04_b, time_of(&seen, event_find(&seen, PEER_CALL_VUNMAP, 0)) >
			time_of(&done, last_but_one));
	must(peer_detach(&attachment));
}

static int hold_vmap(void *attachment)
{
	return peer_vmap_hold(attachment, HOLD_MS);
}

CLAUSE_TEST(storage_stays_while_vmapped,
	    NEEDS(EXPORTER_MOVES, IMPORTER_PEER, IMPORTER_ATTACHES), CPU_05)
{
	enum placement before = place_of(&self->buffer);
	struct attachment attachment;
	struct thread thread;
	int result;

	needs_moves_at_will();
	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	must(thread_start(&thread, hold_vmap, &attachment));
	must_be(thread_waits(&thread, STAY_MS));
	check_fails(CPU_05, exporter_move(&self->buffer, PLACE_OTHER));
	check_equal(CPU_05, before, place_of(&self->buffer));
	must(thread_interrupt(&thread));
	must(thread_join(&thread, RETURN_MS, &result));
	must(result);
	must(peer_detach(&attachment));
}

/* Each page mapped by itself, so that its offset is all that tells it. */
CLAUSE_TEST(mmap_honours_its_offset,
	    NEEDS(EXPORTER_MMAPS, EXPORTER_FILLS, IMPORTER_CPU), CPU_06)
{
	int fd = self->buffer.fd;
	void *view;

	must(pattern_write(SEED, &self->buffer));
	for (size_t at = 0; at < self->buffer.size; at += PAGE) {
		view = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, at);
		must(view == MAP_FAILED ? -errno : 0);
		must(cpu_sync(fd, DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ));
		check_saying(CPU_06, pattern_mismatch(SEED, at, view, PAGE) < 0,
			     "mapped at offset %zu it shows %s", at,
			     pattern_mismatch(SEED, 0, view, PAGE) < 0 ?
			     "the start of the buffer" : "something else");
		must(cpu_sync(fd, DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ));
		munmap(view, PAGE);
	}
}

CLAUSE_TEST(private_mmap, NEEDS(EXPORTER_MMAPS, IMPORTER_CPU), CPU_07)
{
	void *view = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE,
			  self->buffer.fd, 0);

	if (view == MAP_FAILED) {
		observe(CPU_07, "%s", errno_text(-errno));
		return;
	}
	observe(CPU_07, "works");
	munmap(view, PAGE);
}

CLAUSE_TEST(end_without_begin, NEEDS(IMPORTER_CPU), CPU_08)
{
	observe(CPU_08, "%s",
		errno_text(cpu_sync_once(self->buffer.fd, DMA_BUF_SYNC_END |
					 DMA_BUF_SYNC_RW)));
}

CLAUSE_TEST_MAIN("cpu")
