// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fences of a dma-buf as user space meets them: EXPORT_SYNC_FILE,
 * IMPORT_SYNC_FILE and poll. Judged is the core, by a plain user of the fd, on
 * buffers of every exporter. Clauses: UAPI-08 to UAPI-10.
 */
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "oracle/fds.h"
#include "pair/clause_test.h"
#include "pair/fence.h"
#include "pair/read_only.h"
#include "peer/peer_exporter.h"

#define READY_BOTH	(POLLIN | POLLOUT)
#define WAKE_MS		4000	/* before a fence expires */

/* Which of POLLIN and POLLOUT holds now, or a negative errno. */
static int ready(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = READY_BOTH };

	return poll(&poll_fd, 1, 0) < 0 ? -errno : poll_fd.revents;
}

CLAUSE_TEST(export_takes_what_it_knows, NEEDS(IMPORTER_CPU),
	    UAPI_08_a, UAPI_08_b)
{
	int fd = self->buffer.fd;

	check_errno(UAPI_08_a, EINVAL, sync_file_export(fd, 0));
	for (int bit = 2; bit < 32; bit++)
		check_errno(UAPI_08_b, EINVAL,
			    sync_file_export(fd, DMA_BUF_SYNC_RW | 1u << bit));
}

CLAUSE_TEST(export_of_an_idle_buffer, NEEDS(IMPORTER_CPU), UAPI_08_c, UAPI_08_d)
{
	static const uint32_t accesses[] = {
		DMA_BUF_SYNC_READ, DMA_BUF_SYNC_WRITE, DMA_BUF_SYNC_RW,
	};

	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++) {
		int file = sync_file_export(self->buffer.fd, accesses[i]);

		check_saying(UAPI_08_c, file >= 0, "%s", errno_text(file));
		check_equal(UAPI_08_c, FD_CLOEXEC, fcntl(file, F_GETFD));
		check_equal(UAPI_08_d, 1, sync_file_status(file));
		close(file);
	}
}

CLAUSE_TEST(export_is_of_this_moment, NEEDS(IMPORTER_CPU), UAPI_08_e)
{
	int idle, one, two, fd = self->buffer.fd;
	struct fence first, second;

	must_create_fence(&first);
	must_create_fence(&second);

	must(idle = sync_file_export(fd, DMA_BUF_SYNC_RW));
	must(fence_add(&first, fd, DMA_BUF_SYNC_WRITE));
	must(one = sync_file_export(fd, DMA_BUF_SYNC_RW));
	must(fence_add(&second, fd, DMA_BUF_SYNC_WRITE));
	must(two = sync_file_export(fd, DMA_BUF_SYNC_RW));

	check_equal(UAPI_08_e, 1, sync_file_status(idle));
	check_equal(UAPI_08_e, 0, sync_file_status(one));
	must(fence_signal(&first));
	check_equal(UAPI_08_e, 1, sync_file_status(one));
	check_equal(UAPI_08_e, 0, sync_file_status(two));
	must(fence_signal(&second));
	check_equal(UAPI_08_e, 1, sync_file_status(two));

	close(two);
	close(one);
	close(idle);
	fence_destroy(&second);
	fence_destroy(&first);
}

CLAUSE_TEST(failed_export_leaves_nothing, NEEDS(IMPORTER_CPU), UAPI_08_f)
{
	const struct dma_buf_export_sync_file request = {
		.flags = DMA_BUF_SYNC_RW,
		.fd = -1,
	};
	static struct fds before, after;
	char leaked[200] = "";

	must(fds_take(&before));
	check_errno(UAPI_08_f, EFAULT,
		    read_only_ioctl(self->buffer.fd,
				    DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &request,
				    sizeof(request)));
	must(fds_take(&after));
	check_saying(UAPI_08_f,
		     !fds_new(&before, &after, leaked, sizeof(leaked)),
		     "%s", leaked);
}

CLAUSE_TEST(import_takes_what_it_knows, NEEDS(IMPORTER_CPU),
	    UAPI_09_a, UAPI_09_b)
{
	int ends[2], fd = self->buffer.fd;
	struct fence fence;

	must_create_fence(&fence);
	check_errno(UAPI_09_a, EINVAL, fence_add(&fence, fd, 0));
	for (int bit = 2; bit < 32; bit++)
		check_errno(UAPI_09_a, EINVAL,
			    fence_add(&fence, fd, DMA_BUF_SYNC_RW | 1u << bit));

	must_call(pipe(ends));
	check_errno(UAPI_09_b, EINVAL,
		    sync_file_import(fd, DMA_BUF_SYNC_RW, ends[0]));
	check_errno(UAPI_09_b, EINVAL,
		    sync_file_import(fd, DMA_BUF_SYNC_RW, fd));
	check_equal(UAPI_09_a, READY_BOTH, ready(fd));
	check_equal(UAPI_09_b, READY_BOTH, ready(fd));
	close(ends[0]);
	close(ends[1]);
	fence_destroy(&fence);
}

