/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Archives as POSIX has them (ustar). Nothing is unpacked to be looked at, and
 * only plain files are taken: who reads a stranger's archive with tar(1) is at
 * the mercy of its names and links.
 */
#ifndef CTS_BUNDLE_TAR_H
#define CTS_BUNDLE_TAR_H

#include <stdbool.h>
#include <stdio.h>

#include "bundle/files.h"

/* The folder in which all files of a bundle are. */
#define TAR_FOLDER	"dmabuf-cts-bundle"

/**
 * tar_write - write files as an archive
 *
 * The same files make the same bytes: neither owner nor time is in it.
 *
 * Return: true, or false after a message on stderr.
 */
bool tar_write(const struct files *files, FILE *out);

/**
 * tar_read - read an archive whole
 *
 * What is wrong with it is told by wrong(): a name that leads out of its
 * folder or is there twice, anything but a plain file, more than a bundle can
 * hold, an end that comes too early. What can be used is in @files.
 *
 * Return: true; false after a message on stderr if it is no archive at all.
 */
bool tar_read(struct files *files, FILE *in);

#endif
