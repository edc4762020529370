/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a notice can do to an importer that pins. Storage that is pinned does
 * not move; and on kernels where a notice to a pinned importer has no meaning
 * a callback is there because the core demands one, not to be called.
 */
#ifndef CTS_NOTICE_H
#define CTS_NOTICE_H

#include <stdbool.h>

#include "clause/law.h"
#include "pair/pair.h"

/* Whether its importer holds a pin for as long as it has the buffer. */
static inline bool pair_is_pinned(const struct pair *pair)
{
	return pair_capabilities(pair) & CAP(IMPORTER_PINNED);
}

/* Whether its importer owes an answer to a notice, if it has a callback. */
static inline bool pair_heeds_notices(const struct pair *pair)
{
	return !pair_is_pinned(pair) ||
	       law_value(LAW_PINNED_NOTIFY_REVOKES) == YES;
}

/* For cases in which storage moves under an importer that is told of it. */
#define needs_moves_while_imported() \
	do { \
		needs_law(LAW_MOVES_WHILE_MAPPED, YES); \
		if (pair_is_pinned(&self->pair)) \
			skip_case("this importer keeps the storage from moving"); \
	} while (0)

/* For cases in which it is told to let go. */
#define needs_heed() \
	do { \
		if (!pair_heeds_notices(&self->pair)) \
			skip_case("a notice means nothing to this importer, which pins"); \
	} while (0)

#endif
