// SPDX-License-Identifier: GPL-2.0-only
/*
 * The devices that attach: PCI functions bound to this driver, which have a
 * place in the machine's topology and may sit behind an IOMMU, and two
 * platform devices for machines without.
 */
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

#include "importer/importer.h"

#define QEMU_VENDOR	0x1234
#define QEMU_EDU	0x11e8

static LIST_HEAD(pci_devices);		/* under devices_lock */
static DEFINE_MUTEX(devices_lock);

static struct dma_agent *wide_device, *narrow_device;

struct dma_agent *peer_agent_create(struct device *device, bool pci)
{
	struct dma_agent *agent = kzalloc(sizeof(*agent), GFP_KERNEL);

	if (!agent)
		return NULL;
	kref_init(&agent->ref);
	agent->device = get_device(device);
	agent->pci = pci;
	init_rwsem(&agent->admission);
	mutex_init(&agent->lock);
	INIT_LIST_HEAD(&agent->users);
	INIT_LIST_HEAD(&agent->node);
	return agent;
}
EXPORT_SYMBOL_GPL(peer_agent_create);

static void agent_free(struct kref *ref)
{
	struct dma_agent *agent = container_of(ref, struct dma_agent, ref);

	put_device(agent->device);
	kfree(agent);
}

void peer_agent_put(struct dma_agent *agent)
{
	kref_put(&agent->ref, agent_free);
}
EXPORT_SYMBOL_GPL(peer_agent_put);

static struct dma_agent *nth_pci(unsigned int n)
{
	struct dma_agent *agent;

	list_for_each_entry(agent, &pci_devices, node)
		if (!n--)
			return agent;
	return NULL;
}

static struct dma_agent *best_device(void)
{
	struct dma_agent *agent;

	list_for_each_entry(agent, &pci_devices, node)
		if (agent->edu)
			return agent;
	return nth_pci(0) ?: wide_device;
}

static struct dma_agent *device_of_kind(u32 kind)
{
	switch (kind) {
	case PEER_DEVICE_PCI:
		return nth_pci(0);
	case PEER_DEVICE_SECOND:
		return nth_pci(1);
	case PEER_DEVICE_PLATFORM:
		return wide_device;
	case PEER_DEVICE_NARROW:
		return narrow_device;
	default:
		return best_device();
	}
}

struct dma_agent *peer_agent_find(u32 kind)
{
	struct dma_agent *agent;

	mutex_lock(&devices_lock);
	agent = device_of_kind(kind);
	if (agent)
		kref_get(&agent->ref);
	mutex_unlock(&devices_lock);
	return agent ?: ERR_PTR(-ENODEV);
}
EXPORT_SYMBOL_GPL(peer_agent_find);

/*
 * With its module: the file that keeps it loaded may be closed while we end its
 * user. It is open now, as whoever closes it takes the user from the list first.
 */
static struct agent_user *first_user(struct dma_agent *agent)
{
	struct agent_user *user;

	mutex_lock(&agent->lock);
	user = list_first_entry_or_null(&agent->users, struct agent_user, node);
	if (user) {
		__module_get(user->owner);
		user->get(user);
	}
	mutex_unlock(&agent->lock);
	return user;
}

static void end_user(struct agent_user *user)
{
	struct module *owner = user->owner;

	user->end(user);
	module_put(owner);
}

/*
 * The device goes away under its users: nobody new comes in, and what is
 * attached is torn down here. The handles stay and report ENODEV.
 */
void peer_agent_retire(struct dma_agent *agent)
{
	struct agent_user *user;

	mutex_lock(&devices_lock);
	list_del_init(&agent->node);
	mutex_unlock(&devices_lock);
	down_write(&agent->admission);
	agent->gone = true;
	up_write(&agent->admission);
	while ((user = first_user(agent)))
		end_user(user);
}
EXPORT_SYMBOL_GPL(peer_agent_retire);

