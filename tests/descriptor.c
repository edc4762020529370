// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptor of a dma-buf: what it tells, that it stays the same buffer
 * however it is passed on, and what importers say to a descriptor of something
 * else. Judged are the core and importers. Clauses: UAPI-02, UAPI-11, UAPI-15,
 * ERR-08.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/fdinfo.h"
#include "oracle/fds.h"
#include "pair/clause_test.h"
#include "pair/fence.h"
#include "pair/name.h"

#define PAGE		4096
#define NAME_SIZE	32
#define UNUSED_FD	200	/* far from what an import may open itself */

CLAUSE_TEST(descriptor_has_no_data, NEEDS(IMPORTER_CPU),
	    UAPI_02_a, UAPI_02_b, UAPI_02_c)
{
	int fd = self->buffer.fd;
	bool writable = (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
	struct stat status;
	char byte = 0;

	must_call(fstat(fd, &status));
	check_equal(UAPI_02_a, self->buffer.size, status.st_size);
	check_errno(UAPI_02_b, EINVAL, read(fd, &byte, 1) < 0 ? -errno : 0);
	check_errno(UAPI_02_c, writable ? EINVAL : EBADF,
		    write(fd, &byte, 1) < 0 ? -errno : 0);
}

CLAUSE_TEST(fdinfo_describes_the_buffer, NEEDS(IMPORTER_CPU),
	    UAPI_11_a, UAPI_11_c, UAPI_11_d)
{
	struct fdinfo info = fdinfo_of(self->buffer.fd);

	check_equal(UAPI_11_a, self->buffer.size, info.size);
	check_saying(UAPI_11_c, info.has_exporter && info.exporter[0],
		     "exp_name is \"%s\"", info.exporter);
	check_saying(UAPI_11_d, !info.has_name, "name is \"%s\"", info.name);
	must(set_name(self->buffer.fd, "framebuffer 1"));
	info = fdinfo_of(self->buffer.fd);
	check_saying(UAPI_11_d, !strcmp(info.name, "framebuffer 1"),
		     "name is \"%s\"", info.name);
}

/* Without what the exporter itself holds, our descriptor is the one reference. */
CLAUSE_TEST(fdinfo_counts_references, NEEDS(IMPORTER_CPU), UAPI_11_b)
{
	int fd, other;

	must_call(fd = dup(self->buffer.fd));
	exporter_release(&self->buffer);
	check_equal(UAPI_11_b, 1, fdinfo_of(fd).count);
	must_call(other = dup(fd));
	check_equal(UAPI_11_b, 2, fdinfo_of(fd).count);
	close(other);
	check_equal(UAPI_11_b, 1, fdinfo_of(fd).count);
	close(fd);
}

/* What makes two descriptors the same buffer. */
struct identity {
	ino_t inode;
	char name[NAME_SIZE];
	short ready;
};

static struct identity identity_of(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN | POLLOUT };
	struct identity identity = { .inode = fds_inode(fd) };

	snprintf(identity.name, sizeof(identity.name), "%.31s",
		 fdinfo_of(fd).name);
	if (poll(&poll_fd, 1, 0) >= 0)
		identity.ready = poll_fd.revents;
	return identity;
}

static bool is_same(struct identity a, struct identity b)
{
	return a.inode && a.inode == b.inode && !strcmp(a.name, b.name) &&
	       a.ready == b.ready;
}

static int send_fd(int socket, int fd)
{
	char space[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec part = { .iov_base = (char[1]){ 0 }, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = space, .msg_controllen = sizeof(space),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return sendmsg(socket, &message, 0) < 0 ? -errno : 0;
}

static int receive_fd(int socket)
{
	char space[CMSG_SPACE(sizeof(int))], byte;
	struct iovec part = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = space, .msg_controllen = sizeof(space),
	};
	struct cmsghdr *header;
	int fd;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) < 0)
		return -errno;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_type != SCM_RIGHTS)
		return -EPROTO;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

