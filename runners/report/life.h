/* SPDX-License-Identifier: GPL-2.0-only */
/* Beginnings and ends, expected and not: of jobs, of guests, of the stream. */
#ifndef CTS_REPORT_LIFE_H
#define CTS_REPORT_LIFE_H

#include <jansson.h>

#include "report/model.h"

/**
 * life_job_of - the job that a record is of
 *
 * Return: NULL, after a complaint, if there is none or it is over.
 */
struct job *life_job_of(struct run *run, const json_t *record);

/* A "job" record. */
void life_job(struct run *run, json_t *record);

/* A "case" record. */
void life_case(struct run *run, json_t *record);

/* A "guest" record: what became of the virtual machine. */
void life_guest(struct run *run, json_t *record);

/* An "interrupted" record: the agent stopped before its end. */
void life_interrupted(struct run *run, json_t *record);

/**
 * life_finish - close whatever is still open; nothing more will be run
 */
void life_finish(struct run *run);

#endif
