// SPDX-License-Identifier: GPL-2.0-only
/* Lists from sysfs the devices whose drivers may share buffers. */
#include "probe/devices.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pair/drm.h"
#include "pair/kernel.h"

/* Entries of a class that start so, with nothing but a number after it. */
static const struct {
	const char *class;
	const char *prefix;	/* "" takes every entry */
} classes[] = {
	{ "drm", "card" },
	{ "accel", "accel" },
	{ "infiniband", "" },
};

static bool is_device(const char *name, const char *prefix)
{
	if (name[0] == '.' || strncmp(name, prefix, strlen(prefix)))
		return false;
	if (!*prefix)
		return true;
	for (name += strlen(prefix); *name; name++)
		if (!isdigit((unsigned char)*name))
			return false;
	return true;
}

/* The last part of the path that a link of sysfs leads to, or an empty text. */
static void follow(char *name, size_t size, const char *format, const char *path)
{
	char link[PATH_MAX + 16], target[PATH_MAX];

	name[0] = '\0';
	snprintf(link, sizeof(link), format, path);
	if (realpath(link, target))
		snprintf(name, size, "%s", strrchr(target, '/') + 1);
}

static void set_text(json_t *device, const char *key, const char *text)
{
	if (*text)
		json_object_set_new(device, key, json_string(text));
}

static void set_file(json_t *device, const char *key, const char *format,
		     const char *path)
{
	char file[PATH_MAX + 64], text[128];

	snprintf(file, sizeof(file), format, path);
	if (kernel_read_line(file, text, sizeof(text)) > 0)
		set_text(device, key, text);
}

static void set_id(json_t *device, const char *path)
{
	char file[PATH_MAX + 16], vendor[16], id[16], both[40];

	snprintf(file, sizeof(file), "%s/vendor", path);
	if (kernel_read_line(file, vendor, sizeof(vendor)) < 0)
		return;
	snprintf(file, sizeof(file), "%s/device", path);
	if (kernel_read_line(file, id, sizeof(id)) < 0 || strncmp(id, "0x", 2))
		return;
	snprintf(both, sizeof(both), "%s:%s", vendor + 2, id + 2);
	set_text(device, "id", both);
}

static json_t *describe(const char *class, const char *entry)
{
	json_t *device = json_pack("{s:s, s:s}", "class", class, "name", entry);
	char link[PATH_MAX], path[PATH_MAX], text[128];

	snprintf(link, sizeof(link), "/sys/class/%s/%s/device", class, entry);
	if (!realpath(link, path))
		return device;
	/* People know a virtio device by the PCI function it sits on. */
	if (!strncmp(strrchr(path, '/') + 1, "virtio", strlen("virtio")))
		*strrchr(path, '/') = '\0';
	set_text(device, "device", strrchr(path, '/') + 1);
	set_id(device, path);
	follow(text, sizeof(text), "%s/driver", link);
	set_text(device, "driver", text);
	set_file(device, "driver_version", "/sys/module/%s/version", text);
	*strrchr(link, '/') = '\0';
	set_file(device, "firmware", "%s/fw_ver", link);
	return device;
}

static void list_class(json_t *devices, const char *class, const char *prefix)
{
	char path[64];
	struct dirent **entries;
	int count;

	snprintf(path, sizeof(path), "/sys/class/%s", class);
	count = scandir(path, &entries, NULL, versionsort);
	if (count < 0)
		return;
	for (int i = 0; i < count; i++) {
		if (is_device(entries[i]->d_name, prefix))
			json_array_append_new(devices,
					      describe(class, entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
}

/* The bus may name another driver: vgem sits on a faux device. */
static void name_drm_drivers(json_t *devices)
{
	struct drm_node nodes[DRM_NODES_MAX];
	int count = drm_nodes(nodes);
	json_t *device;
	size_t i;

	json_array_foreach(devices, i, device) {
		const char *name = json_string_value(json_object_get(device, "name"));

		for (int n = 0; n < count; n++)
			if (!strcmp(name, strrchr(nodes[n].path, '/') + 1))
				set_text(device, "driver", nodes[n].driver);
	}
}

json_t *devices_record(void)
{
	json_t *devices = json_array();

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		list_class(devices, classes[i].class, classes[i].prefix);
	name_drm_drivers(devices);
	return devices;
}
