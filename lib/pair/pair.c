// SPDX-License-Identifier: GPL-2.0-only
/* Opens the pair that the environment names. */
#include "pair/pair.h"

#include <stdlib.h>
#include <string.h>

#include "pair/known.h"

static const char *selector(const char *variable, const char *fallback)
{
	const char *value = getenv(variable);

	return value && *value ? value : fallback;
}

int pair_open(struct pair *pair)
{
	int ret;

	memset(pair, 0, sizeof(*pair));
	pair->exporter.control = -1;
	pair->importer.control = -1;
	ret = exporter_open(selector(PAIR_EXPORTER_VARIABLE, PAIR_EXPORTER_DEFAULT),
			    &pair->exporter);
	if (ret)
		return ret;
	ret = importer_open(selector(PAIR_IMPORTER_VARIABLE, PAIR_IMPORTER_DEFAULT),
			    &pair->importer);
	if (ret)
		exporter_close(&pair->exporter);
	else
		pair->exporter.contiguous = pair->importer.backend.capabilities &
					    CAP(IMPORTER_CONTIGUOUS);
	return ret;
}

bool pair_know(struct pair *pair)
{
	memset(pair, 0, sizeof(*pair));
	return known_backend("exporter",
			     selector(PAIR_EXPORTER_VARIABLE, PAIR_EXPORTER_DEFAULT),
			     &pair->exporter.backend) &&
	       known_backend("importer",
			     selector(PAIR_IMPORTER_VARIABLE, PAIR_IMPORTER_DEFAULT),
			     &pair->importer.backend);
}

void pair_close(struct pair *pair)
{
	importer_close(&pair->importer);
	exporter_close(&pair->exporter);
}

/*
 * A DRM device that gets its own buffer back hands out the object it has:
 * nothing is attached, nothing mapped. A queue of video4linux has buffers to
 * export or those of others, and not both at a time.
 */
static bool same_device(const struct backend *a, const struct backend *b)
{
	return !a->ours && !b->ours && !strcmp(a->selector, b->selector);
}

/* Who is told of a revoke, and reaches the memory of devices, can come in. */
static bool is_unwanted(capability_set all)
{
	return all & CAP(EXPORTER_WANTS_P2P) && all & CAP(IMPORTER_ATTACHES) &&
	       (~all & NEEDS(IMPORTER_P2P, IMPORTER_NOTIFIED));
}

/* What asks vfio-pci for the address has no use for buffers of others. */
static bool is_unsuited(capability_set all)
{
	return all & CAP(IMPORTER_IOMMUFD) && !(all & CAP(EXPORTER_VFIO));
}

capability_set pair_capabilities(const struct pair *pair)
{
	const struct backend *exporter = &pair->exporter.backend;
	const struct backend *importer = &pair->importer.backend;
	capability_set all = exporter->capabilities | importer->capabilities;

	if (same_device(exporter, importer)) {
		all &= ~(CAP(IMPORTER_ATTACHES) | CAP(IMPORTER_MAPS) |
			 CAP(IMPORTER_MOVES_BYTES));
		all |= CAP(IMPORTER_SELF);
	}
	/* That it is turned away is all that can be seen of such an importer. */
	if (is_unwanted(all))
		return exporter->capabilities | CAP(IMPORTER_UNWANTED);
	if (is_unsuited(all))
		return exporter->capabilities |
		       NEEDS(IMPORTER_IOMMUFD, IMPORTER_UNSUITED);
	/* A region is mapped when it is registered. */
	if (!(exporter->capabilities & CAP(EXPORTER_MAPS)))
		all &= ~CAP(IMPORTER_VERBS);
	/* What only maps by the CPU needs an exporter that lets it. */
	if (!(importer->capabilities & CAP(IMPORTER_ATTACHES)) &&
	    !(exporter->capabilities & CAP(EXPORTER_MMAPS)))
		all &= ~CAP(IMPORTER_MOVES_BYTES);
	return all;
}
