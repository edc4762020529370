// SPDX-License-Identifier: GPL-2.0-only
#include "monitor/hook.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "monitor/kprobe.h"

/* Headers may be older than the kernel that runs. */
#define KPROBE_MULTI	42
#define KPROBE_SESSION	56

/* The programs, as the BPF compiler made them. */
#define CARRY(name, file)						\
	__asm__(".section .rodata\n"					\
		".balign 8\n"						\
		#name ":\n"						\
		".incbin \"" BPF_FOLDER "/" file "\"\n"			\
		#name "_end:\n"						\
		".previous\n");						\
	extern const char name[], name##_end[]
CARRY(trampoline_programs, "monitor.bpf.o");
CARRY(session_programs, "sessions.bpf.o");
CARRY(kprobe_programs, "kprobes.bpf.o");

static const struct {
	const char *start, *end;
} carried[HOOK_WAYS] = {
	[HOOK_SESSIONS] = { session_programs, session_programs_end },
	[HOOK_TRAMPOLINES] = { trampoline_programs, trampoline_programs_end },
	[HOOK_KPROBES] = { kprobe_programs, kprobe_programs_end },
};

/* The first of what a kernel tells of a link, down to the calls it has missed. */
struct missed_info {
	uint32_t type, id, program, none;
	uint64_t addresses;
	uint32_t count, flags;
	uint64_t missed;
};

bool hook_has_sessions(const struct btf *btf, unsigned int function)
{
	const struct btf_type *type = btf__type_by_id(btf, function);

	if (!type || strcmp(btf__name_by_offset(btf, type->name_off),
			    "bpf_session_cookie"))
		return false;
	type = btf__type_by_id(btf, type->type);
	return type && btf_is_func_proto(type) && btf_vlen(type) == 1;
}

/* 0: one that is not run by probes. */
static uint32_t probe_type(const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);

	if (!strncmp(section, "kprobe.multi/", strlen("kprobe.multi/")))
		return KPROBE_MULTI;
	if (!strncmp(section, "kprobe.session/", strlen("kprobe.session/")))
		return KPROBE_SESSION;
	return 0;
}

/* A library may know less of probes than the kernel. */
static void set_types(struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object) {
		if (!probe_type(program))
			continue;
		bpf_program__set_type(program, BPF_PROG_TYPE_KPROBE);
		bpf_program__set_expected_attach_type(program,
			(enum bpf_attach_type)probe_type(program));
	}
}

struct bpf_object *hook_open(enum hook_way way, const char *btf)
{
	LIBBPF_OPTS(bpf_object_open_opts, options, .btf_custom_path = btf);
	struct bpf_object *object = bpf_object__open_mem(
		carried[way].start, carried[way].end - carried[way].start,
		&options);

	if (object)
		set_types(object);
	return object;
}

const char *hook_function(const struct bpf_program *program)
{
	const char *slash = strchr(bpf_program__section_name(program), '/');

	return slash ? slash + 1 : NULL;
}

static int attach_probe(const struct bpf_program *program)
{
	const char *function = hook_function(program);
	union bpf_attr attr = { };
	int fd;

	attr.link_create.prog_fd = bpf_program__fd(program);
	attr.link_create.attach_type = probe_type(program);
	attr.link_create.kprobe_multi.cnt = 1;
	attr.link_create.kprobe_multi.syms = (uintptr_t)&function;
	fd = syscall(SYS_bpf, BPF_LINK_CREATE, &attr, sizeof(attr));
	return fd < 0 ? -errno : fd;
}

int hook_attach(const struct bpf_program *program, unsigned int number)
{
	if (probe_type(program))
		return attach_probe(program);
	if (bpf_program__type(program) == BPF_PROG_TYPE_KPROBE)
		return kprobe_attach(program, hook_function(program), number);
	return bpf_raw_tracepoint_open(NULL, bpf_program__fd(program));
}

/* Too many calls below one another: they are not followed to their return. */
static unsigned long long missed_by_link(int hook)
{
	struct missed_info info = { };
	union bpf_attr attr = { };

	attr.info.bpf_fd = hook;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	if (syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr)))
		return 0;
	return info.missed;
}

unsigned long long hook_missed(const struct bpf_program *program, int hook)
{
	struct bpf_prog_info info = { };
	uint32_t size = sizeof(info);
	unsigned long long missed = 0;

	if (!bpf_obj_get_info_by_fd(bpf_program__fd(program), &info, &size))
		missed = info.recursion_misses;
	return missed + (probe_type(program) ? missed_by_link(hook) : 0);
}
