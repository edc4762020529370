// SPDX-License-Identifier: GPL-2.0-only
#include "nic/mr.h"

#include <errno.h>
#include <stdlib.h>

#include "nic/fault.h"
#include "nic/feature.h"
#include "nic/page_list.h"
#include "nic/slots.h"
#include "nic/state.h"

/* A key is the slot's index and, above it, the slot's generation. */
#define INDEX_BITS	12
#define GENERATIONS	0xfffu

_Static_assert(REGIONS == 1 << INDEX_BITS, "every index is a slot");

/* Milliseconds for which the fault late_access lets every region linger. */
#define FAULT_LINGER	200

/* Milliseconds between two late accesses, and what each of them touches. */
#define LATE_PERIOD	5
#define LATE_BYTES	64

static struct region *slot_of(struct device *device, uint32_t key)
{
	struct region *region = &device->regions.slots[key & (REGIONS - 1)];

	return region->generation && region->generation == key >> INDEX_BITS ? region : NULL;
}

static uint32_t key_of(const struct device *device, const struct region *region)
{
	return (uint32_t)(region - device->regions.slots) |
	       (uint32_t)region->generation << INDEX_BITS;
}

/* Pages as the guest's processor has them: what bounds_of_pages takes for a region. */
#define GUEST_PAGE	4096ull

/* An address before the region is far behind it, counted round. */
static bool holds(const struct region *region, uint64_t address, uint64_t length)
{
	uint64_t start = region->address, size = region->length;

	if (nic_fault(bounds_of_pages)) {
		start &= ~(GUEST_PAGE - 1);
		size += region->address - start;
		size = (size + GUEST_PAGE - 1) & ~(GUEST_PAGE - 1);
	}
	return length <= size && address - start <= size - length;
}

static void drop_pages(struct device *device, struct region *region)
{
	if (!region->pages)
		return;
	free(region->pages);
	region->pages = NULL;
	device->regions.npages -= region->npages;
	if (region->lingers_until)
		device->regions.lingering--;
	region->lingers_until = 0;
}

/* Somebody uses a key after its death: it is carried out only by a faulty device. */
static bool dead_is_admitted(struct device *device, const struct region *region)
{
	device_counters(device)->stale_keys++;
	if (!nic_fault(dead_key_live) || !region->pages)
		return false;
	device_counters(device)->late_accesses++;
	return true;
}

struct region *mr_admit(const struct segment *segment)
{
	struct region *region = slot_of(segment->device, segment->key);

	if (!region || (!region->live && !dead_is_admitted(segment->device, region)))
		return NULL;
	if (region->pd != segment->pd && !nic_fault(pd_unchecked))
		return NULL;
	if ((region->rights & segment->rights) != segment->rights &&
	    !nic_fault(rights_unchecked))
		return NULL;
	if (!holds(region, segment->address, segment->length))
		return NULL;
	return region;
}

uint64_t mr_place(const struct region *region, uint64_t address, size_t *length)
{
	uint64_t size = 1ull << region->shift;
	uint64_t from_first_page = address - (region->address & ~(size - 1));
	uint64_t offset = from_first_page & (size - 1);

	if (*length > size - offset)
		*length = size - offset;
	return region->pages[from_first_page >> region->shift] + offset;
}

/* What is there is written again: late, but harmless where no IOMMU stops it. */
static void access_late(struct device *device, const struct region *region)
{
	size_t length = region->length < LATE_BYTES ? region->length : LATE_BYTES;
	uint64_t place = mr_place(region, region->address, &length);
	uint8_t bytes[LATE_BYTES];

	device_counters(device)->late_accesses++;
	if (!memory_read(device_memory(device), place, bytes, length) &&
	    region->rights & (RIGHT_LOCAL_WRITE | RIGHT_REMOTE_WRITE))
		memory_write(device_memory(device), place, bytes, length);
}

int mr_tick(struct device *device, uint64_t now_ns)
{
	struct regions *regions = &device->regions;

	if (!regions->lingering)
		return -1;
	if (now_ns < regions->next_late)
		return LATE_PERIOD;
	regions->next_late = now_ns + LATE_PERIOD * MILLISECOND;
	for (unsigned int i = 0; i < REGIONS && regions->lingering; i++) {
		struct region *region = &regions->slots[i];

		if (!region->lingers_until)
			continue;
		access_late(device, region);
		if (now_ns >= region->lingers_until)
			drop_pages(device, region);
	}
	return LATE_PERIOD;
}

void mr_reset(struct device *device)
{
	for (unsigned int i = 0; i < REGIONS; i++)
		drop_pages(device, &device->regions.slots[i]);
	device->regions = (struct regions){ 0 };
}

/* Of a region that begins anywhere in its first page. */
static uint64_t pages_of(const struct reg_mr *reg)
{
	uint64_t size = 1ull << REGION_SHIFT(reg->shift);

	return ((reg->address & (size - 1)) + reg->length + size - 1) >>
	       REGION_SHIFT(reg->shift);
}

