// SPDX-License-Identifier: GPL-2.0-only
/* Sends and receives, reliable and not. */
#include "kselftest_harness.h"

#include <string.h>

#include "common/driver.h"

#define MTU	8928u

FIXTURE(message)
{
	struct fabric *fabric;
	struct driver *driver;
	struct counters *counters;
	uint16_t pd;
	struct test_cq cq;
	struct test_qp a, b;
	struct test_mr from, to;
};

FIXTURE_VARIANT(message)
{
	enum qp_kind kind;
};

FIXTURE_VARIANT_ADD(message, srd) { .kind = QP_SRD };
FIXTURE_VARIANT_ADD(message, ud) { .kind = QP_UD };

FIXTURE_SETUP(message)
{
	uint16_t ah;

	self->fabric = fabric_new();
	self->driver = driver_start(self->fabric, 0, 2);
	self->counters = function_counters(self->driver->function);
	self->pd = driver_pd(self->driver);
	ah = driver_ah(self->driver, self->pd, 0);
	driver_cq(self->driver, &self->cq, 64, NULL);
	driver_qp(self->driver, &self->a, variant->kind, self->pd, ah, &self->cq);
	driver_qp(self->driver, &self->b, variant->kind, self->pd, ah, &self->cq);
	driver_mr(self->driver, &self->from, self->pd, 11, 2 * MTU, ALL_RIGHTS);
	driver_mr(self->driver, &self->to, self->pd, 22, 2 * MTU, ALL_RIGHTS);
}

FIXTURE_TEARDOWN(message)
{
	driver_stop(self->driver);
	fabric_free(self->fabric);
}

static void *bytes(FIXTURE_DATA(message) *self, const struct test_mr *mr)
{
	return driver_at(self->driver, mr->address);
}

static int run(FIXTURE_DATA(message) *self, struct work_request request)
{
	return work_run(&self->a, &self->cq, request);
}

static struct work_request message(FIXTURE_DATA(message) *self, uint32_t length)
{
	return work_send(&self->a, &self->b, &self->from, length);
}

/* What a datagram's sender is told when it is lost: nothing. */
static int lost(const FIXTURE_VARIANT(message) *variant, enum outcome outcome)
{
	return variant->kind == QP_UD ? OUTCOME_OK : outcome;
}

TEST_F(message, arrives)
{
	struct completion completion;

	fill(bytes(self, &self->from), MTU, 1);
	work_receive(&self->b, &self->to, 2 * MTU);
	work_post(&self->a, message(self, MTU));
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_OK, completion.outcome);
	ASSERT_EQ(COMPLETION_OF_RECEIVE, completion.flags & 0x6);
	ASSERT_EQ(MTU, completion.length);
	ASSERT_EQ(self->a.number, completion.source);
	ASSERT_EQ(self->b.number, completion.queue);
	ASSERT_EQ(self->b.ah, completion.handle);
	ASSERT_FALSE(completion.flags & COMPLETION_IMMEDIATE);
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(COMPLETION_OF_SEND, completion.flags & 0x6);
	ASSERT_TRUE(is_filled(bytes(self, &self->to), MTU, 1));
	ASSERT_TRUE(is_zero(bytes(self, &self->to) + MTU, MTU));
}

TEST_F(message, goes_through_several_segments)
{
	struct receive_descriptor *ring = driver_at(self->driver, self->b.ring);
	struct work_request request = message(self, 1000);

	request.length = 2;
	request.segments[1] = request.segments[0];
	request.segments[1].address_low += 1000;
	request.segments[1].length = 500;
	fill(bytes(self, &self->from), 1500, 2);
	work_receive(&self->b, &self->to, 100);
	/* Two descriptors make one receive; the doorbell rang too early, but nobody looked. */
	ring[0].key &= ~RECEIVE_LAST;
	ring[1] = ring[0];
	ring[1].key = self->to.key | RECEIVE_LAST;
	ring[1].address_low += 100;
	ring[1].length = 1400;
	device_doorbell_write(self->driver->device, self->b.info.receive_doorbell, 2);
	work_post(&self->a, request);
	ASSERT_TRUE(is_filled(bytes(self, &self->to), 1500, 2));
}

