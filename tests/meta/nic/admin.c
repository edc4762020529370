// SPDX-License-Identifier: GPL-2.0-only
/* Registers and the admin queue: as a driver uses them, and as one that means harm does. */
#include "kselftest_harness.h"

#include <string.h>

#include "common/driver.h"
#include "nic/crc16.h"
#include "nic/fault.h"

FIXTURE(admin)
{
	struct fabric *fabric;
	struct driver *driver;
};

FIXTURE_VARIANT(admin)
{
	unsigned int api_minor;
};

FIXTURE_VARIANT_ADD(admin, api_0_1) { .api_minor = 1 };
FIXTURE_VARIANT_ADD(admin, api_0_2) { .api_minor = 2 };
FIXTURE_VARIANT_ADD(admin, api_0_3) { .api_minor = 3 };

FIXTURE_SETUP(admin)
{
	self->fabric = fabric_new();
	self->driver = driver_start(self->fabric, 0, variant->api_minor);
}

FIXTURE_TEARDOWN(admin)
{
	driver_stop(self->driver);
	fabric_free(self->fabric);
}

/* Asks for a register as the driver does; ~0 if the answer is not there or not that. */
static uint32_t ask(struct driver *driver, uint16_t id, unsigned int offset)
{
	const struct register_answer *answer = driver_at(driver, DRIVER_ANSWER);

	device_register_write(driver->device, REGISTER_READ_REQUEST, id | offset << 16);
	return answer->id == id && answer->offset == offset ? answer->value : ~0u;
}

static void set(struct driver *driver, unsigned int offset, uint32_t value)
{
	device_register_write(driver->device, offset, value);
}

static enum admin_status get_feature(struct driver *driver, uint8_t feature,
				     union answer *answer)
{
	struct feature_command get = { .feature = feature };

	return driver_command(driver, OPCODE_GET_FEATURE, 0, &get, sizeof(get), answer);
}

TEST_F(admin, registers_are_answered_by_dma)
{
	ASSERT_EQ(variant->api_minor, ask(self->driver, 7, REGISTER_VERSION));
	ASSERT_EQ(1, ask(self->driver, 8, REGISTER_CONTROLLER_VERSION));
	ASSERT_EQ(STATUS_READY, ask(self->driver, 9, REGISTER_STATUS));
	ASSERT_EQ(64, ask(self->driver, 10, REGISTER_CAPABILITIES) >> 8 & 0xff);
	ASSERT_NE(0, ask(self->driver, 11, REGISTER_CAPABILITIES) >> 1 & 0x1f);
}

TEST_F(admin, there_are_no_other_registers)
{
	ASSERT_EQ(~0u, ask(self->driver, 1, REGISTERS_END));
	ASSERT_EQ(~0u, ask(self->driver, 2, 0xffff));
	ASSERT_EQ(~0u, ask(self->driver, 3, 2));
	ASSERT_EQ(~0u, device_register_read(self->driver->device, 0xffc));
}

TEST_F(admin, what_is_read_only_stays)
{
	set(self->driver, REGISTER_VERSION, 0x77);
	set(self->driver, REGISTER_STATUS, 0);
	set(self->driver, 0xffc, 1);
	ASSERT_EQ(variant->api_minor, ask(self->driver, 1, REGISTER_VERSION));
	ASSERT_EQ(STATUS_READY, ask(self->driver, 2, REGISTER_STATUS));
}

TEST_F(admin, an_answer_to_nowhere_is_a_fault)
{
	set(self->driver, REGISTER_ANSWER, 0x1000);
	ASSERT_EQ(~0u, ask(self->driver, 5, REGISTER_VERSION));
	ASSERT_EQ(1, function_counters(self->driver->function)->dma_faults);
}

TEST_F(admin, a_reset_forgets_everything)
{
	struct counters *counters = function_counters(self->driver->function);

	driver_pd(self->driver);
	ASSERT_EQ(1, counters->pd_live);
	set(self->driver, REGISTER_CONTROL, CONTROL_RESET);
	ASSERT_EQ(0, counters->pd_live);
	ASSERT_EQ(0, counters->uar_live);
	ASSERT_EQ(0, device_register_read(self->driver->device, REGISTER_ANSWER));
	set(self->driver, REGISTER_ANSWER, DRIVER_ANSWER);
	ASSERT_TRUE(ask(self->driver, 1, REGISTER_STATUS) & STATUS_RESET_IN_PROGRESS);
	set(self->driver, REGISTER_CONTROL, 0);
	ASSERT_EQ(STATUS_READY | STATUS_RESET_FINISHED,
		  ask(self->driver, 2, REGISTER_STATUS));
	/* Its queues are gone too: a doorbell does nothing. */
	driver_post(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0);
	driver_ring(self->driver);
	ASSERT_EQ(NULL, driver_completion(self->driver));
}

