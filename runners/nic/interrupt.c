// SPDX-License-Identifier: GPL-2.0-only
#include "nic/interrupt.h"

#include <poll.h>
#include <stdint.h>
#include <unistd.h>

void interrupts_init(struct interrupts *interrupts)
{
	for (unsigned int i = 0; i < FUNCTION_VECTORS; i++)
		interrupts->fds[i] = -1;
}

void interrupts_set(struct interrupts *interrupts, unsigned int vector, int fd)
{
	int *slot = &interrupts->fds[vector];

	if (*slot >= 0)
		close(*slot);
	*slot = fd;
}

void interrupts_clear(struct interrupts *interrupts)
{
	for (unsigned int i = 0; i < FUNCTION_VECTORS; i++)
		interrupts_set(interrupts, i, -1);
}

bool interrupts_send(const struct interrupts *interrupts, unsigned int vector)
{
	const uint64_t one = 1;
	struct pollfd fd = { .events = POLLOUT };

	if (vector >= FUNCTION_VECTORS || interrupts->fds[vector] < 0)
		return false;
	/* Whatever it is that the client gave us must not hold us up. */
	fd.fd = interrupts->fds[vector];
	return poll(&fd, 1, 0) == 1 && fd.revents & POLLOUT &&
	       write(fd.fd, &one, sizeof(one)) == sizeof(one);
}
