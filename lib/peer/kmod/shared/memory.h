/* SPDX-License-Identifier: GPL-2.0-only */
/* Bound on the memory that a peer takes on behalf of user space. */
#ifndef PEER_MEMORY_H
#define PEER_MEMORY_H

#include <linux/types.h>

/**
 * peer_memory_charge - account memory before it is allocated
 * @bytes: how much; rounded up to pages
 *
 * A test that asks for too much must get an error, not the attention of the
 * out-of-memory killer: a peer takes a quarter of the machine at most.
 *
 * Return: 0 or -ENOMEM.
 */
int peer_memory_charge(size_t bytes);
void peer_memory_uncharge(size_t bytes);

#endif
