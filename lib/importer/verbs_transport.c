// SPDX-License-Identifier: GPL-2.0-only
/* Which transport a device moves bytes by. */
#include <string.h>

#include "importer/verbs_object.h"

#ifdef VERBS_HEADERS

/* Best first. */
static const struct verbs_transport *const transports[] = {
	&verbs_srd, &verbs_rc, &verbs_ud,
};

#define TRANSPORT_COUNT	(sizeof(transports) / sizeof(transports[0]))

const struct verbs_transport *verbs_transport_find(struct verbs *verbs,
						   const char *name)
{
	struct verbs_traits ignored;

	for (size_t i = 0; i < TRANSPORT_COUNT; i++)
		if (!strcmp(transports[i]->name, name) &&
		    transports[i]->suits(verbs, &ignored))
			return transports[i];
	return NULL;
}

size_t verbs_queue_words(const struct verbs *verbs, unsigned int choice,
			 const void **words)
{
	const struct verbs_transport *transport = verbs->transport;

	if (!transport || choice >= transport->queue_words_count)
		return 0;
	*words = (const char *)transport->queue_words +
		 choice * transport->queue_words_size;
	return transport->queue_words_size;
}

void verbs_transport_pick(struct verbs *verbs)
{
	if (verbs->port.state != IBV_PORT_ACTIVE)
		return;
	for (size_t i = 0; i < TRANSPORT_COUNT; i++) {
		if (!transports[i]->suits(verbs, &verbs->traits))
			continue;
		verbs->transport = transports[i];
		verbs->traits.transport = transports[i]->name;
		return;
	}
}

#endif
