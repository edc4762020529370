// SPDX-License-Identifier: GPL-2.0-only
/* Talks to the kernel's fault injection, of this thread alone. */
#include "oracle/alloc_fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracle/guard.h"
#include "pair/kernel.h"

#define FAIL_NTH	"/proc/thread-self/fail-nth"
#define SETTINGS	"/sys/kernel/debug/"
#define VALUE_SIZE	32

/* Where callers are whose allocations do not count; empty if there are none. */
static char spared_from[VALUE_SIZE], spared_to[VALUE_SIZE];

/*
 * Out of the box only allocations that may not wait fail, and no single page,
 * and each one that does dumps its stack.
 */
static struct setting {
	const char *file;
	const char *wanted;
	char before[VALUE_SIZE];
	bool changed;
} settings[] = {
	{ .file = SETTINGS "failslab/ignore-gfp-wait", .wanted = "N" },
	{ .file = SETTINGS "failslab/verbose", .wanted = "0" },
	{ .file = SETTINGS "fail_page_alloc/ignore-gfp-wait", .wanted = "N" },
	{ .file = SETTINGS "fail_page_alloc/ignore-gfp-highmem", .wanted = "N" },
	{ .file = SETTINGS "fail_page_alloc/min-order", .wanted = "0" },
	{ .file = SETTINGS "fail_page_alloc/verbose", .wanted = "0" },
	{ .file = SETTINGS "failslab/reject-start", .wanted = spared_from },
	{ .file = SETTINGS "failslab/reject-end", .wanted = spared_to },
	{ .file = SETTINGS "fail_page_alloc/reject-start", .wanted = spared_from },
	{ .file = SETTINGS "fail_page_alloc/reject-end", .wanted = spared_to },
};

#define SETTING_COUNT	(sizeof(settings) / sizeof(settings[0]))

static int nth_fd = -1;
static pid_t guard = -1;
static char reason[256];

static int write_text(int fd, const char *text)
{
	size_t length = strlen(text);
	ssize_t written = pwrite(fd, text, length, 0);

	if (written < 0)
		return -errno;
	return (size_t)written == length ? 0 : -EIO;
}

/*
 * The debugging of the DMA layer, which would end for good with the first
 * allocation that fails it. Symbols are listed in the order of their addresses;
 * what is seldom run is elsewhere, and its name has a dot.
 */
static bool is_spared(const char *symbol)
{
	return (!strncmp(symbol, "debug_dma_", strlen("debug_dma_")) ||
		!strcmp(symbol, "add_dma_entry")) && !strchr(symbol, '.');
}

static void find_spared(void)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	unsigned long address, from = 0, to = 0;
	char line[512], name[128];

	while (symbols && fgets(line, sizeof(line), symbols)) {
		if (sscanf(line, "%lx %*[tT] %127s", &address, name) != 2)
			continue;
		if (is_spared(name)) {
			from = from ?: address;
			to = 0;
		} else if (from && !to) {
			to = address;
		}
	}
	if (symbols)
		fclose(symbols);
	if (!to)
		return;
	snprintf(spared_from, sizeof(spared_from), "%#lx", from);
	snprintf(spared_to, sizeof(spared_to), "%#lx", to);
}

/* It counts as changed from here on, whoever has to put it back. */
static int note_before(struct setting *setting)
{
	int length;

	if (!*setting->wanted)
		return 0;
	length = kernel_read_line(setting->file, setting->before,
				  sizeof(setting->before));
	setting->changed = length >= 0;
	return length < 0 ? length : 0;
}

static int change(struct setting *setting)
{
	return setting->changed ? kernel_write_text(setting->file, setting->wanted) : 0;
}

static void restore(struct setting *setting)
{
	if (!setting->changed)
		return;
	setting->changed = false;
	if (kernel_write_text(setting->file, setting->before))
		printf("# cannot put %s back to %s\n", setting->file,
		       setting->before);
}

/* In the guard too, which has a copy of all this. */
static void restore_all(const void *unused)
{
	(void)unused;
	for (size_t i = 0; i < SETTING_COUNT; i++)
		restore(&settings[i]);
}

/* What is not there cannot be used, as where the kernel's options are unknown. */
static int give_up(int error, const char *what)
{
	snprintf(reason, sizeof(reason), "no allocation can be made to fail: "
		 "%s: %s", what, strerror(-error));
	alloc_fault_close();
	return error == -ENOENT ? -ENODEV : error;
}

static int for_each_setting(int (*step)(struct setting *setting))
{
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		int error = step(&settings[i]);

		if (error)
			return give_up(error, settings[i].file);
	}
	return 0;
}

static bool is_built_in(void)
{
	static const char *const options[] = {
		"CONFIG_FAULT_INJECTION_DEBUG_FS", "CONFIG_FAILSLAB",
		"CONFIG_FAIL_PAGE_ALLOC",
		"CONFIG_FAULT_INJECTION_STACKTRACE_FILTER",
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (kernel_config(options[i]) != CONFIG_OFF)
			continue;
		snprintf(reason, sizeof(reason), "no allocation can be made to "
			 "fail: %s is off in this kernel", options[i]);
		return false;
	}
	return true;
}

int alloc_fault_open(void)
{
	int error;

	if (!is_built_in())
		return -ENODEV;
	nth_fd = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	if (nth_fd < 0)
		return give_up(-errno, FAIL_NTH);
	if (kernel_config("CONFIG_DMA_API_DEBUG") == CONFIG_ON)
		find_spared();
	error = for_each_setting(note_before);
	if (error)
		return error;
	guard = guard_start(restore_all, NULL);
	if (guard < 0)
		return give_up(guard, "the process that puts settings back");
	return for_each_setting(change);
}

const char *alloc_fault_reason(void)
{
	return reason;
}

int alloc_fault_arm(unsigned int nth)
{
	char text[VALUE_SIZE];

	snprintf(text, sizeof(text), "%u", nth);
	return write_text(nth_fd, text);
}

int alloc_fault_disarm(void)
{
	char text[VALUE_SIZE];
	ssize_t length = pread(nth_fd, text, sizeof(text) - 1, 0);
	int error;

	if (length < 0)
		return -errno;
	text[length] = '\0';
	error = write_text(nth_fd, "0");
	return error ? error : strtoul(text, NULL, 10) == 0;
}

void alloc_fault_close(void)
{
	restore_all(NULL);
	if (guard > 0)
		guard_stop(guard);
	guard = -1;
	if (nth_fd >= 0)
		close(nth_fd);
	nth_fd = -1;
}
