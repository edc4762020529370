/* SPDX-License-Identifier: GPL-2.0-only */
/* The test programs of a folder. */
#ifndef CTS_STREAM_EXECUTABLES_H
#define CTS_STREAM_EXECUTABLES_H

#include <jansson.h>
#include <stdbool.h>

/**
 * executable_waits - whether a program is run only where it is asked for by name
 * @name: of a program of the folder
 */
bool executable_waits(const char *name);

/**
 * executables_in - names of the programs in a folder, sorted
 *
 * A program is an executable file whose name has no '.' and does not begin
 * with "cts-".
 *
 * Return: array of strings, to be released with json_decref(); NULL with errno
 * set.
 */
json_t *executables_in(const char *folder);

#endif
