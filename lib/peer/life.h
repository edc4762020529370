/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A whole import as the peer exporter sees it, for tests that judge what the
 * importer does on its way.
 */
#ifndef CTS_PEER_LIFE_H
#define CTS_PEER_LIFE_H

#include "pair/await.h"
#include "pair/decline.h"
#include "peer/observe.h"

/* Some drivers let go in a task of their own. */
#define LET_GO_MS	10000

/**
 * everyone_detached - wait until the buffer has no attachment left
 * @buffer: of the peer exporter
 *
 * Return: whether that came within LET_GO_MS.
 */
#define everyone_detached(buffer) \
	comes_true(LET_GO_MS, exporter_saw(buffer).attachments == 0)

/**
 * left_behind - what importers have not undone, or undid in the wrong order
 * @buffer: of the peer exporter
 *
 * Waits for everyone_detached() first.
 *
 * Return: attachments, maps and pins that are left, and calls out of order.
 */
static inline unsigned int left_behind(struct buffer *buffer)
{
	struct peer_exporter_stat saw;

	(void)everyone_detached(buffer);
	saw = exporter_saw(buffer);
	return saw.attachments + saw.maps + saw.pins + saw.order_wrong;
}

/**
 * import_beside_notices - import while notices come
 * @importer: an open importer
 * @buffer: of the peer exporter
 * @access: IMPORT_*
 * @import: filled
 *
 * An importer that is pinned and yet told takes a notice for a revoke, for
 * good. One that comes before its import is done makes that fail, with EINVAL;
 * then this tries again.
 *
 * Return: 0 or a negative errno.
 */
static inline int import_beside_notices(struct importer *importer,
					struct buffer *buffer,
					unsigned int access,
					struct import *import)
{
	capability_set revoked = NEEDS(IMPORTER_PINNED, IMPORTER_NOTIFIED);
	bool again = (importer->backend.capabilities & revoked) == revoked;
	int error;

	comes_true(LET_GO_MS,
		   (error = importer_import(importer, buffer->fd, 0, 0, access,
					    import)) != -EINVAL || !again);
	return error;
}

#define must_import_beside_notices(access_, import_) \
	must_unless_declined(import_beside_notices(self->importer, \
						   &self->buffer, access_, \
						   import_))

/* One import from beginning to end; @log_ gets what the exporter saw of it. */
#define must_live(access_, log_) \
	do { \
		struct import import_; \
\
		must_import(access_, &import_); \
		must(importer_release(&import_)); \
		must_be(everyone_detached(&self->buffer)); \
		exporter_log(&self->buffer, log_); \
		must((log_)->count); \
	} while (0)

#endif
