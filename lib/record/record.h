/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine-readable record beside a program's KTAP: one JSON object a
 * line, one write() each, to the file descriptor that the runner names in
 * DMABUF_CTS_RECORD_FD. Without one, nothing is written and the program is a
 * plain kselftest.
 *
 * To be woken for each record takes a runner on an emulated processor longer
 * than to read it. One that names an eventfd in DMABUF_CTS_RECORD_BELL_FD is
 * told there of what must not wait. Whatever it was told of is in the pipe by
 * then, and the rest it finds there when it looks next.
 */
#ifndef CTS_RECORD_H
#define CTS_RECORD_H

#include <jansson.h>
#include <stdbool.h>

#include "record/writer.h"

#define RECORD_FD_VARIABLE	"DMABUF_CTS_RECORD_FD"
#define RECORD_BELL_VARIABLE	"DMABUF_CTS_RECORD_BELL_FD"

/* In order of severity: the worst check of a clause is its verdict. */
enum verdict {
	VERDICT_NONE = 0,	/* not judged */
	VERDICT_SKIP,		/* not available; reason given */
	VERDICT_PASS,
	VERDICT_VALUE,		/* a recorded observation */
	VERDICT_REFUSED,	/* declined as a refusal clause allows */
	VERDICT_WARN,		/* SHOULD broken */
	VERDICT_ERROR,		/* the test could not judge */
	VERDICT_FAIL,		/* MUST broken */
	VERDICT_COUNT
};

/**
 * verdict_name - a verdict as records write it, "pass"
 */
const char *verdict_name(enum verdict verdict);

/**
 * record_enabled - whether the runner asked for records
 */
bool record_enabled(void);

/**
 * record_write - write one record
 * @record: a JSON object; its reference is taken and dropped, also on failure
 *
 * For those that are rare, and rings; record_begin() is for the others. Dies
 * with exit status 125 when the record cannot be written: results that get lost
 * in silence are worse than none.
 */
void record_write(json_t *record);

/**
 * record_begin - begin one record
 * @writer: where to add its members, which come in the order they are added
 * @type: the first of them
 *
 * Return: whether the runner asked for records; if not, @writer is unusable.
 */
bool record_begin(struct record_writer *writer, const char *type);

/**
 * record_end - write the record that was begun
 *
 * Dies as record_write() does.
 */
void record_end(struct record_writer *writer);

/**
 * record_ring - tell the runner that there is something to be read at once
 *
 * For what it must know before the kernel may die. Who never rings is read as
 * he writes. Dies as record_write() does.
 */
void record_ring(void);

/**
 * record_gather - keep records back until record_flush()
 *
 * For those that come at once: each write() wakes whoever reads them.
 */
void record_gather(void);

/**
 * record_flush - write what was kept back, and no longer keep any
 *
 * Dies as record_write() does.
 */
void record_flush(void);

#endif
