// SPDX-License-Identifier: GPL-2.0-only
/* The short ioctls on an attachment: fences, counters, events. */
#include <linux/device.h>
#include <linux/err.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "importer/importer.h"

int ioctl_fence(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_fence *request = argument;
	struct import *import;
	int ret;

	ret = peer_fences_check(request);
	if (ret)
		return ret;
	import = import_get(file, request->handle);
	if (IS_ERR(import))
		return PTR_ERR(import);
	ret = import_lock(import);
	if (ret)
		goto put_import;
	ret = peer_fences_add(&import->fences, import->resv, request);
	import_unlock(import);
	if (!ret && copy_to_user(user, request, sizeof(*request))) {
		peer_fences_signal(&import->fences, request->fence);
		ret = -EFAULT;
	}
put_import:
	import_put(import);
	return ret;
}

int ioctl_signal(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_fence *request = argument;
	struct import *import = import_get(file, request->handle);
	int ret;

	if (IS_ERR(import))
		return PTR_ERR(import);
	if (peer_fault(fence_leaked))
		ret = 0;
	else
		ret = peer_fences_signal(&import->fences, request->fence);
	import_put(import);
	return ret;
}

static void fill_counters(struct import *import, struct peer_importer_stat *stat)
{
	mutex_lock(&import->state);
	stat->pins = import->pins;
	stat->resv_changed = import->dmabuf->resv != import->resv;
	stat->maps = import->maps;
	stat->notifies = import->counts.notifies;
	stat->notifies_unlocked = import->counts.unlocked;
	stat->notifies_pinned = import->counts.pinned;
	stat->dma_faults = import->counts.dma_faults;
	stat->mapping_gone = import->counts.mapping_gone;
	/*
	 * The core frees the attachment, and the device leaves its IOMMU domain,
	 * only after .live was cleared.
	 */
	stat->peer2peer = import->live && import->core->peer2peer;
	stat->translated = import->live &&
			   device_translated(import->device->device);
	mutex_unlock(&import->state);
	stat->fences_pending = peer_fences_pending(&import->fences);
}

static void fill_device(const struct dma_agent *device,
			struct peer_importer_stat *stat)
{
	stat->has_engine = !!device->edu;
	strscpy(stat->device, dev_name(device->device), sizeof(stat->device));
}

int ioctl_stat(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_importer_stat *stat = argument;
	struct import *import;

	if (stat->reserved)
		return -EINVAL;
	import = import_get(file, stat->handle);
	if (IS_ERR(import))
		return PTR_ERR(import);
	fill_counters(import, stat);
	memset(stat->device, 0, sizeof(stat->device));
	fill_device(import->device, stat);
	import_put(import);
	return 0;
}

int ioctl_events(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_events *request = argument;
	struct import *import = import_get(file, request->handle);
	int ret;

	if (IS_ERR(import))
		return PTR_ERR(import);
	ret = peer_log_read(&import->log, request);
	import_put(import);
	return ret;
}
