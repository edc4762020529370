// SPDX-License-Identifier: GPL-2.0-only
/* Taking a buffer away for good, or until it is restored. */
#include <linux/delay.h>
#include <linux/err.h>

#include "exporter/exporter.h"

static void set_revoked(struct peer_buffer *buffer, bool revoked)
{
	mutex_lock(&buffer->state);
	buffer->revoked = revoked;
	if (peer_fault(size_changes_when_revoked) && revoked)
		buffer->dmabuf->size -= PAGE_SIZE;
	mutex_unlock(&buffer->state);
}

/* REV-06: one hold of the reservation for both, so that no map slips between. */
static int announce(struct peer_buffer *buffer)
{
	int ret = buffer_lock(buffer);

	if (ret)
		return ret;
	if (buffer->revoked)
		goto unlock;
	if (peer_fault(revoke_flag_after_notify)) {
		notify(buffer);
		buffer_unlock(buffer);
		msleep(50);
		ret = buffer_lock(buffer);
		if (ret)
			return ret;
		set_revoked(buffer, true);
		goto unlock;
	}
	set_revoked(buffer, true);
	notify(buffer);
	if (!peer_fault(revoke_skips_fences))
		ret = wait_for_fences(buffer, DMA_RESV_USAGE_BOOKKEEP);
unlock:
	buffer_unlock(buffer);
	return ret;
}

/* Mutants wait in vain, and for less long. */
static unsigned int patience_ms(void)
{
	if (peer_fault(revoke_hangs_second) ||
	    peer_fault(revoke_flag_after_notify))
		return 500;
	return PEER_TIMEOUT_MS_MAX;
}

/* REV-05: what was mapped has to be given back before the memory may go. */
static int wait_for_unmap(struct peer_buffer *buffer)
{
	long left;

	if (peer_fault(revoke_skips_unmap))
		return 0;
	left = wait_event_interruptible_timeout(buffer->unmapped,
			!READ_ONCE(buffer->maps) &&
			!(peer_fault(revoke_hangs_second) &&
			  buffer->revoked_before),
			msecs_to_jiffies(patience_ms()));
	buffer->revoked_before = true;
	return left > 0 ? 0 : left ?: -ETIMEDOUT;
}

static struct peer_buffer *get_revocable(struct peer_file *file,
					 const struct peer_handle *request)
{
	struct peer_buffer *buffer;

	if (request->reserved)
		return ERR_PTR(-EINVAL);
	buffer = buffer_get(file, request->handle);
	if (IS_ERR(buffer) || buffer->policy == PEER_POLICY_REVOCABLE)
		return buffer;
	buffer_put(buffer);
	return ERR_PTR(-EOPNOTSUPP);
}

int ioctl_revoke(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_buffer *buffer = get_revocable(file, argument);
	int ret;

	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	ret = announce(buffer);
	if (!ret)
		ret = wait_for_unmap(buffer);
	record(buffer, PEER_CALL_REVOKE, ret);
	buffer_put(buffer);
	return ret;
}

int ioctl_restore(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_buffer *buffer = get_revocable(file, argument);
	int ret;

	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	ret = buffer_lock(buffer);
	if (!ret) {
		set_revoked(buffer, false);
		buffer_unlock(buffer);
	}
	buffer_put(buffer);
	return ret;
}
