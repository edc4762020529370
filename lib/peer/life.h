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
