/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What debugfs says of one dma-buf, /sys/kernel/debug/dma_buf/bufinfo. The
 * file lists every buffer of the machine; only those whose inode number a
 * test knows from its own fd are looked at.
 */
#ifndef CTS_BUFINFO_H
#define CTS_BUFINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#define BUFINFO_DEVICES	16

struct bufinfo {
	ino_t inode;
	size_t size;			/* bytes */
	unsigned int flags;		/* of the file, O_* */
	unsigned int mode;		/* of the file, FMODE_* */
	long count;			/* references to the file */
	char exporter[64];
	char name[64];			/* "<none>" unless DMA_BUF_SET_NAME gave one */
	int fences;			/* in the reservation, signalled ones too */
	int containers;			/* those that hold others: arrays, chains */
	int attachments;		/* devices attached; may exceed BUFINFO_DEVICES */
	char devices[BUFINFO_DEVICES][64];
};

/**
 * bufinfo_find - look a buffer up
 * @inode: of the dma-buf, from fds_inode() while it was open
 * @info: filled if found
 *
 * Return: 1 if it is listed, 0 if not (it was released), -ENOENT or -EACCES
 * if the file cannot be read, -EPROTO if it has another format.
 */
int bufinfo_find(ino_t inode, struct bufinfo *info);

/**
 * bufinfo_has - whether a buffer is there still
 * @inode: of the dma-buf, from fds_inode() while it was open
 *
 * Only where bufinfo_find() found it before: what cannot be read has none.
 */
bool bufinfo_has(ino_t inode);

/**
 * bufinfo_between - count an exporter's buffers that came between two others
 * @exporter: its name, as bufinfo has it
 * @first: of a buffer that came before them
 * @last: of one that came after them; inode numbers are given in order
 *
 * Return: how many are there still, or a negative errno of bufinfo_find().
 */
int bufinfo_between(const char *exporter, ino_t first, ino_t last);

/**
 * bufinfo_parse - look a buffer up in a text
 * @file: the text, as bufinfo has it
 *
 * Return: as bufinfo_find().
 */
int bufinfo_parse(FILE *file, ino_t inode, struct bufinfo *info);

#endif
