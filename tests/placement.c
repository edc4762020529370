// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moves and pins as any importer meets them: what a map finds after a move, that
 * a pin holds the storage, and that it can move after the last unpin. Nothing is
 * asked of an exporter but to move, and no counter of a peer is read; under the
 * monitor it shows as well who was told, and whether pin moved anything.
 * Clauses: INV-08, PIN-04.a, PIN-08.a.
 */
#include "pair/await.h"
#include "pair/clause_test.h"
#include "pair/decline.h"
#include "pair/notice.h"
#include "peer/observe.h"

#define SEED		0x7c31
#define SETTLE_MS	10000

static bool has(const struct pair *pair, enum capability capability)
{
	return pair_capabilities(pair) & CAP(capability);
}

/* Whether an import that is to be pinned is. */
static bool pins_imports(const struct pair *pair)
{
	return pair_is_pinned(pair) || has(pair, IMPORTER_PEER);
}

/* Whether an import leaves the storage free to move, since it is told. */
static bool is_told_of_moves(const struct pair *pair)
{
	return has(pair, IMPORTER_NOTIFIED) && !pair_is_pinned(pair) &&
	       law_value(LAW_MOVES_WHILE_MAPPED) == YES;
}

/* Who let go may still have to tell the exporter. */
static int move_soon(struct buffer *buffer, enum placement placement)
{
	int error;

	comes_true(SETTLE_MS, (error = exporter_move(buffer, placement)) !=
			      -EBUSY);
	return error;
}

/* Some exporters can only be made to move to system memory, where others begin. */
static int move_away(struct buffer *buffer)
{
	int error = move_soon(buffer, PLACE_OTHER);

	return error == -EOPNOTSUPP ? move_soon(buffer, PLACE_SYSTEM) : error;
}

/*
 * Where the storage is asked to go and does not: it is not there, and held. A
 * move that could not be tried is returned as the error that it gave.
 */
static int refused_place(struct buffer *buffer, enum placement *refused)
{
	static const enum placement places[] = { PLACE_SYSTEM, PLACE_OTHER };

	*refused = PLACE_DEFAULT;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		int error = exporter_move(buffer, places[i]);

		if (error && error != -EBUSY && error != -EOPNOTSUPP)
			return error;
		if (error == -EBUSY) {
			*refused = places[i];
			break;
		}
	}
	return 0;
}

/* An import that is there already, and one that is made then, find the content. */
CLAUSE_TEST(imports_find_the_new_place,
	    NEEDS(EXPORTER_MOVES, EXPORTER_FILLS, IMPORTER_MAPS,
		  IMPORTER_MOVES_BYTES) | EACH_PAIR,
	    INV_08)
{
	bool told = is_told_of_moves(&self->pair);
	struct import before, another, after;

	must(pattern_write(SEED, &self->buffer));
	must_import(IMPORT_BOTH, &before);
	if (told)
		must_import(IMPORT_BOTH, &another);
	else
		must(importer_release(&before));
	needs_way_out();
	must(move_away(&self->buffer));

	must_import(IMPORT_BOTH, &after);
	check_ok(INV_08, pattern_receive(SEED, &after));
	check_ok(INV_08, pattern_send(SEED + 1, &after));
	must(importer_release(&after));
	check_ok(INV_08, pattern_verify(SEED + 1, &self->buffer));
	if (!told)
		return;
	check_ok(INV_08, pattern_receive(SEED + 1, &before));
	must(importer_release(&another));
	must(importer_release(&before));
}

/*
 * A pin holds the storage, whoever else has imported it; when it is given back
 * the storage moves.
 */
CLAUSE_TEST(storage_moves_after_the_last_unpin,
	    NEEDS(EXPORTER_MOVES, EXPORTER_PIN_OP, IMPORTER_DYNAMIC,
		  IMPORTER_MAPS) | EACH_PAIR,
	    PIN_04_a, PIN_08_a)
{
	bool told = is_told_of_moves(&self->pair);
	struct import other, pinned;
	enum placement refused;
	int error;

	if (!pins_imports(&self->pair))
		skip_case("this importer pins nothing");
	/* What can but be evicted is to be held where it is now. */
	error = has(&self->pair, EXPORTER_ONLY_EVICTS) ? 0 :
		exporter_move(&self->buffer, PLACE_OTHER);
	must_be(error == 0 || error == -EOPNOTSUPP);
	if (told)
		must_import(IMPORT_BOTH, &other);
	must_import(IMPORT_BOTH | IMPORT_PIN, &pinned);
	needs_way_out();
	must(refused_place(&self->buffer, &refused));
	check_saying(PIN_04_a, refused != PLACE_DEFAULT,
		     "it moved, or was wherever it was asked to go");

	must(importer_release(&pinned));
	check_ok(PIN_08_a, move_soon(&self->buffer, refused ?: PLACE_SYSTEM));
	must_import(IMPORT_BOTH, &pinned);
	must(importer_release(&pinned));
	if (told)
		must(importer_release(&other));
}

CLAUSE_TEST_MAIN("placement")
