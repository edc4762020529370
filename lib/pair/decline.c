// SPDX-License-Identifier: GPL-2.0-only
/* When an exporter may say no to an importer. */
#include "pair/decline.h"

#include "clause/law.h"

/*
 * Only an importer that is told of moves can do without a pin, and only where
 * a mapping is none. Whether a driver pins all the same is not known.
 */
static bool needs_pin(capability_set importer)
{
	bool known = importer & NEEDS(IMPORTER_PEER, IMPORTER_UMEM_STEPS);
	bool told = importer & CAP(IMPORTER_NOTIFIED);

	return !known || !told || importer & CAP(IMPORTER_PINNED) ||
	       law_value(LAW_MOVES_WHILE_MAPPED) != YES;
}

bool pair_may_decline(const struct pair *pair)
{
	capability_set has = pair_capabilities(pair);

	if (has & CAP(EXPORTER_REFUSES_PIN) && needs_pin(has))
		return true;
	return has & CAP(EXPORTER_REVOKES) && !(has & CAP(IMPORTER_NOTIFIED));
}
