// SPDX-License-Identifier: GPL-2.0-only
/* Writes down which exporters and importers there are, and why others not. */
#include "probe/backends.h"

#include "exporter/exporter.h"
#include "importer/importer.h"
#include "record/record.h"

static json_t *capabilities_of(const struct backend *backend)
{
	json_t *names = json_array();

	for (int id = 0; id < CAPABILITY_COUNT; id++)
		if (backend->capabilities & CAP(id))
			json_array_append_new(names,
					      json_string(capability_label(id)));
	return names;
}

static json_t *reasons_of(const struct backend *backend)
{
	json_t *reasons = json_array();

	for (int i = 0; i < backend->reason_count; i++)
		json_array_append_new(reasons, json_string(backend->reasons[i]));
	return reasons;
}

/* @context: the role, "exporter" or "importer" */
static void report(const struct backend *backend, void *context)
{
	const char *role = context;

	record_write(json_pack("{s:s, s:s, s:s, s:b, s:s, s:s, s:s, s:s, s:b, s:o, s:o, s:s}",
			       "type", "backend", "role", role,
			       "selector", backend->selector,
			       "available", !backend->reason_count,
			       "driver", backend->driver,
			       "version", backend->version,
			       "device", backend->device,
			       "evidence", evidence_name(backend->evidence),
			       "ours", backend->ours,
			       "capabilities", capabilities_of(backend),
			       "reasons", reasons_of(backend),
			       "note", backend->note));
}

void backends_record(void)
{
	for (const struct exporter_ops *const *ops = exporter_registry; *ops; ops++)
		(*ops)->discover(report, "exporter");
	for (const struct importer_ops *const *ops = importer_registry; *ops; ops++)
		(*ops)->discover(report, "importer");
}
