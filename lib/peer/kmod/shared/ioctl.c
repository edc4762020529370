// SPDX-License-Identifier: GPL-2.0-only
#include "shared/ioctl.h"

#include <linux/errno.h>
#include <linux/string.h>
#include <linux/uaccess.h>

void peer_file_init(struct peer_file *file)
{
	atomic_set(&file->sequence, 0);
	xa_init_flags(&file->handles, XA_FLAGS_ALLOC1);
}

/* The caller learns our version also when it does not match. */
static long match_version(struct peer_file *file, void __user *user)
{
	struct peer_version version;
	bool match;

	if (copy_from_user(&version, user, sizeof(version)))
		return -EFAULT;
	match = version.version == PEER_UAPI_VERSION;
	version.version = PEER_UAPI_VERSION;
	version.flags = 0;
#ifdef PEER_FAULTS
	version.flags |= PEER_VERSION_HAS_FAULTS;
#endif
	if (copy_to_user(user, &version, sizeof(version)))
		return -EFAULT;
	if (!match)
		return -EPROTO;
	WRITE_ONCE(file->matched, true);
	return 0;
}

static long run(struct peer_file *file, const struct peer_ioctl *row,
		void __user *user)
{
	u64 argument[PEER_ARGUMENT_MAX / sizeof(u64)] = { };
	size_t size = _IOC_SIZE(row->command);
	int ret;

	if (copy_from_user(argument, user, size))
		return -EFAULT;
	ret = row->handle(file, argument, user);
	if (ret || row->answers || !(_IOC_DIR(row->command) & _IOC_READ))
		return ret;
	return copy_to_user(user, argument, size) ? -EFAULT : 0;
}

long peer_ioctl(struct peer_file *file, const struct peer_ioctl *table,
		size_t rows, unsigned int command, void __user *user)
{
	size_t i;

	if (command == PEER_IOC_VERSION)
		return match_version(file, user);
	if (!READ_ONCE(file->matched))
		return -EPROTO;
	for (i = 0; i < rows; i++)
		if (table[i].command == command)
			return run(file, &table[i], user);
	return -ENOTTY;
}

/* A reserved entry reads as NULL, so nobody can use it by guessing. */
int peer_handle_reserve(struct peer_file *file, u32 *handle)
{
	return xa_alloc(&file->handles, handle, NULL, PEER_HANDLES, GFP_KERNEL);
}

void peer_handle_unreserve(struct peer_file *file, u32 handle)
{
	xa_release(&file->handles, handle);
}

void peer_handle_publish(struct peer_file *file, u32 handle, void *object)
{
	xa_store(&file->handles, handle, object, GFP_KERNEL);
}

void *peer_handle_take(struct peer_file *file, u32 handle)
{
	void *object;

	xa_lock(&file->handles);
	object = xa_load(&file->handles, handle);
	if (object)
		__xa_erase(&file->handles, handle);
	xa_unlock(&file->handles);
	return object;
}
