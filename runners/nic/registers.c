// SPDX-License-Identifier: GPL-2.0-only
#include "nic/registers.h"

#include <stddef.h>
#include <string.h>

#include "nic/state.h"

/* Tenths of a second that a reset may take. */
#define RESET_TIMEOUT	10

void registers_reset(struct device *device)
{
	uint32_t *words = device->registers.words;

	memset(words, 0, sizeof(device->registers.words));
	words[REGISTER_VERSION / 4] = device->options->api_minor;
	words[REGISTER_CONTROLLER_VERSION / 4] = 1;
	words[REGISTER_CAPABILITIES / 4] = CAPABILITY_RESET_TIMEOUT(RESET_TIMEOUT) |
					   CAPABILITY_ADDRESS_BITS(64);
	words[REGISTER_STATUS / 4] = STATUS_READY;
}

uint32_t register_value(const struct device *device, unsigned int offset)
{
	return device->registers.words[offset / 4];
}

uint64_t register_address(const struct device *device, unsigned int offset)
{
	return register_value(device, offset) |
	       (uint64_t)register_value(device, offset + 4) << 32;
}

uint32_t device_register_read(struct device *device, uint32_t offset)
{
	if (offset >= REGISTERS_END || offset % 4)
		return 0xffffffff;
	return register_value(device, offset);
}

/* The driver polls for the id: it comes last. */
static void answer_read(struct device *device, uint32_t request)
{
	struct memory *memory = device_memory(device);
	uint64_t address = register_address(device, REGISTER_ANSWER);
	struct register_answer answer = {
		.id = REQUEST_ID(request),
		.offset = REQUEST_OFFSET(request),
		.value = device_register_read(device, REQUEST_OFFSET(request)),
	};
	size_t skip = offsetof(struct register_answer, offset);

	if (!memory_write(memory, address + skip, (char *)&answer + skip,
			  sizeof(answer) - skip))
		memory_store_u16_release(memory, address, answer.id);
}

static void control(struct device *device, uint32_t value)
{
	uint32_t *status = &device->registers.words[REGISTER_STATUS / 4];

	if (value & CONTROL_RESET) {
		device_log(device, LOG_EVENT, "reset by the driver, reason %u",
			   CONTROL_REASON(value));
		device_forget(device);
		*status |= STATUS_RESET_IN_PROGRESS;
	} else if (*status & STATUS_RESET_IN_PROGRESS) {
		*status = STATUS_READY | STATUS_RESET_FINISHED;
	}
}

void device_register_write(struct device *device, uint32_t offset, uint32_t value)
{
	switch (offset) {
	case REGISTER_AQ_BASE:
	case REGISTER_AQ_BASE + 4:
	case REGISTER_AQ_SHAPE:
	case REGISTER_ACQ_BASE:
	case REGISTER_ACQ_BASE + 4:
	case REGISTER_ACQ_SHAPE:
	case REGISTER_AENQ_BASE:
	case REGISTER_AENQ_BASE + 4:
	case REGISTER_AENQ_SHAPE:
	case REGISTER_AENQ_DOORBELL:
	case REGISTER_INTERRUPT_MASK:
	case REGISTER_ANSWER:
	case REGISTER_ANSWER + 4:
		device->registers.words[offset / 4] = value;
		break;
	case REGISTER_AQ_DOORBELL:
		admin_ring(device, value);
		break;
	case REGISTER_EQ_DOORBELL:
		eq_ring(device, value);
		break;
	case REGISTER_CONTROL:
		control(device, value);
		break;
	case REGISTER_READ_REQUEST:
		answer_read(device, value);
		break;
	}
}
