// SPDX-License-Identifier: GPL-2.0-only
/* Moving bytes through the addresses that the device knows for a key. */
#include <linux/err.h>
#include <linux/mm.h>

#include "importer/access.h"
#include "umem/umem.h"

/* A transfer that is under way. */
struct run {
	struct region *region;
	u32 engine;
};

static int check_key(const struct region *region)
{
	switch (region->key) {
	case PEER_UMEM_KEY_LIVE:
		return 0;
	case PEER_UMEM_KEY_DEAD:
		return -EKEYREVOKED;
	default:
		return -EAGAIN;
	}
}

static int move_part(const struct run *run, u64 offset, struct part *part)
{
	struct region *region = run->region;
	unsigned int most = part->length;
	int ret = peer_locate(region->entries, region->count, offset, part);

	if (ret)
		return ret;
	part->length = min(part->length, most);
	ret = peer_access(region->agent, run->engine, part);
	region->dma_faults += ret == -EFAULT;
	return ret;
}

/*
 * One part under the lock that a change of the key takes, so that nothing moves
 * after a callback has returned. The table begins with a page, the region
 * somewhere in it.
 */
static int step(void *context, u64 offset, struct part *part)
{
	const struct run *run = context;
	struct region *region = run->region;
	int ret = mutex_lock_interruptible(&region->access);

	if (ret)
		return ret;
	if (!peer_fault(offset_ignored))
		offset += offset_in_page(region->offset);
	ret = check_key(region);
	if (!ret)
		ret = move_part(run, offset, part);
	mutex_unlock(&region->access);
	return ret ?: part->length;
}

static int check_range(const struct region *region,
		       const struct peer_transfer *request)
{
	if (request->offset > region->length ||
	    request->length > region->length - request->offset)
		return -EINVAL;
	if (request->write && region->flags & PEER_UMEM_READ_ONLY)
		return -EACCES;
	return 0;
}

/* For a mutant: what the notice should have done. */
static void unmap_late(struct region *region)
{
	if (region_enter(region))
		return;
	window_unmap(region);
	region_leave(region);
}

static int run_transfer(struct region *region,
			const struct peer_transfer *request)
{
	struct run run = { .region = region, .engine = request->engine };
	int ret;

	atomic_add(request->write, &region->writes);
	ret = peer_transfer_bytes(request, step, &run);
	atomic_sub(request->write, &region->writes);
	if (peer_fault(write_outlives_notice))
		unmap_late(region);
	return ret;
}

static int transfer(struct region *region, const struct peer_transfer *request)
{
	int ret = check_range(region, request);

	if (ret)
		return ret;
	if (request->engine == PEER_ENGINE_DEVICE && !region->agent->edu)
		return -EOPNOTSUPP;
	return run_transfer(region, request);
}

int ioctl_transfer(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_transfer *request = argument;
	struct region *region;
	int ret;

	ret = request->map ? -EINVAL : peer_check_transfer(request);
	if (ret)
		return ret;
	region = region_get(file, request->handle);
	if (IS_ERR(region))
		return PTR_ERR(region);
	ret = transfer(region, request);
	region_put(region);
	return ret;
}
