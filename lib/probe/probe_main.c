// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-probe: says where we are and what there is to test, as records:
 * "environment", "law" for each feature of the contract, "backend" for each
 * exporter and importer. Without DMABUF_CTS_RECORD_FD they go to standard
 * output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clause/law.h"
#include "probe/backends.h"
#include "probe/environment.h"
#include "record/record.h"

#define EXIT_USAGE		2
#define EXIT_CANNOT_JUDGE	125

static int usage(FILE *to, int status)
{
	fprintf(to, "usage: cts-probe\n"
		"Prints records of the machine, the kernel's law, and of every exporter and importer.\n");
	return status;
}

/* The law speaks to a stream; the records' descriptor may be any. */
static int record_law(void)
{
	int fd = dup(atoi(getenv(RECORD_FD_VARIABLE)));
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out) {
		perror("cts-probe: cannot write the law");
		return EXIT_CANNOT_JUDGE;
	}
	law_print(law_present(), out);
	if (fclose(out)) {
		perror("cts-probe: cannot write the law");
		return EXIT_CANNOT_JUDGE;
	}
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	int status;

	if (argc > 1 && !strcmp(argv[1], "--help"))
		return usage(stdout, EXIT_SUCCESS);
	if (argc > 1) {
		fprintf(stderr, "cts-probe: unknown argument \"%s\"\n", argv[1]);
		return usage(stderr, EXIT_USAGE);
	}
	if (!record_enabled())
		setenv(RECORD_FD_VARIABLE, "1", 1);
	record_write(environment_record());
	status = record_law();
	if (!status)
		backends_record();
	return status;
}
