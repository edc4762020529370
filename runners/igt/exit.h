/* SPDX-License-Identifier: GPL-2.0-only */
/* The exit statuses that IGT gives a meaning. */
#ifndef CTS_IGT_EXIT_H
#define CTS_IGT_EXIT_H

#define EXIT_IGT_SUCCESS	0
#define EXIT_IGT_SKIP		77
#define EXIT_IGT_INVALID	79
#define EXIT_IGT_FAILURE	98

#endif
