// SPDX-License-Identifier: GPL-2.0-only
/* RDMA requests: bytes go where they belong, and nowhere that they may not. */
#include "kselftest_harness.h"

#include <string.h>

#include "common/driver.h"
#include "nic/fault.h"

#define LENGTH	70000u

FIXTURE(rdma)
{
	struct fabric *fabric;
	struct driver *driver;
	struct counters *counters;
	struct controls *controls;
	uint16_t pd;
	struct test_cq cq;
	struct test_qp a, b;
	struct test_mr local, remote;
};

FIXTURE_SETUP(rdma)
{
	uint16_t ah;

	self->fabric = fabric_new();
	self->driver = driver_start(self->fabric, 0, 3);
	self->counters = function_counters(self->driver->function);
	self->controls = function_controls(self->driver->function);
	self->pd = driver_pd(self->driver);
	ah = driver_ah(self->driver, self->pd, 0);
	driver_cq(self->driver, &self->cq, 64, NULL);
	driver_qp(self->driver, &self->a, QP_SRD, self->pd, ah, &self->cq);
	driver_qp(self->driver, &self->b, QP_SRD, self->pd, ah, &self->cq);
	driver_mr(self->driver, &self->local, self->pd, 100, LENGTH, ALL_RIGHTS);
	driver_mr(self->driver, &self->remote, self->pd, 3000, LENGTH, ALL_RIGHTS);
}

FIXTURE_TEARDOWN(rdma)
{
	driver_stop(self->driver);
	fabric_free(self->fabric);
}

static void *bytes(FIXTURE_DATA(rdma) *self, const struct test_mr *mr)
{
	return driver_at(self->driver, mr->address);
}

/* Whether the rest of the pages around a region is untouched. */
static bool is_alone(FIXTURE_DATA(rdma) *self, const struct test_mr *mr)
{
	uint64_t before = mr->address % PAGE;
	uint64_t after = -(mr->address + mr->length) % PAGE;

	return is_zero(driver_at(self->driver, mr->address - before), before) &&
	       is_zero(driver_at(self->driver, mr->address + mr->length), after);
}

static struct work_request rdma(FIXTURE_DATA(rdma) *self, enum operation operation)
{
	return work_rdma(&self->a, &self->b, operation, &self->local, &self->remote, LENGTH);
}

static int run(FIXTURE_DATA(rdma) *self, struct work_request request)
{
	return work_run(&self->a, &self->cq, request);
}

TEST_F(rdma, write)
{
	uint64_t read, written;

	fill(bytes(self, &self->local), LENGTH, 1);
	ASSERT_EQ(OUTCOME_OK, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_TRUE(is_filled(bytes(self, &self->remote), LENGTH, 1));
	ASSERT_TRUE(is_alone(self, &self->remote));
	ASSERT_EQ(0, device_region_bytes(self->driver->device, self->remote.key, &read,
					 &written));
	ASSERT_EQ(0, read);
	ASSERT_EQ(LENGTH, written);
}

TEST_F(rdma, read)
{
	fill(bytes(self, &self->remote), LENGTH, 2);
	ASSERT_EQ(OUTCOME_OK, run(self, rdma(self, OPERATION_READ)));
	ASSERT_TRUE(is_filled(bytes(self, &self->local), LENGTH, 2));
	ASSERT_TRUE(is_alone(self, &self->local));
}

/* Pages in any order: what lies together in the region does not in memory. */
TEST_F(rdma, pages_lie_anywhere)
{
	uint64_t pages = driver_alloc(self->driver, 4 * PAGE);
	struct reg_mr reg = {
		.pd = self->pd,
		.pages = { pages + 2 * PAGE, pages, pages + 3 * PAGE },
		.length = 3 * PAGE - 200,
		.shift = 12,
		.rights = ALL_RIGHTS,
		.address = 100,
	};
	struct test_mr mr = { .address = reg.address, .length = reg.length };
	uint8_t *memory = driver_at(self->driver, pages), *from = bytes(self, &self->local);
	union answer answer;

	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_REG_MR, 0, &reg, sizeof(reg),
					   &answer));
	mr.key = answer.mr.local_key;
	fill(from, LENGTH, 11);
	ASSERT_EQ(OUTCOME_OK, run(self, work_rdma(&self->a, &self->b, OPERATION_WRITE,
						  &self->local, &mr, mr.length)));
	ASSERT_EQ(0, memcmp(memory + 2 * PAGE + 100, from, PAGE - 100));
	ASSERT_EQ(0, memcmp(memory, from + PAGE - 100, PAGE));
	ASSERT_EQ(0, memcmp(memory + 3 * PAGE, from + 2 * PAGE - 100, PAGE - 100));
	ASSERT_TRUE(is_zero(memory + PAGE, PAGE + 100));
	ASSERT_TRUE(is_zero(memory + 4 * PAGE - 100, 100));
}

