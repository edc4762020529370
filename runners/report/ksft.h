/* SPDX-License-Identifier: GPL-2.0-only */
/* What a program's own KTAP says, in the words of the kselftest harness. */
#ifndef CTS_REPORT_KSFT_H
#define CTS_REPORT_KSFT_H

#include "report/model.h"

/* Take a line of a program's output; most tell nothing. */
void ksft_line(struct run *run, struct job *job, const char *line);

#endif