/* Large pages may make a region larger than what is announced, unless that was asked for. */
static bool is_within_limit(struct device *device, uint64_t length)
{
	return !device_controls(device)->region_pages ||
	       length <= feature_region_pages(device) * GUEST_PAGE;
}

static bool shape_is_good(struct device *device, const struct reg_mr *reg)
{
	if (reg->shift & (REGION_PHYSICAL | REGION_SHIFT_RESERVED) ||
	    !(feature_page_sizes(device) >> REGION_SHIFT(reg->shift) & 1))
		return false;
	if (reg->rights & ~RIGHTS ||
	    (reg->rights & RIGHT_REMOTE_WRITE && !(reg->rights & RIGHT_LOCAL_WRITE)))
		return false;
	if (!reg->length || reg->length >> FEATURE_ADDRESS_BITS ||
	    reg->address + (reg->length - 1) < reg->address)
		return false;
	return pages_of(reg) <= REGION_PAGES && is_within_limit(device, reg->length);
}

static bool pages_are_aligned(const uint64_t *pages, uint32_t count, unsigned int shift)
{
	for (uint32_t i = 0; i < count; i++)
		if (pages[i] & ((1ull << shift) - 1))
			return false;
	return true;
}

/* A new life for a slot, whose old keys are dead for good. */
static struct region *fill(struct device *device, unsigned int number,
			   const struct reg_mr *reg, uint64_t *pages)
{
	struct region *region = &device->regions.slots[number];
	uint16_t generation = region->generation % GENERATIONS + 1;

	drop_pages(device, region);
	*region = (struct region){
		.live = true,
		.generation = generation,
		.pd = reg->pd,
		.shift = REGION_SHIFT(reg->shift),
		.rights = reg->rights,
		.address = reg->address,
		.length = reg->length,
		.npages = pages_of(reg),
		.pages = pages,
	};
	device->regions.npages += region->npages;
	return region;
}

/* The driver leaves page_count zero: it follows from the rest. */
enum admin_status mr_register(struct device *device, const struct command *command,
			      void *answer)
{
	const struct reg_mr *reg = (const void *)command->payload;
	struct reg_mr_answer *reply = answer;
	struct pd *pd = pd_find(device, reg->pd);
	enum admin_status status;
	struct region *region;
	uint64_t *pages;
	int number;

	if (!pd || !shape_is_good(device, reg))
		return ADMIN_ILLEGAL;
	if (device->refuses && nic_fault(refuses_after_reset))
		return ADMIN_NO_RESOURCE;
	number = SLOT_FREE(device->regions.slots, &device->regions.next);
	if (number < 0 || device->regions.npages + pages_of(reg) > REGIONS_PAGES)
		return ADMIN_NO_RESOURCE;
	status = page_list_read(device, command, &pages, pages_of(reg));
	if (status)
		return status;
	if (!pages_are_aligned(pages, pages_of(reg), REGION_SHIFT(reg->shift))) {
		free(pages);
		return ADMIN_ILLEGAL;
	}
	region = fill(device, number, reg, pages);
	pd->users++;
	device_counters(device)->mr_live++;
	reply->local_key = key_of(device, region);
	reply->remote_key = reply->local_key;
	device_log(device, LOG_COMMAND, "region %#x: %llu bytes at %#llx, %u pages of 2^%u",
		   reply->local_key, (unsigned long long)region->length,
		   (unsigned long long)region->address, region->npages, region->shift);
	return ADMIN_OK;
}

/* How long a region is used after its death: not at all, unless somebody asked for it. */
static uint32_t linger_ms(struct device *device)
{
	uint32_t asked = device_controls(device)->linger_ms;

	return !asked && nic_fault(late_access) ? FAULT_LINGER : asked;
}

static void linger(struct device *device, struct region *region, uint32_t milliseconds)
{
	uint64_t now = device_clock();

	region->lingers_until = now + milliseconds * MILLISECOND;
	if (!device->regions.lingering++)
		device->regions.next_late = now + LATE_PERIOD * MILLISECOND;
}

enum admin_status mr_deregister(struct device *device, const struct command *command,
				void *answer)
{
	const struct dereg_mr *dereg = (const void *)command->payload;
	struct region *region = slot_of(device, dereg->key);
	uint32_t milliseconds = linger_ms(device);

	(void)answer;
	if (!region || !region->live)
		return ADMIN_ILLEGAL;
	region->live = false;
	in_flight_take(device, region);
	pd_find(device, region->pd)->users--;
	device_counters(device)->mr_live--;
	if (milliseconds)
		linger(device, region, milliseconds);
	else if (!nic_fault(dead_key_live))
		drop_pages(device, region);
	device_log(device, LOG_COMMAND, "region %#x is dead: %llu bytes read, %llu written",
		   dereg->key, (unsigned long long)region->bytes_read,
		   (unsigned long long)region->bytes_written);
	return ADMIN_OK;
}

int device_region_bytes(struct device *device, uint32_t key, uint64_t *read,
			uint64_t *written)
{
	const struct region *region = slot_of(device, key);

	if (!region)
		return -ENOENT;
	*read = region->bytes_read;
	*written = region->bytes_written;
	return 0;
}
