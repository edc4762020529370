/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which program runs on which pair, in which order. A job is a JSON object
 * {"job": N, "exporter", "importer", "program", "fault": null or "MODULE:NAME",
 *  "exclude": [case, ...], "cases": [case, ...]}; the last two may be absent.
 */
#ifndef CTS_AGENT_SCHEDULE_H
#define CTS_AGENT_SCHEDULE_H

#include <jansson.h>

#include "agent/options.h"
#include "agent/probe.h"

/**
 * schedule_make - the jobs that the options and what was found ask for
 * @jobs: array of jobs, out; to be released with json_decref()
 *
 * Pairs of peers come first, then pairs with one peer, then the others; all
 * programs of a pair follow each other.
 *
 * Return: 0, or the status to exit with after an error record.
 */
int schedule_make(json_t **jobs, const struct options *options,
		  const struct probe *probe);

/**
 * schedule_load - jobs from a file
 * @jobs: array of jobs, out; to be released with json_decref()
 *
 * Return: 0, or the status to exit with after an error record.
 */
int schedule_load(json_t **jobs, const char *path);

#endif
