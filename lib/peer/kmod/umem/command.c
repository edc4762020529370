// SPDX-License-Identifier: GPL-2.0-only
/* The short ioctls: revoke, counters, events. */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/string.h>

#include "umem/umem.h"

#ifdef HAVE_UMEM_REVOKE

/* Of a region whose driver is not told, the driver kills the key itself. */
static int revoke(struct region *region)
{
	int ret = -ENODEV;

	down_read(&region->life);
	if (!region->umem)
		goto up_life;
	if (region->mode != PEER_UMEM_REVOCABLE)
		key_set(region, PEER_UMEM_KEY_DEAD);
	ib_umem_dmabuf_revoke(region->umem);
	ret = 0;
up_life:
	up_read(&region->life);
	return ret;
}

#else

static int revoke(struct region *region)
{
	return -EOPNOTSUPP;
}

#endif

int ioctl_revoke(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_handle *request = argument;
	struct region *region;
	int ret;

	if (request->reserved)
		return -EINVAL;
	region = region_get(file, request->handle);
	if (IS_ERR(region))
		return PTR_ERR(region);
	ret = revoke(region);
	region_put(region);
	return ret;
}

static void fill_key(struct region *region, struct peer_umem_stat *stat)
{
	mutex_lock(&region->access);
	stat->key = region->key;
	stat->rkey = region->rkey;
	stat->dma_faults = region->dma_faults;
	mutex_unlock(&region->access);
}

/*
 * Without the reservation: whoever waits for fences holds it, and a test may
 * want to look at just that. The answer is that of some moment.
 */
static void fill_core(struct region *region, struct peer_umem_stat *stat)
{
	const struct ib_umem_dmabuf *umem;

	down_read(&region->life);
	umem = region->umem;
	if (umem) {
		stat->mapped = !!READ_ONCE(umem->sgt);
#ifdef HAVE_UMEM_REVOKE
		stat->revoked = umem->revoked;
#endif
		stat->translated = device_translated(region->agent->device);
	}
	up_read(&region->life);
}

int ioctl_stat(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_umem_stat *stat = argument;
	u32 handle = stat->handle;
	struct region *region;

	if (stat->reserved)
		return -EINVAL;
	region = region_get(file, handle);
	if (IS_ERR(region))
		return PTR_ERR(region);
	memset(stat, 0, sizeof(*stat));
	stat->handle = handle;
	fill_key(region, stat);
	fill_core(region, stat);
	strscpy(stat->device, dev_name(region->agent->device),
		sizeof(stat->device));
	region_put(region);
	return 0;
}

int ioctl_events(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_events *request = argument;
	struct region *region = region_get(file, request->handle);
	int ret;

	if (IS_ERR(region))
		return PTR_ERR(region);
	ret = peer_log_read(&region->log, request);
	region_put(region);
	return ret;
}

int ioctl_info(struct peer_file *file, void *argument, void __user *user)
{
	struct umem_file *umem_file = container_of(file, struct umem_file, base);
	struct peer_umem_info *info = argument;

	if (info->reserved)
		return -EINVAL;
	info->features = 0;
#ifdef HAVE_UMEM_REVOKE
	info->features |= PEER_UMEM_HAS_REVOKE;
#endif
#ifdef HAVE_UMEM_REVOCABLE
	info->features |= PEER_UMEM_HAS_REVOCABLE;
#endif
	info->revokes = atomic_read(&umem_file->revokes);
	return 0;
}
