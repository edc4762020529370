/* SPDX-License-Identifier: GPL-2.0-only */
/* Which profile of conformance a row meets, and what keeps it from the next. */
#ifndef CTS_MATRIX_STANDING_H
#define CTS_MATRIX_STANDING_H

#include "conform/profile.h"
#include "matrix/grid.h"

/* A role's profiles have an order; dmabuf-cts-matrix(1) tells it. */
struct standing {
	bool known;		/* the result tells enough to judge it by */
	struct conformity met;	/* the last that it meets; no profile: none */
	struct conformity next;	/* the one behind that; no profile: it was the last */
};

/**
 * standing_of - compare a measured row with the profiles of its role
 * @profiles: as profiles_load() read them, or NULL
 */
struct standing standing_of(const struct row *row, const json_t *profiles);

/* "exporter-static, of which 2 clauses have no test", "none", or "". */
const char *standing_met(const struct standing *standing);

/* "exporter-dynamic: does not declare moves; not run: PIN-04.a", or "". */
const char *standing_next(const struct standing *standing);

#endif
