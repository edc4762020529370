/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CTS_VERSION_H
#define CTS_VERSION_H

/* The suite's version, as records carry it; the Makefile may set it. */
#ifndef SUITE_VERSION
#define SUITE_VERSION	"0.1.0"
#endif

#endif
