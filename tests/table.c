// SPDX-License-Identifier: GPL-2.0-only
/*
 * Scatter tables: whole pages, the whole buffer, one table for each mapping,
 * and every shape that the rules allow. Exporters are judged by the tables
 * that the peer importer gets, importers by what they make of the shapes that
 * the peer exporter hands out. Clauses: SGT-01 to SGT-09 but for SGT-05, which
 * is in importer.c.
 */
#include <stdio.h>
#include <unistd.h>

#include "importer/verbs.h"
#include "pair/clause_test.h"
#include "pair/cpu.h"
#include "pair/decline.h"
#include "pair/kernel.h"
#include "peer/hold.h"
#include "peer/observe.h"

#define SEED		0x7ab1
#define PAGE		4096
#define ENTRIES_MAX	(PAIR_BUFFER_SIZE / 512)
#define ODD_SIZE	(3 * PAGE + 100)
#define LARGE_SIZE	((4ull << 30) + 64 * PAGE)

#define must_hold(fd_, hold_) \
	must_unless_declined(hold_take(self->importer, fd_, NULL, \
				       PEER_BIDIRECTIONAL, hold_))

/* ---- what exporters hand out ---------------------------------------- */

static size_t round_to_page(size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

/* Each entry begins and ends where a page does. */
CLAUSE_TEST(entries_are_whole_pages,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS),
	    SGT_01_a, SGT_01_b)
{
	static struct peer_table_entry entries[ENTRIES_MAX];
	size_t page = sysconf(_SC_PAGESIZE);
	struct hold hold;
	int count;

	must_hold(self->buffer.fd, &hold);
	count = peer_table(&hold.mapping, entries, ENTRIES_MAX);
	must(count);
	must_be(count > 0);
	for (int i = 0; i < count; i++) {
		check_saying(SGT_01_a, entries[i].address % page == 0,
			     "entry %d begins at %#llx", i,
			     (unsigned long long)entries[i].address);
		check_saying(SGT_01_b, entries[i].length &&
			     entries[i].length % page == 0,
			     "entry %d has %#x bytes", i, entries[i].length);
	}
	must(hold_drop(&hold));
}

/* All entries together are the buffer. */
CLAUSE_TEST(table_covers_the_buffer,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS),
	    SGT_02_a, SGT_02_b)
{
	off_t size = lseek(self->buffer.fd, 0, SEEK_END);
	struct hold hold;

	must_be(size > 0);
	must_hold(self->buffer.fd, &hold);
	check_saying(SGT_02_a, hold.mapping.length >= (uint64_t)size,
		     "%llu bytes of %llu",
		     (unsigned long long)hold.mapping.length,
		     (unsigned long long)size);
	check_saying(SGT_02_b, hold.mapping.length <= round_to_page(size),
		     "%llu bytes of %llu",
		     (unsigned long long)hold.mapping.length,
		     (unsigned long long)size);
	must(hold_drop(&hold));
}

/* A buffer whose size is not whole pages, if there can be one. */
CLAUSE_TEST(odd_size_is_told,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS), SGT_02_c)
{
	const struct buffer_spec spec = { .size = ODD_SIZE };
	struct buffer buffer;
	struct hold hold;
	int error;

	error = exporter_alloc(self->exporter, &spec, &buffer);
	if (error == -EINVAL) {
		observe(SGT_02_c, "the exporter has whole pages only");
		return;
	}
	must(error);
	must_hold(buffer.fd, &hold);
	observe(SGT_02_c, "asked for %d bytes: the buffer has %lld, the table %llu",
		ODD_SIZE, (long long)lseek(buffer.fd, 0, SEEK_END),
		(unsigned long long)hold.mapping.length);
	must(hold_drop(&hold));
	exporter_release(&buffer);
}

/* ---- whose table it is ---------------------------------------------- */

static const struct attach_options second_device = {
	.device = PEER_DEVICE_SECOND,
};

/* A device of its own if there is one, else the same once more. */
static int hold_beside(struct importer *importer, int fd, struct hold *hold)
{
	int ret = hold_take(importer, fd, &second_device, PEER_BIDIRECTIONAL,
			    hold);

	if (ret == -ENODEV)
		ret = hold_take(importer, fd, NULL, PEER_BIDIRECTIONAL, hold);
	return ret;
}

/*
 * Each attachment has a table with addresses that are its own: they work for
 * its device, and go on doing so when the other is unmapped.
 */
