// SPDX-License-Identifier: GPL-2.0-only
/*
 * The calls that user space has on a dma-buf: seek, mmap, SYNC, names, and
 * what they refuse. Judged is the core, by a plain user of the fd, on buffers
 * of every exporter. The descriptor itself is in descriptor.c, fences are in
 * sync_file.c. Clauses: UAPI-01, UAPI-03 to UAPI-07, UAPI-12 to UAPI-14.
 */
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "oracle/fdinfo.h"
#include "pair/clause_test.h"
#include "pair/compat.h"
#include "pair/cpu.h"
#include "pair/decline.h"
#include "pair/fence.h"
#include "pair/name.h"
#include "peer/observe.h"

#define PAGE		4096
#define NAME_MAX_LENGTH	31
#define FAR_OFFSET	((off_t)1 << 40)
#define BAD_POINTER	((void *)8)

static long seek(int fd, off_t offset, int whence)
{
	off_t result = lseek(fd, offset, whence);

	return result < 0 ? -errno : result;
}

CLAUSE_TEST(seek_tells_the_size, NEEDS(IMPORTER_CPU),
	    UAPI_01_a, UAPI_01_b, UAPI_01_e, UAPI_14)
{
	int fd = self->buffer.fd;

	check_equal(UAPI_01_a, self->buffer.size, seek(fd, 0, SEEK_END));
	check_equal(UAPI_01_e, 0, fdinfo_of(fd).position);
	check_equal(UAPI_01_b, 0, seek(fd, 0, SEEK_SET));
	check_equal(UAPI_01_a, self->buffer.size, seek(fd, 0, SEEK_END));
	observe(UAPI_14, "%s", errno_text(seek(fd, 0, SEEK_CUR)));
}

CLAUSE_TEST(seek_goes_nowhere_else, NEEDS(IMPORTER_CPU), UAPI_01_c, UAPI_01_d)
{
	static const off_t offsets[] = { 1, PAGE, PAIR_BUFFER_SIZE, -PAGE };
	static const int whences[] = { SEEK_DATA, SEEK_HOLE, 5, 99 };
	int fd = self->buffer.fd;

	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		check_errno(UAPI_01_c, EINVAL, seek(fd, offsets[i], SEEK_END));
		check_errno(UAPI_01_c, EINVAL, seek(fd, offsets[i], SEEK_SET));
	}
	for (size_t i = 0; i < ARRAY_SIZE(whences); i++)
		check_errno(UAPI_01_d, EINVAL, seek(fd, 0, whences[i]));
}

/* What mmap() says to a range of a buffer. */
static int try_mmap(int fd, size_t length, off_t offset)
{
	void *view = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  offset);

	if (view == MAP_FAILED)
		return -errno;
	munmap(view, length);
	return 0;
}

CLAUSE_TEST(mmap_stays_inside, NEEDS(EXPORTER_MMAPS, IMPORTER_CPU),
	    UAPI_03_a, UAPI_03_b)
{
	size_t size = self->buffer.size;
	int fd = self->buffer.fd;

	must(try_mmap(fd, size, 0));
	must(try_mmap(fd, PAGE, size - PAGE));
	check_errno(UAPI_03_a, EINVAL, try_mmap(fd, size + 1, 0));
	check_errno(UAPI_03_a, EINVAL, try_mmap(fd, size + PAGE, 0));
	check_errno(UAPI_03_b, EINVAL, try_mmap(fd, size, PAGE));
	check_errno(UAPI_03_b, EINVAL, try_mmap(fd, PAGE, size));
	check_errno(UAPI_03_b, EINVAL, try_mmap(fd, PAGE, FAR_OFFSET));
}

CLAUSE_TEST(mmap_is_up_to_the_exporter, NEEDS(EXPORTER_PEER, IMPORTER_CPU),
	    UAPI_03_c)
{
	const struct buffer_spec spec = {
		.size = PAIR_BUFFER_SIZE,
		.flags = BUFFER_NO_MMAP,
	};
	struct buffer buffer;

	must(exporter_alloc(self->exporter, &spec, &buffer));
	check_errno(UAPI_03_c, EINVAL, try_mmap(buffer.fd, PAGE, 0));
	exporter_release(&buffer);
}

CLAUSE_TEST(sync_takes_what_it_knows, NEEDS(IMPORTER_CPU),
	    UAPI_04_a, UAPI_04_b, UAPI_04_c)
{
	int fd = self->buffer.fd;

	for (int bit = 3; bit < 64; bit++)
		check_errno(UAPI_04_a, EINVAL,
			    cpu_sync_once(fd, DMA_BUF_SYNC_RW | 1ull << bit));
	check_errno(UAPI_04_b, EINVAL, cpu_sync_once(fd, DMA_BUF_SYNC_START));
	check_errno(UAPI_04_b, EINVAL, cpu_sync_once(fd, DMA_BUF_SYNC_END));
	check_errno(UAPI_04_c, EFAULT,
		    ioctl(fd, DMA_BUF_IOCTL_SYNC, BAD_POINTER) ? -errno : 0);
}

