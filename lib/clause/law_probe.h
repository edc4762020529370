/* SPDX-License-Identifier: GPL-2.0-only */
/* How the law is found out: from what a kernel declares about itself. */
#ifndef CTS_LAW_PROBE_H
#define CTS_LAW_PROBE_H

#include "clause/law.h"

/**
 * law_probe - find the law that a machine's kernel declares
 * @root: prefix of all paths, "" for this machine
 * @release: the kernel's release, as in /boot/config-RELEASE; NULL asks uname
 * @law: where to write the law; each feature has a source, also if it is EITHER
 *
 * Reads the types and functions in the file of btf_file_find(); failing that the
 * functions in /proc/kallsyms and the types in the kernel's headers. Options
 * are read in /proc/config.gz, /boot or /lib/modules. Nothing is run.
 */
void law_probe(const char *root, const char *release, struct law *law);

#endif
