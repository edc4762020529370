// SPDX-License-Identifier: GPL-2.0-only
/* Reads the IOMMU's units and groups from sysfs. */
#include "probe/iommu.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "pair/kernel.h"

#define GROUPS	"/sys/kernel/iommu_groups"
#define UNITS	"/sys/class/iommu"

static void count_type(json_t *types, const char *group)
{
	char path[320], type[32];
	json_int_t before;

	snprintf(path, sizeof(path), GROUPS "/%s/type", group);
	if (kernel_read_line(path, type, sizeof(type)) < 0)
		snprintf(type, sizeof(type), "unknown");
	before = json_integer_value(json_object_get(types, type));
	json_object_set_new(types, type, json_integer(before + 1));
}

static int count_groups(json_t *types)
{
	DIR *folder = opendir(GROUPS);
	struct dirent *entry;
	int groups = 0;

	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.')
			continue;
		count_type(types, entry->d_name);
		groups++;
	}
	if (folder)
		closedir(folder);
	return groups;
}

static json_t *list_units(void)
{
	json_t *units = json_array();
	DIR *folder = opendir(UNITS);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			json_array_append_new(units, json_string(entry->d_name));
	if (folder)
		closedir(folder);
	return units;
}

static const char *mode(int groups, const json_t *types)
{
	json_int_t identity = json_integer_value(json_object_get(types, "identity"));

	if (!groups)
		return "none";
	return identity == groups ? "passthrough" : "translated";
}

json_t *iommu_record(void)
{
	json_t *types = json_object();
	int groups = count_groups(types);

	return json_pack("{s:s, s:i, s:o, s:o}",
			 "mode", mode(groups, types), "groups", groups,
			 "types", types, "units", list_units());
}