TEST_F(rdma, completions_tell_which)
{
	struct completion completion;

	work_post(&self->a, rdma(self, OPERATION_READ));
	work_post(&self->a, rdma(self, OPERATION_WRITE));
	for (int i = 0; i < 2; i++) {
		ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
		ASSERT_EQ(i, completion.id);
		ASSERT_EQ(self->a.number, completion.queue);
		ASSERT_EQ(COMPLETION_OF_SEND, completion.flags & 0x6);
		ASSERT_EQ(i ? OPERATION_WRITE : OPERATION_READ, completion.flags >> 4);
	}
	ASSERT_FALSE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(2, self->counters->work_requests);
}

TEST_F(rdma, a_completion_may_be_unwanted)
{
	struct work_request request = rdma(self, OPERATION_WRITE);

	request.control &= ~WORK_WANTS_COMPLETION;
	ASSERT_EQ(-1, run(self, request));
	request.rdma.remote.key ^= 1;
	ASSERT_EQ(OUTCOME_REMOTE_BAD_ADDRESS, run(self, request));
}

TEST_F(rdma, rings_can_be_gone_round)
{
	for (int i = 0; i < 200; i++)
		ASSERT_EQ(OUTCOME_OK, run(self, rdma(self, OPERATION_WRITE)));
}

TEST_F(rdma, write_with_immediate)
{
	struct work_request request = rdma(self, OPERATION_WRITE);
	struct completion completion;

	request.kind |= WORK_HAS_IMMEDIATE;
	request.immediate = 0x12345678;
	fill(bytes(self, &self->local), LENGTH, 3);
	ASSERT_EQ(OUTCOME_REMOTE_NOT_READY, run(self, request));
	ASSERT_TRUE(is_zero(bytes(self, &self->remote), LENGTH));
	work_receive(&self->b, &self->local, 0);
	work_post(&self->a, request);
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(COMPLETION_OF_RECEIVE, completion.flags & 0x6);
	ASSERT_EQ(OPERATION_WRITE, completion.flags >> 4);
	ASSERT_TRUE(completion.flags & COMPLETION_IMMEDIATE);
	ASSERT_EQ(0x12345678, completion.immediate);
	ASSERT_EQ(LENGTH, completion.length | completion.length_high << 16);
	ASSERT_EQ(self->a.number, completion.source);
	ASSERT_EQ(self->b.number, completion.queue);
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(COMPLETION_OF_SEND, completion.flags & 0x6);
	ASSERT_TRUE(is_filled(bytes(self, &self->remote), LENGTH, 3));
}

TEST_F(rdma, nothing_to_move)
{
	struct work_request request = rdma(self, OPERATION_WRITE);

	request.rdma.local[0].length = 0;
	request.rdma.remote.length = 0;
	ASSERT_EQ(OUTCOME_OK, run(self, request));
	request.length = 0;
	ASSERT_EQ(OUTCOME_OK, run(self, request));
}

TEST_F(rdma, keys_are_checked)
{
	struct work_request request = rdma(self, OPERATION_WRITE);

	request.rdma.local[0].key ^= 0x1000;
	ASSERT_EQ(OUTCOME_BAD_LOCAL_KEY, run(self, request));
	request = rdma(self, OPERATION_WRITE);
	request.rdma.remote.key ^= 0x1000;
	ASSERT_EQ(OUTCOME_REMOTE_BAD_ADDRESS, run(self, request));
	request.rdma.remote.key = 0;
	ASSERT_EQ(OUTCOME_REMOTE_BAD_ADDRESS, run(self, request));
	ASSERT_EQ(0, self->counters->stale_keys);
	ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, self->remote.key));
	ASSERT_EQ(OUTCOME_REMOTE_BAD_ADDRESS, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_EQ(1, self->counters->stale_keys);
	ASSERT_EQ(0, self->counters->late_accesses);
	ASSERT_TRUE(is_zero(bytes(self, &self->remote), LENGTH));
}

