/* SPDX-License-Identifier: GPL-2.0-only */
/* What cts-all is asked and answers, as lib/pair/all_main.c has it. */
#ifndef CTS_AGENT_REQUEST_H
#define CTS_AGENT_REQUEST_H

#include <stdbool.h>

/**
 * request_send - have a program run
 * @to: our end of the socket that is its standard input
 * @arguments: the program's path first, NULL last
 * @environment: "NAME=VALUE" to add, NULL last
 *
 * Return: 0, or an errno: EPIPE if it is dead.
 */
int request_send(int to, char *const *arguments, char *const *environment);

/**
 * request_answer - whether the program has ended, without waiting
 * @from: our end of the socket
 * @status: its status as waitpid() gives it, out
 * @left: whether it has left processes behind that go on, out
 */
bool request_answer(int from, int *status, bool *left);

#endif
