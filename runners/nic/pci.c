// SPDX-License-Identifier: GPL-2.0-only
#include "nic/pci.h"

#include <linux/pci_regs.h>
#include <string.h>

#include "nic/function.h"
#include "nic/wire/instrument.h"

#define VENDOR		0x1d0f
#define DEVICE		0xefa1
#define CLASS		0x0200	/* Ethernet controller */

#define MSIX		0x40	/* the only capability */
#define MSIX_TABLE	0x0000	/* in BAR 1 */
#define MSIX_PBA	0x1000

#define BAR_64BIT	PCI_BASE_ADDRESS_MEM_TYPE_64

struct bar {
	uint32_t size;
	uint32_t flags;
};

static const struct bar bars[PCI_BARS] = {
	[PCI_BAR_REGISTERS] = { .size = 0x1000 },
	[PCI_BAR_MSIX]	    = { .size = INSTRUMENT_OFFSET + INSTRUMENT_SIZE },
	[PCI_BAR_LLQ]	    = { FUNCTION_LLQ_SIZE,
				BAR_64BIT | PCI_BASE_ADDRESS_MEM_PREFETCH },
	[PCI_BAR_DOORBELLS] = { FUNCTION_DOORBELLS_SIZE, BAR_64BIT },
};

/* Bits that software may change; for BARs the sizes tell. */
static const struct writable {
	uint8_t offset;
	uint8_t mask;
} writable[] = {
	{ PCI_COMMAND, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_PARITY },
	{ PCI_COMMAND + 1, (PCI_COMMAND_SERR | PCI_COMMAND_INTX_DISABLE) >> 8 },
	{ PCI_CACHE_LINE_SIZE, 0xff },
	{ PCI_INTERRUPT_LINE, 0xff },
	{ MSIX + PCI_MSIX_FLAGS + 1,
	  (PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL) >> 8 },
};

uint32_t pci_bar_size(unsigned int bar)
{
	return bar < PCI_BARS ? bars[bar].size : 0;
}

static void put16(struct pci *pci, size_t offset, uint16_t value)
{
	memcpy(pci->config + offset, &value, sizeof(value));
}

static void put32(struct pci *pci, size_t offset, uint32_t value)
{
	memcpy(pci->config + offset, &value, sizeof(value));
}

void pci_reset(struct pci *pci)
{
	memset(pci, 0, sizeof(*pci));
	put16(pci, PCI_VENDOR_ID, VENDOR);
	put16(pci, PCI_DEVICE_ID, DEVICE);
	put16(pci, PCI_STATUS, PCI_STATUS_CAP_LIST);
	put16(pci, PCI_CLASS_DEVICE, CLASS);
	put16(pci, PCI_SUBSYSTEM_VENDOR_ID, VENDOR);
	put16(pci, PCI_SUBSYSTEM_ID, DEVICE);
	for (unsigned int bar = 0; bar < PCI_BARS; bar++)
		put32(pci, PCI_BASE_ADDRESS_0 + 4 * bar, bars[bar].flags);
	put16(pci, PCI_CAPABILITY_LIST, MSIX);
	put16(pci, MSIX, PCI_CAP_ID_MSIX);
	put16(pci, MSIX + PCI_MSIX_FLAGS, FUNCTION_VECTORS - 1);
	put32(pci, MSIX + PCI_MSIX_TABLE, MSIX_TABLE | PCI_BAR_MSIX);
	put32(pci, MSIX + PCI_MSIX_PBA, MSIX_PBA | PCI_BAR_MSIX);
}

/* Which bits of one slot of a BAR hold the address. */
static uint32_t address_mask(unsigned int slot)
{
	if (bars[slot].size)
		return ~(bars[slot].size - 1);
	/* The upper half of a 64-bit address. */
	return slot && bars[slot - 1].flags & BAR_64BIT ? ~0u : 0;
}

static uint8_t writable_bits(size_t offset)
{
	size_t bar = offset - PCI_BASE_ADDRESS_0;

	if (offset >= PCI_BASE_ADDRESS_0 && bar < 4 * PCI_BARS)
		return address_mask(bar / 4) >> 8 * (bar % 4);
	for (size_t i = 0; i < sizeof(writable) / sizeof(writable[0]); i++)
		if (writable[i].offset == offset)
			return writable[i].mask;
	return 0;
}

void pci_write(struct pci *pci, size_t offset, const uint8_t *data, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint8_t mask = writable_bits(offset + i);
		uint8_t *byte = &pci->config[offset + i];

		*byte = (*byte & ~mask) | (data[i] & mask);
	}
}

bool pci_is_bus_master(const struct pci *pci)
{
	return pci->config[PCI_COMMAND] & PCI_COMMAND_MASTER;
}
