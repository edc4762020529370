// SPDX-License-Identifier: GPL-2.0-only
/* Puts probes where the parameter "fault" wants them, and takes them away. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "core/alter.h"

#define PROBES_MAX	8
#define CALLS_AT_ONCE	64

static const struct alteration_list *const lists[] = {
	&error_alterations, &buffer_alterations, &fence_alterations,
	&software_alterations, &vfio_alterations, &iommufd_alterations,
#if IS_ENABLED(CONFIG_INFINIBAND_USER_MEM)
	&rdma_alterations,
#endif
#ifdef HAVE_UVERBS_DMABUF
	&rdma_export_alterations,
#endif
#if IS_ENABLED(CONFIG_NET_DEVMEM) && defined(HAVE_NETMEM_TX)
	&net_alterations,
#endif
};

/* A row that is in force. */
struct altering {
	const struct alteration *row;
	struct kretprobe around;
	struct kprobe instead;
};

static DEFINE_MUTEX(altering_lock);
static struct altering *altering[PROBES_MAX];
static size_t altering_count;

/* In the order of a call, as x86-64 passes them. */
static unsigned long *argument_of(struct pt_regs *regs, unsigned int number)
{
	unsigned long *const registers[ALTER_ARGUMENTS] = {
		&regs->di, &regs->si, &regs->dx, &regs->cx, &regs->r8, &regs->r9,
	};

	return registers[number];
}

static struct altering *altering_of(struct kretprobe_instance *instance)
{
	return container_of(get_kretprobe(instance), struct altering, around);
}

static int enter_function(struct kretprobe_instance *instance,
			  struct pt_regs *regs)
{
	struct altered_call *call = (void *)instance->data;
	const struct alteration *row = altering_of(instance)->row;
	unsigned int i;

	memset(call, 0, sizeof(*call));
	for (i = 0; i < ALTER_ARGUMENTS; i++)
		call->argument[i] = *argument_of(regs, i);
	if (!row->enter)
		return 0;
	row->enter(call);
	for (i = 0; i < ALTER_ARGUMENTS; i++)
		*argument_of(regs, i) = call->argument[i];
	return 0;
}
NOKPROBE_SYMBOL(enter_function);

static int leave_function(struct kretprobe_instance *instance,
			  struct pt_regs *regs)
{
	struct altered_call *call = (void *)instance->data;
	struct altering *altered = altering_of(instance);
	const struct alteration *row = altered->row;

	call->result = regs_return_value(regs);
	if (row->from != row->to && (int)call->result == row->from)
		call->result = (long)row->to;
	if (row->leave)
		row->leave(call);
	regs_set_return_value(regs, call->result);
	return 0;
}
NOKPROBE_SYMBOL(leave_function);

/* Where a function that is skipped goes on: it returns at once. */
static noinline notrace void nothing(void)
{
	barrier();
}

static int skip_function(struct kprobe *probe, struct pt_regs *regs)
{
	struct altering *altered = container_of(probe, struct altering, instead);

	regs_set_return_value(regs, (long)altered->row->to);
	regs->ip = (unsigned long)nothing;
	return 1;
}
NOKPROBE_SYMBOL(skip_function);

static int begin(const struct alteration *row)
{
	struct altering *altered;
	int ret;

	if (altering_count == PROBES_MAX)
		return -E2BIG;
	altered = kzalloc(sizeof(*altered), GFP_KERNEL);
	if (!altered)
		return -ENOMEM;
	altered->row = row;
	altered->around.kp.symbol_name = row->function;
	altered->around.entry_handler = enter_function;
	altered->around.handler = leave_function;
	altered->around.data_size = sizeof(struct altered_call);
	altered->around.maxactive = CALLS_AT_ONCE;
	altered->instead.symbol_name = row->function;
	altered->instead.pre_handler = skip_function;
	ret = row->skip ? register_kprobe(&altered->instead) :
			  register_kretprobe(&altered->around);
	if (ret) {
		pr_info("%s cannot be altered: %d\n", row->function, ret);
		kfree(altered);
		return ret;
	}
	altering[altering_count++] = altered;
	return 0;
}

static void end_all(void)
{
	while (altering_count) {
		struct altering *altered = altering[--altering_count];

		if (altered->row->skip)
			unregister_kprobe(&altered->instead);
		else
			unregister_kretprobe(&altered->around);
		kfree(altered);
	}
}

static int begin_all(unsigned int fault)
{
	unsigned int list, row;
	int ret = 0;

	for (list = 0; list < ARRAY_SIZE(lists); list++)
		for (row = 0; row < lists[list]->count && !ret; row++)
			if (lists[list]->rows[row].fault == fault)
				ret = begin(&lists[list]->rows[row]);
	if (ret)
		end_all();
	return ret;
}

int peer_fault_switched(unsigned int fault)
{
	int ret = 0;

	mutex_lock(&altering_lock);
	end_all();
	if (fault != FAULT_none)
		ret = begin_all(fault);
	mutex_unlock(&altering_lock);
	return ret;
}

static int __init core_init(void)
{
	return 0;
}

static void __exit core_exit(void)
{
	end_all();
}

module_init(core_init);
module_exit(core_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Deliberate faults of the kernel's dma-buf, RDMA and network code, for conformance tests only");
