/* SPDX-License-Identifier: GPL-2.0-only */
/* The guests whose records make one stream. */
#ifndef CTS_REPORT_SOURCE_H
#define CTS_REPORT_SOURCE_H

#include <jansson.h>
#include <stdbool.h>

#include "report/model.h"

/**
 * source_select - make the one who said a record the present one
 * @record: loses its member "guest", which is the number; none means 0
 */
void source_select(struct run *run, json_t *record);

/**
 * source_begin - a guest says hello: the present source is a new one
 *
 * Jobs keep the source that began them, so what an earlier guest of the same
 * number left is not taken for the new one's.
 */
void source_begin(struct run *run);

/* Whether any but the present source may still say something. */
bool source_has_company(const struct run *run);

/* Whether there are sources, and each of them has said that all was run. */
bool source_all_ended(const struct run *run);

/* The stream goes on with other guests: none of the known ones will speak. */
void source_forget_all(struct run *run);

#endif
