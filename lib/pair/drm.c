// SPDX-License-Identifier: GPL-2.0-only
/* Finds DRM card nodes and opens them with as few rights as will do. */
#include "pair/drm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libdrm/drm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pair/kernel.h"

#define NODES	"/dev/dri"

/* Drivers whose device is not hardware; all others are taken for such. */
static const struct {
	const char *driver;
	enum evidence evidence;
} without_hardware[] = {
	{ "vgem", EVIDENCE_SOFTWARE },
	{ "vkms", EVIDENCE_SOFTWARE },
	{ "virtio_gpu", EVIDENCE_EMULATED },
	{ "bochs-drm", EVIDENCE_EMULATED },
	{ "qxl", EVIDENCE_EMULATED },
	{ "cirrus", EVIDENCE_EMULATED },
	{ "cirrus-qemu", EVIDENCE_EMULATED },
	{ "vmwgfx", EVIDENCE_EMULATED },
	{ "vboxvideo", EVIDENCE_EMULATED },
	{ "hyperv_drm", EVIDENCE_EMULATED },
};

static enum evidence evidence_of(const char *driver)
{
	for (size_t i = 0; i < sizeof(without_hardware) / sizeof(without_hardware[0]); i++)
		if (!strcmp(without_hardware[i].driver, driver))
			return without_hardware[i].evidence;
	return EVIDENCE_HARDWARE;
}

int drm_call(int fd, unsigned long request, void *argument)
{
	int ret;

	do {
		ret = ioctl(fd, request, argument) ? -errno : 0;
	} while (ret == -EINTR || ret == -EAGAIN);
	return ret;
}

uint64_t drm_capability(int fd, uint64_t capability)
{
	struct drm_get_cap get = { .capability = capability };

	return drm_call(fd, DRM_IOCTL_GET_CAP, &get) ? 0 : get.value;
}

int drm_open_node(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	/* Whoever opens first becomes master: a compositor shall still find it free. */
	drm_call(fd, DRM_IOCTL_DROP_MASTER, NULL);
	return fd;
}

static void read_driver(struct drm_node *node)
{
	struct drm_version version = {
		.name = node->driver,
		.name_len = sizeof(node->driver) - 1,
	};
	int fd = drm_open_node(node->path);

	if (fd < 0)
		return;
	if (drm_call(fd, DRM_IOCTL_VERSION, &version))
		node->driver[0] = '\0';
	close(fd);
}

/* The last part of where a link of sysfs leads. */
static int link_name(char *name, size_t size, const char *link)
{
	char target[512];
	ssize_t length = readlink(link, target, sizeof(target) - 1);
	const char *base;

	if (length < 0)
		return -errno;
	target[length] = '\0';
	base = strrchr(target, '/');
	base = base ? base + 1 : target;
	return (size_t)snprintf(name, size, "%s", base) < size ? 0 : -ENAMETOOLONG;
}

static void read_device(struct drm_node *node)
{
	char link[64], bus[32];

	snprintf(link, sizeof(link), "/sys/class/drm/card%d/device", node->card);
	if (link_name(node->device, sizeof(node->device), link))
		snprintf(node->device, sizeof(node->device), "card%d", node->card);
	/* A virtio device is a child of the PCI function people know it by. */
	if (!strncmp(node->device, "virtio", strlen("virtio"))) {
		char parent[512];

		snprintf(link, sizeof(link), "/sys/class/drm/card%d/device/..",
			 node->card);
		if (realpath(link, parent) && strrchr(parent, '/'))
			snprintf(node->device, sizeof(node->device), "%.47s",
				 strrchr(parent, '/') + 1);
		node->pci = strchr(node->device, ':');
		return;
	}
	snprintf(link, sizeof(link), "/sys/class/drm/card%d/device/subsystem",
		 node->card);
	node->pci = !link_name(bus, sizeof(bus), link) && !strcmp(bus, "pci");
}

