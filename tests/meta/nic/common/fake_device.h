/* SPDX-License-Identifier: GPL-2.0-only */
/* A device that does nothing but remember, for tests of what lies before it. */
#ifndef CTS_TEST_FAKE_DEVICE_H
#define CTS_TEST_FAKE_DEVICE_H

#include "nic/device.h"

struct device {
	struct function *function;
	uint32_t registers[1024];	/* what was written is read */
	uint32_t doorbell;		/* the offset that was written last */
	uint32_t value;			/* and what */
	unsigned int writes;		/* of registers and doorbells */
	unsigned int resets;
};

/** fake_device - the device of the function that was made last */
struct device *fake_device(void);

#endif
