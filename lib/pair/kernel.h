/* SPDX-License-Identifier: GPL-2.0-only */
/* What the running kernel says of itself: release, options, modules. */
#ifndef CTS_KERNEL_H
#define CTS_KERNEL_H

#include <stddef.h>

/*
 * Path of the running kernel's configuration, for a guest that has neither
 * /proc/config.gz nor a /boot.
 */
#define KERNEL_CONFIG_VARIABLE	"DMABUF_CTS_KERNEL_CONFIG"

enum config_value {
	CONFIG_UNKNOWN = 0,	/* no configuration found */
	CONFIG_OFF,		/* not set, or not known to this kernel */
	CONFIG_MODULE,
	CONFIG_ON,
};

enum module_state {
	MODULE_UNKNOWN = 0,	/* not loaded; no list of modules found */
	MODULE_NOT_INSTALLED,
	MODULE_INSTALLED,	/* but not loaded */
	MODULE_BUILT_IN,
	MODULE_LOADED,
};

/**
 * kernel_release - "uname -r"
 */
const char *kernel_release(void);

/**
 * kernel_read_line - read the first line of a small file
 * @path: the file
 * @line: room for it; the newline is left out
 * @size: bytes at @line
 *
 * Return: its length, or a negative errno.
 */
int kernel_read_line(const char *path, char *line, size_t size);

/**
 * kernel_write_text - write to a file of the kernel's, in one piece
 * @path: the file, which must be there
 * @text: without its final zero
 *
 * Return: 0 or a negative errno.
 */
int kernel_write_text(const char *path, const char *text);

/**
 * kernel_config - how an option of the running kernel is set
 * @option: "CONFIG_UDMABUF"
 *
 * Looks into the file that DMABUF_CTS_KERNEL_CONFIG names, /proc/config.gz,
 * /boot/config-RELEASE and the module folder's config, in this order.
 */
enum config_value kernel_config(const char *option);

/**
 * kernel_config_text - the value of an option as its file has it
 * @option: "CONFIG_UDMABUF"
 * @value: room for "y", "m", a number or a string; "n" if not set
 * @size: bytes at @value
 *
 * Return: 0, or -ENOENT if no configuration was found.
 */
int kernel_config_text(const char *option, char *value, size_t size);

/**
 * kernel_module - whether a module is loaded, built in or installed
 * @module: its name; "-" and "_" are the same
 */
enum module_state kernel_module(const char *module);

#endif
