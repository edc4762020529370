// SPDX-License-Identifier: GPL-2.0-only
#include "nic/controls.h"

const struct controls controls_initial = {
#define CONTROL(name, initial, what) .name = initial,
#include "nic/controls.def"
#undef CONTROL
};
