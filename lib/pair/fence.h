/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fences that user space makes, signals, and takes to any dma-buf as a
 * sync_file. The peer exporter makes them, or vgem where there is no peer.
 */
#ifndef CTS_FENCE_H
#define CTS_FENCE_H

#include <stdint.h>

#include "exporter/exporter.h"

/* A fence that nobody signals does so by itself after about this time. */
#define FENCE_TIMEOUT_MS	5000

/* One fence with a buffer of its own to hang on; must stay where it is. */
struct fence {
	struct exporter maker;
	struct buffer buffer;
	uint32_t id;		/* as its maker calls it */
	int sync_file;
};

/**
 * fence_create - make an unsignalled fence
 * @fence: filled; give it back with fence_destroy()
 *
 * Return: 0, -ENODEV if nothing here makes fences, -ENOTTY if the kernel has
 * no sync_file, or another negative errno.
 */
int fence_create(struct fence *fence);

/**
 * fence_signal - signal it; again does nothing
 */
int fence_signal(struct fence *fence);

/**
 * fence_destroy - signal it and close what it holds
 */
void fence_destroy(struct fence *fence);

/**
 * fence_add - add a fence to a dma-buf
 * @fence: the fence
 * @fd: the dma-buf
 * @flags: DMA_BUF_SYNC_READ: as a reader's, DMA_BUF_SYNC_WRITE: as a writer's
 *
 * Return: 0 or a negative errno.
 */
int fence_add(struct fence *fence, int fd, uint32_t flags);

/**
 * sync_file_export - DMA_BUF_IOCTL_EXPORT_SYNC_FILE
 * @fd: the dma-buf
 * @flags: DMA_BUF_SYNC_READ: what a reader waits for, _WRITE: what a writer does
 *
 * Return: the sync_file, or a negative errno.
 */
int sync_file_export(int fd, uint32_t flags);

/**
 * sync_file_import - DMA_BUF_IOCTL_IMPORT_SYNC_FILE
 * @fd: the dma-buf
 * @flags: as in fence_add()
 * @sync_file: the sync_file
 *
 * Return: 0 or a negative errno.
 */
int sync_file_import(int fd, uint32_t flags, int sync_file);

/**
 * sync_file_merge - one sync_file that stands for the fences of two
 *
 * Return: the new sync_file, or a negative errno.
 */
int sync_file_merge(int a, int b);

/**
 * sync_file_status - whether its fences have signalled
 *
 * Return: 1 if all have, 0 if not, -EINVAL or -ENOTTY if @sync_file is none.
 */
int sync_file_status(int sync_file);

/*
 * For tests: the case ends where there is no fence to be had. @fence is a
 * struct fence *.
 */
#define must_create_fence(fence) \
	do { \
		int made_ = fence_create(fence); \
\
		if (made_ == -ENODEV) \
			skip_case("nothing here makes fences: needs the peer exporter or vgem"); \
		if (made_ == -ENOTTY) \
			skip_case("the kernel has no sync_file to carry fences"); \
		must(made_); \
	} while (0)

#endif
