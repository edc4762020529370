/* SPDX-License-Identifier: GPL-2.0-only */
/* One message of a client, as it comes in, and one reply, as it goes out. */
#ifndef CTS_NIC_FRAME_H
#define CTS_NIC_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nic/wire/vfio_user.h"

/* What we announce, and take: bytes moved by one message, descriptors with one. */
#define FRAME_DATA	(1u << 20)
#define FRAME_FDS	16

/* What can follow a header. */
#define FRAME_PAYLOAD	(sizeof(struct vfio_user_region_access) + FRAME_DATA)

struct frame {
	struct vfio_user_header header;
	uint8_t payload[FRAME_PAYLOAD];
	size_t bytes;			/* of the message, header included, that are here */
	int fds[FRAME_FDS];		/* a descriptor that was taken over is -1 */
	size_t nfds;
};

/**
 * frame_receive - take in what there is of a message
 * @frame: all zero at first, and after frame_clear()
 * @socket: does not block
 *
 * Return: 1 if the message is whole; 0 if more must come; -ECONNRESET if the other
 * side has left; -EPROTO if it is no message; or why nothing can be received.
 */
int frame_receive(struct frame *frame, int socket);

/** frame_length - bytes behind the header of a message that is whole */
size_t frame_length(const struct frame *frame);

/** frame_clear - close the descriptors that nobody took, and be ready for a new message */
void frame_clear(struct frame *frame);

/**
 * frame_send - send what is left of a message
 * @frame: header, payload and at most one descriptor, which stays open
 * @socket: does not block
 *
 * frame->bytes tells how many were sent already.
 *
 * Return: 1 if all was sent; 0 if the socket takes no more for now; or why not.
 */
int frame_send(struct frame *frame, int socket);

#endif
