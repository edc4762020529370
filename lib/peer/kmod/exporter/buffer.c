// SPDX-License-Identifier: GPL-2.0-only
/* Life of a buffer: made by an ioctl, used through its fd, freed after both. */
#include <linux/dma-buf.h>
#include <linux/file.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "exporter/exporter.h"

#define BUFFER_FLAGS	(PEER_BUFFER_READ_ONLY | PEER_BUFFER_NO_CLOEXEC | \
			 PEER_BUFFER_NO_MMAP | PEER_BUFFER_SHORT | \
			 PEER_BUFFER_REPEATED | PEER_BUFFER_CONTIGUOUS | \
			 PEER_BUFFER_LONG | PEER_BUFFER_MISALIGNED | \
			 PEER_BUFFER_RAGGED | PEER_BUFFER_OWN_RESV)

#define COMMON_OPS				\
	.attach = exporter_attach,		\
	.detach = exporter_detach,		\
	.map_dma_buf = exporter_map,		\
	.unmap_dma_buf = exporter_unmap,	\
	.release = exporter_release,		\
	.begin_cpu_access = exporter_begin_cpu,	\
	.end_cpu_access = exporter_end_cpu,	\
	.vmap = exporter_vmap,			\
	.vunmap = exporter_vunmap

#define PIN_OPS					\
	.pin = exporter_pin,			\
	.unpin = exporter_unpin

/* By [has pin][has mmap]. */
static const struct dma_buf_ops buffer_ops[2][2] = {
	{
		{ COMMON_OPS },
		{ COMMON_OPS, .mmap = exporter_mmap },
	}, {
		{ COMMON_OPS, PIN_OPS },
		{ COMMON_OPS, PIN_OPS, .mmap = exporter_mmap },
	},
};

#ifdef PEER_FAULTS
/* EXP-05: by a mutant, until any exporter is closed. */
static atomic_t modules_kept = ATOMIC_INIT(0);

static void keep_module(void)
{
	if (!peer_fault(keeps_module))
		return;
	__module_get(THIS_MODULE);
	atomic_inc(&modules_kept);
}

void buffers_let_module_go(void)
{
	while (atomic_dec_if_positive(&modules_kept) >= 0)
		module_put(THIS_MODULE);
}
#else
static inline void keep_module(void) { }
#endif

static void free_buffer(struct kref *ref)
{
	struct peer_buffer *buffer = container_of(ref, struct peer_buffer, ref);

	/* An ioctl that raced with FORGET may have added one more. */
	peer_fences_drop(&buffer->fences, &buffer->resv);
	dma_resv_fini(&buffer->resv);
	dma_resv_fini(&buffer->other_resv);
	places_free(buffer);
	peer_log_free(&buffer->log);
	kfree(buffer);
}

void buffer_put(struct peer_buffer *buffer)
{
	kref_put(&buffer->ref, free_buffer);
}

struct peer_buffer *buffer_get(struct peer_file *file, u32 handle)
{
	struct peer_buffer *buffer;

	xa_lock(&file->handles);
	buffer = xa_load(&file->handles, handle);
	if (buffer)
		kref_get(&buffer->ref);
	xa_unlock(&file->handles);
	return buffer ?: ERR_PTR(-ENOENT);
}

int buffer_lock(struct peer_buffer *buffer)
{
	int ret;

	if (buffer->flags & PEER_BUFFER_OWN_RESV)
		return -EOPNOTSUPP;
	ret = dma_resv_lock_interruptible(&buffer->resv, NULL);
	if (ret)
		return ret;
	if (buffer->dmabuf)
		return 0;
	dma_resv_unlock(&buffer->resv);
	return -ENODEV;
}

void buffer_unlock(struct peer_buffer *buffer)
{
	dma_resv_unlock(&buffer->resv);
}

