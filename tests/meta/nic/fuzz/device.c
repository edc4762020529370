// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver and a user of the device that do whatever the fuzzer comes up with, from a state in
 * which everything is there once. What is looked for are crashes, what the sanitizers see, work
 * that does not end, and counts that do not add up.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/driver.h"
#include "common/fuzz.h"

/* Ticks of one step: what a guest posts in it must be done by then, or wait for time. */
#define TICKS		100000

enum kind {
	COMMAND,	/* the parameter is the opcode; flags, then the payload */
	AMEND,		/* likewise, but changes that many bytes of a good command */
	WORK,		/* a work request, on queue pair 0 or 1 */
	RECEIVE,	/* a receive descriptor, likewise */
	REGISTER,	/* the parameter is a word's place; its value */
	DOORBELL,	/* the parameter is the page; its place in it in words, its value */
	FILL,		/* guest memory: the first three bytes are its place */
	UNMAP,		/* the parameter is a page; 0 maps all again */
	LATER,		/* time passes: the parameter is in 10 ms */
	CONTROL,	/* the parameter is which; its value */
	KINDS
};

struct world {
	struct driver *driver;
	uint16_t pd, ah;
	struct test_eq eq;
	struct test_cq cq;
	struct test_qp qp[2];
	struct test_mr mr[2];
	uint64_t now;
};

static uint32_t word(const uint8_t *data, size_t length)
{
	uint32_t word = 0;

	memcpy(&word, data, length < sizeof(word) ? length : sizeof(word));
	return word;
}

static void command(struct world *world, uint8_t opcode, const uint8_t *data, size_t length)
{
	uint8_t payload[ADMIN_PAYLOAD_MAX];

	length = length - 1 < sizeof(payload) ? length - 1 : sizeof(payload);
	memcpy(payload, data + 1, length);
	driver_post(world->driver, opcode, data[0], payload, length);
	driver_ring(world->driver);
}

/* Good commands for the fuzzer to spoil. */
static size_t good_command(struct world *world, uint8_t opcode, void *payload)
{
	struct driver *driver = world->driver;
	struct create_qp qp = {
		.pd = world->pd, .kind = QP_SRD, .uar = driver->uar,
		.receive_ring = world->qp[0].ring, .send_cq = world->cq.number,
		.receive_cq = world->cq.number, .send_ring_size = 1024, .receive_ring_size = 256,
	};
	struct modify_qp modify = {
		.mask = MODIFY_STATE, .handle = world->qp[0].info.handle, .state = QP_RTS,
	};
	struct reg_mr reg = {
		.pd = world->pd, .shift = 12, .rights = RIGHTS, .length = world->mr[0].length,
		.address = world->mr[0].address, .list = { PAGE, { world->mr[1].address, 0 } },
	};
	struct create_cq cq = {
		.entry = 8, .depth = 16, .ring = { world->cq.ring, 0 }, .sub_cqs = 1,
		.uar = driver->uar,
	};
	struct dereg_mr dereg = { world->mr[1].key };
	struct feature_command feature = { .feature = FEATURE_AENQ, .value = { 0, 0x10 } };
	const struct { uint8_t opcode; const void *from; size_t size; } commands[] = {
		{ OPCODE_CREATE_QP, &qp, sizeof(qp) },
		{ OPCODE_MODIFY_QP, &modify, sizeof(modify) },
		{ OPCODE_DESTROY_QP, &world->qp[1].info.handle, sizeof(uint32_t) },
		{ OPCODE_REG_MR, &reg, sizeof(reg) },
		{ OPCODE_CREATE_CQ, &cq, sizeof(cq) },
		{ OPCODE_DEREG_MR, &dereg, sizeof(dereg) },
		{ OPCODE_SET_FEATURE, &feature, sizeof(feature) },
	};

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (commands[i].opcode != opcode)
			continue;
		memcpy(payload, commands[i].from, commands[i].size);
		return commands[i].size;
	}
	return 0;
}

static void amend(struct world *world, uint8_t opcode, const uint8_t *data, size_t length)
{
	uint8_t payload[ADMIN_PAYLOAD_MAX] = { 0 };
	size_t size = good_command(world, opcode, payload);

	for (size_t i = 1; i + 1 < length; i += 2)
		payload[data[i] % sizeof(payload)] = data[i + 1];
	driver_post(world->driver, opcode, data[0], payload, size ? size : sizeof(payload) / 2);
	driver_ring(world->driver);
}

/* A good request, spoilt: its bytes are added to by those of the input. */
static void work(struct world *world, uint8_t parameter, const uint8_t *data, size_t length)
{
	struct test_qp *qp = &world->qp[parameter & 1];
	struct test_qp *to = &world->qp[parameter >> 1 & 1];
	struct work_request request = parameter & 4 ?
		work_send(qp, to, &world->mr[0], 100) :
		work_rdma(qp, to, parameter & 8 ? OPERATION_READ : OPERATION_WRITE,
			  &world->mr[0], &world->mr[1], 5000);

	for (size_t i = 0; i + 1 < length; i += 2)
		((uint8_t *)&request)[data[i] % sizeof(request)] += data[i + 1];
	work_post(qp, request);
}

