/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The admin queue: commands of the driver, what the device answers, and events that it sends by
 * itself. Numbers are little-endian, as the processors are that this server runs on.
 */
#ifndef CTS_NIC_WIRE_ADMIN_H
#define CTS_NIC_WIRE_ADMIN_H

#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "formats are little-endian");

#define WIRE	__attribute__((packed))

enum opcode {
	OPCODE_CREATE_QP	= 1,
	OPCODE_MODIFY_QP	= 2,
	OPCODE_QUERY_QP		= 3,
	OPCODE_DESTROY_QP	= 4,
	OPCODE_CREATE_AH	= 5,
	OPCODE_DESTROY_AH	= 6,
	OPCODE_REG_MR		= 7,
	OPCODE_DEREG_MR		= 8,
	OPCODE_CREATE_CQ	= 9,
	OPCODE_DESTROY_CQ	= 10,
	OPCODE_GET_FEATURE	= 11,
	OPCODE_SET_FEATURE	= 12,
	OPCODE_GET_STATS	= 13,
	OPCODE_ALLOC_PD		= 14,
	OPCODE_DEALLOC_PD	= 15,
	OPCODE_ALLOC_UAR	= 16,
	OPCODE_DEALLOC_UAR	= 17,
	OPCODE_CREATE_EQ	= 18,
	OPCODE_DESTROY_EQ	= 19,
	OPCODES,
};

enum admin_status {
	ADMIN_OK		= 0,
	ADMIN_NO_RESOURCE	= 1,
	ADMIN_BAD_OPCODE	= 2,
	ADMIN_UNSUPPORTED	= 3,
	ADMIN_MALFORMED		= 4,
	ADMIN_ILLEGAL		= 5,	/* parameter */
	ADMIN_UNKNOWN		= 6,
	ADMIN_BUSY		= 7,
};

/* struct admin_header.flags */
#define ADMIN_PHASE		0x1u
#define ADMIN_EXTERNAL		0x2u	/* a struct external stands for data elsewhere */
#define ADMIN_INDIRECT		0x4u	/* ... which is a chain of page lists */

#define ADMIN_ID_MASK		0xfff

/* Begins every command. */
struct admin_header {
	uint16_t id;
	uint8_t opcode;
	uint8_t flags;
} WIRE;

/* Follows it from device API 0.3 on, in entries of twice the size. */
struct admin_header_long {
	struct admin_header common;
	uint16_t checksum;		/* of the whole entry with this field zero */
	uint8_t payload_version;
	uint8_t reserved[5];
} WIRE;

enum {
	ADMIN_ENTRY		= 64,
	ADMIN_ENTRY_LONG	= 128,
	ADMIN_PAYLOAD_MAX	= ADMIN_ENTRY_LONG - sizeof(struct admin_header_long),
	ADMIN_ANSWER		= 56,
};

/* Begins every answer; ADMIN_ANSWER bytes follow. */
struct admin_completion {
	uint16_t id;
	uint8_t status;
	uint8_t flags;			/* the phase; stored last */
	uint16_t checksum;		/* from API 0.2 on, of the whole entry with this field zero */
	uint16_t reserved;
	uint8_t answer[ADMIN_ANSWER];
} WIRE;

struct wire_address {
	uint32_t low;
	uint32_t high;
} WIRE;

#define WIRE_ADDRESS(wire)	((wire).low | (uint64_t)(wire).high << 32)

/* Data outside the entry. */
struct external {
	uint32_t length;
	struct wire_address address;
} WIRE;

/* Protection domains and user access regions. */

struct number_command {
	uint16_t number;
	uint16_t reserved;
} WIRE;

struct number_answer {
	uint16_t number;
	uint16_t reserved;
} WIRE;

/* Queue pairs. */

enum qp_kind {
	QP_UD	= 1,			/* unreliable datagrams */
	QP_SRD	= 2,			/* reliable datagrams and RDMA */
};

enum qp_state {
	QP_RESET	= 0,
	QP_INIT		= 1,
	QP_RTR		= 2,		/* receives */
	QP_RTS		= 3,		/* receives and sends */
	QP_SQD		= 4,		/* sends nothing new */
	QP_SQE		= 5,
	QP_ERROR	= 6,
	QP_STATES,
};

struct create_qp {
	uint16_t pd;
	uint8_t kind;
	uint8_t flags;			/* none is supported */
	uint64_t send_ring;		/* unused: the send queue lies in the device */
	uint64_t receive_ring;
	uint32_t send_cq;
	uint32_t receive_cq;
	uint32_t send_ring_key;
	uint32_t receive_ring_key;
	uint32_t send_ring_size;	/* bytes */
	uint32_t send_depth;
	uint32_t receive_ring_size;
	uint32_t receive_depth;
	uint16_t uar;
	uint8_t service_level;
	uint8_t reserved;
	uint32_t reserved2;
} WIRE;

