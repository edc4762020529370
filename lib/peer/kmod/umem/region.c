// SPDX-License-Identifier: GPL-2.0-only
/* Life of a region: registration in each mode, deregistration. */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "shared/lock.h"
#include "umem/umem.h"

static void free_region(struct kref *ref)
{
	struct region *region = container_of(ref, struct region, ref);

	window_free(region);
	if (region->agent)
		peer_agent_put(region->agent);
	peer_log_free(&region->log);
	kfree(region);
}

void region_put(struct region *region)
{
	kref_put(&region->ref, free_region);
}

struct region *region_get(struct peer_file *file, u32 handle)
{
	struct region *region;

	xa_lock(&file->handles);
	region = xa_load(&file->handles, handle);
	if (region)
		kref_get(&region->ref);
	xa_unlock(&file->handles);
	return region ?: ERR_PTR(-ENOENT);
}

static struct dma_resv *resv_of(const struct region *region)
{
	return region->umem->attach->dmabuf->resv;
}

int region_enter(struct region *region)
{
	int ret = -ENODEV;

	down_read(&region->life);
	if (!region->umem)
		goto up_life;
	ret = dma_resv_lock_interruptible(resv_of(region), NULL);
	if (!ret)
		return 0;
up_life:
	up_read(&region->life);
	return ret;
}

void region_leave(struct region *region)
{
	dma_resv_unlock(resv_of(region));
	up_read(&region->life);
}

static u32 state_flags(const struct region *region)
{
	const struct ib_umem_dmabuf *umem = region->umem;
	u32 flags = PEER_EVENT_DYNAMIC;

	if (READ_ONCE(umem->sgt))
		flags |= PEER_EVENT_MAPPED;
	if (umem->pinned)
		flags |= PEER_EVENT_PINNED;
	if (peer_notifiable(umem->attach))
		flags |= PEER_EVENT_NOTIFIABLE;
	if (umem->attach->peer2peer)
		flags |= PEER_EVENT_P2P;
	return flags;
}

void region_record(struct region *region, enum peer_call call, int result)
{
	struct peer_event event = {
		.call = call,
		.attachment = region->handle,
		.lock = peer_lock_state(resv_of(region)),
		.direction = PEER_BIDIRECTIONAL,
		.flags = state_flags(region),
		.result = result,
		.pins = region->umem->pinned,
		.maps = !!READ_ONCE(region->umem->sgt),
	};

	peer_log_add(&region->log, &event);
}

/* Of a region that RDMA core did not make, or has released. */
static void record_plain(struct region *region, enum peer_call call, int result)
{
	struct peer_event event = {
		.call = call,
		.attachment = region->handle,
		.direction = PEER_NONE,
		.result = result,
	};

	peer_log_add(&region->log, &event);
}

static struct region *of_user(struct agent_user *user)
{
	return container_of(user, struct region, user);
}

static void get_user_region(struct agent_user *user)
{
	kref_get(&of_user(user)->ref);
}

static void end_user_region(struct agent_user *user)
{
	struct region *region = of_user(user);

	if (peer_fault(stays_without_device))
		peer_agent_leave(region->agent, user);
	else
		region_end(region);
	region_put(region);
}

static struct region *new_region(struct peer_file *file,
				 const struct peer_umem_register *request)
{
	struct region *region = kzalloc(sizeof(*region), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!region)
		return ERR_PTR(-ENOMEM);
	ret = peer_log_init(&region->log);
	if (ret) {
		kfree(region);
		return ERR_PTR(ret);
	}
	kref_init(&region->ref);
	init_rwsem(&region->life);
	mutex_init(&region->access);
	INIT_DELAYED_WORK(&region->remap, remap);
	INIT_LIST_HEAD(&region->user.node);
	region->user.owner = THIS_MODULE;
	region->user.get = get_user_region;
	region->user.end = end_user_region;
	region->file = container_of(file, struct umem_file, base);
	region->mode = request->mode;
	region->flags = request->flags;
	region->offset = request->offset;
	region->length = request->length;
	return region;
}

/* ---- what RDMA core does; all return with the reservation locked ------ */

