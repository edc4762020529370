/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DRM card nodes, for the back ends that export and import through them.
 * Only dumb buffers and PRIME are used: nothing here sets a mode, and master
 * rights that come with opening a node are given back at once.
 */
#ifndef CTS_DRM_H
#define CTS_DRM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pair/backend.h"

#define DRM_NODES_MAX	16
#define DRM_DUMB_STEP	4096	/* bytes by which dumb buffers grow */

/* Set to 1 to use devices that drive a display too. */
#define DRM_CONSOLE_VARIABLE	"DMABUF_CTS_ALLOW_CONSOLE"

struct drm_mode_create_dumb;

struct drm_node {
	int card;		/* N of /dev/dri/cardN */
	char path[24];
	char driver[32];	/* as DRM_IOCTL_VERSION has it; empty if not openable */
	char device[48];	/* PCI address, or the name on another bus */
	bool pci;
	char instance[64];	/* what follows "drm:" in its selector */
};

/**
 * drm_nodes - list the card nodes
 * @nodes: room for DRM_NODES_MAX
 *
 * An instance is the driver's name; where two cards share a driver, or the
 * driver cannot be asked, "pci=ADDRESS", or "card=N" off the PCI bus.
 *
 * They are looked for again when one came or went since the last time.
 *
 * Return: how many there are.
 */
int drm_nodes(struct drm_node *nodes);

/** drm_prepare - list them, for who forks before he asks for one */
void drm_prepare(void);

/**
 * drm_instances - what a DRM back end has to report
 * @instances: room for DRM_NODES_MAX + 1 names
 *
 * Those of all card nodes, and vgem where it is absent: the one driver that
 * every machine could have.
 *
 * Return: how many there are.
 */
int drm_instances(char (*instances)[64]);

/**
 * drm_pick - find and open the node that an instance names
 * @backend: gets selector, driver, version, device, evidence, and reasons
 * @instance: "vgem", "pci=0000:00:07.0", "card=0"; NULL takes the first node
 * @node: filled
 *
 * Return: the open node; -ENODEV or -EACCES with reasons in @backend.
 */
int drm_pick(struct backend *backend, const char *instance,
	     struct drm_node *node);

/**
 * drm_open_node - open a node and give up the master rights that brings
 *
 * Return: the file descriptor or a negative errno.
 */
int drm_open_node(const char *path);

/**
 * drm_call - one DRM ioctl, again while it is interrupted
 *
 * Return: 0 or a negative errno.
 */
int drm_call(int fd, unsigned long request, void *argument);

/**
 * drm_capability - DRM_IOCTL_GET_CAP
 *
 * Return: its value, 0 also where the driver knows it not.
 */
uint64_t drm_capability(int fd, uint64_t capability);

/**
 * drm_import - PRIME: a handle for a dma-buf
 * @card: an open node; it knows a buffer again that it has a handle for
 * @fd: the dma-buf
 * @handle: filled; 0 on error
 *
 * Return: 0 or a negative errno.
 */
int drm_import(int card, int fd, uint32_t *handle);

/**
 * drm_close_handle - DRM_IOCTL_GEM_CLOSE
 *
 * Return: 0 or a negative errno.
 */
int drm_close_handle(int card, uint32_t handle);

/**
 * drm_create_dumb - make a dumb buffer of at least so many bytes
 * @card: an open node; its close destroys what is left
 * @size: bytes
 * @dumb: filled
 *
 * Return: 0 or a negative errno.
 */
int drm_create_dumb(int card, size_t size, struct drm_mode_create_dumb *dumb);

/** drm_destroy_dumb - DRM_IOCTL_MODE_DESTROY_DUMB */
void drm_destroy_dumb(int card, uint32_t handle);

/**
 * drm_exports_plainly - whether a driver exports as drm_prime.c has it for all
 * @driver: as its module is named
 *
 * Those that do are named here; user space cannot ask.
 */
bool drm_exports_plainly(const char *driver);

/**
 * drm_shows_reservation - whether tests/drm.c has a call of that driver which
 * shows the fences of an object
 * @driver: as its module is named
 */
bool drm_shows_reservation(const char *driver);

/**
 * drm_pins - whether a driver's dma-bufs have a pin operation that may succeed
 * @driver: as its module is named
 *
 * Its source says so, on all kernels; user space cannot ask.
 */
bool drm_pins(const char *driver);

#endif
