/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the stream of cts-agent, keeps all of it, and tells what it means:
 * KTAP while it runs, the result folder, a page at the end.
 */
#ifndef CTS_REPORT_LIVE_H
#define CTS_REPORT_LIVE_H

/* Return: the exit status. */
int live_main(int argc, char **argv);

#endif