CLAUSE_TEST(attachments_share_no_table,
	    NEEDS(EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_PEER, IMPORTER_MAPS),
	    SGT_03_a)
{
	struct hold first, second;

	must(pattern_write(SEED, &self->buffer));
	must_hold(self->buffer.fd, &first);
	must(hold_beside(self->importer, self->buffer.fd, &second));
	check_ok(SGT_03_a, device_sees(&second.mapping, SEED));
	must(hold_drop(&first));
	check_ok(SGT_03_a, device_sees(&second.mapping, SEED));
	must(hold_drop(&second));
}

/*
 * Two maps of one attachment that are alive at once. For a device that nothing
 * translates for: where both are one table, the second unmap would undo at the
 * IOMMU what by then may be someone else's.
 */
CLAUSE_TEST(second_map_is_told,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS), SGT_03_b)
{
	const struct attach_options plain = { .device = PEER_DEVICE_PLATFORM };
	struct mapping second;
	struct hold hold;
	int error;

	if (is_out_of_reach(&self->buffer, plain.device))
		skip_case("no device without translation reaches this buffer");
	must_unless_declined(hold_take(self->importer, self->buffer.fd, &plain,
				       PEER_BIDIRECTIONAL, &hold));
	must_be(!importer_saw(&hold.attachment).translated);
	error = peer_map(&hold.attachment, PEER_BIDIRECTIONAL, &second);
	if (error)
		observe(SGT_03_b, "a second map fails: %s", errno_text(error));
	else
		observe(SGT_03_b, "two maps give %s", second.same_as ?
			"one table" : "two tables");
	if (!error)
		must(peer_unmap(&second));
	must(hold_drop(&hold));
}

/* What user space and other devices do meanwhile. */
static int use_otherwise(struct importer *importer, struct buffer *buffer)
{
	struct hold other;
	char byte;
	int ret = cpu_read(buffer->fd, buffer->size, 0, &byte, 1);

	if (ret && ret != -EOPNOTSUPP && ret != -EINVAL)
		return ret;
	ret = hold_beside(importer, buffer->fd, &other);
	return ret ? ret : hold_drop(&other);
}

/* From map to unmap the table is the importer's, and nobody writes in it. */
CLAUSE_TEST(table_stays_as_it_is,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS), SGT_03_c)
{
	static struct peer_table_entry before[ENTRIES_MAX], after[ENTRIES_MAX];
	struct hold hold;
	int count;

	must_hold(self->buffer.fd, &hold);
	count = peer_table(&hold.mapping, before, ENTRIES_MAX);
	must_be(count > 0);
	must(use_otherwise(self->importer, &self->buffer));
	check_equal(SGT_03_c, count,
		    peer_table(&hold.mapping, after, ENTRIES_MAX));
	check(SGT_03_c, !memcmp(before, after, count * sizeof(before[0])));
	must(hold_drop(&hold));
}

/* ---- what importers cope with --------------------------------------- */

/*
 * Pages to look into: the first ones, the last ones, and those around the
 * places where a long table goes on in another page, and where an offset no
 * longer fits in 32 bits.
 */
static const size_t samples[] = {
	0, 1, 2, 125, 126, 127, 128, 129, 1024, 0xfffff, 0x100000,
};

#define SAMPLES		(ARRAY_SIZE(samples) + 1)

/* Whether a buffer of @size bytes has that sample; @at gets where. */
static bool has_sample(size_t sample, size_t size, size_t *at)
{
	*at = sample < ARRAY_SIZE(samples) ? samples[sample] * PAGE :
					     size - PAGE;
	return *at < size;
}

static int write_samples(struct buffer *buffer, uint32_t seed)
{
	uint8_t page[PAGE];
	int ret = 0;

	for (size_t i = 0, at; !ret && i < SAMPLES; i++) {
		if (!has_sample(i, buffer->size, &at))
			continue;
		pattern_fill(seed, at, page, PAGE);
		ret = exporter_write(buffer, at, page, PAGE);
	}
	return ret;
}

/* The device reads what the exporter wrote. */
static int receive_samples(struct import *import, size_t size)
{
	uint8_t page[PAGE];
	int ret = 0;

	for (size_t i = 0, at; !ret && i < SAMPLES; i++) {
		if (!has_sample(i, size, &at))
			continue;
		ret = importer_read(import, at, page, PAGE);
		if (!ret && pattern_mismatch(SEED, at, page, PAGE) >= 0)
			ret = -EILSEQ;
	}
	return ret;
}