TEST_F(rdma, ranges_are_checked)
{
	static const struct {
		int64_t shift;
		uint32_t length;
		int outcome;
	} cases[] = {
		{ 0, LENGTH, OUTCOME_OK },
		{ 1, LENGTH - 1, OUTCOME_OK },
		{ LENGTH - 1, 1, OUTCOME_OK },
		{ 0, LENGTH + 1, OUTCOME_REMOTE_BAD_ADDRESS },
		{ 1, LENGTH, OUTCOME_REMOTE_BAD_ADDRESS },
		{ LENGTH, 1, OUTCOME_REMOTE_BAD_ADDRESS },
		{ -1, 1, OUTCOME_REMOTE_BAD_ADDRESS },
		{ INT64_MAX, LENGTH, OUTCOME_REMOTE_BAD_ADDRESS },
	};
	struct test_mr wide;

	driver_mr(self->driver, &wide, self->pd, 0, 2 * LENGTH, ALL_RIGHTS);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct test_mr remote = self->remote;

		remote.address += cases[i].shift;
		ASSERT_EQ(cases[i].outcome,
			  run(self, work_rdma(&self->a, &self->b, OPERATION_WRITE, &wide,
					      &remote, cases[i].length))) {
			TH_LOG("case %zu", i);
		}
		/* The same for the local side, where a read would write. */
		ASSERT_EQ(cases[i].outcome ? OUTCOME_BAD_LOCAL_KEY : OUTCOME_OK,
			  run(self, work_rdma(&self->a, &self->b, OPERATION_READ, &remote,
					      &wide, cases[i].length)));
	}
	ASSERT_TRUE(is_alone(self, &self->remote));
	ASSERT_EQ(0, self->counters->dma_faults);
}

TEST_F(rdma, rights_are_checked)
{
	static const struct {
		uint8_t local, remote;
		enum operation operation;
		int outcome;
	} cases[] = {
		{ 0, 3, OPERATION_WRITE, OUTCOME_OK },
		{ 0, 1, OPERATION_WRITE, OUTCOME_REMOTE_BAD_ADDRESS },
		{ 0, 5, OPERATION_WRITE, OUTCOME_REMOTE_BAD_ADDRESS },
		{ 1, 4, OPERATION_READ, OUTCOME_OK },
		{ 1, 3, OPERATION_READ, OUTCOME_REMOTE_BAD_ADDRESS },
		{ 0, 4, OPERATION_READ, OUTCOME_BAD_LOCAL_KEY },
		{ 4, 4, OPERATION_READ, OUTCOME_BAD_LOCAL_KEY },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct test_mr local, remote;

		driver_mr(self->driver, &local, self->pd, 0, 64, cases[i].local);
		driver_mr(self->driver, &remote, self->pd, 0, 64, cases[i].remote);
		ASSERT_EQ(cases[i].outcome,
			  run(self, work_rdma(&self->a, &self->b, cases[i].operation, &local,
					      &remote, 64))) {
			TH_LOG("case %zu", i);
		}
	}
}

TEST_F(rdma, protection_domains_are_checked)
{
	uint16_t other = driver_pd(self->driver);
	uint16_t ah = driver_ah(self->driver, other, 0);
	struct test_mr foreign;
	struct test_qp qp;

	driver_mr(self->driver, &foreign, other, 0, LENGTH, ALL_RIGHTS);
	ASSERT_EQ(OUTCOME_REMOTE_BAD_ADDRESS,
		  run(self, work_rdma(&self->a, &self->b, OPERATION_WRITE, &self->local,
				      &foreign, 64)));
	ASSERT_EQ(OUTCOME_BAD_LOCAL_KEY,
		  run(self, work_rdma(&self->a, &self->b, OPERATION_WRITE, &foreign,
				      &self->remote, 64)));
	/* The remote region is that of the remote queue pair's domain. */
	driver_qp(self->driver, &qp, QP_SRD, other, ah, &self->cq);
	ASSERT_EQ(OUTCOME_OK, run(self, work_rdma(&self->a, &qp, OPERATION_WRITE,
						  &self->local, &foreign, 64)));
	self->a.ah = ah;
	ASSERT_EQ(OUTCOME_BAD_HANDLE, run(self, rdma(self, OPERATION_WRITE)));
	self->a.ah = 0xffff;
	ASSERT_EQ(OUTCOME_BAD_HANDLE, run(self, rdma(self, OPERATION_WRITE)));
}

