/* SPDX-License-Identifier: GPL-2.0-only */
/* What the server has to say, on standard error: a line each, with the time. */
#ifndef CTS_NIC_LOG_H
#define CTS_NIC_LOG_H

enum log_level {
	LOG_NOTHING,	/* to show nothing at all */
	LOG_FAULT,	/* the device or its guest did what it must not: always shown */
	LOG_EVENT,	/* clients come and go, resets: shown by default */
	LOG_COMMAND,	/* admin commands, changes of state */
	LOG_DETAIL,	/* each message, map, doorbell */
};

/** log_show - show what is at most of this level */
void log_show(enum log_level level);

/**
 * log_line - say something
 * @name: of the function that it is about, or NULL for the server
 *
 * A guest can make the server speak as often as it likes: of more than
 * 200 lines in a second the rest is left out and their number told, unless
 * more than LOG_EVENT is shown.
 */
void log_line(enum log_level level, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
