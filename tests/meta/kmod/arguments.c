// SPDX-License-Identifier: GPL-2.0-only
#include "arguments.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define HANDLES		12	/* handles that it is likely to guess */
#define PAGES_MAX	64
#define SHORT_MS	40	/* fences and delays, most of the time */

struct surroundings surroundings;

int any_buffer(struct random *random)
{
	unsigned int index = below(random, surroundings.buffer_count);

	return __atomic_load_n(&surroundings.buffers[index], __ATOMIC_RELAXED);
}

/* Mostly a valid enumerator, sometimes the first invalid one, or nonsense. */
static uint32_t choice(struct random *random, uint32_t count)
{
	if (one_in(random, 40))
		return next(random);
	return one_in(random, 20) ? count : below(random, count);
}

static uint32_t handle(struct random *random)
{
	return one_in(random, 30) ? next(random) : below(random, HANDLES);
}

static uint32_t delay_ms(struct random *random)
{
	return one_in(random, 50) ? next(random) : 1 + below(random, SHORT_MS);
}

static uint32_t zero(struct random *random)
{
	return one_in(random, 60) ? next(random) : 0;
}

uint64_t any_pointer(struct random *random)
{
	switch (below(random, 12)) {
	case 0:
		return 0;
	case 1:
		return (uintptr_t)surroundings.area + surroundings.page_size;	/* read-only */
	case 2:
		return next(random);
	default:
		return (uintptr_t)surroundings.area;
	}
}

static uint64_t length(struct random *random)
{
	return one_in(random, 30) ? next(random) : 1 + below(random, surroundings.page_size);
}

static uint64_t offset(struct random *random)
{
	return one_in(random, 30) ? next(random) :
	       below(random, 4 * surroundings.page_size);
}

static void make_version(struct random *random, union argument *argument)
{
	argument->version.version = one_in(random, 8) ? next(random) :
						       PEER_UAPI_VERSION;
}

/* One in four is set, and now and then one that is unknown. */
static uint32_t create_flags(struct random *random)
{
	uint32_t known = PEER_BUFFER_OWN_RESV | (PEER_BUFFER_OWN_RESV - 1);

	return choice(random, known + 1) & next(random);
}

static void make_create(struct random *random, union argument *argument)
{
	struct peer_buffer_create *create = &argument->create;

	create->size = one_in(random, 30) ? next(random) :
		       (1ULL + below(random, PAGES_MAX)) * surroundings.page_size;
	create->policy = choice(random, PEER_POLICY_COUNT);
	create->placement = choice(random, PEER_PLACE_COUNT);
	create->shape = choice(random, PEER_SHAPE_COUNT);
	create->flags = one_in(random, 3) ? create_flags(random) : 0;
	create->reserved = zero(random);
}

static void make_handle(struct random *random, union argument *argument)
{
	argument->handle.handle = handle(random);
	argument->handle.reserved = zero(random);
}

static void make_fail(struct random *random, union argument *argument)
{
	struct peer_fail *fail = &argument->fail;

	fail->handle = handle(random);
	fail->what = choice(random, PEER_FAIL_COUNT);
	fail->after = below(random, 4);
	fail->count = below(random, 4);
	fail->error = -(int)choice(random, 200);
	fail->reserved = zero(random);
}

static void make_move(struct random *random, union argument *argument)
{
	struct peer_move *move = &argument->move;

	move->handle = handle(random);
	move->placement = choice(random, PEER_PLACE_COUNT);
	move->flags = one_in(random, 2) ? choice(random, 16) : 0;
	move->fence_ms = move->flags & PEER_MOVE_SLOW_FENCE ?
			 delay_ms(random) : zero(random);
}

static void make_notify(struct random *random, union argument *argument)
{
	argument->notify.handle = handle(random);
	argument->notify.count = choice(random, 20);
}

static void make_storm(struct random *random, union argument *argument)
{
	argument->storm.handle = handle(random);
	argument->storm.on = choice(random, 2);
}

static void make_walk(struct random *random, union argument *argument)
{
	argument->walk.handle = handle(random);
	argument->walk.rounds = choice(random, 50);
}

