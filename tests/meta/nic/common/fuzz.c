// SPDX-License-Identifier: GPL-2.0-only
#include "common/fuzz.h"

#include <string.h>

#include "nic/log.h"

const uint8_t *steps_next(struct steps *steps, struct step *step)
{
	const uint8_t *data;

	if (steps->size <= sizeof(*step))
		return NULL;
	memcpy(step, steps->data, sizeof(*step));
	data = steps->data + sizeof(*step);
	steps->size -= sizeof(*step);
	if (step->length > steps->size)
		step->length = steps->size;
	steps->data = data + step->length;
	steps->size -= step->length;
	return data;
}

/* The server has much to say of such guests. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	log_show(LOG_NOTHING);
	return 0;
}