static struct peer_buffer *new_buffer(const struct peer_buffer_create *request)
{
	struct peer_buffer *buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!buffer)
		return ERR_PTR(-ENOMEM);
	ret = peer_log_init(&buffer->log);
	if (ret) {
		kfree(buffer);
		return ERR_PTR(ret);
	}
	kref_init(&buffer->ref);
	dma_resv_init(&buffer->resv);
	dma_resv_init(&buffer->other_resv);
	mutex_init(&buffer->state);
	mutex_init(&buffer->storm_lock);
	spin_lock_init(&buffer->copy_lock);
	INIT_LIST_HEAD(&buffer->attachments);
	INIT_DELAYED_WORK(&buffer->copy, finish_copy);
	init_waitqueue_head(&buffer->unmapped);
	peer_fences_init(&buffer->fences, &buffer->log);
	buffer->size = request->size;
	buffer->page_count = request->size >> PAGE_SHIFT;
	buffer->policy = request->policy;
	buffer->shape = request->shape;
	buffer->flags = request->flags;
	buffer->placement = request->placement;
	buffer->left = PEER_PLACE_COUNT;
	return buffer;
}

/* The dma-buf takes over the caller's reference to the buffer. */
static int export(struct peer_buffer *buffer)
{
	DEFINE_DMA_BUF_EXPORT_INFO(info);
	bool pins = buffer->policy != PEER_POLICY_STATIC;
	bool maps = !(buffer->flags & PEER_BUFFER_NO_MMAP);
	bool read_only = buffer->flags & PEER_BUFFER_READ_ONLY &&
			 !peer_fault(read_only_ignored);
	struct dma_buf *dmabuf;

	info.exp_name = "dmabuf_peer_exporter";
	info.ops = &buffer_ops[pins][maps];
	info.size = buffer->size;
	if (buffer->flags & PEER_BUFFER_RAGGED)
		info.size -= PEER_RAGGED_BYTES;
	info.flags = read_only ? O_RDONLY : O_RDWR;
	info.resv = buffer->flags & PEER_BUFFER_OWN_RESV ? NULL : &buffer->resv;
	info.priv = buffer;
	if (peer_fault(no_owner))
		info.owner = NULL;
	if (peer_fault(no_name))
		info.exp_name = NULL;
	dmabuf = dma_buf_export(&info);
	if (IS_ERR(dmabuf))
		return PTR_ERR(dmabuf);
	if (peer_fault(inode_size_wrong))
		i_size_write(file_inode(dmabuf->file), PAGE_SIZE);
	buffer->dmabuf = dmabuf;
	return 0;
}

static struct peer_buffer *create(const struct peer_buffer_create *request)
{
	struct peer_buffer *buffer = new_buffer(request);
	int ret;

	if (IS_ERR(buffer))
		return buffer;
	ret = place_ready(buffer, request->placement);
	if (ret)
		goto put_buffer;
	place_fill(buffer, request->placement, 0);
	ret = export(buffer);
	if (ret)
		goto put_buffer;
	return buffer;
put_buffer:
	buffer_put(buffer);
	return ERR_PTR(ret);
}

static int check_create(const struct peer_buffer_create *request)
{
	bool repeated = request->flags & PEER_BUFFER_REPEATED;
	bool contiguous = request->flags & PEER_BUFFER_CONTIGUOUS;

	if (contiguous && (repeated || request->size > PEER_CONTIGUOUS_SIZE_MAX))
		return -EINVAL;
	if (!request->size || !PAGE_ALIGNED(request->size) ||
	    request->size > (repeated ? PEER_REPEATED_SIZE_MAX :
					PEER_BUFFER_SIZE_MAX))
		return -EINVAL;
	if (repeated && request->shape != PEER_SHAPE_MERGED)
		return -EINVAL;
	if (request->policy >= PEER_POLICY_COUNT ||
	    request->placement >= PEER_PLACE_COUNT ||
	    request->shape >= PEER_SHAPE_COUNT)
		return -EINVAL;
	if (request->flags & ~BUFFER_FLAGS || request->reserved)
		return -EINVAL;
	if (request->flags & PEER_BUFFER_SHORT && request->size == PAGE_SIZE)
		return -EINVAL;
	return 0;
}