/* A connector of this card that is switched on; an empty text if there is none. */
static void read_display(int card, char *display, size_t size)
{
	char prefix[16], path[320], enabled[16];
	DIR *folder = opendir("/sys/class/drm");
	struct dirent *entry;

	display[0] = '\0';
	snprintf(prefix, sizeof(prefix), "card%d-", card);
	while (folder && !display[0] && (entry = readdir(folder))) {
		if (strncmp(entry->d_name, prefix, strlen(prefix)))
			continue;
		snprintf(path, sizeof(path), "/sys/class/drm/%s/enabled",
			 entry->d_name);
		if (kernel_read_line(path, enabled, sizeof(enabled)) > 0 &&
		    !strcmp(enabled, "enabled"))
			snprintf(display, size, "%.39s", entry->d_name);
	}
	if (folder)
		closedir(folder);
}

static bool shares_driver(const struct drm_node *nodes, int count, int which)
{
	for (int i = 0; i < count; i++)
		if (i != which && !strcmp(nodes[i].driver, nodes[which].driver))
			return true;
	return false;
}

static void name_instances(struct drm_node *nodes, int count)
{
	for (int i = 0; i < count; i++) {
		struct drm_node *node = &nodes[i];

		if (node->driver[0] && !shares_driver(nodes, count, i))
			snprintf(node->instance, sizeof(node->instance), "%s",
				 node->driver);
		else if (node->pci)
			snprintf(node->instance, sizeof(node->instance), "pci=%s",
				 node->device);
		else
			snprintf(node->instance, sizeof(node->instance), "card=%d",
				 node->card);
	}
}

static int is_card(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "card", strlen("card"));
}

static int look_for_nodes(struct drm_node *nodes)
{
	struct dirent **entries;
	int found = scandir(NODES, &entries, is_card, versionsort), count = 0;

	for (int i = 0; i < found; i++) {
		struct drm_node *node = &nodes[count];

		memset(node, 0, sizeof(*node));
		snprintf(node->path, sizeof(node->path), NODES "/%.14s",
			 entries[i]->d_name);
		free(entries[i]);
		if (count == DRM_NODES_MAX ||
		    sscanf(node->path, NODES "/card%d", &node->card) != 1)
			continue;
		read_driver(node);
		read_device(node);
		count++;
	}
	if (found >= 0)
		free(entries);
	name_instances(nodes, count);
	return count;
}

/* What was there when something last came or went. */
static struct {
	struct drm_node nodes[DRM_NODES_MAX];
	int count;
	struct timespec changed;
} last;

/* Whether all of them could be asked, and a change from now on has another time. */
static bool is_settled(const struct timespec *changed)
{
	struct timespec now;

	for (int i = 0; i < last.count; i++)
		if (!last.nodes[i].driver[0])
			return false;
	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec - changed->tv_sec > 1;
}

int drm_nodes(struct drm_node *nodes)
{
	struct stat folder;

	if (stat(NODES, &folder))
		return 0;
	if (memcmp(&last.changed, &folder.st_mtim, sizeof(last.changed))) {
		last.count = look_for_nodes(last.nodes);
		if (is_settled(&folder.st_mtim))
			last.changed = folder.st_mtim;
	}
	memcpy(nodes, last.nodes, last.count * sizeof(*nodes));
	return last.count;
}

void drm_prepare(void)
{
	struct drm_node nodes[DRM_NODES_MAX];

	drm_nodes(nodes);
}

int drm_instances(char (*instances)[64])
{
	struct drm_node nodes[DRM_NODES_MAX];
	int count = drm_nodes(nodes);
	bool vgem = false;

	for (int i = 0; i < count; i++) {
		/* One that may not be opened may be it. */
		vgem |= !nodes[i].driver[0] || !strcmp(nodes[i].driver, "vgem");
		strcpy(instances[i], nodes[i].instance);
	}
	if (!vgem)
		strcpy(instances[count++], "vgem");
	return count;
}

static bool named(const struct drm_node *node, const char *instance)
{
	char other[64];

	if (!instance || !strcmp(instance, node->instance))
		return true;
	snprintf(other, sizeof(other), "card=%d", node->card);
	if (!strcmp(instance, other))
		return true;
	snprintf(other, sizeof(other), "pci=%s", node->device);
	return node->pci && !strcmp(instance, other);
}

