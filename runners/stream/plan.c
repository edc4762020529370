// SPDX-License-Identifier: GPL-2.0-only
#include "stream/plan.h"

#include <stdlib.h>
#include <string.h>

#include "stream/text.h"
#include "stream/traits.h"

struct end {
	uint64_t traits;
	bool ours;
};

struct ends {
	struct end *ends;
	size_t count;
};

/* A case, as far as pairs are concerned. */
struct entry {
	struct traits needs;
	json_t *name;
	bool judges[TRAIT_ROLES];
	bool one_party;
	bool ends_alone;	/* judges no code of the kernel's besides */
	bool any[TRAIT_ROLES];	/* if not judged, it has no part in the outcome */
	bool always;		/* says something new on each pair */
	bool last_resort;	/* is for pairs that would be without any */
	bool is_void;		/* the law has none of its clauses */
	bool each_end;		/* does where an end was in none before */
	bool *judged;		/* by who matters at both ends, see matters() */
	bool *met[TRAIT_ROLES];	/* if each_end, by who matters there, instead */
};

struct plan {
	const struct plan_scope *scope;
	const char *program;
	struct entry *entries;
	size_t count;
};

struct plan_scope {
	struct trait_words words[TRAIT_ROLES];
	struct ends roles[TRAIT_ROLES];
	struct plan *plans;
	size_t count;
	bool moves_while_mapped;
};

static const char *const role_names[TRAIT_ROLES] = {
	[TRAITS_EXPORTER] = "exporter",
	[TRAITS_IMPORTER] = "importer",
};

static const char *const any_of_role[TRAIT_ROLES] = {
	[TRAITS_EXPORTER] = "any_exporter",
	[TRAITS_IMPORTER] = "any_importer",
};

bool plan_is_ours(const json_t *backend)
{
	return json_is_true(json_object_get(backend, "ours"));
}

/* Whether a case judges this end; clauses on NICs are on their drivers. */
static bool judges(const json_t *parties, enum trait_role role)
{
	return text_is_among(parties, role_names[role]) ||
	       text_is_among(parties, "all") ||
	       (role == TRAITS_IMPORTER && text_is_among(parties, "nic"));
}

/* Besides the back ends, "a peer" and "anyone" may matter. */
static size_t who_may_matter(const struct plan_scope *scope,
			     enum trait_role role)
{
	return scope->roles[role].count + 2;
}

/* Whether a case judges drivers alone. */
static bool judges_ends_alone(const json_t *parties)
{
	json_t *party;
	size_t i;

	json_array_foreach(parties, i, party)
		if (strcmp(json_string_value(party), role_names[TRAITS_EXPORTER]) &&
		    strcmp(json_string_value(party), role_names[TRAITS_IMPORTER]) &&
		    strcmp(json_string_value(party), "nic"))
			return false;
	return true;
}

static bool make_memory(const struct plan_scope *scope, struct entry *entry)
{
	size_t exporters = who_may_matter(scope, TRAITS_EXPORTER);
	size_t importers = who_may_matter(scope, TRAITS_IMPORTER);

	if (entry->each_end) {
		entry->met[TRAITS_EXPORTER] = calloc(exporters, sizeof(bool));
		entry->met[TRAITS_IMPORTER] = calloc(importers, sizeof(bool));
		return entry->met[TRAITS_EXPORTER] &&
		       entry->met[TRAITS_IMPORTER];
	}
	entry->judged = calloc(exporters * importers, sizeof(bool));
	return entry->judged;
}

/* A case that does not tell whom it judges may always say something new. */
static bool read_entry(struct plan_scope *scope, struct entry *entry,
		       const json_t *json)
{
	json_t *parties = json_object_get(json, "parties");

	entry->needs = traits_needed(scope->words,
				     json_object_get(json, "needs"));
	entry->name = json_object_get(json, "case");
	for (size_t i = 0; i < TRAIT_ROLES; i++)
		entry->judges[i] = judges(parties, i);
	entry->one_party = json_array_size(parties) == 1;
	entry->ends_alone = judges_ends_alone(parties);
	for (size_t i = 0; i < TRAIT_ROLES; i++)
		entry->any[i] = json_is_true(json_object_get(json, any_of_role[i]));
	entry->last_resort = json_is_true(json_object_get(json, "last_resort"));
	entry->is_void = json_is_true(json_object_get(json, "void"));
	entry->always = !json_array_size(parties) ||
			json_is_true(json_object_get(json, "each_pair"));
	entry->each_end = entry->judges[TRAITS_EXPORTER] ?
		entry->one_party && text_is_among(parties, "all") :
		!entry->judges[TRAITS_IMPORTER];
	return entry->always || make_memory(scope, entry);
}