TEST_F(admin, completions_carry_a_checksum_from_0_2_on)
{
	const struct admin_completion *completion;
	struct admin_completion copy;

	driver_post(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0);
	driver_ring(self->driver);
	completion = driver_completion(self->driver);
	ASSERT_NE(NULL, completion);
	copy = *completion;
	copy.checksum = 0;
	ASSERT_EQ(variant->api_minor >= 2 ? crc16(&copy, sizeof(copy)) : 0,
		  completion->checksum);
}

TEST_F(admin, a_long_entry_with_a_wrong_checksum_is_malformed)
{
	struct driver *driver = self->driver;
	uint8_t *last;

	if (variant->api_minor < 3)
		SKIP(return, "no long entries in this API");
	driver_post(driver, OPCODE_ALLOC_PD, 0, NULL, 0);
	last = driver_at(driver, DRIVER_AQ +
			 (driver->posted % DRIVER_DEPTH) * driver->entry - 1);
	*last ^= 1;
	driver_ring(driver);
	ASSERT_EQ(ADMIN_MALFORMED, driver_completion(driver)->status);
	ASSERT_EQ(0, function_counters(driver->function)->pd_live);
}

/* A driver older than the device uses the short ones. */
TEST_F(admin, short_entries_are_good_in_every_api)
{
	struct driver *driver = self->driver;

	set(driver, REGISTER_CONTROL, CONTROL_RESET);
	driver->entry = ADMIN_ENTRY;
	driver->posted = 0;
	driver->answered = 0;
	memset(driver_at(driver, DRIVER_ACQ), 0, PAGE);
	set(driver, REGISTER_AQ_BASE, DRIVER_AQ);
	set(driver, REGISTER_AQ_SHAPE, DRIVER_DEPTH | ADMIN_ENTRY << 16);
	set(driver, REGISTER_ACQ_BASE, DRIVER_ACQ);
	set(driver, REGISTER_ACQ_SHAPE, DRIVER_DEPTH | ADMIN_ENTRY << 16);
	driver_pd(driver);
	ASSERT_EQ(1, function_counters(driver->function)->pd_live);
}

TEST_F(admin, the_queue_can_be_gone_round)
{
	struct counters *counters = function_counters(self->driver->function);

	for (int i = 0; i < 200; i++)
		driver_pd(self->driver);
	ASSERT_EQ(200, counters->pd_live);
	ASSERT_EQ(201, counters->admin_commands);
	ASSERT_EQ(0, counters->admin_failed);
}

TEST_F(admin, commands_come_in_batches)
{
	for (int i = 0; i < DRIVER_DEPTH; i++)
		driver_post(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0);
	driver_ring(self->driver);
	ASSERT_LT(function_counters(self->driver->function)->pd_live, DRIVER_DEPTH);
	driver_tick(self->driver);
	for (int i = 0; i < DRIVER_DEPTH; i++)
		ASSERT_NE(NULL, driver_completion(self->driver));
	ASSERT_EQ(DRIVER_DEPTH, function_counters(self->driver->function)->pd_live);
}

TEST_F(admin, an_interrupt_unless_masked)
{
	unsigned int before = fake_interrupts(self->driver->function, DRIVER_ADMIN_VECTOR);

	driver_pd(self->driver);
	ASSERT_EQ(before + 1, fake_interrupts(self->driver->function, DRIVER_ADMIN_VECTOR));
	set(self->driver, REGISTER_INTERRUPT_MASK, MASK_ADMIN);
	driver_pd(self->driver);
	ASSERT_EQ(before + 1, fake_interrupts(self->driver->function, DRIVER_ADMIN_VECTOR));
}

TEST_F(admin, unknown_commands_are_refused)
{
	static const uint8_t unknown[] = { 0, 20, 29, 128, 255 };

	for (size_t i = 0; i < sizeof(unknown); i++)
		ASSERT_EQ(ADMIN_UNSUPPORTED,
			  driver_command(self->driver, unknown[i], 0, NULL, 0, NULL));
	ASSERT_EQ(sizeof(unknown), function_counters(self->driver->function)->admin_failed);
}

TEST_F(admin, a_doorbell_beyond_the_ring_is_ignored)
{
	set(self->driver, REGISTER_AQ_DOORBELL, self->driver->posted + DRIVER_DEPTH + 1);
	ASSERT_EQ(NULL, driver_completion(self->driver));
	ASSERT_EQ(1, function_counters(self->driver->function)->admin_commands);
}

