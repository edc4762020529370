// SPDX-License-Identifier: GPL-2.0-only
#include "agent/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/text.h"

/* Some back ends cannot import what they exported themselves. */
static bool can_pair(const json_t *exporter, const json_t *importer)
{
	if (!json_is_false(json_object_get(importer, "pairs_with_own")))
		return true;
	return strcmp(text_member(exporter, "selector", ""),
		      text_member(importer, "selector", ""));
}

/*
 * Through a NIC or with vfio a case takes about twice as long as with others (make
 * demo, from the times in stream.jsonl).
 */
static size_t weight_of(const json_t *exporter, const json_t *importer)
{
	bool slow = text_is_among(json_object_get(importer, "capabilities"),
				  "verbs") ||
		    text_is_among(json_object_get(exporter, "capabilities"),
				  "vfio");

	return slow ? 2 : 1;
}

static void add(struct pairs *pairs, struct plan_pair ends,
		const json_t *exporter, const json_t *importer, int peers)
{
	struct pair *pair = &pairs->pairs[pairs->count++];

	pair->ends = ends;
	pair->exporter = text_member(exporter, "selector", "");
	pair->importer = text_member(importer, "selector", "");
	snprintf(pair->name, sizeof(pair->name), "%s,%s", pair->exporter,
		 pair->importer);
	pair->peers = peers;
	pair->weight = weight_of(exporter, importer);
}

static void add_all(struct pairs *pairs, const json_t *exporters,
		    const json_t *importers, int peers)
{
	json_t *exporter, *importer;
	size_t i, j;

	json_array_foreach(exporters, i, exporter)
		json_array_foreach(importers, j, importer)
			if (plan_is_ours(exporter) + plan_is_ours(importer) == peers &&
			    can_pair(exporter, importer))
				add(pairs, (struct plan_pair){ i, j }, exporter,
				    importer, peers);
}

bool pairs_make(struct pairs *pairs, const json_t *exporters,
		const json_t *importers)
{
	/* One more: of nothing, calloc() may make NULL. */
	size_t most = json_array_size(exporters) * json_array_size(importers) + 1;

	pairs->count = 0;
	pairs->pairs = calloc(most, sizeof(*pairs->pairs));
	if (!pairs->pairs)
		return false;
	for (int peers = 2; peers >= 0; peers--)
		add_all(pairs, exporters, importers, peers);
	return true;
}

void pairs_release(struct pairs *pairs)
{
	free(pairs->pairs);
}