static int reserve_fd(const struct peer_buffer *buffer)
{
	bool inherit = buffer->flags & PEER_BUFFER_NO_CLOEXEC;

	if (peer_fault(cloexec_ignored))
		inherit = !inherit;
	return get_unused_fd_flags(inherit ? 0 : O_CLOEXEC);
}

/*
 * Neither the fd nor the handle can be found before user space has both
 * numbers: after that nothing may fail (EXP-09).
 */
static int publish(struct peer_file *file, struct peer_buffer *buffer,
		   struct peer_buffer_create *request, void __user *user)
{
	struct dma_buf *dmabuf = buffer->dmabuf;
	bool installed = false;
	int ret;

	ret = reserve_fd(buffer);
	if (ret < 0)
		goto put_dmabuf;
	request->fd = ret;
	ret = peer_handle_reserve(file, &request->handle);
	if (ret)
		goto put_fd;
	kref_get(&buffer->ref);
	if (peer_fault(published_before_copy_fails)) {
		peer_fd_install(dmabuf, request->fd);
		installed = true;
	}
	if (copy_to_user(user, request, sizeof(*request))) {
		ret = -EFAULT;
		goto put_buffer;
	}
	if (peer_fault(keeps_reference)) {
		get_dma_buf(dmabuf);
		buffer->kept = dmabuf;
	}
	keep_module();
	peer_log_open(&buffer->log, &file->sequence);
	peer_handle_publish(file, request->handle, buffer);
	if (!installed)
		peer_fd_install(dmabuf, request->fd);
	return 0;
put_buffer:
	buffer_put(buffer);
	peer_handle_unreserve(file, request->handle);
	if (installed)
		return ret;
put_fd:
	put_unused_fd(request->fd);
put_dmabuf:
	dma_buf_put(dmabuf);
	return ret;
}

int ioctl_create(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_buffer_create *request = argument;
	struct peer_buffer *buffer;
	int ret;

	ret = check_create(request);
	if (ret)
		return ret;
	buffer = create(request);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	return publish(file, buffer, request, user);
}

void exporter_release(struct dma_buf *dmabuf)
{
	struct peer_buffer *buffer = dmabuf->priv;
	struct visit visit;

	if (peer_fault(release_is_atomic))
		preempt_disable();
	visit_begin(&visit, buffer, NULL, PEER_CALL_RELEASE);
	unlist_refused(buffer);
	if (peer_fault(release_is_atomic))
		preempt_enable();
	visit.event.flags |= READ_ONCE(buffer->last_put);
	dma_resv_lock(&buffer->resv, NULL);
	buffer->dmabuf = NULL;
	dma_resv_unlock(&buffer->resv);
	flush_delayed_work(&buffer->copy);
	mutex_lock(&buffer->state);
	buffer->released = true;
	places_free(buffer);
	mutex_unlock(&buffer->state);
	visit_end(&visit, 0);
	buffer_put(buffer);
}

static void disarm(struct peer_buffer *buffer)
{
	mutex_lock(&buffer->state);
	memset(buffer->failures, 0, sizeof(buffer->failures));
	buffer->armed.handle = 0;
	mutex_unlock(&buffer->state);
}

/* LIFE-09: what the dma-buf shows must not depend on the handle. */
static void forget_content(struct peer_buffer *buffer)
{
	mutex_lock(&buffer->state);
	if (!buffer->released)
		place_fill(buffer, buffer->placement, PEER_POISON);
	mutex_unlock(&buffer->state);
}

void buffer_forget(struct peer_buffer *buffer)
{
	if (peer_fault(forget_spoils))
		forget_content(buffer);
	disarm(buffer);
	storm_forbid(buffer);
	peer_fences_drop(&buffer->fences, &buffer->resv);
	flush_delayed_work(&buffer->copy);
	peer_log_close(&buffer->log);
	if (buffer->kept)
		dma_buf_put(buffer->kept);
	buffer_put(buffer);
}

int ioctl_forget(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_handle *request = argument;
	struct peer_buffer *buffer;

	if (request->reserved)
		return -EINVAL;
	buffer = peer_handle_take(file, request->handle);
	if (!buffer)
		return -ENOENT;
	buffer_forget(buffer);
	return 0;
}
