// SPDX-License-Identifier: GPL-2.0-only
/* The importer through RDMA core: device node, open files, table of ioctls. */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "compat.h"
#include "shared/fence.h"
#include "umem/umem.h"

static const struct peer_ioctl ioctls[] = {
	{ PEER_UMEM_REGISTER, true, ioctl_register },
	{ PEER_UMEM_DEREGISTER, false, ioctl_deregister },
	{ PEER_UMEM_MAP, false, ioctl_map },
	{ PEER_UMEM_UNMAP, false, ioctl_unmap },
	{ PEER_UMEM_REVOKE, false, ioctl_revoke },
	{ PEER_UMEM_TABLE, false, ioctl_table },
	{ PEER_UMEM_TRANSFER, false, ioctl_transfer },
	{ PEER_UMEM_STAT, false, ioctl_stat },
	{ PEER_UMEM_EVENTS, false, ioctl_events },
	{ PEER_UMEM_INFO, false, ioctl_info },
};

static_assert(sizeof(struct peer_umem_register) <= PEER_ARGUMENT_MAX);
static_assert(sizeof(struct peer_umem_stat) <= PEER_ARGUMENT_MAX);

static int umem_open(struct inode *inode, struct file *filp)
{
	struct umem_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return -ENOMEM;
	peer_file_init(&file->base);
	filp->private_data = file;
	return 0;
}

/* The last reference to the file is gone: no ioctl runs on it any more. */
static int umem_close(struct inode *inode, struct file *filp)
{
	struct umem_file *file = filp->private_data;
	struct region *region;
	unsigned long handle;

	xa_for_each(&file->base.handles, handle, region) {
		xa_erase(&file->base.handles, handle);
		peer_log_close(&region->log);
		region_end(region);
		region_put(region);
	}
	xa_destroy(&file->base.handles);
	kfree(file);
	return 0;
}

static long umem_ioctl(struct file *filp, unsigned int command,
		       unsigned long argument)
{
	struct umem_file *file = filp->private_data;

	return peer_ioctl(&file->base, ioctls, ARRAY_SIZE(ioctls), command,
			  (void __user *)argument);
}

static const struct file_operations umem_fops = {
	.owner = THIS_MODULE,
	.open = umem_open,
	.release = umem_close,
	.unlocked_ioctl = umem_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice umem_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "dmabuf_peer_umem",
	.fops = &umem_fops,
	.mode = 0600,
};

static int __init umem_init(void)
{
	int ret = peer_fence_init();

	if (ret)
		return ret;
	ret = devices_init();
	if (ret)
		goto exit_fence;
	ret = misc_register(&umem_device);
	if (ret)
		goto exit_devices;
	return 0;
exit_devices:
	devices_exit();
exit_fence:
	peer_fence_exit();
	return ret;
}

static void __exit umem_exit(void)
{
	misc_deregister(&umem_device);
	devices_exit();
	peer_fence_exit();
}

module_init(umem_init);
module_exit(umem_exit);
PEER_IMPORT_NS();
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Instrumented dma-buf importer through RDMA core, for conformance tests only");
MODULE_VERSION(__stringify(PEER_UAPI_VERSION));
