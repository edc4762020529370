/* SPDX-License-Identifier: GPL-2.0-only */
/* How the BPF programs come to run: bpf/hook.h says in which ways. */
#ifndef CTS_HOOK_H
#define CTS_HOOK_H

#include <stdbool.h>

/* The one that misses least first. */
enum hook_way {
	HOOK_SESSIONS,
	HOOK_TRAMPOLINES,
	HOOK_KPROBES,
	HOOK_WAYS
};

struct bpf_object;
struct bpf_program;
struct btf;

/**
 * hook_has_sessions - whether a function is what the programs with sessions call
 * @btf: types of the kernel
 * @function: id of the function there
 *
 * Return: true for bpf_session_cookie() with the arguments that it has since 7.0.
 *	The kernels before give it none, and their programs are run by trampolines.
 */
bool hook_has_sessions(const struct btf *btf, unsigned int function);

/**
 * hook_open - the programs, not yet loaded
 * @way: how they are to be run
 * @btf: a file with the kernel's types; NULL: its own
 *
 * Return: the programs, or NULL with errno set.
 */
struct bpf_object *hook_open(enum hook_way way, const char *btf);

/**
 * hook_function - what a program is for
 * @program: of hook_open()
 *
 * Return: the name of a function of the kernel; NULL: we run the program ourselves.
 */
const char *hook_function(const struct bpf_program *program);

/**
 * hook_attach - have a program run from now on
 * @program: loaded
 * @number: of the program, that of its count of runs
 *
 * Return: a descriptor, to be closed to end it, or a negative errno. Mirrors
 *	bpf_tracing_prog_attach() and bpf_kprobe_multi_link_attach().
 */
int hook_attach(const struct bpf_program *program, unsigned int number);

/**
 * hook_missed - calls that a program was not run for
 * @program: loaded
 * @hook: from hook_attach()
 *
 * Return: how many, up to now: those that came while it was busy, and those that
 *	there was no room to follow to their return. Those of kprobes are told by
 *	kprobe_missed().
 */
unsigned long long hook_missed(const struct bpf_program *program, int hook);

#endif
