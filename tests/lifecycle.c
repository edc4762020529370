// SPDX-License-Identifier: GPL-2.0-only
/*
 * References and teardown, for every exporter: when a buffer goes, what keeps
 * it, what outlives what. Judged are the core, importers, and exporters whose
 * file is closed first. What only the peer exporter sees of an importer's
 * teardown (LIFE-03 to LIFE-06) is in importer.c.
 * Clauses: LIFE-01, LIFE-02, LIFE-07 to LIFE-11.
 */
#include <fcntl.h>
#include <limits.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libdrm/drm.h>

#include "oracle/bufinfo.h"
#include "oracle/drive.h"
#include "oracle/fds.h"
#include "oracle/guard.h"
#include "pair/await.h"
#include "pair/clause_test.h"
#include "pair/cpu.h"
#include "pair/decline.h"
#include "pair/drm.h"
#include "pair/fence.h"
#include "peer/observe.h"

#define SEED		0x11fe
#define GONE_MS		10000	/* bound for what the kernel does on its own */

static const struct buffer_spec plain = { .size = PAIR_BUFFER_SIZE };

/* Without bufinfo nobody tells of a buffer that has no descriptor. */
#define needs_bufinfo() \
	do { \
		struct bufinfo info_; \
		int listed_ = bufinfo_find(fds_inode(self->buffer.fd), &info_); \
\
		if (listed_ < 0) \
			skip_case("cannot read bufinfo: %s", \
				  errno_text(listed_)); \
		must_be(listed_ == 1); \
	} while (0)

/* How many devices are attached; negative if the buffer is gone. */
static int attachments_of(ino_t inode)
{
	struct bufinfo info;

	return bufinfo_find(inode, &info) == 1 ? info.attachments : -ENOENT;
}

/* Our own descriptor; what the exporter itself holds stays. */
static void close_descriptor(struct buffer *buffer)
{
	close(buffer->fd);
	buffer->fd = -1;
}

/* Everything by which the exporter's user can reach the buffer. */
static ino_t let_go(struct buffer *buffer)
{
	ino_t inode = fds_inode(buffer->fd);

	exporter_release(buffer);
	return inode;
}

CLAUSE_TEST(release_comes_once_and_last, NEEDS(EXPORTER_PEER, EXPORTER_MMAPS,
					       IMPORTER_CPU),
	    LIFE_01_a, LIFE_01_b, LIFE_01_c)
{
	static struct event_log log;
	int copy, event;
	void *view;

	must_call(copy = dup(self->buffer.fd));
	view = mmap(NULL, self->buffer.size, PROT_READ, MAP_SHARED, copy, 0);
	must_be(view != MAP_FAILED);
	close_descriptor(&self->buffer);
	check_equal(LIFE_01_b, 0, exporter_saw(&self->buffer).released);
	close(copy);
	check_equal(LIFE_01_b, 0, exporter_saw(&self->buffer).released);
	munmap(view, self->buffer.size);

	check_equal(LIFE_01_a, 1, exporter_saw(&self->buffer).released);
	check_equal(LIFE_01_a, 1,
		    exporter_saw(&self->buffer).calls[PEER_CALL_RELEASE]);
	exporter_log(&self->buffer, &log);
	event = event_find(&log, PEER_CALL_RELEASE, 0);
	must_be(event >= 0);
	check(LIFE_01_c, !(log.events[event].flags & PEER_EVENT_ATOMIC));
}

CLAUSE_TEST(import_keeps_the_buffer, NEEDS(EXPORTER_MAPS, IMPORTER_ATTACHES),
	    LIFE_02)
{
	struct import import;
	ino_t inode;

	needs_bufinfo();
	must_import(IMPORT_BOTH, &import);
	inode = let_go(&self->buffer);
	check_equal(LIFE_02, 1, attachments_of(inode));
	must(importer_release(&import));
	check(LIFE_02, comes_true(GONE_MS, !bufinfo_has(inode)));
}

/*
 * In a child: imports with files of its own, so that they go when it does,
 * tells the parent how that went, and waits. A closed pipe ends it in peace.
 */
static void import_and_wait(const char *selector, int fd, int told, int end)
{
	struct importer importer;
	struct import import;
	char byte;
	int error = importer_open(selector, &importer);

	if (!error)
		error = importer_import(&importer, fd, 0, 0,
					IMPORT_BOTH, &import);
	if (write(told, &error, sizeof(error)) == sizeof(error))
		(void)!read(end, &byte, 1);
	_exit(0);
}

struct child {
	pid_t pid;
	int end;	/* close it to let the child exit */
};

