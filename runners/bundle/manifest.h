/* SPDX-License-Identifier: GPL-2.0-only */
/* manifest.json: what is in a bundle, with sizes and hashes, and who made it. */
#ifndef CTS_BUNDLE_MANIFEST_H
#define CTS_BUNDLE_MANIFEST_H

#include "bundle/files.h"

/* Raised when an old reader would misread a new bundle. */
#define BUNDLE_FORMAT	1

/**
 * manifest_add - list all files so far in one that is added
 * @run: content of run.json
 * @private: names and numbers were taken out
 */
void manifest_add(struct files *files, const json_t *run, bool private);

/**
 * manifest_check - compare the files with what the manifest lists
 *
 * What differs is told by wrong().
 *
 * Return: true if the rest of the bundle can be judged by this version, else
 * false after a message on stderr.
 */
bool manifest_check(const struct files *files, int clause_table);

#endif
