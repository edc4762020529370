// SPDX-License-Identifier: GPL-2.0-only
#include "clause/profile.h"

#include <string.h>

static const struct profile profiles[] = {
#define PROFILE(name_, role_, has_, may_, title_) \
	{ .name = name_, .role = PARTY_##role_, .has = has_, .may = may_, \
	  .title = title_ },
#include "clause/profile.def"
};

static const capability_set marks = 0
#define MARK(id) | CAP(id)
#include "clause/profile.def"
;

static const capability_set own = 0
#define OWN(id) | CAP(id)
#include "clause/profile.def"
;

#define COUNT(array)		(sizeof(array) / sizeof((array)[0]))

/* Capabilities of exporters come first. */
#define OF_EXPORTERS		(CAP(IMPORTER_PEER) - 1)

/* As whose duty a party's counts; PARTY_COUNT for what drivers have no part in. */
static const enum party role_of[PARTY_COUNT] = {
	[PARTY_EXPORTER] = PARTY_EXPORTER,
	[PARTY_IMPORTER] = PARTY_IMPORTER,
	[PARTY_NIC] = PARTY_IMPORTER,
	[PARTY_CORE] = PARTY_COUNT,
	[PARTY_RDMA_CORE] = PARTY_COUNT,
	[PARTY_USER] = PARTY_COUNT,
	[PARTY_ALL] = PARTY_COUNT,
};

/* What is asked of the obliged end; the other is a mere partner. */
static capability_set needs_of(enum party role, capability_set needs)
{
	return needs & (role == PARTY_EXPORTER ? OF_EXPORTERS : ~OF_EXPORTERS);
}

const struct profile *profile_get(size_t index)
{
	return index < COUNT(profiles) ? &profiles[index] : NULL;
}

const struct profile *profile_find(const char *name)
{
	for (size_t i = 0; i < COUNT(profiles); i++)
		if (!strcmp(profiles[i].name, name))
			return &profiles[i];
	return NULL;
}

bool profile_takes(const struct profile *profile, capability_set needs)
{
	return !(needs_of(profile->role, needs) &
		 (own | (marks & ~(profile->has | profile->may))));
}

bool profile_asks(const struct profile *profile, const struct clause *clause)
{
	return clause->strength == STRENGTH_MUST &&
	       role_of[clause->party] == profile->role &&
	       profile_takes(profile, clause->applies);
}

capability_set profile_condition(const struct profile *profile,
				 capability_set needs)
{
	return needs_of(profile->role, needs) & ~profile->has;
}

const char *profile_why_none(const struct clause *clause)
{
	enum party role = role_of[clause->party];

	for (size_t i = 0; i < COUNT(profiles); i++)
		if (profile_asks(&profiles[i], clause))
			return NULL;
	if (role == PARTY_COUNT)
		return "it obliges no driver";
	return needs_of(role, clause->applies) & own ?
	       "it can be asked of the suite's own peers alone" : NULL;
}
