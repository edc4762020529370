// SPDX-License-Identifier: GPL-2.0-only
/* The buffer in kernel address space, several times over (CPU-04). */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/iosys-map.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "importer/importer.h"

#define DEPTH_MAX	8

static unsigned int vmap_times(struct import *import, struct iosys_map *maps,
			       unsigned int depth, int *error)
{
	unsigned int done;

	for (done = 0; done < depth; done++) {
		*error = peer_fault(vmap_unlocked) ?
			 dma_buf_vmap(import->dmabuf, &maps[done]) :
			 peer_vmap(import->dmabuf, &maps[done]);
		if (*error)
			break;
		import_record(import, PEER_CALL_VMAP, PEER_NONE, 0);
	}
	return done;
}

static void vunmap_times(struct import *import, struct iosys_map *maps,
			 unsigned int depth)
{
	while (depth--) {
		peer_vunmap(import->dmabuf, &maps[depth]);
		import_record(import, PEER_CALL_VUNMAP, PEER_NONE, 0);
	}
}

/* CPU-04: whoever maps gets the mapping that is there. */
static bool same_address(const struct iosys_map *maps, unsigned int depth)
{
	unsigned int i;

	for (i = 1; i < depth; i++)
		if (!iosys_map_is_equal(&maps[0], &maps[i]))
			return false;
	return true;
}

static int begin_access(struct import *import)
{
	int ret;

	if (peer_fault(vmap_unbracketed))
		return 0;
	if (peer_fault(cpu_access_locked))
		dma_resv_lock(import->resv, NULL);
	ret = dma_buf_begin_cpu_access(import->dmabuf, DMA_FROM_DEVICE);
	if (peer_fault(cpu_access_locked))
		dma_resv_unlock(import->resv);
	return ret;
}

static int end_access(struct import *import)
{
	if (peer_fault(vmap_unbracketed))
		return 0;
	return dma_buf_end_cpu_access(import->dmabuf, DMA_FROM_DEVICE);
}

/* CPU-03: access between begin and end. */
static int copy_out(struct import *import, const struct peer_vmap *request,
		    void *data)
{
	struct iosys_map maps[DEPTH_MAX];
	unsigned int depth;
	int ret, end;

	ret = begin_access(import);
	if (ret)
		return ret;
	depth = vmap_times(import, maps, request->depth, &ret);
	if (!ret && !same_address(maps, depth))
		ret = -ESTALE;
	if (!ret)
		iosys_map_memcpy_from(data, &maps[0], request->offset,
				      request->length);
	if (!ret && request->hold_ms)
		msleep_interruptible(request->hold_ms);
	vunmap_times(import, maps, depth);
	end = end_access(import);
	return ret ?: end;
}

static int vmap_and_read(struct import *import, const struct peer_vmap *request)
{
	size_t size = import->dmabuf->size;
	void *data;
	int ret;

	if (request->offset > size || request->length > size - request->offset)
		return -EINVAL;
	data = kvmalloc(request->length, GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	ret = copy_out(import, request, data);
	if (!ret && copy_to_user(u64_to_user_ptr(request->data), data,
				 request->length))
		ret = -EFAULT;
	kvfree(data);
	return ret;
}

int ioctl_vmap(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_vmap *request = argument;
	struct import *import;
	int ret;

	if (!request->depth || request->depth > DEPTH_MAX || !request->length ||
	    request->length > PEER_TRANSFER_MAX ||
	    request->hold_ms > PEER_TIMEOUT_MS_MAX || request->reserved)
		return -EINVAL;
	import = import_get(file, request->handle);
	if (IS_ERR(import))
		return PTR_ERR(import);
	ret = vmap_and_read(import, request);
	import_put(import);
	return ret;
}
