// SPDX-License-Identifier: GPL-2.0-only
/* Life of an attachment, and the import that does all steps at once. */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "importer/importer.h"
#include "shared/lock.h"

static const struct dma_buf_attach_ops notify_ops[2] = {
	{ .allow_peer2peer = false, .peer_notify_op = importer_notify },
	{ .allow_peer2peer = true, .peer_notify_op = importer_notify },
};

static const struct dma_buf_attach_ops silent_ops[2] = {
	{ .allow_peer2peer = false },
	{ .allow_peer2peer = true },
};

/* LIFE-02: for a mutant, which shows only where imports end side by side. */
static bool loses_put(void)
{
	static atomic_t ending = ATOMIC_INIT(0);
	bool alone;

	if (!peer_fault(put_lost_in_race))
		return false;
	alone = atomic_inc_return(&ending) == 1;
	msleep(1);
	atomic_dec(&ending);
	return !alone;
}

/* LOCK-02. For a mutant's sake what is put must not go before the lock does. */
static void put_buffer(struct dma_buf *dmabuf)
{
	bool locked = peer_fault(puts_locked) &&
		      !(current->flags & (PF_KTHREAD | PF_EXITING));
	struct dma_resv *resv = dmabuf->resv;

	if (loses_put())
		return;
	if (locked)
		dma_resv_lock(resv, NULL);
	dma_buf_put(dmabuf);
	if (locked)
		dma_resv_unlock(resv);
}

static void free_import(struct kref *ref)
{
	struct import *import = container_of(ref, struct import, ref);

	flush_work(&import->leave);
	/* LIFE-03: the attachment is gone, the buffer goes last. */
	if (!IS_ERR_OR_NULL(import->dmabuf)) {
		/* An ioctl that raced with DETACH may have added one more. */
		peer_fences_drop(&import->fences, import->resv);
		put_buffer(import->dmabuf);
	}
	if (import->device)
		peer_agent_put(import->device);
	peer_log_free(&import->log);
	kfree(import);
}

void import_put(struct import *import)
{
	kref_put(&import->ref, free_import);
}

struct import *import_get(struct peer_file *file, u32 handle)
{
	struct import *import;

	xa_lock(&file->handles);
	import = xa_load(&file->handles, handle);
	if (import)
		kref_get(&import->ref);
	xa_unlock(&file->handles);
	return import ?: ERR_PTR(-ENOENT);
}

int import_lock(struct import *import)
{
	int ret = dma_resv_lock_interruptible(import->resv, NULL);

	if (ret)
		return ret;
	if (import->live)
		return 0;
	dma_resv_unlock(import->resv);
	return -ENODEV;
}

void import_unlock(struct import *import)
{
	dma_resv_unlock(import->resv);
}

static u32 state_flags(struct import *import)
{
	u32 flags = 0;

	if (READ_ONCE(import->maps))
		flags |= PEER_EVENT_MAPPED;
	if (READ_ONCE(import->pins))
		flags |= PEER_EVENT_PINNED;
	if (import->mode != PEER_MODE_STATIC)
		flags |= PEER_EVENT_DYNAMIC;
	if (import->mode == PEER_MODE_NOTIFY)
		flags |= PEER_EVENT_NOTIFIABLE;
	if (import->peer2peer)
		flags |= PEER_EVENT_P2P;
	return flags;
}

void import_record(struct import *import, enum peer_call call, u32 direction,
		   int result)
{
	struct peer_event event = {
		.call = call,
		.attachment = import->handle,
		.lock = peer_lock_state(import->resv),
		.direction = direction,
		.flags = state_flags(import),
		.result = result,
		.pins = READ_ONCE(import->pins),
		.maps = READ_ONCE(import->maps),
	};

	peer_log_add(&import->log, &event);
}

static struct import *of_user(struct agent_user *user)
{
	return container_of(user, struct import, of_device);
}

static void get_user_import(struct agent_user *user)
{
	kref_get(&of_user(user)->ref);
}

/* The handle stays and reports ENODEV. */
static void end_user_import(struct agent_user *user)
{
	struct import *import = of_user(user);
	/* The mutant that makes an orphan does so in import_end(). */
	bool orphaned = import->orphaned;

	import_end(import);
	if (orphaned)
		import_put(import);
	import_put(import);
}

