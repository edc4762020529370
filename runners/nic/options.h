/* SPDX-License-Identifier: GPL-2.0-only */
/* What cts-nic was asked to do. */
#ifndef CTS_NIC_OPTIONS_H
#define CTS_NIC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "nic/controls.h"
#include "nic/fault.h"
#include "nic/log.h"

#define OPTIONS_SOCKETS	8

struct options {
	const char *sockets[OPTIONS_SOCKETS];	/* one function each */
	size_t nsockets;
	unsigned int api_minor;		/* device API 0.1, 0.2 or 0.3 */
	enum fault fault;
	struct controls controls;	/* that a function has when a client comes */
	bool once;			/* end when all clients have left */
	enum log_level level;
};

/**
 * options_parse - read the command line
 *
 * Return: -1 to go on, else the status to exit with (after a message or help).
 */
int options_parse(struct options *options, int argc, char **argv);

#endif
