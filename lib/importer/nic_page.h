/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instrument page of the suite's emulated NIC: counters that only a
 * device model can have, and controls that make it fail or dawdle on request.
 * No other device has one; the capability is IMPORTER_NIC_PAGE.
 */
#ifndef CTS_NIC_PAGE_H
#define CTS_NIC_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "importer/importer.h"

/*
 * Where it lies and what is in it: the device has a header of its own, which
 * a unit test compares with this. Offsets are in bytes, registers have 32 bits.
 */
#define NIC_PAGE_BAR		1
#define NIC_PAGE_BAR_SIZE	0x4000
#define NIC_PAGE_OFFSET		0x2000	/* in the BAR */
#define NIC_PAGE_SIZE		0x2000
#define NIC_PAGE_MAGIC		0x4e535443
#define NIC_PAGE_VERSION	1

enum nic_register {
	NIC_REGISTER_MAGIC		= 0x00,
	NIC_REGISTER_VERSION		= 0x04,
	NIC_REGISTER_COUNTERS		= 0x08,	/* how many the device has */
	NIC_REGISTER_CONTROLS		= 0x0c,
	NIC_REGISTER_REGION_KEY		= 0x20,	/* written: which region follows */
	NIC_REGISTER_REGION_KNOWN	= 0x24,
	NIC_REGISTER_REGION_READ	= 0x28,	/* low half; the high half follows */
	NIC_REGISTER_REGION_WRITTEN	= 0x30,
	NIC_REGISTER_COUNTER		= 0x100, /* 8 bytes each, low half first */
	NIC_REGISTER_CONTROL		= 0x800, /* 4 bytes each */
};

/* NIC_DMA_MAPS and so on, in the order of the page. */
enum nic_counter {
#define NIC_COUNTER(id, name, text) NIC_##id,
#include "importer/nic_counters.def"
#undef NIC_COUNTER
	NIC_COUNTER_COUNT
};

/* NIC_CONTROL_FAIL_OPCODE and so on, in the order of the page. */
enum nic_control {
#define NIC_CONTROL(id, name, initial, text) NIC_CONTROL_##id,
#include "importer/nic_controls.def"
#undef NIC_CONTROL
	NIC_CONTROL_COUNT
};

/* What fail_opcode and fail_status may be set to, as the device numbers them. */
enum nic_command {
	NIC_COMMAND_REG_MR	= 7,
};

enum nic_status {
	NIC_STATUS_NO_RESOURCE	= 1,
	NIC_STATUS_UNSUPPORTED	= 3,
	NIC_STATUS_ILLEGAL	= 5,	/* a parameter is wrong */
};

struct nic_page {
	volatile uint32_t *registers;	/* NULL: not mapped */
	uint32_t found[NIC_CONTROL_COUNT];	/* controls, when it was opened */
};

/* What went through one region, as the device saw it. */
struct nic_region {
	uint64_t bytes_read;
	uint64_t bytes_written;
};

/**
 * nic_page_open - map the page of a PCI function, if it is our NIC
 * @pci: its address, "0000:00:09.0"
 * @page: filled; give it back with nic_page_close()
 *
 * No register of another device is touched: the machine, vendor, device and
 * the size of the BAR are looked at first. Controls are kept as
 * nic_page_keep() does.
 *
 * Return: 0, -ENODEV if it is no emulated NIC, -EPROTO if its page is of
 * another version than this program, or the errno of open or mmap.
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
 * nic_region - what went through a region
 * @page: an open page
 * @key: lkey or rkey of a live region
 * @region: filled
 *
 * Return: 0, or -ENOENT if there is no such region.
 */
int nic_region(const struct nic_page *page, uint32_t key,
	       struct nic_region *region);

/**
 * nic_control - what is in force for a control
 * nic_set_control - write it
 * nic_page_keep - note what is in force for all of them, no failure being armed
 * nic_page_reset - write to all of them what was noted
 *
 * A user may have started the device with other controls than the usual ones.
 * An armed failure, though, was left by a test that died: it is disarmed.
 *
 * Return (nic_set_control): 0, or -EINVAL if the device did not take @value.
 */
uint32_t nic_control(const struct nic_page *page, enum nic_control control);
int nic_set_control(const struct nic_page *page, enum nic_control control,
		    uint32_t value);
void nic_page_keep(struct nic_page *page);
void nic_page_reset(const struct nic_page *page);

/**
 * nic_counter_name - its name, as in the device's log
 */
const char *nic_counter_name(enum nic_counter counter);

#endif
