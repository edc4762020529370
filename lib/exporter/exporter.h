/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exporter back ends. A back end is one file in this folder with a struct
 * exporter_ops, named in registry.c. An instance of it is chosen by a
 * selector, "backend" or "backend:instance".
 */
#ifndef CTS_EXPORTER_H
#define CTS_EXPORTER_H

#include <stddef.h>
#include <stdint.h>

#include "pair/backend.h"
#include "pair/capability.h"

struct exporter;

/* Where storage can be, for back ends with more than one place. */
enum placement {
	PLACE_DEFAULT = 0,
	PLACE_SYSTEM,		/* system memory */
	PLACE_OTHER,		/* another place every device reaches */
	PLACE_DEVICE,		/* memory of the device, for peer-to-peer only */
	PLACE_COUNT
};

#define BUFFER_READ_ONLY	(1u << 0)	/* the fd may not be mapped writable */
#define BUFFER_NO_CLOEXEC	(1u << 1)	/* leave close-on-exec off */
#define BUFFER_NO_MMAP		(1u << 2)	/* without an mmap operation: peer exporter only */
#define BUFFER_SHORT		(1u << 3)	/* its tables lack the last page: peer exporter only */
#define BUFFER_REPEATED		(1u << 4)	/* larger than its memory: peer exporter only */
#define BUFFER_LONG		(1u << 5)	/* its tables have a page too much: peer exporter only */
#define BUFFER_MISALIGNED	(1u << 6)	/* an entry ends within a page: peer exporter only */
#define BUFFER_RAGGED		(1u << 7)	/* its size is not whole pages: peer exporter only */
#define BUFFER_OWN_RESV		(1u << 8)	/* no reservation is lent to it: peer exporter only */

struct buffer_spec {
	size_t size;			/* bytes, a multiple of the page size */
	enum placement placement;
	unsigned int flags;		/* BUFFER_* */
	unsigned int shape;		/* enum peer_shape, peer exporter only */
};

/**
 * spec_is_plain - whether a back end with one kind of memory can do as asked
 * @spec: what to make
 * @flags: BUFFER_* that this back end knows
 */
static inline bool spec_is_plain(const struct buffer_spec *spec,
				 unsigned int flags)
{
	return spec->placement <= PLACE_SYSTEM && !spec->shape &&
	       !(spec->flags & ~flags);
}

struct buffer {
	struct exporter *exporter;
	int fd;				/* the dma-buf; -1 once closed */
	size_t size;
	uint32_t handle;		/* the back end's own name for it */
	void *data;			/* the back end's own state */
};

/*
 * Operations return 0 or a negative errno. A NULL operation is one the back
 * end does not have; the exporter_*() calls below answer EOPNOTSUPP for it.
 */
struct exporter_ops {
	const char *name;
	/* Report each instance, absent ones with all reasons. */
	void (*discover)(backend_report report, void *context);
	void (*prepare)(void);		/* see exporter_prepare(), or NULL */
	/*
	 * Fills backend, control and data. After an error only control is
	 * closed for it, if it is not -1.
	 */
	int (*open)(struct exporter *exporter, const char *instance);
	/*
	 * Adds to backend what only a trial shows, NULL if there is nothing.
	 * After an error it is closed.
	 */
	int (*learn)(struct exporter *exporter);
	void (*close)(struct exporter *exporter);
	int (*alloc)(struct exporter *exporter, const struct buffer_spec *spec,
		     struct buffer *buffer);
	int (*write)(struct buffer *buffer, size_t offset, const void *data,
		     size_t length);
	int (*read)(struct buffer *buffer, size_t offset, void *data,
		    size_t length);
	int (*move)(struct buffer *buffer, enum placement placement);
	int (*placement)(struct buffer *buffer, enum placement *placement);
	int (*revoke)(struct buffer *buffer);
	int (*restore)(struct buffer *buffer);
	/*
	 * Makes a buffer by a call that cannot write its answer back, and
	 * returns what the call gave. NULL where no answer is written.
	 */
	int (*alloc_unanswered)(struct exporter *exporter, size_t size);
	/* Drops the back end's own hold; the fd is closed by the caller. */
	void (*release)(struct buffer *buffer);
};

