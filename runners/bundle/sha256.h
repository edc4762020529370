/* SPDX-License-Identifier: GPL-2.0-only */
/* SHA-256 as FIPS 180-4 has it. */
#ifndef CTS_BUNDLE_SHA256_H
#define CTS_BUNDLE_SHA256_H

#include <stddef.h>

#define SHA256_TEXT_SIZE	65

/**
 * sha256_text - the hash of some bytes, as sha256sum(1) prints it
 * @text: gets 64 hexadecimal digits and a NUL
 */
void sha256_text(const void *data, size_t size, char text[SHA256_TEXT_SIZE]);

#endif