struct create_qp_answer {
	uint32_t handle;
	uint16_t number;
	uint16_t reserved;
	uint16_t send_sub_cq;
	uint16_t receive_sub_cq;
	uint32_t send_doorbell;		/* offset into the doorbell BAR */
	uint32_t receive_doorbell;
	uint32_t send_queue;		/* offset into the LLQ BAR */
} WIRE;

/* struct modify_qp.mask */
#define MODIFY_STATE		0x01u
#define MODIFY_CURRENT_STATE	0x02u
#define MODIFY_QUEUE_KEY	0x04u
#define MODIFY_SEQUENCE		0x08u
#define MODIFY_DRAIN_NOTICE	0x10u
#define MODIFY_RETRIES		0x20u
#define MODIFY_ALL		0x3fu

struct modify_qp {
	uint32_t mask;
	uint32_t handle;
	uint32_t state;
	uint32_t current_state;
	uint32_t queue_key;
	uint32_t sequence;
	uint8_t drain_notice;
	uint8_t retries;
	uint16_t reserved;
} WIRE;

struct query_qp_answer {
	uint32_t state;
	uint32_t queue_key;
	uint32_t sequence;
	uint8_t draining;
	uint8_t retries;
	uint16_t reserved;
} WIRE;

struct handle_command {
	uint32_t handle;
} WIRE;

/* Address handles. */

enum { GID_BYTES = 16 };

struct create_ah {
	uint8_t gid[GID_BYTES];
	uint16_t pd;
	uint16_t reserved;
} WIRE;

struct destroy_ah {
	uint16_t handle;
	uint16_t pd;
} WIRE;

/* Memory regions. */

enum { INLINE_PAGES = 4 };

/* struct reg_mr.shift */
#define REGION_SHIFT(shift)	((shift) & 0x3f)
#define REGION_PHYSICAL		0x80u
#define REGION_SHIFT_RESERVED	0x40u

/* struct reg_mr.rights */
#define RIGHT_LOCAL_WRITE	0x1u
#define RIGHT_REMOTE_WRITE	0x2u
#define RIGHT_REMOTE_READ	0x4u
#define RIGHTS			0x7u

struct reg_mr {
	uint16_t pd;
	uint16_t reserved;
	union {
		uint64_t pages[INLINE_PAGES];
		struct external list;
	};
	uint64_t length;
	uint8_t shift;
	uint8_t rights;
	uint16_t reserved2;
	uint32_t page_count;		/* drivers leave it zero */
	uint64_t address;		/* by which work requests name the first byte */
} WIRE;

struct reg_mr_answer {
	uint32_t local_key;
	uint32_t remote_key;
	uint8_t validity;
	uint8_t interconnect[3];
} WIRE;

struct dereg_mr {
	uint32_t key;
} WIRE;

/* One link of an indirect page list: addresses of lists, then where the next link is. */
enum {
	CHUNK_BYTES	= 4096,
	CHUNK_LISTS	= 510,
	LIST_BYTES	= 4096,		/* of a list that a chunk points to */
	LIST_PAGES	= LIST_BYTES / 8,
};

/* Completion queues. */

#define CQ_INTERRUPTS		0x20u	/* struct create_cq.flags */
#define CQ_ENTRY_WORDS(entry)	((entry) & 0x1f)
#define CQ_SOURCE_ADDRESS	0x20u	/* struct create_cq.entry */

struct create_cq {
	uint8_t flags;
	uint8_t entry;			/* size in words, and flags */
	uint16_t depth;
	uint16_t eq;
	uint16_t reserved;
	struct wire_address ring;
	uint32_t ring_key;
	uint16_t sub_cqs;
	uint16_t uar;
} WIRE;

#define CQ_HAS_DOORBELL		0x1u

struct create_cq_answer {
	uint16_t number;
	uint16_t depth;
	uint32_t doorbell;		/* offset into the doorbell BAR */
	uint32_t flags;
} WIRE;

/* Event queues. */

#define EVENT_COMPLETIONS	0x1u

struct create_eq {
	uint16_t depth;
	uint8_t vector;
	uint8_t entry;			/* size in words */
	struct wire_address ring;
	uint32_t events;
	uint32_t reserved;
} WIRE;

/* An entry of an event queue; the phase is bit 0 of the first word, which is stored last. */
struct event {
	uint32_t phase;
	uint32_t reserved;
	uint16_t cq;
	uint16_t reserved2;
	uint32_t reserved3;
} WIRE;

/* Features. */

enum feature {
	FEATURE_DEVICE		= 1,
	FEATURE_AENQ		= 2,
	FEATURE_NETWORK		= 3,
	FEATURE_QUEUES		= 4,
	FEATURE_HINTS		= 5,
	FEATURE_HOST		= 6,
	FEATURE_EVENTS		= 7,
};

struct feature_command {
	struct external data;
	uint8_t reserved;
	uint8_t feature;
	uint16_t reserved2;
	uint32_t value[11];
} WIRE;

