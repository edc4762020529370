/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a run judged, whichever of the suite's own peers was judged or the partner,
 * and whoever was, if the partner has no part in the outcome: the profiles choose
 * different ones, and mean the same.
 */
#ifndef CTS_REPORT_PARTNER_H
#define CTS_REPORT_PARTNER_H

#include "report/model.h"

/**
 * partners_of - all that a run judged
 *
 * Return: an object, to be released.
 */
json_t *partners_of(const struct run *run);

/**
 * partners_judged - whether a run judged, with some partner, what another did
 * @partners: of the one run
 * @run: the other, of which leaf and test are
 *
 * A skip stands for no verdict but another skip.
 */
bool partners_judged(const json_t *partners, const struct run *run,
		     const struct leaf *leaf, const struct test_case *test);

#endif
