/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Importer back ends, as any test sees them: import a dma-buf, move bytes
 * through it, let go. The single steps of our own peer importer (attach, pin,
 * map) are in peer/peer_importer.h.
 */
#ifndef CTS_IMPORTER_H
#define CTS_IMPORTER_H

#include <stddef.h>
#include <stdint.h>

#include "pair/backend.h"
#include "pair/capability.h"

struct importer;

#define IMPORT_READ	(1u << 0)	/* the importer will read the memory */
#define IMPORT_WRITE	(1u << 1)	/* the importer will write the memory */
#define IMPORT_BOTH	(IMPORT_READ | IMPORT_WRITE)
#define IMPORT_PIN	(1u << 2)	/* pin it for the life of the import, if
					 * this importer leaves that to its user
					 */

struct import {
	struct importer *importer;
	uint32_t handle;		/* the back end's own name for it */
	uint32_t map;			/* peer importer: the mapping */
	size_t offset;
	size_t length;
	void *data;			/* the back end's own state */
};

/* Operations return 0 or a negative errno; NULL is EOPNOTSUPP. */
struct importer_ops {
	const char *name;
	void (*discover)(backend_report report, void *context);
	void (*prepare)(void);		/* see importer_prepare(), or NULL */
	int (*open)(struct importer *importer, const char *instance);
	/*
	 * Adds to backend what only a trial shows, NULL if there is nothing.
	 * After an error it is closed.
	 */
	int (*learn)(struct importer *importer);
	void (*close)(struct importer *importer);
	int (*import)(struct importer *importer, int fd, size_t offset,
		      size_t length, unsigned int access, struct import *import);
	int (*write)(struct import *import, size_t offset, const void *data,
		     size_t length);
	int (*read)(struct import *import, size_t offset, void *data,
		    size_t length);
	int (*write_slowly)(struct import *import, size_t offset,
			    const void *data, size_t length);
	int (*release)(struct import *import);
};

struct importer {
	const struct importer_ops *ops;
	struct backend backend;
	int control;			/* device node the back end opened, or -1 */
	void *data;
};

extern const struct importer_ops *const importer_registry[];

/**
 * importer_prepare - load what the importer a selector names needs to be opened
 * @selector: "backend" or "backend:instance"
 *
 * For who forks before it opens, so that not each child loads or learns it anew.
 * What fails here is told when the importer is opened.
 */
void importer_prepare(const char *selector);

/**
 * importer_open - open the importer a selector names
 * @selector: "backend" or "backend:instance"
 * @importer: filled
 *
 * Return: 0, -ENODEV if the back end or instance is absent, -EINVAL if no
 * such back end exists, or the back end's errno. importer->backend.reasons
 * says why.
 */
int importer_open(const char *selector, struct importer *importer);

/**
 * importer_close - close it; again does nothing
 */
void importer_close(struct importer *importer);

/**
 * importer_report - open, close and report one instance, for discover()
 * @name: of the back end
 * @instance: of it, or NULL
 * @report: told of it, whether it could be opened or not
 * @context: handed to @report
 */
void importer_report(const char *name, const char *instance,
		     backend_report report, void *context);

/**
 * importer_import - import a dma-buf and make it ready for DMA
 * @importer: an open importer
 * @fd: the dma-buf; the caller may close it afterwards
 * @offset: bytes from the start of the buffer
 * @length: bytes; 0 means to the end
 * @access: IMPORT_READ, IMPORT_WRITE or both; IMPORT_PIN is a wish
 * @import: filled; give it back with importer_release()
 *
 * Return: 0 or the negative errno that the driver gave.
 */
int importer_import(struct importer *importer, int fd, size_t offset,
		    size_t length, unsigned int access, struct import *import);

/**
 * importer_write, importer_read - move bytes through the device
 * @import: the import
 * @offset: bytes from the start of the imported range
 * @data: the bytes
 * @length: how many
 *
 * Return: 0, -EFAULT if the device met an untranslated address, -EOPNOTSUPP
 * if this back end moves no bytes, or another negative errno.
 */
int importer_write(struct import *import, size_t offset, const void *data,
		   size_t length);
int importer_read(struct import *import, size_t offset, void *data,
		  size_t length);

/**
 * importer_write_slowly - write with a pause after each page
 * @import: the import
 * @offset: bytes from the start of the imported range
 * @data: the bytes
 * @length: how many, at most PEER_TRANSFER_MAX
 *
 * What a notice interrupts is not begun again.
 *
 * Return: 0, -EOPNOTSUPP if this back end cannot, or the negative errno of the
 * interruption, after any part of the bytes.
 */
int importer_write_slowly(struct import *import, size_t offset,
			  const void *data, size_t length);

/**
 * importer_release - end an import
 * @import: what importer_import() filled
 *
 * Return: 0 or a negative errno.
 */
int importer_release(struct import *import);

#endif
