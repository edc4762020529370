/* SPDX-License-Identifier: GPL-2.0-only */
/* What the device counts, does on request and does wrong, for people and scripts. */
#ifndef CTS_NIC_TABLES_H
#define CTS_NIC_TABLES_H

/**
 * tables_print - print the tables to standard output
 *
 * A line for each: its table, its index in the instrument page, its name, what it is.
 */
void tables_print(void);

#endif
