// SPDX-License-Identifier: GPL-2.0-only
#include "shared/memory.h"

#include <linux/atomic.h>
#include <linux/mm.h>

static atomic_long_t charged = ATOMIC_LONG_INIT(0);

int peer_memory_charge(size_t bytes)
{
	long pages = PFN_UP(bytes);

	if (atomic_long_add_return(pages, &charged) <= (long)(totalram_pages() / 4))
		return 0;
	atomic_long_sub(pages, &charged);
	return -ENOMEM;
}

void peer_memory_uncharge(size_t bytes)
{
	atomic_long_sub(PFN_UP(bytes), &charged);
}
