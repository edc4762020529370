/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clause table: what the dma-buf contract asks of whom.
 *
 * A clause is one numbered rule (PIN-08). A clause that says several things is
 * split into lettered checks (UAPI-08.a) and is covered only when all of them
 * are. What a test declares and judges is the clause itself where it has no
 * letters, one of its checks otherwise. The enumerators follow that: there is
 * PIN_09 and UAPI_08_a, but no UAPI_08, so that declaring a lettered clause as
 * a whole does not compile.
 *
 * The table itself is clause/clauses.def.
 */
#ifndef CTS_CLAUSE_H
#define CTS_CLAUSE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "clause/law.h"
#include "pair/capability.h"

/* Of the newest entry in clause/CHANGES; results name it. */
#define CLAUSE_TABLE_VERSION	7

/* On whom a clause lays its duty. */
enum party {
	PARTY_EXPORTER,
	PARTY_IMPORTER,
	PARTY_CORE,		/* drivers/dma-buf */
	PARTY_RDMA_CORE,	/* drivers/infiniband/core */
	PARTY_NIC,		/* an RDMA driver */
	PARTY_USER,		/* user space */
	PARTY_ALL,		/* whoever does the thing */
	PARTY_COUNT
};

/* What a broken clause amounts to, weakest first. */
enum strength {
	STRENGTH_NONE,		/* there is no such rule under this law */
	STRENGTH_MAY,		/* a recorded observation */
	STRENGTH_SHOULD,	/* a warning */
	STRENGTH_MUST,		/* a failure */
	STRENGTH_COUNT
};

/* All that can be judged: clauses without letters, and checks of the others. */
enum clause_id {
#define CLAUSE(id, ...) id,
#define CHECK(id, letter, ...) id##_##letter,
#include "clause/clauses.def"
	CLAUSE_COUNT
};

#define CLAUSE_ID_SIZE	16

/**
 * struct clause - one entry of the table
 * @id: as people write it: "PIN-09", "UAPI-08.a"
 * @party: the obliged party; of a lettered clause that of its first check
 * @strength: its strength unless a law says otherwise; of a lettered clause
 *	that of its strongest check
 * @applies: capabilities that a pair must have
 * @text: the statement in full sentences
 * @source: where the rule was read; of a check that of its whole clause
 * @letters: the number of checks that it is split into, 0 for most
 * @whole: of a check the clause that it is a part of, else NULL
 */
struct clause {
	char id[CLAUSE_ID_SIZE];
	enum party party;
	enum strength strength;
	capability_set applies;
	const char *text;
	const char *source;
	unsigned int letters;
	const struct clause *whole;
};

/**
 * struct clause_when - what becomes of a clause under another law
 * @id: a check, or a lettered clause for all its checks
 * @feature: the feature of the law that decides
 * @value: the value under which this holds
 * @strength: the strength that the clause then has
 * @text: what then holds, in words
 */
struct clause_when {
	char id[CLAUSE_ID_SIZE];
	enum law_feature feature;
	enum law_value value;
	enum strength strength;
	const char *text;
};

/**
 * struct clause_group - a chapter of the contract
 * @name: what its ids begin with: "PIN"
 * @title: what it is about
 */
struct clause_group {
	const char *name;
	const char *title;
};

/**
 * clause_get - the entry of an enumerator
 * @id: below CLAUSE_COUNT; anything else ends the program
 *
 * Return: the entry, never NULL.
 */
const struct clause *clause_get(enum clause_id id);

/**
 * clause_find - the entry of a written name
 * @name: "PIN-09", "UAPI-08" or "UAPI-08.a"; in any case, and with '_' for '-'
 *	and '.' as in C
 *
 * Return: the entry, also of a lettered clause as a whole; NULL if there is
 * none.
 */
const struct clause *clause_find(const char *name);

/**
 * clause_next - walk over the numbered clauses, lettered or not, in order
 * @previous: the one before, NULL to begin
 *
 * Return: the next one; NULL after the last.
 */
const struct clause *clause_next(const struct clause *previous);

/**
 * clause_group - a chapter of the contract
 * @index: 0 for the first
 *
 * Return: the group; NULL if there are no more.
 */
const struct clause_group *clause_group(size_t index);

/**
 * clause_in_group - whether a clause belongs to a chapter
 * @clause: any entry
 * @group: the chapter
 */
bool clause_in_group(const struct clause *clause,
		     const struct clause_group *group);

/**
 * clause_letter - a check of a lettered clause
 * @whole: the clause
 * @index: 0 for the check "a", and so on
 *
 * Return: the check; NULL if @whole has no such letter.
 */
const struct clause *clause_letter(const struct clause *whole,
				   unsigned int index);

/**
 * clause_when_next - walk over what other laws make of a clause
 * @clause: any entry; what is said of a clause is said of its checks, and what
 *	is said of a check comes up for its clause
 * @previous: the one before, NULL to begin
 *
 * Return: the next one; NULL after the last.
 */
const struct clause_when *clause_when_next(const struct clause *clause,
					   const struct clause_when *previous);

/**
 * clause_dispute - what documentation and code disagree on
 * @clause: any entry; a check has the dispute of its whole clause
 *
 * Return: a text; NULL if there is no dispute.
 */
const char *clause_dispute(const struct clause *clause);

/**
 * clause_strength_under - the strength of an entry under a given law
 * @clause: a check or a clause without letters
 * @law: the law
 *
 * Of several WHEN entries that hold, the weakest counts. Where the law does
 * not know a feature, the clause is as strong as under the weaker of both
 * values: nobody fails for what perhaps is not asked.
 *
 * Return: the strength; STRENGTH_NONE where the law has no such rule.
 */
enum strength clause_strength_under(const struct clause *clause,
				    const struct law *law);

/**
 * clause_strength - the strength of a clause on the kernel under test
 * @id: the clause or check
 *
 * Return: as clause_strength_under() with the law that law_load() found.
 */
enum strength clause_strength(enum clause_id id);

/**
 * clause_features - the features of the law that a clause depends on
 * @id: the clause or check
 * @features: where to write them, each once
 *
 * Return: how many there are; none for most clauses.
 */
size_t clause_features(enum clause_id id, enum law_feature features[LAW_COUNT]);

/**
 * clause_law - what the present law says of clause_features()
 * @id: the clause or check
 *
 * Return: a new JSON array of strings such as "moves_while_mapped=yes", empty
 * for most clauses.
 */
json_t *clause_law(enum clause_id id);

/**
 * party_name - "exporter", "importer", "core", "rdma-core", "nic", "user", "all"
 * @party: the party
 */
const char *party_name(enum party party);

/**
 * strength_name - "none", "MAY", "SHOULD", "MUST"
 * @strength: the strength
 */
const char *strength_name(enum strength strength);

#endif
