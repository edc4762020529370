/* SPDX-License-Identifier: GPL-2.0-only */
/* Takes out of a run what a vendor must not show; the list is hide.def. */
#ifndef CTS_BUNDLE_HIDE_H
#define CTS_BUNDLE_HIDE_H

#include <stdbool.h>

#include "bundle/files.h"

/**
 * hide_all - hide it in all files of a run
 * @run, @environment: content of two of them
 * @words: a file with a line "KIND WORD" for each word of this machine; NULL
 *	for none
 *
 * stream.jsonl, which holds all the rest again, is dropped. A word that is one
 * of the suite's own is named on stderr, and stays.
 *
 * Return: true; false after a message on stderr if something could not be
 * hidden, and the files must not be shown.
 */
bool hide_all(struct files *files, const json_t *run,
	      const json_t *environment, const char *words);

/* Print the list, for people. */
void hide_list(void);

#endif
