/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the runner found out about back ends, so that not each program has to.
 * It hands on the records of cts-probe.
 */
#ifndef CTS_KNOWN_H
#define CTS_KNOWN_H

#include "pair/backend.h"

/* A JSON array of "backend" records. */
#define KNOWN_VARIABLE	"DMABUF_CTS_KNOWN"

/**
 * known_backend - what the environment tells of a back end
 * @role: "exporter" or "importer"
 * @selector: as cts-probe has it
 * @backend: filled if it is known
 *
 * Return: false if nothing is told of it, or that it is absent.
 */
bool known_backend(const char *role, const char *selector,
		   struct backend *backend);

#endif
