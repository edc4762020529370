/* SPDX-License-Identifier: GPL-2.0-only */
/* Keeps the files of expected results up to date with what a run saw. */
#ifndef CTS_REPORT_EXPECT_H
#define CTS_REPORT_EXPECT_H

/* Return: the exit status. */
int expect_main(int argc, char **argv);

#endif
