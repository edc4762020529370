// SPDX-License-Identifier: GPL-2.0-only
/* The peer exporter: device node, open files, table of ioctls. */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "compat.h"
#include "exporter/exporter.h"

static const struct peer_ioctl ioctls[] = {
	{ PEER_EXPORTER_CREATE, true, ioctl_create },
	{ PEER_EXPORTER_FORGET, false, ioctl_forget },
	{ PEER_EXPORTER_FAIL, false, ioctl_fail },
	{ PEER_EXPORTER_MOVE, false, ioctl_move },
	{ PEER_EXPORTER_REVOKE, false, ioctl_revoke },
	{ PEER_EXPORTER_RESTORE, false, ioctl_restore },
	{ PEER_EXPORTER_NOTIFY, false, ioctl_notify },
	{ PEER_EXPORTER_STORM, false, ioctl_storm },
	{ PEER_EXPORTER_WALK, false, ioctl_walk },
	{ PEER_EXPORTER_FENCE, true, ioctl_fence },
	{ PEER_EXPORTER_SIGNAL, false, ioctl_signal },
	{ PEER_EXPORTER_STORAGE, false, ioctl_storage },
	{ PEER_EXPORTER_STAT, false, ioctl_stat },
	{ PEER_EXPORTER_EVENTS, false, ioctl_events },
	{ PEER_EXPORTER_BAD, false, ioctl_bad },
};

static_assert(sizeof(struct peer_exporter_stat) <= PEER_ARGUMENT_MAX);

static int exporter_open(struct inode *inode, struct file *filp)
{
	struct peer_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return -ENOMEM;
	peer_file_init(file);
	filp->private_data = file;
	return 0;
}

/* The last reference to the file is gone: no ioctl runs on it any more. */
static int exporter_close(struct inode *inode, struct file *filp)
{
	struct peer_file *file = filp->private_data;
	struct peer_buffer *buffer;
	unsigned long handle;

	xa_for_each(&file->handles, handle, buffer)
		buffer_forget(buffer);
	xa_destroy(&file->handles);
	kfree(file);
	return 0;
}

static long exporter_ioctl(struct file *filp, unsigned int command,
			   unsigned long argument)
{
	return peer_ioctl(filp->private_data, ioctls, ARRAY_SIZE(ioctls),
			  command, (void __user *)argument);
}

static const struct file_operations exporter_fops = {
	.owner = THIS_MODULE,
	.open = exporter_open,
	.release = exporter_close,
	.unlocked_ioctl = exporter_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice exporter_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "dmabuf_peer_exporter",
	.fops = &exporter_fops,
	.mode = 0600,
};

static int __init exporter_init(void)
{
	int ret = peer_fence_init();

	if (ret)
		return ret;
	ret = misc_register(&exporter_device);
	if (ret)
		peer_fence_exit();
	return ret;
}

static void __exit exporter_exit(void)
{
	misc_deregister(&exporter_device);
	peer_fence_exit();
}

module_init(exporter_init);
module_exit(exporter_exit);
PEER_IMPORT_NS();
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Instrumented dma-buf exporter, for conformance tests only");
MODULE_VERSION(__stringify(PEER_UAPI_VERSION));
