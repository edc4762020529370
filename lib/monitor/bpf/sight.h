/* SPDX-License-Identifier: GPL-2.0-only */
/* A call: what can be seen of it, and how it is told to user space. */
#ifndef CTS_MONITOR_SIGHT_H
#define CTS_MONITOR_SIGHT_H

static __always_inline __u16 facts_of(const struct dma_buf_attachment *attach)
{
	const struct dma_buf_attach_ops *ops = READ(attach, importer_ops);
	const struct dma_buf_attach_ops___new *new = (const void *)ops;
	const struct dma_buf_attach_ops___old *old = (const void *)ops;
	const struct dma_buf *dmabuf = READ(attach, dmabuf);
	const struct dma_buf_ops *exporter = READ(dmabuf, ops);
	__u16 facts = READ(exporter, pin) ? WATCH_PINNABLE : 0;

	if (!ops)
		return facts;
	facts |= WATCH_DYNAMIC;
	if (bpf_core_field_exists(new->invalidate_mappings)) {
		if (READ(new, invalidate_mappings))
			facts |= WATCH_TOLD;
	} else if (bpf_core_field_exists(old->move_notify)) {
		if (READ(old, move_notify))
			facts |= WATCH_TOLD;
	}
	return facts;
}

/* What every call has: a caller, and a buffer with its lock. */
static __always_inline void look(struct sight *sight, __u32 function,
				 const struct dma_buf *dmabuf)
{
	const struct dma_resv *resv = READ(dmabuf, resv);

	__builtin_memset(sight, 0, sizeof(*sight));
	sight->function = function;
	sight->buffer = (__u64)dmabuf;
	sight->exporter = (__u64)READ(dmabuf, ops);
	sight->call.task = bpf_get_current_task();
	sight->call.size = READ(dmabuf, size);
	sight->call.resv = (__u64)resv;
	if (!settings.law.owner_readable)
		return;
	sight->owner = READ(resv, lock.base.owner.counter) & ~7UL;
	sight->call.owns = sight->owner == sight->call.task;
}

/* Who is at the other end: one that has no operations is known by its device. */
static __always_inline __u64 importer_of(const struct dma_buf_attachment *attach)
{
	const struct dma_buf_attach_ops *ops = READ(attach, importer_ops);
	const struct device *device;
	const struct device_driver *driver;

	if (ops)
		return (__u64)ops;
	device = READ(attach, dev);
	driver = READ(device, driver);
	return driver ? (__u64)driver : (__u64)device;
}

static __always_inline void see(struct sight *sight, __u32 function,
				const struct dma_buf_attachment *attach)
{
	look(sight, function, READ(attach, dmabuf));
	sight->call.facts = facts_of(attach);
	sight->attachment = (__u64)attach;
	sight->importer = importer_of(attach);
}

static __always_inline void fill(struct watch_event *event,
				 const struct sight *sight)
{
	const struct watch_attachment *attachment =
		attachment_of(sight->attachment);

	event->now_ns = bpf_ktime_get_ns();
	event->attachment = sight->attachment;
	event->buffer = sight->buffer;
	event->owner = sight->owner;
	event->result = sight->call.result;
	event->function = sight->function;
	event->pair = sight->pair;
	event->pid = (__u32)bpf_get_current_pid_tgid();
	event->tgid = bpf_get_current_pid_tgid() >> 32;
	event->pins = attachment ? attachment->pins : 0;
	event->mapped = attachment ? attachment->mapped : 0;
	bpf_get_current_comm(event->comm, sizeof(event->comm));
}

/* Hands on what was broken, and for the live view everything. */
static __always_inline int tell(void *context, const struct sight *sight,
				__u64 broken)
{
	struct watch_event *event;

	if (!broken && !settings.live)
		return 0;
	event = bpf_ringbuf_reserve(&events, sizeof(*event), 0);
	if (!event) {
		if (broken)
			LOST(details);
		else
			LOST(lines);
		return 0;
	}
	event->broken = broken;
	fill(event, sight);
	event->stack_bytes = 0;
	if (broken)
		event->stack_bytes = bpf_get_stack(context, event->stack,
						   sizeof(event->stack), 0);
	bpf_ringbuf_submit(event, 0);
	return 0;
}

#endif
