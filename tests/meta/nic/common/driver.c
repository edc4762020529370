// SPDX-License-Identifier: GPL-2.0-only
#include "common/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nic/crc16.h"

static void need(bool done, const char *what)
{
	if (done)
		return;
	fprintf(stderr, "# cannot go on: %s\n", what);
	exit(EXIT_FAILURE);
}

static void set(struct driver *driver, unsigned int offset, uint64_t value)
{
	device_register_write(driver->device, offset, value);
	if (offset == REGISTER_AQ_BASE || offset == REGISTER_ACQ_BASE ||
	    offset == REGISTER_AENQ_BASE || offset == REGISTER_ANSWER)
		device_register_write(driver->device, offset + 4, value >> 32);
}

static void set_up(struct driver *driver)
{
	set(driver, REGISTER_ANSWER, DRIVER_ANSWER);
	set(driver, REGISTER_AQ_BASE, DRIVER_AQ);
	set(driver, REGISTER_AQ_SHAPE, DRIVER_DEPTH | driver->entry << 16);
	set(driver, REGISTER_ACQ_BASE, DRIVER_ACQ);
	set(driver, REGISTER_ACQ_SHAPE,
	    DRIVER_DEPTH | ADMIN_ENTRY << 16 | DRIVER_ADMIN_VECTOR << 24);
	set(driver, REGISTER_AENQ_BASE, DRIVER_AENQ);
	set(driver, REGISTER_AENQ_SHAPE,
	    DRIVER_DEPTH | EVENT_ENTRY << 16 | DRIVER_ADMIN_VECTOR << 24);
}

struct driver *driver_start(struct fabric *fabric, unsigned int number, unsigned int api_minor)
{
	struct driver *driver = calloc(1, sizeof(*driver));

	need(driver, "no memory");
	driver->function = fake_function_new(number);
	driver->device = device_new(driver->function, fabric, &driver->options);
	need(driver->device, "device_new");
	driver_restart(driver, api_minor);
	return driver;
}

void driver_restart(struct driver *driver, unsigned int api_minor)
{
	union answer answer;

	driver->options.api_minor = api_minor;
	driver->entry = api_minor >= 3 ? ADMIN_ENTRY_LONG : ADMIN_ENTRY;
	driver->free = FAKE_GUEST_ADDRESS + 16 * PAGE;
	driver->posted = 0;
	driver->answered = 0;
	fake_function_clear(driver->function);
	device_reset(driver->device);
	set_up(driver);
	need(!driver_command(driver, OPCODE_ALLOC_UAR, 0, NULL, 0, &answer), "ALLOC_UAR");
	driver->uar = answer.number.number;
}

void driver_stop(struct driver *driver)
{
	device_free(driver->device);
	fake_function_free(driver->function);
	free(driver);
}

uint64_t driver_alloc(struct driver *driver, size_t size)
{
	uint64_t address = driver->free;

	driver->free += (size + PAGE - 1) / PAGE * PAGE;
	need(driver->free <= FAKE_GUEST_ADDRESS + FAKE_GUEST_SIZE, "guest memory is used up");
	return address;
}

void *driver_at(struct driver *driver, uint64_t address)
{
	return fake_guest(driver->function, address);
}

uint16_t driver_post(struct driver *driver, uint8_t opcode, uint8_t flags, const void *payload,
		     size_t size)
{
	uint16_t index = driver->posted % DRIVER_DEPTH;
	struct admin_header_long header = {
		.common = { .id = driver->posted & ADMIN_ID_MASK, .opcode = opcode,
			    .flags = flags },
	};
	char *entry = driver_at(driver, DRIVER_AQ + index * driver->entry);
	bool is_long = driver->entry == ADMIN_ENTRY_LONG;
	size_t skip = is_long ? sizeof(header) : sizeof(header.common);

	memset(entry, 0, driver->entry);
	memcpy(entry, &header, skip);
	if (size)
		memcpy(entry + skip, payload, size);
	header.checksum = crc16(entry, driver->entry);
	memcpy(entry, &header, skip);
	driver->posted++;
	return header.common.id;
}

void driver_ring(struct driver *driver)
{
	set(driver, REGISTER_AQ_DOORBELL, driver->posted);
}

const struct admin_completion *driver_completion(struct driver *driver)
{
	uint16_t index = driver->answered % DRIVER_DEPTH;
	const struct admin_completion *completion =
		driver_at(driver, DRIVER_ACQ + index * ADMIN_ENTRY);
	uint8_t phase = driver->answered / DRIVER_DEPTH & 1 ? 0 : ADMIN_PHASE;

	if ((completion->flags & ADMIN_PHASE) != phase)
		return NULL;
	driver->answered++;
	return completion;
}