static void receive(struct world *world, uint8_t parameter, const uint8_t *data, size_t length)
{
	struct test_qp *qp = &world->qp[parameter & 1];
	struct receive_descriptor *ring = driver_at(world->driver, qp->ring);
	uint8_t *bytes = (uint8_t *)&ring[qp->received % TEST_QP_DEPTH];

	work_receive(qp, &world->mr[1], 200);
	for (size_t i = 0; i + 1 < length; i += 2)
		bytes[data[i] % sizeof(*ring)] += data[i + 1];
	device_doorbell_write(world->driver->device, qp->info.receive_doorbell, qp->received);
}

static void fill_guest(struct world *world, const uint8_t *data, size_t length)
{
	uint32_t place;

	if (length <= 3)
		return;
	place = word(data, 3) % (FAKE_GUEST_SIZE - length);
	memcpy(driver_at(world->driver, FAKE_GUEST_ADDRESS + place), data + 3, length - 3);
}

static void unmap(struct world *world, uint8_t page)
{
	struct function *function = world->driver->function;
	struct memory *memory = function_memory(function);
	uint64_t hole = FAKE_GUEST_ADDRESS + page * PAGE;
	uint64_t end = FAKE_GUEST_ADDRESS + FAKE_GUEST_SIZE;
	int fd = fake_guest_fd(function);

	memory_remove_all(memory);
	if (page)
		memory_add(memory, FAKE_GUEST_ADDRESS, hole - FAKE_GUEST_ADDRESS, fd, 0, 3);
	else
		hole -= PAGE;
	memory_add(memory, hole + PAGE, end - hole - PAGE, fd, hole + PAGE - FAKE_GUEST_ADDRESS, 3);
}

/* Work that goes on for ever would hang the server: then this does not return in time. */
static void let_run(struct world *world)
{
	for (int i = 0; i < TICKS; i++)
		if (device_tick(world->driver->device, world->now))
			return;
	abort();
}

static void take_step(struct world *world, const struct step *step, const uint8_t *data)
{
	struct device *device = world->driver->device;
	uint32_t *controls = (uint32_t *)function_controls(world->driver->function);

	if (!step->length)
		return;
	switch (step->kind % KINDS) {
	case COMMAND:
		command(world, step->parameter, data, step->length);
		break;
	case AMEND:
		amend(world, step->parameter, data, step->length);
		break;
	case WORK:
		work(world, step->parameter, data, step->length);
		break;
	case RECEIVE:
		receive(world, step->parameter, data, step->length);
		break;
	case REGISTER:
		device_register_write(device, step->parameter * 4u, word(data, step->length));
		break;
	case DOORBELL:
		device_doorbell_write(device, step->parameter * PAGE + data[0] * 4u,
				      word(data + 1, step->length - 1));
		break;
	case FILL:
		fill_guest(world, data, step->length);
		break;
	case UNMAP:
		unmap(world, step->parameter);
		break;
	case LATER:
		world->now += step->parameter * 10000000ull;
		break;
	case CONTROL:
		controls[step->parameter % CONTROLS] = word(data, step->length);
		break;
	}
	let_run(world);
}

/* Everything once; a short page list lies where a good REG_MR has its own. */
static void begin(struct world *world, struct driver *driver, unsigned int api_minor)
{
	struct timespec now;

	driver_restart(driver, api_minor);
	clock_gettime(CLOCK_MONOTONIC, &now);
	*world = (struct world){
		.driver = driver, .pd = driver_pd(driver),
		.now = now.tv_sec * 1000000000ull + now.tv_nsec,
	};
	world->ah = driver_ah(driver, world->pd, 0);
	driver_eq(driver, &world->eq, 16);
	driver_cq(driver, &world->cq, 16, &world->eq);
	for (int i = 0; i < 2; i++) {
		driver_qp(driver, &world->qp[i], QP_SRD, world->pd, world->ah, &world->cq);
		driver_mr(driver, &world->mr[i], world->pd, 100 * i, 2 * PAGE, RIGHTS);
	}
	driver_arm_eq(driver, &world->eq);
	driver_arm_cq(driver, &world->cq);
}

/* A reset leaves nothing. */
static void end(struct world *world)
{
	const struct counters *counters = function_counters(world->driver->function);

	device_reset(world->driver->device);
	if (counters->pd_live + counters->mr_live + counters->cq_live + counters->qp_live +
	    counters->ah_live + counters->eq_live + counters->uar_live)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct driver *driver;
	struct steps steps = { data, size };
	struct world world;
	struct step step;

	if (!driver)
		driver = driver_start(fabric_new(), 0, 3);
	begin(&world, driver, size ? 1 + data[size - 1] % 3 : 1);
	while ((data = steps_next(&steps, &step)))
		take_step(&world, &step, data);
	end(&world);
	return 0;
}
