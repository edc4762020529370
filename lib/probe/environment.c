// SPDX-License-Identifier: GPL-2.0-only
/* Describes kernel and machine for the head of every result. */
#include "probe/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "clause/clause.h"
#include "pair/kernel.h"
#include "probe/devices.h"
#include "probe/iommu.h"
#include "record/version.h"

/* Options that change what the contract asks, what exists, or what is seen. */
static const char *const options[] = {
	/* dma-buf itself and exporters of system memory */
	"CONFIG_DMABUF_MOVE_NOTIFY",
	"CONFIG_DMABUF_DEBUG",
	"CONFIG_DMABUF_SELFTESTS",
	"CONFIG_DMABUF_SYSFS_STATS",
	"CONFIG_DMABUF_HEAPS",
	"CONFIG_DMABUF_HEAPS_SYSTEM",
	"CONFIG_DMABUF_HEAPS_CMA",
	"CONFIG_TEE_DMABUF_HEAPS",
	"CONFIG_UDMABUF",
	"CONFIG_SYNC_FILE",
	"CONFIG_SW_SYNC",
	/* drivers that share buffers */
	"CONFIG_DRM_VGEM",
	"CONFIG_DRM_VIRTIO_GPU",
	"CONFIG_VFIO_PCI_DMABUF",
	"CONFIG_IOMMUFD",
	"CONFIG_INFINIBAND",
	"CONFIG_INFINIBAND_USER_ACCESS",
	"CONFIG_INFINIBAND_ON_DEMAND_PAGING",
	"CONFIG_INFINIBAND_EFA",
	"CONFIG_MLX5_INFINIBAND",
	/* how addresses come about */
	"CONFIG_PCI_P2PDMA",
	"CONFIG_INTEL_IOMMU",
	"CONFIG_AMD_IOMMU",
	"CONFIG_VIRTIO_IOMMU",
	"CONFIG_IOMMU_DEFAULT_PASSTHROUGH",
	"CONFIG_SWIOTLB",
	/* what the kernel itself would notice */
	"CONFIG_DEBUG_FS",
	"CONFIG_DEBUG_INFO_BTF",
	"CONFIG_DMA_API_DEBUG",
	"CONFIG_PROVE_LOCKING",
	"CONFIG_DEBUG_WW_MUTEX_SLOWPATH",
	"CONFIG_DEBUG_ATOMIC_SLEEP",
	"CONFIG_KASAN",
	"CONFIG_KFENCE",
	"CONFIG_FAULT_INJECTION",
	"CONFIG_KUNIT",
};

/* An empty object where no configuration can be found. */
static json_t *config_record(void)
{
	json_t *config = json_object();
	char value[64];

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!kernel_config_text(options[i], value, sizeof(value)))
			json_object_set_new(config, options[i], json_string(value));
	return config;
}

/* "7.3.4+deb13-amd64" is of series "7.3". */
static void series_of(const char *release, char *series, size_t size)
{
	int major, minor;

	if (sscanf(release, "%d.%d", &major, &minor) == 2)
		snprintf(series, size, "%d.%d", major, minor);
	else
		snprintf(series, size, "%s", release);
}

static json_int_t tainted(void)
{
	char text[32];

	if (kernel_read_line("/proc/sys/kernel/tainted", text, sizeof(text)) < 0)
		return -1;
	return strtoll(text, NULL, 10);
}

static json_t *kernel_record(void)
{
	struct utsname name;
	char series[sizeof(name.release)];

	uname(&name);
	series_of(name.release, series, sizeof(series));
	return json_pack("{s:s, s:s, s:s, s:s, s:o, s:I}",
			 "release", name.release, "version", name.version,
			 "series", series, "arch", name.machine,
			 "config", config_record(), "tainted", tainted());
}

json_t *environment_record(void)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:s, s:i}",
			 "type", "environment", "kernel", kernel_record(),
			 "iommu", iommu_record(), "devices", devices_record(),
			 "suite", SUITE_VERSION,
			 "clause_table", CLAUSE_TABLE_VERSION);
}
