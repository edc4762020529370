/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that the kernel has of processes, drivers and devices. */
#ifndef CTS_MONITOR_NAME_H
#define CTS_MONITOR_NAME_H

/**
 * name_clean - make a name one that can be printed and recorded
 * @name: as the kernel has it: any bytes, since a process names itself, and a
 *	name that is cut short may end within a character
 *
 * A control character becomes a question mark, and in a name that is not UTF-8
 * so does each byte that is not ASCII.
 */
void name_clean(char *name);

#endif
