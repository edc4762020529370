// SPDX-License-Identifier: GPL-2.0-only
#include "monitor/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function of more is none: the address lies behind the last that is known. */
#define FUNCTION_MAX	(1 << 20)

struct symbol {
	__u64 address;
	const char *name;
	const char *module;	/* "" in the kernel itself */
};

/* The file as a whole, cut into words: there are hundreds of thousands. */
static struct {
	char *text;
	struct symbol *symbols;
	size_t count;
	size_t room;
	bool read;
} list;

static int by_address(const void *a, const void *b)
{
	const struct symbol *one = a, *other = b;

	return one->address < other->address ? -1 :
	       one->address > other->address;
}

static int add(const struct symbol *symbol)
{
	struct symbol *more = list.symbols;

	if (list.count == list.room) {
		list.room = list.room ? 2 * list.room : 1 << 16;
		more = realloc(list.symbols, list.room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		list.symbols = more;
	}
	list.symbols[list.count++] = *symbol;
	return 0;
}

/* "ffffffff81000000 T name", and a tab and "[module]" of one in a module. */
static int add_line(char *line)
{
	struct symbol symbol = { .module = "" };
	char *word;

	symbol.address = strtoull(line, &word, 16);
	if (!symbol.address || word[0] != ' ' || strlen(word) < 4 ||
	    !strchr("tTwWdDbBrRvV", word[1]))
		return 0;
	symbol.name = word + 3;
	word += 3 + strcspn(word + 3, "\t");
	if (*word) {
		*word++ = '\0';
		symbol.module = word + 1;
		word[strcspn(word, "]")] = '\0';
	}
	return add(&symbol);
}

static char *read_all(const char *path)
{
	FILE *file = fopen(path, "r"), *copy;
	char chunk[1 << 16], *text = NULL;
	size_t length, size;

	copy = file ? open_memstream(&text, &size) : NULL;
	while (copy && (length = fread(chunk, 1, sizeof(chunk), file)))
		fwrite(chunk, 1, length, copy);
	if (copy)
		fclose(copy);
	if (file)
		fclose(file);
	return text;
}

int symbol_read(const char *path)
{
	char *text = read_all(path), *line, *rest = text;
	int error = 0;

	list.read = true;
	if (!text)
		return -errno;
	free(list.text);
	list.text = text;
	list.count = 0;
	while (!error && (line = strsep(&rest, "\n")))
		error = add_line(line);
	qsort(list.symbols, list.count, sizeof(*list.symbols), by_address);
	return error;
}

static const struct symbol *search(__u64 address)
{
	size_t low = 0, high = list.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list.symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - list.symbols[low - 1].address > FUNCTION_MAX)
		return NULL;
	return &list.symbols[low - 1];
}

static const struct symbol *find(__u64 address)
{
	const struct symbol *symbol = list.read ? search(address) : NULL;

	if (symbol || !address)
		return symbol;
	symbol_read("/proc/kallsyms");
	return search(address);
}

size_t symbol_functions(const char *prefix, const char **names, size_t room)
{
	size_t count = 0;

	if (!list.read)
		symbol_read("/proc/kallsyms");
	for (size_t i = 0; i < list.count && count < room; i++)
		if (!*list.symbols[i].module &&
		    !strncmp(list.symbols[i].name, prefix, strlen(prefix)))
			names[count++] = list.symbols[i].name;
	return count;
}

void symbol_name(__u64 address, char *name, size_t size)
{
	const struct symbol *symbol = find(address);

	if (!symbol)
		snprintf(name, size, "0x%llx", (unsigned long long)address);
	else
		snprintf(name, size, "%s+0x%llx%s%s%s", symbol->name,
			 (unsigned long long)(address - symbol->address),
			 *symbol->module ? " [" : "", symbol->module,
			 *symbol->module ? "]" : "");
}

bool symbol_is_frame(__u64 address)
{
	static const char *const others[] = {
		"bpf_", "__bpf_", "do_syscall_64", "entry_SYSCALL", "x64_sys_call",
		"__do_sys_", "__se_sys_", "__x64_sys_", "ret_from_fork",
	};
	const struct symbol *symbol = find(address);

	if (!symbol)
		return true;
	if (!strcmp(symbol->module, "bpf"))
		return false;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strncmp(symbol->name, others[i], strlen(others[i])))
			return false;
	return true;
}

void symbol_module(__u64 address, char *name, size_t size)
{
	const struct symbol *symbol = find(address);

	snprintf(name, size, "%s", symbol ? symbol->module : "");
}
