// SPDX-License-Identifier: GPL-2.0-only
/* The peer importer: device node, open files, table of ioctls. */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "compat.h"
#include "importer/importer.h"

static const struct peer_ioctl ioctls[] = {
	{ PEER_IMPORTER_ATTACH, true, ioctl_attach },
	{ PEER_IMPORTER_DETACH, false, ioctl_detach },
	{ PEER_IMPORTER_PIN, false, ioctl_pin },
	{ PEER_IMPORTER_UNPIN, false, ioctl_unpin },
	{ PEER_IMPORTER_MAP, true, ioctl_map },
	{ PEER_IMPORTER_UNMAP, false, ioctl_unmap },
	{ PEER_IMPORTER_TABLE, false, ioctl_table },
	{ PEER_IMPORTER_TRANSFER, false, ioctl_transfer },
	{ PEER_IMPORTER_REACT, false, ioctl_react },
	{ PEER_IMPORTER_FENCE, true, ioctl_fence },
	{ PEER_IMPORTER_SIGNAL, false, ioctl_signal },
	{ PEER_IMPORTER_STAT, false, ioctl_stat },
	{ PEER_IMPORTER_EVENTS, false, ioctl_events },
	{ PEER_IMPORTER_VMAP, false, ioctl_vmap },
	{ PEER_IMPORTER_IMPORT, true, ioctl_import },
};

static_assert(sizeof(struct peer_import) <= PEER_ARGUMENT_MAX);

static int importer_open(struct inode *inode, struct file *filp)
{
	struct peer_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return -ENOMEM;
	peer_file_init(file);
	filp->private_data = file;
	return 0;
}

/* The last reference to the file is gone: no ioctl runs on it any more. */
static int importer_close(struct inode *inode, struct file *filp)
{
	struct peer_file *file = filp->private_data;
	struct import *import;
	unsigned long handle;

	xa_for_each(&file->handles, handle, import) {
		peer_log_close(&import->log);
		if (peer_fault(leaks_on_close)) {
			import->orphaned = true;
			continue;
		}
		import_end(import);
		import_put(import);
	}
	xa_destroy(&file->handles);
	kfree(file);
	return 0;
}

static long importer_ioctl(struct file *filp, unsigned int command,
			   unsigned long argument)
{
	return peer_ioctl(filp->private_data, ioctls, ARRAY_SIZE(ioctls),
			  command, (void __user *)argument);
}

static const struct file_operations importer_fops = {
	.owner = THIS_MODULE,
	.open = importer_open,
	.release = importer_close,
	.unlocked_ioctl = importer_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice importer_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "dmabuf_peer_importer",
	.fops = &importer_fops,
	.mode = 0600,
};

static int __init importer_init(void)
{
	int ret = peer_fence_init();

	if (ret)
		return ret;
	ret = devices_init();
	if (ret)
		goto exit_fence;
	ret = misc_register(&importer_device);
	if (ret)
		goto exit_devices;
	return 0;
exit_devices:
	devices_exit();
exit_fence:
	peer_fence_exit();
	return ret;
}

static void __exit importer_exit(void)
{
	misc_deregister(&importer_device);
	devices_exit();
	peer_fence_exit();
}

module_init(importer_init);
module_exit(importer_exit);
PEER_IMPORT_NS();
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Instrumented dma-buf importer, for conformance tests only");
MODULE_VERSION(__stringify(PEER_UAPI_VERSION));
