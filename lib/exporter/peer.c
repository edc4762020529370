// SPDX-License-Identifier: GPL-2.0-only
/*
 * The suite's instrumented exporter. An instance is a policy: what it does
 * about pins, moves and revocation. Content is written and read past every
 * mapping, where the exporter itself has it.
 */
#include "exporter/exporter.h"

#include <errno.h>
#include <string.h>

#include "pair/read_only.h"
#include "peer/ioctl.h"
#include "peer/peer_exporter.h"
#include "peer/peer_open.h"

#define MODULE	"dmabuf_peer_exporter"

struct policy {
	const char *instance;
	enum peer_policy policy;
	capability_set capabilities;
};

#define EVERY_POLICY	(CAP(EXPORTER_PEER) | CAP(EXPORTER_MAPS) |	\
			 CAP(EXPORTER_MMAPS) | CAP(EXPORTER_FILLS) |	\
			 CAP(EXPORTER_TAKES_CLOEXEC) |			\
			 CAP(EXPORTER_DEVICE_MEMORY))
#define PINS_IN_PLACE	(CAP(EXPORTER_PIN_OP) | CAP(EXPORTER_PINS_IN_PLACE))

/* The first one is the default. */
static const struct policy policies[] = {
	{ "dynamic", PEER_POLICY_DYNAMIC,
	  EVERY_POLICY | PINS_IN_PLACE | CAP(EXPORTER_MOVES) },
	{ "static", PEER_POLICY_STATIC, EVERY_POLICY },
	{ "migrate", PEER_POLICY_MIGRATE,
	  EVERY_POLICY | CAP(EXPORTER_PIN_OP) | CAP(EXPORTER_MIGRATES_TO_PIN) |
	  CAP(EXPORTER_MOVES) },
	{ "refuse-pin", PEER_POLICY_REFUSE_PIN,
	  EVERY_POLICY | CAP(EXPORTER_REFUSES_PIN) | CAP(EXPORTER_MOVES) },
	{ "revocable", PEER_POLICY_REVOCABLE,
	  EVERY_POLICY | PINS_IN_PLACE | CAP(EXPORTER_MOVES) |
	  CAP(EXPORTER_REVOKES) },
};

#define POLICY_COUNT	(sizeof(policies) / sizeof(policies[0]))

static const enum peer_placement to_peer[PLACE_COUNT] = {
	[PLACE_DEFAULT] = PEER_PLACE_SYSTEM,
	[PLACE_SYSTEM] = PEER_PLACE_SYSTEM,
	[PLACE_OTHER] = PEER_PLACE_OTHER,
	[PLACE_DEVICE] = PEER_PLACE_DEVICE,
};

static const enum placement from_peer[PEER_PLACE_COUNT] = {
	[PEER_PLACE_SYSTEM] = PLACE_SYSTEM,
	[PEER_PLACE_OTHER] = PLACE_OTHER,
	[PEER_PLACE_DEVICE] = PLACE_DEVICE,
};

static const struct policy *find(const char *instance)
{
	if (!instance)
		return &policies[0];
	for (size_t i = 0; i < POLICY_COUNT; i++)
		if (!strcmp(policies[i].instance, instance))
			return &policies[i];
	return NULL;
}

static int open_peer(struct exporter *exporter, const char *instance)
{
	const struct policy *policy = find(instance);
	int fd;

	if (!policy) {
		backend_reason(&exporter->backend, "the peer exporter has no policy \"%s\": dynamic, static, migrate, refuse-pin or revocable",
			       instance);
		return -EINVAL;
	}
	backend_start(&exporter->backend, "peer", policy->instance);
	fd = peer_open(&exporter->backend, PEER_EXPORTER_NODE, MODULE);
	if (fd < 0)
		return fd;
	exporter->control = fd;
	exporter->backend.capabilities = policy->capabilities;
	exporter->data = (void *)policy;
	return 0;
}

static void discover(backend_report report, void *context)
{
	for (size_t i = 0; i < POLICY_COUNT; i++)
		exporter_report("peer", policies[i].instance, report, context);
}

