// SPDX-License-Identifier: GPL-2.0-only
/* Faults of vfio-pci as an exporter; of kernels where it is none they cannot be switched on. */
#include <linux/errno.h>
#include <linux/kernel.h>

#include "core/alter.h"

static void find_on(struct altered_call *call)
{
	call->result = true;
}

/* A revoke that is taken back is none that is new, so nothing happens. */
static void revoke_only(struct altered_call *call)
{
	call->argument[1] = true;
}

static const struct alteration rows[] = {
	REPLACE(vfio_takes_all, "vfio_pci_dma_buf_attach", -EOPNOTSUPP, 0),
	REPLACE(vfio_revoked_says_eio, "vfio_pci_dma_buf_attach", -ENODEV, -EIO),
	REPLACE(vfio_says_eperm, "vfio_pci_core_feature_dma_buf", -EINVAL, -EPERM),
	REPLACE(vfio_says_eperm, "vfio_pci_core_feature_dma_buf", -ENODEV, -EPERM),
	ALTER(vfio_misses_off, "__vfio_pci_memory_enabled", NULL, find_on),
	ALTER(vfio_stays_revoked, "vfio_pci_dma_buf_move", revoke_only, NULL),
	SKIP(vfio_revokes_nothing, "vfio_pci_dma_buf_move"),
};

const struct alteration_list vfio_alterations = { rows, ARRAY_SIZE(rows) };
