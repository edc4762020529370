// SPDX-License-Identifier: GPL-2.0-only
/* Objects of the device: how they come and go, and what they must not be asked. */
#include "kselftest_harness.h"

#include <string.h>

#include "common/driver.h"

FIXTURE(objects)
{
	struct fabric *fabric;
	struct driver *driver;
	struct counters *counters;
	uint16_t pd;
};

FIXTURE_SETUP(objects)
{
	self->fabric = fabric_new();
	self->driver = driver_start(self->fabric, 0, 3);
	self->counters = function_counters(self->driver->function);
	self->pd = driver_pd(self->driver);
}

FIXTURE_TEARDOWN(objects)
{
	driver_stop(self->driver);
	fabric_free(self->fabric);
}

static enum admin_status by_number(struct driver *driver, enum opcode opcode, uint16_t number)
{
	struct number_command command = { .number = number };

	return driver_command(driver, opcode, 0, &command, sizeof(command), NULL);
}

static enum admin_status create_qp(struct driver *driver, struct create_qp create)
{
	return driver_command(driver, OPCODE_CREATE_QP, 0, &create, sizeof(create), NULL);
}

static enum admin_status create_cq(struct driver *driver, struct create_cq create)
{
	return driver_command(driver, OPCODE_CREATE_CQ, 0, &create, sizeof(create), NULL);
}

static enum admin_status create_eq(struct driver *driver, struct create_eq create)
{
	return driver_command(driver, OPCODE_CREATE_EQ, 0, &create, sizeof(create), NULL);
}

TEST_F(objects, each_is_given_up_once)
{
	static const enum opcode opcodes[] = {
		OPCODE_DEALLOC_PD, OPCODE_DEALLOC_UAR, OPCODE_DESTROY_CQ, OPCODE_DESTROY_EQ,
	};

	ASSERT_EQ(ADMIN_OK, by_number(self->driver, OPCODE_DEALLOC_PD, self->pd));
	ASSERT_EQ(ADMIN_ILLEGAL, by_number(self->driver, OPCODE_DEALLOC_PD, self->pd));
	for (size_t i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
		ASSERT_EQ(ADMIN_ILLEGAL, by_number(self->driver, opcodes[i], 0xffff));
	ASSERT_EQ(0, self->counters->pd_live);
}

TEST_F(objects, there_are_only_so_many)
{
	unsigned int count = 1;

	while (!driver_command(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0, NULL))
		count++;
	ASSERT_EQ(1024, count);
	ASSERT_EQ(ADMIN_OK, by_number(self->driver, OPCODE_DEALLOC_PD, 77));
	ASSERT_EQ(77, driver_pd(self->driver));
}

TEST_F(objects, a_number_is_not_given_out_again_at_once)
{
	ASSERT_EQ(ADMIN_OK, by_number(self->driver, OPCODE_DEALLOC_PD, self->pd));
	ASSERT_NE(self->pd, driver_pd(self->driver));
}

TEST_F(objects, what_is_in_use_stays)
{
	struct test_eq eq;
	struct test_cq cq;
	struct test_qp qp;
	struct handle_command handle;

	driver_eq(self->driver, &eq, 64);
	driver_cq(self->driver, &cq, 16, &eq);
	driver_qp(self->driver, &qp, QP_SRD, self->pd, 0, &cq);
	ASSERT_EQ(ADMIN_BUSY, by_number(self->driver, OPCODE_DESTROY_EQ, eq.number));
	ASSERT_EQ(ADMIN_BUSY, by_number(self->driver, OPCODE_DESTROY_CQ, cq.number));
	ASSERT_EQ(ADMIN_BUSY, by_number(self->driver, OPCODE_DEALLOC_PD, self->pd));
	ASSERT_EQ(ADMIN_BUSY, by_number(self->driver, OPCODE_DEALLOC_UAR, self->driver->uar));
	handle.handle = qp.info.handle;
	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_DESTROY_QP, 0, &handle,
					   sizeof(handle), NULL));
	ASSERT_EQ(ADMIN_OK, by_number(self->driver, OPCODE_DESTROY_CQ, cq.number));
	ASSERT_EQ(ADMIN_OK, by_number(self->driver, OPCODE_DESTROY_EQ, eq.number));
	ASSERT_EQ(ADMIN_OK, by_number(self->driver, OPCODE_DEALLOC_PD, self->pd));
	ASSERT_EQ(ADMIN_OK, by_number(self->driver, OPCODE_DEALLOC_UAR, self->driver->uar));
	ASSERT_EQ(0, self->counters->qp_live + self->counters->cq_live +
		     self->counters->eq_live + self->counters->pd_live +
		     self->counters->uar_live);
}

TEST_F(objects, an_address_handle_belongs_to_its_domain)
{
	struct destroy_ah destroy = { .handle = driver_ah(self->driver, self->pd, 0) };
	struct create_ah create = { .pd = 999 };

	ASSERT_EQ(ADMIN_ILLEGAL, driver_command(self->driver, OPCODE_CREATE_AH, 0, &create,
						sizeof(create), NULL));
	ASSERT_EQ(ADMIN_BUSY, by_number(self->driver, OPCODE_DEALLOC_PD, self->pd));
	destroy.pd = driver_pd(self->driver);
	ASSERT_EQ(ADMIN_ILLEGAL, driver_command(self->driver, OPCODE_DESTROY_AH, 0, &destroy,
						sizeof(destroy), NULL));
	destroy.pd = self->pd;
	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_DESTROY_AH, 0, &destroy,
					   sizeof(destroy), NULL));
	ASSERT_EQ(ADMIN_OK, by_number(self->driver, OPCODE_DEALLOC_PD, self->pd));
	ASSERT_EQ(0, self->counters->ah_live);
}

