/* SPDX-License-Identifier: GPL-2.0-only */
/* What exporter and importer back ends have in common: who they are. */
#ifndef CTS_BACKEND_H
#define CTS_BACKEND_H

#include <stdbool.h>
#include <stddef.h>

#include "pair/capability.h"

/* Where a result comes from; the driver matrix never mixes them. */
enum evidence {
	EVIDENCE_HARDWARE,
	EVIDENCE_EMULATED,	/* a real driver on an emulated device */
	EVIDENCE_SOFTWARE,	/* a driver that needs no device */
	EVIDENCE_COUNT
};

#define BACKEND_REASONS		8
#define BACKEND_REASON_SIZE	160

struct backend {
	char selector[64];	/* "peer:dynamic" */
	char driver[48];	/* kernel driver, as its module or sysfs names it */
	char version[32];	/* of the driver; the kernel release for in-tree ones */
	char device[48];	/* device it stands for, or empty */
	enum evidence evidence;
	bool ours;		/* one of the suite's peers: judged as a self-test */
	capability_set capabilities;
	char note[BACKEND_REASON_SIZE];	/* what a reader must know, or empty */
	int reason_count;	/* > 0: absent, and these are all the reasons */
	char reasons[BACKEND_REASONS][BACKEND_REASON_SIZE];
};

typedef void (*backend_report)(const struct backend *backend, void *context);

/**
 * backend_start - a blank back end with its selector
 * @backend: filled; evidence is software, nothing is claimed
 * @name: of the back end
 * @instance: or NULL
 */
void backend_start(struct backend *backend, const char *name,
		   const char *instance);

/**
 * backend_note - say what a reader of the results must know
 * @backend: the back end; an older note is kept, separated by "; "
 * @format: printf format
 */
void backend_note(struct backend *backend, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * backend_reason - add one reason why a back end is absent
 * @backend: the back end
 * @format: printf format; say what is missing and how to mend it
 */
void backend_reason(struct backend *backend, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * backend_set_driver - note driver and version from sysfs
 * @backend: the back end
 * @driver: module name; its version is /sys/module/DRIVER/version, or the
 *	    kernel release where the driver has none of its own
 */
void backend_set_driver(struct backend *backend, const char *driver);

/**
 * backend_needs_node - check that a device node can be opened read-write
 * @backend: gets a reason if not, with what to load or change
 * @path: the node
 * @hint: what makes the node appear, "load module udmabuf (CONFIG_UDMABUF)"
 *
 * Return: true if the node is there and can be opened.
 */
bool backend_needs_node(struct backend *backend, const char *path,
			const char *hint);

/**
 * backend_needs_module - say what keeps an in-tree driver from being there
 * @backend: gets a reason for each of: option off in the kernel's config, no
 *	     such module installed for this kernel, module not loaded
 * @module: "udmabuf"
 * @option: "CONFIG_UDMABUF"
 *
 * Return: true if the module is loaded or built in.
 */
bool backend_needs_module(struct backend *backend, const char *module,
			  const char *option);

/* What was learnt of a back end, for the next time it is opened. */
struct backend_memory {
	char asked[64];		/* the selector it was asked for by */
	struct backend backend;
};

/**
 * backend_recall - what an earlier opening learnt, or the runner found out
 * @memory: of an earlier opening, in this process or the one it was forked off
 * @role: "exporter" or "importer"
 * @selector: as it is asked for now
 * @backend: replaced by what was learnt
 *
 * The runner is not asked about peers: another device may have taken the place
 * of theirs.
 *
 * Return: false if nothing was, or of another back end.
 */
bool backend_recall(struct backend_memory *memory, const char *role,
		    const char *selector, struct backend *backend);

/**
 * backend_remember - keep what was learnt of a back end
 * @memory: filled
 * @selector: as it was asked for
 * @backend: what was learnt
 */
void backend_remember(struct backend_memory *memory, const char *selector,
		      const struct backend *backend);

/**
 * backend_split - take a selector apart
 * @selector: "backend" or "backend:instance"
 * @name: room for the back end's name
 * @size: bytes at @name
 *
 * Return: the instance, inside @selector, or NULL if it has none.
 */
const char *backend_split(const char *selector, char *name, size_t size);

/**
 * evidence_name - evidence as records write it, "hardware"
 */
const char *evidence_name(enum evidence evidence);

#endif