static struct import *new_import(const struct peer_attach *request)
{
	struct import *import = kzalloc(sizeof(*import), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!import)
		return ERR_PTR(-ENOMEM);
	ret = peer_log_init(&import->log);
	if (ret) {
		kfree(import);
		return ERR_PTR(ret);
	}
	kref_init(&import->ref);
	mutex_init(&import->ending);
	mutex_init(&import->state);
	INIT_LIST_HEAD(&import->mappings);
	INIT_LIST_HEAD(&import->of_device.node);
	import->of_device.owner = THIS_MODULE;
	import->of_device.get = get_user_import;
	import->of_device.end = end_user_import;
	INIT_DELAYED_WORK(&import->late, unmap_late);
	INIT_WORK(&import->leave, leave_early);
	peer_fences_init(&import->fences, &import->log);
	import->mode = request->mode;
	import->reaction = request->reaction;
	import->late_ms = request->late_ms;
	return import;
}

static struct dma_agent *choose_device(const struct import *import)
{
	if (peer_fault(wrong_device))
		return peer_agent_find(PEER_DEVICE_PLATFORM);
	kref_get(&import->device->ref);
	return import->device;
}

static struct dma_buf_attachment *attach_mode(struct import *import,
					      struct device *device, bool p2p)
{
	switch (peer_fault(attaches_static) ? PEER_MODE_STATIC : import->mode) {
	case PEER_MODE_STATIC:
		return dma_buf_attach(import->dmabuf, device);
	case PEER_MODE_NOTIFY:
		return dma_buf_dynamic_attach(import->dmabuf, device,
					      &notify_ops[p2p], import);
	default:
		return dma_buf_dynamic_attach(import->dmabuf, device,
					      &silent_ops[p2p], import);
	}
}

/* ATT-06: whatever notify uses is ready before the attachment is listed. */
static int attach_core(struct import *import, bool p2p)
{
	struct dma_agent *device = choose_device(import);
	struct dma_buf_attachment *core;

	import->ready = !peer_fault(attach_before_ready);
	import->live = true;
	core = attach_mode(import, device->device, p2p);
	peer_agent_put(device);
	if (IS_ERR(core)) {
		import->live = false;
		return PTR_ERR(core);
	}
	import->exporter_private = core->priv;
	import->peer2peer = core->peer2peer;
	WRITE_ONCE(import->core, core);
	if (!import->ready)
		msleep(20);
	import->ready = true;
	return 0;
}

static int attach_to_device(struct import *import, bool p2p)
{
	int ret = peer_agent_enter(import->device);

	if (ret)
		return ret;
	ret = attach_core(import, p2p);
	if (!ret)
		peer_agent_join(import->device, &import->of_device);
	peer_agent_exit(import->device);
	return ret;
}

static int hold_parts(struct import *import, const struct peer_attach *request)
{
	struct dma_agent *device = peer_agent_find(request->device);

	if (IS_ERR(device))
		return PTR_ERR(device);
	import->device = device;
	import->dmabuf = dma_buf_get(request->fd);
	if (IS_ERR(import->dmabuf))
		return peer_fault(fd_error_masked) ? -ENODEV :
						     PTR_ERR(import->dmabuf);
	import->resv = import->dmabuf->resv;
	return 0;
}

/* LIFE-06: for a mutant. It has what is left of the attachment: nothing. */
static void unpin_gone(struct import *import)
{
	struct dma_buf_attachment gone = { .dmabuf = import->dmabuf };

	if (!import->dmabuf->ops->unpin)
		return;
	dma_resv_lock(import->resv, NULL);
	import->dmabuf->ops->unpin(&gone);
	dma_resv_unlock(import->resv);
}

/*
 * The handle is reserved first, as events name it. Nobody finds the import
 * before its handle is published.
 */
static struct import *start(struct peer_file *file, struct peer_attach *request)
{
	struct import *import = new_import(request);
	int ret;

