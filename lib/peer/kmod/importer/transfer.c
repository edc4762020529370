// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moving bytes through DMA addresses: by the device's own engine, or page by
 * page through the translation that the device is subject to. A DMA address is
 * never taken for a physical one unless nothing translates.
 */
#include <linux/dma-direct.h>
#include <linux/err.h>
#include <linux/highmem.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/iommu.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "importer/importer.h"

/* One transfer, cut so that no part crosses a page. */
struct part {
	dma_addr_t address;
	void *data;
	unsigned int length;
	bool write;
};

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

static void access_ram(phys_addr_t physical, const struct part *part)
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
	access_ram(physical, part);
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

static int move_part(struct import *import, u32 engine, const struct part *part)
{
	int ret;

	if (engine == PEER_ENGINE_DEVICE)
		ret = access_engine(import->device, part);
	else
		ret = access_translated(import->device->device, part);
	if (ret == -EFAULT) {
		mutex_lock(&import->state);
		import->counts.dma_faults++;
		mutex_unlock(&import->state);
	}
	return ret;
}

/* The DMA address at an offset, and how many bytes follow it in its page. */
static int locate(const struct mapping *mapping, u64 offset, struct part *part)
{
	const struct peer_table_entry *entry = mapping->entries;
	const struct peer_table_entry *end = entry + mapping->count;
	u64 in_entry;

	for (; entry < end && offset >= entry->length; entry++)
		offset -= entry->length;
	if (entry == end)
		return -EINVAL;
	part->address = entry->address + offset;
	in_entry = entry->length - offset;
	part->length = min_t(u64, in_entry,
			     PAGE_SIZE - offset_in_page(part->address));
	return 0;
}

/* For a mutant: the CPU side of the table, which importers must not look at. */
static int locate_page(const struct mapping *mapping, u64 offset,
		       struct part *part)
{
	struct scatterlist *sg;
	unsigned int i;

	for_each_sgtable_sg(mapping->table, sg, i) {
		if (offset >= sg->length) {
			offset -= sg->length;
			continue;
		}
		if (!sg_page(sg))
			break;
		part->address = sg_phys(sg) + offset;
		part->length = min_t(u64, sg->length - offset,
				     PAGE_SIZE - offset_in_page(part->address));
		return 0;
	}
	return -EFAULT;
}

static int move_by_page(struct mapping *mapping, u64 offset, struct part *part,
			unsigned int most)
{
	int ret = locate_page(mapping, offset, part);

	if (ret)
		return ret;
	part->length = min(part->length, most);
	access_ram(part->address, part);
	return 0;
}

/*
 * One part under the mapping's lock, so that unmap waits for it and no byte
 * moves after unmap (INV-03). Returns the number of bytes moved.
 */
static int step(struct import *import, struct mapping *mapping, u64 offset,
		u32 engine, struct part *part, unsigned int most)
{
	int ret = mutex_lock_interruptible(&mapping->lock);

	if (ret)
		return ret;
	if (mapping->dead) {
		ret = -ENOENT;
		goto unlock;
	}
	if (peer_fault(uses_sg_page)) {
		ret = move_by_page(mapping, offset, part, most);
		goto unlock;
	}
	ret = locate(mapping, offset, part);
	if (ret)
		goto unlock;
	part->length = min(part->length, most);
	ret = move_part(import, engine, part);
unlock:
	mutex_unlock(&mapping->lock);
	return ret ?: part->length;
}

static int move_bytes(struct import *import, struct mapping *mapping,
		      const struct peer_transfer *request, void *data)
{
	u64 offset = peer_fault(offset_ignored) ? 0 : request->offset;
	u64 done = 0;

	while (done < request->length) {
		struct part part = {
			.data = data + done,
			.write = request->write,
		};
		int ret;

		/* Through the engine 1 MiB takes a minute. */
		if (signal_pending(current))
			return -EINTR;
		ret = step(import, mapping, offset + done, request->engine,
			   &part, request->length - done);
		if (ret < 0)
			return ret;
		done += ret;
		cond_resched();
	}
	return 0;
}

/* For a mutant: an importer that goes on with what it read before a notify. */
static void read_again(struct import *import, void *data, u64 length)
{
	size_t part = min_t(u64, length, sizeof(import->read_first));

	if (import->has_read)
		memcpy(data, import->read_first, part);
	else
		memcpy(import->read_first, data, part);
	import->has_read = true;
}

static int transfer_data(struct import *import, struct mapping *mapping,
			 const struct peer_transfer *request)
{
	void __user *user = u64_to_user_ptr(request->data);
	void *data = kvmalloc(request->length, GFP_KERNEL);
	int ret = 0;

	if (!data)
		return -ENOMEM;
	if (request->write && copy_from_user(data, user, request->length))
		ret = -EFAULT;
	if (!ret)
		ret = move_bytes(import, mapping, request, data);
	if (!ret && peer_fault(read_ahead_kept) && !request->write &&
	    !request->offset)
		read_again(import, data, request->length);
	if (!ret && !request->write && copy_to_user(user, data, request->length))
		ret = -EFAULT;
	kvfree(data);
	return ret;
}

/* What the mapping's direction does not allow, the IOMMU need not let pass. */
static bool direction_allows(const struct mapping *mapping, bool write)
{
	return mapping->direction == DMA_BIDIRECTIONAL ||
	       mapping->direction == (write ? DMA_FROM_DEVICE : DMA_TO_DEVICE);
}

static int check_range(const struct mapping *mapping,
		       const struct peer_transfer *request)
{
	if (request->offset > mapping->length ||
	    request->length > mapping->length - request->offset)
		return -EINVAL;
	return direction_allows(mapping, request->write) ? 0 : -EACCES;
}

static int transfer(struct import *import, const struct peer_transfer *request)
{
	struct mapping *mapping;
	int ret;

	if (request->engine == PEER_ENGINE_DEVICE && !import->device->edu)
		return -EOPNOTSUPP;
	mapping = mapping_get(import, request->map);
	if (IS_ERR(mapping))
		return PTR_ERR(mapping);
	ret = check_range(mapping, request);
	if (!ret)
		ret = transfer_data(import, mapping, request);
	mapping_put(mapping);
	return ret;
}

int ioctl_transfer(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_transfer *request = argument;
	struct import *import;
	int ret;

	if (!request->length || request->length > PEER_TRANSFER_MAX ||
	    request->write > 1 || request->engine >= PEER_ENGINE_COUNT)
		return -EINVAL;
	import = import_get(file, request->handle);
	if (IS_ERR(import))
		return PTR_ERR(import);
	ret = transfer(import, request);
	import_put(import);
	return peer_fault(transfer_error_hidden) ? 0 : ret;
}

#ifdef PEER_FAULTS

void transfer_write_late(struct import *import, struct mapping *mapping)
{
	u64 bytes[8] = { };
	struct part part = { .data = bytes, .write = true };

	step(import, mapping, 0, PEER_ENGINE_TRANSLATE, &part, sizeof(bytes));
}

#endif