/* struct feature_device.capabilities */
#define DEVICE_READS		0x1u	/* RDMA read */
#define DEVICE_RETRIES		0x2u	/* when the receiver is not ready */
#define DEVICE_WRITES		0x8u	/* RDMA write */

struct feature_device {
	uint64_t features;
	uint64_t page_sizes;		/* bit n: 2^n bytes */
	uint32_t firmware;
	uint32_t admin_version;
	uint32_t device_version;
	uint16_t doorbell_bar;
	uint8_t physical_bits;
	uint8_t virtual_bits;
	uint32_t capabilities;
	uint32_t max_rdma;		/* bytes */
	uint64_t guid;
	uint16_t gbps;
	uint16_t reserved;
	uint32_t reserved2;
} WIRE;

struct feature_queues {
	uint32_t max_qps;
	uint32_t max_send_depth;
	uint32_t inline_bytes;
	uint32_t max_receive_depth;
	uint32_t max_cqs;
	uint32_t max_cq_depth;
	uint16_t sub_cqs;
	uint16_t min_send_depth;
	uint16_t max_send_segments;
	uint16_t max_receive_segments;
	uint32_t max_regions;
	uint32_t max_region_pages;
	uint32_t max_pds;
	uint32_t max_handles;
	uint32_t max_send_queue;	/* bytes */
	uint16_t max_rdma_segments;
	uint16_t max_batch;
} WIRE;

struct feature_events {
	uint32_t max_eqs;
	uint32_t max_eq_depth;
	uint32_t events;
} WIRE;

struct feature_aenq {
	uint32_t supported;
	uint32_t enabled;
} WIRE;

struct feature_network {
	uint8_t gid[GID_BYTES];
	uint32_t mtu;
} WIRE;

/* Milliseconds; 0 leaves it to the driver. */
struct feature_hints {
	uint16_t register_timeout;
	uint16_t watchdog_timeout;
	uint16_t admin_timeout;
	uint16_t poll_interval;
} WIRE;

/* What FEATURE_HOST points to. */
struct host {
	char distribution[128];
	uint32_t system;
	char kernel[32];
	uint32_t kernel_version;
	uint32_t driver_version;
	uint16_t function;
	uint16_t specification;
	uint32_t flags;
} WIRE;

/* Statistics. */

enum statistics_kind {
	STATISTICS_BASIC	= 0,
	STATISTICS_MESSAGES	= 1,
	STATISTICS_READS	= 2,
	STATISTICS_WRITES	= 3,
	STATISTICS_NETWORK	= 4,
};

struct stats_command {
	struct external data;
	uint8_t kind;
	uint8_t scope;			/* 0: the device */
	uint16_t scope_number;
} WIRE;

struct stats_basic {
	uint64_t sent_bytes;
	uint64_t sent_packets;
	uint64_t received_bytes;
	uint64_t received_packets;
	uint64_t dropped;
	uint64_t bad_queue_keys;
} WIRE;

struct stats_messages {
	uint64_t sent_bytes;
	uint64_t sends;
	uint64_t received_bytes;
	uint64_t receives;
} WIRE;

/* Of reads, and of writes. */
struct stats_rdma {
	uint64_t requests;
	uint64_t bytes;
	uint64_t failed;
	uint64_t served_bytes;		/* for the other side */
} WIRE;

/* Asynchronous events. */

enum { EVENT_ENTRY = 64 };

enum event_group {
	GROUP_FATAL		= 1,
	GROUP_WARNING		= 2,
	GROUP_NOTIFICATION	= 3,
	GROUP_KEEP_ALIVE	= 4,
};

struct async_event {
	uint16_t group;
	uint16_t syndrome;
	uint8_t flags;			/* the phase; stored last */
	uint8_t reserved[3];
	uint32_t time_low;
	uint32_t time_high;
	uint8_t data[48];
} WIRE;

_Static_assert(sizeof(struct admin_completion) == ADMIN_ENTRY, "layout of a completion");
_Static_assert(sizeof(struct create_qp) <= ADMIN_ENTRY - sizeof(struct admin_header), "layout of CREATE_QP");
_Static_assert(sizeof(struct reg_mr) == 60, "layout of REG_MR");
_Static_assert(sizeof(struct feature_command) == 60, "layout of the feature commands");
_Static_assert((CHUNK_BYTES - sizeof(struct external)) / 8 == CHUNK_LISTS, "layout of a chunk");
_Static_assert(sizeof(struct create_qp_answer) == 24, "layout of the answer to CREATE_QP");
_Static_assert(sizeof(struct feature_device) == 56, "layout of the device's attributes");
_Static_assert(sizeof(struct feature_queues) == 56, "layout of the queues' attributes");
_Static_assert(sizeof(struct async_event) == EVENT_ENTRY, "layout of an event");
_Static_assert(sizeof(struct event) == 16, "layout of a completion event");

#endif
