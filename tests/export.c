// SPDX-License-Identifier: GPL-2.0-only
/*
 * Export and identity of a buffer. The core is judged on what it demands of
 * an export, exporters on size, name, access mode and how they hand out the
 * descriptor. Clauses: EXP-01 to EXP-10.
 */
#include <fcntl.h>
#include <limits.h>
#include <linux/dma-buf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "oracle/bufinfo.h"
#include "oracle/fdinfo.h"
#include "oracle/fds.h"
#include "pair/await.h"
#include "pair/clause_test.h"
#include "pair/decline.h"
#include "pair/kernel.h"
#include "peer/peer_exporter.h"

#define BUFFERS		16
#define SETTLE_MS	10000

static const struct buffer_spec plain = { .size = PAIR_BUFFER_SIZE };

CLAUSE_TEST(export_must_be_complete, NEEDS(EXPORTER_PEER, IMPORTER_CPU),
	    EXP_01_a, EXP_01_b, EXP_01_c, EXP_01_d, EXP_01_e)
{
	provokes_warning("dma_buf_export");
	check_errno(EXP_01_a, EINVAL,
		    peer_exporter_bad(self->exporter, PEER_BAD_PRIV));
	check_errno(EXP_01_b, EINVAL,
		    peer_exporter_bad(self->exporter, PEER_BAD_OPS));
	check_errno(EXP_01_c, EINVAL,
		    peer_exporter_bad(self->exporter, PEER_BAD_MAP));
	check_errno(EXP_01_d, EINVAL,
		    peer_exporter_bad(self->exporter, PEER_BAD_UNMAP));
	check_errno(EXP_01_e, EINVAL,
		    peer_exporter_bad(self->exporter, PEER_BAD_RELEASE));
}

CLAUSE_TEST(pin_and_unpin_come_together, NEEDS(EXPORTER_PEER, IMPORTER_CPU),
	    EXP_02_a, EXP_02_b)
{
	provokes_warning("dma_buf_export");
	check_errno(EXP_02_a, EINVAL,
		    peer_exporter_bad(self->exporter, PEER_BAD_PIN));
	observe(EXP_02_b, "%s",
		errno_text(peer_exporter_bad(self->exporter, PEER_BAD_UNPIN)));
}

CLAUSE_TEST(kept_mappings_exclude_pins, NEEDS(EXPORTER_PEER, IMPORTER_CPU),
	    EXP_03)
{
	needs_law(LAW_CACHED_SGT, YES);
	provokes_warning("dma_buf_export");
	check_errno(EXP_03, EINVAL,
		    peer_exporter_bad(self->exporter, PEER_BAD_CACHED));
}

/* A size by every way that tells it; each is 0 if it does not tell. */
struct sizes {
	size_t stat;
	size_t seek;
	size_t fdinfo;
};

static struct sizes sizes_of(int fd)
{
	off_t end = lseek(fd, 0, SEEK_END);
	struct fdinfo info;
	struct stat status;

	return (struct sizes){
		.stat = fstat(fd, &status) ? 0 : status.st_size,
		.seek = end < 0 ? 0 : end,
		.fdinfo = fdinfo_read(fd, &info) ? 0 : info.size,
	};
}

#define check_sizes(clause, when) \
	do { \
		struct sizes sizes_ = sizes_of(self->buffer.fd); \
		size_t wanted_size_ = self->buffer.size; \
\
		check_saying(clause, sizes_.stat == wanted_size_ && \
			     sizes_.seek == wanted_size_ && \
			     sizes_.fdinfo == wanted_size_, \
			     when ": fstat %zu, lseek %zu, fdinfo %zu, made with %zu", \
			     sizes_.stat, sizes_.seek, sizes_.fdinfo, \
			     wanted_size_); \
	} while (0)

CLAUSE_TEST(size_is_told_alike, NEEDS(IMPORTER_CPU), EXP_04_a)
{
	check_sizes(EXP_04_a, "new");
}

CLAUSE_TEST(size_survives_import, NEEDS(EXPORTER_MAPS, IMPORTER_ATTACHES),
	    EXP_04_a)
{
	struct import import;

	check_sizes(EXP_04_a, "before");
	must_import(IMPORT_BOTH, &import);
	check_sizes(EXP_04_a, "imported");
	must(importer_release(&import));
	check_sizes(EXP_04_a, "after");
}

CLAUSE_TEST(size_survives_moves, NEEDS(EXPORTER_MOVES, IMPORTER_CPU), EXP_04_b)
{
	needs_moves_at_will();
	must(exporter_move(&self->buffer, PLACE_OTHER));
	check_sizes(EXP_04_b, "moved");
	must(exporter_move(&self->buffer, PLACE_SYSTEM));
	check_sizes(EXP_04_b, "moved back");
}

