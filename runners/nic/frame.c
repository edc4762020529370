// SPDX-License-Identifier: GPL-2.0-only
#include "nic/frame.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
	struct cmsghdr align;
	char room[CMSG_SPACE(FRAME_FDS * sizeof(int))];
};

size_t frame_length(const struct frame *frame)
{
	return frame->header.size - sizeof(frame->header);
}

static bool header_is_here(const struct frame *frame)
{
	return frame->bytes >= sizeof(frame->header);
}

static bool is_whole(const struct frame *frame)
{
	return header_is_here(frame) && frame->bytes == frame->header.size;
}

static bool size_is_sane(const struct frame *frame)
{
	return frame->header.size >= sizeof(frame->header) &&
	       frame->header.size <= sizeof(frame->header) + FRAME_PAYLOAD;
}

/* The part of a message that is not here, up to the end of its header or of all. */
static struct iovec rest(struct frame *frame, size_t bytes)
{
	const size_t header = sizeof(frame->header);

	if (bytes < header)
		return (struct iovec){ (uint8_t *)&frame->header + bytes,
				       header - bytes };
	return (struct iovec){ frame->payload + (bytes - header),
			       frame->header.size - bytes };
}

/* Keeps the descriptors in @part; false if there are more than a frame may have. */
static bool keep_fds(struct frame *frame, const struct cmsghdr *part)
{
	size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
	const unsigned char *data = CMSG_DATA(part);
	bool kept = true;

	for (size_t i = 0; i < count; i++) {
		int fd;

		memcpy(&fd, data + i * sizeof(fd), sizeof(fd));
		if (frame->nfds < FRAME_FDS) {
			frame->fds[frame->nfds++] = fd;
		} else {
			close(fd);
			kept = false;
		}
	}
	return kept;
}

static bool keep_all_fds(struct frame *frame, struct msghdr *message)
{
	struct cmsghdr *part;
	bool kept = !(message->msg_flags & MSG_CTRUNC);

	for (part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part))
		if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS)
			kept &= keep_fds(frame, part);
	return kept;
}

/* Returns 1 if something came, 0 if nothing is there, or why nothing can. */
static int receive_part(struct frame *frame, int socket)
{
	struct iovec part = rest(frame, frame->bytes);
	union control control;
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	ssize_t bytes = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);

	if (bytes < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if (!keep_all_fds(frame, &message))
		return -EPROTO;
	if (!bytes)
		return -ECONNRESET;
	frame->bytes += bytes;
	return 1;
}

int frame_receive(struct frame *frame, int socket)
{
	while (!is_whole(frame)) {
		int ret = receive_part(frame, socket);

		if (ret <= 0)
			return ret;
		if (header_is_here(frame) && !size_is_sane(frame))
			return -EPROTO;
	}
	return 1;
}

void frame_clear(struct frame *frame)
{
	for (size_t i = 0; i < frame->nfds; i++)
		if (frame->fds[i] >= 0)
			close(frame->fds[i]);
	frame->nfds = 0;
	frame->bytes = 0;
}

/* The descriptor goes with the first byte. */
static void attach_fd(const struct frame *frame, struct msghdr *message,
		      union control *control)
{
	struct cmsghdr *part;

	if (!frame->nfds || frame->bytes)
		return;
	message->msg_control = control;
	message->msg_controllen = CMSG_SPACE(sizeof(int));
	part = CMSG_FIRSTHDR(message);
	part->cmsg_level = SOL_SOCKET;
	part->cmsg_type = SCM_RIGHTS;
	part->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(part), &frame->fds[0], sizeof(int));
}

int frame_send(struct frame *frame, int socket)
{
	while (frame->bytes < frame->header.size) {
		union control control = { 0 };
		struct iovec parts[2] = { rest(frame, frame->bytes) };
		struct msghdr message = { .msg_iov = parts, .msg_iovlen = 1 };
		ssize_t bytes;

		if (!header_is_here(frame))
			parts[message.msg_iovlen++] =
				rest(frame, sizeof(frame->header));
		attach_fd(frame, &message, &control);
		bytes = sendmsg(socket, &message, MSG_NOSIGNAL);
		if (bytes < 0 && (errno == EAGAIN || errno == EINTR))
			return 0;
		if (bytes < 0)
			return -errno;
		frame->bytes += bytes;
	}
	return 1;
}