static bool read_plan(struct plan_scope *scope, const char *program,
		      const json_t *cases)
{
	struct plan *plan = &scope->plans[scope->count++];
	bool good = true;
	json_t *entry;
	size_t i;

	plan->scope = scope;
	plan->program = program;
	/* One more: of nothing, calloc() may make NULL. */
	plan->entries = calloc(json_array_size(cases) + 1,
			       sizeof(*plan->entries));
	if (!plan->entries)
		return false;
	json_array_foreach(cases, i, entry)
		good = good && read_entry(scope, &plan->entries[plan->count++],
					  entry);
	return good;
}

static bool read_plans(struct plan_scope *scope, const json_t *plans)
{
	const char *program;
	bool good = true;
	json_t *cases;

	scope->plans = calloc(json_object_size(plans) + 1,
			      sizeof(*scope->plans));
	if (!scope->plans)
		return false;
	json_object_foreach((json_t *)plans, program, cases)
		good = good && read_plan(scope, program, cases);
	return good;
}

static bool make_ends(struct ends *ends, const json_t *backends)
{
	ends->count = json_array_size(backends);
	ends->ends = calloc(ends->count + 1, sizeof(*ends->ends));
	return ends->ends;
}

/* After the plans, which say what is worth to be known of an end. */
static void read_ends(struct ends *ends, const struct trait_words *words,
		      const json_t *backends)
{
	json_t *backend;
	size_t i;

	json_array_foreach(backends, i, backend) {
		ends->ends[i].traits = traits_of_end(words,
			json_object_get(backend, "capabilities"));
		ends->ends[i].ours = plan_is_ours(backend);
	}
}

struct plan_scope *plan_scope_make(const json_t *plans, const json_t *exporters,
				   const json_t *importers,
				   bool moves_while_mapped)
{
	const json_t *backends[TRAIT_ROLES] = {
		[TRAITS_EXPORTER] = exporters,
		[TRAITS_IMPORTER] = importers,
	};
	struct plan_scope *scope = calloc(1, sizeof(*scope));
	bool good = scope;

	for (size_t i = 0; good && i < TRAIT_ROLES; i++) {
		trait_words_begin(&scope->words[i]);
		good = make_ends(&scope->roles[i], backends[i]);
	}
	if (!good || !read_plans(scope, plans)) {
		plan_scope_release(scope);
		return NULL;
	}
	for (size_t i = 0; i < TRAIT_ROLES; i++)
		read_ends(&scope->roles[i], &scope->words[i], backends[i]);
	scope->moves_while_mapped = moves_while_mapped;
	return scope;
}

static void release_plan(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		free(plan->entries[i].judged);
		for (size_t j = 0; j < TRAIT_ROLES; j++)
			free(plan->entries[i].met[j]);
	}
	free(plan->entries);
}

void plan_scope_release(struct plan_scope *scope)
{
	if (!scope)
		return;
	for (size_t i = 0; i < scope->count; i++)
		release_plan(&scope->plans[i]);
	free(scope->plans);
	for (size_t i = 0; i < TRAIT_ROLES; i++)
		free(scope->roles[i].ends);
	free(scope);
}

struct plan *plan_of(struct plan_scope *scope, const char *program)
{
	for (size_t i = 0; i < scope->count; i++)
		if (!strcmp(scope->plans[i].program, program))
			return &scope->plans[i];
	return NULL;
}

static const struct end *end_of(const struct plan_scope *scope,
				enum trait_role role, size_t number)
{
	return &scope->roles[role].ends[number];
}

static struct traits traits_had(const struct plan_scope *scope,
				struct plan_pair pair)
{
	return traits_of_pair(
		end_of(scope, TRAITS_EXPORTER, pair.exporter)->traits,
		end_of(scope, TRAITS_IMPORTER, pair.importer)->traits);
}

bool plan_case_fits(const struct plan *plan, size_t number,
		    struct plan_pair pair)
{
	struct traits had = traits_had(plan->scope, pair);