TEST_F(admin, queues_of_bad_shape_are_not_used)
{
	static const uint32_t bad[] = {
		0, 3 | ADMIN_ENTRY << 16, 0xffff | ADMIN_ENTRY << 16, DRIVER_DEPTH,
		DRIVER_DEPTH | 63 << 16, DRIVER_DEPTH | 0xffffu << 16,
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set(self->driver, REGISTER_AQ_SHAPE, bad[i]);
		driver_post(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0);
		driver_ring(self->driver);
		ASSERT_EQ(NULL, driver_completion(self->driver));
	}
	set(self->driver, REGISTER_AQ_SHAPE, DRIVER_DEPTH | self->driver->entry << 16);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set(self->driver, REGISTER_ACQ_SHAPE, bad[i]);
		driver_post(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0);
		driver_ring(self->driver);
		ASSERT_EQ(NULL, driver_completion(self->driver));
	}
	ASSERT_EQ(0, function_counters(self->driver->function)->pd_live);
}

TEST_F(admin, queues_that_are_not_mapped_do_no_harm)
{
	set(self->driver, REGISTER_ACQ_BASE + 4, 0xffffffff);
	driver_post(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0);
	driver_ring(self->driver);
	ASSERT_EQ(NULL, driver_completion(self->driver));
	set(self->driver, REGISTER_AQ_BASE + 4, 0xffffffff);
	driver_post(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0);
	driver_ring(self->driver);
	ASSERT_GE(function_counters(self->driver->function)->dma_faults, 2);
}

TEST_F(admin, commands_fail_on_request)
{
	struct controls *controls = function_controls(self->driver->function);

	controls->fail_opcode = OPCODE_ALLOC_PD;
	controls->fail_nth = 2;
	controls->fail_status = ADMIN_NO_RESOURCE;
	driver_pd(self->driver);
	ASSERT_EQ(ADMIN_OK, get_feature(self->driver, FEATURE_AENQ, NULL));
	ASSERT_EQ(ADMIN_NO_RESOURCE,
		  driver_command(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0, NULL));
	ASSERT_EQ(0, controls->fail_nth);
	driver_pd(self->driver);
	ASSERT_EQ(2, function_counters(self->driver->function)->pd_live);
}

TEST_F(admin, no_failure_on_request_looks_like_success)
{
	struct controls *controls = function_controls(self->driver->function);

	controls->fail_opcode = OPCODE_ALLOC_PD;
	for (uint32_t status = 0; status <= 0x100; status += 0x100) {
		controls->fail_nth = 1;
		controls->fail_status = status;
		ASSERT_EQ(ADMIN_NO_RESOURCE,
			  driver_command(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0, NULL));
	}
	ASSERT_EQ(0, function_counters(self->driver->function)->pd_live);
}

/* The mutants that only pretend to fail, or to work. */
TEST_F(admin, faults_of_failing_on_request)
{
	struct controls *controls = function_controls(self->driver->function);

	controls->fail_opcode = OPCODE_ALLOC_PD;
	controls->fail_nth = 1;
	fault_set(FAULT_refusal_hidden);
	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0, NULL));
	ASSERT_EQ(0, function_counters(self->driver->function)->pd_live);
	controls->fail_nth = 1;
	fault_set(FAULT_refused_is_done);
	ASSERT_EQ(ADMIN_NO_RESOURCE,
		  driver_command(self->driver, OPCODE_ALLOC_PD, 0, NULL, 0, NULL));
	ASSERT_EQ(1, function_counters(self->driver->function)->pd_live);
}

TEST_F(admin, features_are_told)
{
	union answer answer;

	ASSERT_EQ(ADMIN_OK, get_feature(self->driver, FEATURE_DEVICE, &answer));
	ASSERT_EQ(4, answer.device.doorbell_bar);
	ASSERT_EQ(0xf000, answer.device.page_sizes & 0xffff);
	ASSERT_EQ(ADMIN_OK, get_feature(self->driver, FEATURE_QUEUES, &answer));
	ASSERT_EQ(1, answer.queues.sub_cqs);
	ASSERT_EQ(ADMIN_OK, get_feature(self->driver, FEATURE_NETWORK, &answer));
	ASSERT_EQ(0xfe, answer.network.gid[0]);
	ASSERT_EQ(1, answer.network.gid[15]);
	ASSERT_EQ(ADMIN_OK, get_feature(self->driver, FEATURE_HINTS, &answer));
	ASSERT_LT(1000, answer.hints.register_timeout);
	ASSERT_EQ(ADMIN_OK, get_feature(self->driver, FEATURE_EVENTS, &answer));
	ASSERT_EQ(8, answer.events.max_eqs);
	ASSERT_EQ(EVENT_COMPLETIONS, answer.events.events);
	ASSERT_EQ(ADMIN_ILLEGAL, get_feature(self->driver, 0, &answer));
	ASSERT_EQ(ADMIN_ILLEGAL, get_feature(self->driver, 9, &answer));
	ASSERT_EQ(ADMIN_ILLEGAL, get_feature(self->driver, 255, &answer));
}

