/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In which memory a DRM driver has what an open file of it holds, as
 * /proc/PID/fdinfo tells: the kernel's Documentation/gpu/drm-usage-stats.rst.
 */
#ifndef CTS_DRM_MEMORY_H
#define CTS_DRM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "exporter/exporter.h"

#define DRM_REGIONS_MAX	16

struct drm_region {
	char name[24];		/* the driver's: "vram0", "gtt", "system" */
	uint64_t resident;	/* bytes */
};

struct drm_memory {
	struct drm_region regions[DRM_REGIONS_MAX];
	int count;		/* 0 where the driver tells nothing */
};

/** drm_memory_parse - what such a text says */
void drm_memory_parse(FILE *file, struct drm_memory *memory);

/**
 * drm_memory_read - what an open file has now
 *
 * Return: 0 or a negative errno.
 */
int drm_memory_read(int card, struct drm_memory *memory);

/**
 * drm_memory_grown - the one region of which there is more than before
 * @before: of the same file
 * @after: the same regions
 * @size: by how many bytes at least
 *
 * Return: its name, or NULL where it is none, or not one alone.
 */
const char *drm_memory_grown(const struct drm_memory *before,
			     const struct drm_memory *after, uint64_t size);

/**
 * drm_memory_place - what kind of memory a region is
 *
 * PLACE_OTHER is system memory in tables of the device. PLACE_DEFAULT is a kind
 * that is not known.
 */
enum placement drm_memory_place(const char *region);

/** drm_memory_has - whether there is a region of this kind */
bool drm_memory_has(const struct drm_memory *memory, enum placement place);

/** drm_memory_resident - bytes in all regions of this kind */
uint64_t drm_memory_resident(const struct drm_memory *memory,
			     enum placement place);

#endif