/* Returns what its import gave. */
static int start_child(struct child *child, const char *selector, int fd)
{
	int told[2], end[2], error;

	if (pipe(told) || pipe(end))
		return -errno;
	child->pid = fork();
	if (child->pid < 0)
		return -errno;
	if (!child->pid) {
		close(end[1]);
		import_and_wait(selector, fd, told[1], end[0]);
	}
	close(told[1]);
	close(end[0]);
	child->end = end[1];
	if (read(told[0], &error, sizeof(error)) != sizeof(error))
		error = -ECHILD;
	close(told[0]);
	return error;
}

static int end_child(struct child *child, bool killed)
{
	if (killed && kill(child->pid, SIGKILL))
		return -errno;
	close(child->end);
	return waitpid(child->pid, NULL, 0) < 0 ? -errno : 0;
}

CLAUSE_TEST(death_of_the_importer_ends_the_import,
	    NEEDS(EXPORTER_MAPS, IMPORTER_ATTACHES), LIFE_07)
{
	const char *selector = self->importer->backend.selector;
	ino_t inode = fds_inode(self->buffer.fd);

	needs_bufinfo();
	for (int killed = 0; killed < 2; killed++) {
		struct child child = { 0 };

		must_unless_declined(start_child(&child, selector,
						 self->buffer.fd));
		must_be(attachments_of(inode) == 1);
		must(end_child(&child, killed));
		check_saying(LIFE_07, comes_true(GONE_MS,
						 attachments_of(inode) == 0),
			     "%d attachments left by a process that %s",
			     attachments_of(inode),
			     killed ? "was killed" : "exited");
	}
}

CLAUSE_TEST(poll_keeps_the_buffer, NEEDS(IMPORTER_CPU), LIFE_08_a, LIFE_08_b)
{
	struct pollfd poll_fd = { .events = POLLIN | POLLOUT };
	struct fence fence;
	ino_t inode;

	needs_bufinfo();
	must_create_fence(&fence);
	must(fence_add(&fence, self->buffer.fd, DMA_BUF_SYNC_WRITE));
	poll_fd.fd = self->buffer.fd;
	must_be(poll(&poll_fd, 1, 0) == 0);
	inode = let_go(&self->buffer);
	check(LIFE_08_a, bufinfo_has(inode));
	must(fence_signal(&fence));
	check(LIFE_08_b, comes_true(GONE_MS, !bufinfo_has(inode)));
	fence_destroy(&fence);
}

/* What is open of the exporter for the case itself would be in the way of its end. */
static void close_exporter(struct exporter *exporter, struct buffer *buffer)
{
	exporter_release(buffer);
	exporter_close(exporter);
}

/* A buffer of such an exporter, which is closed; its handle was dropped before. */
static int orphan(const struct exporter *gone, uint32_t seed)
{
	struct exporter exporter;
	struct buffer buffer;
	int fd, error;

	error = exporter_open(gone->backend.selector, &exporter);
	if (error)
		return error;
	exporter.contiguous = gone->contiguous;
	error = exporter_alloc(&exporter, &plain, &buffer);
	if (error)
		goto close_exporter;
	if (seed)
		error = pattern_write(seed, &buffer);
	fd = dup(buffer.fd);
	exporter_release(&buffer);
	if (error)
		close(fd);
close_exporter:
	exporter_close(&exporter);
	return error ? error : fd;
}

CLAUSE_TEST(buffer_outlives_its_exporter, NEEDS(IMPORTER_CPU), LIFE_09_a)
{
	ino_t inode;
	int fd;

	needs_bufinfo();
	close_exporter(self->exporter, &self->buffer);
	must(fd = orphan(self->exporter, 0));
	inode = fds_inode(fd);
	check_equal(LIFE_09_a, PAIR_BUFFER_SIZE, lseek(fd, 0, SEEK_END));
	check_ok(LIFE_09_a, cpu_sync(fd, DMA_BUF_SYNC_RW | DMA_BUF_SYNC_START));
	check_ok(LIFE_09_a, cpu_sync(fd, DMA_BUF_SYNC_RW | DMA_BUF_SYNC_END));
	close(fd);
	check(LIFE_09_a, comes_true(GONE_MS, !bufinfo_has(inode)));
}

