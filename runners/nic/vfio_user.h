/* SPDX-License-Identifier: GPL-2.0-only */
/* What a client's messages mean for a function. */
#ifndef CTS_NIC_VFIO_USER_H
#define CTS_NIC_VFIO_USER_H

#include <stdbool.h>

#include "nic/bus.h"
#include "nic/frame.h"

/**
 * vfio_user_handle - do what a message asks for
 * @function: of the client
 * @greeted: whether a version was agreed on; in and out
 * @request: a whole message; descriptors that are kept are taken out of it
 * @reply: the answer, out, with a descriptor that is the function's own
 *
 * Return: true if there is a reply to send; false if none is wanted.
 */
bool vfio_user_handle(struct function *function, bool *greeted,
		      struct frame *request, struct frame *reply);

#endif