TEST_F(objects, a_completion_queue_has_a_good_shape)
{
	const struct create_cq good = {
		.entry = 8, .depth = 64, .sub_cqs = 1, .uar = self->driver->uar,
	};
	struct create_cq bad[] = { good, good, good, good, good, good, good, good, good, good };

	bad[0].depth = 0;
	bad[1].depth = 48;
	bad[2].depth = 16384;
	bad[3].entry = 5;
	bad[4].entry = 8 | 0x40;
	bad[5].entry = 4 | CQ_SOURCE_ADDRESS;
	bad[6].sub_cqs = 2;
	bad[7].uar = 200;
	bad[8].flags = 0x40;
	bad[9].flags = CQ_INTERRUPTS;
	bad[9].eq = 3;
	ASSERT_EQ(ADMIN_OK, create_cq(self->driver, good));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ASSERT_EQ(ADMIN_ILLEGAL, create_cq(self->driver, bad[i])) {
			TH_LOG("bad[%zu]", i);
		}
	}
	ASSERT_EQ(1, self->counters->cq_live);
}

TEST_F(objects, an_event_queue_has_a_good_shape)
{
	const struct create_eq good = { .depth = 64, .vector = 1, .entry = 4, .events = 1 };
	struct create_eq bad[] = { good, good, good, good, good, good };

	bad[0].depth = 0;
	bad[1].depth = 48;
	bad[2].depth = 512;
	bad[3].vector = 9;
	bad[4].entry = 5;
	bad[5].events = 3;
	ASSERT_EQ(ADMIN_OK, create_eq(self->driver, good));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ASSERT_EQ(ADMIN_ILLEGAL, create_eq(self->driver, bad[i])) {
			TH_LOG("bad[%zu]", i);
		}
	}
	for (unsigned int i = 1; i < 8; i++)
		ASSERT_EQ(ADMIN_OK, create_eq(self->driver, good));
	ASSERT_EQ(ADMIN_NO_RESOURCE, create_eq(self->driver, good));
}

TEST_F(objects, a_queue_pair_has_a_good_shape)
{
	struct test_cq cq;
	struct create_qp good = { .pd = self->pd, .kind = QP_SRD, .uar = self->driver->uar };
	struct create_qp bad[12];

	driver_cq(self->driver, &cq, 16, NULL);
	good.send_cq = cq.number;
	good.receive_cq = cq.number;
	good.send_ring_size = 1024;
	good.receive_ring_size = 256;
	for (size_t i = 0; i < 12; i++)
		bad[i] = good;
	bad[0].kind = 0;
	bad[1].kind = 3;
	bad[2].flags = 1;
	bad[3].pd = 1000;
	bad[4].uar = 99;
	bad[5].send_cq = 0xffffffff;
	bad[6].receive_cq = 255;
	bad[7].send_ring_size = 1025;
	bad[8].send_ring_size = 3 * 64;
	bad[9].send_ring_size = 512 * 64;
	bad[10].receive_ring_size = 0x80000000;
	bad[11].receive_ring_size = 24;
	ASSERT_EQ(ADMIN_OK, create_qp(self->driver, good));
	for (size_t i = 0; i < 12; i++) {
		ASSERT_EQ(ADMIN_ILLEGAL, create_qp(self->driver, bad[i])) {
			TH_LOG("bad[%zu]", i);
		}
	}
	for (int i = 1; i < 256; i++)
		ASSERT_EQ(ADMIN_OK, create_qp(self->driver, good));
	ASSERT_EQ(ADMIN_NO_RESOURCE, create_qp(self->driver, good));
	ASSERT_EQ(256, self->counters->qp_live);
}

TEST_F(objects, states_follow_each_other)
{
	struct test_cq cq;
	struct test_qp qp;
	struct handle_command handle;
	union answer answer;

	driver_cq(self->driver, &cq, 16, NULL);
	driver_qp(self->driver, &qp, QP_UD, self->pd, 0, &cq);
	ASSERT_EQ(ADMIN_ILLEGAL, driver_qp_state(&qp, QP_INIT));
	ASSERT_EQ(ADMIN_ILLEGAL, driver_qp_state(&qp, QP_STATES));
	ASSERT_EQ(ADMIN_ILLEGAL, driver_qp_state(&qp, 0xffffffff));
	ASSERT_EQ(ADMIN_OK, driver_qp_state(&qp, QP_SQD));
	ASSERT_EQ(ADMIN_OK, driver_qp_state(&qp, QP_RTS));
	ASSERT_EQ(ADMIN_OK, driver_qp_state(&qp, QP_ERROR));
	ASSERT_EQ(ADMIN_ILLEGAL, driver_qp_state(&qp, QP_RTS));
	handle.handle = qp.info.handle;
	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_QUERY_QP, 0, &handle,
					   sizeof(handle), &answer));
	ASSERT_EQ(QP_ERROR, answer.query.state);
	ASSERT_EQ(DRIVER_QUEUE_KEY, answer.query.queue_key);
	ASSERT_EQ(ADMIN_OK, driver_qp_state(&qp, QP_RESET));
	qp.info.handle += 256;
	ASSERT_EQ(ADMIN_ILLEGAL, driver_qp_state(&qp, QP_INIT));
	qp.info.handle = 0xffffffff;
	ASSERT_EQ(ADMIN_ILLEGAL, driver_qp_state(&qp, QP_INIT));
}

TEST_F(objects, doorbells_of_nothing_do_nothing)
{
	for (uint32_t offset = 0; offset < FUNCTION_DOORBELLS_SIZE; offset += 0x400)
		device_doorbell_write(self->driver->device, offset, 0xffffffff);
	ASSERT_EQ(0, self->counters->dma_faults);
}

TEST_HARNESS_MAIN
