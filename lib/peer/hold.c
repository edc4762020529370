// SPDX-License-Identifier: GPL-2.0-only
/* Attach, pin and map in one step, as a driver's import does. */
#include "peer/hold.h"

static bool has(const struct importer *importer, enum capability capability)
{
	return importer->backend.capabilities & CAP(capability);
}

static int take(struct importer *importer, int fd,
		const struct attach_options *options,
		enum peer_direction direction, bool pin, struct hold *hold)
{
	const struct import_request request = {
		.direction = direction,
		.pin = pin,
	};

	hold->direction = direction;
	return peer_import(importer, fd, options, &request, &hold->attachment,
			   &hold->mapping);
}

int hold_take(struct importer *importer, int fd,
	      const struct attach_options *options,
	      enum peer_direction direction, struct hold *hold)
{
	/* Dynamic, and yet nobody tells it of a move: then nothing may move. */
	return take(importer, fd, options, direction,
		    has(importer, IMPORTER_SILENT), hold);
}

int hold_take_pinned(struct importer *importer, int fd,
		     const struct attach_options *options,
		     enum peer_direction direction, struct hold *hold)
{
	return take(importer, fd, options, direction,
		    has(importer, IMPORTER_DYNAMIC), hold);
}

int hold_drop(struct hold *hold)
{
	/* What is still mapped and pinned the module gives back first. */
	return peer_detach(&hold->attachment);
}