static void make_fence(struct random *random, union argument *argument)
{
	struct peer_fence *fence = &argument->fence;

	fence->handle = handle(random);
	fence->usage = choice(random, PEER_USAGE_COUNT);
	fence->timeout_ms = delay_ms(random);
	fence->fence = below(random, 20);
}

static void make_storage(struct random *random, union argument *argument)
{
	struct peer_storage *storage = &argument->storage;

	storage->handle = handle(random);
	storage->placement = choice(random, PEER_PLACE_COUNT);
	storage->offset = offset(random);
	storage->length = length(random);
	storage->data = any_pointer(random);
	storage->write = choice(random, 2);
	storage->reserved = zero(random);
}

static void make_exporter_stat(struct random *random, union argument *argument)
{
	argument->exporter_stat.handle = handle(random);
	argument->exporter_stat.reserved[below(random, 2)] = zero(random);
}

static void make_events(struct random *random, union argument *argument)
{
	struct peer_events *events = &argument->events;

	events->handle = handle(random);
	events->capacity = choice(random, surroundings.page_size / sizeof(struct peer_event));
	events->entries = any_pointer(random);
	events->reserved = zero(random);
}

/* What is right here makes the core warn, so nothing is. */
static void make_bad(struct random *random, union argument *argument)
{
	argument->bad.what = one_in(random, 2) ? 0 :
			     PEER_BAD_COUNT + below(random, 1000);
	argument->bad.reserved = zero(random);
}

static void fill_attach(struct random *random, struct peer_attach *attach)
{
	attach->fd = one_in(random, 30) ? (int)next(random) : any_buffer(random);
	attach->mode = choice(random, PEER_MODE_COUNT);
	if (attach->mode == PEER_MODE_SILENT && !surroundings.silent)
		attach->mode = PEER_MODE_NOTIFY;
	attach->device = choice(random, PEER_DEVICE_COUNT);
	attach->flags = attach->mode != PEER_MODE_STATIC ? choice(random, 2) :
							   zero(random);
	attach->reaction = choice(random, PEER_REACT_COUNT);
	attach->late_ms = attach->reaction == PEER_REACT_LATE ?
			  delay_ms(random) : zero(random);
	attach->reserved = zero(random);
}

static void make_attach(struct random *random, union argument *argument)
{
	fill_attach(random, &argument->attach);
}

static void make_map(struct random *random, union argument *argument)
{
	argument->map.handle = handle(random);
	argument->map.direction = choice(random, PEER_NONE);
	argument->map.timeout_ms = zero(random);
}

static void make_import(struct random *random, union argument *argument)
{
	struct peer_import *import = &argument->import;

	fill_attach(random, &import->attach);
	import->map.direction = choice(random, PEER_NONE);
	import->pin = import->attach.mode != PEER_MODE_STATIC ?
		      choice(random, 2) : zero(random);
	import->error = one_in(random, 4) ? -(int)choice(random, 200) : 0;
	import->reserved = zero(random);
}

static void make_unmap(struct random *random, union argument *argument)
{
	argument->unmap.handle = handle(random);
	argument->unmap.map = handle(random);
}

static void make_table(struct random *random, union argument *argument)
{
	struct peer_table *table = &argument->table;

	table->handle = handle(random);
	table->map = handle(random);
	table->capacity = choice(random, surroundings.page_size /
				 sizeof(struct peer_table_entry));
	table->entries = any_pointer(random);
}

/* The device's own engine is slow, so it gets its turn seldom. */
static void make_transfer(struct random *random, union argument *argument)
{
	struct peer_transfer *transfer = &argument->transfer;

	transfer->handle = handle(random);
	transfer->map = handle(random);
	transfer->offset = offset(random);
	transfer->length = length(random);
	transfer->data = any_pointer(random);
	transfer->write = choice(random, 2);
	transfer->engine = one_in(random, 20) ? choice(random, PEER_ENGINE_COUNT) :
						PEER_ENGINE_TRANSLATE;
}

