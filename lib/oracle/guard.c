// SPDX-License-Identifier: GPL-2.0-only
/* A process that waits for its parent's death. */
#include "oracle/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/cgroup.h"

/*
 * In the guard, with its parent's pidfd. Whoever ends the parent may end its
 * session and its control group as well, so the guard leaves both, and drops all
 * that it inherited, before it says that it is there.
 */
static void wait_for_death(int parent, int ready)
{
	struct pollfd death = { .events = POLLIN };

	setsid();
	cgroup_leave();
	if (dup2(parent, STDIN_FILENO) < 0 || dup2(ready, STDOUT_FILENO) < 0)
		_exit(1);
	close_range(STDERR_FILENO, ~0U, 0);
	if (write(STDOUT_FILENO, "", 1) != 1)
		_exit(1);
	close(STDOUT_FILENO);
	death.fd = STDIN_FILENO;
	while (poll(&death, 1, -1) < 1)
		;
}

static pid_t start(void (*undo)(const void *argument), const void *argument,
		   int parent, const int ready[2])
{
	pid_t child = fork();
	char byte;

	if (!child) {
		close(ready[0]);
		wait_for_death(parent, ready[1]);
		undo(argument);
		_exit(0);
	}
	close(ready[1]);
	if (child < 0)
		return -errno;
	if (read(ready[0], &byte, 1) == 1)
		return child;
	guard_stop(child);
	return -ECHILD;
}

pid_t guard_start(void (*undo)(const void *argument), const void *argument)
{
	int parent = syscall(SYS_pidfd_open, getpid(), 0), ready[2];
	pid_t child;

	if (parent < 0)
		return -errno;
	if (pipe2(ready, O_CLOEXEC)) {
		child = -errno;
		goto close_parent;
	}
	child = start(undo, argument, parent, ready);
	close(ready[0]);
close_parent:
	close(parent);
	return child;
}

void guard_stop(pid_t guard)
{
	kill(guard, SIGKILL);
	waitpid(guard, NULL, 0);
}
