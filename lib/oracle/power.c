// SPDX-License-Identifier: GPL-2.0-only
/* Reads runtime power counts. */
#include "oracle/power.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "pair/kernel.h"

int power_usage(const char *device)
{
	char path[128], line[32];
	char *end;
	long usage;
	int ret;

	if (!*device)
		return -ENOENT;
	snprintf(path, sizeof(path),
		 "/sys/bus/pci/devices/%s/power/runtime_usage", device);
	ret = kernel_read_line(path, line, sizeof(line));
	if (ret < 0)
		return ret;
	usage = strtol(line, &end, 10);
	return end == line ? -EPROTO : (int)usage;
}
