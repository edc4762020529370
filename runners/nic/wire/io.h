/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work requests and completions: what user space and the device say to each other without the
 * kernel. All of it lies in memory that the guest may change at any moment: copy it, then look.
 */
#ifndef CTS_NIC_WIRE_IO_H
#define CTS_NIC_WIRE_IO_H

#include <stdint.h>

enum {
	SEND_SEGMENTS		= 2,	/* buffers of one send */
	RDMA_SEGMENTS		= 1,	/* local buffers of an RDMA request */
	INLINE_BYTES		= 32,
	KEY_MASK		= 0xffffff,
};

/* What a work request asks for. */
enum operation {
	OPERATION_SEND		= 0,
	OPERATION_READ		= 1,
	OPERATION_WRITE		= 2,
};

/* How a work request ended. */
enum outcome {
	OUTCOME_OK			= 0,
	OUTCOME_FLUSHED			= 1,
	OUTCOME_QUEUE_ERROR		= 2,
	OUTCOME_UNSUPPORTED		= 3,
	OUTCOME_BAD_HANDLE		= 4,	/* address handle */
	OUTCOME_BAD_LOCAL_KEY		= 5,	/* not registered, or not for this access */
	OUTCOME_BAD_LENGTH		= 6,
	OUTCOME_REMOTE_BAD_ADDRESS	= 7,	/* key, range or rights of the other side */
	OUTCOME_REMOTE_ABORT		= 8,
	OUTCOME_REMOTE_BAD_QUEUE	= 9,	/* no such queue pair, or in no state to receive */
	OUTCOME_REMOTE_NOT_READY	= 10,	/* no receive posted */
	OUTCOME_REMOTE_BAD_LENGTH	= 11,	/* the receive is too short */
	OUTCOME_REMOTE_UNKNOWN_PEER	= 14,	/* the other side has no address handle for us */
	OUTCOME_UNREACHABLE		= 15,
};

/* A buffer of the side that posted. */
struct wire_segment {
	uint32_t length;
	uint32_t key;			/* KEY_MASK of it */
	uint32_t address_low;
	uint32_t address_high;
} __attribute__((packed));

/* struct work_request.kind */
#define WORK_OPERATION(kind)	((kind) & 0xf)
#define WORK_HAS_IMMEDIATE	0x10u
#define WORK_INLINE		0x20u	/* the data itself in place of segments */
#define WORK_IS_DESCRIPTOR	0x80u	/* always set */

/* struct work_request.control */
#define WORK_FIRST		0x04u	/* always set, as is ... */
#define WORK_LAST		0x08u
#define WORK_WANTS_COMPLETION	0x10u

/* One entry of a send queue. */
struct work_request {
	uint16_t id;
	uint8_t kind;
	uint8_t control;
	uint16_t queue;			/* number of the other queue pair */
	uint16_t length;		/* segments, or bytes if inline */
	uint32_t immediate;
	uint16_t handle;		/* of the address */
	uint8_t hints;
	uint8_t reserved;
	uint32_t queue_key;
	uint8_t reserved2[6];
	uint16_t id_extension[3];
	union {
		struct wire_segment segments[SEND_SEGMENTS];
		uint8_t bytes[INLINE_BYTES];
		struct {
			struct wire_segment remote;
			struct wire_segment local[RDMA_SEGMENTS];
		} rdma;
	};
} __attribute__((packed));

/* struct receive_descriptor.key */
#define RECEIVE_FIRST		0x40000000u
#define RECEIVE_LAST		0x80000000u

/* One entry of a receive queue; a receive is the entries from FIRST to LAST. */
struct receive_descriptor {
	uint32_t address_low;
	uint32_t address_high;
	uint16_t id;
	uint16_t length;
	uint32_t key;
} __attribute__((packed));

/* struct completion.flags */
#define COMPLETION_PHASE	0x01u
#define COMPLETION_OF_SEND	(1u << 1)
#define COMPLETION_OF_RECEIVE	(2u << 1)
#define COMPLETION_IMMEDIATE	0x08u
#define COMPLETION_OPERATION(operation)	((unsigned int)(operation) << 4)

#define NO_HANDLE		0xffff

/* One entry of a completion queue, whose user has chosen 16 or 32 bytes of it. */
struct completion {
	uint16_t id;
	uint8_t outcome;
	uint8_t flags;			/* stored last */
	uint16_t queue;
	/* Of a receive; zero for a send. */
	uint16_t length;		/* low half */
	uint16_t handle;		/* of the sender, or NO_HANDLE */
	uint16_t source;		/* the sender's queue pair */
	uint32_t immediate;
	union {
		uint16_t length_high;	/* of an RDMA write */
		uint8_t address[16];	/* of a sender without a handle, where the queue asks for it */
	};
} __attribute__((packed));

_Static_assert(sizeof(struct work_request) == 64, "layout of a work request");
_Static_assert(sizeof(struct receive_descriptor) == 16, "layout of a receive");
_Static_assert(sizeof(struct completion) == 32, "layout of a completion");

#endif
