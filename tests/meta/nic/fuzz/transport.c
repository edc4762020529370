// SPDX-License-Identifier: GPL-2.0-only
/*
 * A client, and the guest behind it, that say whatever the fuzzer comes up with. What
 * is looked for are crashes, what the sanitizers see, and descriptors that are left.
 *
 * The parameter of a step is which descriptors go with it: their count in the low half,
 * their kind in the high one.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/client.h"
#include "common/fuzz.h"

#define GUEST_SIZE	(64u << 10)
#define SECOND_NS	1000000000ull

/* How often a client is heard for one step; each time hears many messages. */
#define TURNS		8

enum opcode {
	SEND,		/* data as it is */
	CALL,		/* a message: the first byte is its command, then its payload */
	FILL,		/* guest memory: the first two bytes are its page of 16 bytes */
	LATER,		/* time passes: the first byte is in 10 ms */
	SHRINK,		/* the file behind guest memory is cut off */
	LEAVE,		/* and come again */
	OPCODES
};

struct world {
	struct client *client;
	int guest;
	uint64_t now;
};

/* What a client may have in hand. */
static int make_fd(const struct world *world, unsigned int kind)
{
	int ends[2];

	switch (kind) {
	case 0:
		return dup(world->guest);
	case 1:
		return eventfd(0, 0);
	case 2:
		if (pipe(ends))
			abort();
		close(ends[0]);
		return ends[1];
	}
	return memfd_create("empty", 0);
}

static void say(struct world *world, const struct step *step, const void *data,
		size_t length)
{
	unsigned int nfds = step->parameter & 15;
	int fds[15];

	for (unsigned int i = 0; i < nfds; i++)
		fds[i] = make_fd(world, step->parameter >> 4);
	client_write(world->client, data, length, fds, nfds);
	for (unsigned int i = 0; i < nfds; i++)
		close(fds[i]);
}

static void call(struct world *world, const struct step *step,
		 const uint8_t *data)
{
	struct {
		struct vfio_user_header header;
		uint8_t payload[UINT16_MAX];
	} message;

	message.header = (struct vfio_user_header){
		.command = data[0],
		.size = sizeof(message.header) + step->length - 1,
	};
	memcpy(message.payload, data + 1, step->length - 1);
	say(world, step, &message, message.header.size);
}

static void fill(const struct world *world, const uint8_t *data, size_t length)
{
	if (length > 2)
		(void)!pwrite(world->guest, data + 2, length - 2,
			      (data[0] | data[1] << 8) * 16 % GUEST_SIZE);
}

/* The server works, time passes, and nobody looks at the answers. */
static void run(struct world *world)
{
	static char junk[1 << 20];

	for (int i = 0; i < TURNS; i++) {
		if (!client_run(world->client)) {
			client_come_again(world->client);
			return;
		}
		while (read(world->client->socket, junk, sizeof(junk)) > 0)
			;
	}
	device_tick(world->client->function->device, world->now);
	world->now += SECOND_NS / 1000;
}

static void take_step(struct world *world, const struct step *step,
		      const uint8_t *data)
{
	if (!step->length)
		return;
	switch (step->kind % OPCODES) {
	case SEND:
		say(world, step, data, step->length);
		break;
	case CALL:
		call(world, step, data);
		break;
	case FILL:
		fill(world, data, step->length);
		break;
	case LATER:
		world->now += data[0] * SECOND_NS / 100;
		break;
	case SHRINK:
		(void)!ftruncate(world->guest, data[0] * 4096);
		break;
	case LEAVE:
		client_come_again(world->client);
		break;
	}
	run(world);
}

static void live(struct client *client, const uint8_t *data, size_t size)
{
	struct world world = { .client = client, .now = SECOND_NS };
	struct steps steps = { data, size };
	struct step step;

	world.guest = memfd_create("guest", 0);
	if (world.guest < 0 || ftruncate(world.guest, GUEST_SIZE))
		abort();
	while ((data = steps_next(&steps, &step)))
		take_step(&world, &step, data);
	close(world.guest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct client *client;
	unsigned int before;

	/* One function for all inputs: the next client finds nothing of the last. */
	if (!client)
		client = client_new();
	client_come_again(client);
	before = client_descriptors();
	live(client, data, size);
	client_come_again(client);
	if (client_descriptors() != before)
		abort();
	return 0;
}
