// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accesses to DMA addresses. A DMA address is never taken for a physical one
 * unless nothing translates.
 */
#include "importer/access.h"

#include <linux/delay.h>
#include <linux/dma-direct.h>
#include <linux/err.h>
#include <linux/highmem.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "importer/importer.h"

static int translate(struct device *device, dma_addr_t address,
		     phys_addr_t *physical)
{
	unsigned int in_page = offset_in_page(address);
	struct iommu_domain *domain;

	if (!device_translated(device)) {
		*physical = dma_to_phys(device, address);
		return 0;
	}
	domain = iommu_get_domain_for_dev(device);
	*physical = iommu_iova_to_phys(domain, address - in_page);
	if (!*physical)
		return -EFAULT;
	*physical += in_page;
	return 0;
}

void peer_access_ram(phys_addr_t physical, const struct part *part)
{
	struct page *page = pfn_to_page(PHYS_PFN(physical));
	unsigned int in_page = offset_in_page(physical);

	if (part->write)
		memcpy_to_page(page, in_page, part->data, part->length);
	else
		memcpy_from_page(part->data, page, in_page, part->length);
}

/* A BAR of another device; an address that nothing answers to is a fault. */
static int access_io(phys_addr_t physical, const struct part *part)
{
	void __iomem *registers;

	if (region_intersects(physical, part->length, IORESOURCE_MEM,
			      IORES_DESC_NONE) == REGION_DISJOINT)
		return -EFAULT;
	registers = ioremap(physical, part->length);
	if (!registers)
		return -EFAULT;
	if (part->write)
		memcpy_toio(registers, part->data, part->length);
	else
		memcpy_fromio(part->data, registers, part->length);
	iounmap(registers);
	return 0;
}

static int access_translated(struct device *device, const struct part *part)
{
	phys_addr_t physical;
	int ret = translate(device, part->address, &physical);

	if (ret)
		return ret;
	if (!page_is_ram(PHYS_PFN(physical)))
		return access_io(physical, part);
	peer_access_ram(physical, part);
	return 0;
}

/* The engine itself cannot tell that an access was refused. */
static int access_engine(struct dma_agent *device, const struct part *part)
{
	phys_addr_t physical;
	int ret = translate(device->device, part->address, &physical);

	if (ret)
		return ret;
	return edu_transfer(device->edu, part->address, part->data,
			    part->length, part->write);
}

int peer_access(struct dma_agent *agent, u32 engine, const struct part *part)
{
	return engine == PEER_ENGINE_DEVICE ?
	       access_engine(agent, part) :
	       access_translated(agent->device, part);
}
EXPORT_SYMBOL_GPL(peer_access);

int peer_locate(const struct peer_table_entry *entries, u32 count, u64 offset,
		struct part *part)
{
	const struct peer_table_entry *end = entries + count;
	u64 in_entry;

	for (; entries < end && offset >= entries->length; entries++)
		offset -= entries->length;
	if (entries == end)
		return -EINVAL;
	part->address = entries->address + offset;
	in_entry = entries->length - offset;
	part->length = min_t(u64, in_entry,
			     PAGE_SIZE - offset_in_page(part->address));
	return 0;
}
EXPORT_SYMBOL_GPL(peer_locate);

int peer_check_transfer(const struct peer_transfer *request)
{
	if (!request->length || request->length > PEER_TRANSFER_MAX ||
	    request->write > 1 || request->engine >= PEER_ENGINE_COUNT)
		return -EINVAL;
	return 0;
}
EXPORT_SYMBOL_GPL(peer_check_transfer);

/* Holds nothing meanwhile: whoever wants to stop the device may. */
static void take_time(const struct peer_transfer *request)
{
	if (request->engine == PEER_ENGINE_SLOW)
		msleep_interruptible(PEER_SLOW_MS);
}

static int move_bytes(const struct peer_transfer *request, void *data,
		      peer_step step, void *context)
{
	u64 done = 0;

	while (done < request->length) {
		struct part part = {
			.data = data + done,
			.length = request->length - done,
			.write = request->write,
		};
		int ret;

		if (done)
			take_time(request);
		/* Through the engine 1 MiB takes a minute. */
		if (signal_pending(current))
			return -EINTR;
		ret = step(context, request->offset + done, &part);
		if (ret < 0)
			return ret;
		done += ret;
		cond_resched();
	}
	return 0;
}

int peer_transfer_bytes(const struct peer_transfer *request, peer_step step,
			void *context)
{
	void __user *user = u64_to_user_ptr(request->data);
	void *data = kvmalloc(request->length, GFP_KERNEL);
	int ret = 0;

	if (!data)
		return -ENOMEM;
	if (request->write && copy_from_user(data, user, request->length))
		ret = -EFAULT;
	if (!ret)
		ret = move_bytes(request, data, step, context);
	if (!ret && !request->write && copy_to_user(user, data, request->length))
		ret = -EFAULT;
	kvfree(data);
	return ret;
}
EXPORT_SYMBOL_GPL(peer_transfer_bytes);
