// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-others: runs a test program of somebody else so that cts-agent sees one
 * of ours. It holds no opinion on what that says.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "others/protocol.h"

#define EXIT_USAGE		2
#define EXIT_NOT_JUDGED		125

static const char help[] =
"Usage: cts-others FOLDER PROGRAM [-t TEST | -T TEST]...\n"
"Run FOLDER/run/PROGRAM, and say what it does as the conformance programs do: by\n"
"records, to the file descriptor DMABUF_CTS_RECORD_FD, and KTAP. FOLDER is called\n"
"igt or kselftest, as the tests in it speak; FOLDER/clauses says which clauses of\n"
"the suite they touch.\n"
"\n"
"  -t TEST   only this one; may be repeated\n"
"  -T TEST   not this one; may be repeated\n"
"  --help    show this text\n"
"\n"
"Exit status: 0 it was run, whatever it found; 2 usage; 125 it could not be run;\n"
"and it dies of the signal that the program died of.\n";

static const struct {
	const char *origin;
	protocol run;
} origins[] = {
	{ "igt", igt_run },
	{ "kselftest", kselftest_run },
};

static protocol find_protocol(const char *folder)
{
	const char *slash = strrchr(folder, '/');
	const char *name = slash ? slash + 1 : folder;

	for (size_t i = 0; i < sizeof(origins) / sizeof(*origins); i++)
		if (!strcmp(name, origins[i].origin))
			return origins[i].run;
	return NULL;
}

/* What happened to it has happened to us, for who looks after us. */
static int end_like(int status)
{
	if (status >= 0 && WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	return 0;
}

static int run(protocol protocol, const char *folder, char **words)
{
	struct telling telling;
	char path[4096], table[4096];
	int status;

	snprintf(path, sizeof(path), "%s/run/%s", folder, words[0]);
	snprintf(table, sizeof(table), "%s/clauses", folder);
	if (access(path, X_OK)) {
		fprintf(stderr, "cts-others: %s: %s\n", path, strerror(errno));
		return EXIT_NOT_JUDGED;
	}
	telling_begin(&telling, words[0], table, words + 1);
	status = protocol(&telling, path);
	if (status < 0)
		fprintf(stderr, "cts-others: %s: %s\n", path, strerror(errno));
	telling_end(&telling);
	return status < 0 ? EXIT_NOT_JUDGED : end_like(status);
}

int main(int argc, char **argv)
{
	protocol protocol;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(help, stdout);
		return 0;
	}
	if (argc < 3 || argc % 2 == 0) {
		fputs("Try: cts-others --help\n", stderr);
		return EXIT_USAGE;
	}
	protocol = find_protocol(argv[1]);
	if (!protocol) {
		fprintf(stderr, "cts-others: %s: the folder must be called igt "
			"or kselftest, for the way its tests speak\n", argv[1]);
		return EXIT_USAGE;
	}
	return run(protocol, argv[1], argv + 2);
}