TEST_F(message, has_no_more_segments_than_a_request_holds)
{
	struct work_request request = message(self, 10);

	work_receive(&self->b, &self->to, 100);
	request.length = SEND_SEGMENTS + 1;
	ASSERT_EQ(OUTCOME_BAD_LENGTH, run(self, request));
}

TEST_F(message, can_be_in_the_request)
{
	struct work_request request = message(self, 0);

	request.kind |= WORK_INLINE | WORK_HAS_IMMEDIATE;
	request.immediate = 42;
	request.length = INLINE_BYTES;
	fill(request.bytes, INLINE_BYTES, 3);
	work_receive(&self->b, &self->to, 100);
	ASSERT_EQ(OUTCOME_OK, run(self, request));
	ASSERT_TRUE(is_filled(bytes(self, &self->to), INLINE_BYTES, 3));
	self->cq.seen++;
	request.length++;
	ASSERT_EQ(OUTCOME_BAD_LENGTH, run(self, request));
}

TEST_F(message, has_a_greatest_length)
{
	work_receive(&self->b, &self->to, 2 * MTU);
	ASSERT_EQ(OUTCOME_BAD_LENGTH, run(self, message(self, MTU + 1)));
	ASSERT_EQ(OUTCOME_BAD_LENGTH, run(self, message(self, UINT32_MAX)));
}

TEST_F(message, may_have_no_receive)
{
	ASSERT_EQ(lost(variant, OUTCOME_REMOTE_NOT_READY), run(self, message(self, 10)));
}

TEST_F(message, waits_for_a_receive_as_often_as_told)
{
	struct modify_qp modify = {
		.mask = MODIFY_RETRIES, .handle = self->a.info.handle, .retries = 2,
	};
	struct completion completion;

	if (variant->kind == QP_UD)
		SKIP(return, "datagrams do not wait");
	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_MODIFY_QP, 0, &modify,
					   sizeof(modify), NULL));
	work_post(&self->a, message(self, 10));
	ASSERT_EQ(10, driver_tick_later(self->driver, 20));
	ASSERT_FALSE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(-1, driver_tick_later(self->driver, 40));
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_REMOTE_NOT_READY, completion.outcome);
	modify.retries = 7;
	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_MODIFY_QP, 0, &modify,
					   sizeof(modify), NULL));
	work_post(&self->a, message(self, 10));
	for (int i = 1; i < 50; i++)
		ASSERT_EQ(10, driver_tick_later(self->driver, 20 * i));
	work_receive(&self->b, &self->to, 10);
	ASSERT_EQ(-1, driver_tick_later(self->driver, 2000));
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_OK, completion.outcome);
	modify.retries = 8;
	ASSERT_EQ(ADMIN_ILLEGAL, driver_command(self->driver, OPCODE_MODIFY_QP, 0, &modify,
						sizeof(modify), NULL));
}

TEST_F(message, may_be_too_long_for_its_receive)
{
	struct completion completion;

	work_receive(&self->b, &self->to, 9);
	work_post(&self->a, message(self, 10));
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_BAD_LENGTH, completion.outcome);
	ASSERT_EQ(self->b.number, completion.queue);
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(lost(variant, OUTCOME_REMOTE_BAD_LENGTH), completion.outcome);
	ASSERT_TRUE(is_zero(bytes(self, &self->to), 9));
}

TEST_F(message, receives_need_the_right_to_write)
{
	struct test_mr constant;
	struct completion completion;

	driver_mr(self->driver, &constant, self->pd, 0, 100, RIGHT_REMOTE_READ);
	work_receive(&self->b, &constant, 100);
	work_post(&self->a, message(self, 10));
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_BAD_LOCAL_KEY, completion.outcome);
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(lost(variant, OUTCOME_REMOTE_ABORT), completion.outcome);
}