static int access_of(const struct peer_umem_register *request)
{
	return request->flags & PEER_UMEM_READ_ONLY ? IB_ACCESS_REMOTE_READ :
	       IB_ACCESS_LOCAL_WRITE | IB_ACCESS_REMOTE_WRITE |
	       IB_ACCESS_REMOTE_READ;
}

static void lock_region(const struct ib_umem_dmabuf *umem,
			struct peer_umem_register *request)
{
	struct dma_resv *resv = umem->attach->dmabuf->resv;

	request->lock = peer_lock_state(resv);
	dma_resv_lock(resv, NULL);
}

static struct ib_umem_dmabuf *get_dynamic(struct region *region,
					  struct peer_umem_register *request)
{
	bool untold = request->flags & PEER_UMEM_UNTOLD;
	struct ib_umem_dmabuf *umem;

	umem = ib_umem_dmabuf_get(region->device, request->offset,
				  request->length, request->fd,
				  access_of(request),
				  untold ? &untold_ops : &dynamic_ops);
	if (!IS_ERR(umem))
		lock_region(umem, request);
	return umem;
}

#ifdef PEER_FAULTS

static void heed_or_ignore(struct dma_buf_attachment *attach)
{
	if (peer_fault(pinned_heeds_notice))
		ib_umem_dmabuf_unmap_pages(attach->importer_priv);
}

static const struct dma_buf_attach_ops wrong_ops[2] = {
	{ .allow_peer2peer = false, .peer_notify_op = heed_or_ignore },
	{ .allow_peer2peer = true, .peer_notify_op = heed_or_ignore },
};

/* RDMA core's pinned registration, with other operations. */
static struct ib_umem_dmabuf *get_pinned_by_hand(struct region *region,
						 struct peer_umem_register *request)
{
	struct ib_umem_dmabuf *umem;
	int ret;

	umem = ib_umem_dmabuf_get(region->device, request->offset,
				  request->length, request->fd,
				  access_of(request),
				  &wrong_ops[!peer_fault(no_peer2peer)]);
	if (IS_ERR(umem))
		return umem;
	lock_region(umem, request);
	ret = dma_buf_pin(umem->attach);
	if (ret)
		goto release;
	umem->pinned = 1;
	ret = ib_umem_dmabuf_map_pages(umem);
	if (!ret)
		return umem;
release:
	dma_resv_unlock(umem->attach->dmabuf->resv);
	ib_umem_release(&umem->umem);
	return ERR_PTR(ret);
}

#endif

static struct ib_umem_dmabuf *get_pinned(struct region *region,
					 struct peer_umem_register *request)
{
	struct ib_umem_dmabuf *umem;

#ifdef PEER_FAULTS
	if (peer_fault(no_peer2peer) || peer_fault(pinned_heeds_notice))
		return get_pinned_by_hand(region, request);
#endif
	umem = ib_umem_dmabuf_get_pinned(region->device, request->offset,
					 request->length, request->fd,
					 access_of(request));
	if (!IS_ERR(umem))
		lock_region(umem, request);
	return umem;
}

#ifdef HAVE_UMEM_REVOCABLE

static struct ib_umem_dmabuf *get_revocable(struct region *region,
					    struct peer_umem_register *request)
{
	struct ib_umem_dmabuf *umem;
	struct dma_resv *resv;

	umem = ib_umem_dmabuf_get_pinned_revocable_and_lock(region->device,
							    request->offset,
							    request->length,
							    request->fd,
							    access_of(request));
	if (IS_ERR(umem))
		return umem;
	resv = umem->attach->dmabuf->resv;
	if (peer_fault(handed_over_unlocked))
		dma_resv_unlock(resv);
	request->lock = peer_lock_state(resv);
	if (request->lock != PEER_LOCK_CALLER)
		dma_resv_lock(resv, NULL);
	return umem;
}

/* RUM-11: before anybody can take the reservation. */
static void want_to_be_told(struct region *region)
{
	if (!peer_fault(revoke_not_told))
		ib_umem_dmabuf_set_revoke_locked(region->umem, region_revoked,
						 region);
}

#else

