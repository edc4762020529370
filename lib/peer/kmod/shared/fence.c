// SPDX-License-Identifier: GPL-2.0-only
#include "shared/fence.h"

#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "shared/memory.h"

struct timed_fence {
	struct dma_fence base;
	spinlock_t lock;
	struct delayed_work expiry;	/* holds a reference while queued */
	struct peer_log *log;
	u32 usage;
};

/* Of one owner. To drop one takes a walk of the reservation object's list. */
#define FENCE_IDS	XA_LIMIT(1, PEER_FENCES_MAX)

/*
 * Expiries have a queue of their own: works on the other one may wait for a
 * reservation, and whoever holds it for a fence to expire.
 */
static struct workqueue_struct *queue, *expiry_queue;

static struct timed_fence *to_timed(struct dma_fence *base)
{
	return container_of(base, struct timed_fence, base);
}

static const char *driver_name(struct dma_fence *base)
{
	return KBUILD_MODNAME;
}

static const char *timeline_name(struct dma_fence *base)
{
	return "peer";
}

static void free_fence(struct rcu_head *rcu)
{
	struct dma_fence *base = container_of(rcu, struct dma_fence, rcu);

	kfree(to_timed(base));
	peer_memory_uncharge(sizeof(struct timed_fence));
	module_put(THIS_MODULE);
}

/*
 * Whoever waits for a fence may hold it long after it signalled and calls
 * release then, so each fence holds a reference to the module. To drop that
 * reference from the module's own text would let the text go while it still
 * runs. Hence it is dropped from an RCU callback: peer_fence_exit() runs
 * rcu_barrier(), which ends only after that callback has returned, and the
 * core calls release inside an RCU read-side section (before 7.x at least in
 * a context much shorter than a grace period), which has to end before the
 * callback can start.
 */
static void release(struct dma_fence *base)
{
	call_rcu(&base->rcu, free_fence);
}

static const struct dma_fence_ops fence_ops = {
	.get_driver_name = driver_name,
	.get_timeline_name = timeline_name,
	.release = release,
};

/* SIGNAL and expiry may come at once: one of them signals, and records it. */
static void signal_fence(struct timed_fence *fence, int result)
{
	struct peer_event event = {
		.call = PEER_CALL_FENCE_SIGNAL,
		.result = result,
	};
	unsigned long flags;
	bool first;

	spin_lock_irqsave(&fence->lock, flags);
	first = !dma_fence_is_signaled_locked(&fence->base);
	if (first)
		dma_fence_signal_locked(&fence->base);
	spin_unlock_irqrestore(&fence->lock, flags);
	if (first)
		peer_log_add(fence->log, &event);
}

static void expire(struct work_struct *work)
{
	struct timed_fence *fence = container_of(to_delayed_work(work),
						 struct timed_fence, expiry);

	signal_fence(fence, -ETIMEDOUT);
	dma_fence_put(&fence->base);
}

static struct timed_fence *create(void)
{
	struct timed_fence *fence;

	if (peer_memory_charge(sizeof(*fence)))
		return NULL;
	fence = kzalloc(sizeof(*fence), GFP_KERNEL_ACCOUNT);
	if (!fence) {
		peer_memory_uncharge(sizeof(*fence));
		return NULL;
	}
	__module_get(THIS_MODULE);
	spin_lock_init(&fence->lock);
	INIT_DELAYED_WORK(&fence->expiry, expire);
	dma_fence_init(&fence->base, &fence_ops, &fence->lock,
		       dma_fence_context_alloc(1), 1);
	return fence;
}

void peer_run_after(struct delayed_work *work, unsigned int delay_ms)
{
	queue_delayed_work(queue, work, msecs_to_jiffies(delay_ms));
}

struct dma_fence *peer_fence_create(void)
{
	struct timed_fence *fence = create();

	return fence ? &fence->base : NULL;
}