static void explain_missing(struct backend *backend, const char *instance,
			    int cards)
{
	if (!cards)
		backend_reason(backend, "no DRM device: there is no /dev/dri/card*");
	else
		backend_reason(backend, "no DRM device \"%s\" among the %d found: see dmabuf-cts list",
			       instance, cards);
	if (instance && !strcmp(instance, "vgem"))
		backend_needs_module(backend, "vgem", "CONFIG_DRM_VGEM");
}

/* What the results will say of it. */
static void describe(struct backend *backend, const struct drm_node *node)
{
	backend_start(backend, "drm", node->instance);
	if (node->driver[0])
		backend_set_driver(backend, node->driver);
	snprintf(backend->device, sizeof(backend->device), "%s", node->device);
	backend->evidence = evidence_of(node->driver);
}

static bool may_be_used(struct backend *backend, const struct drm_node *node)
{
	const char *allow = getenv(DRM_CONSOLE_VARIABLE);
	char display[40];

	if (allow && !strcmp(allow, "1"))
		return true;
	read_display(node->card, display, sizeof(display));
	if (!display[0])
		return true;
	backend_reason(backend, "%s drives a display (%s): say --allow-console to use it",
		       node->path, display);
	return false;
}

int drm_pick(struct backend *backend, const char *instance,
	     struct drm_node *node)
{
	struct drm_node nodes[DRM_NODES_MAX];
	int count = drm_nodes(nodes);

	for (int i = 0; i < count; i++) {
		if (!named(&nodes[i], instance))
			continue;
		*node = nodes[i];
		describe(backend, node);
		if (!may_be_used(backend, node))
			return -EACCES;
		if (!backend_needs_node(backend, node->path, "the card went away"))
			return -EACCES;
		return drm_open_node(node->path);
	}
	explain_missing(backend, instance, count);
	return -ENODEV;
}

int drm_import(int card, int fd, uint32_t *handle)
{
	struct drm_prime_handle prime = { .fd = fd };
	int ret = drm_call(card, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);

	*handle = ret ? 0 : prime.handle;
	return ret;
}

int drm_close_handle(int card, uint32_t handle)
{
	struct drm_gem_close gem = { .handle = handle };

	return drm_call(card, DRM_IOCTL_GEM_CLOSE, &gem);
}

/* One row of pixels is a page of 4 KiB, so that a size needs no rounding. */
int drm_create_dumb(int card, size_t size, struct drm_mode_create_dumb *dumb)
{
	*dumb = (struct drm_mode_create_dumb){
		.width = DRM_DUMB_STEP / sizeof(uint32_t),
		.height = (size + DRM_DUMB_STEP - 1) / DRM_DUMB_STEP,
		.bpp = 32,
	};
	return drm_call(card, DRM_IOCTL_MODE_CREATE_DUMB, dumb);
}

void drm_destroy_dumb(int card, uint32_t handle)
{
	struct drm_mode_destroy_dumb destroy = { .handle = handle };

	drm_call(card, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy);
}

static bool is_among(const char *driver, const char *const *drivers,
		     size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(driver, drivers[i]))
			return true;
	return false;
}

#define IS_AMONG(driver, drivers) \
	is_among(driver, drivers, sizeof(drivers) / sizeof((drivers)[0]))

bool drm_exports_plainly(const char *driver)
{
	static const char *const drivers[] = {
		"ast", "bochs-drm", "cirrus", "cirrus-qemu", "gm12u320",
		"hibmc", "hyperv_drm", "mgag200", "qxl", "simpledrm", "udl",
		"vboxvideo", "vgem", "vkms",
	};

	return IS_AMONG(driver, drivers);
}

bool drm_shows_reservation(const char *driver)
{
	static const char *const drivers[] = { "vgem", "virtio_gpu" };

	return IS_AMONG(driver, drivers);
}

bool drm_pins(const char *driver)
{
	static const char *const drivers[] = { "amdgpu", "xe" };

	return IS_AMONG(driver, drivers);
}