	return traits_suffice(&had, &plan->entries[number].needs);
}

bool plan_fits(const struct plan *plan, struct plan_pair pair, size_t *count)
{
	struct traits had;

	*count = 0;
	if (!plan)
		return true;
	had = traits_had(plan->scope, pair);
	for (size_t i = 0; i < plan->count; i++)
		*count += traits_suffice(&had, &plan->entries[i].needs);
	return *count;
}

/* Whether a case looks at what only a peer shows of itself. */
static bool needs_peer(const struct entry *entry, enum trait_role role)
{
	uint64_t needed = entry->needs.ends[role];

	return trait_is_in(needed, TRAIT_PEER) ||
	       trait_is_in(needed, TRAIT_UMEM);
}

/* Whether none but peers are judged. */
static bool is_self_test(const struct plan_scope *scope,
			 const struct entry *entry, const size_t pair[TRAIT_ROLES])
{
	if (!entry->ends_alone)
		return false;
	for (size_t i = 0; i < TRAIT_ROLES; i++)
		if (entry->judges[i] && !end_of(scope, i, pair[i])->ours)
			return false;
	return true;
}

static size_t a_peer(const struct plan_scope *scope, enum trait_role role)
{
	return scope->roles[role].count;
}

static size_t anyone(const struct plan_scope *scope, enum trait_role role)
{
	return scope->roles[role].count + 1;
}

/*
 * Who must be at one end for a case to say something new: everyone; or any that
 * fits, if it is a self-test of a peer, or a partner that has no part in the
 * outcome; or, of other partners, one of the peers if it need not be a peer at all.
 */
static size_t matters(const struct plan_scope *scope, const struct entry *entry,
		      enum trait_role role, const size_t pair[TRAIT_ROLES])
{
	if (is_self_test(scope, entry, pair))
		return anyone(scope, role);
	if (entry->judges[role])
		return pair[role];
	if (entry->any[role])
		return anyone(scope, role);
	if (end_of(scope, role, pair[role])->ours && !needs_peer(entry, role))
		return a_peer(scope, role);
	return pair[role];
}

/*
 * Only an importer that is told of moves can do without a pin, and only where
 * a mapping is none. Whether a driver pins all the same is not known.
 */
static bool needs_pin(uint64_t importer, bool moves_while_mapped)
{
	bool known = trait_is_in(importer, TRAIT_PEER) ||
		     trait_is_in(importer, TRAIT_UMEM_STEPS);

	return !known || !trait_is_in(importer, TRAIT_NOTIFIED) ||
	       trait_is_in(importer, TRAIT_PINNED) || !moves_while_mapped;
}

/* Whether the exporter may decline the importer at run time. */
static bool may_decline(const struct plan_scope *scope, struct plan_pair pair)
{
	struct traits had = traits_had(scope, pair);
	uint64_t exporter = had.ends[TRAITS_EXPORTER];
	uint64_t importer = had.ends[TRAITS_IMPORTER];

	if (!trait_is_in(importer, TRAIT_ATTACHES))
		return false;
	if (trait_is_in(exporter, TRAIT_REFUSES_PIN) &&
	    needs_pin(importer, scope->moves_while_mapped))
		return true;
	return trait_is_in(exporter, TRAIT_REVOKES) &&
	       !trait_is_in(importer, TRAIT_NOTIFIED);
}

static void put_end(struct plan_pair *pair, enum trait_role role, size_t number)
{
	if (role == TRAITS_EXPORTER)
		pair->exporter = number;
	else
		pair->importer = number;
}

/* Whether a case had better wait for another partner, whose role that is. */
static bool has_surer_partner(const struct plan *plan, size_t number,
			      struct plan_pair pair, enum trait_role role)
{
	const struct plan_scope *scope = plan->scope;
	bool ours = end_of(scope, role, role == TRAITS_EXPORTER ?
			   pair.exporter : pair.importer)->ours;

	if (!may_decline(scope, pair))
		return false;
	for (size_t i = 0; i < scope->roles[role].count; i++) {
		/* Of a judged peer another peer may be judged instead, and no driver. */
		if (plan->entries[number].judges[role] &&
		    end_of(scope, role, i)->ours != ours)
			continue;
		put_end(&pair, role, i);
		if (!may_decline(scope, pair) &&
		    plan_case_fits(plan, number, pair))
			return true;
	}
	return false;
}

