// SPDX-License-Identifier: GPL-2.0-only
/* Unloads and loads modules, which sysfs tells of. */
#include "oracle/module.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/guard.h"
#include "pair/kernel.h"
#include "peer/peer_open.h"

#define MODULES_FOLDER	"/sys/module"
#define WORDS_MAX	64

/* A module that is built in has no count. */
static long uses_of(const char *name)
{
	char path[160], line[32];
	int ret;

	snprintf(path, sizeof(path), MODULES_FOLDER "/%s/refcnt", name);
	ret = kernel_read_line(path, line, sizeof(line));
	return ret < 0 ? ret : strtol(line, NULL, 10);
}

/* What cannot be read was not set, or is no one's business. */
static void add_parameter(struct module *module, const char *folder,
			  const char *name)
{
	size_t length = strlen(module->parameters);
	char path[PATH_MAX], value[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (kernel_read_line(path, value, sizeof(value)) <= 0 ||
	    strpbrk(value, " \t\"") || !strcmp(value, "(null)"))
		return;
	snprintf(module->parameters + length,
		 sizeof(module->parameters) - length, "%s%s=%s",
		 length ? " " : "", name, value);
}

static void read_parameters(struct module *module)
{
	char folder[160];
	struct dirent *entry;
	DIR *directory;

	snprintf(folder, sizeof(folder), MODULES_FOLDER "/%s/parameters",
		 module->name);
	directory = opendir(folder);
	if (!directory)
		return;
	while ((entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			add_parameter(module, folder, entry->d_name);
	closedir(directory);
}

static int add_module(struct module_list *list, const char *name)
{
	struct module *module = &list->modules[list->count];

	if (list->count == MODULES_MAX || strlen(name) >= sizeof(module->name))
		return -E2BIG;
	memset(module, 0, sizeof(*module));
	strcpy(module->name, name);
	module->uses = uses_of(name);
	if (module->uses < 0)
		return -ENODEV;
	read_parameters(module);
	list->count++;
	return 0;
}

static int add_holders(struct module_list *list, const char *name)
{
	char folder[160];
	struct dirent *entry;
	DIR *directory;
	int ret = 0;

	snprintf(folder, sizeof(folder), MODULES_FOLDER "/%s/holders", name);
	directory = opendir(folder);
	if (!directory)
		return -errno;
	while (!ret && (entry = readdir(directory)))
		if (entry->d_name[0] != '.')
			ret = add_module(list, entry->d_name);
	closedir(directory);
	return ret;
}

int modules_of(const char *device, struct module_list *list)
{
	char link[128], path[PATH_MAX];
	int ret;

	list->count = 0;
	/* The link's folder would be that of all functions. */
	if (!*device)
		return -ENODEV;
	snprintf(link, sizeof(link), "/sys/bus/pci/devices/%s/driver/module",
		 device);
	if (!realpath(link, path))
		return errno == ENOENT ? -ENODEV : -errno;
	ret = add_module(list, strrchr(path, '/') + 1);
	for (size_t i = 0; !ret && i < list->count; i++)
		ret = add_holders(list, list->modules[i].name);
	return ret;
}

const struct module *module_kept(const struct module_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (uses_of(list->modules[i].name) > list->modules[i].uses)
			return &list->modules[i];
	return NULL;
}

int module_unload(const struct module *module)
{
	return syscall(SYS_delete_module, module->name, O_NONBLOCK) ? -errno : 0;
}

static int insert(int fd, const struct module *module)
{
	int ret = syscall(SYS_finit_module, fd, module->parameters, 0) ?
		  -errno : 0;

	close(fd);
	return ret;
}

static int modprobe(const struct module *module)
{
	char *words[WORDS_MAX] = { "modprobe", (char *)module->name }, *rest;
	char parameters[sizeof(module->parameters)];
	pid_t child;
	int count = 2, status;

	strcpy(parameters, module->parameters);
	for (char *word = strtok_r(parameters, " ", &rest);
	     word && count < WORDS_MAX - 1; word = strtok_r(NULL, " ", &rest))
		words[count++] = word;
	status = posix_spawnp(&child, words[0], NULL, NULL, words, environ);
	if (status)
		return -status;
	if (waitpid(child, &status, 0) < 0)
		return -errno;
	return status ? -ENOEXEC : 0;
}

int module_load(const struct module *module)
{
	const char *folder = getenv(PEER_MODULES_VARIABLE);
	char path[PATH_MAX];
	int fd = -1;

	if (folder) {
		snprintf(path, sizeof(path), "%s/%s.ko", folder, module->name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	return fd < 0 ? modprobe(module) : insert(fd, module);
}

static void load_again(const void *argument)
{
	module_load(argument);
}

pid_t module_guard(const struct module *module)
{
	return guard_start(load_again, module);
}
