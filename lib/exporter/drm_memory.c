// SPDX-License-Identifier: GPL-2.0-only
/* Reads in which memory a DRM driver has what an open file holds. */
#include "exporter/drm_memory.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static struct drm_region *find(const struct drm_memory *memory,
			       const char *name)
{
	for (int i = 0; i < memory->count; i++)
		if (!strcmp(memory->regions[i].name, name))
			return (struct drm_region *)&memory->regions[i];
	return NULL;
}

/* A number that a unit may follow; no such unit is 0. */
static uint64_t unit_of(const char *unit)
{
	static const struct {
		const char *name;
		uint64_t bytes;
	} units[] = {
		{ "", 1 }, { "KiB", 1 << 10 }, { "MiB", 1 << 20 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].name, unit))
			return units[i].bytes;
	return 0;
}

static bool is_number_of_region(const char *line, struct drm_region *region)
{
	/* The second is what amdgpu called the first before that had a name. */
	static const char *const formats[] = {
		"drm-resident-%23[^: \t]: %" SCNu64 " %7s",
		"drm-memory-%23[^: \t]: %" SCNu64 " %7s",
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		char unit[8] = "";

		if (sscanf(line, formats[i], region->name, &region->resident,
			   unit) < 2)
			continue;
		region->resident *= unit_of(unit);
		return unit_of(unit);
	}
	return false;
}

void drm_memory_parse(FILE *file, struct drm_memory *memory)
{
	struct drm_region region;
	char line[256];

	memory->count = 0;
	while (fgets(line, sizeof(line), file))
		if (memory->count < DRM_REGIONS_MAX &&
		    is_number_of_region(line, &region) &&
		    !find(memory, region.name))
			memory->regions[memory->count++] = region;
}

int drm_memory_read(int card, struct drm_memory *memory)
{
	char path[40];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", card);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	drm_memory_parse(file, memory);
	fclose(file);
	return 0;
}

const char *drm_memory_grown(const struct drm_memory *before,
			     const struct drm_memory *after, uint64_t size)
{
	const char *grown = NULL;

	for (int i = 0; i < after->count; i++) {
		const struct drm_region *region = &after->regions[i];
		const struct drm_region *old = find(before, region->name);

		if (region->resident < (old ? old->resident : 0) + size)
			continue;
		if (grown)
			return NULL;
		grown = region->name;
	}
	return grown;
}

enum placement drm_memory_place(const char *region)
{
	/* By the first letters: there may be a number behind. */
	static const struct {
		const char *prefix;
		enum placement place;
	} kinds[] = {
		{ "vram", PLACE_DEVICE },	/* amdgpu, xe */
		{ "local", PLACE_DEVICE },	/* i915 */
		{ "gtt", PLACE_OTHER },		/* amdgpu, xe */
		{ "cpu", PLACE_SYSTEM },	/* amdgpu */
		{ "system", PLACE_SYSTEM },	/* xe, i915 */
		{ "memory", PLACE_SYSTEM },	/* the name that documentation has */
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(region, kinds[i].prefix, strlen(kinds[i].prefix)))
			return kinds[i].place;
	return PLACE_DEFAULT;
}

bool drm_memory_has(const struct drm_memory *memory, enum placement place)
{
	for (int i = 0; i < memory->count; i++)
		if (drm_memory_place(memory->regions[i].name) == place)
			return true;
	return false;
}

uint64_t drm_memory_resident(const struct drm_memory *memory,
			     enum placement place)
{
	uint64_t sum = 0;

	for (int i = 0; i < memory->count; i++)
		if (drm_memory_place(memory->regions[i].name) == place)
			sum += memory->regions[i].resident;
	return sum;
}
