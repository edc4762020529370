// SPDX-License-Identifier: GPL-2.0-only
/* Kbuild wants an object to belong to one module, so each compiles its own. */
#define PEER_FAULTS_DEF "core/faults.def"
#define PEER_FAULT_SWITCHED peer_fault_switched

#include "core/alter.h"
#include "../shared/fault.c"