enum admin_status driver_command(struct driver *driver, uint8_t opcode, uint8_t flags,
				 const void *payload, size_t size, union answer *answer)
{
	uint16_t id = driver_post(driver, opcode, flags, payload, size);
	const struct admin_completion *completion;

	driver_ring(driver);
	completion = driver_completion(driver);
	need(completion && completion->id == id, "a command has no completion");
	if (answer)
		*answer = *(const union answer *)completion->answer;
	return completion->status;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

void driver_tick(struct driver *driver)
{
	for (int i = 0; i < 10000 && !device_tick(driver->device, now()); i++)
		;
}

int driver_tick_later(struct driver *driver, unsigned int milliseconds)
{
	return device_tick(driver->device, now() + milliseconds * 1000000ull);
}

uint16_t driver_pd(struct driver *driver)
{
	union answer answer;

	need(!driver_command(driver, OPCODE_ALLOC_PD, 0, NULL, 0, &answer), "ALLOC_PD");
	return answer.number.number;
}

uint16_t driver_ah(struct driver *driver, uint16_t pd, unsigned int number)
{
	struct create_ah create = {
		.gid = { 0xfe, 0x80, [9] = 0xef, 0xa0, 0xff, 0xfe, [15] = 1 + number },
		.pd = pd,
	};
	union answer answer;

	need(!driver_command(driver, OPCODE_CREATE_AH, 0, &create, sizeof(create), &answer),
	     "CREATE_AH");
	return answer.number.number;
}

void driver_eq(struct driver *driver, struct test_eq *eq, uint16_t depth)
{
	uint64_t ring = driver_alloc(driver, depth * sizeof(struct event));
	struct create_eq create = {
		.depth = depth,
		.vector = DRIVER_EVENT_VECTOR,
		.entry = sizeof(struct event) / 4,
		.ring = { ring, ring >> 32 },
		.events = EVENT_COMPLETIONS,
	};
	union answer answer;

	need(!driver_command(driver, OPCODE_CREATE_EQ, 0, &create, sizeof(create), &answer),
	     "CREATE_EQ");
	*eq = (struct test_eq){ .number = answer.number.number, .ring = ring, .depth = depth };
}

int driver_event(struct driver *driver, struct test_eq *eq)
{
	const struct event *events = driver_at(driver, eq->ring);
	const struct event *event = &events[eq->seen % eq->depth];

	if ((event->phase & 1) != !(eq->seen / eq->depth & 1))
		return -1;
	eq->seen++;
	return event->cq;
}

void driver_arm_eq(struct driver *driver, const struct test_eq *eq)
{
	set(driver, REGISTER_EQ_DOORBELL, eq->number | DOORBELL_ARM);
}

void driver_cq(struct driver *driver, struct test_cq *cq, unsigned int depth,
	       const struct test_eq *eq)
{
	uint64_t ring = driver_alloc(driver, depth * sizeof(struct completion));
	struct create_cq create = {
		.flags = eq ? CQ_INTERRUPTS : 0,
		.entry = sizeof(struct completion) / 4,
		.depth = depth,
		.eq = eq ? eq->number : 0,
		.ring = { ring, ring >> 32 },
		.sub_cqs = 1,
		.uar = driver->uar,
	};
	union answer answer;

	need(!driver_command(driver, OPCODE_CREATE_CQ, 0, &create, sizeof(create), &answer),
	     "CREATE_CQ");
	*cq = (struct test_cq){
		.number = answer.cq.number,
		.doorbell = answer.cq.doorbell,
		.ring = ring,
		.depth = depth,
	};
}

bool driver_poll(struct driver *driver, struct test_cq *cq, struct completion *completion)
{
	const struct completion *ring = driver_at(driver, cq->ring);
	const struct completion *next = &ring[cq->seen % cq->depth];

	if ((next->flags & COMPLETION_PHASE) != !(cq->seen / cq->depth & 1))
		return false;
	*completion = *next;
	cq->seen++;
	return true;
}

void driver_arm_cq(struct driver *driver, const struct test_cq *cq)
{
	device_doorbell_write(driver->device, cq->doorbell,
			      (cq->seen & 0xffff) | DOORBELL_ARM);
}

enum admin_status driver_qp_state(struct test_qp *qp, enum qp_state state)
{
	struct modify_qp modify = {
		.mask = MODIFY_STATE | MODIFY_QUEUE_KEY,
		.handle = qp->info.handle,
		.state = state,
		.queue_key = DRIVER_QUEUE_KEY,
	};

	return driver_command(qp->driver, OPCODE_MODIFY_QP, 0, &modify, sizeof(modify), NULL);
}

void driver_qp(struct driver *driver, struct test_qp *qp, enum qp_kind kind, uint16_t pd,
	       uint16_t ah, const struct test_cq *cq)
{
	uint64_t ring = driver_alloc(driver, PAGE);
	struct create_qp create = {
		.pd = pd,
		.kind = kind,
		.receive_ring = ring,
		.send_cq = cq->number,
		.receive_cq = cq->number,
		.send_ring_size = TEST_QP_DEPTH * sizeof(struct work_request),
		.receive_ring_size = TEST_QP_DEPTH * sizeof(struct receive_descriptor),
		.uar = driver->uar,
	};
	union answer answer;

	need(!driver_command(driver, OPCODE_CREATE_QP, 0, &create, sizeof(create), &answer),
	     "CREATE_QP");
	*qp = (struct test_qp){
		.driver = driver, .info = answer.qp, .number = answer.qp.number, .ah = ah,
		.ring = ring,
	};
	need(!driver_qp_state(qp, QP_INIT) && !driver_qp_state(qp, QP_RTR) &&
	     !driver_qp_state(qp, QP_RTS), "MODIFY_QP");
}

void driver_mr(struct driver *driver, struct test_mr *mr, uint16_t pd, unsigned int offset,
	       uint64_t length, uint8_t rights)
{
	uint64_t count = (offset + length + PAGE - 1) / PAGE;
	uint64_t first = driver_alloc(driver, count * PAGE);
	uint64_t list = driver_alloc(driver, count * sizeof(uint64_t));
	struct reg_mr reg = {
		.pd = pd,
		.list = { count * sizeof(uint64_t), { list, list >> 32 } },
		.length = length,
		.shift = 12,
		.rights = rights,
		.address = first + offset,
	};
	union answer answer;

	for (uint64_t i = 0; i < count; i++)
		((uint64_t *)driver_at(driver, list))[i] = first + i * PAGE;
	need(!driver_command(driver, OPCODE_REG_MR, ADMIN_EXTERNAL, &reg, sizeof(reg), &answer),
	     "REG_MR");
	*mr = (struct test_mr){ answer.mr.local_key, first + offset, length };
}

enum admin_status driver_dereg(struct driver *driver, uint32_t key)
{
	struct dereg_mr dereg = { .key = key };

	return driver_command(driver, OPCODE_DEREG_MR, 0, &dereg, sizeof(dereg), NULL);
}

static struct wire_segment segment(const struct test_mr *mr, uint32_t length)
{
	return (struct wire_segment){ length, mr->key, mr->address, mr->address >> 32 };
}

static struct work_request work(struct test_qp *qp, const struct test_qp *to,
				enum operation operation)
{
	return (struct work_request){
		.kind = WORK_IS_DESCRIPTOR | operation,
		.control = WORK_FIRST | WORK_LAST | WORK_WANTS_COMPLETION,
		.queue = to->number,
		.length = 1,
		.handle = qp->ah,
		.queue_key = DRIVER_QUEUE_KEY,
	};
}

struct work_request work_rdma(struct test_qp *qp, const struct test_qp *to,
			      enum operation operation, const struct test_mr *local,
			      const struct test_mr *remote, uint32_t length)
{
	struct work_request request = work(qp, to, operation);

	request.rdma.local[0] = segment(local, length);
	request.rdma.remote = segment(remote, length);
	return request;
}

struct work_request work_send(struct test_qp *qp, const struct test_qp *to,
			      const struct test_mr *local, uint32_t length)
{
	struct work_request request = work(qp, to, OPERATION_SEND);

	request.segments[0] = segment(local, length);
	return request;
}

void work_post(struct test_qp *qp, struct work_request request)
{
	uint16_t index = qp->posted % TEST_QP_DEPTH;

	request.id = index;
	memcpy(fake_llq(qp->driver->function) + qp->info.send_queue + index * sizeof(request),
	       &request, sizeof(request));
	qp->posted++;
	device_doorbell_write(qp->driver->device, qp->info.send_doorbell, qp->posted);
}

void work_receive(struct test_qp *qp, const struct test_mr *mr, uint16_t length)
{
	uint16_t index = qp->received % TEST_QP_DEPTH;
	struct receive_descriptor *ring = driver_at(qp->driver, qp->ring);

	ring[index] = (struct receive_descriptor){
		.address_low = mr->address,
		.address_high = mr->address >> 32,
		.id = index,
		.length = length,
		.key = mr->key | RECEIVE_FIRST | RECEIVE_LAST,
	};
	qp->received++;
	device_doorbell_write(qp->driver->device, qp->info.receive_doorbell, qp->received);
}

int work_run(struct test_qp *qp, struct test_cq *cq, struct work_request request)
{
	struct completion completion;

	work_post(qp, request);
	driver_tick(qp->driver);
	return driver_poll(qp->driver, cq, &completion) ? completion.outcome : -1;
}

static uint8_t byte_of(size_t place, unsigned int seed)
{
	return (place * 0x9e3779b1u + seed * 0x85ebca6bu) >> 13 | 1;
}

void fill(void *bytes, size_t length, unsigned int seed)
{
	for (size_t i = 0; i < length; i++)
		((uint8_t *)bytes)[i] = byte_of(i, seed);
}

bool is_filled(const void *bytes, size_t length, unsigned int seed)
{
	for (size_t i = 0; i < length; i++)
		if (((const uint8_t *)bytes)[i] != byte_of(i, seed))
			return false;
	return true;
}

bool is_zero(const void *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (((const uint8_t *)bytes)[i])
			return false;
	return true;
}