/* The only call of the CPU that the exporter saw, or an impossible one. */
static struct peer_event only_event(struct buffer *buffer)
{
	static struct event_log log;

	exporter_log(buffer, &log);
	if (log.count != 1)
		memset(&log.events[0], 0xff, sizeof(log.events[0]));
	return log.events[0];
}

static int direction_after(struct buffer *buffer, uint64_t flags,
			   enum peer_call *call)
{
	struct peer_event event;
	int error = cpu_sync_once(buffer->fd, flags);

	if (error)
		return error;
	event = only_event(buffer);
	*call = event.call;
	return event.direction;
}

CLAUSE_TEST(sync_reaches_the_exporter, NEEDS(EXPORTER_PEER, IMPORTER_CPU),
	    UAPI_05_a, UAPI_05_b, UAPI_05_c, UAPI_05_d)
{
	static const struct {
		enum clause_id clause;
		uint64_t flags;
		enum peer_direction direction;
	} accesses[] = {
		{ UAPI_05_a, DMA_BUF_SYNC_READ, PEER_FROM_DEVICE },
		{ UAPI_05_b, DMA_BUF_SYNC_WRITE, PEER_TO_DEVICE },
		{ UAPI_05_c, DMA_BUF_SYNC_RW, PEER_BIDIRECTIONAL },
	};
	static struct event_log log;
	enum peer_call call = 0;

	exporter_log(&self->buffer, &log);
	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++) {
		check_equal(accesses[i].clause, accesses[i].direction,
			    direction_after(&self->buffer, accesses[i].flags |
					    DMA_BUF_SYNC_START, &call));
		check_equal(UAPI_05_d, PEER_CALL_BEGIN_CPU, call);
		check_equal(accesses[i].clause, accesses[i].direction,
			    direction_after(&self->buffer, accesses[i].flags |
					    DMA_BUF_SYNC_END, &call));
		check_equal(UAPI_05_d, PEER_CALL_END_CPU, call);
	}
}

/* The suite itself is the user here: it shall do as it demands. */
CLAUSE_TEST(interrupted_sync_is_repeated,
	    NEEDS(EXPORTER_PEER, EXPORTER_MMAPS, IMPORTER_CPU), UAPI_06)
{
	static const int errors[] = { -EINTR, -EAGAIN };
	struct import import;
	uint32_t before;
	char byte;

	must(importer_import(self->importer, self->buffer.fd, 0, 0,
			     IMPORT_READ, &import));
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		before = exporter_saw(&self->buffer).calls[PEER_CALL_BEGIN_CPU];
		must(peer_exporter_fail(&self->buffer, PEER_FAIL_BEGIN_CPU, 0,
					2, errors[i]));
		check_ok(UAPI_06, importer_read(&import, 0, &byte, 1));
		check_equal(UAPI_06, before + 3,
			    exporter_saw(&self->buffer).calls[PEER_CALL_BEGIN_CPU]);
	}
	must(importer_release(&import));
}

CLAUSE_TEST(names_have_a_bound, NEEDS(IMPORTER_CPU),
	    UAPI_07_a, UAPI_07_b, UAPI_07_c)
{
	char name[] = "a name that is as long as can be and longer";
	int fd = self->buffer.fd;

	check_ok(UAPI_07_a, set_name(fd, "x"));
	name[NAME_MAX_LENGTH] = '\0';
	check_ok(UAPI_07_a, set_name(fd, name));
	check(UAPI_07_a, !strcmp(fdinfo_of(fd).name, name));

	name[NAME_MAX_LENGTH] = 'y';
	check_errno(UAPI_07_b, EINVAL, set_name(fd, name));
	name[NAME_MAX_LENGTH + 1] = '\0';
	check_errno(UAPI_07_b, EINVAL, set_name(fd, name));
	name[NAME_MAX_LENGTH] = '\0';
	check(UAPI_07_b, !strcmp(fdinfo_of(fd).name, name));

	check_errno(UAPI_07_c, EFAULT, set_name(fd, BAD_POINTER));
	check(UAPI_07_c, !strcmp(fdinfo_of(fd).name, name));
}