TEST_F(message, keys_are_checked)
{
	struct work_request request = message(self, 10);

	work_receive(&self->b, &self->to, 100);
	request.segments[0].key ^= 1;
	ASSERT_EQ(OUTCOME_BAD_LOCAL_KEY, run(self, request));
	request = message(self, 10);
	request.queue_key++;
	ASSERT_EQ(lost(variant, OUTCOME_REMOTE_BAD_QUEUE), run(self, request));
	request = message(self, 10);
	request.queue++;
	ASSERT_EQ(lost(variant, OUTCOME_REMOTE_BAD_QUEUE), run(self, request));
	request = message(self, 10);
	request.handle++;
	ASSERT_EQ(OUTCOME_BAD_HANDLE, run(self, request));
	ASSERT_TRUE(is_zero(bytes(self, &self->to), 100));
}

TEST_F(message, datagrams_do_nothing_else)
{
	int expected = variant->kind == QP_UD ? OUTCOME_UNSUPPORTED : OUTCOME_OK;

	ASSERT_EQ(expected, run(self, work_rdma(&self->a, &self->b, OPERATION_WRITE,
						&self->from, &self->to, 10)));
	ASSERT_EQ(expected, run(self, work_rdma(&self->a, &self->b, OPERATION_READ,
						&self->from, &self->to, 10)));
}

TEST_F(message, malformed_receives_break_the_queue_pair)
{
	static const uint32_t flags[][3] = {
		{ RECEIVE_LAST, 0, 0 },				/* does not begin */
		{ RECEIVE_FIRST, RECEIVE_FIRST | RECEIVE_LAST, 0 },	/* begins twice */
		{ RECEIVE_FIRST, 0, RECEIVE_LAST },		/* too long */
		{ RECEIVE_FIRST, 0, 0 },			/* does not end */
	};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		struct test_qp qp;
		struct receive_descriptor *ring;
		struct completion completion;

		driver_qp(self->driver, &qp, variant->kind, self->pd, self->a.ah, &self->cq);
		ring = driver_at(self->driver, qp.ring);
		for (int j = 0; j < 3; j++)
			ring[j] = (struct receive_descriptor){
				.length = 10, .key = self->to.key | flags[i][j],
				.address_low = self->to.address,
				.address_high = self->to.address >> 32,
			};
		device_doorbell_write(self->driver->device, qp.info.receive_doorbell, 3);
		work_post(&self->a, work_send(&self->a, &qp, &self->from, 10));
		do {
			ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
			ASSERT_TRUE(completion.queue == self->a.number ||
				    completion.outcome == OUTCOME_FLUSHED);
		} while (completion.queue != self->a.number);
		ASSERT_EQ(lost(variant, OUTCOME_REMOTE_ABORT), completion.outcome);
		ASSERT_EQ(ADMIN_ILLEGAL, driver_qp_state(&qp, QP_RTS));
	}
	ASSERT_TRUE(is_zero(bytes(self, &self->to), 100));
}

/* leave_out - take pages from the device as the guest's IOMMU would */
static void leave_out(FIXTURE_DATA(message) *self, uint64_t address, uint64_t length)
{
	struct memory *memory = function_memory(self->driver->function);
	uint64_t first = address / PAGE * PAGE, last = (address + length - 1) / PAGE * PAGE + PAGE;
	int fd = fake_guest_fd(self->driver->function);

	memory_remove_all(memory);
	memory_add(memory, FAKE_GUEST_ADDRESS, first - FAKE_GUEST_ADDRESS, fd, 0,
		   MEMORY_READ | MEMORY_WRITE);
	memory_add(memory, last, FAKE_GUEST_ADDRESS + FAKE_GUEST_SIZE - last, fd,
		   last - FAKE_GUEST_ADDRESS, MEMORY_READ | MEMORY_WRITE);
}

TEST_F(message, receives_that_are_not_there_break_the_queue_pair)
{
	work_receive(&self->b, &self->to, 100);
	leave_out(self, self->b.ring, PAGE);
	ASSERT_EQ(lost(variant, OUTCOME_REMOTE_ABORT), run(self, message(self, 10)));
	ASSERT_EQ(1, self->counters->dma_faults);
}

