// SPDX-License-Identifier: GPL-2.0-only
#include "nic/device.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nic/fabric.h"
#include "nic/fault.h"
#include "nic/send.h"
#include "nic/state.h"

/* A link-local address made as of an Ethernet address; the last byte counts functions from 1. */
static const uint8_t first_gid[GID_BYTES] = {
	0xfe, 0x80, [9] = 0xef, 0xa0, 0xff, 0xfe, [15] = 1,
};

uint64_t device_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void forget_counts(struct counters *counters)
{
	counters->pd_live = 0;
	counters->mr_live = 0;
	counters->cq_live = 0;
	counters->qp_live = 0;
	counters->ah_live = 0;
	counters->eq_live = 0;
	counters->uar_live = 0;
}

void device_forget(struct device *device)
{
	mr_reset(device);
	in_flight_drop(device);
	device->refuses = nic_fault(refuses_after_reset);
	device->admin = (struct admin){ 0 };
	device->aenq = (struct aenq){ 0 };
	memset(&device->statistics, 0, sizeof(device->statistics));
	memset(&device->pds, 0, sizeof(device->pds));
	memset(&device->uars, 0, sizeof(device->uars));
	memset(&device->cqs, 0, sizeof(device->cqs));
	memset(&device->eqs, 0, sizeof(device->eqs));
	memset(&device->qps, 0, sizeof(device->qps));
	memset(&device->ahs, 0, sizeof(device->ahs));
	forget_counts(device_counters(device));
	registers_reset(device);
}

struct device *device_new(struct function *function, struct fabric *fabric,
			  const struct options *options)
{
	struct device *device = calloc(1, sizeof(*device));

	if (!device)
		return NULL;
	device->function = function;
	device->fabric = fabric;
	device->options = options;
	memcpy(device->gid, first_gid, GID_BYTES);
	device->gid[GID_BYTES - 1] += function_number(function);
	if (fabric_join(fabric, device)) {
		free(device);
		return NULL;
	}
	device_forget(device);
	return device;
}

void device_free(struct device *device)
{
	if (!device)
		return;
	fabric_leave(device->fabric, device);
	mr_reset(device);
	in_flight_drop(device);
	free(device);
}

void device_reset(struct device *device)
{
	device_forget(device);
}

void device_doorbell_write(struct device *device, uint32_t offset, uint32_t value)
{
	uint32_t page = offset / DOORBELL_PAGE;
	uint32_t within = offset % DOORBELL_PAGE;

	if (page >= QPS + CQS)
		return;
	if (page >= QPS) {
		if (!within)
			cq_ring(device, page - QPS, value);
	} else if (within == DOORBELL_RECEIVE) {
		qp_ring_receive(device, page, value);
	} else if (!within) {
		qp_ring_send(device, page, value);
	}
}

/* The sooner of two, where -1 is never. */
static int sooner(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

int device_tick(struct device *device, uint64_t now_ns)
{
	int wanted = admin_run(device) ? 0 : -1;

	wanted = sooner(wanted, send_tick(device, now_ns));
	wanted = sooner(wanted, mr_tick(device, now_ns));
	wanted = sooner(wanted, in_flight_tick(device, now_ns));
	return sooner(wanted, aenq_tick(device, now_ns));
}
