/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CTS_AGENT_LIST_H
#define CTS_AGENT_LIST_H

#include "agent/probe.h"

/* Print for people which exporters and importers there are, and why not. */
void list_print(const struct probe *probe);

#endif
