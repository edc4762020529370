// SPDX-License-Identifier: GPL-2.0-only
/* Moving bytes through the DMA addresses of a mapping. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>

#include "importer/access.h"
#include "importer/importer.h"

/* A transfer that is under way. */
struct run {
	struct import *import;
	struct mapping *mapping;
	u64 origin;			/* for a mutant: where it started */
	u32 engine;
};

static int move_part(struct import *import, u32 engine, const struct part *part)
{
	int ret = peer_access(import->device, engine, part);

	if (ret == -EFAULT) {
		mutex_lock(&import->state);
		import->counts.dma_faults++;
		mutex_unlock(&import->state);
	}
	return ret;
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

static int move_by_page(struct mapping *mapping, u64 offset, struct part *part)
{
	unsigned int most = part->length;
	int ret = locate_page(mapping, offset, part);

	if (ret)
		return ret;
	part->length = min(part->length, most);
	peer_access_ram(part->address, part);
	return 0;
}

static int move_located(struct run *run, u64 offset, struct part *part)
{
	const struct mapping *mapping = run->mapping;
	unsigned int most = part->length;
	int ret = peer_locate(mapping->entries, mapping->count, offset, part);

	if (ret)
		return ret;
	part->length = min(part->length, most);
	return move_part(run->import, run->engine, part);
}

/* For a mutant: an importer that goes on with what it read before a notify. */
static void read_again(struct import *import, const struct part *part)
{
	size_t length = min_t(size_t, part->length, sizeof(import->read_first));

	if (import->has_read)
		memcpy(part->data, import->read_first, length);
	else
		memcpy(import->read_first, part->data, length);
	import->has_read = true;
}

/*
 * One part under the mapping's lock, so that unmap waits for it and no byte
 * moves after unmap (INV-03). Returns the number of bytes moved.
 */
static int step(void *context, u64 offset, struct part *part)
{
	struct run *run = context;
	struct mapping *mapping = run->mapping;
	int ret = mutex_lock_interruptible(&mapping->lock);

	if (ret)
		return ret;
	if (peer_fault(offset_ignored))
		offset -= run->origin;
	if (peer_fault(offset_has_32_bits))
		offset = lower_32_bits(offset);
	if (mapping->dead)
		ret = -ENOENT;
	else if (peer_fault(uses_sg_page))
		ret = move_by_page(mapping, offset, part);
	else
		ret = move_located(run, offset, part);
	if (!ret && peer_fault(read_ahead_kept) && !part->write && !offset)
		read_again(run->import, part);
	mutex_unlock(&mapping->lock);
	return ret ?: part->length;
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

static void begin_write(struct import *import)
{
	mutex_lock(&import->state);
	import->writes++;
	mutex_unlock(&import->state);
}

/* For a mutant: what the notice should have done is done now. */
static void end_write(struct import *import)
{
	mutex_lock(&import->state);
	import->writes--;
	if (peer_fault(write_outlives_notice) && import->live)
		peer_run_after(&import->late, 0);
	mutex_unlock(&import->state);
}

static int run_transfer(struct import *import, struct mapping *mapping,
			const struct peer_transfer *request)
{
	struct run run = {
		.import = import,
		.mapping = mapping,
		.origin = request->offset,
		.engine = request->engine,
	};
	int ret;

	if (request->write)
		begin_write(import);
	ret = peer_transfer_bytes(request, step, &run);
	if (request->write)
		end_write(import);
	return ret;
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
		ret = run_transfer(import, mapping, request);
	mapping_put(mapping);
	return ret;
}

int ioctl_transfer(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_transfer *request = argument;
	struct import *import;
	int ret;

	ret = peer_check_transfer(request);
	if (ret)
		return ret;
	import = import_get(file, request->handle);
	if (IS_ERR(import))
		return PTR_ERR(import);
	if (peer_fault(needs_a_descriptor) &&
	    file_count(import->dmabuf->file) == 1)
		ret = -ENODEV;
	else
		ret = transfer(import, request);
	import_put(import);
	return peer_fault(transfer_error_hidden) ? 0 : ret;
}

#ifdef PEER_FAULTS

void transfer_write_late(struct import *import, struct mapping *mapping)
{
	u64 bytes[8] = { };
	struct part part = {
		.data = bytes,
		.length = sizeof(bytes),
		.write = true,
	};
	struct run run = {
		.import = import,
		.mapping = mapping,
		.engine = PEER_ENGINE_TRANSLATE,
	};

	step(&run, 0, &part);
}

#endif
