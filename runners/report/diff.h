/* SPDX-License-Identifier: GPL-2.0-only */
/* Compares two runs as the gate does. */
#ifndef CTS_REPORT_DIFF_H
#define CTS_REPORT_DIFF_H

/* Return: the exit status. */
int diff_main(int argc, char **argv);

#endif
