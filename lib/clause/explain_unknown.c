// SPDX-License-Identifier: GPL-2.0-only
/* What somebody may have meant who asked for a clause that is not there. */

#include <string.h>
#include <strings.h>

#include "clause/explain.h"

#define NEAR		2	/* letters wrong, missing or too many */
#define NAME_MAX_SIZE	32

static int smallest(int a, int b, int c)
{
	int smaller = a < b ? a : b;

	return smaller < c ? smaller : c;
}

/* How many letters must be changed, added or removed to make @b of @a. */
static int distance(const char *a, const char *b)
{
	int row[CLAUSE_ID_SIZE];
	int length = strlen(b);

	for (int j = 0; j <= length; j++)
		row[j] = j;
	for (; *a; a++) {
		int diagonal = row[0]++;

		for (int j = 1; j <= length; j++) {
			int above = row[j];
			bool same = !strncasecmp(a, &b[j - 1], 1);

			row[j] = smallest(row[j - 1] + 1, above + 1,
					  diagonal + !same);
			diagonal = above;
		}
	}
	return row[length];
}

static const struct clause_group *group_of(const char *name)
{
	const struct clause_group *group;

	for (size_t i = 0; (group = clause_group(i)); i++) {
		size_t length = strlen(group->name);

		if (!strncasecmp(name, group->name, length) &&
		    strchr("-_", name[length]))
			return group;
	}
	return NULL;
}

static const struct clause *last_of(const struct clause_group *group)
{
	const struct clause *clause = NULL, *last = NULL;

	while ((clause = clause_next(clause)))
		if (clause_in_group(clause, group))
			last = clause;
	return last;
}

/* "PIN-08.z" is near to PIN-08, and so is "PIN-08b". */
static const struct clause *whole_of(const char *name)
{
	char whole[NAME_MAX_SIZE];
	size_t length = strcspn(name, "-_");

	length += strspn(name + length, "-_0123456789");
	if (length && strchr("-_", name[length - 1]))
		length--;
	snprintf(whole, sizeof(whole), "%.*s", (int)length, name);
	return clause_find(whole);
}

/* "PIN-8" is for PIN-08. */
static const struct clause *padded_of(const char *name)
{
	char padded[NAME_MAX_SIZE];
	size_t length = strcspn(name, "-_");

	if (!name[length] || strspn(name + length + 1, "0123456789") != 1)
		return NULL;
	snprintf(padded, sizeof(padded), "%.*s-0%s", (int)length, name,
		 name + length + 1);
	return clause_find(padded);
}

static int nearest_distance(const char *name)
{
	const struct clause *clause = NULL;
	int nearest = NEAR + 1;

	while ((clause = clause_next(clause))) {
		int here = distance(name, clause->id);

		if (here < nearest)
			nearest = here;
	}
	return nearest;
}

static bool suggest_near(FILE *out, const char *name)
{
	const struct clause *clause = NULL;
	const char *between = "  near to it: ";
	int nearest = nearest_distance(name);

	if (nearest > NEAR)
		return false;
	while ((clause = clause_next(clause))) {
		if (distance(name, clause->id) > nearest)
			continue;
		fprintf(out, "%s%s", between, clause->id);
		between = ", ";
	}
	putc('\n', out);
	return true;
}

void explain_unknown(FILE *out, const char *name)
{
	const struct clause *whole = whole_of(name);
	const struct clause *padded = padded_of(name);
	const struct clause_group *group = group_of(name);

	fprintf(out, "no clause has the id \"%s\"\n", name);
	if (whole && whole->letters)
		fprintf(out, "  %s has the checks a to %c\n", whole->id,
			'a' + (int)whole->letters - 1);
	else if (whole)
		fprintf(out, "  %s has no letters\n", whole->id);
	else if (padded)
		fprintf(out, "  near to it: %s\n", padded->id);
	else if (group)
		fprintf(out, "  the last clause on %s is %s\n", group->title,
			last_of(group)->id);
	else if (!suggest_near(out, name))
		fputs("  an id is like PIN-08 or UAPI-08.a; "
		      "--list lists them all\n", out);
}