static struct ib_umem_dmabuf *get_revocable(struct region *region,
					    struct peer_umem_register *request)
{
	return ERR_PTR(-EOPNOTSUPP);
}

static void want_to_be_told(struct region *region)
{
}

#endif

static struct ib_umem_dmabuf *get(struct region *region,
				  struct peer_umem_register *request)
{
	switch (region->mode) {
	case PEER_UMEM_PINNED:
		return get_pinned(region, request);
	case PEER_UMEM_REVOCABLE:
		return get_revocable(region, request);
	default:
		return get_dynamic(region, request);
	}
}

/* ---- what the driver does -------------------------------------------- */

/* From here on callbacks find the region. The key comes last. */
static int make_key(struct region *region, const struct peer_umem_register *request)
{
	int ret = 0;

	if (region->mode == PEER_UMEM_DYNAMIC)
		region->umem->private = region;
	if (region->mode != PEER_UMEM_DYNAMIC) {
		region_record(region, PEER_CALL_MAP, 0);
		region->given_up = region->umem->sgt;
		window_spoil(region);
		ret = window_read(region);
	} else if (!(region->flags & PEER_UMEM_UNMAPPED)) {
		ret = window_map(region);
	}
	ret = ret ?: request->error;
	if (region->mode == PEER_UMEM_REVOCABLE &&
	    (!ret || peer_fault(told_after_failure)))
		want_to_be_told(region);
	region->live = !ret;
	return ret;
}

/* For a mutant: what a notice or a revoke has unmapped is unmapped once more. */
static void unmap_again(struct region *region)
{
	struct ib_umem_dmabuf *umem = region->umem;

	if (!umem->sgt && region->given_up)
		dma_buf_unmap_attachment(umem->attach, region->given_up,
					 DMA_BIDIRECTIONAL);
}

/* ib_umem_release() unmaps, unpins, detaches and puts. */
static void release(struct region *region, bool leak_pin)
{
	struct dma_resv *resv = resv_of(region);

	dma_resv_lock(resv, NULL);
	window_spoil(region);
	if (leak_pin)
		region->umem->pinned = 0;
	if (peer_fault(release_unmaps_again))
		unmap_again(region);
	dma_resv_unlock(resv);
	ib_umem_release(&region->umem->umem);
	region->umem = NULL;
}

static int attach_region(struct region *region, struct peer_umem_register *request)
{
	struct ib_umem_dmabuf *umem;
	int ret = key_number(region);

	if (ret)
		return ret;
	ret = device_make(region);
	if (ret)
		goto drop_key;
	umem = get(region, request);
	if (IS_ERR(umem)) {
		ret = PTR_ERR(umem);
		goto drop_device;
	}
	region->umem = umem;
	ret = make_key(region, request);
	dma_resv_unlock(resv_of(region));
	if (!ret)
		return 0;
	key_set(region, PEER_UMEM_KEY_DEAD);
	cancel_delayed_work_sync(&region->remap);
	release(region, peer_fault(pin_leaked_on_failure));
drop_device:
	device_drop(region);
drop_key:
	key_drop(region);
	return ret;
}

static int attach_to_agent(struct region *region, struct peer_umem_register *request)
{
	int ret = peer_agent_enter(region->agent);

	if (ret)
		return ret;
	ret = attach_region(region, request);
	if (!ret)
		peer_agent_join(region->agent, &region->user);
	peer_agent_exit(region->agent);
	return ret;
}

/* The handle is reserved first, as events name it. */
static struct region *start(struct peer_file *file,
			    struct peer_umem_register *request)
{
	struct region *region = new_region(file, request);
	int ret;

	if (IS_ERR(region))
		return region;
	ret = device_find(region, request);
	if (ret)
		goto put_region;
	ret = peer_handle_reserve(file, &region->handle);
	if (ret)
		goto put_region;
	peer_log_open(&region->log, &file->sequence);
	ret = attach_to_agent(region, request);
	record_plain(region, PEER_CALL_ATTACH, ret);
	if (ret)
		goto unreserve;
	request->handle = region->handle;
	return region;
unreserve:
	peer_log_close(&region->log);
	peer_handle_unreserve(file, region->handle);
put_region:
	region_put(region);
	return ERR_PTR(ret);
}

