/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stream: JSON records on standard output. They are gathered, since the
 * port to the host takes as long for many as for one; who waits for something
 * flushes first.
 */
#ifndef CTS_AGENT_EMIT_H
#define CTS_AGENT_EMIT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * emit - write one record, at the latest with the next emit_flush()
 * @record: a JSON object; its reference is taken
 *
 * What cannot be written is lost; emit_reader_left() then says so.
 */
void emit(json_t *record);

/**
 * emit_with_job - write a record that is text already, as emit() does
 * @text: a JSON object with members, "job" not among them; in one line
 * @length: number of bytes
 * @job: is added as its last member
 * @can_wait: emit_flush_due() need not write it
 */
void emit_with_job(const char *text, size_t length, int job, bool can_wait);

/* Write what was gathered. */
void emit_flush(void);

/* Write what was gathered, unless all of it can still wait a moment. */
void emit_flush_due(void);

/* A line for people: {"type":"note","text":...} */
void emit_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Why this run cannot go on; cts-report exits with @status. */
void emit_error(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* From now on, notes and errors go to standard error as plain text. */
void emit_to_people(void);

/* Of the members that emit_said() is given, with their terminator. */
#define MEMBERS_SIZE	128

/**
 * emit_said - write what somebody wrote as a record with a text, as emit() does
 * @members: of the record before its text, as JSON: "\"type\":\"junk\""
 * @text: the bytes, whatever they are
 * @length: number of bytes
 * @whole: false if they are a piece of a line
 */
void emit_said(const char *members, const char *text, size_t length,
	       bool whole);

/* Bytes that some program wrote, as a record of this type, a short word. */
void emit_bytes(const char *type, int job, const char *text, size_t length,
		bool whole);

/* Write a heartbeat if nothing was written for a second. */
void emit_heartbeat(void);

/* True once whoever read the stream has gone. */
bool emit_reader_left(void);

#endif