TEST_F(rdma, destinations_are_checked)
{
	struct work_request request = rdma(self, OPERATION_WRITE);
	struct test_qp stranger, datagrams;
	uint16_t pd = driver_pd(self->driver);

	request.queue ^= 0x100;
	ASSERT_EQ(OUTCOME_REMOTE_BAD_QUEUE, run(self, request));
	request = rdma(self, OPERATION_WRITE);
	request.queue_key++;
	ASSERT_EQ(OUTCOME_REMOTE_BAD_QUEUE, run(self, request));
	self->a.ah = driver_ah(self->driver, self->pd, 5);
	ASSERT_EQ(OUTCOME_UNREACHABLE, run(self, rdma(self, OPERATION_WRITE)));
	self->a.ah = self->b.ah;
	/* Who knows no address of ours does not serve us. */
	driver_qp(self->driver, &stranger, QP_SRD, pd, 0, &self->cq);
	ASSERT_EQ(OUTCOME_REMOTE_UNKNOWN_PEER,
		  run(self, work_rdma(&self->a, &stranger, OPERATION_WRITE, &self->local,
				      &self->remote, 64)));
	driver_qp(self->driver, &datagrams, QP_UD, self->pd, self->b.ah, &self->cq);
	ASSERT_EQ(OUTCOME_REMOTE_BAD_QUEUE,
		  run(self, work_rdma(&self->a, &datagrams, OPERATION_WRITE, &self->local,
				      &self->remote, 64)));
	ASSERT_EQ(ADMIN_OK, driver_qp_state(&self->b, QP_ERROR));
	ASSERT_EQ(OUTCOME_REMOTE_BAD_QUEUE, run(self, rdma(self, OPERATION_WRITE)));
}

TEST_F(rdma, nonsense_is_refused)
{
	struct work_request request = rdma(self, OPERATION_WRITE);

	request.kind = WORK_IS_DESCRIPTOR | 7;
	ASSERT_EQ(OUTCOME_UNSUPPORTED, run(self, request));
	request.kind = OPERATION_WRITE;
	ASSERT_EQ(OUTCOME_UNSUPPORTED, run(self, request));
	request.kind = WORK_IS_DESCRIPTOR | WORK_INLINE | OPERATION_WRITE;
	ASSERT_EQ(OUTCOME_UNSUPPORTED, run(self, request));
	request = rdma(self, OPERATION_WRITE);
	request.control = WORK_WANTS_COMPLETION;
	ASSERT_EQ(OUTCOME_UNSUPPORTED, run(self, request));
	request = rdma(self, OPERATION_WRITE);
	request.length = 2;
	ASSERT_EQ(OUTCOME_BAD_LENGTH, run(self, request));
	request = rdma(self, OPERATION_WRITE);
	request.rdma.remote.length--;
	ASSERT_EQ(OUTCOME_BAD_LENGTH, run(self, request));
	request = work_rdma(&self->a, &self->b, OPERATION_WRITE, &self->local, &self->remote,
			    (1u << 30) + 1);
	ASSERT_EQ(OUTCOME_BAD_LENGTH, run(self, request));
}

