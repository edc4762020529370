/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes bundles, and the statements that go with them. */
#ifndef CTS_BUNDLE_PACK_H
#define CTS_BUNDLE_PACK_H

#include "bundle/options.h"

/* Each returns the status to exit with, after messages. */
int pack(const struct options *options);
int print_template(const struct options *options);

#endif