/* A reader's fence is in the way of writers, a writer's in the way of all. */
CLAUSE_TEST(imported_fences_show_in_poll, NEEDS(IMPORTER_CPU),
	    UAPI_09_c, UAPI_09_d, UAPI_10_a, UAPI_10_b, UAPI_10_e)
{
	static const struct {
		enum clause_id clause;
		uint32_t flags;
		int ready;
	} accesses[] = {
		{ UAPI_09_c, DMA_BUF_SYNC_READ, POLLIN },
		{ UAPI_09_d, DMA_BUF_SYNC_WRITE, 0 },
		{ UAPI_09_d, DMA_BUF_SYNC_RW, 0 },
	};

	check_equal(UAPI_10_e, READY_BOTH, ready(self->buffer.fd));
	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++) {
		struct fence fence;
		int seen;

		must_create_fence(&fence);
		must(fence_add(&fence, self->buffer.fd, accesses[i].flags));
		seen = ready(self->buffer.fd);
		check_equal(accesses[i].clause, accesses[i].ready, seen);
		check_equal(UAPI_10_a, accesses[i].ready & POLLIN, seen & POLLIN);
		check_equal(UAPI_10_b, accesses[i].ready & POLLOUT, seen & POLLOUT);
		must(fence_signal(&fence));
		seen = ready(self->buffer.fd);
		check_equal(UAPI_10_a, POLLIN, seen & POLLIN);
		check_equal(UAPI_10_b, POLLOUT, seen & POLLOUT);
		fence_destroy(&fence);
	}
}

CLAUSE_TEST(merged_fences_count_each, NEEDS(IMPORTER_CPU), UAPI_09_e)
{
	struct fence first, second;
	int merged, fd = self->buffer.fd;

	must_create_fence(&first);
	must_create_fence(&second);
	must(merged = sync_file_merge(first.sync_file, second.sync_file));
	check_ok(UAPI_09_e, sync_file_import(fd, DMA_BUF_SYNC_WRITE, merged));
	check_equal(UAPI_09_e, 0, ready(fd));
	must(fence_signal(&second));
	check_equal(UAPI_09_e, 0, ready(fd));
	must(fence_signal(&first));
	check_equal(UAPI_09_e, READY_BOTH, ready(fd));
	close(merged);
	fence_destroy(&second);
	fence_destroy(&first);
}

CLAUSE_TEST(signalled_fences_change_nothing, NEEDS(IMPORTER_CPU), UAPI_09_f)
{
	int fd = self->buffer.fd;
	struct fence fence;

	must_create_fence(&fence);
	must(fence_signal(&fence));
	must_be(sync_file_status(fence.sync_file) == 1);
	check_ok(UAPI_09_f, fence_add(&fence, fd, DMA_BUF_SYNC_READ));
	check_ok(UAPI_09_f, fence_add(&fence, fd, DMA_BUF_SYNC_WRITE));
	check_equal(UAPI_09_f, READY_BOTH, ready(fd));
	fence_destroy(&fence);
}

/* Every usage that a fence can have, also those that no uapi call gives. */
CLAUSE_TEST(poll_knows_the_usage, NEEDS(EXPORTER_PEER, IMPORTER_CPU),
	    UAPI_10_a, UAPI_10_b, UAPI_10_c)
{
	static const int wanted[PEER_USAGE_COUNT] = {
		[PEER_USAGE_KERNEL] = 0,
		[PEER_USAGE_WRITE] = 0,
		[PEER_USAGE_READ] = POLLIN,
		[PEER_USAGE_BOOKKEEP] = READY_BOTH,
	};

	for (int usage = 0; usage < PEER_USAGE_COUNT; usage++) {
		int seen, fence = peer_exporter_fence(&self->buffer, usage,
						      FENCE_TIMEOUT_MS);

		must(fence);
		seen = ready(self->buffer.fd);
		check_equal(UAPI_10_a, wanted[usage] & POLLIN, seen & POLLIN);
		check_equal(UAPI_10_b, wanted[usage] & POLLOUT, seen & POLLOUT);
		if (usage == PEER_USAGE_BOOKKEEP)
			check_equal(UAPI_10_c, READY_BOTH, seen);
		must(peer_exporter_signal(&self->buffer, fence));
	}
}

/* One that waits for @events by epoll: it looks once, then has to be woken. */
static int wait_for(int fd, uint32_t events)
{
	struct epoll_event event = { .events = events };
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	if (epoll < 0)
		return -errno;
	if (!epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
		return epoll;
	close(epoll);
	return -errno;
}

/* The events that woke it, 0 if nothing did within @timeout_ms. */
static int woken_by(int epoll, int timeout_ms)
{
	struct epoll_event event = { 0 };
	int count = epoll_wait(epoll, &event, 1, timeout_ms);

	return count < 0 ? -errno : (int)event.events;
}

CLAUSE_TEST(fences_wake_who_waits, NEEDS(IMPORTER_CPU), UAPI_10_d)
{
	int reader, writer, fd = self->buffer.fd;
	struct fence reads, writes;

	must_create_fence(&writes);
	must_create_fence(&reads);
	must(fence_add(&writes, fd, DMA_BUF_SYNC_WRITE));
	must(fence_add(&reads, fd, DMA_BUF_SYNC_READ));
	must(reader = wait_for(fd, EPOLLIN));
	must(writer = wait_for(fd, EPOLLOUT));
	check_equal(UAPI_10_d, 0, woken_by(reader, 0));
	check_equal(UAPI_10_d, 0, woken_by(writer, 0));

	must(fence_signal(&writes));
	check_equal(UAPI_10_d, EPOLLIN, woken_by(reader, WAKE_MS));
	check_equal(UAPI_10_d, 0, woken_by(writer, 0));
	must(fence_signal(&reads));
	check_equal(UAPI_10_d, EPOLLOUT, woken_by(writer, WAKE_MS));

	close(writer);
	close(reader);
	fence_destroy(&reads);
	fence_destroy(&writes);
}

CLAUSE_TEST_MAIN("sync_file")