/* The exporter finds what the device writes. */
static int send_samples(struct buffer *buffer, struct import *import)
{
	uint8_t page[PAGE];
	int ret = 0;

	for (size_t i = 0, at; !ret && i < SAMPLES; i++) {
		if (!has_sample(i, buffer->size, &at))
			continue;
		pattern_fill(~SEED, at, page, PAGE);
		ret = importer_write(import, at, page, PAGE);
		if (!ret)
			ret = exporter_read(buffer, at, page, PAGE);
		if (!ret && pattern_mismatch(~SEED, at, page, PAGE) >= 0)
			ret = -EILSEQ;
	}
	return ret;
}

/* A whole import of a buffer, with bytes if this importer can move them. */
static int import_works(struct importer *importer, struct buffer *buffer)
{
	struct import import;
	int ret, released;

	ret = write_samples(buffer, SEED);
	if (ret)
		return ret;
	ret = importer_import(importer, buffer->fd, 0, 0, IMPORT_BOTH, &import);
	if (ret)
		return ret;
	if (importer->backend.capabilities & CAP(IMPORTER_MOVES_BYTES)) {
		ret = receive_samples(&import, buffer->size);
		if (!ret)
			ret = send_samples(buffer, &import);
	}
	released = importer_release(&import);
	return ret ? ret : released;
}

static int shape_works(struct pair *pair, const struct buffer_spec *spec)
{
	struct buffer buffer;
	int ret = exporter_alloc(&pair->exporter, spec, &buffer);

	if (ret)
		return ret;
	ret = import_works(&pair->importer, &buffer);
	exporter_release(&buffer);
	return ret;
}

static const struct {
	enum clause_id clause;
	struct buffer_spec spec;
} shapes[] = {
	{ SGT_06_a, { .size = PAGE, .shape = PEER_SHAPE_MERGED } },
	{ SGT_06_e, { .size = 64 * PAGE, .shape = PEER_SHAPE_PAGES } },
	{ SGT_06_f, { .size = 256 * PAGE, .shape = PEER_SHAPE_SPLIT } },
	{ SGT_06_c, { .size = 512 * PAGE, .shape = PEER_SHAPE_PAGES } },
	{ SGT_06_b, { .size = 2048 * PAGE, .shape = PEER_SHAPE_PAGES } },
};

/* One entry, scattered ones, uneven ones, a chained table, thousands. */
CLAUSE_TEST(any_legal_shape_works,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS) | ANY_EXPORTER,
	    SGT_06_a, SGT_06_b, SGT_06_c, SGT_06_e, SGT_06_f)
{
	needs_no_decline();
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++) {
		int error = shape_works(&self->pair, &shapes[i].spec);
		const char *why = pair_declines(&self->pair, error);

		if (why)
			skip_clause(shapes[i].clause, "%s", why);
		else
			check_ok(shapes[i].clause, error);
	}
}

/* Most bytes that an importer says it can have in one piece. */
static uint64_t most_bytes(struct importer *importer)
{
	if (!(importer->backend.capabilities & CAP(IMPORTER_VERBS)))
		return UINT64_MAX;
	return verbs_traits(verbs_of(importer))->region_max;
}

/* More than 32 bits of bytes, of memory that comes again and again. */
CLAUSE_TEST(large_buffer_works,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS) | ANY_EXPORTER,
	    SGT_06_d)
{
	const struct buffer_spec spec = {
		.size = LARGE_SIZE, .flags = BUFFER_REPEATED,
	};

	if (spec.size < LARGE_SIZE)
		skip_case("a program of %zu bits has no word for so many bytes",
			  8 * sizeof(size_t));
	if (most_bytes(self->importer) < spec.size)
		skip_case("the device takes no more than %llu bytes at a time",
			  (unsigned long long)most_bytes(self->importer));
	needs_no_decline();
	check_ok(SGT_06_d, shape_works(&self->pair, &spec));
}

/* An IOMMU joins pages: then the table has fewer DMA than CPU entries. */
CLAUSE_TEST(joined_entries_work,
	    NEEDS(EXPORTER_PEER, EXPORTER_FILLS, IMPORTER_PEER, IMPORTER_MAPS),
	    SGT_06_g)
{
	struct hold hold;

	must(pattern_write(SEED, &self->buffer));
	must_hold(self->buffer.fd, &hold);
	if (hold.mapping.nents >= hold.mapping.orig_nents)
		skip_case("nothing joins entries for this device: %u of %u",
			  hold.mapping.nents, hold.mapping.orig_nents);
	check_ok(SGT_06_g, device_sees(&hold.mapping, SEED));
	check_ok(SGT_06_g, device_writes(&hold.mapping, ~SEED));
	check_ok(SGT_06_g, pattern_verify(~SEED, &self->buffer));
	must(hold_drop(&hold));
}

