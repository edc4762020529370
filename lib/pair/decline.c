// SPDX-License-Identifier: GPL-2.0-only
/* When an exporter may say no to an importer. */
#include "pair/decline.h"

#include <errno.h>

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

static bool exporter_may_decline(capability_set has)
{
	if (has & CAP(EXPORTER_REFUSES_PIN) && needs_pin(has))
		return true;
	return has & CAP(EXPORTER_REVOKES) && !(has & CAP(IMPORTER_NOTIFIED));
}

const char *pair_declines(const struct pair *pair, long error)
{
	capability_set has = pair_capabilities(pair);

	/* How the user of an importer hears of it that hides what it was told. */
	if (error == -EINVAL && has & CAP(IMPORTER_HIDES_ERRORS))
		error = -EOPNOTSUPP;
	if (error == -EOPNOTSUPP && exporter_may_decline(has))
		return "the exporter declines this kind of importer";
	if (error == -EFAULT && has & CAP(IMPORTER_CONTIGUOUS))
		return "the importer takes memory in one piece alone";
	if (error == -EBUSY && has & CAP(IMPORTER_ONE))
		return "the importer has one import at a time";
	return NULL;
}
