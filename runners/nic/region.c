// SPDX-License-Identifier: GPL-2.0-only
/* What lies in the function's regions, and what happens where it is read or written. */
#include <errno.h>
#include <linux/vfio.h>
#include <string.h>

#include "nic/bus.h"
#include "nic/wire/instrument.h"

#define WORD	sizeof(uint32_t)

/* A region is bytes, or words of 32 bits. */
struct region {
	uint8_t *(*bytes)(struct function *function);
	uint32_t (*read_word)(struct function *function, uint32_t offset);
	void (*write_word)(struct function *function, uint32_t offset,
			   uint32_t value);
};

static uint32_t read_register(struct function *function, uint32_t offset)
{
	return device_register_read(function->device, offset);
}

static void write_register(struct function *function, uint32_t offset,
			   uint32_t value)
{
	device_register_write(function->device, offset, value);
}

/* The client keeps the MSI-X table itself. */
static uint32_t read_instrument(struct function *function, uint32_t offset)
{
	if (offset < INSTRUMENT_OFFSET)
		return 0;
	return instrument_read(&function->instrument, function,
			       offset - INSTRUMENT_OFFSET);
}

static void write_instrument(struct function *function, uint32_t offset,
			     uint32_t value)
{
	if (offset >= INSTRUMENT_OFFSET)
		instrument_write(&function->instrument, function,
				 function->device, offset - INSTRUMENT_OFFSET,
				 value);
}

static uint8_t *llq_bytes(struct function *function)
{
	return function->llq;
}

static uint32_t read_doorbell(struct function *function, uint32_t offset)
{
	(void)function;
	(void)offset;
	return 0;
}

static void write_doorbell(struct function *function, uint32_t offset,
			   uint32_t value)
{
	device_doorbell_write(function->device, offset, value);
}

static uint8_t *config_bytes(struct function *function)
{
	return function->pci.config;
}

static const struct region regions[VFIO_PCI_NUM_REGIONS] = {
	[PCI_BAR_REGISTERS] = { .read_word = read_register,
				.write_word = write_register },
	[PCI_BAR_MSIX]	    = { .read_word = read_instrument,
				.write_word = write_instrument },
	[PCI_BAR_LLQ]	    = { .bytes = llq_bytes },
	[PCI_BAR_DOORBELLS] = { .read_word = read_doorbell,
				.write_word = write_doorbell },
	[VFIO_PCI_CONFIG_REGION_INDEX] = { .bytes = config_bytes },
};

uint64_t region_size(uint32_t region)
{
	if (region == VFIO_PCI_CONFIG_REGION_INDEX)
		return PCI_CONFIG_SIZE;
	return pci_bar_size(region);
}

static bool is_inside(uint32_t region, uint64_t offset, uint32_t count)
{
	uint64_t size = region_size(region);

	return count && offset < size && count <= size - offset;
}

static bool is_words(uint64_t offset, uint32_t count)
{
	return offset % WORD == 0 && count % WORD == 0;
}

int region_read(struct function *function, uint32_t region, uint64_t offset,
		uint32_t count, uint8_t *data)
{
	const struct region *what;

	if (!is_inside(region, offset, count))
		return -EINVAL;
	what = &regions[region];
	if (what->bytes) {
		memcpy(data, what->bytes(function) + offset, count);
		return 0;
	}
	memset(data, 0, count);
	if (!is_words(offset, count))
		return 0;
	for (uint32_t i = 0; i < count; i += WORD) {
		uint32_t value = what->read_word(function, offset + i);

		memcpy(data + i, &value, WORD);
	}
	return 0;
}

static void write_config(struct function *function, uint64_t offset,
			 uint32_t count, const uint8_t *data)
{
	pci_write(&function->pci, offset, data, count);
	memory_allow(function->memory, pci_is_bus_master(&function->pci));
}

static void write_words(struct function *function, const struct region *what,
			uint64_t offset, uint32_t count, const uint8_t *data)
{
	if (!is_words(offset, count))
		return;
	for (uint32_t i = 0; i < count; i += WORD) {
		uint32_t value;

		memcpy(&value, data + i, WORD);
		what->write_word(function, offset + i, value);
	}
}

int region_write(struct function *function, uint32_t region, uint64_t offset,
		 uint32_t count, const uint8_t *data)
{
	if (!is_inside(region, offset, count))
		return -EINVAL;
	if (region == VFIO_PCI_CONFIG_REGION_INDEX)
		write_config(function, offset, count, data);
	else if (regions[region].bytes)
		memcpy(regions[region].bytes(function) + offset, data, count);
	else
		write_words(function, &regions[region], offset, count, data);
	return 0;
}
