// SPDX-License-Identifier: GPL-2.0-only
#include "shared/node.h"

#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "compat.h"
#include "shared/fence.h"

static int node_open(struct inode *inode, struct file *filp)
{
	struct peer_file *file = kzalloc(peer_node.file_size, GFP_KERNEL);

	if (!file)
		return -ENOMEM;
	peer_file_init(file);
	filp->private_data = file;
	return 0;
}

/* The last reference to the file is gone. */
static int node_close(struct inode *inode, struct file *filp)
{
	struct peer_file *file = filp->private_data;

	peer_node.close(file);
	xa_destroy(&file->handles);
	kfree(file);
	return 0;
}

static long node_ioctl(struct file *filp, unsigned int command,
		       unsigned long argument)
{
	return peer_ioctl(filp->private_data, peer_node.ioctls, peer_node.rows,
			  command, (void __user *)argument);
}

static const struct file_operations node_fops = {
	.owner = THIS_MODULE,
	.open = node_open,
	.release = node_close,
	.unlocked_ioctl = node_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice node_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = KBUILD_MODNAME,
	.fops = &node_fops,
	.mode = 0600,
};

static int __init node_init(void)
{
	int ret = peer_fence_init();

	if (ret)
		return ret;
	ret = peer_node.init ? peer_node.init() : 0;
	if (ret)
		goto exit_fence;
	ret = misc_register(&node_device);
	if (ret)
		goto exit_node;
	return 0;
exit_node:
	if (peer_node.exit)
		peer_node.exit();
exit_fence:
	peer_fence_exit();
	return ret;
}

static void __exit node_exit(void)
{
	misc_deregister(&node_device);
	if (peer_node.exit)
		peer_node.exit();
	peer_fence_exit();
}

module_init(node_init);
module_exit(node_exit);
PEER_IMPORT_NS();
MODULE_LICENSE("GPL");
MODULE_VERSION(__stringify(PEER_UAPI_VERSION));