	if (IS_ERR(import))
		return import;
	ret = hold_parts(import, request);
	if (ret)
		goto put_import;
	ret = peer_handle_reserve(file, &import->handle);
	if (ret)
		goto put_import;
	peer_log_open(&import->log, &file->sequence);
	ret = attach_to_device(import, request->flags & PEER_ATTACH_P2P);
	import_record(import, PEER_CALL_ATTACH, PEER_NONE, ret);
	if (ret)
		goto unreserve;
	request->handle = import->handle;
	request->peer2peer = import->peer2peer;
	request->exporter_dynamic = dma_buf_is_dynamic(import->dmabuf);
	return import;
unreserve:
	peer_log_close(&import->log);
	peer_handle_unreserve(file, import->handle);
	if (peer_fault(leaks_on_attach_failure))
		get_dma_buf(import->dmabuf);
	if (peer_fault(unpins_after_failed_attach))
		unpin_gone(import);
put_import:
	import_put(import);
	return ERR_PTR(ret);
}

static void abandon(struct peer_file *file, struct import *import)
{
	import_end(import);
	peer_log_close(&import->log);
	peer_handle_unreserve(file, import->handle);
	import_put(import);
}

static int check_attach(const struct peer_attach *request)
{
	if (request->mode >= PEER_MODE_COUNT ||
	    request->device >= PEER_DEVICE_COUNT ||
	    request->flags & ~PEER_ATTACH_P2P || request->reserved)
		return -EINVAL;
	if (request->mode == PEER_MODE_STATIC && request->flags)
		return -EINVAL;
	return check_reaction(request->reaction, request->late_ms);
}

int ioctl_attach(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_attach *request = argument;
	struct import *import;
	int ret;

	ret = check_attach(request);
	if (ret)
		return ret;
	import = start(file, request);
	if (IS_ERR(import))
		return PTR_ERR(import);
	if (copy_to_user(user, request, sizeof(*request))) {
		abandon(file, import);
		return -EFAULT;
	}
	peer_handle_publish(file, import->handle, import);
	return 0;
}

/* After this no map, pin or late unmap can start. */
static void give_back(struct import *import)
{
	dma_resv_lock(import->resv, NULL);
	mutex_lock(&import->state);
	import->live = false;
	mutex_unlock(&import->state);
	while (import->pins && peer_fault(unpins_before_unmap))
		unpin(import);
	if (!peer_fault(detach_while_mapped))
		unmap_all(import, false);
	while (import->pins && !peer_fault(detach_while_pinned))
		unpin(import);
	dma_resv_unlock(import->resv);
}

/* LOCK-05: for a mutant, takes in the wrong order what a callback needs. */
static void lock_inside_out(struct import *import)
{
	mutex_lock(&import->state);
	msleep(1);
	if (!dma_resv_lock_interruptible(import->resv, NULL))
		dma_resv_unlock(import->resv);
	mutex_unlock(&import->state);
}

/* What a mutant left behind would otherwise be a leak of our own memory. */
static void forget_mappings(struct import *import)
{
	struct mapping *mapping, *next;
	LIST_HEAD(forgotten);

	mutex_lock(&import->state);
	list_replace_init(&import->mappings, &forgotten);
	mutex_unlock(&import->state);
	list_for_each_entry_safe(mapping, next, &forgotten, node) {
		mapping_kill(mapping);
		mapping_put(mapping);
	}
}

/* A mutant stays attached, and must stay in memory, until the module goes. */
static void detach_from_nothing(struct import *import)
{
	dma_buf_detach(NULL, import->core);
	import->orphaned = true;
	kref_get(&import->ref);
}

struct file_put {
	struct work_struct work;
	struct file *file;
};

static void put_file(struct work_struct *work)
{
	__fput_sync(container_of(work, struct file_put, work)->file);
}

/* Released before this returns, if it was the last reference. Before 6.6 that is for kernel threads alone. */
static void put_file_now(struct file *file)
{
	struct file_put put = { .file = file };

	INIT_WORK_ONSTACK(&put.work, put_file);
	schedule_work(&put.work);
	flush_work(&put.work);
	destroy_work_on_stack(&put.work);
}

/*
 * LIFE-03: for a mutant. What the core would trip over when it releases a buffer
 * with an attachment, and when it detaches from one that it released, is done here.
 */
static void put_before_detach(struct import *import)
{
	struct dma_buf gone = *import->dmabuf;
	struct dma_buf_attachment *core = import->core;

	dma_resv_lock(import->resv, NULL);
	list_del(&core->node);
	dma_resv_unlock(import->resv);
	put_file_now(import->dmabuf->file);
	import->dmabuf = NULL;
	gone.ops->detach(&gone, core);
	kfree(core);
}

