// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device: one open file at a time has it join an address space, and sees
 * where the IOMMU would lead it.
 */
#include <linux/err.h>
#include <linux/iommu.h>
#include <linux/mutex.h>
#include <linux/pci.h>

#include "space/space.h"
#include "uapi/dmabuf_peer_rdma.h"

static DEFINE_MUTEX(member_lock);	/* all below */
static struct pci_dev *device;
static struct peer_file *member_of;	/* who has it in an address space */
static struct iommufd_device *member;
static struct space_calls calls;	/* while it is in one */

/* The context that a descriptor of /dev/iommu stands for stays while a device is bound to it. */
static struct iommufd_device *bind_device(int fd)
{
	struct iommufd_ctx *context = calls.iommufd_ctx_from_fd(fd);
	struct iommufd_device *bound;
	u32 id;

	if (IS_ERR(context))
		return ERR_CAST(context);
	bound = calls.iommufd_device_bind(context, &device->dev, &id);
	calls.iommufd_ctx_put(context);
	return bound;
}

static int join(struct peer_file *file, int fd, u32 space)
{
	struct iommufd_device *bound;
	int ret = space_calls_get(&calls);

	if (ret)
		return ret;
	bound = bind_device(fd);
	if (IS_ERR(bound)) {
		ret = PTR_ERR(bound);
		goto put_calls;
	}
	ret = calls.iommufd_device_attach(bound, IOMMU_NO_PASID, &space);
	if (ret)
		goto unbind;
	member = bound;
	member_of = file;
	return 0;
unbind:
	calls.iommufd_device_unbind(bound);
put_calls:
	space_calls_put(&calls);
	return ret;
}

static void leave(void)
{
	if (!member)
		return;
	calls.iommufd_device_detach(member, IOMMU_NO_PASID);
	calls.iommufd_device_unbind(member);
	space_calls_put(&calls);
	member = NULL;
	member_of = NULL;
}

int ioctl_join(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_space_join *request = argument;
	int ret;

	if (request->reserved)
		return -EINVAL;
	mutex_lock(&member_lock);
	if (!device)
		ret = -ENODEV;
	else if (member)
		ret = -EBUSY;
	else
		ret = join(file, request->fd, request->space);
	mutex_unlock(&member_lock);
	return ret;
}

int ioctl_leave(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_space_leave *request = argument;
	int ret = 0;

	if (request->reserved)
		return -EINVAL;
	mutex_lock(&member_lock);
	if (member_of == file)
		leave();
	else
		ret = -ENOENT;
	mutex_unlock(&member_lock);
	return ret;
}

int ioctl_look(struct peer_file *file, void *argument, void __user *user)
{
	struct peer_space_look *look = argument;
	struct iommu_domain *domain;
	int ret = -ENOENT;

	mutex_lock(&member_lock);
	if (member_of == file) {
		domain = iommu_get_domain_for_dev(&device->dev);
		look->physical = domain ?
				 iommu_iova_to_phys(domain, look->address) : 0;
		ret = 0;
	}
	mutex_unlock(&member_lock);
	return ret;
}

void device_close(struct peer_file *file)
{
	mutex_lock(&member_lock);
	if (member_of == file)
		leave();
	mutex_unlock(&member_lock);
}

static int probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	int ret = 0;

	if (pci_resource_len(pdev, PEER_RDMA_MEMORY_BAR) >= PEER_RDMA_MEMORY_LEAST)
		return -ENODEV;
	mutex_lock(&member_lock);
	if (device)
		ret = -EBUSY;
	else
		device = pdev;
	mutex_unlock(&member_lock);
	return ret;
}

/* Its user finds that it is in no address space any more. */
static void remove(struct pci_dev *pdev)
{
	mutex_lock(&member_lock);
	leave();
	device = NULL;
	mutex_unlock(&member_lock);
}

static const struct pci_device_id ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_REDHAT, 0x0005) },
	{ }
};

/* Not exported as an alias: this module is loaded by hand alone. */
static struct pci_driver driver = {
	.name = KBUILD_MODNAME,
	.id_table = ids,
	.probe = probe,
	.remove = remove,
	.driver_managed_dma = true,
};

int device_init(void)
{
	return pci_register_driver(&driver);
}

void device_exit(void)
{
	pci_unregister_driver(&driver);
}
