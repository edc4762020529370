// SPDX-License-Identifier: GPL-2.0-only
/*
 * Peer to peer: who gets addresses of device memory, and what becomes of it
 * when someone joins who cannot reach it. Exporters are judged through the
 * peer importer. Clauses: P2P-02, P2P-03, P2P-05, P2P-06; what importers owe
 * (P2P-01, P2P-04) is in importer.c.
 */
#include "pair/clause_test.h"
#include "pair/decline.h"
#include "peer/hold.h"
#include "peer/observe.h"

#define SEED		0x929
#define ENTRIES_MAX	(PAIR_BUFFER_SIZE / 512)

static const struct buffer_spec device_memory = {
	.size = PAIR_BUFFER_SIZE, .placement = PLACE_DEVICE,
};

#define must_alloc_device_memory(buffer_) \
	do { \
		int allocated_ = exporter_alloc(self->exporter, \
						&device_memory, buffer_); \
\
		if (allocated_ == -EOPNOTSUPP) \
			skip_case("the exporter has no memory of a device"); \
		must(allocated_); \
	} while (0)

/*
 * Whether a mapping names no page somewhere, as that of device memory does. A
 * table that the peer does not show says nothing of the exporter. Returns a
 * negative errno then.
 */
static int lacks_pages(struct mapping *mapping, bool *lacks)
{
	static struct peer_table_entry entries[ENTRIES_MAX];
	int count = peer_table(mapping, entries, ENTRIES_MAX);

	*lacks = false;
	for (int i = 0; i < count; i++)
		*lacks |= !entries[i].has_page;
	return count < 0 ? count : 0;
}

/* A core that checks hides from importers the pages that there are (SGT-08). */
#define needs_pages_shown() \
	do { \
		if (law_value(LAW_DMABUF_DEBUG) == YES) \
			skip_case("the core hides from importers what kind of memory it is"); \
	} while (0)

/* Whoever does not allow peer to peer gets RAM with the content, or nothing. */
CLAUSE_TEST(others_get_ram_or_an_error,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS), P2P_02)
{
	struct buffer buffer = { .fd = -1 };
	struct hold hold;
	bool pageless;
	int error;

	if (self->importer->backend.capabilities & CAP(IMPORTER_P2P))
		skip_case("the importer allows peer to peer");
	needs_pages_shown();
	error = exporter_alloc(self->exporter, &device_memory, &buffer);
	if (error == -EOPNOTSUPP) {
		const struct buffer_spec any = { .size = PAIR_BUFFER_SIZE };

		error = exporter_alloc(self->exporter, &any, &buffer);
	}
	must(error);
	must(pattern_write(SEED, &buffer));
	error = hold_take(self->importer, buffer.fd, NULL, PEER_BIDIRECTIONAL,
			  &hold);
	skip_if_declined(error);
	if (error) {
		check_saying(P2P_02, true, "%s", errno_text(error));
	} else {
		must(lacks_pages(&hold.mapping, &pageless));
		check(P2P_02, !pageless);
		check_ok(P2P_02, device_sees(&hold.mapping, SEED));
		must(hold_drop(&hold));
	}
	exporter_release(&buffer);
}

/*
 * A device on no bus reaches no memory of a device on one, though it allows
 * peer to peer: the exporter says so, or gives other memory.
 */
CLAUSE_TEST(distance_is_looked_at,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_P2P, IMPORTER_MAPS),
	    P2P_03)
{
	const struct attach_options apart = { .device = PEER_DEVICE_PLATFORM };
	struct buffer buffer;
	struct hold hold;
	bool pageless;
	int error;

	needs_pages_shown();
	must_alloc_device_memory(&buffer);
	must(pattern_write(SEED, &buffer));
	error = hold_take(self->importer, buffer.fd, &apart, PEER_BIDIRECTIONAL,
			  &hold);
	skip_if_declined(error);
	if (error) {
		check_saying(P2P_03, true, "%s", errno_text(error));
		return;
	}
	must(lacks_pages(&hold.mapping, &pageless));
	check_saying(P2P_03, !hold.attachment.peer2peer || !pageless,
		     "peer to peer stays allowed, and maps device memory");
	check_ok(P2P_03, device_sees(&hold.mapping, SEED));
	must(hold_drop(&hold));
	exporter_release(&buffer);
}

/* Whether the flag is still set when attach has returned. */
CLAUSE_TEST(withdrawn_permission_is_told,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_P2P), P2P_05)
{
	struct attachment attachment;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	observe(P2P_05, "the exporter %s peer to peer", attachment.peer2peer ?
		"leaves" : "takes away");
	must(peer_detach(&attachment));
}

/* Importers that reach no device memory, of each kind that a core treats apart. */
static const char *const newcomers[] = { "peer:notify", "peer:static" };

/*
 * Device memory is mapped peer to peer when another joins. Either the storage
 * goes where both reach it, and the first one is told, or the newcomer fails
 * and nothing happens to the first.
 */
static int join(struct buffer *buffer, struct importer *newcomer,
		struct hold *near, bool *joined)
{
	struct hold far;
	int error = hold_take(newcomer, buffer->fd, NULL, PEER_BIDIRECTIONAL,
			      &far);

	*joined = !error;
	if (error)
		return place_of(buffer) == PLACE_DEVICE ?
		       device_sees(&near->mapping, SEED) : -ESTALE;
	if (place_of(buffer) == PLACE_DEVICE)
		error = -EREMOTE;
	if (!error)
		error = device_sees(&far.mapping, SEED);
	if (!error && !importer_saw(&near->attachment).notifies)
		error = -ENOMSG;
	return hold_drop(&far) ? : error;
}

CLAUSE_TEST(newcomer_brings_the_storage_back,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_P2P),
	    P2P_06)
{
	for (size_t i = 0; i < ARRAY_SIZE(newcomers); i++) {
		struct importer newcomer;
		struct buffer buffer;
		struct hold near;
		bool joined;
		int error;

		must_alloc_device_memory(&buffer);
		must(pattern_write(SEED, &buffer));
		must_unless_declined(hold_take(self->importer, buffer.fd, NULL,
					       PEER_BIDIRECTIONAL, &near));
		if (place_of(&buffer) != PLACE_DEVICE)
			skip_case("the first importer does not reach device memory either");
		must(importer_open(newcomers[i], &newcomer));
		error = join(&buffer, &newcomer, &near, &joined);
		check_saying(P2P_06, !error, "%s %s: %s", newcomers[i],
			     joined ? "joined" : "was refused",
			     errno_text(error));
		must(hold_drop(&near));
		importer_close(&newcomer);
		exporter_release(&buffer);
	}
}

CLAUSE_TEST_MAIN("p2p")
