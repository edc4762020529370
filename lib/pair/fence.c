// SPDX-License-Identifier: GPL-2.0-only
#include "pair/fence.h"

#include <drm/vgem_drm.h>
#include <errno.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pair/drm.h"
#include "peer/peer_exporter.h"

/* The first one that is there makes the fence. */
static const char *const makers[] = { "peer:static", "drm:vgem" };

static bool is_peer(const struct fence *fence)
{
	return fence->maker.backend.capabilities & CAP(EXPORTER_PEER);
}

static int open_maker(struct fence *fence)
{
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (!exporter_open(makers[i], &fence->maker))
			return 0;
	return -ENODEV;
}

static int vgem_attach(struct fence *fence)
{
	struct drm_vgem_fence_attach attach = {
		.handle = fence->buffer.handle,
		.flags = VGEM_FENCE_WRITE,
	};
	int ret = drm_call(fence->maker.control, DRM_IOCTL_VGEM_FENCE_ATTACH,
			   &attach);

	return ret ? ret : (int)attach.out_fence;
}

static int vgem_signal(struct fence *fence)
{
	struct drm_vgem_fence_signal signal = { .fence = fence->id };

	return drm_call(fence->maker.control, DRM_IOCTL_VGEM_FENCE_SIGNAL,
			&signal);
}

/* A writer's fence on the maker's own buffer, fetched from there. */
static int attach(struct fence *fence)
{
	int id = is_peer(fence) ?
		 peer_exporter_fence(&fence->buffer, PEER_USAGE_WRITE,
				     FENCE_TIMEOUT_MS) : vgem_attach(fence);

	if (id < 0)
		return id;
	fence->id = id;
	fence->sync_file = sync_file_export(fence->buffer.fd, DMA_BUF_SYNC_RW);
	return fence->sync_file < 0 ? fence->sync_file : 0;
}

int fence_create(struct fence *fence)
{
	const struct buffer_spec spec = { .size = sysconf(_SC_PAGESIZE) };
	int ret;

	memset(fence, 0, sizeof(*fence));
	fence->sync_file = -1;
	ret = open_maker(fence);
	if (ret)
		return ret;
	ret = exporter_alloc(&fence->maker, &spec, &fence->buffer);
	if (ret)
		goto close_maker;
	ret = attach(fence);
	if (ret)
		goto release_buffer;
	return 0;
release_buffer:
	exporter_release(&fence->buffer);
close_maker:
	exporter_close(&fence->maker);
	return ret;
}

int fence_signal(struct fence *fence)
{
	int ret;

	if (is_peer(fence))
		return peer_exporter_signal(&fence->buffer, fence->id);
	/* vgem forgets a fence that was signalled. */
	ret = vgem_signal(fence);
	return ret == -ENOENT ? 0 : ret;
}

void fence_destroy(struct fence *fence)
{
	fence_signal(fence);
	close(fence->sync_file);
	exporter_release(&fence->buffer);
	exporter_close(&fence->maker);
}

int fence_add(struct fence *fence, int fd, uint32_t flags)
{
	return sync_file_import(fd, flags, fence->sync_file);
}

int sync_file_export(int fd, uint32_t flags)
{
	struct dma_buf_export_sync_file request = { .flags = flags, .fd = -1 };

	if (ioctl(fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &request))
		return -errno;
	return request.fd;
}

int sync_file_import(int fd, uint32_t flags, int sync_file)
{
	struct dma_buf_import_sync_file request = {
		.flags = flags,
		.fd = sync_file,
	};

	return ioctl(fd, DMA_BUF_IOCTL_IMPORT_SYNC_FILE, &request) ? -errno : 0;
}

int sync_file_merge(int a, int b)
{
	struct sync_merge_data merge = { .name = "dmabuf-cts", .fd2 = b };

	return ioctl(a, SYNC_IOC_MERGE, &merge) ? -errno : merge.fence;
}

int sync_file_status(int sync_file)
{
	struct sync_file_info info = { 0 };

	return ioctl(sync_file, SYNC_IOC_FILE_INFO, &info) ? -errno : info.status;
}