/* LIFE-03: unmap, unpin, detach; put follows with the last reference. */
void import_end(struct import *import)
{
	mutex_lock(&import->ending);
	if (!import->core)
		goto unlock;
	if (peer_fault(teardown_locks_inside_out))
		lock_inside_out(import);
	give_back(import);
	cancel_delayed_work_sync(&import->late);
	peer_fences_drop(&import->fences, import->resv);
	if (peer_fault(detaches_from_nothing) && !import->orphaned) {
		detach_from_nothing(import);
		goto unlock;
	}
	forget_mappings(import);
	if (peer_fault(puts_before_detach))
		put_before_detach(import);
	else
		dma_buf_detach(import->dmabuf, import->core);
	if (peer_fault(unpins_after_detach))
		unpin_gone(import);
	WRITE_ONCE(import->core, NULL);
	import_record(import, PEER_CALL_DETACH, PEER_NONE, 0);
	peer_agent_leave(import->device, &import->of_device);
unlock:
	mutex_unlock(&import->ending);
}

int ioctl_detach(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_handle *request = argument;
	struct import *import;

	if (request->reserved)
		return -EINVAL;
	import = peer_handle_take(file, request->handle);
	if (!import)
		return -ENOENT;
	import_end(import);
	peer_log_close(&import->log);
	import_put(import);
	return 0;
}

static int check_import(const struct peer_import *request)
{
	if (request->pin > 1 || request->reserved || request->map.handle)
		return -EINVAL;
	if (request->pin && request->attach.mode == PEER_MODE_STATIC)
		return -EINVAL;
	if (request->error > 0 || request->error < -MAX_ERRNO)
		return -EINVAL;
	return check_attach(&request->attach) ?: check_map(&request->map);
}

/* A map failed: give the pin back, exactly once (PIN-03, ERR-01). */
static void unpin_failed(struct import *import)
{
	if (peer_fault(pin_leaked_on_map_failure)) {
		import->pins = 0;
		return;
	}
	if (peer_fault(double_unpin_on_map_failure))
		dma_buf_unpin(import->core);
	unpin(import);
}

/* MAP-12: what a mutant unmaps where map gave an error. */
static struct sg_table nobodys_table;

static int pin_and_map(struct import *import, struct peer_import *request)
{
	int ret;

	if (request->pin) {
		ret = pin(import);
		if (ret && peer_fault(unpins_after_failed_pin))
			dma_buf_unpin(import->core);
		if (ret)
			return ret;
	}
	ret = map(import, &request->map);
	if (ret && peer_fault(unmaps_after_failed_map))
		dma_buf_unmap_attachment(import->core, &nobodys_table,
					 request->map.direction);
	if (peer_fault(map_error_ignored))
		ret = 0;
	if (ret)
		goto unpin;
	ret = request->error;
	if (ret)
		goto unmap;
	if (peer_fault(unpins_early) && import->mode == PEER_MODE_SILENT &&
	    import->pins)
		unpin(import);
	return 0;
unmap:
	if (!peer_fault(mapping_leaked_on_failure))
		unmap(import, request->map.map);
unpin:
	if (request->pin)
		unpin_failed(import);
	return ret;
}

static int finish_import(struct import *import, struct peer_import *request)
{
	int ret = import_lock(import);

	if (ret)
		return ret;
	/* MAP-01: as a function does that takes the lock itself. */
	if (peer_fault(maps_unlocked_while_locked) &&
	    !dma_resv_lock_interruptible(import->resv, NULL))
		dma_resv_unlock(import->resv);
	request->map.handle = import->handle;
	ret = pin_and_map(import, request);
	import_unlock(import);
	return ret;
}

int ioctl_import(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_import *request = argument;
	struct import *import;
	int ret;

	ret = check_import(request);
	if (ret)
		return ret;
	import = start(file, &request->attach);
	if (IS_ERR(import))
		return PTR_ERR(import);
	ret = finish_import(import, request);
	if (ret) {
		abandon(file, import);
		return peer_fault(errno_masked) ? -EINVAL : ret;
	}
	if (copy_to_user(user, request, sizeof(*request))) {
		abandon(file, import);
		return -EFAULT;
	}
	peer_handle_publish(file, import->handle, import);
	return 0;
}
