/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the peer importer holds of a buffer, taken and given back in one call:
 * an attachment, a pin where the mode needs one, a mapping. For tests that
 * are not about these steps.
 */
#ifndef CTS_HOLD_H
#define CTS_HOLD_H

#include <stdbool.h>

#include "exporter/exporter.h"
#include "peer/peer_importer.h"

/* Not to be copied: .mapping points at .attachment. */
struct hold {
	struct attachment attachment;
	struct mapping mapping;
	enum peer_direction direction;
};

/**
 * is_out_of_reach - whether a device of the peer importer cannot reach a buffer
 * @buffer: of an exporter that wants peer to peer it needs a device on a bus
 * @device: the device
 */
static inline bool is_out_of_reach(const struct buffer *buffer,
				   enum peer_device device)
{
	return buffer->exporter->backend.capabilities & CAP(EXPORTER_WANTS_P2P) &&
	       (device == PEER_DEVICE_PLATFORM || device == PEER_DEVICE_NARROW);
}

/**
 * hold_take - attach, pin if nobody would tell of a move, and map
 * @importer: an open peer importer
 * @fd: the dma-buf
 * @options: device and reaction to notify; NULL for the defaults
 * @direction: of the mapping
 * @hold: filled; give it back with hold_drop()
 *
 * Return: 0 or the negative errno of the step that failed; nothing is held
 * then.
 */
int hold_take(struct importer *importer, int fd,
	      const struct attach_options *options,
	      enum peer_direction direction, struct hold *hold);

/**
 * hold_take_pinned - the same, pinned in every mode that can pin
 */
int hold_take_pinned(struct importer *importer, int fd,
		     const struct attach_options *options,
		     enum peer_direction direction, struct hold *hold);

/**
 * hold_drop - detach; what is still mapped and pinned goes first
 * @hold: what hold_take() filled; a reaction to notify may have unmapped it
 *
 * The importer does all of it in one call, so that it is its order that an
 * exporter sees, and not that of a test.
 *
 * Return: 0 or a negative errno.
 */
int hold_drop(struct hold *hold);

#endif
