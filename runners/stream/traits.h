/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What cases need of a pair and what a pair has, as bits: each word that some case
 * needs of a role has a number there. A word that finds no number left cannot be
 * told, and counts as met.
 */
#ifndef CTS_STREAM_TRAITS_H
#define CTS_STREAM_TRAITS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRAIT_WORDS	64

enum trait_role { TRAITS_EXPORTER, TRAITS_IMPORTER, TRAIT_ROLES };

/* Words that mean something to us, too, have the same number for both roles. */
enum trait {
	TRAIT_PEER,
	TRAIT_UMEM,
	TRAIT_UMEM_STEPS,
	TRAIT_ATTACHES,
	TRAIT_NOTIFIED,
	TRAIT_P2P,
	TRAIT_WANTS_P2P,
	TRAIT_PINNED,
	TRAIT_REFUSES_PIN,
	TRAIT_REVOKES,
	TRAIT_IOMMUFD,
	TRAIT_VFIO,
	TRAITS_KNOWN
};

/* The words of a role by number; they live as long as what they were read from. */
struct trait_words {
	const char *words[TRAIT_WORDS];
	size_t count;
};

/* Needed of a pair, or had by it. */
struct traits {
	uint64_t ends[TRAIT_ROLES];
	bool unwanted;		/* the exporter must turn the importer away */
	bool unsuited;		/* the importer takes none of the exporter's buffers */
	bool self;		/* both are one device: needed, but not known of a pair */
};

static inline bool trait_is_in(uint64_t set, enum trait trait)
{
	return set >> trait & 1;
}

/* The words that need no case to be known. */
void trait_words_begin(struct trait_words *words);

/**
 * traits_needed - what a case needs
 * @words: of each role; gets those that are new
 * @needs: array of "ROLE WORD"
 *
 * Of the pair, and not of one end, are "importer unwanted", "importer unsuited", and
 * "importer self", which only a program can tell.
 */
struct traits traits_needed(struct trait_words words[TRAIT_ROLES],
			    const json_t *needs);

/**
 * traits_of_end - what a back end has, of all that is needed
 * @words: of its role, after all cases were read
 * @capabilities: array of words
 */
uint64_t traits_of_end(const struct trait_words *words,
		       const json_t *capabilities);

/* What two ends have together. */
struct traits traits_of_pair(uint64_t exporter, uint64_t importer);

/**
 * traits_suffice - whether a pair has all that a case needs
 *
 * Of a pair that cannot come together nothing else can be seen: only cases that need
 * such a pair are for it.
 */
static inline bool traits_suffice(const struct traits *had,
				  const struct traits *needed)
{
	return had->unwanted == needed->unwanted &&
	       had->unsuited == needed->unsuited &&
	       !(needed->ends[TRAITS_EXPORTER] & ~had->ends[TRAITS_EXPORTER]) &&
	       !(needed->ends[TRAITS_IMPORTER] & ~had->ends[TRAITS_IMPORTER]);
}

#endif