/* What the guest's IOMMU takes away is not reached, though the region is alive. */
TEST_F(rdma, memory_that_is_unmapped_is_not_reached)
{
	struct memory *memory = function_memory(self->driver->function);
	uint64_t hole = self->remote.address / PAGE * PAGE + PAGE;
	uint64_t end = FAKE_GUEST_ADDRESS + FAKE_GUEST_SIZE;
	int fd = fake_guest_fd(self->driver->function);

	fill(bytes(self, &self->local), LENGTH, 4);
	memory_remove_all(memory);
	ASSERT_EQ(0, memory_add(memory, FAKE_GUEST_ADDRESS, hole - FAKE_GUEST_ADDRESS, fd, 0,
				MEMORY_READ | MEMORY_WRITE));
	ASSERT_EQ(0, memory_add(memory, hole, PAGE, fd, hole - FAKE_GUEST_ADDRESS,
				MEMORY_READ));
	ASSERT_EQ(0, memory_add(memory, hole + 2 * PAGE, end - hole - 2 * PAGE, fd,
				hole + 2 * PAGE - FAKE_GUEST_ADDRESS,
				MEMORY_READ | MEMORY_WRITE));
	ASSERT_EQ(OUTCOME_REMOTE_ABORT, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_EQ(1, self->counters->dma_denied);
	ASSERT_EQ(OUTCOME_REMOTE_ABORT, run(self, rdma(self, OPERATION_READ)));
	ASSERT_EQ(1, self->counters->dma_faults);
	ASSERT_TRUE(is_zero(driver_at(self->driver, hole), 2 * PAGE));
}

TEST_F(rdma, a_long_request_goes_in_steps)
{
	struct test_mr from, to;
	struct completion completion;

	driver_mr(self->driver, &from, self->pd, 10, 6 << 20, ALL_RIGHTS);
	driver_mr(self->driver, &to, self->pd, 30, 6 << 20, ALL_RIGHTS);
	fill(bytes(self, &from), from.length, 5);
	work_post(&self->a, work_rdma(&self->a, &self->b, OPERATION_WRITE, &from, &to,
				      6 << 20));
	ASSERT_FALSE(driver_poll(self->driver, &self->cq, &completion));
	driver_tick(self->driver);
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_OK, completion.outcome);
	ASSERT_TRUE(is_filled(bytes(self, &to), to.length, 5));
	ASSERT_TRUE(is_alone(self, &to));
	/* A key that dies on the way ends it there. */
	memset(bytes(self, &to), 0, to.length);
	work_post(&self->a, work_rdma(&self->a, &self->b, OPERATION_WRITE, &from, &to,
				      6 << 20));
	ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, to.key));
	driver_tick(self->driver);
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_REMOTE_BAD_ADDRESS, completion.outcome);
	ASSERT_TRUE(is_zero(bytes(self, &to) + (5 << 20), 1 << 20));
}

TEST_F(rdma, requests_can_be_delayed)
{
	struct completion completion;

	self->controls->delay_ms = 500;
	work_post(&self->a, rdma(self, OPERATION_WRITE));
	driver_tick(self->driver);
	ASSERT_FALSE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_GT(driver_tick_later(self->driver, 400), 0);
	ASSERT_FALSE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(-1, driver_tick_later(self->driver, 501));
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_OK, completion.outcome);
}

TEST_F(rdma, what_is_posted_is_flushed)
{
	struct handle_command destroy = { .handle = self->a.info.handle };
	struct completion completion;

	self->controls->delay_ms = 500;
	work_post(&self->a, rdma(self, OPERATION_WRITE));
	work_post(&self->a, rdma(self, OPERATION_WRITE));
	work_receive(&self->a, &self->local, 100);
	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_DESTROY_QP, 0, &destroy,
					   sizeof(destroy), NULL));
	for (int i = 0; i < 3; i++) {
		ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
		ASSERT_EQ(OUTCOME_FLUSHED, completion.outcome);
		ASSERT_EQ(self->a.number, completion.queue);
		ASSERT_EQ(i % 2, completion.id);
		ASSERT_EQ(i < 2 ? COMPLETION_OF_SEND : COMPLETION_OF_RECEIVE,
			  completion.flags & 0x6);
	}
	driver_tick_later(self->driver, 1000);
	ASSERT_FALSE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_TRUE(is_zero(bytes(self, &self->remote), LENGTH));
}

TEST_F(rdma, a_queue_pair_in_error_flushes)
{
	struct completion completion;

	self->controls->delay_ms = 500;
	ASSERT_EQ(-1, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_EQ(ADMIN_OK, driver_qp_state(&self->a, QP_ERROR));
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_FLUSHED, completion.outcome);
	ASSERT_EQ(OUTCOME_FLUSHED, run(self, rdma(self, OPERATION_WRITE)));
	work_receive(&self->a, &self->local, 100);
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_FLUSHED, completion.outcome);
}

TEST_F(rdma, a_drained_queue_pair_waits)
{
	struct completion completion;

	ASSERT_EQ(ADMIN_OK, driver_qp_state(&self->a, QP_SQD));
	ASSERT_EQ(-1, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_EQ(ADMIN_OK, driver_qp_state(&self->a, QP_RTS));
	ASSERT_TRUE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_OK, completion.outcome);
}

