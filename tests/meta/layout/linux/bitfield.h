/* SPDX-License-Identifier: GPL-2.0-only */
/* As much of the kernel's as the definitions of its efa driver need, in user space. */
#ifndef CTS_LAYOUT_BITFIELD_H
#define CTS_LAYOUT_BITFIELD_H

#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define __packed	__attribute__((packed))
#define BIT(n)		(1ul << (n))
#define GENMASK(high, low)	((BIT((high) - (low) + 1) - 1) << (low))

#endif