CLAUSE_TEST(names_can_change, NEEDS(IMPORTER_CPU), UAPI_07_d, UAPI_07_e)
{
	int fd = self->buffer.fd;

	check_ok(UAPI_07_d, ioctl(fd, DMA_BUF_SET_NAME_A, "first") ? -errno : 0);
	check(UAPI_07_d, !strcmp(fdinfo_of(fd).name, "first"));
	check_ok(UAPI_07_d, ioctl(fd, DMA_BUF_SET_NAME_B, "other") ? -errno : 0);
	check(UAPI_07_d, !strcmp(fdinfo_of(fd).name, "other"));
	must(set_name(fd, "a longer one"));
	must(set_name(fd, "short"));
	check(UAPI_07_e, !strcmp(fdinfo_of(fd).name, "short"));
}

CLAUSE_TEST(naming_while_attached, NEEDS(EXPORTER_MAPS, IMPORTER_ATTACHES),
	    UAPI_07_f)
{
	struct import import;

	must_import(IMPORT_READ, &import);
	observe(UAPI_07_f, "%s", errno_text(set_name(self->buffer.fd, "late")));
	must(importer_release(&import));
}

CLAUSE_TEST(unknown_ioctls, NEEDS(IMPORTER_CPU), UAPI_12_a)
{
	static const unsigned long requests[] = {
		_IO(DMA_BUF_BASE, 0), _IO(DMA_BUF_BASE, 99),
		_IOW(DMA_BUF_BASE, 0, __u32), _IOWR(DMA_BUF_BASE, 7, __u64),
		_IOW('c', 0, struct dma_buf_sync),
	};
	uint64_t argument[8] = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(requests); i++)
		check_errno(UAPI_12_a, ENOTTY,
			    ioctl(self->buffer.fd, requests[i], argument) ?
			    -errno : 0);
}

CLAUSE_TEST(sync_file_calls_may_be_unknown, NEEDS(IMPORTER_CPU), UAPI_12_b)
{
	needs_law(LAW_SYNC_FILE, NO);
	check_errno(UAPI_12_b, ENOTTY,
		    sync_file_export(self->buffer.fd, DMA_BUF_SYNC_RW));
	check_errno(UAPI_12_b, ENOTTY,
		    sync_file_import(self->buffer.fd, DMA_BUF_SYNC_RW, -1));
}

/* Both get an argument of the same content, in memory that both can name. */
struct compat_call {
	const char *name;
	unsigned int request;
	uint64_t argument;
	bool bad_pointer;
};

static const struct compat_call compat_calls[] = {
	{ "SYNC start", DMA_BUF_IOCTL_SYNC, DMA_BUF_SYNC_RW, false },
	{ "SYNC end", DMA_BUF_IOCTL_SYNC, DMA_BUF_SYNC_RW | DMA_BUF_SYNC_END, false },
	{ "SYNC of nothing", DMA_BUF_IOCTL_SYNC, 0, false },
	{ "SYNC with a high flag", DMA_BUF_IOCTL_SYNC, 1ull << 40 | 1, false },
	{ "SYNC, bad pointer", DMA_BUF_IOCTL_SYNC, 0, true },
	{ "SET_NAME_A", DMA_BUF_SET_NAME_A, 0x41, false },
	{ "SET_NAME_B", DMA_BUF_SET_NAME_B, 0x42, false },
	{ "SET_NAME, bad pointer", DMA_BUF_SET_NAME_A, 0, true },
	{ "EXPORT_SYNC_FILE", DMA_BUF_IOCTL_EXPORT_SYNC_FILE, DMA_BUF_SYNC_RW, false },
	{ "EXPORT_SYNC_FILE of nothing", DMA_BUF_IOCTL_EXPORT_SYNC_FILE, 0, false },
	{ "IMPORT_SYNC_FILE of stdin", DMA_BUF_IOCTL_IMPORT_SYNC_FILE, DMA_BUF_SYNC_RW, false },
	{ "unknown", _IO(DMA_BUF_BASE, 99), 0, false },
};

CLAUSE_TEST(compat_ioctls_are_the_same, NEEDS(IMPORTER_CPU), UAPI_13)
{
	uint64_t *memory = compat_memory(PAGE);
	int fd = self->buffer.fd;

	if (!memory || !compat_works())
		skip_case("32-bit system calls do not work here");
	for (size_t i = 0; i < ARRAY_SIZE(compat_calls); i++) {
		const struct compat_call *call = &compat_calls[i];
		void *argument = call->bad_pointer ? BAD_POINTER : memory;
		long native, compat;

		*memory = call->argument;
		native = ioctl(fd, call->request, argument) ? -errno : 0;
		*memory = call->argument;
		compat = compat_ioctl(fd, call->request, argument);
		check_saying(UAPI_13, compat == native, "%s: %ld, native %ld",
			     call->name, compat, native);
	}
	munmap(memory, PAGE);
}

CLAUSE_TEST_MAIN("uapi")
