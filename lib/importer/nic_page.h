/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instrument page of the suite's emulated NIC: counters that only a
 * device model can have, and controls that make it fail or dawdle on request.
 * No other device has one; the capability is IMPORTER_NIC_PAGE.
 */
#ifndef CTS_NIC_PAGE_H
#define CTS_NIC_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "importer/importer.h"

/* NIC_DMA_MAPS and so on, in the order of the page. */
enum nic_counter {
#define NIC_COUNTER(id, name, text) NIC_##id,
#include "importer/nic_counters.def"
#undef NIC_COUNTER
	NIC_COUNTER_COUNT
};

/* NIC_CONTROL_FAIL_OPCODE and so on, in the order of the page. */
enum nic_control {
#define NIC_CONTROL(id, name, text) NIC_CONTROL_##id,
#include "importer/nic_controls.def"
#undef NIC_CONTROL
	NIC_CONTROL_COUNT
};

struct nic_page {
	volatile uint32_t *registers;	/* NULL: not mapped */
	void *start;			/* of the mapping */
	size_t size;			/* of the mapping */
};

/**
 * nic_page_open - map the page of a PCI function, if it is our NIC
 * @pci: its address, "0000:00:09.0"
 * @page: filled; give it back with nic_page_close()
 *
 * No register of a device that is not the emulated NIC is touched: vendor,
 * device and the size of the BAR are looked at first.
 *
 * Return: 0, -ENODEV if it is no emulated NIC, -EPROTO if its page has
 * another version than this program knows, or the errno of open or mmap.
 */
int nic_page_open(const char *pci, struct nic_page *page);

/**
 * nic_page_of - map the page of the NIC that an importer opened
 * @importer: an open importer with the capability IMPORTER_NIC_PAGE
 * @page: filled
 *
 * Return: as nic_page_open().
 */
int nic_page_of(const struct importer *importer, struct nic_page *page);

/**
 * nic_page_close - unmap it; again does nothing
 *
 * Controls keep what was written to them: see nic_page_reset().
 */
void nic_page_close(struct nic_page *page);

/**
 * nic_counter - a counter now
 */
uint64_t nic_counter(const struct nic_page *page, enum nic_counter counter);

/**
 * nic_control - what is in force for a control
 * nic_set_control - write it
 * nic_page_reset - write 0, which is what the device starts with, to all
 *
 * Return (nic_set_control): 0, or -EINVAL if the device did not take @value.
 */
uint32_t nic_control(const struct nic_page *page, enum nic_control control);
int nic_set_control(const struct nic_page *page, enum nic_control control,
		    uint32_t value);
void nic_page_reset(const struct nic_page *page);

#endif
