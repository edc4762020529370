// SPDX-License-Identifier: GPL-2.0-only
/*
 * Short memory: the first allocation of a call fails, then its second, until
 * the call makes no more of them. What is left each time is counted, and the
 * call must work afterwards. Any exporter and any importer is judged, on
 * kernels that can make allocations fail.
 * Clauses: ERR-09, ATT-02.a, ERR-04.c, ERR-05, SGT-08.c.
 */
#include <linux/dma-buf.h>

#include "oracle/alloc_fault.h"
#include "oracle/bufinfo.h"
#include "oracle/dma_debug.h"
#include "oracle/fdinfo.h"
#include "oracle/fds.h"
#include "pair/clause_test.h"
#include "pair/fence.h"
#include "peer/life.h"

#define SETTLE_MS	10000
#define ALLOCATIONS_MAX	1000	/* no call makes so many */
#define SECONDS		120	/* for some hundred calls, slower than usual */
#define ERRORS_MAX	8

/* A call whose allocations fail one after another. */
struct sweep {
	int (*call)(void *context);
	void *context;
	unsigned int nth;	/* the allocation that was to fail last */
	bool over;		/* the last call made fewer */
	int errors[ERRORS_MAX];	/* that the call gave, each once, or 0 */
};

static void note_error(struct sweep *sweep, int error)
{
	for (size_t i = 0; i < ERRORS_MAX; i++) {
		if (!sweep->errors[i])
			sweep->errors[i] = error;
		if (sweep->errors[i] == error)
			return;
	}
}

/*
 * The call once more, with the next allocation failing. @error is what it
 * gave; returns a negative errno if nothing could be made to fail.
 */
static int sweep_on(struct sweep *sweep, int *error)
{
	int hit = alloc_fault_arm(++sweep->nth);

	if (hit)
		return hit;
	*error = sweep->call(sweep->context);
	hit = alloc_fault_disarm();
	if (hit < 0)
		return hit;
	sweep->over = !hit;
	if (*error)
		note_error(sweep, *error);
	return sweep->over && *error ? *error : 0;
}

/* All errors of a call, as "ENOMEM, EINVAL", as far as there is room. */
static const char *errors_text(const struct sweep *sweep)
{
	static char text[200];
	size_t length = 0;

	for (size_t i = 0; i < ERRORS_MAX && sweep->errors[i]; i++) {
		length += snprintf(text + length, sizeof(text) - length, "%s%s",
				   i ? ", " : "", errno_text(sweep->errors[i]));
		if (length >= sizeof(text))
			break;
	}
	return length ? text : "none: it can do without";
}

#define needs_alloc_fault() \
	do { \
		int opened_; \
\
		disrupts("changes which allocations may be made to fail"); \
		opened_ = alloc_fault_open(); \
\
		if (opened_ == -ENODEV) \
			skip_case("%s", alloc_fault_reason()); \
		must(opened_); \
	} while (0)

/* The block that follows runs after each call, with its error in @error_. */
#define for_each_failure(sweep_, error_) \
	for (; !(sweep_)->over && (sweep_)->nth < ALLOCATIONS_MAX;) \
		for (int once_ = sweep_on(sweep_, error_), begun_ = 1; begun_; \
		     begun_ = 0) \
			if (once_) { \
				alloc_fault_close(); \
				END_CASE_IF_ERROR(once_, "sweep_on"); \
			} else

