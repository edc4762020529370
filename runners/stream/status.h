/* SPDX-License-Identifier: GPL-2.0-only */
/* Exit statuses, the same in all of the suite's commands. */
#ifndef CTS_STREAM_STATUS_H
#define CTS_STREAM_STATUS_H

#define EXIT_EXPECTED	0
#define EXIT_UNEXPECTED	1
#define EXIT_USAGE	2
#define EXIT_NOT_JUDGED	125

#endif
