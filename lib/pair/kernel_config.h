/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a kernel's configuration is kept. */
#ifndef CTS_KERNEL_CONFIG_H
#define CTS_KERNEL_CONFIG_H

#include <stddef.h>

/**
 * kernel_config_read - read the whole configuration of a kernel
 * @root: prefix of all paths, "" for this machine
 * @release: the kernel's release
 * @name: where to write the path it was read from, without @root
 * @size: bytes at @name
 *
 * Reads the file that DMABUF_CTS_KERNEL_CONFIG names (only for this machine),
 * else the first of /proc/config.gz, /boot/config-RELEASE, and "config" and
 * "build/.config" in the module folder that has anything in it.
 *
 * Return: the text, with a newline before its first line, to be freed; NULL if
 * there is none.
 */
char *kernel_config_read(const char *root, const char *release, char *name,
			 size_t size);

#endif