TEST_F(rdma, a_doorbell_beyond_the_ring_breaks_the_queue_pair)
{
	struct completion completion;

	device_doorbell_write(self->driver->device, self->a.info.send_doorbell,
			      TEST_QP_DEPTH + 1);
	ASSERT_FALSE(driver_poll(self->driver, &self->cq, &completion));
	ASSERT_EQ(OUTCOME_FLUSHED, run(self, rdma(self, OPERATION_WRITE)));
	device_doorbell_write(self->driver->device, self->b.info.receive_doorbell, 0xffff);
	ASSERT_FALSE(driver_poll(self->driver, &self->cq, &completion));
}

/* However much a guest posts, the server gets its turn. */
TEST_F(rdma, a_doorbell_does_a_bounded_amount)
{
	struct test_mr from, to;

	driver_mr(self->driver, &from, self->pd, 0, 4 << 20, ALL_RIGHTS);
	driver_mr(self->driver, &to, self->pd, 0, 4 << 20, ALL_RIGHTS);
	self->controls->delay_ms = 1;
	for (int i = 0; i < TEST_QP_DEPTH; i++)
		work_post(&self->a, work_rdma(&self->a, &self->b, OPERATION_WRITE, &from, &to,
					      4 << 20));
	ASSERT_EQ(0, driver_tick_later(self->driver, 100));
	ASSERT_LE(self->counters->bytes_written, 6 << 20);
	driver_tick(self->driver);
	ASSERT_EQ(TEST_QP_DEPTH, self->counters->work_requests);
}

TEST_F(rdma, two_devices)
{
	struct driver *other = driver_start(self->fabric, 1, 1);
	uint16_t pd = driver_pd(other);
	struct test_cq cq;
	struct test_qp qp;
	struct test_mr mr;

	driver_cq(other, &cq, 16, NULL);
	driver_qp(other, &qp, QP_SRD, pd, driver_ah(other, pd, 0), &cq);
	driver_mr(other, &mr, pd, 7, LENGTH, ALL_RIGHTS);
	self->a.ah = driver_ah(self->driver, self->pd, 1);
	fill(bytes(self, &self->local), LENGTH, 6);
	ASSERT_EQ(OUTCOME_OK, run(self, work_rdma(&self->a, &qp, OPERATION_WRITE, &self->local,
						  &mr, LENGTH)));
	ASSERT_TRUE(is_filled(driver_at(other, mr.address), LENGTH, 6));
	/* Its key is worth nothing here. */
	ASSERT_EQ(OUTCOME_REMOTE_BAD_ADDRESS,
		  run(self, work_rdma(&self->a, &qp, OPERATION_WRITE, &self->local,
				      &self->remote, 64)));
	driver_stop(other);
	ASSERT_EQ(OUTCOME_UNREACHABLE,
		  run(self, work_rdma(&self->a, &qp, OPERATION_WRITE, &self->local, &mr, 64)));
}

/* The faults, each seen. */

TEST_F(rdma, fault_dead_key_live)
{
	fault_set(FAULT_dead_key_live);
	fill(bytes(self, &self->local), LENGTH, 7);
	ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, self->remote.key));
	ASSERT_EQ(OUTCOME_OK, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_TRUE(is_filled(bytes(self, &self->remote), LENGTH, 7));
	ASSERT_EQ(1, self->counters->late_accesses);
}

TEST_F(rdma, fault_late_access)
{
	fault_set(FAULT_late_access);
	ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, self->remote.key));
	ASSERT_EQ(5, driver_tick_later(self->driver, 10));
	ASSERT_EQ(1, self->counters->late_accesses);
	memory_remove_all(function_memory(self->driver->function));
	driver_tick_later(self->driver, 20);
	ASSERT_EQ(2, self->counters->late_accesses);
	ASSERT_EQ(1, self->counters->dma_faults);
	driver_tick_later(self->driver, 300);
	ASSERT_EQ(-1, driver_tick_later(self->driver, 400));
	ASSERT_EQ(3, self->counters->late_accesses);
}

TEST_F(rdma, fault_write_in_flight)
{
	uint8_t *there = bytes(self, &self->remote);

	fault_set(FAULT_write_in_flight);
	fill(bytes(self, &self->local), LENGTH, 7);
	ASSERT_EQ(OUTCOME_OK, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_EQ(OUTCOME_OK, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, self->remote.key));
	memory_remove_all(function_memory(self->driver->function));
	ASSERT_EQ(5, driver_tick_later(self->driver, 10));
	fill(there, LENGTH, 8);
	ASSERT_EQ(5, driver_tick_later(self->driver, 20));
	ASSERT_TRUE(is_filled(there, LENGTH, 8));
	ASSERT_EQ(-1, driver_tick_later(self->driver, 40));
	ASSERT_TRUE(is_filled(there, 64, 7));
	fill(there, 64, 8);
	ASSERT_TRUE(is_filled(there, LENGTH, 8));
	ASSERT_EQ(0, self->counters->dma_faults);
}

