/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An exporter and an importer under test, named by the environment:
 * DMABUF_CTS_EXPORTER and DMABUF_CTS_IMPORTER, the peers by default.
 */
#ifndef CTS_PAIR_H
#define CTS_PAIR_H

#include "exporter/exporter.h"
#include "importer/importer.h"

#define PAIR_EXPORTER_VARIABLE	"DMABUF_CTS_EXPORTER"
#define PAIR_IMPORTER_VARIABLE	"DMABUF_CTS_IMPORTER"
#define PAIR_EXPORTER_DEFAULT	"peer:dynamic"
#define PAIR_IMPORTER_DEFAULT	"peer:notify"

/* Size of the buffer that a test gets unless it asks for another: 16 pages. */
#define PAIR_BUFFER_SIZE	(16 * 4096)

struct pair {
	struct exporter exporter;
	struct importer importer;
};

/**
 * pair_open - open both ends as the environment names them
 * @pair: filled
 *
 * Return: 0 or a negative errno; the reasons stand in the back ends.
 */
int pair_open(struct pair *pair);

/**
 * pair_know - what the runner found out about both ends, neither of them open
 * @pair: filled; only for pair_capabilities() and the names of the back ends
 *
 * Return: false if it did not tell.
 */
bool pair_know(struct pair *pair);

/**
 * pair_close - close both ends; again does nothing
 */
void pair_close(struct pair *pair);

/**
 * pair_capabilities - what both ends can do, as one set
 *
 * Of an importer that the exporter must turn away that is IMPORTER_UNWANTED
 * alone; of one that takes no buffers of this exporter's that is
 * IMPORTER_UNSUITED and which importer it is.
 */
capability_set pair_capabilities(const struct pair *pair);

#endif
