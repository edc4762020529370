// SPDX-License-Identifier: GPL-2.0-only
/* The NIC's tables: names, numbers and initial values. */
#include "kselftest_harness.h"

#include "nic/controls.h"
#include "nic/counters.h"
#include "nic/fault.h"
#include "nic/wire/instrument.h"

TEST(one_fault_is_on_at_a_time)
{
	ASSERT_EQ(FAULT_none, fault_now());
	ASSERT_TRUE(fault_set(FAULT_late_access));
	ASSERT_TRUE(nic_fault(late_access));
	ASSERT_TRUE(fault_set(FAULT_wrong_offset));
	ASSERT_FALSE(nic_fault(late_access));
	ASSERT_TRUE(fault_set(FAULT_none));
	ASSERT_FALSE(nic_fault(wrong_offset));
}

TEST(there_are_no_other_faults)
{
	ASSERT_TRUE(fault_set(FAULT_dead_key_live));
	ASSERT_FALSE(fault_set(FAULTS));
	ASSERT_FALSE(fault_set(-1u));
	ASSERT_TRUE(nic_fault(dead_key_live));
}

TEST(faults_have_names)
{
	ASSERT_EQ(FAULT_none, fault_by_name("none"));
	ASSERT_EQ(FAULT_wrong_offset, fault_by_name("wrong_offset"));
	ASSERT_EQ(FAULTS, fault_by_name("wrong"));
	ASSERT_EQ(FAULTS, fault_by_name(""));
}

TEST(tables_fit_the_instrument_page)
{
	ASSERT_LE(INSTRUMENT_COUNTER_HI(COUNTERS), INSTRUMENT_CONTROL(0));
	ASSERT_LE(INSTRUMENT_CONTROL(CONTROLS), INSTRUMENT_SIZE);
}

TEST(controls_start_with_their_initial_value)
{
	ASSERT_EQ(0, controls_initial.fail_opcode);
	ASSERT_EQ(1, controls_initial.fail_status);
}

TEST_HARNESS_MAIN
