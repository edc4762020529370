// SPDX-License-Identifier: GPL-2.0-only
#include "nic/admin.h"

#include <stddef.h>
#include <string.h>

#include "nic/crc16.h"
#include "nic/fault.h"
#include "nic/feature.h"
#include "nic/slots.h"
#include "nic/state.h"

/* Commands at a time. */
#define BATCH	16

/* The device API's minor version that brought a thing. */
enum { API_CHECKSUMS = 2, API_LONG_ENTRIES = 3 };

struct handler {
	const char *name;
	enum admin_status (*run)(struct device *device, const struct command *command,
				 void *answer);
};

static const struct handler handlers[OPCODES] = {
	[OPCODE_CREATE_QP]	= { "CREATE_QP", qp_create },
	[OPCODE_MODIFY_QP]	= { "MODIFY_QP", qp_modify },
	[OPCODE_QUERY_QP]	= { "QUERY_QP", qp_query },
	[OPCODE_DESTROY_QP]	= { "DESTROY_QP", qp_destroy },
	[OPCODE_CREATE_AH]	= { "CREATE_AH", ah_create },
	[OPCODE_DESTROY_AH]	= { "DESTROY_AH", ah_destroy },
	[OPCODE_REG_MR]		= { "REG_MR", mr_register },
	[OPCODE_DEREG_MR]	= { "DEREG_MR", mr_deregister },
	[OPCODE_CREATE_CQ]	= { "CREATE_CQ", cq_create },
	[OPCODE_DESTROY_CQ]	= { "DESTROY_CQ", cq_destroy },
	[OPCODE_GET_FEATURE]	= { "GET_FEATURE", feature_get },
	[OPCODE_SET_FEATURE]	= { "SET_FEATURE", feature_set },
	[OPCODE_GET_STATS]	= { "GET_STATS", stats_get },
	[OPCODE_ALLOC_PD]	= { "ALLOC_PD", pd_alloc },
	[OPCODE_DEALLOC_PD]	= { "DEALLOC_PD", pd_dealloc },
	[OPCODE_ALLOC_UAR]	= { "ALLOC_UAR", uar_alloc },
	[OPCODE_DEALLOC_UAR]	= { "DEALLOC_UAR", uar_dealloc },
	[OPCODE_CREATE_EQ]	= { "CREATE_EQ", eq_create },
	[OPCODE_DESTROY_EQ]	= { "DESTROY_EQ", eq_destroy },
};

/* Indexes wrap around at 65536, which only a power of 2 divides. */
static bool depth_is_good(uint32_t depth)
{
	return depth && !(depth & (depth - 1));
}

static bool entry_size_is_good(const struct device *device, uint32_t size)
{
	return size == ADMIN_ENTRY ||
	       (size == ADMIN_ENTRY_LONG && device->options->api_minor >= API_LONG_ENTRIES);
}

/* The driver may change the shape of its queues whenever it likes. */
static bool queues_are_good(const struct device *device)
{
	uint32_t commands = register_value(device, REGISTER_AQ_SHAPE);
	uint32_t answers = register_value(device, REGISTER_ACQ_SHAPE);
	uint16_t waiting = device->admin.posted - device->admin.taken;

	return depth_is_good(SHAPE_DEPTH(commands)) &&
	       depth_is_good(SHAPE_DEPTH(answers)) &&
	       entry_size_is_good(device, SHAPE_COMMAND_SIZE(commands)) &&
	       SHAPE_ENTRY_SIZE(answers) == ADMIN_ENTRY &&
	       waiting <= SHAPE_DEPTH(commands);
}

/* Long entries end with a checksum of themselves, in which it counts as zero. */
static bool checksum_is_good(uint8_t *entry)
{
	size_t at = offsetof(struct admin_header_long, checksum);
	uint16_t told;

	memcpy(&told, entry + at, sizeof(told));
	memset(entry + at, 0, sizeof(told));
	return told == crc16(entry, ADMIN_ENTRY_LONG);
}

