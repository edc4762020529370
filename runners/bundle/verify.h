/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks bundles. */
#ifndef CTS_BUNDLE_VERIFY_H
#define CTS_BUNDLE_VERIFY_H

#include "bundle/options.h"

/* Returns the status to exit with, after a line for each thing that is wrong. */
int verify(const struct options *options);

#endif