/*
 * Where no end is a mere partner, since all are judged or the kernel's own code
 * is, each has to be there once, whoever is at the other end.
 */
static bool meets_new_end(struct plan *plan, size_t number,
			  struct plan_pair pair, const size_t who[TRAIT_ROLES])
{
	static const enum trait_role partner[TRAIT_ROLES] = {
		[TRAITS_EXPORTER] = TRAITS_IMPORTER,
		[TRAITS_IMPORTER] = TRAITS_EXPORTER,
	};
	bool found = false;

	for (size_t i = 0; i < TRAIT_ROLES; i++) {
		bool *met = &plan->entries[number].met[i][who[i]];

		if (*met || has_surer_partner(plan, number, pair, partner[i]))
			continue;
		*met = true;
		found = true;
	}
	return found;
}

/* Whether the case had better wait for another pair, since anyone will do at an end. */
static bool has_surer_pair(const struct plan *plan, size_t number,
			   struct plan_pair pair, const size_t who[TRAIT_ROLES])
{
	for (size_t i = 0; i < TRAIT_ROLES; i++)
		if (who[i] == anyone(plan->scope, i) &&
		    has_surer_partner(plan, number, pair, i))
			return true;
	return false;
}

/*
 * What all alike are judged by is judged of each two drivers together: that is what
 * people ask about, and where no peer looks.
 */
static bool is_of_drivers(const struct plan_scope *scope,
			  const struct entry *entry, const size_t pair[TRAIT_ROLES])
{
	for (size_t i = 0; i < TRAIT_ROLES; i++)
		if (!entry->judges[i] || end_of(scope, i, pair[i])->ours)
			return false;
	return entry->each_end;
}

/* Whether no pair before says the same; from now on one does. */
static bool is_fresh(struct plan *plan, size_t number, struct plan_pair pair)
{
	const struct plan_scope *scope = plan->scope;
	const struct entry *entry = &plan->entries[number];
	const size_t ends[TRAIT_ROLES] = {
		[TRAITS_EXPORTER] = pair.exporter,
		[TRAITS_IMPORTER] = pair.importer,
	};
	size_t who[TRAIT_ROLES];
	bool *judged;

	if (entry->always || is_of_drivers(scope, entry, ends))
		return true;
	for (size_t i = 0; i < TRAIT_ROLES; i++)
		who[i] = matters(scope, entry, i, ends);
	if (entry->each_end)
		return meets_new_end(plan, number, pair, who);
	judged = &entry->judged[who[TRAITS_EXPORTER] *
				who_may_matter(scope, TRAITS_IMPORTER) +
				who[TRAITS_IMPORTER]];
	if (*judged || has_surer_pair(plan, number, pair, who))
		return false;
	*judged = true;
	return true;
}

json_t *plan_fresh(struct plan *plan, struct plan_pair pair)
{
	bool all = true;
	struct traits had;
	json_t *fresh;

	if (!plan)
		return NULL;
	had = traits_had(plan->scope, pair);
	fresh = json_array();
	for (size_t i = 0; i < plan->count; i++) {
		if (!traits_suffice(&had, &plan->entries[i].needs))
			continue;
		if (is_fresh(plan, i, pair))
			json_array_append(fresh, plan->entries[i].name);
		else
			all = false;
	}
	if (!all)
		return fresh;
	json_decref(fresh);
	return NULL;
}

static bool is_among(const json_t *names, const struct entry *entry)
{
	return !names || text_is_among(names, json_string_value(entry->name));
}

/* Whether a case that fits says something; if it needs one device, who knows. */
static bool is_sure(const struct entry *entry)
{
	return !entry->is_void && !entry->needs.self;
}

bool plan_speaks(const struct plan *plan, struct plan_pair pair,
		 const json_t *cases)
{
	if (!plan)
		return true;
	for (size_t i = 0; i < plan->count; i++)
		if (is_sure(&plan->entries[i]) && plan_case_fits(plan, i, pair) &&
		    is_among(cases, &plan->entries[i]))
			return true;
	return false;
}

json_t *plan_last_resort(const struct plan *plan, struct plan_pair pair)
{
	for (size_t i = 0; plan && i < plan->count; i++)
		if (plan->entries[i].last_resort && is_sure(&plan->entries[i]) &&
		    plan_case_fits(plan, i, pair))
			return plan->entries[i].name;
	return NULL;
}
