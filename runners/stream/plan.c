// SPDX-License-Identifier: GPL-2.0-only
#include "stream/plan.h"

#include <stdio.h>
#include <string.h>

#include "stream/text.h"

static bool has_word(const json_t *list, const char *word)
{
	json_t *entry;
	size_t i;

	json_array_foreach(list, i, entry)
		if (json_is_string(entry) &&
		    !strcmp(json_string_value(entry), word))
			return true;
	return false;
}

static bool has_capability(const json_t *backend, const char *name)
{
	return has_word(json_object_get(backend, "capabilities"), name);
}

/* A need is a role and a name: "exporter pin-op". */
static bool is_met(const char *need, const json_t *exporter,
		   const json_t *importer)
{
	/* Of the pair, not of one end: only the program can tell. */
	if (!strcmp(need, "importer self") ||
	    !strcmp(need, "importer unwanted") ||
	    !strcmp(need, "importer unsuited"))
		return true;
	if (!strncmp(need, "exporter ", 9))
		return has_capability(exporter, need + 9);
	if (!strncmp(need, "importer ", 9))
		return has_capability(importer, need + 9);
	return true;
}

/* An importer that this exporter must turn away: nothing else can be seen of it. */
static bool is_unwanted(const json_t *exporter, const json_t *importer)
{
	return has_capability(exporter, "wants-p2p") &&
	       has_capability(importer, "attaches") &&
	       !(has_capability(importer, "p2p") &&
		 has_capability(importer, "notified"));
}

/* An importer that takes none of this exporter's buffers. */
static bool is_unsuited(const json_t *exporter, const json_t *importer)
{
	return has_capability(importer, "iommufd") &&
	       !has_capability(exporter, "vfio");
}

bool plan_case_fits(const json_t *entry, const json_t *exporter,
		    const json_t *importer)
{
	json_t *needs = json_object_get(entry, "needs");
	json_t *need;
	size_t i;

	if (is_unwanted(exporter, importer) !=
	    has_word(needs, "importer unwanted"))
		return false;
	if (is_unsuited(exporter, importer) !=
	    has_word(needs, "importer unsuited"))
		return false;
	json_array_foreach(needs, i, need)
		if (json_is_string(need) &&
		    !is_met(json_string_value(need), exporter, importer))
			return false;
	return true;
}

bool plan_fits(const json_t *plans, const char *program,
	       const json_t *exporter, const json_t *importer, size_t *count)
{
	json_t *plan = json_object_get(plans, program);
	json_t *entry;
	size_t i;

	*count = 0;
	json_array_foreach(plan, i, entry)
		*count += plan_case_fits(entry, exporter, importer);
	return !plan || *count;
}

/* Whether a case looks at what only a peer shows of itself. */
static bool needs_peer(const json_t *entry, const char *role)
{
	static const char *const kinds[] = { "peer", "umem" };
	json_t *needs = json_object_get(entry, "needs");
	char need[64];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		snprintf(need, sizeof(need), "%s %s", role, kinds[i]);
		if (has_word(needs, need))
			return true;
	}
	return false;
}

bool plan_is_ours(const json_t *backend)
{
	return json_is_true(json_object_get(backend, "ours"));
}

/* Whether a case judges this end; clauses on NICs are on their drivers. */
static bool judges(const json_t *entry, const char *role)
{
	json_t *parties = json_object_get(entry, "parties");

	return has_word(parties, role) || has_word(parties, "all") ||
	       (!strcmp(role, "importer") && has_word(parties, "nic"));
}

/*
 * Who must be at one end for a case to say something new: everyone; or, where
 * the end is a mere partner, any that fits if a peer is judged, and else one
 * of the peers if it need not be a peer at all.
 */
static const char *matters(const json_t *entry, const char *role,
			   const json_t *end, const char *other_role,
			   const json_t *other)
{
	if (!judges(entry, role) && judges(entry, other_role) &&
	    json_array_size(json_object_get(entry, "parties")) == 1 &&
	    plan_is_ours(other))
		return "anyone";
	if (!judges(entry, role) && plan_is_ours(end) && !needs_peer(entry, role))
		return "a peer";
	return text_member(end, "selector", "");
}

/*
 * Only an importer that is told of moves can do without a pin, and only where
 * a mapping is none. Whether a driver pins all the same is not known.
 */
static bool needs_pin(const json_t *importer, bool moves_while_mapped)
{
	bool known = has_capability(importer, "peer") ||
		     has_capability(importer, "umem-steps");

	return !known || !has_capability(importer, "notified") ||
	       has_capability(importer, "pinned") || !moves_while_mapped;
}

/* Whether the exporter may decline the importer at run time. */
static bool may_decline(const json_t *exporter, const json_t *importer,
			bool moves_while_mapped)
{
	if (!has_capability(importer, "attaches"))
		return false;
	if (has_capability(exporter, "refuses-pin") &&
	    needs_pin(importer, moves_while_mapped))
		return true;
	return has_capability(exporter, "revokes") &&
	       !has_capability(importer, "notified");
}

/* Whether a case for which any importer will do had better wait for another. */
static bool has_surer_partner(const struct plan_scope *scope,
			      const json_t *entry, const json_t *exporter,
			      const json_t *importer)
{
	json_t *other;
	size_t i;

	if (!may_decline(exporter, importer, scope->moves_while_mapped))
		return false;
	json_array_foreach(scope->importers, i, other)
		if (!may_decline(exporter, other, scope->moves_while_mapped) &&
		    plan_case_fits(entry, exporter, other))
			return true;
	return false;
}

/*
 * Whether no pair before says the same; from now on one does. A case that does
 * not tell whom it judges may always say something new.
 */
static bool is_fresh(struct plan_scope *scope, const char *program,
		     const json_t *entry, const json_t *exporter,
		     const json_t *importer)
{
	const char *from, *to;
	char key[512];

	if (json_is_true(json_object_get(entry, "each_pair")) ||
	    !json_array_size(json_object_get(entry, "parties")))
		return true;
	from = matters(entry, "exporter", exporter, "importer", importer);
	to = matters(entry, "importer", importer, "exporter", exporter);
	snprintf(key, sizeof(key), "%s,%s %s.%s", from, to, program,
		 text_member(entry, "case", ""));
	if (json_object_get(scope->judged, key) ||
	    (!strcmp(to, "anyone") &&
	     has_surer_partner(scope, entry, exporter, importer)))
		return false;
	json_object_set_new(scope->judged, key, json_true());
	return true;
}

json_t *plan_fresh(struct plan_scope *scope, const char *program,
		   const json_t *exporter, const json_t *importer)
{
	json_t *plan = json_object_get(scope->plans, program);
	json_t *fresh, *entry;
	bool all = true;
	size_t i;

	if (!plan)
		return NULL;
	fresh = json_array();
	json_array_foreach(plan, i, entry) {
		if (!plan_case_fits(entry, exporter, importer))
			continue;
		if (is_fresh(scope, program, entry, exporter, importer))
			json_array_append(fresh, json_object_get(entry, "case"));
		else
			all = false;
	}
	if (!all)
		return fresh;
	json_decref(fresh);
	return NULL;
}
