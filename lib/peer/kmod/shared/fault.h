/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mutants: deliberate breaches of the contract, one at a time, chosen by the
 * module parameter "fault". They exist only in modules built with PEER_FAULTS.
 *
 * Each module lists its own in faults.def: FAULT(name, clauses, effect).
 */
#ifndef PEER_FAULT_H
#define PEER_FAULT_H

#ifdef PEER_FAULTS

#include <linux/compiler.h>

extern unsigned int peer_fault_active;

/**
 * peer_fault - whether a mutant is switched on
 * @name: its name in faults.def
 */
#define peer_fault(name)	unlikely(READ_ONCE(peer_fault_active) == FAULT_##name)

#else

#define peer_fault(name)	false

#endif
#endif
