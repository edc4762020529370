/* SPDX-License-Identifier: GPL-2.0-only */
/* All that a device knows, for the files that make it up. */
#ifndef CTS_NIC_STATE_H
#define CTS_NIC_STATE_H

#include "nic/admin.h"
#include "nic/aenq.h"
#include "nic/ah.h"
#include "nic/cq.h"
#include "nic/device.h"
#include "nic/eq.h"
#include "nic/in_flight.h"
#include "nic/log.h"
#include "nic/mr.h"
#include "nic/pd.h"
#include "nic/qp.h"
#include "nic/registers.h"
#include "nic/stats.h"
#include "nic/uar.h"

struct device {
	struct function *function;
	struct fabric *fabric;
	const struct options *options;
	uint8_t gid[GID_BYTES];

	/* All below is forgotten in a reset. */
	struct registers registers;
	struct admin admin;
	struct aenq aenq;
	struct statistics statistics;
	struct pds pds;
	struct uars uars;
	struct regions regions;
	struct cqs cqs;
	struct eqs eqs;
	struct qps qps;
	struct ahs ahs;
	struct in_flight in_flight;
	bool refuses;		/* for the fault refuses_after_reset */
};

#define device_log(device, level, ...) \
	log_line(level, function_name((device)->function), __VA_ARGS__)

static inline struct memory *device_memory(struct device *device)
{
	return function_memory(device->function);
}

static inline struct counters *device_counters(struct device *device)
{
	return function_counters(device->function);
}

static inline struct controls *device_controls(struct device *device)
{
	return function_controls(device->function);
}

/* device_forget - drop all objects and registers, as switched on */
void device_forget(struct device *device);

/* device_clock - the time that device_tick() is given, nanoseconds */
uint64_t device_clock(void);

#define MILLISECOND	1000000ull

#endif
