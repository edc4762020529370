// SPDX-License-Identifier: GPL-2.0-only
/* Every exporter back end. A new one needs its line here and nothing else. */
#include "exporter/exporter.h"

extern const struct exporter_ops peer_exporter_ops;
extern const struct exporter_ops udmabuf_exporter_ops;
extern const struct exporter_ops heap_exporter_ops;
extern const struct exporter_ops drm_exporter_ops;
extern const struct exporter_ops v4l2_exporter_ops;
extern const struct exporter_ops vfio_exporter_ops;
extern const struct exporter_ops uverbs_exporter_ops;

const struct exporter_ops *const exporter_registry[] = {
	&peer_exporter_ops,
	&udmabuf_exporter_ops,
	&heap_exporter_ops,
	&drm_exporter_ops,
	&v4l2_exporter_ops,
	&vfio_exporter_ops,
	&uverbs_exporter_ops,
	NULL
};
