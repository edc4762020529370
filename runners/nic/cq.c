// SPDX-License-Identifier: GPL-2.0-only
#include "nic/cq.h"

#include <stddef.h>

#include "nic/slots.h"
#include "nic/state.h"

/* Entries without what RDMA writes and unknown senders need at the end. */
#define SHORT_ENTRY	16

struct cq *cq_find(struct device *device, unsigned int number)
{
	return SLOT_LIVE(device->cqs.slots, number);
}

static void tell(struct device *device, unsigned int number)
{
	struct cq *cq = &device->cqs.slots[number];

	cq->armed = false;
	cq->waiting = !eq_store(device, &device->eqs.slots[cq->eq], number);
}

void cq_tell_waiting(struct device *device, unsigned int eq)
{
	for (unsigned int number = 0; number < CQS; number++) {
		const struct cq *cq = &device->cqs.slots[number];

		if (cq->live && cq->waiting && cq->eq == eq)
			tell(device, number);
	}
}

/* Users poll for the phase: the byte with it comes last. */
static int store(struct memory *memory, uint64_t address, const struct completion *completion,
		 size_t size)
{
	const char *bytes = (const char *)completion;
	size_t at = offsetof(struct completion, flags);

	return memory_write(memory, address, bytes, at) ||
	       memory_write(memory, address + at + 1, bytes + at + 1, size - at - 1) ||
	       memory_store_u8_release(memory, address + at, completion->flags);
}

void cq_store(struct device *device, unsigned int number, struct completion *completion)
{
	struct cq *cq = cq_find(device, number);
	uint64_t address;

	if (!cq)
		return;
	address = cq->ring + (uint64_t)(cq->stored % cq->depth) * cq->entry;
	completion->flags &= ~COMPLETION_PHASE;
	if (!(cq->stored / cq->depth & 1))
		completion->flags |= COMPLETION_PHASE;
	cq->stored++;
	if (store(device_memory(device), address, completion, cq->entry))
		return;
	if (cq->armed)
		tell(device, number);
}

/* Who arms is told at once of what it has not seen yet. */
void cq_ring(struct device *device, unsigned int number, uint32_t value)
{
	struct cq *cq = cq_find(device, number);

	if (!cq || !cq->interrupts || !(value & DOORBELL_ARM))
		return;
	cq->armed = true;
	if ((uint16_t)cq->stored != DOORBELL_INDEX(value) && !cq->waiting)
		tell(device, number);
}

static bool shape_is_good(const struct create_cq *create)
{
	size_t entry = 4 * CQ_ENTRY_WORDS(create->entry);

	return create->depth && create->depth <= CQ_DEPTH &&
	       !(create->depth & (create->depth - 1)) && create->sub_cqs == 1 &&
	       !(create->flags & ~CQ_INTERRUPTS) &&
	       (entry == sizeof(struct completion) ||
		(entry == SHORT_ENTRY && !(create->entry & CQ_SOURCE_ADDRESS))) &&
	       !(create->entry & ~(CQ_ENTRY_WORDS(~0u) | CQ_SOURCE_ADDRESS));
}

static void fill(struct cq *cq, const struct create_cq *create)
{
	*cq = (struct cq){
		.live = true,
		.ring = WIRE_ADDRESS(create->ring),
		.depth = create->depth,
		.entry = 4 * CQ_ENTRY_WORDS(create->entry),
		.tells_address = create->entry & CQ_SOURCE_ADDRESS,
		.interrupts = create->flags & CQ_INTERRUPTS,
		.eq = create->eq,
		.uar = create->uar,
	};
}

enum admin_status cq_create(struct device *device, const struct command *command,
			    void *answer)
{
	const struct create_cq *create = (const void *)command->payload;
	struct create_cq_answer *reply = answer;
	struct uar *uar = uar_find(device, create->uar);
	bool interrupts = create->flags & CQ_INTERRUPTS;
	struct eq *eq = eq_find(device, create->eq);
	int number;

	if (!shape_is_good(create) || !uar || (interrupts && !eq))
		return ADMIN_ILLEGAL;
	number = SLOT_FREE(device->cqs.slots, &device->cqs.next);
	if (number < 0)
		return ADMIN_NO_RESOURCE;
	fill(&device->cqs.slots[number], create);
	uar->users++;
	if (interrupts)
		eq->users++;
	device_counters(device)->cq_live++;
	*reply = (struct create_cq_answer){
		.number = number,
		.depth = create->depth,
		.doorbell = (QPS + number) * DOORBELL_PAGE,
		.flags = CQ_HAS_DOORBELL,
	};
	return ADMIN_OK;
}

enum admin_status cq_destroy(struct device *device, const struct command *command,
			     void *answer)
{
	const struct number_command *destroy = (const void *)command->payload;
	struct cq *cq = cq_find(device, destroy->number);

	(void)answer;
	if (!cq)
		return ADMIN_ILLEGAL;
	if (cq->users)
		return ADMIN_BUSY;
	cq->live = false;
	uar_find(device, cq->uar)->users--;
	if (cq->interrupts)
		eq_find(device, cq->eq)->users--;
	device_counters(device)->cq_live--;
	return ADMIN_OK;
}
