// SPDX-License-Identifier: GPL-2.0-only
/* Kbuild wants an object to belong to one module, so each compiles its own. */
#define PEER_FAULTS_DEF "exporter/faults.def"

#include "../shared/fault.c"
#include "../shared/fence.c"
#include "../shared/ioctl.c"
#include "../shared/log.c"
#include "../shared/memory.c"
#include "../shared/node.c"
