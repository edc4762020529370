/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A call in a thread of its own, so that a test can say of it: it waits
 * until the fence signals, and returns then.
 *
 *	thread_start(&move, move_it, &buffer);
 *	check(FENCE_03, thread_waits(&move, 20));
 *	must(peer_importer_signal(&attachment, fence));
 *	check(FENCE_03, thread_join(&move, 4000, &result) == 0);
 */
#ifndef CTS_THREAD_H
#define CTS_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct thread {
	pthread_t thread;
	int (*call)(void *argument);
	void *argument;
	int result;
	atomic_int id;		/* of the thread, once it runs */
	atomic_bool done;
};

/**
 * thread_start - begin a call
 * @thread: what to know it by; must stay until it was joined
 * @call: the function
 * @argument: its argument
 *
 * Return: 0 or a negative errno.
 */
int thread_start(struct thread *thread, int (*call)(void *argument),
		 void *argument);

/**
 * thread_waits - whether the call came to a wait in the kernel and stays there
 * @thread: a started thread
 * @ms: how long it must stay; it gets 3 s to come there
 *
 * Return: true if it slept in the kernel at the beginning and the end of @ms
 * and did not return between; false if it returned or never slept.
 */
bool thread_waits(struct thread *thread, unsigned int ms);

/**
 * thread_state - how the thread fares, as /proc has it
 * @thread: a started thread
 *
 * Return: 'S' asleep, 'D' asleep and deaf to signals, 'R' running, or another
 * letter; 0 if its call returned or the state cannot be read.
 */
char thread_state(struct thread *thread);

/**
 * thread_interrupt - end its system call by a signal, SIGUSR1
 * @thread: a started thread that was not joined
 *
 * The call fails with EINTR instead of being begun again.
 *
 * Return: 0 or a negative errno.
 */
int thread_interrupt(struct thread *thread);

/**
 * thread_join - wait for the call to return
 * @thread: a started thread
 * @ms: bound of the wait
 * @result: what the call returned; may be NULL
 *
 * Return: 0, or -ETIMEDOUT if it did not return; the thread goes on then, and
 * may be joined again.
 */
int thread_join(struct thread *thread, unsigned int ms, int *result);

#endif
