// SPDX-License-Identifier: GPL-2.0-only
/* The short ioctls on a buffer: arm failures, fences, counters, events. */
#include <linux/err.h>
#include <linux/moduleparam.h>
#include <linux/uaccess.h>

#include "exporter/exporter.h"

/* Off where somebody is to judge who has nothing but what can be traced. */
static bool counters = true;
module_param(counters, bool, 0600);
MODULE_PARM_DESC(counters, "whether counts and events can be read");

static int check_fail(const struct peer_fail *request)
{
	if (!request->what || request->what >= PEER_FAIL_COUNT ||
	    request->reserved)
		return -EINVAL;
	/* NULL is no error, and without calls to fail none is needed. */
	if (request->what == PEER_FAIL_MAP_NULL || !request->count)
		return 0;
	if (request->error >= 0 || request->error < -MAX_ERRNO)
		return -EINVAL;
	return 0;
}

int ioctl_fail(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_fail *request = argument;
	struct peer_buffer *buffer;
	int ret;

	ret = check_fail(request);
	if (ret)
		return ret;
	buffer = buffer_get(file, request->handle);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	mutex_lock(&buffer->state);
	buffer->failures[request->what] = (struct failure) {
		.after = request->after,
		.count = request->count,
		.error = request->what == PEER_FAIL_MAP_NULL ? -ENOMEM :
			 request->error,
	};
	mutex_unlock(&buffer->state);
	buffer_put(buffer);
	return 0;
}

int ioctl_fence(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_fence *request = argument;
	struct peer_buffer *buffer;
	int ret;

	ret = peer_fences_check(request);
	if (ret)
		return ret;
	if (peer_fault(fence_as_bookkeep))
		request->usage = PEER_USAGE_BOOKKEEP;
	buffer = buffer_get(file, request->handle);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	ret = buffer_lock(buffer);
	if (ret)
		goto put_buffer;
	ret = peer_fences_add(&buffer->fences, &buffer->resv, request);
	buffer_unlock(buffer);
	if (!ret && copy_to_user(user, request, sizeof(*request))) {
		peer_fences_signal(&buffer->fences, request->fence);
		ret = -EFAULT;
	}
put_buffer:
	buffer_put(buffer);
	return ret;
}

int ioctl_signal(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_fence *request = argument;
	struct peer_buffer *buffer = buffer_get(file, request->handle);
	int ret;

	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	ret = peer_fences_signal(&buffer->fences, request->fence);
	buffer_put(buffer);
	return ret;
}

static void fill_state(struct peer_buffer *buffer,
		       struct peer_exporter_stat *stat)
{
	mutex_lock(&buffer->state);
	stat->attachments = buffer->attachment_count;
	stat->pins = buffer->pins;
	stat->maps = buffer->maps;
	stat->released = buffer->released;
	mutex_unlock(&buffer->state);
}

static void fill_counters(struct peer_buffer *buffer,
			  struct peer_exporter_stat *stat)
{
	unsigned long flags;

	spin_lock_irqsave(&buffer->log.lock, flags);
	memcpy(stat->calls, buffer->log.calls, sizeof(stat->calls));
	memcpy(stat->failures, buffer->log.failures, sizeof(stat->failures));
	spin_unlock_irqrestore(&buffer->log.lock, flags);
	stat->context_wrong = atomic_read(&buffer->context_wrong);
	stat->order_wrong = atomic_read(&buffer->order_wrong);
	stat->tables_changed = atomic_read(&buffer->tables_changed);
	stat->fences_pending = peer_fences_pending(&buffer->fences);
}

int ioctl_stat(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_exporter_stat *stat = argument;
	struct peer_buffer *buffer;

	if (memchr_inv(stat->reserved, 0, sizeof(stat->reserved)))
		return -EINVAL;
	buffer = buffer_get(file, stat->handle);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	/* Who writes the content has to know where it is. */
	stat->placement = READ_ONCE(buffer->placement);
	if (READ_ONCE(counters)) {
		fill_state(buffer, stat);
		fill_counters(buffer, stat);
	}
	buffer_put(buffer);
	return 0;
}

int ioctl_events(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_events *request = argument;
	struct peer_buffer *buffer = buffer_get(file, request->handle);
	int ret;

	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	ret = READ_ONCE(counters) ? peer_log_read(&buffer->log, request) :
				    -ENODATA;
	buffer_put(buffer);
	return ret;
}