CLAUSE_TEST(size_survives_revoke, NEEDS(EXPORTER_REVOKES, IMPORTER_CPU),
	    EXP_04_c)
{
	must(exporter_revoke(&self->buffer));
	check_sizes(EXP_04_c, "revoked");
}

/* How often a module is in use; -ENOENT if it is none. */
static long users_of(const char *module)
{
	char path[128], line[32];
	int error;

	snprintf(path, sizeof(path), "/sys/module/%.64s/refcnt", module);
	error = kernel_read_line(path, line, sizeof(line));
	return error < 0 ? error : atol(line);
}

/*
 * The module behind a buffer. Where a DRM driver's name is not that of its
 * module, the device's driver has it. What vfio-pci does it has of a module
 * that other drivers share with it, and so has video4linux, which names that.
 */
static const char *module_of(const struct buffer *buffer)
{
	const struct exporter *exporter = buffer->exporter;
	static struct fdinfo info;
	static char link[PATH_MAX];
	char path[128];
	struct stat node;
	ssize_t length;

	if (exporter->backend.capabilities & CAP(EXPORTER_VFIO))
		return "vfio_pci_core";
	if (exporter->backend.capabilities & CAP(EXPORTER_V4L2)) {
		info = fdinfo_of(buffer->fd);
		return info.exporter;
	}
	if (users_of(exporter->backend.driver) >= 0 || exporter->control < 0 ||
	    fstat(exporter->control, &node))
		return exporter->backend.driver;
	snprintf(path, sizeof(path), "/sys/dev/char/%u:%u/device/driver/module",
		 major(node.st_rdev), minor(node.st_rdev));
	length = readlink(path, link, sizeof(link) - 1);
	if (length < 0)
		return exporter->backend.driver;
	link[length] = '\0';
	return basename(link);
}

CLAUSE_TEST(buffer_holds_the_module, NEEDS(IMPORTER_CPU), EXP_05_a, EXP_05_c)
{
	const char *module = module_of(&self->buffer);
	long before = users_of(module), now;
	struct buffer buffer;

	if (before == -ENOENT)
		skip_case("%s is built into the kernel", module);
	must(before);
	must(exporter_alloc(self->exporter, &plain, &buffer));
	now = users_of(module);
	exporter_release(&buffer);
	/* What earlier tests left to the kernel may still go meanwhile. */
	check_saying(EXP_05_c, comes_true(SETTLE_MS, users_of(module) <= before),
		     "%s has %ld users, %ld before", module, users_of(module),
		     before);
	check_saying(EXP_05_a, now > users_of(module),
		     "%s has %ld users with the buffer, %ld without", module,
		     now, users_of(module));
}

static int unload(const char *module)
{
	return syscall(SYS_delete_module, module, O_NONBLOCK) ? -errno : 0;
}

/*
 * With the exporter's own file closed the buffer alone holds the module. If
 * it did not, unloading would take the buffer's code away: so count first.
 */
CLAUSE_TEST(module_outlives_its_buffers, NEEDS(EXPORTER_PEER, IMPORTER_CPU),
	    EXP_05_b)
{
	long users;

	close(self->exporter->control);
	self->exporter->control = -1;
	users = users_of(self->exporter->backend.driver);
	check_saying(EXP_05_b, users > 0, "%ld users", users);
	if (users > 0)
		check_errno(EXP_05_b, EWOULDBLOCK,
			    unload(self->exporter->backend.driver));
}

CLAUSE_TEST(exporter_has_a_name, NEEDS(IMPORTER_CPU), EXP_06)
{
	struct fdinfo info;

	must(fdinfo_read(self->buffer.fd, &info));
	/* The kernel prints "(null)" for a name that is not there. */
	check_saying(EXP_06, info.exporter[0] && strcmp(info.exporter, "(null)"),
		     "exp_name is \"%s\"", info.exporter);
}

static const char *access_mode(int flags)
{
	static const char *const names[] = {
		[O_RDONLY] = "O_RDONLY",
		[O_WRONLY] = "O_WRONLY",
		[O_RDWR] = "O_RDWR",
		[O_ACCMODE] = "none",
	};

	return names[flags & O_ACCMODE];
}

CLAUSE_TEST(file_keeps_the_access_mode, NEEDS(IMPORTER_CPU), EXP_07_a, EXP_07_c)
{
	int flags;

	must_call(flags = fcntl(self->buffer.fd, F_GETFL));
	check_saying(EXP_07_a, !(flags & ~(O_ACCMODE | O_NONBLOCK)),
		     "file flags 0%o", flags);
	observe(EXP_07_c, "%s", access_mode(flags));
}

