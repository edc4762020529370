/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Recorded results: drivers-matrix/results/SERIES/DRIVER,ROLE,EVIDENCE.json,
 * what runs on one kernel series said of one driver in one role, with one kind
 * of evidence. dmabuf-cts-matrix(1) describes what is in them.
 */
#ifndef CTS_MATRIX_RECORD_H
#define CTS_MATRIX_RECORD_H

#include <jansson.h>
#include <stdbool.h>

#include "report/memory.h"

/* Raised when an old reader would misread a new file. */
#define RECORD_SCHEMA	1

/**
 * record_path - where a result belongs
 *
 * Return: the path below @folder, good until memory_release(); NULL if one of
 * the names that make it is none for a file.
 */
const char *record_path(const char *folder, const json_t *result);

/**
 * record_write - write a result, or leave the old one
 * @path: as record_path() gave it; its folder is made
 *
 * One clause is one line, so that a diff shows which verdicts changed.
 *
 * Return: true, or false after a message on stderr.
 */
bool record_write(const char *path, const json_t *result);

/**
 * record_read - read a result and see that it is one
 *
 * What is wrong with it is told as a fault.
 *
 * Return: the result, to be released, or NULL.
 */
json_t *record_read(const char *path);

/**
 * records_load - read all results of a folder
 * @records: gets a json_t for each, held until memory_release()
 * @folder: with a folder for each series
 *
 * Return: false if the folder cannot be read, after a message.
 */
bool records_load(struct list *records, const char *folder);

#endif
