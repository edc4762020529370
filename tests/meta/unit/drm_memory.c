// SPDX-License-Identifier: GPL-2.0-only
/* Texts as drivers write them, and what is found out of two of one file. */
#include "kselftest_harness.h"

#include <stdio.h>
#include <string.h>

#include "exporter/drm_memory.h"

#define HEAD	"pos:\t0\nflags:\t02100002\nmnt_id:\t26\nino:\t841\ndrm-client-id:\t42\n"

static const char xe[] =
	HEAD "drm-driver:\txe\ndrm-pdev:\t0000:03:00.0\n"
	"drm-total-system:\t0\ndrm-shared-system:\t0\ndrm-active-system:\t0\n"
	"drm-resident-system:\t0\ndrm-purgeable-system:\t0\n"
	"drm-total-gtt:\t192 KiB\ndrm-shared-gtt:\t0\ndrm-active-gtt:\t0\n"
	"drm-resident-gtt:\t192 KiB\n"
	"drm-total-vram0:\t23992 KiB\ndrm-shared-vram0:\t16 MiB\n"
	"drm-active-vram0:\t16 MiB\ndrm-resident-vram0:\t23 MiB\n"
	"drm-total-stolen:\t0\ndrm-resident-stolen:\t513\n";

static const char amdgpu[] =
	HEAD "drm-driver:\tamdgpu\npasid:\t32771\n"
	"drm-total-vram:\t4 MiB\ndrm-shared-vram:\t0\ndrm-resident-vram:\t2 MiB\n"
	"drm-total-gtt:\t0\ndrm-resident-gtt:\t2 MiB\n"
	"drm-resident-cpu:\t0\ndrm-resident-doorbell:\t8 KiB\n"
	"drm-memory-vram:\t7 KiB\ndrm-memory-gtt: \t7 KiB\n";

static const char old_amdgpu[] =
	HEAD "drm-memory-vram:\t64 KiB\ndrm-memory-gtt: \t16 KiB\n"
	"drm-memory-cpu: \t0 KiB\n";

static struct drm_memory parse(const char *text)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	struct drm_memory memory;

	drm_memory_parse(file, &memory);
	fclose(file);
	return memory;
}

/* PLACE_OTHER is in tables of the device. */
#define expect_bytes(memory, device, other, system) \
	do { \
		ASSERT_EQ(device, drm_memory_resident(memory, PLACE_DEVICE)); \
		ASSERT_EQ(other, drm_memory_resident(memory, PLACE_OTHER)); \
		ASSERT_EQ(system, drm_memory_resident(memory, PLACE_SYSTEM)); \
	} while (0)

TEST(what_is_resident_is_read_of_each_region)
{
	struct drm_memory memory = parse(xe);

	ASSERT_EQ(4, memory.count);
	expect_bytes(&memory, 23 << 20, 192 << 10, 0);
	ASSERT_STREQ("stolen", memory.regions[3].name);
	ASSERT_EQ(513, memory.regions[3].resident);
}

TEST(an_alias_counts_only_without_the_name)
{
	struct drm_memory memory = parse(amdgpu);

	ASSERT_EQ(4, memory.count);
	expect_bytes(&memory, 2 << 20, 2 << 20, 0);
	memory = parse(old_amdgpu);
	ASSERT_EQ(3, memory.count);
	expect_bytes(&memory, 64 << 10, 16 << 10, 0);
}

TEST(what_tells_no_region_has_none)
{
	ASSERT_EQ(0, parse(HEAD "drm-driver:\tvirtio_gpu\n").count);
	ASSERT_EQ(0, parse("resident-vram0:\t1\nxdrm-resident-vram0:\t1\n").count);
	ASSERT_EQ(0, parse("drm-resident-vram0: no\ndrm-resident-vram1:\n").count);
}

TEST(a_unit_that_is_unknown_is_no_number)
{
	ASSERT_EQ(0, parse("drm-resident-vram0:\t4 GiB\n").count);
}

TEST(more_regions_than_there_is_room_for_are_left_out)
{
	char text[64 * (DRM_REGIONS_MAX + 1)] = "";

	for (int i = 0; i <= DRM_REGIONS_MAX; i++)
		sprintf(text + strlen(text), "drm-resident-vram%d:\t1\n", i);
	ASSERT_EQ(DRM_REGIONS_MAX, parse(text).count);
}

TEST(the_region_that_grew_is_where_the_buffer_is)
{
	struct drm_memory before = parse("drm-resident-vram0:\t8 KiB\ndrm-resident-gtt:\t0\n");
	struct drm_memory vram = parse("drm-resident-vram0:\t72 KiB\ndrm-resident-gtt:\t4 KiB\n");
	struct drm_memory gtt = parse("drm-resident-vram0:\t8 KiB\ndrm-resident-gtt:\t64 KiB\n");
	struct drm_memory both = parse("drm-resident-vram0:\t72 KiB\ndrm-resident-gtt:\t64 KiB\n");

	ASSERT_STREQ("vram0", drm_memory_grown(&before, &vram, 64 << 10));
	ASSERT_STREQ("gtt", drm_memory_grown(&before, &gtt, 64 << 10));
	ASSERT_EQ(NULL, drm_memory_grown(&before, &before, 64 << 10));
	ASSERT_EQ(NULL, drm_memory_grown(&before, &both, 64 << 10));
}

TEST(kinds_are_known_by_name)
{
	struct drm_memory memory = parse(xe);

	ASSERT_EQ(PLACE_DEVICE, drm_memory_place("vram1"));
	ASSERT_EQ(PLACE_DEVICE, drm_memory_place("local0"));
	ASSERT_EQ(PLACE_OTHER, drm_memory_place("gtt"));
	ASSERT_EQ(PLACE_SYSTEM, drm_memory_place("system"));
	ASSERT_EQ(PLACE_SYSTEM, drm_memory_place("memory"));
	ASSERT_EQ(PLACE_DEFAULT, drm_memory_place("stolen-local0"));
	ASSERT_TRUE(drm_memory_has(&memory, PLACE_DEVICE));
	ASSERT_FALSE(drm_memory_has(&memory, PLACE_COUNT));
}

TEST_HARNESS_MAIN
