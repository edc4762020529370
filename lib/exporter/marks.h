/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Marks that a program leaves for who traces it: requests to a dma-buf that no
 * kernel knows, and refuses with ENOTTY. By them cts-monitor knows when a program
 * has the exporter move the storage, and what the exporter answered.
 */
#ifndef CTS_MARKS_H
#define CTS_MARKS_H

#include <linux/ioctl.h>

/* The storage is about to be moved. */
#define MARK_MOVE_BEGINS	_IO(0xdc, 1)
/* It was tried; the argument is 0, or the errno of the refusal. */
#define MARK_MOVE_ENDS		_IO(0xdc, 2)

#endif
