/* SPDX-License-Identifier: GPL-2.0-only */
/* Versions that the stream and the result folder carry. */
#ifndef CTS_STREAM_VERSION_H
#define CTS_STREAM_VERSION_H

/* Raised when an old reader would misread a new stream or run.json. */
#define STREAM_SCHEMA	1

#ifndef SUITE_VERSION
#define SUITE_VERSION	"0.1.0"
#endif

#endif
