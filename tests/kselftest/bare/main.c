// SPDX-License-Identifier: GPL-2.0-only
/*
 * main() of a conformance program that nobody stands around: it loads the peers
 * for the time of its run, and tests one pair, which is a pair of peers unless
 * the environment names another (pair/pair.h).
 */
#include <stdlib.h>
#include <string.h>

#include "bare/child.h"
#include "bare/peers.h"
#include "pair/program.h"

/* To these it answers without touching a device. */
static bool is_question(const char *option)
{
	static const char *const questions[] = { "--plan", "-l", "-h" };

	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
		if (!strcmp(option, questions[i]))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	/* There is one, whatever the executable is called. */
	const struct clause_program *program = program_number(0);
	int status = EXIT_FAILURE;

	if (argc == 2 && is_question(argv[1]))
		return program_run(program, argc, argv);
	child_prepare();
	peers_load();
	if (!child_stopped()) {
		pid_t child = child_start();

		if (!child)
			return program_run(program, argc, argv);
		status = child_wait(child);
	}
	peers_unload();
	return status;
}
