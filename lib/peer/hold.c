// SPDX-License-Identifier: GPL-2.0-only
/* Attach, pin and map in one step, as a driver's import does. */
#include "peer/hold.h"

#include <errno.h>

/* Dynamic, and yet nobody tells it of a move: then nothing may move. */
static bool must_pin(const struct importer *importer)
{
	return importer->backend.capabilities & CAP(IMPORTER_SILENT);
}

int hold_take(struct importer *importer, int fd,
	      const struct attach_options *options,
	      enum peer_direction direction, struct hold *hold)
{
	int ret = peer_attach(importer, fd, options, &hold->attachment);

	if (ret)
		return ret;
	hold->pinned = must_pin(importer);
	if (hold->pinned)
		ret = peer_pin(&hold->attachment);
	if (ret)
		goto detach;
	ret = peer_map(&hold->attachment, direction, &hold->mapping);
	if (ret)
		goto unpin;
	return 0;
unpin:
	if (hold->pinned)
		peer_unpin(&hold->attachment);
detach:
	peer_detach(&hold->attachment);
	return ret;
}

int hold_drop(struct hold *hold)
{
	int unmapped = peer_unmap(&hold->mapping);
	int unpinned = hold->pinned ? peer_unpin(&hold->attachment) : 0;
	int detached = peer_detach(&hold->attachment);

	/* A reaction to notify has already unmapped it: no fault. */
	if (unmapped && unmapped != -ENOENT)
		return unmapped;
	return unpinned ? unpinned : detached;
}
