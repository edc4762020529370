// SPDX-License-Identifier: GPL-2.0-only
/* Notifies, alone or in a storm, and walks of the attachment list. */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/sched/signal.h>

#include "compat.h"
#include "exporter/exporter.h"

#define NOTIFIES_MAX	1000
#define WALKS_MAX	100000

#ifdef PEER_FAULTS

/* Holds the reservation for somebody else's sake. */
struct bystander {
	struct work_struct work;
	struct dma_resv *resv;
	struct completion locked;
	struct completion done;
};

static void stand_by(struct work_struct *work)
{
	struct bystander *bystander = container_of(work, struct bystander, work);

	dma_resv_lock(bystander->resv, NULL);
	complete(&bystander->locked);
	wait_for_completion(&bystander->done);
	dma_resv_unlock(bystander->resv);
}

static void notify_beside_bystander(struct peer_buffer *buffer)
{
	struct bystander bystander = { .resv = &buffer->resv };

	init_completion(&bystander.locked);
	init_completion(&bystander.done);
	INIT_WORK_ONSTACK(&bystander.work, stand_by);
	schedule_work(&bystander.work);
	wait_for_completion(&bystander.locked);
	peer_notify_all(buffer->dmabuf);
	complete(&bystander.done);
	flush_work(&bystander.work);
	destroy_work_on_stack(&bystander.work);
}

static void notify_first(struct peer_buffer *buffer)
{
	struct dma_buf_attachment *core;

	list_for_each_entry(core, &buffer->dmabuf->attachments, node) {
		if (!peer_notifiable(core))
			continue;
		core->importer_ops->peer_notify_op(core);
		return;
	}
}

static bool notify_wrongly(struct peer_buffer *buffer)
{
	if (peer_fault(notify_first_only)) {
		notify_first(buffer);
		return true;
	}
	if (!peer_fault(notify_unlocked) && !peer_fault(notify_unlocked_contended))
		return false;
	dma_resv_unlock(&buffer->resv);
	if (peer_fault(notify_unlocked_contended))
		notify_beside_bystander(buffer);
	else
		peer_notify_all(buffer->dmabuf);
	dma_resv_lock(&buffer->resv, NULL);
	return true;
}

#else

static bool notify_wrongly(struct peer_buffer *buffer)
{
	return false;
}

#endif

void notify(struct peer_buffer *buffer)
{
	record(buffer, PEER_CALL_NOTIFY, 0);
	if (!notify_wrongly(buffer))
		peer_notify_all(buffer->dmabuf);
}

static int notify_times(struct peer_buffer *buffer, u32 count)
{
	int ret = 0;

	while (count-- && !ret) {
		ret = buffer_lock(buffer);
		if (ret)
			break;
		notify(buffer);
		buffer_unlock(buffer);
		cond_resched();
	}
	return ret;
}

int ioctl_notify(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_notify *request = argument;
	struct peer_buffer *buffer;
	int ret;

	if (!request->count || request->count > NOTIFIES_MAX)
		return -EINVAL;
	buffer = buffer_get(file, request->handle);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	ret = notify_times(buffer, request->count);
	buffer_put(buffer);
	return ret;
}

/* Not recorded one by one: the log would hold nothing else. */
static int storm(void *data)
{
	struct peer_buffer *buffer = data;

	while (!kthread_should_stop()) {
		dma_resv_lock(&buffer->resv, NULL);
		if (buffer->dmabuf)
			peer_notify_all(buffer->dmabuf);
		dma_resv_unlock(&buffer->resv);
		/* A sleep, however short, lets those in that wait for the lock. */
		usleep_range(5, 20);
	}
	return 0;
}

/* This and storm_stop(): .storm_lock is held. */
static int storm_start(struct peer_buffer *buffer)
{
	struct task_struct *task;

	if (buffer->forgotten)
		return -ENOENT;
	if (buffer->flags & PEER_BUFFER_OWN_RESV)
		return -EOPNOTSUPP;
	if (buffer->storm)
		return 0;
	task = kthread_run(storm, buffer, "dmabuf_peer_storm");
	if (IS_ERR(task))
		return PTR_ERR(task);
	buffer->storm = task;
	return 0;
}

/*
 * The handle holds the buffer until storm_forbid() has run, so the thread needs
 * no hold of its own.
 */
static void storm_stop(struct peer_buffer *buffer)
{
	if (buffer->storm)
		kthread_stop(buffer->storm);
	buffer->storm = NULL;
}

/* An ioctl that races with FORGET still holds the buffer, and comes too late. */
void storm_forbid(struct peer_buffer *buffer)
{
	mutex_lock(&buffer->storm_lock);
	buffer->forgotten = true;
	storm_stop(buffer);
	mutex_unlock(&buffer->storm_lock);
}

int ioctl_storm(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_storm *request = argument;
	struct peer_buffer *buffer;
	int ret;

	if (request->on > 1)
		return -EINVAL;
	buffer = buffer_get(file, request->handle);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	ret = mutex_lock_interruptible(&buffer->storm_lock);
	if (ret)
		goto put_buffer;
	if (request->on)
		ret = storm_start(buffer);
	else
		storm_stop(buffer);
	mutex_unlock(&buffer->storm_lock);
put_buffer:
	buffer_put(buffer);
	return ret;
}

/* ATT-05: under the lock the list is whole at any moment. */
static void walk_once(struct peer_buffer *buffer, struct peer_walk *walk)
{
	struct dma_buf_attachment *core;
	u32 seen = 0;

	list_for_each_entry(core, &buffer->dmabuf->attachments, node) {
		seen++;
		if (core->dmabuf != buffer->dmabuf)
			walk->broken++;
	}
	walk->seen_max = max(walk->seen_max, seen);
}

static int walk_times(struct peer_buffer *buffer, struct peer_walk *walk)
{
	u32 round;
	int ret;

	walk->seen_max = 0;
	walk->broken = 0;
	for (round = 0; round < walk->rounds; round++) {
		if (signal_pending(current))
			return -EINTR;
		ret = buffer_lock(buffer);
		if (ret)
			return ret;
		walk_once(buffer, walk);
		buffer_unlock(buffer);
		cond_resched();
	}
	return 0;
}

int ioctl_walk(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_walk *request = argument;
	struct peer_buffer *buffer;
	int ret;

	if (!request->rounds || request->rounds > WALKS_MAX)
		return -EINVAL;
	buffer = buffer_get(file, request->handle);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	ret = walk_times(buffer, request);
	buffer_put(buffer);
	return ret;
}
