/* SPDX-License-Identifier: GPL-2.0-only */
/* One line of the stream, into the model. */
#ifndef CTS_REPORT_INTAKE_H
#define CTS_REPORT_INTAKE_H

#include <jansson.h>
#include <stddef.h>

#include "report/model.h"

/**
 * intake_line - read a line and take what it tells
 * @run: the model
 * @text: the line, without newline
 * @whole: false if the line was cut off
 *
 * Return: the record, to be released with json_decref(), or NULL for a line
 * that is none (which is noted among the complaints).
 */
json_t *intake_line(struct run *run, const char *text, size_t length,
		    bool whole);

#endif
