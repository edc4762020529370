// SPDX-License-Identifier: GPL-2.0-only
#include "stream/traits.h"

#include <string.h>

/* No number. */
#define NONE	TRAIT_WORDS

void trait_words_begin(struct trait_words *words)
{
	static const char *const known[TRAITS_KNOWN] = {
		[TRAIT_PEER] = "peer",
		[TRAIT_UMEM] = "umem",
		[TRAIT_UMEM_STEPS] = "umem-steps",
		[TRAIT_ATTACHES] = "attaches",
		[TRAIT_NOTIFIED] = "notified",
		[TRAIT_P2P] = "p2p",
		[TRAIT_WANTS_P2P] = "wants-p2p",
		[TRAIT_PINNED] = "pinned",
		[TRAIT_REFUSES_PIN] = "refuses-pin",
		[TRAIT_REVOKES] = "revokes",
		[TRAIT_IOMMUFD] = "iommufd",
		[TRAIT_VFIO] = "vfio",
	};

	memcpy(words->words, known, sizeof(known));
	words->count = TRAITS_KNOWN;
}

static size_t find(const struct trait_words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (!strcmp(words->words[i], word))
			return i;
	return NONE;
}

static size_t find_or_add(struct trait_words *words, const char *word)
{
	size_t number = find(words, word);

	if (number != NONE || words->count == TRAIT_WORDS)
		return number;
	words->words[words->count] = word;
	return words->count++;
}

static uint64_t bit(size_t number)
{
	return number == NONE ? 0 : UINT64_C(1) << number;
}

/* Whether a need is of the pair. */
static bool is_of_pair(struct traits *traits, const char *need)
{
	bool unwanted = !strcmp(need, "importer unwanted");
	bool unsuited = !strcmp(need, "importer unsuited");
	bool self = !strcmp(need, "importer self");

	traits->unwanted |= unwanted;
	traits->unsuited |= unsuited;
	traits->self |= self;
	return unwanted || unsuited || self;
}

static void add_need(struct traits *traits, struct trait_words *words,
		     const char *need)
{
	static const char *const roles[TRAIT_ROLES] = {
		[TRAITS_EXPORTER] = "exporter ",
		[TRAITS_IMPORTER] = "importer ",
	};

	if (is_of_pair(traits, need))
		return;
	for (size_t i = 0; i < TRAIT_ROLES; i++) {
		size_t length = strlen(roles[i]);

		if (!strncmp(need, roles[i], length))
			traits->ends[i] |= bit(find_or_add(&words[i],
							   need + length));
	}
}

struct traits traits_needed(struct trait_words words[TRAIT_ROLES],
			    const json_t *needs)
{
	struct traits traits = { 0 };
	json_t *need;
	size_t i;

	json_array_foreach(needs, i, need)
		if (json_is_string(need))
			add_need(&traits, words, json_string_value(need));
	return traits;
}

uint64_t traits_of_end(const struct trait_words *words,
		       const json_t *capabilities)
{
	uint64_t traits = 0;
	json_t *capability;
	size_t i;

	json_array_foreach(capabilities, i, capability)
		if (json_is_string(capability))
			traits |= bit(find(words, json_string_value(capability)));
	return traits;
}

static bool is_unwanted(uint64_t exporter, uint64_t importer)
{
	return trait_is_in(exporter, TRAIT_WANTS_P2P) &&
	       trait_is_in(importer, TRAIT_ATTACHES) &&
	       !(trait_is_in(importer, TRAIT_P2P) &&
		 trait_is_in(importer, TRAIT_NOTIFIED));
}

static bool is_unsuited(uint64_t exporter, uint64_t importer)
{
	return trait_is_in(importer, TRAIT_IOMMUFD) &&
	       !trait_is_in(exporter, TRAIT_VFIO);
}

struct traits traits_of_pair(uint64_t exporter, uint64_t importer)
{
	return (struct traits){
		.ends = {
			[TRAITS_EXPORTER] = exporter,
			[TRAITS_IMPORTER] = importer,
		},
		.unwanted = is_unwanted(exporter, importer),
		.unsuited = is_unsuited(exporter, importer),
	};
}
