// SPDX-License-Identifier: GPL-2.0-only
/* The function's configuration space, as firmware and kernel probe it. */
#include "kselftest_harness.h"

#include <linux/pci_regs.h>
#include <string.h>

#include "nic/function.h"
#include "nic/pci.h"

static uint32_t get(const struct pci *pci, size_t offset)
{
	uint32_t value;

	memcpy(&value, pci->config + offset, sizeof(value));
	return value;
}

static void set(struct pci *pci, size_t offset, uint32_t value)
{
	pci_write(pci, offset, (uint8_t *)&value, sizeof(value));
}

/* What software finds when it writes all ones, as it does to learn a BAR's size. */
static uint32_t probe(struct pci *pci, unsigned int slot)
{
	set(pci, PCI_BASE_ADDRESS_0 + 4 * slot, ~0u);
	return get(pci, PCI_BASE_ADDRESS_0 + 4 * slot);
}

TEST(it_is_an_efa_function)
{
	struct pci pci;

	pci_reset(&pci);
	ASSERT_EQ(0xefa11d0f, get(&pci, PCI_VENDOR_ID));
	ASSERT_EQ(0x0200, get(&pci, PCI_CLASS_REVISION) >> 16);
	ASSERT_FALSE(pci_is_bus_master(&pci));
}

TEST(bars_tell_their_size)
{
	struct pci pci;

	pci_reset(&pci);
	ASSERT_EQ(0xfffff000, probe(&pci, 0));
	ASSERT_EQ(0xffffc000, probe(&pci, 1));
	ASSERT_EQ(-FUNCTION_LLQ_SIZE | 0xc, probe(&pci, 2));
	ASSERT_EQ(~0u, probe(&pci, 3));
	ASSERT_EQ(-FUNCTION_DOORBELLS_SIZE | 0x4, probe(&pci, 4));
	ASSERT_EQ(~0u, probe(&pci, 5));
}

TEST(bars_keep_an_address)
{
	struct pci pci;

	pci_reset(&pci);
	set(&pci, PCI_BASE_ADDRESS_0, 0xfebf1234);
	ASSERT_EQ(0xfebf1000, get(&pci, PCI_BASE_ADDRESS_0));
	pci_write(&pci, PCI_BASE_ADDRESS_0 + 3, (uint8_t *)"\xaa", 1);
	ASSERT_EQ(0xaabf1000, get(&pci, PCI_BASE_ADDRESS_0));
}

TEST(the_capability_is_msix)
{
	struct pci pci;
	uint32_t at;

	pci_reset(&pci);
	ASSERT_TRUE(get(&pci, PCI_COMMAND) >> 16 & PCI_STATUS_CAP_LIST);
	at = get(&pci, PCI_CAPABILITY_LIST) & 0xff;
	ASSERT_EQ(PCI_CAP_ID_MSIX, get(&pci, at) & 0xffff);
	ASSERT_EQ(FUNCTION_VECTORS - 1, get(&pci, at) >> 16 & 0x7ff);
	ASSERT_EQ(PCI_BAR_MSIX, get(&pci, at + PCI_MSIX_TABLE));
	ASSERT_EQ(0x1000 | PCI_BAR_MSIX, get(&pci, at + PCI_MSIX_PBA));
	set(&pci, at, ~0u);
	ASSERT_EQ(FUNCTION_VECTORS - 1, get(&pci, at) >> 16 & 0x7ff);
	ASSERT_EQ(PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL,
		  get(&pci, at) >> 16 & 0xf800);
}

TEST(bus_mastering_is_switched)
{
	struct pci pci;

	pci_reset(&pci);
	set(&pci, PCI_COMMAND, PCI_COMMAND_MASTER);
	ASSERT_TRUE(pci_is_bus_master(&pci));
	set(&pci, PCI_COMMAND, PCI_COMMAND_MEMORY);
	ASSERT_FALSE(pci_is_bus_master(&pci));
}

TEST(what_is_fixed_stays)
{
	struct pci fresh, pci;
	uint8_t ones[PCI_CONFIG_SIZE];

	memset(ones, 0xff, sizeof(ones));
	pci_reset(&fresh);
	pci = fresh;
	pci_write(&pci, 0, ones, sizeof(ones));
	for (size_t i = 0; i < PCI_CONFIG_SIZE; i++) {
		bool bar = i >= PCI_BASE_ADDRESS_0 && i < PCI_CARDBUS_CIS;
		bool known = i == PCI_COMMAND || i == PCI_COMMAND + 1 || i == 0x43 ||
			     i == PCI_CACHE_LINE_SIZE || i == PCI_INTERRUPT_LINE;

		if (!bar && !known)
			ASSERT_EQ(fresh.config[i], pci.config[i]);
	}
	pci_reset(&pci);
	ASSERT_EQ(0, memcmp(&pci, &fresh, sizeof(pci)));
}

TEST_HARNESS_MAIN