static int enable(struct pci_dev *pdev)
{
	int ret = pci_enable_device(pdev);

	if (ret)
		return ret;
	ret = pci_request_regions(pdev, KBUILD_MODNAME);
	if (ret)
		goto disable_device;
	ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (ret)
		goto release_regions;
	dma_set_max_seg_size(&pdev->dev, UINT_MAX);
	pci_set_master(pdev);
	return 0;
release_regions:
	pci_release_regions(pdev);
disable_device:
	pci_disable_device(pdev);
	return ret;
}

static void disable(struct pci_dev *pdev)
{
	pci_clear_master(pdev);
	pci_release_regions(pdev);
	pci_disable_device(pdev);
}

static int probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct dma_agent *agent;
	int ret;

	ret = enable(pdev);
	if (ret)
		return ret;
	agent = peer_agent_create(&pdev->dev, true);
	if (!agent) {
		ret = -ENOMEM;
		goto disable;
	}
	agent->edu = edu_create(pdev);
	if (IS_ERR(agent->edu)) {
		ret = PTR_ERR(agent->edu);
		goto put_agent;
	}
	pci_set_drvdata(pdev, agent);
	mutex_lock(&devices_lock);
	list_add_tail(&agent->node, &pci_devices);
	mutex_unlock(&devices_lock);
	return 0;
put_agent:
	peer_agent_put(agent);
disable:
	disable(pdev);
	return ret;
}

static void remove(struct pci_dev *pdev)
{
	struct dma_agent *agent = pci_get_drvdata(pdev);

	peer_agent_retire(agent);
	/* A run that timed out may still be under way to the engine's page. */
	pci_clear_master(pdev);
	edu_destroy(agent->edu);
	agent->edu = NULL;
	disable(pdev);
	peer_agent_put(agent);
}

static const struct pci_device_id pci_ids[] = {
	{ PCI_DEVICE(QEMU_VENDOR, QEMU_EDU) },
	{ }
};

/* No MODULE_DEVICE_TABLE: the module is loaded for tests only, by hand. */
static struct pci_driver pci_driver = {
	.name = "dmabuf_peer_importer",
	.id_table = pci_ids,
	.probe = probe,
	.remove = remove,
};

static struct dma_agent *platform_create(const char *name, u64 mask)
{
	struct platform_device *pdev;
	struct dma_agent *agent;
	int ret;

	pdev = platform_device_register_simple(name, PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(pdev))
		return ERR_CAST(pdev);
	ret = dma_coerce_mask_and_coherent(&pdev->dev, mask);
	if (ret)
		goto unregister;
	dma_set_max_seg_size(&pdev->dev, UINT_MAX);
	agent = peer_agent_create(&pdev->dev, false);
	if (agent)
		return agent;
	ret = -ENOMEM;
unregister:
	platform_device_unregister(pdev);
	return ERR_PTR(ret);
}

static void platform_destroy(struct dma_agent *agent)
{
	peer_agent_retire(agent);
	platform_device_unregister(to_platform_device(agent->device));
	peer_agent_put(agent);
}

int devices_init(void)
{
	int ret;

	wide_device = platform_create("dmabuf_peer", DMA_BIT_MASK(64));
	if (IS_ERR(wide_device))
		return PTR_ERR(wide_device);
	narrow_device = platform_create("dmabuf_peer_narrow", DMA_BIT_MASK(24));
	if (IS_ERR(narrow_device)) {
		ret = PTR_ERR(narrow_device);
		goto destroy_wide;
	}
	ret = pci_register_driver(&pci_driver);
	if (ret)
		goto destroy_narrow;
	return 0;
destroy_narrow:
	platform_destroy(narrow_device);
destroy_wide:
	platform_destroy(wide_device);
	return ret;
}

void devices_exit(void)
{
	pci_unregister_driver(&pci_driver);
	platform_destroy(narrow_device);
	platform_destroy(wide_device);
}