TEST_F(admin, page_sizes_can_be_chosen)
{
	struct controls *controls = function_controls(self->driver->function);
	union answer answer;

	controls->page_size_caps_lo = 1 << 12 | 1 << 21 | 1;
	ASSERT_EQ(ADMIN_OK, get_feature(self->driver, FEATURE_DEVICE, &answer));
	ASSERT_EQ(1 << 12 | 1 << 21, answer.device.page_sizes);
}

TEST_F(admin, events_are_sent_when_enabled)
{
	struct feature_command set = { .feature = FEATURE_AENQ };
	const struct async_event *events = driver_at(self->driver, DRIVER_AENQ);
	union answer answer;

	ASSERT_EQ(-1, driver_tick_later(self->driver, 5000));
	set.value[1] = 1 << GROUP_KEEP_ALIVE;
	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_SET_FEATURE, 0, &set,
					   sizeof(set), NULL));
	ASSERT_EQ(ADMIN_OK, get_feature(self->driver, FEATURE_AENQ, &answer));
	ASSERT_EQ(1 << GROUP_KEEP_ALIVE, answer.aenq.enabled);
	ASSERT_GT(driver_tick_later(self->driver, 0), 0);
	ASSERT_EQ(0, events[0].flags);
	ASSERT_EQ(1000, driver_tick_later(self->driver, 1001));
	ASSERT_EQ(ADMIN_PHASE, events[0].flags);
	ASSERT_EQ(GROUP_KEEP_ALIVE, events[0].group);
	/* A ring that nobody reads fills up, and no more. */
	for (int i = 2; i < 100; i++)
		driver_tick_later(self->driver, 2000 * i);
	ASSERT_EQ(ADMIN_PHASE, events[DRIVER_DEPTH - 1].flags);
	ASSERT_EQ(ADMIN_PHASE, events[0].flags);
	set.value[1] = 1 << 5;
	ASSERT_EQ(ADMIN_ILLEGAL, driver_command(self->driver, OPCODE_SET_FEATURE, 0, &set,
						sizeof(set), NULL));
}

TEST_F(admin, the_host_may_say_what_it_likes)
{
	uint64_t address = driver_alloc(self->driver, sizeof(struct host));
	struct feature_command set = {
		.feature = FEATURE_HOST,
		.data = { sizeof(struct host), { address, address >> 32 } },
	};

	memset(driver_at(self->driver, address), 0xff, sizeof(struct host));
	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_SET_FEATURE, ADMIN_EXTERNAL,
					   &set, sizeof(set), NULL));
	ASSERT_EQ(ADMIN_ILLEGAL, driver_command(self->driver, OPCODE_SET_FEATURE, 0, &set,
						sizeof(set), NULL));
	set.data.length--;
	ASSERT_EQ(ADMIN_ILLEGAL, driver_command(self->driver, OPCODE_SET_FEATURE,
						ADMIN_EXTERNAL, &set, sizeof(set), NULL));
	set.data.length++;
	set.data.address.high = 7;
	ASSERT_EQ(ADMIN_ILLEGAL, driver_command(self->driver, OPCODE_SET_FEATURE,
						ADMIN_EXTERNAL, &set, sizeof(set), NULL));
	set.feature = FEATURE_NETWORK;
	ASSERT_EQ(ADMIN_ILLEGAL, driver_command(self->driver, OPCODE_SET_FEATURE, 0, &set,
						sizeof(set), NULL));
}

TEST_F(admin, statistics_are_of_known_kinds)
{
	struct stats_command get = { 0 };

	for (get.kind = 0; get.kind <= STATISTICS_NETWORK; get.kind++)
		ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_GET_STATS, 0, &get,
						   sizeof(get), NULL));
	ASSERT_EQ(ADMIN_ILLEGAL, driver_command(self->driver, OPCODE_GET_STATS, 0, &get,
						sizeof(get), NULL));
	get.kind = STATISTICS_BASIC;
	get.scope = 1;
	ASSERT_EQ(ADMIN_ILLEGAL, driver_command(self->driver, OPCODE_GET_STATS, 0, &get,
						sizeof(get), NULL));
}

TEST_HARNESS_MAIN
