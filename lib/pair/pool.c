// SPDX-License-Identifier: GPL-2.0-only
/* Stands between the harness and mmap(). */
#include "pair/pool.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define POOL_SIZE		(1 << 20)
#define PIECE_ALIGNMENT		64

static struct {
	char *start;
	size_t used;
	bool closed;
	char *fresh;		/* what is there before a program runs */
} pool;

void *__real_mmap(void *where, size_t length, int protection, int flags,
		  int fd, off_t offset);

/* The linker has calls of mmap() come here. */
void *__wrap_mmap(void *where, size_t length, int protection, int flags,
		  int fd, off_t offset)
{
	size_t size = (length + PIECE_ALIGNMENT - 1) & -PIECE_ALIGNMENT;

	if (pool.closed || flags != (MAP_SHARED | MAP_ANONYMOUS) ||
	    size > POOL_SIZE - pool.used)
		return __real_mmap(where, length, protection, flags, fd,
				   offset);
	if (!pool.start)
		pool.start = __real_mmap(NULL, POOL_SIZE, protection, flags,
					 -1, 0);
	if (pool.start == MAP_FAILED)
		return MAP_FAILED;
	pool.used += size;
	return pool.start + pool.used - size;
}

void pool_close(void)
{
	pool.closed = true;
	if (!pool.used)
		return;
	pool.fresh = malloc(pool.used);
	if (!pool.fresh)
		abort();
	memcpy(pool.fresh, pool.start, pool.used);
}

void pool_renew(bool left_some)
{
	if (!pool.used)
		return;
	if (left_some &&
	    __real_mmap(pool.start, POOL_SIZE, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
	    pool.start)
		abort();
	memcpy(pool.start, pool.fresh, pool.used);
}
