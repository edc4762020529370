/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Devices that attach and do the DMA. The peer importer has them; the modules
 * that build on it attach the same ones.
 */
#ifndef PEER_AGENT_H
#define PEER_AGENT_H

#include <linux/device.h>
#include <linux/iommu.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>

struct edu;

struct dma_agent {
	struct kref ref;
	struct list_head node;
	struct device *device;
	bool pci;
	struct edu *edu;		/* its DMA engine, or NULL */
	struct rw_semaphore admission;	/* read: attaching; write: going away */
	bool gone;
	struct mutex lock;		/* .users */
	struct list_head users;		/* struct agent_user */
};

/* Something attached, which must end before its device goes. */
struct agent_user {
	struct list_head node;		/* in dma_agent.users */
	struct module *owner;		/* has the functions */
	/* Hold it; agent.lock is held. */
	void (*get)(struct agent_user *user);
	/* Detach it, if it still is attached, and let go. */
	void (*end)(struct agent_user *user);
};

/**
 * peer_agent_find - find the device that a test asks for, and hold it
 * @kind: enum peer_device
 *
 * Return: the device, or an error pointer with -ENODEV.
 */
struct dma_agent *peer_agent_find(u32 kind);

/**
 * peer_agent_create - take a device as an agent, without an engine
 * @device: the device; held until the agent goes
 * @pci: whether it is a PCI function
 *
 * Return: the agent, or NULL if there is no memory.
 */
struct dma_agent *peer_agent_create(struct device *device, bool pci);
void peer_agent_put(struct dma_agent *agent);

/**
 * peer_agent_retire - the device goes away: end its users, and admit no more
 * @agent: the agent; its owner puts it afterwards
 */
void peer_agent_retire(struct dma_agent *agent);

/**
 * peer_agent_enter - keep the device from going away while something attaches
 * @agent: the agent
 *
 * Return: 0, then peer_agent_exit() must follow; or -ENODEV.
 */
static inline int peer_agent_enter(struct dma_agent *agent)
{
	down_read(&agent->admission);
	if (!agent->gone)
		return 0;
	up_read(&agent->admission);
	return -ENODEV;
}

static inline void peer_agent_exit(struct dma_agent *agent)
{
	up_read(&agent->admission);
}

/**
 * peer_agent_join - note something as attached; between enter and exit
 */
static inline void peer_agent_join(struct dma_agent *agent,
				   struct agent_user *user)
{
	mutex_lock(&agent->lock);
	list_add_tail(&user->node, &agent->users);
	mutex_unlock(&agent->lock);
}

/**
 * peer_agent_leave - it is detached; again does nothing
 */
static inline void peer_agent_leave(struct dma_agent *agent,
				    struct agent_user *user)
{
	mutex_lock(&agent->lock);
	list_del_init(&user->node);
	mutex_unlock(&agent->lock);
}

/**
 * device_translated - whether an IOMMU translates for a device
 */
static inline bool device_translated(struct device *device)
{
	struct iommu_domain *domain = iommu_get_domain_for_dev(device);

	return domain && (domain->type & __IOMMU_DOMAIN_PAGING);
}

#endif
