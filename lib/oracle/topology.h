/* SPDX-License-Identifier: GPL-2.0-only */
/* How one PCI function reaches the memory of another, as far as sysfs tells. */
#ifndef CTS_TOPOLOGY_H
#define CTS_TOPOLOGY_H

#include <stdint.h>

/* What a DMA address of the memory then is. */
enum reach {
	REACH_UNKNOWN,		/* also: whether at all */
	REACH_BUS,		/* below one switch: the address on the bus */
	REACH_DIRECT,		/* through a trusted host bridge, untranslated: that address too */
	REACH_TRANSLATED,	/* through it and an IOMMU: one that the IOMMU hands out */
	REACH_COUNT
};

/**
 * topology_reach - how a device reaches the memory of another
 * @device: PCI address of the one that does the DMA
 * @memory: PCI address of the one that has the memory
 *
 * Host bridges are trusted whose processor is an AMD Zen; of others nothing is
 * known here, as the kernel's list of them is its own.
 */
enum reach topology_reach(const char *device, const char *memory);

/**
 * topology_reach_name - "below one switch" and so on
 */
const char *topology_reach_name(enum reach reach);

/**
 * topology_bar - the bus address of a BAR
 * @device: PCI address
 * @bar: its number
 *
 * Return: the address, or 0 if sysfs does not tell.
 */
uint64_t topology_bar(const char *device, unsigned int bar);

#endif
