// SPDX-License-Identifier: GPL-2.0-only
/* Completion events: none is lost, none comes unasked. */
#include "kselftest_harness.h"

#include "common/driver.h"

FIXTURE(event)
{
	struct fabric *fabric;
	struct driver *driver;
	struct test_eq eq;
	struct test_cq cq;
	struct test_qp qp;
};

FIXTURE_SETUP(event)
{
	uint16_t pd;

	self->fabric = fabric_new();
	self->driver = driver_start(self->fabric, 0, 1);
	pd = driver_pd(self->driver);
	driver_eq(self->driver, &self->eq, 4);
	driver_cq(self->driver, &self->cq, 16, &self->eq);
	driver_qp(self->driver, &self->qp, QP_SRD, pd, driver_ah(self->driver, pd, 0), &self->cq);
}

FIXTURE_TEARDOWN(event)
{
	driver_stop(self->driver);
	fabric_free(self->fabric);
}

/* Posts a request of no bytes: a completion without further ado. */
static void complete_one(FIXTURE_DATA(event) *self)
{
	struct test_mr none = { 0 };

	work_post(&self->qp, work_rdma(&self->qp, &self->qp, OPERATION_WRITE, &none, &none, 0));
}

static unsigned int interrupts(FIXTURE_DATA(event) *self)
{
	return fake_interrupts(self->driver->function, DRIVER_EVENT_VECTOR);
}

TEST_F(event, none_without_asking)
{
	driver_arm_eq(self->driver, &self->eq);
	complete_one(self);
	ASSERT_EQ(-1, driver_event(self->driver, &self->eq));
	ASSERT_EQ(0, interrupts(self));
}

TEST_F(event, one_for_each_time_it_is_asked_for)
{
	struct completion completion;

	driver_arm_eq(self->driver, &self->eq);
	for (unsigned int i = 1; i < 20; i++) {
		driver_arm_cq(self->driver, &self->cq);
		ASSERT_EQ(i - 1, interrupts(self));
		complete_one(self);
		complete_one(self);
		ASSERT_EQ(self->cq.number, driver_event(self->driver, &self->eq));
		ASSERT_EQ(-1, driver_event(self->driver, &self->eq));
		ASSERT_EQ(i, interrupts(self));
		driver_arm_eq(self->driver, &self->eq);
		while (driver_poll(self->driver, &self->cq, &completion))
			ASSERT_EQ(OUTCOME_OK, completion.outcome);
	}
}

TEST_F(event, no_interrupt_before_the_driver_wants_the_next)
{
	driver_arm_eq(self->driver, &self->eq);
	for (int i = 0; i < 3; i++) {
		driver_arm_cq(self->driver, &self->cq);
		complete_one(self);
	}
	ASSERT_EQ(1, interrupts(self));
	driver_arm_eq(self->driver, &self->eq);
	ASSERT_EQ(2, interrupts(self));
}

TEST_F(event, what_came_before_is_told_at_once)
{
	driver_arm_eq(self->driver, &self->eq);
	complete_one(self);
	driver_arm_cq(self->driver, &self->cq);
	ASSERT_EQ(self->cq.number, driver_event(self->driver, &self->eq));
	ASSERT_EQ(1, interrupts(self));
}

TEST_F(event, the_interrupt_waits_for_the_driver)
{
	driver_arm_cq(self->driver, &self->cq);
	complete_one(self);
	ASSERT_EQ(0, interrupts(self));
	driver_arm_eq(self->driver, &self->eq);
	ASSERT_EQ(1, interrupts(self));
	driver_arm_eq(self->driver, &self->eq);
	ASSERT_EQ(1, interrupts(self));
}

/* Who arms without end gets no more events than the ring holds, and the rest later. */
TEST_F(event, the_ring_does_not_overflow)
{
	for (int i = 0; i < 10; i++) {
		driver_arm_cq(self->driver, &self->cq);
		complete_one(self);
	}
	for (int i = 0; i < 4; i++)
		ASSERT_EQ(self->cq.number, driver_event(self->driver, &self->eq));
	ASSERT_EQ(-1, driver_event(self->driver, &self->eq));
	driver_arm_eq(self->driver, &self->eq);
	ASSERT_EQ(1, interrupts(self));
	/* It could not know yet that they were read. */
	ASSERT_EQ(-1, driver_event(self->driver, &self->eq));
	driver_arm_eq(self->driver, &self->eq);
	ASSERT_EQ(2, interrupts(self));
	ASSERT_EQ(self->cq.number, driver_event(self->driver, &self->eq));
	ASSERT_EQ(-1, driver_event(self->driver, &self->eq));
}

TEST_F(event, a_queue_that_wants_none_has_none)
{
	struct test_cq quiet;

	driver_cq(self->driver, &quiet, 16, NULL);
	quiet.seen = 5;
	driver_arm_cq(self->driver, &quiet);
	ASSERT_EQ(-1, driver_event(self->driver, &self->eq));
}

TEST_F(event, a_ring_that_is_not_there_does_no_harm)
{
	memory_remove_all(function_memory(self->driver->function));
	driver_arm_cq(self->driver, &self->cq);
	complete_one(self);
	self->cq.seen = 7;
	driver_arm_cq(self->driver, &self->cq);
	driver_arm_eq(self->driver, &self->eq);
	ASSERT_GT(function_counters(self->driver->function)->dma_faults, 0);
}

TEST_HARNESS_MAIN
