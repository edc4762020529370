/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A guest's driver and user of the device, for tests: admin commands and work requests made by
 * hand, in the memory of a fake function. What must work and does not ends the test.
 */
#ifndef CTS_TEST_DRIVER_H
#define CTS_TEST_DRIVER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/fake_function.h"
#include "nic/device.h"
#include "nic/wire/admin.h"
#include "nic/wire/io.h"
#include "nic/wire/registers.h"

#define PAGE		4096ull

/* Admin queues of this depth, at these addresses. */
#define DRIVER_DEPTH	32
#define DRIVER_AQ	(FAKE_GUEST_ADDRESS + 0 * PAGE)
#define DRIVER_ACQ	(FAKE_GUEST_ADDRESS + 1 * PAGE)
#define DRIVER_AENQ	(FAKE_GUEST_ADDRESS + 2 * PAGE)
#define DRIVER_ANSWER	(FAKE_GUEST_ADDRESS + 3 * PAGE)

/* MSI-X vectors: of the admin queues, and of the event queue. */
enum { DRIVER_ADMIN_VECTOR = 0, DRIVER_EVENT_VECTOR = 1 };

#define DRIVER_QUEUE_KEY	0x11
#define ALL_RIGHTS	(RIGHT_LOCAL_WRITE | RIGHT_REMOTE_WRITE | RIGHT_REMOTE_READ)

/* What a completion carries. */
union answer {
	uint8_t bytes[ADMIN_ANSWER];
	struct number_answer number;
	struct create_qp_answer qp;
	struct query_qp_answer query;
	struct reg_mr_answer mr;
	struct create_cq_answer cq;
	struct feature_device device;
	struct feature_queues queues;
	struct feature_aenq aenq;
	struct feature_network network;
	struct feature_hints hints;
	struct feature_events events;
	struct stats_rdma rdma;
	struct stats_basic basic;
	struct stats_messages messages;
};

struct driver {
	struct function *function;
	struct device *device;
	struct options options;
	size_t entry;			/* bytes of an admin command */
	uint16_t posted;
	uint16_t answered;
	uint64_t free;			/* guest memory that nobody has yet */
	uint16_t uar;
};

/** driver_start - switch a device on, set its admin queues up */
struct driver *driver_start(struct fabric *fabric, unsigned int number,
			    unsigned int api_minor);

/** driver_restart - the same again with all forgotten, guest memory too */
void driver_restart(struct driver *driver, unsigned int api_minor);

/** driver_stop - take the device and its guest away */
void driver_stop(struct driver *driver);

/** driver_alloc - guest memory of whole pages, all zero; its address on the bus */
uint64_t driver_alloc(struct driver *driver, size_t size);

/** driver_at - where the test finds the guest's memory */
void *driver_at(struct driver *driver, uint64_t address);

/** driver_post - put a command into the queue, without ringing; its id */
uint16_t driver_post(struct driver *driver, uint8_t opcode, uint8_t flags,
		     const void *payload, size_t size);

/** driver_ring - ring for what was posted */
void driver_ring(struct driver *driver);

/** driver_completion - the next completion, or NULL if it is not there */
const struct admin_completion *driver_completion(struct driver *driver);

/** driver_command - run a command; its answer, if @answer is not NULL */
enum admin_status driver_command(struct driver *driver, uint8_t opcode, uint8_t flags,
				 const void *payload, size_t size, union answer *answer);

/** driver_tick - let the device do what it put off, until it waits for nothing but time */
void driver_tick(struct driver *driver);

/** driver_tick_later - likewise, as if so much time had passed */
int driver_tick_later(struct driver *driver, unsigned int milliseconds);

uint16_t driver_pd(struct driver *driver);
uint16_t driver_ah(struct driver *driver, uint16_t pd, unsigned int number);

struct test_eq {
	uint16_t number;
	uint64_t ring;
	unsigned int depth, seen;
};

void driver_eq(struct driver *driver, struct test_eq *eq, uint16_t depth);

/** driver_event - the next event's completion queue, or -1 */
int driver_event(struct driver *driver, struct test_eq *eq);

void driver_arm_eq(struct driver *driver, const struct test_eq *eq);

struct test_cq {
	uint16_t number;
	uint32_t doorbell;
	uint64_t ring;
	unsigned int depth, seen;
};

/* @eq may be NULL, for a queue without events. */
void driver_cq(struct driver *driver, struct test_cq *cq, unsigned int depth,
	       const struct test_eq *eq);

/** driver_poll - take the next completion; false if there is none */
bool driver_poll(struct driver *driver, struct test_cq *cq, struct completion *completion);

void driver_arm_cq(struct driver *driver, const struct test_cq *cq);

struct test_qp {
	struct driver *driver;
	struct create_qp_answer info;
	uint16_t number;
	uint16_t ah;
	uint64_t ring;
	uint16_t posted;
	uint16_t received;
};

enum { TEST_QP_DEPTH = 16 };

/** driver_qp - a queue pair that sends and receives; @ah is put into its requests */
void driver_qp(struct driver *driver, struct test_qp *qp, enum qp_kind kind, uint16_t pd,
	       uint16_t ah, const struct test_cq *cq);

/** driver_qp_state - change its state */
enum admin_status driver_qp_state(struct test_qp *qp, enum qp_state state);

struct test_mr {
	uint32_t key;
	uint64_t address;	/* on the bus, and of the region: the same */
	uint64_t length;
};

/** driver_mr - register fresh memory that begins anywhere in a page, pages told in a list */
void driver_mr(struct driver *driver, struct test_mr *mr, uint16_t pd, unsigned int offset,
	       uint64_t length, uint8_t rights);

enum admin_status driver_dereg(struct driver *driver, uint32_t key);

/** work_rdma - a request to move @length bytes; may be changed before it is posted */
struct work_request work_rdma(struct test_qp *qp, const struct test_qp *to,
			      enum operation operation, const struct test_mr *local,
			      const struct test_mr *remote, uint32_t length);

/** work_send - a request to send @length bytes */
struct work_request work_send(struct test_qp *qp, const struct test_qp *to,
			      const struct test_mr *local, uint32_t length);

/** work_post - put a request into the ring and ring; its id is its place */
void work_post(struct test_qp *qp, struct work_request request);

/** work_receive - post a receive of one segment */
void work_receive(struct test_qp *qp, const struct test_mr *mr, uint16_t length);

/** work_run - post a request and wait for its completion; its outcome, or -1 for none */
int work_run(struct test_qp *qp, struct test_cq *cq, struct work_request request);

/** fill - bytes that depend on their place and on @seed */
void fill(void *bytes, size_t length, unsigned int seed);

/** is_filled - whether they are that */
bool is_filled(const void *bytes, size_t length, unsigned int seed);

/** is_zero - whether all bytes are zero */
bool is_zero(const void *bytes, size_t length);

#endif