static void make_react(struct random *random, union argument *argument)
{
	struct peer_react *react = &argument->react;

	react->handle = handle(random);
	react->reaction = choice(random, PEER_REACT_COUNT);
	react->late_ms = react->reaction == PEER_REACT_LATE ?
			 delay_ms(random) : zero(random);
	react->reserved = zero(random);
}

static void make_importer_stat(struct random *random, union argument *argument)
{
	argument->importer_stat.handle = handle(random);
}

static void make_vmap(struct random *random, union argument *argument)
{
	struct peer_vmap *vmap = &argument->vmap;

	vmap->handle = handle(random);
	vmap->depth = choice(random, 9);
	vmap->offset = offset(random);
	vmap->length = length(random);
	vmap->data = any_pointer(random);
}

/* An error that hardware might give, most of the time none. */
static int error(struct random *random)
{
	return one_in(random, 8) ? -(int)choice(random, 200) : 0;
}

static void make_register(struct random *random, union argument *argument)
{
	struct peer_umem_register *ask = &argument->umem_register;

	ask->fd = any_buffer(random);
	ask->mode = choice(random, PEER_UMEM_MODE_COUNT);
	ask->offset = offset(random);
	ask->length = length(random);
	ask->device = choice(random, PEER_DEVICE_COUNT);
	ask->flags = ask->mode == PEER_UMEM_DYNAMIC ? choice(random, 16) :
		     choice(random, 2);
	ask->error = error(random);
	ask->reserved = zero(random);
	if (one_in(random, 50))
		memset(ask->name, 'x', below(random, sizeof(ask->name) + 1));
}

static void make_umem_map(struct random *random, union argument *argument)
{
	argument->umem_map.handle = handle(random);
}

static void make_umem_table(struct random *random, union argument *argument)
{
	make_table(random, argument);
	argument->table.map = zero(random);
}

static void make_umem_transfer(struct random *random, union argument *argument)
{
	make_transfer(random, argument);
	argument->transfer.map = zero(random);
}

static void make_umem_stat(struct random *random, union argument *argument)
{
	argument->umem_stat.handle = handle(random);
	argument->umem_stat.reserved = zero(random);
}

static void make_info(struct random *random, union argument *argument)
{
	argument->info.reserved = zero(random);
}

static int iommu(struct random *random)
{
	return one_in(random, 20) ? any_buffer(random) : surroundings.iommu;
}

static uint32_t space(struct random *random)
{
	return one_in(random, 20) ? below(random, HANDLES) : surroundings.space;
}

/* Around what is mapped. */
static uint64_t address(struct random *random)
{
	return one_in(random, 10) ? next(random) :
	       surroundings.mapped + offset(random) - surroundings.page_size;
}

static void make_join(struct random *random, union argument *argument)
{
	argument->join.fd = iommu(random);
	argument->join.space = space(random);
	argument->join.reserved = zero(random);
}

static void make_leave(struct random *random, union argument *argument)
{
	argument->leave.reserved = zero(random);
}

static void make_look(struct random *random, union argument *argument)
{
	argument->look.address = address(random);
}

static void make_access(struct random *random, union argument *argument)
{
	struct peer_space_access *access = &argument->access;

	access->fd = iommu(random);
	access->space = space(random);
	access->address = address(random);
	access->length = length(random);
	access->way = choice(random, PEER_SPACE_WAY_COUNT);
	access->reserved = zero(random);
}

#define ROW(command, make, weight)	{ command, #command, make, weight, false, false }
#define IOMMU(command, make, weight)	{ command, #command, make, weight, false, true }