/* must(), between failures: the settings are back before the next case begins. */
#define must_meanwhile(call) \
	do { \
		long meanwhile_ = (call); \
\
		if (meanwhile_ < 0) \
			alloc_fault_close(); \
		END_CASE_IF_ERROR(meanwhile_, #call); \
	} while (0)

#define must_be_over(sweep_) \
	do { \
		alloc_fault_close(); \
		must_be((sweep_)->over && (sweep_)->nth > 1); \
	} while (0)

/* ---- exports ---------------------------------------------------------- */

struct export {
	struct exporter *exporter;
	struct buffer buffer;
};

static int export_one(void *context)
{
	static const struct buffer_spec plain = { .size = PAIR_BUFFER_SIZE };
	struct export *export = context;

	return exporter_alloc(export->exporter, &plain, &export->buffer);
}

static ino_t inode_of_new_buffer(struct export *export)
{
	ino_t inode = 0;

	if (export_one(export))
		return 0;
	inode = fds_inode(export->buffer.fd);
	exporter_release(&export->buffer);
	return inode;
}

CLAUSE_TEST_TIMEOUT(export_leaves_nothing, SECONDS, NEEDS(IMPORTER_CPU),
		    ERR_09_a, ERR_09_d)
{
	struct export export = { .exporter = self->exporter };
	struct sweep sweep = { .call = export_one, .context = &export };
	static struct fds before, after;
	char leaked[200] = "";
	ino_t first, last;
	struct fdinfo info;
	int error, found;

	must(fdinfo_read(self->buffer.fd, &info));
	must_be(first = inode_of_new_buffer(&export));
	needs_alloc_fault();
	must_meanwhile(fds_take(&before));
	for_each_failure(&sweep, &error)
		if (!error)
			exporter_release(&export.buffer);
	must_be_over(&sweep);
	must(fds_take(&after));
	check_saying(ERR_09_a, !fds_new(&before, &after, leaked, sizeof(leaked)),
		     "%s", leaked);
	observe(ERR_09_d, "%s", errors_text(&sweep));

	last = inode_of_new_buffer(&export);
	check(ERR_09_a, last);
	must(found = bufinfo_between(info.exporter, first, last));
	check_saying(ERR_09_a, found == 0, "%d buffers are left", found);
}

/* ---- imports ---------------------------------------------------------- */

struct attempt {
	struct importer *importer;
	struct buffer *buffer;
	struct import import;
};

static int import_one(void *context)
{
	struct attempt *attempt = context;

	return importer_import(attempt->importer, attempt->buffer->fd, 0, 0,
			       IMPORT_BOTH | IMPORT_PIN, &attempt->import);
}

static int import_and_release(struct attempt *attempt)
{
	int error = import_one(attempt);

	return error ? error : importer_release(&attempt->import);
}

CLAUSE_TEST_TIMEOUT(import_leaves_nothing, SECONDS,
		    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES), ERR_09_b, ERR_09_e)
{
	struct attempt attempt = {
		.importer = self->importer, .buffer = &self->buffer,
	};
	struct sweep sweep = { .call = import_one, .context = &attempt };
	int error, left;
	long before;

	must_unless_declined(import_and_release(&attempt));
	must_be(left_behind(&self->buffer) == 0);
	before = fdinfo_references(self->buffer.fd);
	must(before);
	needs_alloc_fault();
	for_each_failure(&sweep, &error) {
		if (!error)
			must_meanwhile(importer_release(&attempt.import));
		left = left_behind(&self->buffer);
		check_saying(ERR_09_b, left == 0, "allocation %u failed, the "
			     "import gave %s, and %d things are left",
			     sweep.nth, errno_text(error), left);
	}
	must_be_over(&sweep);
	check(ERR_09_b, comes_true(SETTLE_MS,
				   fdinfo_references(self->buffer.fd) == before));
	check_ok(ERR_09_b, import_and_release(&attempt));
	observe(ERR_09_e, "%s", errors_text(&sweep));
}

/* ---- attach and map, step by step ------------------------------------- */

struct steps {
	struct importer *importer;
	int fd;
	struct attachment attachment;
	struct mapping mapping;
};

static int attach_one(void *context)
{
	struct steps *steps = context;

	return peer_attach(steps->importer, steps->fd, NULL, &steps->attachment);
}

static int map_one(void *context)
{
	struct steps *steps = context;

	return peer_map(&steps->attachment, PEER_BIDIRECTIONAL, &steps->mapping);
}

static int listed_attachments(int fd)
{
	struct bufinfo info;
	int found = bufinfo_find(fds_inode(fd), &info);

	return found > 0 ? info.attachments : -ENOENT;
}

CLAUSE_TEST_TIMEOUT(attach_leaves_nothing, SECONDS,
		    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_ATTACHES),
		    ATT_02_a)
{
	struct steps steps = {
		.importer = self->importer, .fd = self->buffer.fd,
	};
	struct sweep sweep = { .call = attach_one, .context = &steps };
	int error;

	must_unless_declined(attach_one(&steps));
	must(peer_detach(&steps.attachment));
	must(listed_attachments(self->buffer.fd));
	needs_alloc_fault();
	for_each_failure(&sweep, &error) {
		if (!error)
			must_meanwhile(peer_detach(&steps.attachment));
		check_equal(ATT_02_a, 0, listed_attachments(self->buffer.fd));
	}
	must_be_over(&sweep);
}

/* A map that could do without an allocation has all of the buffer. */
static bool fails_or_is_whole(int error, const struct mapping *mapping,
			      const struct buffer *buffer)
{
	return error < 0 || (!error && mapping->length == buffer->size);
}

/* Other devices map and unmap meanwhile. */
static bool comes_back_to(long before)
{
	long now;

	return comes_true(SETTLE_MS, (now = dma_debug_mappings()) <= before) &&
	       now >= 0;
}

