/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of pairs and areas of the contract. */
#ifndef CTS_REPORT_AREAS_H
#define CTS_REPORT_AREAS_H

#include "report/model.h"

/**
 * areas_print - print the table
 * @rows_max: pairs shown at most; those without a finding are left out first
 */
void areas_print(const struct run *run, size_t rows_max);

#endif