static unsigned int peer_flags(unsigned int flags)
{
	static const struct {
		unsigned int flag, peer;
	} names[] = {
		{ BUFFER_READ_ONLY, PEER_BUFFER_READ_ONLY },
		{ BUFFER_NO_CLOEXEC, PEER_BUFFER_NO_CLOEXEC },
		{ BUFFER_NO_MMAP, PEER_BUFFER_NO_MMAP },
		{ BUFFER_SHORT, PEER_BUFFER_SHORT },
		{ BUFFER_REPEATED, PEER_BUFFER_REPEATED },
		{ BUFFER_LONG, PEER_BUFFER_LONG },
		{ BUFFER_MISALIGNED, PEER_BUFFER_MISALIGNED },
		{ BUFFER_RAGGED, PEER_BUFFER_RAGGED },
		{ BUFFER_OWN_RESV, PEER_BUFFER_OWN_RESV },
	};
	unsigned int wanted = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (flags & names[i].flag)
			wanted |= names[i].peer;
	return wanted;
}

/* In one piece, if that is asked for and can be had. */
static unsigned int contiguity(const struct exporter *exporter,
			       const struct buffer_spec *spec)
{
	bool can_be = spec->size <= PEER_CONTIGUOUS_SIZE_MAX &&
		      !(spec->flags & BUFFER_REPEATED);

	return exporter->contiguous && can_be ? PEER_BUFFER_CONTIGUOUS : 0;
}

static int alloc(struct exporter *exporter, const struct buffer_spec *spec,
		 struct buffer *buffer)
{
	const struct policy *policy = exporter->data;
	struct peer_buffer_create create = {
		.size = spec->size,
		.policy = policy->policy,
		.shape = spec->shape,
		.flags = peer_flags(spec->flags) | contiguity(exporter, spec),
	};
	int ret;

	if (spec->placement >= PLACE_COUNT)
		return -EINVAL;
	create.placement = to_peer[spec->placement];
	ret = peer_ioctl(exporter->control, PEER_EXPORTER_CREATE, &create);
	if (ret)
		return ret;
	buffer->fd = create.fd;
	buffer->handle = create.handle;
	return 0;
}

static int alloc_unanswered(struct exporter *exporter, size_t size)
{
	const struct policy *policy = exporter->data;
	const struct peer_buffer_create create = {
		.size = size,
		.policy = policy->policy,
	};

	return read_only_ioctl(exporter->control, PEER_EXPORTER_CREATE, &create,
			       sizeof(create));
}

/* Moves bytes to or from the present place, as much a call as the peer takes. */
static int transfer(struct buffer *buffer, size_t offset, char *data,
		    size_t length, bool write)
{
	struct peer_exporter_stat stat;
	size_t part;
	int ret = peer_exporter_stat(buffer, &stat);

	for (; !ret && length; length -= part, offset += part, data += part) {
		part = length < PEER_TRANSFER_MAX ? length : PEER_TRANSFER_MAX;
		ret = peer_exporter_storage(buffer, stat.placement, offset, data,
					    part, write);
	}
	return ret;
}

static int write_storage(struct buffer *buffer, size_t offset,
			 const void *data, size_t length)
{
	return transfer(buffer, offset, (char *)data, length, true);
}

static int read_storage(struct buffer *buffer, size_t offset, void *data,
			size_t length)
{
	return transfer(buffer, offset, data, length, false);
}

static int move(struct buffer *buffer, enum placement placement)
{
	if (placement >= PLACE_COUNT)
		return -EINVAL;
	return peer_exporter_move(buffer, to_peer[placement], 0, 0);
}

static int placement(struct buffer *buffer, enum placement *placement)
{
	struct peer_exporter_stat stat;
	int ret = peer_exporter_stat(buffer, &stat);

	if (!ret && stat.placement >= PEER_PLACE_COUNT)
		ret = -EPROTO;
	if (!ret)
		*placement = from_peer[stat.placement];
	return ret;
}

static int with_handle(struct buffer *buffer, unsigned long request)
{
	struct peer_handle handle = { .handle = buffer->handle };

	return peer_ioctl(buffer->exporter->control, request, &handle);
}

static int revoke(struct buffer *buffer)
{
	return with_handle(buffer, PEER_EXPORTER_REVOKE);
}

static int restore(struct buffer *buffer)
{
	return with_handle(buffer, PEER_EXPORTER_RESTORE);
}

static void release(struct buffer *buffer)
{
	with_handle(buffer, PEER_EXPORTER_FORGET);
}

const struct exporter_ops peer_exporter_ops = {
	.name = "peer",
	.discover = discover,
	.open = open_peer,
	.alloc = alloc,
	.alloc_unanswered = alloc_unanswered,
	.write = write_storage,
	.read = read_storage,
	.move = move,
	.placement = placement,
	.revoke = revoke,
	.restore = restore,
	.release = release,
};
