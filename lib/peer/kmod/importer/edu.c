// SPDX-License-Identifier: GPL-2.0-only
/*
 * DMA engine of QEMU's edu device (docs/specs/edu in QEMU). It copies between
 * memory and a buffer of its own, one run of some 100 ms at a time. The CPU
 * cannot read that buffer, so bytes take two runs: memory, edu's buffer, a
 * page of ours; or the reverse.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/io.h>
#include <linux/jiffies.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "importer/importer.h"

#define EDU_REGISTERS	0		/* BAR */

#define EDU_ID		0x00
#define EDU_ID_MASK	0x0000ffff
#define EDU_ID_VALUE	0x00ed		/* above it the version */

#define EDU_DMA_SOURCE	0x80
#define EDU_DMA_TARGET	0x88
#define EDU_DMA_COUNT	0x90
#define EDU_DMA_COMMAND	0x98
#define EDU_DMA_START	BIT(0)
#define EDU_DMA_TO_RAM	BIT(1)

#define EDU_BUFFER	0x40000		/* the device's own, in its address space */

#define RUN_TIMEOUT_MS	2000

struct edu {
	struct pci_dev *pdev;
	void __iomem *registers;
	struct mutex lock;		/* one transfer at a time */
	void *page;			/* EDU_BUFFER_SIZE bytes */
	dma_addr_t page_address;
};

#ifdef CONFIG_64BIT

struct edu *edu_create(struct pci_dev *pdev)
{
	struct edu *edu;
	int ret = -ENOMEM;

	edu = kzalloc(sizeof(*edu), GFP_KERNEL);
	if (!edu)
		return ERR_PTR(-ENOMEM);
	edu->pdev = pdev;
	mutex_init(&edu->lock);
	edu->registers = pci_iomap(pdev, EDU_REGISTERS, 0);
	if (!edu->registers)
		goto free_edu;
	/* Whatever else was bound here through new_id has no engine we know. */
	ret = 0;
	if (pdev->vendor != 0x1234 ||
	    (readl(edu->registers + EDU_ID) & EDU_ID_MASK) != EDU_ID_VALUE)
		goto unmap_registers;
	ret = -ENOMEM;
	edu->page = dma_alloc_coherent(&pdev->dev, EDU_BUFFER_SIZE,
				       &edu->page_address, GFP_KERNEL);
	if (!edu->page)
		goto unmap_registers;
	return edu;
unmap_registers:
	pci_iounmap(pdev, edu->registers);
free_edu:
	kfree(edu);
	return ret ? ERR_PTR(ret) : NULL;
}

void edu_destroy(struct edu *edu)
{
	if (!edu)
		return;
	dma_free_coherent(&edu->pdev->dev, EDU_BUFFER_SIZE, edu->page,
			  edu->page_address);
	pci_iounmap(edu->pdev, edu->registers);
	kfree(edu);
}

/* A run cannot be called off, so there is no way out before it ends. */
static int wait_for_run(struct edu *edu)
{
	unsigned long deadline = jiffies + msecs_to_jiffies(RUN_TIMEOUT_MS);

	while (readq(edu->registers + EDU_DMA_COMMAND) & EDU_DMA_START) {
		if (time_after(jiffies, deadline))
			return -ETIMEDOUT;
		usleep_range(500, 1000);
	}
	return 0;
}

static int run(struct edu *edu, u64 source, u64 target, unsigned int length,
	       u64 direction)
{
	writeq(source, edu->registers + EDU_DMA_SOURCE);
	writeq(target, edu->registers + EDU_DMA_TARGET);
	writeq(length, edu->registers + EDU_DMA_COUNT);
	writeq(EDU_DMA_START | direction, edu->registers + EDU_DMA_COMMAND);
	return wait_for_run(edu);
}

static int copy_through(struct edu *edu, dma_addr_t from, dma_addr_t to,
			unsigned int length)
{
	int ret = run(edu, from, EDU_BUFFER, length, 0);

	if (ret)
		return ret;
	return run(edu, EDU_BUFFER, to, length, EDU_DMA_TO_RAM);
}

int edu_transfer(struct edu *edu, dma_addr_t address, void *data,
		 unsigned int length, bool write)
{
	int ret = mutex_lock_interruptible(&edu->lock);

	if (ret)
		return ret;
	/* A run that timed out may still be under way. */
	ret = wait_for_run(edu);
	if (ret)
		goto unlock;
	if (write) {
		memcpy(edu->page, data, length);
		ret = copy_through(edu, edu->page_address, address, length);
	} else {
		ret = copy_through(edu, address, edu->page_address, length);
		if (!ret)
			memcpy(data, edu->page, length);
	}
unlock:
	mutex_unlock(&edu->lock);
	return ret;
}

#else

/* The engine wants its registers written 64 bits at a time. */
struct edu *edu_create(struct pci_dev *pdev)
{
	return NULL;
}

void edu_destroy(struct edu *edu)
{
}

int edu_transfer(struct edu *edu, dma_addr_t address, void *data,
		 unsigned int length, bool write)
{
	return -EOPNOTSUPP;
}

#endif
