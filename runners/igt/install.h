/* SPDX-License-Identifier: GPL-2.0-only */
/* A folder of tests, as igt_runner wants it. */
#ifndef CTS_IGT_INSTALL_H
#define CTS_IGT_INSTALL_H

/* What a program of ours is called there: no program of IGT's has it. */
#define TEST_PREFIX	"dmabuf_cts_"

/**
 * install - make a folder with a link for each program beside us, and a list
 *
 * Return: the status to exit with.
 */
int install(const char *folder);

#endif
