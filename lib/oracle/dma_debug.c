// SPDX-License-Identifier: GPL-2.0-only
/* Reads the counters of the kernel's debugging of the DMA API. */
#include "oracle/dma_debug.h"

#include <errno.h>
#include <stdlib.h>

#include "pair/kernel.h"

#define FOLDER	"/sys/kernel/debug/dma-api/"

static long counter(const char *path)
{
	char line[32];
	int length = kernel_read_line(path, line, sizeof(line));

	return length < 0 ? length : strtol(line, NULL, 10);
}

long dma_debug_mappings(void)
{
	char off[8];
	long total = counter(FOLDER "nr_total_entries");
	long unused = counter(FOLDER "num_free_entries");

	if (kernel_read_line(FOLDER "disabled", off, sizeof(off)) < 0 ||
	    *off == 'Y')
		return -ENOENT;
	if (total < 0)
		return total;
	return unused < 0 ? unused : total - unused;
}
