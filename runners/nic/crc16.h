/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CTS_NIC_CRC16_H
#define CTS_NIC_CRC16_H

#include <stddef.h>
#include <stdint.h>

/**
 * crc16 - checksum of the admin queues
 *
 * Polynomial 0x8005 reflected, begun with 0xffff and inverted at the end.
 */
uint16_t crc16(const void *bytes, size_t length);

#endif