const struct row rows[] = {
	ROW(PEER_IOC_VERSION, make_version, 1),
	ROW(PEER_EXPORTER_CREATE, make_create, 6),
	ROW(PEER_EXPORTER_FORGET, make_handle, 3),
	ROW(PEER_EXPORTER_FAIL, make_fail, 2),
	ROW(PEER_EXPORTER_MOVE, make_move, 10),
	ROW(PEER_EXPORTER_REVOKE, make_handle, 1),
	ROW(PEER_EXPORTER_RESTORE, make_handle, 2),
	ROW(PEER_EXPORTER_NOTIFY, make_notify, 3),
	ROW(PEER_EXPORTER_STORM, make_storm, 2),
	ROW(PEER_EXPORTER_WALK, make_walk, 2),
	ROW(PEER_EXPORTER_FENCE, make_fence, 3),
	ROW(PEER_EXPORTER_SIGNAL, make_fence, 3),
	ROW(PEER_EXPORTER_STORAGE, make_storage, 5),
	ROW(PEER_EXPORTER_STAT, make_exporter_stat, 3),
	ROW(PEER_EXPORTER_EVENTS, make_events, 2),
	{ PEER_EXPORTER_BAD, "PEER_EXPORTER_BAD", make_bad, 1, true, false },
	ROW(PEER_IMPORTER_ATTACH, make_attach, 8),
	ROW(PEER_IMPORTER_DETACH, make_handle, 4),
	ROW(PEER_IMPORTER_PIN, make_handle, 4),
	ROW(PEER_IMPORTER_UNPIN, make_handle, 5),
	ROW(PEER_IMPORTER_MAP, make_map, 10),
	ROW(PEER_IMPORTER_UNMAP, make_unmap, 6),
	ROW(PEER_IMPORTER_TABLE, make_table, 3),
	ROW(PEER_IMPORTER_TRANSFER, make_transfer, 8),
	ROW(PEER_IMPORTER_REACT, make_react, 2),
	ROW(PEER_IMPORTER_FENCE, make_fence, 3),
	ROW(PEER_IMPORTER_SIGNAL, make_fence, 3),
	ROW(PEER_IMPORTER_STAT, make_importer_stat, 3),
	ROW(PEER_IMPORTER_EVENTS, make_events, 2),
	ROW(PEER_IMPORTER_VMAP, make_vmap, 2),
	ROW(PEER_IMPORTER_IMPORT, make_import, 4),
	ROW(PEER_UMEM_REGISTER, make_register, 12),
	ROW(PEER_UMEM_DEREGISTER, make_handle, 4),
	ROW(PEER_UMEM_MAP, make_umem_map, 8),
	ROW(PEER_UMEM_UNMAP, make_handle, 5),
	{ PEER_UMEM_REVOKE, "PEER_UMEM_REVOKE", make_handle, 1, true, false },
	ROW(PEER_UMEM_TABLE, make_umem_table, 3),
	ROW(PEER_UMEM_TRANSFER, make_umem_transfer, 6),
	ROW(PEER_UMEM_STAT, make_umem_stat, 3),
	ROW(PEER_UMEM_EVENTS, make_events, 2),
	ROW(PEER_UMEM_INFO, make_info, 1),
	IOMMU(PEER_SPACE_JOIN, make_join, 2),
	IOMMU(PEER_SPACE_LEAVE, make_leave, 2),
	IOMMU(PEER_SPACE_LOOK, make_look, 3),
	IOMMU(PEER_SPACE_ACCESS, make_access, 4),
};

const unsigned int row_count = ARRAY_SIZE(rows);

/* Some bits of some arguments are just wrong. */
static void flip_bits(struct random *random, unsigned long command,
		      union argument *argument)
{
	for (size_t i = 0; i < _IOC_SIZE(command); i++)
		if (one_in(random, 8))
			argument->bytes[i] ^= next(random);
}

static void stay_quiet(unsigned long command, union argument *argument)
{
	if (command == PEER_EXPORTER_BAD && argument->bad.what < PEER_BAD_COUNT)
		argument->bad.reserved = 1;
	/* A pin that is busy is what the core warns of. */
	if (command == PEER_EXPORTER_FAIL && argument->fail.error == -EBUSY)
		argument->fail.error = -EAGAIN;
	if (command != PEER_IMPORTER_ATTACH && command != PEER_IMPORTER_IMPORT)
		return;
	if (argument->attach.mode == PEER_MODE_SILENT && !surroundings.silent)
		argument->attach.mode = PEER_MODE_NOTIFY;
}

void make_argument(struct random *random, const struct row *row,
		   union argument *argument)
{
	row->make(random, argument);
	if (one_in(random, 100))
		flip_bits(random, row->command, argument);
	stay_quiet(row->command, argument);
}