TEST_F(message, may_come_from_memory_that_is_not_there)
{
	work_receive(&self->b, &self->to, 100);
	leave_out(self, self->from.address, self->from.length);
	ASSERT_EQ(OUTCOME_BAD_LOCAL_KEY, run(self, message(self, 10)));
	ASSERT_EQ(1, self->counters->dma_faults);
}

TEST_F(message, may_go_to_memory_that_is_not_there)
{
	struct completion completion;

	work_receive(&self->b, &self->to, 100);
	leave_out(self, self->to.address, self->to.length);
	work_post(&self->a, message(self, 10));
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_BAD_LOCAL_KEY, completion.outcome);
	ASSERT_EQ(self->b.number, completion.queue);
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(lost(variant, OUTCOME_REMOTE_ABORT), completion.outcome);
	ASSERT_EQ(1, self->counters->dma_faults);
}

TEST_F(message, receives_that_are_not_there_are_not_flushed)
{
	struct completion completion;

	work_receive(&self->b, &self->to, 100);
	work_receive(&self->b, &self->to, 100);
	leave_out(self, self->b.ring, PAGE);
	ASSERT_EQ(ADMIN_OK, driver_qp_state(&self->b, QP_ERROR));
	ASSERT_FALSE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(1, self->counters->dma_faults);
}

/* A message to its own sender, whose receive is malformed: both ends break at once. */
TEST_F(message, to_itself)
{
	struct receive_descriptor *ring = driver_at(self->driver, self->a.ring);
	struct completion completion;

	work_receive(&self->a, &self->to, 100);
	ring[0].key &= ~RECEIVE_FIRST;
	work_post(&self->a, work_send(&self->a, &self->a, &self->from, 10));
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_FLUSHED, completion.outcome);
	ASSERT_FALSE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(ADMIN_OK, driver_qp_state(&self->a, QP_RESET));
}

TEST_F(message, strangers_are_told_by_address)
{
	struct driver *other = driver_start(self->fabric, 1, 2);
	uint16_t pd = driver_pd(other);
	struct completion completion;
	struct test_cq cq;
	struct test_qp qp;
	struct test_mr mr;
	uint64_t ring = driver_alloc(other, PAGE);
	struct create_cq create = {
		.entry = 8 | CQ_SOURCE_ADDRESS, .depth = 16, .ring = { ring, ring >> 32 },
		.sub_cqs = 1, .uar = other->uar,
	};
	union answer answer;

	ASSERT_EQ(ADMIN_OK, driver_command(other, OPCODE_CREATE_CQ, 0, &create, sizeof(create),
					   &answer));
	cq = (struct test_cq){ .number = answer.cq.number, .ring = ring, .depth = 16 };
	driver_qp(other, &qp, variant->kind, pd, 0, &cq);
	driver_mr(other, &mr, pd, 0, 100, ALL_RIGHTS);
	work_receive(&qp, &mr, 100);
	self->a.ah = driver_ah(self->driver, self->pd, 1);
	ASSERT_EQ(OUTCOME_OK, run(self, work_send(&self->a, &qp, &self->from, 10)));
	ASSERT_TRUE(driver_poll(other, &cq, &completion));
	ASSERT_EQ(NO_HANDLE, completion.handle);
	ASSERT_EQ(0xfe, completion.address[0]);
	ASSERT_EQ(1, completion.address[15]);
	/* But only if asked to. */
	driver_cq(other, &cq, 16, NULL);
	driver_qp(other, &qp, variant->kind, pd, 0, &cq);
	work_receive(&qp, &mr, 100);
	ASSERT_EQ(OUTCOME_OK, run(self, work_send(&self->a, &qp, &self->from, 10)));
	ASSERT_TRUE(driver_poll(other, &cq, &completion));
	ASSERT_EQ(NO_HANDLE, completion.handle);
	ASSERT_TRUE(is_zero(completion.address, sizeof(completion.address)));
	driver_stop(other);
}

TEST_HARNESS_MAIN
