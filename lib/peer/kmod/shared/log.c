// SPDX-License-Identifier: GPL-2.0-only
#include "shared/log.h"

#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "shared/memory.h"

#define LOG_BYTES	(PEER_EVENTS_MAX * sizeof(struct peer_event))

int peer_log_init(struct peer_log *log)
{
	int ret = peer_memory_charge(LOG_BYTES);

	if (ret)
		return ret;
	log->events = kvmalloc_array(PEER_EVENTS_MAX, sizeof(*log->events),
				     GFP_KERNEL_ACCOUNT);
	if (!log->events) {
		peer_memory_uncharge(LOG_BYTES);
		return -ENOMEM;
	}
	mutex_init(&log->reader);
	spin_lock_init(&log->lock);
	return 0;
}

void peer_log_open(struct peer_log *log, atomic_t *sequence)
{
	unsigned long flags;

	spin_lock_irqsave(&log->lock, flags);
	log->sequence = sequence;
	spin_unlock_irqrestore(&log->lock, flags);
}

void peer_log_close(struct peer_log *log)
{
	peer_log_open(log, NULL);
}

void peer_log_free(struct peer_log *log)
{
	kvfree(log->events);
	peer_memory_uncharge(LOG_BYTES);
}

static void store(struct peer_log *log, struct peer_event *event)
{
	event->time_ns = ktime_get_ns();
	event->sequence = atomic_inc_return(log->sequence);
	event->task = task_pid_nr(current);
	if (log->count == PEER_EVENTS_MAX) {
		log->lost++;
		return;
	}
	log->events[(log->first + log->count) % PEER_EVENTS_MAX] = *event;
	log->count++;
}

void peer_log_add(struct peer_log *log, struct peer_event *event)
{
	unsigned long flags;

	spin_lock_irqsave(&log->lock, flags);
	log->calls[event->call]++;
	if (event->result)
		log->failures[event->call]++;
	if (log->sequence)
		store(log, event);
	spin_unlock_irqrestore(&log->lock, flags);
}

static u32 peek(struct peer_log *log, struct peer_event *copy, u32 capacity)
{
	unsigned long flags;
	u32 count, i;

	spin_lock_irqsave(&log->lock, flags);
	count = min(capacity, log->count);
	for (i = 0; i < count; i++)
		copy[i] = log->events[(log->first + i) % PEER_EVENTS_MAX];
	spin_unlock_irqrestore(&log->lock, flags);
	return count;
}

static u32 drop(struct peer_log *log, u32 count)
{
	unsigned long flags;
	u32 lost;

	spin_lock_irqsave(&log->lock, flags);
	log->first = (log->first + count) % PEER_EVENTS_MAX;
	log->count -= count;
	lost = log->lost;
	log->lost = 0;
	spin_unlock_irqrestore(&log->lock, flags);
	return lost;
}

int peer_log_read(struct peer_log *log, struct peer_events *request)
{
	void __user *user = u64_to_user_ptr(request->entries);
	struct peer_event *copy;
	u32 count;
	int ret;

	if (request->capacity > PEER_EVENTS_MAX || request->reserved)
		return -EINVAL;
	copy = kvmalloc_array(request->capacity, sizeof(*copy), GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	ret = mutex_lock_interruptible(&log->reader);
	if (ret)
		goto free_copy;
	count = peek(log, copy, request->capacity);
	if (copy_to_user(user, copy, count * sizeof(*copy))) {
		ret = -EFAULT;
		goto unlock_reader;
	}
	request->lost = drop(log, count);
	request->count = count;
unlock_reader:
	mutex_unlock(&log->reader);
free_copy:
	kvfree(copy);
	return ret;
}
