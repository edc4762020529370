// SPDX-License-Identifier: GPL-2.0-only
/* Reads what tests declare out of the programs' ELF files. */

#include "clause/coverage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTES_SECTION	"clause_notes"
#define WORD_CHARACTERS	"ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
			"abcdefghijklmnopqrstuvwxyz0123456789_"

static const char *const capabilities[] = {
#define CAPABILITY(id, name, text) #id,
#include "pair/capability.def"
#undef CAPABILITY
};

/*
 * The capabilities named in an expression. It is C that the preprocessor has
 * been at, so that what stands between their names does not matter.
 */
static capability_set read_needs(const char *expression)
{
	capability_set needs = NEEDS_NOTHING;

	while (*expression) {
		size_t length = strspn(expression, WORD_CHARACTERS);

		for (int i = 0; length && i < CAPABILITY_COUNT; i++)
			if (strlen(capabilities[i]) == length &&
			    !memcmp(capabilities[i], expression, length))
				needs |= CAP(i);
		expression += length ? length : 1;
	}
	return needs;
}

/* "PIN_04_a, PIN_04_b": ids that the table lacks are of another version. */
static int add_clauses(struct covering_test *test, char *list)
{
	char *rest;

	for (char *id = strtok_r(list, ", ", &rest); id;
	     id = strtok_r(NULL, ", ", &rest)) {
		const struct clause *clause = clause_find(id);
		const struct clause **clauses;

		if (!clause)
			continue;
		clauses = reallocarray(test->clauses, test->count + 1,
				       sizeof(*clauses));
		if (!clauses)
			return -ENOMEM;
		clauses[test->count++] = clause;
		test->clauses = clauses;
	}
	return 0;
}

/* "pin_holds_storage: PIN_04_a, PIN_04_b; what it needs" */
static int add_test(struct coverage *coverage, const char *program,
		    const char *note)
{
	size_t name_length = strcspn(note, ":");
	struct covering_test *tests, *test;
	char *list;
	int error;

	if (!note[name_length])
		return 0;	/* between two notes, or none */
	tests = reallocarray(coverage->tests, coverage->count + 1,
			     sizeof(*tests));
	if (!tests)
		return -ENOMEM;
	coverage->tests = tests;
	test = &tests[coverage->count++];
	memset(test, 0, sizeof(*test));
	test->program = strdup(program);
	test->name = strndup(note, name_length);
	note += name_length + 1;
	list = strndup(note, strcspn(note, ";"));
	test->needs = read_needs(note + strcspn(note, ";"));
	if (!test->program || !test->name || !list) {
		free(list);
		return -ENOMEM;
	}
	error = add_clauses(test, list);
	free(list);
	return error;
}

/* The section holds strings, with zeroes between them where it is aligned. */
static int add_notes(struct coverage *coverage, const char *program,
		     const Elf_Data *data)
{
	const char *note = data->d_buf;
	const char *end = note + data->d_size;
	int error = 0;

	while (!error && note < end && memchr(note, '\0', end - note)) {
		error = add_test(coverage, program, note);
		note += strlen(note) + 1;
	}
	return error;
}

static int read_sections(struct coverage *coverage, const char *program,
			 Elf *elf)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &names))
		return 0;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		Elf_Data *data = NULL;
		const char *name;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && !strcmp(name, NOTES_SECTION))
			data = elf_getdata(section, NULL);
		if (data && data->d_buf)
			return add_notes(coverage, program, data);
	}
	return 0;
}

static int read_program(struct coverage *coverage, const char *folder,
			const char *program)
{
	char path[PATH_MAX];
	int fd, error = 0;
	Elf *elf;

	snprintf(path, sizeof(path), "%s/%s", folder, program);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf) {
		error = read_sections(coverage, program, elf);
		elf_end(elf);
	}
	close(fd);
	return error;
}

/* What cts-all declares, its programs do as well. */
static int may_declare(const struct dirent *entry)
{
	return entry->d_type != DT_DIR && strncmp(entry->d_name, "cts-", 4);
}

static int compare_tests(const void *left, const void *right)
{
	const struct covering_test *a = left, *b = right;
	int order = strcmp(a->program, b->program);

	return order ? order : strcmp(a->name, b->name);
}

int coverage_read(const char *folder, struct coverage *coverage)
{
	struct dirent **entries;
	int count, error = 0;

	memset(coverage, 0, sizeof(*coverage));
	count = scandir(folder, &entries, may_declare, alphasort);
	if (count < 0)
		return -errno;
	elf_version(EV_CURRENT);
	for (int i = 0; i < count; i++) {
		if (!error)
			error = read_program(coverage, folder,
					     entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (!error && coverage->count)
		qsort(coverage->tests, coverage->count,
		      sizeof(*coverage->tests), compare_tests);
	return error;
}

void coverage_free(struct coverage *coverage)
{
	for (size_t i = 0; i < coverage->count; i++) {
		free(coverage->tests[i].program);
		free(coverage->tests[i].name);
		free(coverage->tests[i].clauses);
	}
	free(coverage->tests);
	memset(coverage, 0, sizeof(*coverage));
}

bool test_declares(const struct covering_test *test,
		   const struct clause *clause)
{
	for (size_t i = 0; i < test->count; i++)
		if (test->clauses[i] == clause ||
		    test->clauses[i]->whole == clause)
			return true;
	return false;
}

bool is_tested(const struct coverage *coverage, const struct clause *clause)
{
	for (size_t i = 0; i < coverage->count; i++)
		if (test_declares(&coverage->tests[i], clause))
			return true;
	return false;
}

void coverage_own_folder(char *folder, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", folder, size - 1);

	if (length < 0)
		length = snprintf(folder, size, "./cts");
	folder[length] = '\0';
	*strrchr(folder, '/') = '\0';
}
