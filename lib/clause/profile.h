/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles of conformance, as clause/profile.def derives them from the table. */
#ifndef CTS_PROFILE_H
#define CTS_PROFILE_H

#include "clause/clause.h"

/**
 * struct profile - what drivers of one kind must keep
 * @name: as people write it: "exporter-dynamic"
 * @role: PARTY_EXPORTER or PARTY_IMPORTER
 * @has: marks that such a driver declares
 * @may: marks that it may declare besides
 * @title: what it is, in words
 */
struct profile {
	const char *name;
	enum party role;
	capability_set has;
	capability_set may;
	const char *title;
};

/**
 * profile_get - one of the profiles, those of a role in their order
 * @index: 0 for the first
 *
 * Return: the profile; NULL if there are no more.
 */
const struct profile *profile_get(size_t index);

/**
 * profile_find - the profile of that name
 * @name: such as "importer-pinned"
 *
 * Return: the profile; NULL if there is none.
 */
const struct profile *profile_find(const char *name);

/**
 * profile_asks - whether a clause belongs to a profile
 * @profile: the profile
 * @clause: a check or a clause without letters
 */
bool profile_asks(const struct profile *profile, const struct clause *clause);

/**
 * profile_takes - whether a driver of a profile can be what a test needs
 * @profile: the profile
 * @needs: capabilities of a pair
 */
bool profile_takes(const struct profile *profile, capability_set needs);

/**
 * profile_condition - what a driver must declare besides
 * @profile: the profile
 * @needs: capabilities of a pair that a clause applies to, or a test needs
 *
 * Return: capabilities of the profile's role, without those that each of its
 * drivers has.
 */
capability_set profile_condition(const struct profile *profile,
				 capability_set needs);

/**
 * profile_why_none - why no profile has a MUST
 * @clause: a check or a clause without letters
 *
 * Return: a text; NULL if a profile has it, or if no reason is known.
 */
const char *profile_why_none(const struct clause *clause);

#endif
