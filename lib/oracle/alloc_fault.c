// SPDX-License-Identifier: GPL-2.0-only
/* Talks to the kernel's fault injection, of this thread alone. */
#include "oracle/alloc_fault.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
static char reason[256];

static int write_text(int fd, const char *text)
{
	size_t length = strlen(text);
	ssize_t written = pwrite(fd, text, length, 0);

	if (written < 0)
		return -errno;
	return (size_t)written == length ? 0 : -EIO;
}

static int write_file(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	int error;

	if (fd < 0)
		return -errno;
	error = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return error;
}

static int change_file(struct setting *setting)
{
	int length = kernel_read_line(setting->file, setting->before,
				      sizeof(setting->before));
	int error = length < 0 ? length :
		    write_file(setting->file, setting->wanted);

	setting->changed = !error;
	return error;
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

static int change(struct setting *setting)
{
	if (!*setting->wanted)
		return 0;
	return change_file(setting);
}

static void restore(struct setting *setting)
{
	if (!setting->changed)
		return;
	setting->changed = false;
	if (write_file(setting->file, setting->before))
		printf("# cannot put %s back to %s\n", setting->file,
		       setting->before);
}

static int give_up(int error, const char *what)
{
	snprintf(reason, sizeof(reason), "%s: %s", what, strerror(-error));
	alloc_fault_close();
	return error;
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
	if (!is_built_in())
		return -ENODEV;
	nth_fd = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	if (nth_fd < 0)
		return give_up(-errno, FAIL_NTH);
	if (kernel_config("CONFIG_DMA_API_DEBUG") == CONFIG_ON)
		find_spared();
	for (size_t i = 0; i < SETTING_COUNT; i++) {
		int error = change(&settings[i]);

		if (error)
			return give_up(error, settings[i].file);
	}
	return 0;
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
	for (size_t i = 0; i < SETTING_COUNT; i++)
		restore(&settings[i]);
	if (nth_fd >= 0)
		close(nth_fd);
	nth_fd = -1;
}
