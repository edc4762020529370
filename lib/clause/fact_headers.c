// SPDX-License-Identifier: GPL-2.0-only
/*
 * Facts about types from the kernel's own headers, for a kernel without type
 * information. A struct's body is searched for the member's name as a word
 * outside of comments, which is enough for the plain structs in question.
 */

#include "clause/fact.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where distributions keep them; the first that is there counts. */
static const char *const header_folders[] = { "source", "build" };

#define HEADER		"include/linux/dma-buf.h"
#define HEADER_SIZE_MAX	(1 << 20)

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t length;

	if (!file)
		return NULL;
	text = malloc(HEADER_SIZE_MAX + 1);
	if (text) {
		length = fread(text, 1, HEADER_SIZE_MAX, file);
		text[length] = '\0';
	}
	fclose(file);
	return text;
}

static char *read_header(const char *root, const char *release)
{
	char path[PATH_MAX];
	char *text = NULL;

	for (size_t i = 0; i < 2 && !text; i++) {
		snprintf(path, sizeof(path), "%s/lib/modules/%s/%s/%s", root,
			 release, header_folders[i], HEADER);
		text = read_file(path);
	}
	return text;
}

static void blank_comments(char *text)
{
	char *end;

	while ((text = strstr(text, "/*"))) {
		end = strstr(text + 2, "*/");
		end = end ? end + 2 : text + strlen(text);
		memset(text, ' ', end - text);
	}
}

static bool is_word_character(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Whether @word stands by itself somewhere in @length bytes of @text. */
static bool has_word(const char *text, size_t length, const char *word)
{
	size_t size = strlen(word);
	const char *end = text + length;
	const char *at = text;

	while ((at = memmem(at, end - at, word, size))) {
		if (!is_word_character(at[-1]) && !is_word_character(at[size]))
			return true;
		at += size;
	}
	return false;
}

static void look_at_struct(const char *text, struct fact *fact)
{
	char opening[80];
	const char *body, *end;

	snprintf(opening, sizeof(opening), "struct %s {", fact->name);
	body = strstr(text, opening);
	end = body ? strstr(body, "\n};") : NULL;
	if (!end)
		return;
	body += strlen(opening);
	fact_settle(fact, has_word(body, end - body, fact->member) ?
		    PRESENT : ABSENT, HEADER);
}

void facts_read_headers(const char *root, const char *release,
			struct fact *facts, size_t count)
{
	char *text = NULL;
	bool read = false;

	for (size_t i = 0; i < count; i++) {
		if (facts[i].state || facts[i].kind != FACT_MEMBER)
			continue;
		if (!read) {
			text = read_header(root, release);
			read = true;
			if (text)
				blank_comments(text);
		}
		if (text)
			look_at_struct(text, &facts[i]);
	}
	free(text);
}