CLAUSE_TEST(read_only_means_read_only, NEEDS(EXPORTER_MMAPS, IMPORTER_CPU),
	    EXP_07_b)
{
	const struct buffer_spec spec = {
		.size = PAIR_BUFFER_SIZE,
		.flags = BUFFER_READ_ONLY,
	};
	struct buffer buffer;
	void *view;
	int error;

	error = exporter_alloc(self->exporter, &spec, &buffer);
	if (error == -EOPNOTSUPP)
		skip_case("the exporter has no read-only buffers");
	must(error);
	view = mmap(NULL, spec.size, PROT_READ | PROT_WRITE, MAP_SHARED,
		    buffer.fd, 0);
	check_errno(EXP_07_b, EACCES, view == MAP_FAILED ? -errno : 0);
	view = mmap(NULL, spec.size, PROT_READ, MAP_SHARED, buffer.fd, 0);
	must(view == MAP_FAILED ? -errno : 0);
	check_errno(EXP_07_b, EACCES,
		    mprotect(view, spec.size, PROT_READ | PROT_WRITE) ?
		    -errno : 0);
	munmap(view, spec.size);
	exporter_release(&buffer);
}

CLAUSE_TEST(user_space_chooses_close_on_exec,
	    NEEDS(EXPORTER_TAKES_CLOEXEC, IMPORTER_CPU), EXP_08_a, EXP_08_b)
{
	const struct buffer_spec spec = {
		.size = PAIR_BUFFER_SIZE,
		.flags = BUFFER_NO_CLOEXEC,
	};
	struct buffer buffer;

	must(exporter_alloc(self->exporter, &plain, &buffer));
	check_equal(EXP_08_a, FD_CLOEXEC, fcntl(buffer.fd, F_GETFD));
	exporter_release(&buffer);
	must(exporter_alloc(self->exporter, &spec, &buffer));
	check_equal(EXP_08_b, 0, fcntl(buffer.fd, F_GETFD));
	exporter_release(&buffer);
}

static ino_t inode_of_new_buffer(struct exporter *exporter)
{
	struct buffer buffer;
	ino_t inode = 0;

	if (exporter_alloc(exporter, &plain, &buffer))
		return 0;
	inode = fds_inode(buffer.fd);
	exporter_release(&buffer);
	return inode;
}

CLAUSE_TEST(failed_call_leaves_nothing, NEEDS(IMPORTER_CPU), EXP_09_a, EXP_09_b)
{
	static struct fds before, after;
	char leaked[200] = "";
	struct fdinfo info;
	int error, found;
	ino_t first;

	must(fdinfo_read(self->buffer.fd, &info));
	must(fds_take(&before));
	must_be(first = inode_of_new_buffer(self->exporter));
	error = exporter_alloc_unanswered(self->exporter, PAIR_BUFFER_SIZE);
	if (error == -EOPNOTSUPP)
		skip_case("the exporter's call writes no result back");
	must_be(error == -EFAULT);
	must(fds_take(&after));
	check_saying(EXP_09_a, !fds_new(&before, &after, leaked, sizeof(leaked)),
		     "%s", leaked);

	found = bufinfo_between(info.exporter, first,
				inode_of_new_buffer(self->exporter));
	if (found < 0)
		skip_clause(EXP_09_b, "cannot read bufinfo: %s",
			    errno_text(found));
	else
		check_equal(EXP_09_b, 0, found);
}

CLAUSE_TEST(inode_numbers_are_unique, NEEDS(IMPORTER_CPU), EXP_10)
{
	struct buffer buffers[BUFFERS];
	ino_t inodes[3 * BUFFERS];
	size_t same = 0, count = 0;

	/* Some that are gone, some that live, and some that came and went since. */
	for (size_t i = 0; i < BUFFERS; i++)
		inodes[count++] = inode_of_new_buffer(self->exporter);
	for (size_t i = 0; i < BUFFERS; i++) {
		int error = exporter_alloc(self->exporter, &plain, &buffers[i]);

		if (error == -ENOBUFS)
			skip_case("the exporter has %zu buffers at a time", i);
		must(error);
		inodes[count++] = fds_inode(buffers[i].fd);
	}
	for (size_t i = 0; i < BUFFERS; i++)
		inodes[count++] = inode_of_new_buffer(self->exporter);

	for (size_t i = 0; i < count; i++) {
		must_be(inodes[i]);
		for (size_t j = 0; j < i; j++)
			same += inodes[i] == inodes[j];
	}
	check_equal(EXP_10, 0, same);
	for (size_t i = 0; i < BUFFERS; i++)
		exporter_release(&buffers[i]);
}

CLAUSE_TEST_MAIN("export")