void peer_fences_init(struct peer_fences *fences, struct peer_log *log)
{
	xa_init_flags(&fences->ids, XA_FLAGS_ALLOC1);
	fences->log = log;
}

int peer_fences_check(const struct peer_fence *request)
{
	if (request->usage >= PEER_USAGE_COUNT || !request->timeout_ms ||
	    request->timeout_ms > PEER_TIMEOUT_MS_MAX)
		return -EINVAL;
	return 0;
}

int peer_fences_add(struct peer_fences *fences, struct dma_resv *resv,
		    struct peer_fence *request)
{
	struct timed_fence *fence = create();
	int ret;

	if (!fence)
		return -ENOMEM;
	fence->log = fences->log;
	fence->usage = request->usage;
	ret = dma_resv_reserve_fences(resv, 1);
	if (ret)
		goto signal_fence;
	dma_fence_get(&fence->base);
	queue_delayed_work(expiry_queue, &fence->expiry,
			   msecs_to_jiffies(request->timeout_ms));
	ret = xa_alloc(&fences->ids, &request->fence, fence, FENCE_IDS,
		       GFP_KERNEL);
	if (ret)
		goto stop_expiry;
	dma_resv_add_fence(resv, &fence->base,
			   (enum dma_resv_usage)request->usage);
	return 0;
stop_expiry:
	if (cancel_delayed_work_sync(&fence->expiry))
		dma_fence_put(&fence->base);
signal_fence:
	dma_fence_signal(&fence->base);
	dma_fence_put(&fence->base);
	return ret;
}

int peer_fences_signal(struct peer_fences *fences, u32 id)
{
	struct timed_fence *fence;

	xa_lock(&fences->ids);
	fence = xa_load(&fences->ids, id);
	if (fence)
		dma_fence_get(&fence->base);
	xa_unlock(&fences->ids);
	if (!fence)
		return -ENOENT;
	signal_fence(fence, 0);
	dma_fence_put(&fence->base);
	return 0;
}

void peer_fences_signal_all(struct peer_fences *fences)
{
	struct timed_fence *fence;
	unsigned long id;

	xa_for_each(&fences->ids, id, fence) {
		if (cancel_delayed_work_sync(&fence->expiry))
			dma_fence_put(&fence->base);
		signal_fence(fence, 0);
	}
}

void peer_fences_drop(struct peer_fences *fences, struct dma_resv *resv)
{
	struct dma_fence *stub = dma_fence_get_stub();
	struct timed_fence *fence;
	unsigned long id;

	/* Whoever holds the reservation may wait for one of them. */
	peer_fences_signal_all(fences);
	dma_resv_lock(resv, NULL);
	/* Until here more could come. */
	peer_fences_signal_all(fences);
	xa_for_each(&fences->ids, id, fence) {
		dma_resv_replace_fences(resv, fence->base.context, stub,
					(enum dma_resv_usage)fence->usage);
		xa_erase(&fences->ids, id);
		dma_fence_put(&fence->base);
		cond_resched();
	}
	dma_resv_unlock(resv);
	dma_fence_put(stub);
}

u32 peer_fences_pending(struct peer_fences *fences)
{
	struct timed_fence *fence;
	unsigned long id;
	u32 pending = 0;

	xa_lock(&fences->ids);
	xa_for_each(&fences->ids, id, fence)
		pending += !dma_fence_is_signaled(&fence->base);
	xa_unlock(&fences->ids);
	return pending;
}

int peer_fence_init(void)
{
	queue = alloc_workqueue("dmabuf_peer", WQ_UNBOUND, 0);
	if (!queue)
		return -ENOMEM;
	expiry_queue = alloc_workqueue("dmabuf_peer_expiry", WQ_UNBOUND, 0);
	if (expiry_queue)
		return 0;
	destroy_workqueue(queue);
	return -ENOMEM;
}

void peer_fence_exit(void)
{
	destroy_workqueue(expiry_queue);
	destroy_workqueue(queue);
	rcu_barrier();
}
