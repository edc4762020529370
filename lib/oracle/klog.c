// SPDX-License-Identifier: GPL-2.0-only
/* Reads what the kernel said during a case and picks out complaints. */
#include "oracle/klog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORD_MAX	8192	/* the kernel's own bound for a record */
#define EXPECTED_MAX	8

/*
 * How complaints begin or what they contain. A stack dump has many more
 * lines; these are the ones that come once in it.
 */
static const char *const complaints[] = {
	"WARNING: ",
	"BUG: ",			/* also KASAN, KFENCE, atomic sleeps, lockups */
	"Oops: ",
	"kernel BUG at ",
	"general protection fault:",	/* a process's has " ip:" there */
	"general protection fault,",
	"refcount_t: ",
	"UBSAN: ",
	"DMA-API: ",
	"list_add corruption",
	"list_del corruption",
	"scheduling while atomic",
	"blocked for more than",	/* hung task */
	"DMAR: [",			/* Intel IOMMU: "[DMA Read NO_PASID] ... fault addr" */
	"IO_PAGE_FAULT",		/* AMD IOMMU */
	"event 0x10 received",		/* Arm SMMUv3: translation fault */
	"Unhandled context fault",	/* Arm SMMU */
};

/*
 * The debugging of the DMA API counts so many mappings of a page and no more,
 * which it says like an error: nobody has broken a rule. Then it warns as well,
 * which repeats what the line before it said. A record is no complaint if it
 * has all words of a row.
 */
static const char *const no_complaints[][3] = {
	{ "DMA-API: ", "overlapping mappings of cacheline", "" },
	{ "WARNING: ", "kernel/dma/debug.c:", "add_dma_entry" },
};

/*
 * A program opens the log before the harness forks off its cases, which read on
 * where the last one stopped. What was said in between is nobody's, but tells
 * that warnings which come only once may be spent: if nothing was said, there
 * is nothing to re-arm. To open the log and to re-arm take an emulated guest
 * longer than many a case.
 */
static struct {
	int log;			/* /dev/kmsg; a negative errno */
	int expected_count;
	const char *expected[EXPECTED_MAX];
} window = { .log = -EBADF };

static void rearm(const char *file)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (write(fd, "1", 1) != 1)
		printf("# kernel log: once-only warnings cannot be re-armed: "
		       "%s: %s\n", file, strerror(errno));
	close(fd);
}

/* Let warnings that come only once come again. */
static void rearm_all(void)
{
	rearm("/sys/kernel/debug/clear_warn_once");
	/* So many errors are told; by default the first since the boot. */
	rearm("/sys/kernel/debug/dma-api/num_errors");
}

int klog_listen(void)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int error;

	if (log >= 0 && lseek(log, 0, SEEK_END) >= 0)
		return log;
	error = -errno;
	if (log >= 0)
		close(log);
	return error;
}

void klog_prepare(void)
{
	if (window.log >= 0)
		return;
	window.log = klog_listen();
	rearm_all();
}

void klog_expect(const char *function)
{
	if (window.expected_count == EXPECTED_MAX) {
		fprintf(stderr, "klog_expect: more than %d warnings declared\n",
			EXPECTED_MAX);
		abort();
	}
	window.expected[window.expected_count++] = function;
}

/*
 * A warning names its function with an offset, "dma_buf_pin+0x12/0x80", and
 * the compiler may have added a suffix, "dma_buf_pin.part.0+0x12/0x80".
 */
static bool names_function(const char *line, const char *function)
{
	size_t length = strlen(function);
	const char *at = line;

	while ((at = strstr(at, function))) {
		bool starts = at == line || at[-1] == ' ';
		char next = at[length];

		if (starts && (next == '+' || next == '.'))
			return true;
		at += length;
	}
	return false;
}

static bool is_expected(const char *line)
{
	if (!strstr(line, "WARNING: "))
		return false;
	for (int i = 0; i < window.expected_count; i++)
		if (names_function(line, window.expected[i]))
			return true;
	return false;
}

#define ROWS(table)	(sizeof(table) / sizeof((table)[0]))

static bool complains(const char *text)
{
	for (size_t i = 0; i < ROWS(complaints); i++)
		if (strstr(text, complaints[i]))
			return true;
	return false;
}

static bool is_harmless(const char *text)
{
	for (size_t i = 0; i < ROWS(no_complaints); i++)
		if (strstr(text, no_complaints[i][0]) &&
		    strstr(text, no_complaints[i][1]) &&
		    strstr(text, no_complaints[i][2]))
			return true;
	return false;
}

/* The number before the first comma: facility in the bits above the level. */
static bool from_kernel(const char *record)
{
	return strtoul(record, NULL, 10) >> 3 == 0;
}

bool klog_complaint(const char *record, char *text, size_t size)
{
	const char *line = strchr(record, ';');

	if (!line || !from_kernel(record))
		return false;
	snprintf(text, size, "%.*s", (int)strcspn(line + 1, "\n"), line + 1);
	return complains(text) && !is_expected(text) && !is_harmless(text);
}

/* The next record; false at the end. Records overwritten meanwhile are lost. */
static bool next_record(int log, char *record, size_t size)
{
	ssize_t length;

	do {
		length = read(log, record, size - 1);
	} while (length < 0 && (errno == EPIPE || errno == EINTR));
	if (length <= 0)
		return false;
	record[length] = '\0';
	return true;
}

void klog_begin(void)
{
	char record[RECORD_MAX + 1];
	bool heard = false;

	klog_prepare();
	window.expected_count = 0;
	if (window.log < 0)
		printf("# kernel log cannot be read: %s\n",
		       strerror(-window.log));
	while (window.log >= 0 &&
	       next_record(window.log, record, sizeof(record)))
		heard = true;
	if (heard)
		rearm_all();
}

int klog_end(char *text, size_t size)
{
	char record[RECORD_MAX + 1], line[512];
	bool heard = false;
	int count = 0;

	while (window.log >= 0 &&
	       next_record(window.log, record, sizeof(record))) {
		heard = true;
		if (!klog_complaint(record, line, sizeof(line)))
			continue;
		if (!count++)
			snprintf(text, size, "%s", line);
	}
	if (heard)
		rearm_all();
	return count;
}

bool klog_heard(int listener, const char *words)
{
	char record[RECORD_MAX + 1];
	bool heard = false;

	while (!heard && next_record(listener, record, sizeof(record)))
		heard = from_kernel(record) && strstr(record, words);
	close(listener);
	return heard;
}
