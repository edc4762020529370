/* SPDX-License-Identifier: GPL-2.0-only */
/* Takes the kernel modules behind a device out of the kernel, and puts them back. */
#ifndef CTS_MODULE_H
#define CTS_MODULE_H

#include <stddef.h>
#include <sys/types.h>

#define MODULE_NAME_SIZE	64
#define MODULES_MAX		16

/* A loaded module, and what is needed to have it again as it was. */
struct module {
	char name[MODULE_NAME_SIZE];
	long uses;			/* when it was looked at */
	char parameters[1024];		/* "NAME=VALUE ...", as they are set */
};

struct module_list {
	struct module modules[MODULES_MAX];
	size_t count;
};

/**
 * modules_of - the modules that drive a PCI function
 * @device: its address, "0000:00:09.0"
 * @list: filled: its driver's module, and those that use it, directly or not;
 *	where a driver is in parts, one of these is the one that a test wants
 *
 * Return: 0, -ENODEV if there is no driver or it is built in, or another
 * negative errno.
 */
int modules_of(const char *device, struct module_list *list);

/**
 * module_kept - which of them has more users than before
 * @list: what modules_of() found then
 *
 * Return: the first such one, as it was; NULL if there is none.
 */
const struct module *module_kept(const struct module_list *list);

/**
 * module_unload - as rmmod does
 *
 * Return: 0; -EAGAIN if it is in use; or another negative errno.
 */
int module_unload(const struct module *module);

/**
 * module_load - load it again, with the parameters that it had
 *
 * It is taken from the folder that DMABUF_CTS_PEER_MODULES names, if it is
 * there, else modprobe finds it.
 *
 * Return: 0; -EEXIST if it is there; or another negative errno.
 */
int module_load(const struct module *module);

/**
 * module_guard - load it when this process dies without doing so
 *
 * Return: as guard_start().
 */
pid_t module_guard(const struct module *module);

#endif
