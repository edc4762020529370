/* SPDX-License-Identifier: GPL-2.0-only */
/* What tests ask of a function: one 32-bit member for each line of controls.def. */
#ifndef CTS_NIC_CONTROLS_H
#define CTS_NIC_CONTROLS_H

#include <stdbool.h>
#include <stdint.h>

struct controls {
#define CONTROL(name, initial, what) uint32_t name;
#include "nic/controls.def"
#undef CONTROL
};

/* The index of each in the instrument page, and their number. */
enum {
#define CONTROL(name, initial, what) CONTROL_##name,
#include "nic/controls.def"
#undef CONTROL
	CONTROLS
};

/* With the initial values. */
extern const struct controls controls_initial;

/**
 * controls_set - give one a value
 * @name: as in controls.def
 *
 * Return: false, with nothing changed, if there is none of that name.
 */
bool controls_set(struct controls *controls, const char *name, uint32_t value);

#endif