/* Nobody writes there any more, or the region was written little. */
TEST_F(rdma, write_in_flight_is_lost)
{
	uint8_t *there = bytes(self, &self->remote);

	fault_set(FAULT_write_in_flight);
	fill(bytes(self, &self->local), LENGTH, 7);
	ASSERT_EQ(OUTCOME_OK, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_EQ(OUTCOME_OK, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, self->remote.key));
	ASSERT_EQ(-1, driver_tick_later(self->driver, 400));
	fill(there, LENGTH, 8);
	ASSERT_EQ(-1, driver_tick_later(self->driver, 500));
	ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, self->local.key));
	ASSERT_EQ(-1, driver_tick_later(self->driver, 600));
	ASSERT_TRUE(is_filled(there, LENGTH, 8));
}

TEST_F(rdma, lingering_on_request)
{
	self->controls->linger_ms = 50;
	fill(bytes(self, &self->remote), LENGTH, 8);
	ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, self->remote.key));
	ASSERT_EQ(OUTCOME_REMOTE_BAD_ADDRESS, run(self, rdma(self, OPERATION_WRITE)));
	driver_tick_later(self->driver, 10);
	driver_tick_later(self->driver, 60);
	ASSERT_EQ(-1, driver_tick_later(self->driver, 70));
	ASSERT_EQ(2, self->counters->late_accesses);
	ASSERT_TRUE(is_filled(bytes(self, &self->remote), LENGTH, 8));
}

TEST_F(rdma, fault_wrong_offset)
{
	uint8_t *to = bytes(self, &self->remote), *from = bytes(self, &self->local);

	fault_set(FAULT_wrong_offset);
	fill(from, LENGTH, 9);
	ASSERT_EQ(OUTCOME_OK, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_EQ(0, memcmp(to + 64, from, LENGTH - 64));
	ASSERT_EQ(0, memcmp(to, from + LENGTH - 64, 64));
	ASSERT_TRUE(is_alone(self, &self->remote));
}

TEST_F(rdma, fault_untrimmed_segment)
{
	fault_set(FAULT_untrimmed_segment);
	fill(bytes(self, &self->local), LENGTH, 10);
	ASSERT_EQ(OUTCOME_OK, run(self, rdma(self, OPERATION_WRITE)));
	ASSERT_TRUE(is_filled(bytes(self, &self->remote), LENGTH, 10));
	ASSERT_FALSE(is_alone(self, &self->remote));
}

TEST_F(rdma, fault_bounds_of_pages)
{
	struct test_mr before = self->remote;

	before.address -= 10;
	fault_set(FAULT_bounds_of_pages);
	ASSERT_EQ(OUTCOME_OK, run(self, work_rdma(&self->a, &self->b, OPERATION_WRITE,
						  &self->local, &before, LENGTH + 20)));
	before.address = self->remote.address / PAGE * PAGE - 1;
	ASSERT_EQ(OUTCOME_REMOTE_BAD_ADDRESS,
		  run(self, work_rdma(&self->a, &self->b, OPERATION_WRITE, &self->local,
				      &before, 64)));
}

TEST_F(rdma, fault_rights_unchecked)
{
	struct test_mr deaf;

	fault_set(FAULT_rights_unchecked);
	driver_mr(self->driver, &deaf, self->pd, 0, 64, 0);
	ASSERT_EQ(OUTCOME_OK, run(self, work_rdma(&self->a, &self->b, OPERATION_WRITE,
						  &self->local, &deaf, 64)));
}

TEST_F(rdma, fault_pd_unchecked)
{
	struct test_mr foreign;

	fault_set(FAULT_pd_unchecked);
	driver_mr(self->driver, &foreign, driver_pd(self->driver), 0, 64, ALL_RIGHTS);
	ASSERT_EQ(OUTCOME_OK, run(self, work_rdma(&self->a, &self->b, OPERATION_WRITE,
						  &self->local, &foreign, 64)));
}

TEST_HARNESS_MAIN
