// SPDX-License-Identifier: GPL-2.0-only
/* Reads release, options and modules of the running kernel from its files. */
#include "pair/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "pair/kernel_config.h"

const char *kernel_release(void)
{
	static struct utsname name;

	if (!name.release[0] && uname(&name))
		return "unknown";
	return name.release;
}

int kernel_read_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");
	int ret = 0;

	if (!file)
		return -errno;
	if (!fgets(line, size, file))
		ret = ferror(file) ? -EIO : -ENODATA;
	fclose(file);
	if (ret)
		return ret;
	line[strcspn(line, "\n")] = '\0';
	return strlen(line);
}

int kernel_write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int error;

	if (fd < 0)
		return -errno;
	error = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return error;
}

/* Read once: the options of a running kernel do not change. */
static const char *config_text(void)
{
	static char *text;
	static bool tried;
	char name[256];

	if (!tried)
		text = kernel_config_read("", kernel_release(), name,
					  sizeof(name));
	tried = true;
	return text;
}

int kernel_config_text(const char *option, char *value, size_t size)
{
	const char *text = config_text();
	char wanted[128];
	const char *found;

	if (!text)
		return -ENOENT;
	snprintf(wanted, sizeof(wanted), "\n%s=", option);
	found = strstr(text, wanted);
	if (!found) {
		snprintf(value, size, "n");
		return 0;
	}
	found += strlen(wanted);
	snprintf(value, size, "%.*s", (int)strcspn(found, "\n"), found);
	return 0;
}

enum config_value kernel_config(const char *option)
{
	char value[64];

	if (kernel_config_text(option, value, sizeof(value)))
		return CONFIG_UNKNOWN;
	if (!strcmp(value, "n"))
		return CONFIG_OFF;
	return strcmp(value, "m") ? CONFIG_ON : CONFIG_MODULE;
}

/* "-" and "_" mean the same in the name of a module. */
static bool same_name(const char *a, const char *b, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (a[i] != b[i] && !(strchr("-_", a[i]) && strchr("-_", b[i])))
			return false;
	return true;
}

/* Whether a list of /lib/modules names the module: "kernel/x/vgem.ko.xz: ..." */
static enum module_state look_up(const char *list, const char *module,
				 enum module_state found)
{
	enum module_state state = MODULE_NOT_INSTALLED;
	size_t length = strlen(module);
	char path[256], line[4096];
	const char *base;
	FILE *file;

	snprintf(path, sizeof(path), "/lib/modules/%s/%s", kernel_release(), list);
	file = fopen(path, "re");
	if (!file)
		return MODULE_UNKNOWN;
	while (state != found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, ":\n")] = '\0';
		base = strrchr(line, '/');
		base = base ? base + 1 : line;
		if (strlen(base) > length && base[length] == '.' &&
		    same_name(base, module, length))
			state = found;
	}
	fclose(file);
	return state;
}

enum module_state kernel_module(const char *module)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s", module);
	for (char *c = path + strlen("/sys/module/"); *c; c++)
		if (*c == '-')
			*c = '_';
	if (!access(path, F_OK))
		return MODULE_LOADED;
	if (look_up("modules.builtin", module, MODULE_BUILT_IN) == MODULE_BUILT_IN)
		return MODULE_BUILT_IN;
	return look_up("modules.dep", module, MODULE_INSTALLED);
}
