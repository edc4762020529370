// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moves buffers of DRM drivers by pressure. Not one of the drivers that can is in
 * the virtual machine: what decides is tested by itself, in drm_memory.c and
 * pressure.c of tests/meta/unit/.
 */
#include "exporter/drm_move.h"

#include <errno.h>
#include <inttypes.h>
#include <libdrm/drm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "exporter/drm_memory.h"
#include "exporter/pressure.h"
#include "pair/drm.h"
#include "pair/errno_text.h"

#define STEP_LEAST	(32ul << 20)
#define STEP_MOST	(256ul << 20)
#define LIMIT_S		8	/* a case has 30 s, and may move twice */

/* Another open file of the node, that holds nothing yet. */
static int open_again(const struct exporter *exporter)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", exporter->control);
	return drm_open_node(path);
}

/*
 * A file that is new counts nothing but this buffer, and what the driver needs
 * for the file itself, which is counted before.
 */
static int find_region(struct buffer *buffer, struct drm_memory *memory,
		       const char **region)
{
	struct drm_memory before;
	uint32_t handle;
	int card = open_again(buffer->exporter), ret;

	if (card < 0)
		return card;
	ret = drm_memory_read(card, &before);
	if (!ret)
		ret = drm_import(card, buffer->fd, &handle);
	if (!ret)
		ret = drm_memory_read(card, memory);
	close(card);
	if (!ret)
		*region = drm_memory_grown(&before, memory, buffer->size);
	return ret;
}

int drm_placement(struct buffer *buffer, enum placement *placement)
{
	struct drm_memory memory;
	const char *region;
	int ret = find_region(buffer, &memory, &region);

	if (ret)
		return ret;
	if (!memory.count)
		return -EOPNOTSUPP;
	*placement = region ? drm_memory_place(region) : PLACE_DEFAULT;
	return *placement == PLACE_DEFAULT ? -ENODATA : 0;
}

struct pressure {
	struct buffer *buffer;
	int card;		/* the file that holds all that was taken */
	uint64_t most;		/* bytes that it had of the device's memory */
	int taken;		/* dumb buffers */
	time_t end;
};

static time_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static bool is_late(void *context)
{
	const struct pressure *pressure = context;

	return seconds() >= pressure->end;
}

static int is_there(void *context)
{
	const struct pressure *pressure = context;
	enum placement place;
	int ret = drm_placement(pressure->buffer, &place);

	return ret ? ret : place == PLACE_DEVICE;
}

/* Some drivers look for memory when it is used first. */
static int touch(int card, const struct drm_mode_create_dumb *dumb)
{
	struct drm_mode_map_dumb map = { .handle = dumb->handle };
	int ret = drm_call(card, DRM_IOCTL_MODE_MAP_DUMB, &map);
	char *data;

	if (ret)
		return ret;
	data = mmap(NULL, dumb->size, PROT_READ | PROT_WRITE, MAP_SHARED, card,
		    map.offset);
	if (data == MAP_FAILED)
		return -errno;
	*(volatile char *)data = 1;
	munmap(data, dumb->size);
	return 0;
}

/* Small ones for little memory, and not too many for much. */
static size_t next_size(const struct pressure *pressure)
{
	size_t size = pressure->most / 16;

	if (size < STEP_LEAST)
		return STEP_LEAST;
	return size < STEP_MOST ? size : STEP_MOST;
}

static int64_t take(void *context)
{
	struct pressure *pressure = context;
	struct drm_mode_create_dumb dumb;
	struct drm_memory memory;
	uint64_t now, before = pressure->most;
	int ret = drm_create_dumb(pressure->card, next_size(pressure),
				  &dumb);

	if (!ret)
		ret = touch(pressure->card, &dumb);
	if (!ret)
		ret = drm_memory_read(pressure->card, &memory);
	if (ret)
		return ret;
	pressure->taken++;
	now = drm_memory_resident(&memory, PLACE_DEVICE);
	/* Less than half is what tables of the driver come and go by. */
	if (now < before + dumb.size / 2)
		return 0;
	pressure->most = now;
	return now - before;
}

/* The result is but an errno: what was tried stands in the program's output. */
static void tell(const struct pressure *pressure, int result)
{
	printf("# %s: %d more buffers, of which %" PRIu64 " MiB were in memory of the device at most: %s\n",
	       pressure->buffer->exporter->backend.selector, pressure->taken,
	       pressure->most >> 20,
	       result ? errno_text(result) : "the buffer left it");
}

static int press(struct buffer *buffer)
{
	static const struct pressure_ops ops = {
		.is_there = is_there,
		.take = take,
		.is_late = is_late,
	};
	struct pressure pressure = {
		.buffer = buffer,
		.card = open_again(buffer->exporter),
		.end = seconds() + LIMIT_S,
	};
	int ret;

	if (pressure.card < 0)
		return pressure.card;
	ret = pressure_evict(&ops, &pressure);
	tell(&pressure, ret);
	close(pressure.card);
	return ret;
}

/* Which of the other places it goes to is the driver's choice. */
int drm_move(struct buffer *buffer, enum placement placement)
{
	enum placement now;
	int ret;

	if (placement != PLACE_SYSTEM && placement != PLACE_OTHER)
		return -EOPNOTSUPP;
	ret = drm_placement(buffer, &now);
	if (ret)
		return ret;
	return now == PLACE_DEVICE ? press(buffer) : -EOPNOTSUPP;
}

/* Why nothing can be made to move, or NULL. */
static const char *obstacle(const struct drm_memory *memory,
			    const char *region)
{
	if (!memory->count)
		return "its fdinfo tells no regions of memory";
	if (!drm_memory_has(memory, PLACE_DEVICE))
		return "its fdinfo tells no memory of the device";
	if (!drm_memory_has(memory, PLACE_SYSTEM) &&
	    !drm_memory_has(memory, PLACE_OTHER))
		return "its fdinfo tells memory of the device alone";
	if (!region || drm_memory_place(region) != PLACE_DEVICE)
		return "a new buffer is not in memory of the device";
	if (!getenv("DMABUF_CTS_DISRUPTIVE"))
		return "that fills the device's memory: say --allow-disruptive";
	return NULL;
}

void drm_move_learn(struct exporter *exporter, struct buffer *buffer)
{
	struct backend *backend = &exporter->backend;
	struct drm_memory memory;
	const char *region, *why;
	int ret = find_region(buffer, &memory, &region);

	why = ret ? errno_text(ret) : obstacle(&memory, region);
	if (why)
		backend_note(backend, "not made to move: %s", why);
	else
		backend->capabilities |= NEEDS(EXPORTER_MOVES,
					       EXPORTER_ONLY_EVICTS);
	if (drm_pins(backend->driver))
		backend->capabilities |= CAP(EXPORTER_PIN_OP);
}
