/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BAR 0 and the doorbell BAR, as the guest's driver sees them. The driver reads no register by a
 * load: it writes what it wants to know to REGISTER_READ_REQUEST, and the device stores a
 * struct register_answer at REGISTER_ANSWER.
 */
#ifndef CTS_NIC_WIRE_REGISTERS_H
#define CTS_NIC_WIRE_REGISTERS_H

#include <stdint.h>

/* Byte offsets. Addresses of 64 bits are two registers, low half first. */
enum {
	REGISTER_VERSION		= 0x00,	/* device API: major in 15:8, minor in 7:0 */
	REGISTER_CONTROLLER_VERSION	= 0x04,
	REGISTER_CAPABILITIES		= 0x08,
	REGISTER_AQ_BASE		= 0x10,	/* admin commands */
	REGISTER_AQ_SHAPE		= 0x18,
	REGISTER_ACQ_BASE		= 0x20,	/* admin completions */
	REGISTER_ACQ_SHAPE		= 0x28,
	REGISTER_AQ_DOORBELL		= 0x2c,
	REGISTER_AENQ_SHAPE		= 0x34,	/* asynchronous events */
	REGISTER_AENQ_BASE		= 0x38,
	REGISTER_AENQ_DOORBELL		= 0x40,
	REGISTER_INTERRUPT_MASK		= 0x4c,	/* bit 0: admin completions are polled for */
	REGISTER_CONTROL		= 0x54,
	REGISTER_STATUS			= 0x58,
	REGISTER_READ_REQUEST		= 0x5c,
	REGISTER_ANSWER			= 0x60,
	REGISTER_EQ_DOORBELL		= 0x68,
	REGISTERS_END			= 0x6c,
};

/* REGISTER_CAPABILITIES */
#define CAPABILITY_RESET_TIMEOUT(units)	((units) << 1)	/* of 100 ms */
#define CAPABILITY_ADDRESS_BITS(bits)	((bits) << 8)

/* REGISTER_AQ_SHAPE, REGISTER_ACQ_SHAPE, REGISTER_AENQ_SHAPE */
#define SHAPE_DEPTH(shape)		((shape) & 0xffff)
#define SHAPE_COMMAND_SIZE(shape)	((shape) >> 16)		/* AQ: 16 bits */
#define SHAPE_ENTRY_SIZE(shape)		((shape) >> 16 & 0xff)	/* ACQ and AENQ: 8 bits */
#define SHAPE_VECTOR(shape)		((shape) >> 24)		/* ACQ and AENQ */

/* REGISTER_INTERRUPT_MASK */
#define MASK_ADMIN			0x1u

/* REGISTER_CONTROL */
#define CONTROL_RESET			0x1u
#define CONTROL_REASON(control)		((control) >> 28)

/* REGISTER_STATUS */
#define STATUS_READY			0x01u
#define STATUS_RESET_IN_PROGRESS	0x08u
#define STATUS_RESET_FINISHED		0x10u

/* REGISTER_READ_REQUEST */
#define REQUEST_ID(request)		((request) & 0xffff)
#define REQUEST_OFFSET(request)		((request) >> 16)

/* REGISTER_EQ_DOORBELL and the doorbell of a CQ */
#define DOORBELL_INDEX(value)		((value) & 0xffff)
#define DOORBELL_ARM			0x80000000u

/* What answers a read request; the driver waits for its id. */
struct register_answer {
	uint16_t id;
	uint16_t offset;
	uint32_t value;
} __attribute__((packed));

/*
 * The doorbell BAR: a page for each queue pair, then one for each completion queue, so that no
 * process of the guest can ring for another's.
 */
enum {
	DOORBELL_PAGE		= 4096,
	DOORBELL_RECEIVE	= 0x800,	/* in a queue pair's page; its send doorbell is at 0 */
};

#endif