/* take - copy the next command; an error in the entry itself is left in @status. */
static bool take(struct device *device, struct command *command, enum admin_status *status)
{
	uint32_t shape = register_value(device, REGISTER_AQ_SHAPE);
	uint32_t size = SHAPE_COMMAND_SIZE(shape);
	size_t skip = size == ADMIN_ENTRY ? sizeof(struct admin_header) :
					    sizeof(struct admin_header_long);
	uint64_t index = device->admin.taken % SHAPE_DEPTH(shape);
	uint8_t entry[ADMIN_ENTRY_LONG];
	struct admin_header header;

	if (memory_read(device_memory(device),
			register_address(device, REGISTER_AQ_BASE) + index * size, entry, size))
		return false;
	device->admin.taken++;
	memcpy(&header, entry, sizeof(header));
	*command = (struct command){
		.id = header.id & ADMIN_ID_MASK,
		.opcode = header.opcode,
		.flags = header.flags,
	};
	memcpy(command->payload, entry + skip, size - skip);
	*status = size == ADMIN_ENTRY || checksum_is_good(entry) ? ADMIN_OK : ADMIN_MALFORMED;
	return true;
}

/* A test wants this command to fail. */
static bool fails_on_request(struct device *device, const struct command *command)
{
	struct controls *controls = device_controls(device);

	return controls->fail_nth && controls->fail_opcode == command->opcode &&
	       !--controls->fail_nth;
}

static enum admin_status execute(struct device *device, const struct command *command,
				 void *answer)
{
	enum admin_status refusal = ADMIN_OK, status;

	if (fails_on_request(device, command)) {
		/* The register is wider than a status, and 0 would be success. */
		refusal = device_controls(device)->fail_status & 0xff ?: ADMIN_NO_RESOURCE;
		if (!nic_fault(refused_is_done))
			return nic_fault(refusal_hidden) ? ADMIN_OK : refusal;
	}
	if (command->opcode >= OPCODES || !handlers[command->opcode].run)
		return ADMIN_UNSUPPORTED;
	status = handlers[command->opcode].run(device, command, answer);
	return refusal ? refusal : status;
}

static void note(struct device *device, const struct command *command,
		 enum admin_status status)
{
	bool known = command->opcode < OPCODES && handlers[command->opcode].run;

	device_counters(device)->admin_commands++;
	if (status)
		device_counters(device)->admin_failed++;
	device_log(device, status ? LOG_EVENT : LOG_COMMAND, "%s (%u): status %u",
		   known ? handlers[command->opcode].name : "unknown command", command->opcode,
		   status);
}

/* answer - store a completion, the flags with the phase last. */
static void answer(struct device *device, struct admin_completion *completion)
{
	struct memory *memory = device_memory(device);
	uint32_t shape = register_value(device, REGISTER_ACQ_SHAPE);
	uint32_t depth = SHAPE_DEPTH(shape);
	uint64_t index = device->admin.answered % depth;
	uint64_t address = register_address(device, REGISTER_ACQ_BASE) + index * ADMIN_ENTRY;
	size_t at = offsetof(struct admin_completion, flags);

	completion->flags = device->admin.answered / depth & 1 ? 0 : ADMIN_PHASE;
	if (device->options->api_minor >= API_CHECKSUMS)
		completion->checksum = crc16(completion, sizeof(*completion));
	device->admin.answered++;
	if (memory_write(memory, address, completion, at) ||
	    memory_write(memory, address + at + 1, (char *)completion + at + 1,
			 sizeof(*completion) - at - 1) ||
	    memory_store_u8_release(memory, address + at, completion->flags))
		return;
	if (!(register_value(device, REGISTER_INTERRUPT_MASK) & MASK_ADMIN))
		function_interrupt(device->function, SHAPE_VECTOR(shape));
}

static void serve(struct device *device, const struct command *command,
		  enum admin_status status)
{
	struct admin_completion completion = { .id = command->id };

	if (!status)
		status = execute(device, command, completion.answer);
	completion.status = status;
	note(device, command, status);
	answer(device, &completion);
}

bool admin_run(struct device *device)
{
	struct admin *admin = &device->admin;
	enum admin_status status;
	struct command command;

	for (int i = 0; i < BATCH && admin->taken != admin->posted; i++) {
		if (!queues_are_good(device) || !take(device, &command, &status)) {
			device_log(device, LOG_FAULT, "the admin queue cannot be used");
			admin->taken = admin->posted;
			break;
		}
		serve(device, &command, status);
	}
	return admin->taken != admin->posted;
}

void admin_ring(struct device *device, uint32_t value)
{
	device->admin.posted = value;
	admin_run(device);
}
