/* SPDX-License-Identifier: GPL-2.0-only */
/* The PCI function: its configuration space and what lies in its BARs. */
#ifndef CTS_NIC_PCI_H
#define CTS_NIC_PCI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PCI_CONFIG_SIZE	256

/* The BARs. LLQ and doorbells have 64-bit addresses, and so two slots each. */
enum pci_bar {
	PCI_BAR_REGISTERS	= 0,
	PCI_BAR_MSIX		= 1,	/* and the instrument page */
	PCI_BAR_LLQ		= 2,
	PCI_BAR_DOORBELLS	= 4,
	PCI_BARS		= 6,
};

struct pci {
	uint8_t config[PCI_CONFIG_SIZE];
};

/** pci_bar_size - bytes; 0 for a BAR that there is not */
uint32_t pci_bar_size(unsigned int bar);

/** pci_reset - the configuration space as it is after power on */
void pci_reset(struct pci *pci);

/**
 * pci_write - the guest writes configuration space
 * @offset: @count bytes from there on must be inside PCI_CONFIG_SIZE
 *
 * Only what a function lets software change is changed.
 */
void pci_write(struct pci *pci, size_t offset, const uint8_t *data, size_t count);

/** pci_is_bus_master - whether the guest lets the function reach memory at all */
bool pci_is_bus_master(const struct pci *pci);

#endif
