/* SPDX-License-Identifier: GPL-2.0-only */
/* Version check and dispatch of the peers' ioctls. */
#ifndef PEER_IOCTL_H
#define PEER_IOCTL_H

#include <linux/atomic.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "uapi/dmabuf_peer.h"

/* No ioctl of the peers takes more than this. */
#define PEER_ARGUMENT_MAX	256

/* Handles that one open file can have. */
#define PEER_HANDLES		XA_LIMIT(1, 65535)

/* State of one open file: handles of buffers or of attachments. */
struct peer_file {
	bool matched;		/* both sides speak the same version */
	atomic_t sequence;	/* of the events in this file's logs */
	struct xarray handles;
};

/**
 * struct peer_ioctl - one row of a module's table
 * @command: the ioctl number; its size field says what to copy
 * @answers: the handler copies its result to user space itself, as it must
 *           undo something if that fails
 * @handle: does the work on a kernel copy of the argument; no lock is held
 */
struct peer_ioctl {
	unsigned int command;
	bool answers;
	int (*handle)(struct peer_file *file, void *argument,
		      void __user *user);
};

void peer_file_init(struct peer_file *file);

/**
 * peer_ioctl - run the handler of a command
 * @file: the open file
 * @table: rows of the module
 * @rows: how many
 * @command: the ioctl number
 * @user: its argument
 *
 * Return: what the handler returned; -EPROTO before the versions matched,
 * -ENOTTY for a command that is not in the table, -EFAULT.
 */
long peer_ioctl(struct peer_file *file, const struct peer_ioctl *table,
		size_t rows, unsigned int command, void __user *user);

/**
 * peer_handle_reserve - reserve a handle that no ioctl can see yet
 *
 * Return: 0, -EBUSY if all are in use, -ENOMEM.
 */
int peer_handle_reserve(struct peer_file *file, u32 *handle);
void peer_handle_unreserve(struct peer_file *file, u32 handle);

/**
 * peer_handle_publish - let ioctls find an object; cannot fail
 */
void peer_handle_publish(struct peer_file *file, u32 handle, void *object);

/**
 * peer_handle_take - remove a handle
 *
 * Return: its object, or NULL if there is none. One caller only gets it.
 */
void *peer_handle_take(struct peer_file *file, u32 handle);

#endif
