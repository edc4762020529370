// SPDX-License-Identifier: GPL-2.0-only
#include "nic/feature.h"

#include <string.h>

#include "nic/slots.h"
#include "nic/state.h"

#define BIT(n)	(1ull << (n))

/* 4 KiB to 64 TiB: all sizes for which the pages of a region can be counted. */
#define PAGE_SIZES	0x7ffffffff000ull

#define DOORBELL_BAR	4
#define GBPS		100

/* Milliseconds: a virtual machine on a busy computer takes longer than the driver thinks. */
#define REGISTER_TIMEOUT	5000
#define POLL_INTERVAL		1

#define AENQ_GROUPS	(BIT(GROUP_FATAL) | BIT(GROUP_WARNING) | BIT(GROUP_NOTIFICATION) | \
			 BIT(GROUP_KEEP_ALIVE))

uint32_t feature_region_pages(struct device *device)
{
	uint32_t asked = device_controls(device)->region_pages;

	return asked && asked < REGION_PAGES ? asked : REGION_PAGES;
}

uint64_t feature_page_sizes(struct device *device)
{
	const struct controls *controls = device_controls(device);
	uint64_t asked = controls->page_size_caps_lo |
			 (uint64_t)controls->page_size_caps_hi << 32;

	return asked ? asked & PAGE_SIZES : PAGE_SIZES;
}

/* Made of the end of the GID, as an Ethernet address would make both. */
static uint64_t guid(const struct device *device)
{
	uint64_t guid;

	memcpy(&guid, device->gid + GID_BYTES - sizeof(guid), sizeof(guid));
	return guid;
}

static void tell_device(struct device *device, void *answer)
{
	*(struct feature_device *)answer = (struct feature_device){
		.features = BIT(FEATURE_DEVICE) | BIT(FEATURE_AENQ) | BIT(FEATURE_NETWORK) |
			    BIT(FEATURE_QUEUES) | BIT(FEATURE_HINTS) | BIT(FEATURE_HOST) |
			    BIT(FEATURE_EVENTS),
		.page_sizes = feature_page_sizes(device),
		.firmware = 1,
		.admin_version = 1,
		.device_version = 1,
		.doorbell_bar = DOORBELL_BAR,
		.physical_bits = FEATURE_ADDRESS_BITS,
		.virtual_bits = FEATURE_ADDRESS_BITS,
		.capabilities = DEVICE_READS | DEVICE_WRITES | DEVICE_RETRIES,
		.max_rdma = FEATURE_MAX_RDMA,
		.guid = guid(device),
		.gbps = GBPS,
	};
}

static void tell_aenq(struct device *device, void *answer)
{
	*(struct feature_aenq *)answer = (struct feature_aenq){
		.supported = AENQ_GROUPS,
		.enabled = device->aenq.groups,
	};
}

static void tell_network(struct device *device, void *answer)
{
	struct feature_network *network = answer;

	memcpy(network->gid, device->gid, GID_BYTES);
	network->mtu = FEATURE_MTU;
}

static void tell_queues(struct device *device, void *answer)
{
	*(struct feature_queues *)answer = (struct feature_queues){
		.max_qps = QPS,
		.max_send_depth = SEND_DEPTH,
		.inline_bytes = INLINE_BYTES,
		.max_receive_depth = RECEIVE_DEPTH,
		.max_cqs = CQS,
		.max_cq_depth = CQ_DEPTH,
		.sub_cqs = 1,
		.max_send_segments = SEND_SEGMENTS,
		.max_receive_segments = RECEIVE_SEGMENTS,
		.max_regions = REGIONS,
		.max_region_pages = feature_region_pages(device),
		.max_pds = PDS,
		.max_handles = AHS,
		.max_send_queue = SEND_DEPTH * sizeof(struct work_request),
		.max_rdma_segments = RDMA_SEGMENTS,
	};
}

static void tell_hints(struct device *device, void *answer)
{
	(void)device;
	*(struct feature_hints *)answer = (struct feature_hints){
		.register_timeout = REGISTER_TIMEOUT,
		.poll_interval = POLL_INTERVAL,
	};
}

static void tell_events(struct device *device, void *answer)
{
	(void)device;
	*(struct feature_events *)answer = (struct feature_events){
		.max_eqs = EQS,
		.max_eq_depth = EQ_DEPTH,
		.events = EVENT_COMPLETIONS,
	};
}

static void (*const features[])(struct device *device, void *answer) = {
	[FEATURE_DEVICE]	= tell_device,
	[FEATURE_AENQ]		= tell_aenq,
	[FEATURE_NETWORK]	= tell_network,
	[FEATURE_QUEUES]	= tell_queues,
	[FEATURE_HINTS]		= tell_hints,
	[FEATURE_EVENTS]	= tell_events,
};

enum admin_status feature_get(struct device *device, const struct command *command,
			      void *answer)
{
	const struct feature_command *get = (const void *)command->payload;

	if (get->feature >= ARRAY_SIZE(features) || !features[get->feature])
		return ADMIN_ILLEGAL;
	features[get->feature](device, answer);
	return ADMIN_OK;
}

static enum admin_status set_aenq(struct device *device, const struct feature_command *set)
{
	uint32_t groups = set->value[offsetof(struct feature_aenq, enabled) / 4];

	if (groups & ~AENQ_GROUPS)
		return ADMIN_ILLEGAL;
	aenq_enable(device, groups);
	return ADMIN_OK;
}

/* Text of the guest: only what can be printed gets into the log. */
static const char *printable(char *text, size_t size)
{
	text[size - 1] = '\0';
	for (char *c = text; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return text;
}

static enum admin_status set_host(struct device *device, const struct command *command,
				  const struct feature_command *set)
{
	struct host host;

	if (!(command->flags & ADMIN_EXTERNAL) || command->flags & ADMIN_INDIRECT ||
	    set->data.length < sizeof(host) ||
	    memory_read(device_memory(device), WIRE_ADDRESS(set->data.address), &host,
			sizeof(host)))
		return ADMIN_ILLEGAL;
	device_log(device, LOG_EVENT, "driver of %s, %s",
		   printable(host.distribution, sizeof(host.distribution)),
		   printable(host.kernel, sizeof(host.kernel)));
	return ADMIN_OK;
}

enum admin_status feature_set(struct device *device, const struct command *command,
			      void *answer)
{
	const struct feature_command *set = (const void *)command->payload;

	(void)answer;
	switch (set->feature) {
	case FEATURE_AENQ:
		return set_aenq(device, set);
	case FEATURE_HOST:
		return set_host(device, command, set);
	default:
		return ADMIN_ILLEGAL;
	}
}