CLAUSE_TEST(content_outlives_the_exporter,
	    NEEDS(EXPORTER_MMAPS, EXPORTER_FILLS, IMPORTER_CPU), LIFE_09_a)
{
	size_t size = PAIR_BUFFER_SIZE;
	static uint8_t data[PAIR_BUFFER_SIZE];
	int fd;

	close_exporter(self->exporter, &self->buffer);
	must(fd = orphan(self->exporter, SEED));
	check_ok(LIFE_09_a, cpu_read(fd, size, 0, data, size));
	check_equal(LIFE_09_a, -1, pattern_mismatch(SEED, 0, data, size));
	pattern_fill(SEED + 1, 0, data, size);
	check_ok(LIFE_09_a, cpu_write(fd, size, 0, data, size));
	memset(data, 0, size);
	check_ok(LIFE_09_a, cpu_read(fd, size, 0, data, size));
	check_equal(LIFE_09_a, -1, pattern_mismatch(SEED + 1, 0, data, size));
	close(fd);
}

CLAUSE_TEST(import_after_the_exporter_is_gone,
	    NEEDS(EXPORTER_MAPS, IMPORTER_ATTACHES), LIFE_09_a)
{
	struct import import;
	int fd;

	if (self->exporter->backend.capabilities & CAP(EXPORTER_VFIO))
		skip_case("its memory goes with the device's file: see VF-06");
	if (self->exporter->backend.capabilities & CAP(EXPORTER_UVERBS))
		skip_case("its memory goes with the device's file: see RDX-04");
	/* Whether this pair goes together at all is not the question. */
	must_import(IMPORT_BOTH, &import);
	must(importer_release(&import));
	close_exporter(self->exporter, &self->buffer);
	must(fd = orphan(self->exporter, 0));
	check_ok(LIFE_09_a, importer_import(self->importer, fd, 0, 0,
					    IMPORT_READ, &import));
	close(fd);
	if (import.importer)
		must(importer_release(&import));
}

/* In a child, as memory that is gone may well be told by SIGBUS. */
static int touch_everything(int fd, size_t size)
{
	uint8_t data[256];
	pid_t child = fork();

	if (!child) {
		for (size_t at = 0; at < size; at += 4096)
			cpu_read(fd, size, at, data, sizeof(data));
		_exit(0);
	}
	return child < 0 || waitpid(child, NULL, 0) < 0 ? -errno : 0;
}

/* Harm would show in the kernel's log. */
CLAUSE_TEST(buffer_outlives_its_device, NEEDS(EXPORTER_DRM, IMPORTER_CPU),
	    LIFE_09_b)
{
	static struct binding binding;
	ino_t inode;
	pid_t guard;
	int fd;

	needs_bufinfo();
	disrupts("takes the device away");
	if (drive_find_node(self->exporter->control, &binding))
		skip_case("its device has no driver to unbind");
	must_call(fd = dup(self->buffer.fd));
	inode = let_go(&self->buffer);
	close(self->exporter->control);
	self->exporter->control = -1;

	must(guard = drive_guard(&binding));
	must(drive(binding.driver, "unbind", binding.device));
	check_equal(LIFE_09_b, PAIR_BUFFER_SIZE, lseek(fd, 0, SEEK_END));
	must(touch_everything(fd, PAIR_BUFFER_SIZE));
	close(fd);
	check(LIFE_09_b, comes_true(GONE_MS, !bufinfo_has(inode)));
	must(drive(binding.driver, "bind", binding.device));
	guard_stop(guard);
}

/* The exporter's own file, and another file of the same device. */
CLAUSE_TEST(own_buffer_is_known_again, NEEDS(IMPORTER_HANDLES, IMPORTER_SELF),
	    LIFE_10)
{
	ino_t inode = fds_inode(self->buffer.fd);
	uint32_t handle;

	needs_bufinfo();
	must(drm_import(self->exporter->control, self->buffer.fd, &handle));
	check_equal(LIFE_10, self->buffer.handle, handle);
	check_equal(LIFE_10, 0, attachments_of(inode));
	must(drm_import(self->importer->control, self->buffer.fd, &handle));
	check_equal(LIFE_10, 0, attachments_of(inode));
	must(drm_close_handle(self->importer->control, handle));
}

CLAUSE_TEST(one_handle_in_one_file,
	    NEEDS(EXPORTER_MAPS, IMPORTER_HANDLES, IMPORTER_ATTACHES),
	    LIFE_11_a, LIFE_11_b)
{
	int card = self->importer->control, fd = self->buffer.fd;
	uint32_t first, second, third;

	must_unless_declined(drm_import(card, fd, &first));
	check_ok(LIFE_11_a, drm_import(card, fd, &second));
	check_equal(LIFE_11_a, first, second);
	must(drm_close_handle(card, first));
	check_ok(LIFE_11_b, drm_import(card, fd, &third));
	check_ok(LIFE_11_b, drm_close_handle(card, third));
}

CLAUSE_TEST_MAIN("lifecycle")
