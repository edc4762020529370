// SPDX-License-Identifier: GPL-2.0-only
/* Reads mutants and gaps, a line for each. */
#include "clause/proof.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS		" \t\n"
#define CLAUSES_MAX	32

static const struct {
	const char *name, *reason, *closer;
} kinds[] = {
#define GAP(name, reason, closer) { #name, reason, closer },
#include "clause/gap.def"
#undef GAP
};

/* A line that is being read. */
struct place {
	const char *path;
	int number;
};

static int complain(const struct place *place, const char *what,
		    const char *word)
{
	fprintf(stderr, "%s:%d: %s%s%s\n", place->path, place->number, what,
		word ? ": " : "", word ?: "");
	return -EINVAL;
}

static int add_breaking(struct proof *proof, const char *whose,
			const char *name, const struct clause *clause)
{
	struct breaking *all = reallocarray(proof->breakings,
					    proof->breaking_count + 1,
					    sizeof(*all));
	struct breaking *breaking;

	if (!all)
		return -ENOMEM;
	proof->breakings = all;
	breaking = &all[proof->breaking_count];
	breaking->clause = clause;
	if (asprintf(&breaking->mutant, "%s:%s", whose, name) < 0)
		return -ENOMEM;
	proof->breaking_count++;
	return 0;
}

/* Whether the words are good ones is for those to say who run them. */
static int read_mutant(struct proof *proof, char *line,
		       const struct place *place)
{
	char *rest, *name, *whose;
	int ret = 0;

	line[strcspn(line, "#")] = '\0';
	name = strtok_r(line, BLANKS, &rest);
	if (!name)
		return 0;
	whose = strtok_r(NULL, BLANKS, &rest);
	if (!whose)
		return complain(place, "whose fault is it", name);
	for (char *word = strtok_r(NULL, BLANKS, &rest); word && !ret;
	     word = strtok_r(NULL, BLANKS, &rest)) {
		const struct clause *clause = clause_find(word);

		if (clause)
			ret = add_breaking(proof, whose, name, clause);
	}
	return ret;
}

static int find_kind(const char *name)
{
	for (int i = 0; name && i < GAP_COUNT; i++)
		if (!strcmp(kinds[i].name, name))
			return i;
	return -1;
}

static int add_gap(struct proof *proof, const struct clause *clause,
		   enum lack lack, enum gap_kind kind, const char *text)
{
	struct gap *all = reallocarray(proof->gaps, proof->gap_count + 1,
				       sizeof(*all));

	if (!all)
		return -ENOMEM;
	proof->gaps = all;
	all[proof->gap_count] = (struct gap) {
		.clause = clause, .lack = lack, .kind = kind,
		.text = strdup(text),
	};
	if (!all[proof->gap_count].text)
		return -ENOMEM;
	proof->gap_count++;
	return 0;
}

/* What follows the clauses of a line: "test|mutant KIND TEXT". */
static int read_reason(struct proof *proof, const struct clause **clauses,
		       int count, const char *lack, char *rest,
		       const struct place *place)
{
	char *kind = strtok_r(NULL, BLANKS, &rest);
	int number = find_kind(kind), ret = 0;

	if (number < 0)
		return complain(place, "no kind of reason", kind);
	rest += strspn(rest, BLANKS);
	if (!*rest)
		return complain(place, "which in particular? after", kind);
	for (int i = 0; i < count && !ret; i++)
		ret = add_gap(proof, clauses[i], strcmp(lack, "test") ?
			      LACKS_MUTANT : LACKS_TEST, number, rest);
	return ret;
}

static int read_gap(struct proof *proof, char *line, const struct place *place)
{
	const struct clause *clauses[CLAUSES_MAX];
	char *rest, *word;
	int count = 0;

	line[strcspn(line, "\n")] = '\0';
	if (*line == '#' || !*line)
		return 0;
	for (word = strtok_r(line, BLANKS, &rest);
	     word && strcmp(word, "test") && strcmp(word, "mutant");
	     word = strtok_r(NULL, BLANKS, &rest)) {
		if (count == CLAUSES_MAX || !clause_find(word))
			return complain(place, "no clause, or too many", word);
		clauses[count++] = clause_find(word);
	}
	if (!word || !count)
		return complain(place, "want CLAUSE... test|mutant KIND TEXT",
				NULL);
	return read_reason(proof, clauses, count, word, rest, place);
}

static int read_lines(struct proof *proof, const char *path,
		      int (*read)(struct proof *proof, char *line,
				  const struct place *place))
{
	struct place place = { .path = path };
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int ret = 0;

	if (!file) {
		ret = -errno;
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return ret;
	}
	while (!ret && getline(&line, &size, file) >= 0) {
		place.number++;
		ret = read(proof, line, &place);
	}
	free(line);
	fclose(file);
	return ret;
}

int proof_read(const char *mutants, const char *gaps, struct proof *proof)
{
	int ret;

	memset(proof, 0, sizeof(*proof));
	ret = read_lines(proof, mutants, read_mutant);
	return ret ? ret : read_lines(proof, gaps, read_gap);
}

void proof_free(struct proof *proof)
{
	for (size_t i = 0; i < proof->breaking_count; i++)
		free(proof->breakings[i].mutant);
	for (size_t i = 0; i < proof->gap_count; i++)
		free(proof->gaps[i].text);
	free(proof->breakings);
	free(proof->gaps);
	memset(proof, 0, sizeof(*proof));
}

static bool covers(const struct clause *clause, const struct clause *check)
{
	return clause == check || clause == check->whole;
}

const struct breaking *proof_breaking(const struct proof *proof,
				      const struct clause *check,
				      const struct breaking *previous)
{
	size_t i = previous ? previous - proof->breakings + 1 : 0;

	for (; i < proof->breaking_count; i++)
		if (covers(proof->breakings[i].clause, check))
			return &proof->breakings[i];
	return NULL;
}

const struct gap *proof_gap(const struct proof *proof,
			    const struct clause *check, enum lack lack)
{
	for (size_t i = 0; i < proof->gap_count; i++)
		if (proof->gaps[i].lack == lack &&
		    covers(proof->gaps[i].clause, check))
			return &proof->gaps[i];
	return NULL;
}

const char *gap_name(enum gap_kind kind)
{
	return kinds[kind].name;
}

const char *gap_reason(enum gap_kind kind)
{
	return kinds[kind].reason;
}

const char *gap_closer(enum gap_kind kind)
{
	return kinds[kind].closer;
}
