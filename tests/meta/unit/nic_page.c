// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library and the emulated NIC each have their own description of the
 * instrument page, since neither may use the other's: here they are compared.
 */
#include "kselftest_harness.h"

#include "../../../runners/nic/wire/admin.h"
#include "../../../runners/nic/wire/instrument.h"
#include "importer/nic_page.h"

static const char *const device_counters[] = {
#define COUNTER(name, what) #name,
#include "../../../runners/nic/counters.def"
#undef COUNTER
};

static const struct control {
	const char *name;
	uint32_t initial;
} device_controls[] = {
#define CONTROL(name, initial, what) { #name, initial },
#include "../../../runners/nic/controls.def"
#undef CONTROL
}, own_controls[] = {
#define NIC_CONTROL(id, name, initial, text) { name, initial },
#include "importer/nic_controls.def"
#undef NIC_CONTROL
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

TEST(page_is_where_the_device_has_it)
{
	ASSERT_EQ(INSTRUMENT_OFFSET, NIC_PAGE_OFFSET);
	ASSERT_EQ(INSTRUMENT_SIZE, NIC_PAGE_SIZE);
	ASSERT_EQ(NIC_PAGE_BAR_SIZE, INSTRUMENT_OFFSET + INSTRUMENT_SIZE);
	ASSERT_EQ(INSTRUMENT_MAGIC_VALUE, NIC_PAGE_MAGIC);
	ASSERT_EQ(INSTRUMENT_VERSION_VALUE, NIC_PAGE_VERSION);
}

TEST(registers_are_where_the_device_has_them)
{
	ASSERT_EQ(INSTRUMENT_MAGIC, NIC_REGISTER_MAGIC);
	ASSERT_EQ(INSTRUMENT_VERSION, NIC_REGISTER_VERSION);
	ASSERT_EQ(INSTRUMENT_COUNTERS, NIC_REGISTER_COUNTERS);
	ASSERT_EQ(INSTRUMENT_CONTROLS, NIC_REGISTER_CONTROLS);
	ASSERT_EQ(INSTRUMENT_REGION_KEY, NIC_REGISTER_REGION_KEY);
	ASSERT_EQ(INSTRUMENT_REGION_KNOWN, NIC_REGISTER_REGION_KNOWN);
	ASSERT_EQ(INSTRUMENT_REGION_READ_LO, NIC_REGISTER_REGION_READ);
	ASSERT_EQ(INSTRUMENT_REGION_READ_HI, NIC_REGISTER_REGION_READ + 4);
	ASSERT_EQ(INSTRUMENT_REGION_WRITTEN_LO, NIC_REGISTER_REGION_WRITTEN);
	ASSERT_EQ(INSTRUMENT_REGION_WRITTEN_HI, NIC_REGISTER_REGION_WRITTEN + 4);
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(INSTRUMENT_COUNTER_LO(i), NIC_REGISTER_COUNTER + 8 * i);
		ASSERT_EQ(INSTRUMENT_COUNTER_HI(i), NIC_REGISTER_COUNTER + 8 * i + 4);
		ASSERT_EQ(INSTRUMENT_CONTROL(i), NIC_REGISTER_CONTROL + 4 * i);
	}
}

TEST(counters_have_the_order_of_the_device)
{
	ASSERT_EQ(COUNT(device_counters), NIC_COUNTER_COUNT);
	for (int i = 0; i < NIC_COUNTER_COUNT; i++)
		ASSERT_STREQ(device_counters[i], nic_counter_name(i));
	ASSERT_STREQ("unknown", nic_counter_name(NIC_COUNTER_COUNT));
}

TEST(controls_have_the_order_of_the_device)
{
	ASSERT_EQ(COUNT(device_controls), NIC_CONTROL_COUNT);
	for (int i = 0; i < NIC_CONTROL_COUNT; i++) {
		ASSERT_STREQ(device_controls[i].name, own_controls[i].name);
		ASSERT_EQ(device_controls[i].initial, own_controls[i].initial);
	}
}

TEST(commands_and_statuses_have_the_numbers_of_the_device)
{
	ASSERT_EQ(OPCODE_REG_MR, NIC_COMMAND_REG_MR);
	ASSERT_EQ(ADMIN_NO_RESOURCE, NIC_STATUS_NO_RESOURCE);
	ASSERT_EQ(ADMIN_UNSUPPORTED, NIC_STATUS_UNSUPPORTED);
	ASSERT_EQ(ADMIN_ILLEGAL, NIC_STATUS_ILLEGAL);
}

/* Registers written by hand in memory stand for a device. */
TEST(page_is_read_and_written_by_register)
{
	static uint32_t memory[NIC_PAGE_SIZE / 4];
	struct nic_page page = { .registers = memory };
	struct nic_region region;

	memory[(NIC_REGISTER_COUNTER + 8 * NIC_LATE_ACCESSES) / 4] = 7;
	memory[(NIC_REGISTER_COUNTER + 8 * NIC_LATE_ACCESSES) / 4 + 1] = 2;
	ASSERT_EQ((2ull << 32) + 7, nic_counter(&page, NIC_LATE_ACCESSES));
	ASSERT_EQ(0, nic_set_control(&page, NIC_CONTROL_DELAY_MS, 30));
	ASSERT_EQ(30, memory[(NIC_REGISTER_CONTROL + 4 * NIC_CONTROL_DELAY_MS) / 4]);
	ASSERT_EQ(-ENOENT, nic_region(&page, 5, &region));
	memory[NIC_REGISTER_REGION_KNOWN / 4] = 1;
	memory[NIC_REGISTER_REGION_WRITTEN / 4] = 64;
	ASSERT_EQ(0, nic_region(&page, 5, &region));
	ASSERT_EQ(5, memory[NIC_REGISTER_REGION_KEY / 4]);
	ASSERT_EQ(0, region.bytes_read);
	ASSERT_EQ(64, region.bytes_written);
}

TEST(reset_restores_what_was_found)
{
	static uint32_t memory[NIC_PAGE_SIZE / 4];
	struct nic_page page = { .registers = memory };

	nic_set_control(&page, NIC_CONTROL_LINGER_MS, 7);
	nic_set_control(&page, NIC_CONTROL_FAIL_NTH, 3);
	nic_page_keep(&page);
	ASSERT_EQ(0, nic_control(&page, NIC_CONTROL_FAIL_NTH));
	ASSERT_EQ(7, nic_control(&page, NIC_CONTROL_LINGER_MS));
	nic_set_control(&page, NIC_CONTROL_LINGER_MS, 0);
	nic_set_control(&page, NIC_CONTROL_DELAY_MS, 30);
	nic_set_control(&page, NIC_CONTROL_FAIL_NTH, 1);
	nic_page_reset(&page);
	ASSERT_EQ(7, nic_control(&page, NIC_CONTROL_LINGER_MS));
	ASSERT_EQ(0, nic_control(&page, NIC_CONTROL_DELAY_MS));
	ASSERT_EQ(0, nic_control(&page, NIC_CONTROL_FAIL_NTH));
}

TEST(other_functions_are_left_alone)
{
	struct nic_page page;

	ASSERT_EQ(-ENODEV, nic_page_open("ffff:ff:1f.7", &page));
	ASSERT_EQ(NULL, page.registers);
	nic_page_close(&page);
}

TEST_HARNESS_MAIN
