/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Moving bytes through DMA addresses: by the device's own engine, or page by
 * page through the translation that the device is subject to.
 */
#ifndef PEER_ACCESS_H
#define PEER_ACCESS_H

#include <linux/types.h>

#include "importer/agent.h"
#include "uapi/dmabuf_peer.h"

/* One access, cut so that no part crosses a page. */
struct part {
	dma_addr_t address;
	void *data;
	unsigned int length;
	bool write;
};

/**
 * peer_locate - the DMA address at an offset, and how many bytes follow it
 * @entries: addresses in order
 * @count: how many
 * @offset: bytes from the start of the first
 * @part: .address and .length are filled; it ends with its page
 *
 * Return: 0, or -EINVAL beyond the end.
 */
int peer_locate(const struct peer_table_entry *entries, u32 count, u64 offset,
		struct part *part);

/**
 * peer_access - let a device access memory
 * @agent: the device, which is not going away
 * @engine: enum peer_engine; only a device with an engine has PEER_ENGINE_DEVICE
 * @part: what, and where
 *
 * Return: 0, -EFAULT at an untranslated address, or an error of the engine.
 */
int peer_access(struct dma_agent *agent, u32 engine, const struct part *part);

/* For a mutant: the CPU's way to a page of memory. */
void peer_access_ram(phys_addr_t physical, const struct part *part);

/**
 * peer_check_transfer - validate the argument of a TRANSFER ioctl
 *
 * Return: 0 or -EINVAL.
 */
int peer_check_transfer(const struct peer_transfer *request);

/**
 * typedef peer_step - move one part under the locks that this takes
 * @context: what peer_transfer_bytes() was given
 * @offset: bytes, as in the request
 * @part: .data and .write are set, .length is the most that may move
 *
 * Return: how many bytes moved, or a negative errno.
 */
typedef int (*peer_step)(void *context, u64 offset, struct part *part);

/**
 * peer_transfer_bytes - carry out the argument of a TRANSFER ioctl
 * @request: checked with peer_check_transfer()
 * @step: moves one part; called until all are done
 * @context: for @step
 *
 * Return: 0, -ENOMEM, -EFAULT, -EINTR, or what @step returned.
 */
int peer_transfer_bytes(const struct peer_transfer *request, peer_step step,
			void *context);

#endif
