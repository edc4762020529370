/* SPDX-License-Identifier: GPL-2.0-only */
/* Capabilities of back ends: bits, names, and why a test does not apply. */
#ifndef CTS_CAPABILITY_H
#define CTS_CAPABILITY_H

#include <stddef.h>
#include <stdint.h>

/* EXPORTER_PEER, IMPORTER_MAPS and so on: bit numbers of a capability set. */
enum capability {
#define CAPABILITY(id, name, text) id,
#include "pair/capability.def"
#undef CAPABILITY
	CAPABILITY_COUNT
};

typedef uint64_t capability_set;

#define CAP(id)		(UINT64_C(1) << (id))

/* NEEDS(EXPORTER_MAPS, IMPORTER_PEER): a set of up to six capabilities. */
#define NEEDS_1(a)			CAP(a)
#define NEEDS_2(a, ...)			(CAP(a) | NEEDS_1(__VA_ARGS__))
#define NEEDS_3(a, ...)			(CAP(a) | NEEDS_2(__VA_ARGS__))
#define NEEDS_4(a, ...)			(CAP(a) | NEEDS_3(__VA_ARGS__))
#define NEEDS_5(a, ...)			(CAP(a) | NEEDS_4(__VA_ARGS__))
#define NEEDS_6(a, ...)			(CAP(a) | NEEDS_5(__VA_ARGS__))
#define NEEDS_PICK(_1, _2, _3, _4, _5, _6, name, ...) name
#define NEEDS(...)	NEEDS_PICK(__VA_ARGS__, NEEDS_6, NEEDS_5, NEEDS_4, \
				   NEEDS_3, NEEDS_2, NEEDS_1)(__VA_ARGS__)
#define NEEDS_NOTHING	UINT64_C(0)

/*
 * Said beside its needs by a case that judges one end, but whose outcome
 * depends on the other: it is not enough to run it once for each end.
 */
#define EACH_PAIR	(UINT64_C(1) << 63)

/*
 * Likewise, by one whose outcome has nothing to do with who exports, or imports,
 * as long as it judges another: any will do, and one is enough. With a peer that
 * it needs, it is enough to run it with one kind of peer.
 */
#define ANY_EXPORTER	(UINT64_C(1) << 62)
#define ANY_IMPORTER	(UINT64_C(1) << 61)

/* Likewise: one to be run where a pair would be without any. */
#define LAST_RESORT	(UINT64_C(1) << 60)
_Static_assert(CAPABILITY_COUNT <= 60, "no bits are left for what is said beside needs");

/**
 * capability_name - the name of a capability in records and lists
 * @id: the capability
 *
 * Return: a static string such as "exporter pin-op".
 */
const char *capability_name(enum capability id);

/**
 * capability_label - its name without the role, as a back end's record has it
 * @id: the capability
 *
 * Return: a static string such as "pin-op".
 */
const char *capability_label(enum capability id);

/**
 * capability_missing - say what a pair lacks
 * @needed: capabilities a test needs
 * @has: capabilities of the pair
 * @text: where to write all missing ones, as "needs exporter moves, importer p2p"
 * @size: bytes at @text
 *
 * Return: the number of missing capabilities; @text is empty for 0.
 */
int capability_missing(capability_set needed, capability_set has,
		       char *text, size_t size);

#endif
