/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The law: what holds on the kernel under test. It is a set of independent
 * features (law.def), each found from what the kernel declares: its types,
 * functions and configuration. It is never told from the version number, and
 * never from the outcome that a clause judges.
 */
#ifndef CTS_LAW_H
#define CTS_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define LAW_VARIABLE	"DMABUF_CTS_LAW"

enum law_feature {
#define LAW(id, name, yes, no) LAW_##id,
#include "clause/law.def"
#undef LAW
	LAW_COUNT
};

enum law_value {
	EITHER,		/* nothing declares it */
	NO,
	YES,
};

#define LAW_SOURCE_SIZE	160

/**
 * struct law - all features
 * @value: by enum law_feature
 * @source: where each was found, as "btf: struct dma_buf has no lock"
 */
struct law {
	enum law_value value[LAW_COUNT];
	char source[LAW_COUNT][LAW_SOURCE_SIZE];
};

/**
 * law_load - find the law of the kernel under test, once
 *
 * Takes it from the environment variable DMABUF_CTS_LAW if that is set, so
 * that a runner need probe only once; else probes this machine. A variable
 * that cannot be read ends the program with exit status 2 and a line on what
 * is wrong with it.
 */
void law_load(void);

/**
 * law_present - the law of the kernel under test
 *
 * Return: what law_load() found; it is called if it was not yet.
 */
const struct law *law_present(void);

/**
 * law_value - the value of one feature of the present law
 * @feature: the feature
 */
enum law_value law_value(enum law_feature feature);

/**
 * law_is - whether a feature of the present law is known to be there
 * @feature: the feature
 */
bool law_is(enum law_feature feature);

/**
 * law_parse - read a law as DMABUF_CTS_LAW has it
 * @text: "name=value,..."; the empty text is a law of which nothing is known
 * @law: where to write it; features that @text lacks are EITHER
 * @problem: where to write what is wrong
 * @size: bytes at @problem
 *
 * Return: 0, or -EINVAL with a sentence at @problem: an unknown feature or
 * value, a feature named twice, or no '='.
 */
int law_parse(const char *text, struct law *law, char *problem, size_t size);

/**
 * law_format - write a law as law_parse() reads it
 * @law: the law
 * @text: where to write it
 * @size: bytes at @text
 *
 * Return: the length of the whole text; if that is @size or more it was cut.
 */
size_t law_format(const struct law *law, char *text, size_t size);

/**
 * law_unexpected - features that do not go together in any known kernel
 * @law: the law
 * @index: 0 for the first finding, 1 for the second, and so on
 *
 * Return: a static sentence; NULL when there are no more.
 */
const char *law_unexpected(const struct law *law, size_t index);

/**
 * law_print - write the law as records of cts-probe
 * @law: the law
 * @out: where to: one record of type "law" a line for each feature, and one of
 *	type "note" for each finding of law_unexpected()
 */
void law_print(const struct law *law, FILE *out);

/**
 * law_name - the name of a feature in records
 * @feature: the feature
 */
const char *law_name(enum law_feature feature);

/**
 * law_meaning - what a value of a feature means, in words
 * @feature: the feature
 * @value: YES or NO; EITHER gives "not known"
 */
const char *law_meaning(enum law_feature feature, enum law_value value);

/**
 * law_value_name - "yes", "no", "either"
 * @value: the value
 */
const char *law_value_name(enum law_value value);

#endif
