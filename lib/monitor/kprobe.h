/* SPDX-License-Identifier: GPL-2.0-only */
/* Kprobes that run BPF programs: events of tracefs, since those count their hits. */
#ifndef CTS_KPROBE_H
#define CTS_KPROBE_H

struct bpf_program;

/**
 * kprobe_obstacle - why there can be none
 *
 * Return: a sentence; NULL if there can.
 */
const char *kprobe_obstacle(void);

/**
 * kprobe_attach - have a program run at a function, or when it returns
 * @program: loaded; its section says which of the two
 * @function: the name of the function
 * @number: the program's cookie, and that of its count of runs; one higher each time
 *
 * Return: a descriptor, to be closed before kprobe_remove_all(), or a negative
 *	errno.
 */
int kprobe_attach(const struct bpf_program *program, const char *function,
		  unsigned int number);

/**
 * kprobe_look - see how many calls no program was run for
 * @runs: the map in which the programs count their runs, by number
 */
void kprobe_look(int runs);

/**
 * kprobe_missed - how many there were
 * @number: of the program
 *
 * Return: up to kprobe_look(): never too few.
 */
unsigned long long kprobe_missed(unsigned int number);

/**
 * kprobe_remove_all - take away all events, and those of monitors that were killed
 */
void kprobe_remove_all(void);

#endif