struct exporter {
	const struct exporter_ops *ops;
	struct backend backend;		/* selector, driver, evidence, capabilities */
	int control;			/* device node the back end opened, or -1 */
	bool contiguous;		/* its partner takes memory in one piece alone */
	void *data;
};

extern const struct exporter_ops *const exporter_registry[];

/**
 * exporter_prepare - learn what the exporter a selector names needs to be opened
 * @selector: "backend" or "backend:instance"
 *
 * As importer_prepare() does for importers.
 */
void exporter_prepare(const char *selector);

/**
 * exporter_open - open the exporter a selector names
 * @selector: "backend" or "backend:instance"
 * @exporter: filled
 *
 * Return: 0, -ENODEV if the back end or instance is absent, -EINVAL if no
 * such back end exists, or the back end's errno. exporter->backend.reasons
 * says why.
 */
int exporter_open(const char *selector, struct exporter *exporter);

/**
 * exporter_close - close it; again does nothing, and its buffers live on
 */
void exporter_close(struct exporter *exporter);

/**
 * exporter_is_dynamic - whether it has a pin operation, even if only to refuse
 */
bool exporter_is_dynamic(const struct exporter *exporter);

/**
 * exporter_report - open, close and report one instance, for discover()
 * @name: of the back end
 * @instance: of it, or NULL
 * @report: told of it, whether it could be opened or not
 * @context: handed to @report
 */
void exporter_report(const char *name, const char *instance,
		     backend_report report, void *context);

/**
 * exporter_alloc - make a buffer and its dma-buf fd
 * @exporter: an open exporter
 * @spec: what to make
 * @buffer: filled; give it back with exporter_release()
 *
 * Return: 0 or a negative errno.
 */
int exporter_alloc(struct exporter *exporter, const struct buffer_spec *spec,
		   struct buffer *buffer);

/**
 * exporter_alloc_unanswered - ask for a buffer in memory that cannot be written
 * @exporter: an open exporter
 * @size: bytes, a multiple of the page size
 *
 * Return: 0 if the call succeeded all the same, -EFAULT if it noticed,
 * -EOPNOTSUPP if this exporter's call returns the fd and writes nothing, or
 * another negative errno.
 */
int exporter_alloc_unanswered(struct exporter *exporter, size_t size);

/**
 * exporter_write, exporter_read - move content by the CPU or the exporter
 * @buffer: the buffer
 * @offset: bytes from its start
 * @data: the content
 * @length: bytes
 *
 * Falls back to mmap() of the dma-buf with DMA_BUF_IOCTL_SYNC around it.
 *
 * Return: 0 or a negative errno.
 */
int exporter_write(struct buffer *buffer, size_t offset, const void *data,
		   size_t length);
int exporter_read(struct buffer *buffer, size_t offset, void *data,
		  size_t length);

/**
 * exporter_move - make the storage move
 * @buffer: the buffer
 * @placement: where to
 *
 * Return: 0, -EBUSY if it is pinned, -EOPNOTSUPP if user space cannot make
 * this exporter move, or another negative errno.
 */
int exporter_move(struct buffer *buffer, enum placement placement);

/**
 * exporter_placement - where the storage is
 * @buffer: the buffer
 * @placement: filled
 *
 * Return: 0, -EOPNOTSUPP if the exporter does not tell, or another negative
 * errno.
 */
int exporter_placement(struct buffer *buffer, enum placement *placement);

/**
 * exporter_revoke, exporter_restore - take the buffer away, give it back
 * @buffer: the buffer
 *
 * Return: 0, -EOPNOTSUPP if user space cannot make this exporter do so, or
 * another negative errno.
 */
int exporter_revoke(struct buffer *buffer);
int exporter_restore(struct buffer *buffer);

/**
 * exporter_release - close the fd, if still open, and drop the back end's hold
 * @buffer: the buffer; may be one that was never filled (all zero and fd -1)
 */
void exporter_release(struct buffer *buffer);

#endif