/* Only DMA addresses and lengths are there; that has to be enough. */
CLAUSE_TEST(table_without_pages_works,
	    NEEDS(EXPORTER_PEER, IMPORTER_P2P, IMPORTER_MAPS),
	    SGT_04_a, SGT_06_h)
{
	const struct buffer_spec spec = {
		.size = 64 * PAGE, .shape = PEER_SHAPE_PAGELESS,
	};
	int error;

	needs_no_decline();
	error = shape_works(&self->pair, &spec);
	check_ok(SGT_04_a, error);
	check_ok(SGT_06_h, error);
}

/* A core that catches misuse gives importers tables without pages. */
CLAUSE_TEST(hidden_pages_are_not_missed,
	    NEEDS(EXPORTER_FILLS, EXPORTER_MAPS, IMPORTER_ATTACHES,
		  IMPORTER_MAPS),
	    SGT_04_b)
{
	needs_law(LAW_DMABUF_DEBUG, YES);
	needs_no_decline();
	check_ok(SGT_04_b, import_works(self->importer, &self->buffer));
}

/* ---- memory without pages ------------------------------------------- */

/* The table of device memory says that there are no pages. */
CLAUSE_TEST(device_memory_has_no_pages,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_P2P, IMPORTER_MAPS),
	    SGT_07_a, SGT_07_b)
{
	const struct buffer_spec spec = {
		.size = PAIR_BUFFER_SIZE, .placement = PLACE_DEVICE,
	};
	static struct peer_table_entry entries[ENTRIES_MAX];
	struct buffer buffer;
	struct hold hold;
	int count, named = 0;

	count = exporter_alloc(self->exporter, &spec, &buffer);
	if (count == -EOPNOTSUPP)
		skip_case("the exporter has no memory of a device");
	must(count);
	must_hold(buffer.fd, &hold);
	if (place_of(&buffer) != PLACE_DEVICE)
		skip_case("the exporter moves it to where this device reaches it");
	count = peer_table(&hold.mapping, entries, ENTRIES_MAX);
	must_be(count > 0);
	for (int i = 0; i < count; i++)
		named += entries[i].has_page;
	check_saying(SGT_07_a, !named, "%d of %d entries name a page", named,
		     count);
	check_equal(SGT_07_b, 0, hold.mapping.orig_nents);
	must(hold_drop(&hold));
	exporter_release(&buffer);
}

/* ---- kernels that check --------------------------------------------- */

/* Importers see no page, and the exporter gets back the table that it made. */
CLAUSE_TEST(core_hides_pages_from_importers_alone,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_MAPS),
	    SGT_08_a, SGT_08_b)
{
	static struct peer_table_entry entries[ENTRIES_MAX];
	struct hold hold;
	int count;

	needs_law(LAW_DMABUF_DEBUG, YES);
	must_hold(self->buffer.fd, &hold);
	count = peer_table(&hold.mapping, entries, ENTRIES_MAX);
	must_be(count > 0);
	for (int i = 0; i < count; i++)
		check(SGT_08_a, !entries[i].has_page);
	must(hold_drop(&hold));
	check_equal(SGT_08_b, 0, exporter_saw(&self->buffer).tables_changed);
}

#define DMA_ERRORS_FILE	"/sys/kernel/debug/dma-api/error_count"

/* What a kernel with CONFIG_DMA_API_DEBUG found so far; negative if none. */
static long dma_errors(void)
{
	char line[32];
	int ret = kernel_read_line(DMA_ERRORS_FILE, line, sizeof(line));

	return ret < 0 ? ret : strtol(line, NULL, 0);
}

/* The checks of the DMA layer find nothing in a map and its unmap. */
CLAUSE_TEST(unmap_fits_its_map,
	    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS), SGT_09)
{
	long before = dma_errors();
	struct hold hold;

	if (before < 0)
		skip_case("needs a kernel with CONFIG_DMA_API_DEBUG, and debugfs");
	must_hold(self->buffer.fd, &hold);
	must(hold_drop(&hold));
	check_equal(SGT_09, before, dma_errors());
}

CLAUSE_TEST_MAIN("table")