CLAUSE_TEST_TIMEOUT(map_leaves_nothing, SECONDS,
		    NEEDS(EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_MAPS),
		    ERR_05_a, ERR_05_b)
{
	struct steps steps = {
		.importer = self->importer, .fd = self->buffer.fd,
	};
	struct sweep sweep = { .call = map_one, .context = &steps };
	long before;
	bool back;
	int error;

	must_unless_declined(attach_one(&steps));
	must_unless_declined(map_one(&steps));
	must(peer_unmap(&steps.mapping));
	before = dma_debug_mappings();
	if (before < 0)
		skip_clause(ERR_05_b, "the kernel does not count DMA mappings "
			    "(CONFIG_DMA_API_DEBUG)");
	needs_alloc_fault();
	for_each_failure(&sweep, &error) {
		check(ERR_05_a, fails_or_is_whole(error, &steps.mapping,
						  &self->buffer));
		if (!error)
			must_meanwhile(peer_unmap(&steps.mapping));
		if (before < 0)
			continue;
		back = comes_back_to(before);
		check_saying(ERR_05_b, back, "%ld DMA mappings, before it %ld",
			     dma_debug_mappings(), before);
		/* What is left would be waited for again and again. */
		sweep.over |= !back;
	}
	must_be_over(&sweep);
	must(peer_detach(&steps.attachment));
}

/* The exporter mapped, and was told at once to unmap the same table. */
static bool is_undone(const struct event_log *log)
{
	int unmap = event_find(log, PEER_CALL_UNMAP, 0);

	return unmap > event_find(log, PEER_CALL_MAP, 0) &&
	       !(log->events[unmap].flags & PEER_EVENT_TABLE_FOREIGN);
}

static bool was_mapped(const struct event_log *log)
{
	int map = event_find(log, PEER_CALL_MAP, 0);

	return map >= 0 && !log->events[map].result;
}

/* Between the exporter's map and that of the importer the core copies. */
CLAUSE_TEST_TIMEOUT(failed_copy_is_unmapped, SECONDS,
		    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_MAPS),
		    ERR_04_c, SGT_08_c)
{
	struct steps steps = {
		.importer = self->importer, .fd = self->buffer.fd,
	};
	struct sweep sweep = { .call = map_one, .context = &steps };
	static struct event_log log;
	int error, copies = 0;

	needs_law(LAW_DMABUF_DEBUG, YES);
	must_unless_declined(attach_one(&steps));
	must_unless_declined(map_one(&steps));
	must(peer_unmap(&steps.mapping));
	needs_alloc_fault();
	exporter_log(&self->buffer, &log);
	for_each_failure(&sweep, &error) {
		exporter_log(&self->buffer, &log);
		if (error && was_mapped(&log)) {
			copies++;
			check(ERR_04_c, is_undone(&log));
			check_equal(SGT_08_c, 0,
				    exporter_saw(&self->buffer).tables_changed);
		}
		if (!error)
			must_meanwhile(peer_unmap(&steps.mapping));
		exporter_log(&self->buffer, &log);
	}
	must_be_over(&sweep);
	must_be(copies > 0);
	must(peer_detach(&steps.attachment));
}

/* ---- fences ----------------------------------------------------------- */

struct fences {
	int fd;
	int sync_file;
};

static int take_fences(void *context)
{
	struct fences *fences = context;

	fences->sync_file = sync_file_export(fences->fd, DMA_BUF_SYNC_READ);
	return fences->sync_file < 0 ? fences->sync_file : 0;
}

static int bring_fences(void *context)
{
	struct fences *fences = context;

	return sync_file_import(fences->fd, DMA_BUF_SYNC_READ, fences->sync_file);
}

CLAUSE_TEST_TIMEOUT(sync_file_leaves_nothing, SECONDS, NEEDS(IMPORTER_CPU),
		    ERR_09_c)
{
	struct fences fences = { .fd = self->buffer.fd };
	struct sweep take = { .call = take_fences, .context = &fences };
	struct sweep bring = { .call = bring_fences, .context = &fences };
	static struct fds before, after;
	long references = fdinfo_references(self->buffer.fd);
	char leaked[200] = "";
	int error = take_fences(&fences);

	must(references);
	if (error == -ENOTTY)
		skip_case("the kernel has no sync_file to carry fences");
	must(error);
	close(fences.sync_file);
	needs_alloc_fault();
	must_meanwhile(fds_take(&before));
	for_each_failure(&take, &error)
		if (!error)
			close(fences.sync_file);
	must_meanwhile(fds_take(&after));
	check_saying(ERR_09_c, !fds_new(&before, &after, leaked, sizeof(leaked)),
		     "%s", leaked);
	check_ok(ERR_09_c, take_fences(&fences));
	must_meanwhile(fds_take(&before));
	for_each_failure(&bring, &error)
		check_equal(ERR_09_c, references,
			    fdinfo_references(fences.fd));
	must_be_over(&take);
	must_be(bring.over);
	must(fds_take(&after));
	check_saying(ERR_09_c, !fds_new(&before, &after, leaked, sizeof(leaked)),
		     "%s", leaked);
	check_ok(ERR_09_c, bring_fences(&fences));
	close(fences.sync_file);
}

CLAUSE_TEST_MAIN("alloc_failure")
