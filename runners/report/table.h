/* SPDX-License-Identifier: GPL-2.0-only */
/* One table of the runs on several kernels. */
#ifndef CTS_REPORT_TABLE_H
#define CTS_REPORT_TABLE_H

/* Return: the exit status. */
int table_main(int argc, char **argv);

#endif