static int send_to_ourselves(int fd)
{
	int sockets[2], ret;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		return -errno;
	ret = send_fd(sockets[0], fd);
	if (!ret)
		ret = receive_fd(sockets[1]);
	close(sockets[0]);
	close(sockets[1]);
	return ret;
}

/* What a child makes of the descriptor that it inherits. */
static struct identity identity_in_child(int fd)
{
	struct identity identity = { 0 };
	int ends[2];
	pid_t child;

	if (pipe(ends))
		return identity;
	child = fork();
	if (!child) {
		identity = identity_of(fd);
		_exit(write(ends[1], &identity, sizeof(identity)) < 0);
	}
	close(ends[1]);
	if (read(ends[0], &identity, sizeof(identity)) != sizeof(identity))
		identity.inode = 0;
	close(ends[0]);
	waitpid(child, NULL, 0);
	return identity;
}

CLAUSE_TEST(descriptors_name_one_buffer, NEEDS(IMPORTER_CPU),
	    UAPI_15_a, UAPI_15_b, UAPI_15_c)
{
	struct identity identity;
	struct fence fence;
	int copy, sent;

	must_create_fence(&fence);
	must(set_name(self->buffer.fd, "shared"));
	must(fence_add(&fence, self->buffer.fd, DMA_BUF_SYNC_READ));
	identity = identity_of(self->buffer.fd);
	must_be(identity.ready == POLLIN);

	copy = dup(self->buffer.fd);
	check(UAPI_15_a, is_same(identity, identity_of(copy)));
	sent = send_to_ourselves(self->buffer.fd);
	check(UAPI_15_b, is_same(identity, identity_of(sent)));
	check(UAPI_15_c, is_same(identity, identity_in_child(self->buffer.fd)));

	/* A name given through one is the name of all. */
	must(set_name(copy, "renamed"));
	check(UAPI_15_a, !strcmp(fdinfo_of(self->buffer.fd).name, "renamed"));
	check(UAPI_15_b, !strcmp(fdinfo_of(sent).name, "renamed"));
	close(sent);
	close(copy);
	fence_destroy(&fence);
}

/* An attempt to import what is no dma-buf; -EEXIST if that went well. */
static int import_stranger(struct importer *importer, int fd)
{
	struct import import;
	int error = importer_import(importer, fd, 0, PAGE, IMPORT_READ, &import);

	if (error)
		return error;
	importer_release(&import);
	return -EEXIST;
}

CLAUSE_TEST(strangers_are_turned_away, NEEDS(IMPORTER_ATTACHES),
	    ERR_08_a, ERR_08_b, ERR_08_c)
{
	char path[32];
	int fd, ends[2];

	must_call(pipe(ends));
	must_call(fd = memfd_create("stranger", MFD_CLOEXEC));
	must_call(ftruncate(fd, PAGE));
	if (self->importer->backend.capabilities & CAP(IMPORTER_IOMMUFD)) {
		skip_clause(ERR_08_a, "this importer maps other files, too");
	} else {
		check_errno(ERR_08_a, EINVAL,
			    import_stranger(self->importer, ends[0]));
		check_errno(ERR_08_a, EINVAL,
			    import_stranger(self->importer, fd));
	}
	close(fd);
	check_errno(ERR_08_b, EBADF,
		    import_stranger(self->importer, UNUSED_FD));
	check_errno(ERR_08_b, EBADF, import_stranger(self->importer, -1));

	snprintf(path, sizeof(path), "/proc/self/fd/%d", self->buffer.fd);
	must_call(fd = open(path, O_PATH | O_CLOEXEC));
	observe(ERR_08_c, "%s",
		errno_text(import_stranger(self->importer, fd)));
	close(fd);
	close(ends[0]);
	close(ends[1]);
}

CLAUSE_TEST_MAIN("descriptor")
