// SPDX-License-Identifier: GPL-2.0-only
/* Loads libibverbs and finds its functions. */
#include "importer/verbs_library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#define INSTALL	"install rdma-core (libibverbs1, ibverbs-providers)"

void *verbs_library_function(const char *library, const char *name)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	/* Never closed: its providers would not survive that. */
	return handle ? dlsym(handle, name) : NULL;
}

#ifdef VERBS_HEADERS
#define LIBRARY	"libibverbs.so.1"

static bool find_functions(struct verbs_library *library)
{
#define VERBS_FUNCTION_FIND(name) \
	library->name = verbs_library_function(LIBRARY, "ibv_" #name); \
	if (!library->name) \
		return false;
	VERBS_FUNCTIONS(VERBS_FUNCTION_FIND)
#undef VERBS_FUNCTION_FIND
	return true;
}

const struct verbs_library *verbs_library_load(const char **why)
{
	static struct verbs_library library;
	static bool loaded;

	if (loaded)
		return &library;
	if (!dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)) {
		*why = "no " LIBRARY ": " INSTALL;
		return NULL;
	}
	loaded = find_functions(&library);
	if (loaded)
		return &library;
	*why = LIBRARY " is too old to register dma-bufs: install rdma-core 34 or newer";
	return NULL;
}
#else
const struct verbs_library *verbs_library_load(const char **why)
{
	*why = "built without the headers of rdma-core: install libibverbs-dev (rdma-core-devel) and build again";
	return NULL;
}
#endif
