/* SPDX-License-Identifier: GPL-2.0-only */
/* The verdicts, and what each becomes in KTAP. */
#ifndef CTS_REPORT_VERDICT_H
#define CTS_REPORT_VERDICT_H

#include <stdbool.h>

/* From best to worst, for the one word that stands for many. */
enum verdict {
	VERDICT_NONE,
	VERDICT_SKIP,
	VERDICT_PASS,
	VERDICT_VALUE,
	VERDICT_REFUSED,
	VERDICT_WARN,
	VERDICT_ERROR,
	VERDICT_TIMEOUT,
	VERDICT_CRASH,
	VERDICT_FAIL,
	VERDICT_COUNT
};

const char *verdict_name(enum verdict verdict);

/* The verdict of that name, VERDICT_NONE if there is none. */
enum verdict verdict_find(const char *name);

/* fail, error, timeout, crash: "not ok" in KTAP, and unexpected unless listed. */
bool verdict_is_bad(enum verdict verdict);

/* skip, refused: "ok ... # SKIP" in KTAP. */
bool verdict_is_skip(enum verdict verdict);

enum verdict verdict_worse(enum verdict one, enum verdict other);

#endif
