// SPDX-License-Identifier: GPL-2.0-only
/* Every importer back end. A new one needs its line here and nothing else. */
#include "importer/importer.h"

extern const struct importer_ops peer_importer_ops;
extern const struct importer_ops umem_importer_ops;
extern const struct importer_ops devmem_importer_ops;
extern const struct importer_ops drm_importer_ops;
extern const struct importer_ops v4l2_importer_ops;
extern const struct importer_ops verbs_importer_ops;
extern const struct importer_ops iommufd_importer_ops;
extern const struct importer_ops uapi_importer_ops;

const struct importer_ops *const importer_registry[] = {
	&peer_importer_ops,
	&umem_importer_ops,
	&devmem_importer_ops,
	&drm_importer_ops,
	&v4l2_importer_ops,
	&verbs_importer_ops,
	&iommufd_importer_ops,
	&uapi_importer_ops,
	NULL
};
