/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CTS_ERRNO_TEXT_H
#define CTS_ERRNO_TEXT_H

/**
 * errno_text - a result for people
 * @result: 0, a positive result, or a negative errno
 *
 * Return: "0" or "EBUSY (Device or resource busy)"; overwritten by the next
 * call.
 */
const char *errno_text(long result);

#endif