static int check_register(const struct peer_umem_register *request)
{
	const u32 dynamic_flags = PEER_UMEM_UNMAPPED | PEER_UMEM_REMAP |
				  PEER_UMEM_UNTOLD;

	if (request->mode >= PEER_UMEM_MODE_COUNT ||
	    request->device >= PEER_DEVICE_COUNT || request->reserved ||
	    request->flags & ~(PEER_UMEM_READ_ONLY | dynamic_flags))
		return -EINVAL;
	if (request->mode != PEER_UMEM_DYNAMIC && request->flags & dynamic_flags)
		return -EINVAL;
	if (request->error > 0 || request->error < -MAX_ERRNO)
		return -EINVAL;
	if (strnlen(request->name, sizeof(request->name)) == sizeof(request->name))
		return -EINVAL;
	return *request->name && request->device ? -EINVAL : 0;
}

int ioctl_register(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_umem_register *request = argument;
	struct region *region;
	int ret;

	ret = check_register(request);
	if (ret)
		return ret;
	region = start(file, request);
	if (IS_ERR(region))
		return peer_fault(error_masked) ? -EINVAL : PTR_ERR(region);
	if (copy_to_user(user, request, sizeof(*request))) {
		region_end(region);
		peer_log_close(&region->log);
		peer_handle_unreserve(file, region->handle);
		region_put(region);
		return -EFAULT;
	}
	peer_handle_publish(file, region->handle, region);
	return 0;
}

/* For a mutant: one key for all regions. */
static void kill_all_keys(struct region *region)
{
	struct xarray *handles = &region->file->base.handles;
	struct region *other;
	unsigned long handle;

	xa_for_each(handles, handle, other) {
		other = region_get(&region->file->base, handle);
		if (IS_ERR(other))
			continue;
		key_set(other, PEER_UMEM_KEY_DEAD);
		region_put(other);
	}
}

/*
 * For a mutant: the reservation inside of the lock that callbacks take in it.
 * Whoever meets a callback so hangs until a signal comes.
 */
static void lock_inside_out(struct region *region)
{
	struct dma_resv *resv = resv_of(region);

	mutex_lock(&region->access);
	msleep(20);
	if (!dma_resv_lock_interruptible(resv, NULL))
		dma_resv_unlock(resv);
	mutex_unlock(&region->access);
}

/*
 * After this nothing is mapped again. Of a region that can be revoked RDMA core
 * has the key killed, through the callback (RUM-10).
 */
static void stop(struct region *region)
{
	struct dma_resv *resv = resv_of(region);

	if (peer_fault(end_locks_inside_out))
		lock_inside_out(region);
	dma_resv_lock(resv, NULL);
	region->live = false;
	if (region->mode != PEER_UMEM_REVOCABLE)
		key_set(region, PEER_UMEM_KEY_DEAD);
	dma_resv_unlock(resv);
	cancel_delayed_work_sync(&region->remap);
	if (region->mode == PEER_UMEM_REVOCABLE && peer_fault(revoke_told_twice))
		region_revoked(region);
}

void region_end(struct region *region)
{
	down_write(&region->life);
	if (!region->umem)
		goto up_life;
	stop(region);
	if (peer_fault(releases_all_keys))
		kill_all_keys(region);
	release(region, peer_fault(pin_leaked));
	record_plain(region, PEER_CALL_DETACH, 0);
	/* Also where no callback did: the memory is gone. */
	key_set(region, PEER_UMEM_KEY_DEAD);
	key_drop(region);
	device_drop(region);
	peer_agent_leave(region->agent, &region->user);
up_life:
	up_write(&region->life);
}

int ioctl_deregister(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_handle *request = argument;
	struct region *region;
	bool dead;

	if (request->reserved)
		return -EINVAL;
	region = peer_handle_take(file, request->handle);
	if (!region)
		return -ENOENT;
	dead = region->key == PEER_UMEM_KEY_DEAD;
	region_end(region);
	peer_log_close(&region->log);
	region_put(region);
	return dead && peer_fault(end_of_dead_fails) ? -EIO : 0;
}
