// SPDX-License-Identifier: GPL-2.0-only
/* Kbuild wants an object to belong to one module, so each compiles its own. */
#include "../shared/fence.c"
#include "../shared/ioctl.c"
#include "../shared/log.c"
#include "../shared/memory.c"
#include "../shared/node.c"
