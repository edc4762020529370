// SPDX-License-Identifier: GPL-2.0-only
/* What a build without the headers of rdma-core answers. */
#include "importer/verbs_library.h"

#ifndef VERBS_HEADERS
#include <errno.h>

#include "importer/verbs.h"

/* Nothing can be opened, so of all other calls none has anything to work on. */
#define ABSENT(call) int call { return -EOPNOTSUPP; }

#pragma GCC diagnostic ignored "-Wunused-parameter"
ABSENT(verbs_open(const char *device, struct verbs **verbs))
ABSENT(verbs_close(struct verbs *verbs))
ABSENT(verbs_command_fd(const struct verbs *verbs))
ABSENT(verbs_domain_new(struct verbs *verbs, struct verbs_domain **domain))
ABSENT(verbs_domain_free(struct verbs_domain *domain))
ABSENT(verbs_register(struct verbs_domain *domain,
		      const struct verbs_request *request,
		      struct verbs_region *region))
ABSENT(verbs_register_memory(struct verbs_domain *domain, void *memory,
			     size_t length, uint32_t access,
			     struct verbs_region *region))
ABSENT(verbs_deregister(struct verbs_region *region))
ABSENT(verbs_end_new(struct verbs_domain *domain, const char *transport,
		     struct verbs_end **end))
ABSENT(verbs_end_free(struct verbs_end *end))
ABSENT(verbs_connect(struct verbs_end *a, struct verbs_end *b))
ABSENT(verbs_post(struct verbs_end *end, const struct verbs_work *work))
ABSENT(verbs_post_receive(struct verbs_end *end, uint64_t id, uint32_t lkey,
			  uint64_t address, uint32_t length))
ABSENT(verbs_complete(struct verbs_end *end, unsigned int ms,
		      struct verbs_completion *completion))
ABSENT(verbs_arm(struct verbs_end *end))
ABSENT(verbs_await_event(struct verbs_end *end, unsigned int ms))
ABSENT(verbs_run(struct verbs_end *end, const struct verbs_work *work,
		 struct verbs_completion *completion))

void verbs_prepare(void)
{
}

const struct verbs_traits *verbs_traits(const struct verbs *verbs)
{
	static const struct verbs_traits none;

	return &none;
}

const struct verbs_traits *verbs_domain_traits(const struct verbs_domain *domain)
{
	return verbs_traits(NULL);
}

size_t verbs_queue_words(const struct verbs *verbs, unsigned int choice,
			 const void **words)
{
	return 0;
}

uint32_t verbs_domain_handle(const struct verbs_domain *domain)
{
	return 0;
}
#endif
