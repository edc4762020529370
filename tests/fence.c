// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fences: who waits for which, when they are published, that they signal, and
 * how the core orders them. Importers and the core are judged through the peer
 * exporter, which makes the fences; exporters through what an importer reads.
 * Clauses: FENCE-01 to FENCE-08.
 */
#include <linux/dma-buf.h>
#include <poll.h>
#include <unistd.h>

#include "oracle/bufinfo.h"
#include "oracle/fds.h"
#include "oracle/thread.h"
#include "pair/clause_test.h"
#include "pair/decline.h"
#include "pair/fence.h"
#include "peer/hold.h"
#include "peer/observe.h"

#define SEED		0xfe7ce
#define FENCE_MS	5000	/* a fence that the test signals itself */
#define SHORT_COPY_MS	20	/* a copy that has to end, whoever watches */
#define COPY_MS		150	/* a copy that is watched until it ends */
#define LONG_COPY_MS	400	/* a copy that must not end too early */
#define STAYS_MS	100	/* so long sleeps none that only works */
#define RETURNS_MS	4000	/* before a fence expires */
#define ENDS_MS		15000	/* and long after that */
#define MANY		4

/* Whether a reader (POLLIN) or a writer (POLLOUT) need not wait. */
static bool ready(int fd, short events, int ms)
{
	struct pollfd poll_fd = { .fd = fd, .events = events };

	return poll(&poll_fd, 1, ms) == 1 && poll_fd.revents == events;
}

/* ---- what importers wait for ---------------------------------------- */

struct user {
	struct importer *importer;
	int fd;
	unsigned int access;
	bool untouched;		/* its device moves no bytes for a test */
};

/* An import up to the first byte that the device touches, and its end. */
static int import_and_touch(void *argument)
{
	struct user *user = argument;
	struct import import;
	int ret, released;
	char byte;

	ret = importer_import(user->importer, user->fd, 0, 0, user->access,
			      &import);
	if (ret)
		return ret;
	ret = importer_read(&import, 0, &byte, 1);
	user->untouched = ret == -EOPNOTSUPP;
	if (user->untouched)
		ret = 0;
	released = importer_release(&import);
	return ret ? ret : released;
}

enum patience {
	WAITS,
	GOES_AHEAD,
	CANNOT_TELL,	/* its device may wait unseen */
};

static const char *const patience_names[] = {
	[WAITS] = "waits",
	[GOES_AHEAD] = "does not wait",
	[CANNOT_TELL] = "waits neither in its import nor where it can be seen",
};

/*
 * Import while a fence is pending. @patience says whether that waited for it.
 * Return: what the import gave after the fence signalled, or an error.
 */
static int import_under_fence(struct user *user, struct buffer *buffer,
			      enum peer_usage usage, enum patience *patience)
{
	int fence = peer_exporter_fence(buffer, usage, FENCE_MS);
	int ret, error, result;
	struct thread thread;

	if (fence < 0)
		return fence;
	ret = thread_start(&thread, import_and_touch, user);
	if (ret)
		return ret;
	*patience = thread_waits(&thread, STAYS_MS) ? WAITS : GOES_AHEAD;
	ret = peer_exporter_signal(buffer, fence);
	error = thread_join(&thread, RETURNS_MS, &result);
	if (*patience == GOES_AHEAD && user->untouched)
		*patience = CANNOT_TELL;
	return ret ?: error ?: result;
}

#define must_import_under_fence(access_, usage_, patience_) \
	do { \
		struct user user_ = { \
			self->importer, self->buffer.fd, access_, false \
		}; \
\
		must_unless_declined(import_under_fence(&user_, &self->buffer, \
							usage_, patience_)); \
	} while (0)

/*
 * Whether the importer pins, where pins of the core on its behalf do not
 * count. An exporter without pin operation is told of none: there an importer
 * that cannot be told of moves may do so unseen.
 */
static bool may_pin(const struct exporter *exporter, const struct event_log *log)
{
	int attach = event_find(log, PEER_CALL_ATTACH, 0);
	bool notified = attach >= 0 &&
			log->events[attach].flags & PEER_EVENT_NOTIFIABLE;

	if (event_count_with(log, PEER_CALL_PIN, PEER_EVENT_IMPLICIT, 0))
		return true;
	return !notified && !(exporter->backend.capabilities & CAP(EXPORTER_PIN_OP));
}

/* Before map, or after it, where a map may have added the fence itself. */
static const char *when_it_waits(const struct event_log *log)
{
	int signal = event_find(log, PEER_CALL_FENCE_SIGNAL, 0);
	int map = event_find(log, PEER_CALL_MAP, 0);

	if (signal < 0 || map < 0)
		return "does not wait";
	return map < signal ? "waits after map" : "waits before map";
}

/* The device touches nothing while the exporter still fills the memory. */
CLAUSE_TEST(dynamic_importer_waits_for_kernel_fences,
	    NEEDS(EXPORTER_PEER, IMPORTER_DYNAMIC, IMPORTER_MAPS) | EACH_PAIR,
	    FENCE_01_a, FENCE_02_b)
{
	static struct event_log log;
	enum patience patience;

	must_import_under_fence(IMPORT_BOTH, PEER_USAGE_KERNEL, &patience);
	exporter_log(&self->buffer, &log);
	must(log.count);
	observe(FENCE_02_b, "%s", patience == WAITS ? when_it_waits(&log) :
		patience_names[patience]);
	if (may_pin(self->exporter, &log))
		skip_clause(FENCE_01_a, "the importer pins");
	else if (patience == CANNOT_TELL)
		skip_clause(FENCE_01_a, "when its device begins cannot be seen");
	else
		check(FENCE_01_a, patience == WAITS);
}

/* What else an importer waits for. */
CLAUSE_TEST(other_waits_are_told,
	    NEEDS(EXPORTER_PEER, IMPORTER_DYNAMIC, IMPORTER_MAPS), FENCE_01_b)
{
	enum patience patience;

	must_import_under_fence(IMPORT_BOTH, PEER_USAGE_WRITE, &patience);
	observe(FENCE_01_b, "WRITE fences: %s", patience_names[patience]);
}

/* Pinned storage stays, so that the letter asks for no wait. */
CLAUSE_TEST(wait_under_pin_is_told,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_DYNAMIC,
		  IMPORTER_MAPS),
	    FENCE_01_c)
{
	static struct event_log log;
	enum patience patience;

	must_import_under_fence(IMPORT_BOTH | IMPORT_PIN, PEER_USAGE_KERNEL,
				&patience);
	exporter_log(&self->buffer, &log);
	if (!may_pin(self->exporter, &log))
		skip_case("the importer does not pin");
	observe(FENCE_01_c, "KERNEL fences while pinned: %s",
		patience_names[patience]);
}

/* The map itself starts a copy: only a wait after it sees the content. */
CLAUSE_TEST(fence_of_the_map_is_waited_for,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_DYNAMIC,
		  IMPORTER_MAPS, IMPORTER_MOVES_BYTES),
	    FENCE_02_a, FENCE_02_b)
{
	static struct event_log log;
	struct import import;
	int error;

	must(pattern_write(SEED, &self->buffer));
	must(peer_exporter_move(&self->buffer, PEER_PLACE_OTHER,
				PEER_MOVE_AT_MAP | PEER_MOVE_SLOW_FENCE,
				COPY_MS));
	must_import(IMPORT_BOTH, &import);
	error = pattern_receive(SEED, &import);
	must(importer_release(&import));
	exporter_log(&self->buffer, &log);
	if (event_find(&log, PEER_CALL_MOVE_BEGIN, 0) < 0)
		skip_case("pinned at map, so that nothing moves");
	check_ok(FENCE_02_a, error);
	observe(FENCE_02_b, error ? "does not wait after map" :
		"waits after map");
}

/* ---- what exporters publish ----------------------------------------- */

/*
 * A copy under way has its fence when the reservation is free again, and that
 * signals when the content is there. Whether the importer waits for it is its
 * own affair (FENCE-01): one kind of them is enough.
 */
CLAUSE_TEST(move_publishes_its_fence,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_PEER, IMPORTER_P2P),
	    FENCE_03)
{
	must(pattern_write(SEED, &self->buffer));
	must(peer_exporter_move(&self->buffer, PEER_PLACE_OTHER,
				PEER_MOVE_SLOW_FENCE, LONG_COPY_MS));
	check(FENCE_03, !ready(self->buffer.fd, POLLIN, 0));
	must_be(ready(self->buffer.fd, POLLIN, RETURNS_MS));
	check_ok(FENCE_03, place_holds(&self->buffer, PEER_PLACE_OTHER, SEED));
}

/* ---- adding fences -------------------------------------------------- */

/*
 * Both sides add many, of each usage: there is room for every one. The core
 * lists all but those of the last usage.
 */
CLAUSE_TEST(fences_of_both_sides_have_room,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_ATTACHES), FENCE_04_a)
{
	struct attachment attachment;
	struct bufinfo info;
	int found;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	for (int i = 0; i < MANY; i++)
		for (int usage = 0; usage < PEER_USAGE_COUNT; usage++) {
			check(FENCE_04_a, peer_exporter_fence(&self->buffer,
						usage, FENCE_MS) > 0);
			check(FENCE_04_a, peer_importer_fence(&attachment,
						usage, FENCE_MS) > 0);
		}
	found = bufinfo_find(fds_inode(self->buffer.fd), &info);
	if (found < 0)
		skip_clause(FENCE_04_a, "debugfs cannot be read: %s",
			    errno_text(found));
	else
		check_equal(FENCE_04_a, 2 * MANY * (PEER_USAGE_COUNT - 1),
			    info.fences);
	must(peer_detach(&attachment));
}

/*
 * Two fences in one file become two fences in the reservation, whoever may have
 * left some there before: on any pair, on any kernel.
 */
CLAUSE_TEST(containers_are_unpacked, NEEDS_NOTHING | LAST_RESORT, FENCE_04_b)
{
	struct fence first, second;
	struct bufinfo info;
	int both, found;

	must_create_fence(&first);
	must(fence_create(&second));
	both = sync_file_merge(first.sync_file, second.sync_file);
	must(both);
	must(sync_file_import(self->buffer.fd, DMA_BUF_SYNC_WRITE, both));
	found = bufinfo_find(fds_inode(self->buffer.fd), &info);
	if (found < 0)
		skip_case("debugfs cannot be read: %s", errno_text(found));
	must_be(found == 1);
	check_equal(FENCE_04_b, 2, info.fences);
	check_equal(FENCE_04_b, 0, info.containers);
	close(both);
	fence_destroy(&second);
	fence_destroy(&first);
}

/* ---- signalling ----------------------------------------------------- */

/* After all that a pair does, no fence stays behind unsignalled. */
CLAUSE_TEST(every_fence_signals,
	    NEEDS(EXPORTER_MAPS, IMPORTER_MAPS), FENCE_05_a)
{
	struct user user = {
		self->importer, self->buffer.fd, IMPORT_BOTH, false
	};

	if (self->exporter->backend.capabilities & CAP(EXPORTER_PEER) &&
	    self->exporter->backend.capabilities & CAP(EXPORTER_MOVES))
		must(peer_exporter_move(&self->buffer, PEER_PLACE_OTHER,
					PEER_MOVE_SLOW_FENCE, SHORT_COPY_MS));
	must_unless_declined(import_and_touch(&user));
	check(FENCE_05_a, ready(self->buffer.fd, POLLOUT, RETURNS_MS));
}

/* Signalled is signalled: nobody waits for it until it would have expired. */
CLAUSE_TEST(signalled_fence_holds_up_nobody,
	    NEEDS(EXPORTER_PEER, IMPORTER_PEER, IMPORTER_ATTACHES), FENCE_05_a)
{
	struct attachment attachment;
	int ours, theirs;

	must_unless_declined(peer_attach(self->importer, self->buffer.fd, NULL,
					 &attachment));
	ours = peer_exporter_fence(&self->buffer, PEER_USAGE_KERNEL, FENCE_MS);
	must(ours);
	theirs = peer_importer_fence(&attachment, PEER_USAGE_WRITE, FENCE_MS);
	must(theirs);
	must_be(!ready(self->buffer.fd, POLLIN, 0));
	must(peer_exporter_signal(&self->buffer, ours));
	must(peer_importer_signal(&attachment, theirs));
	check(FENCE_05_a, ready(self->buffer.fd, POLLIN, RETURNS_MS));
	must(peer_detach(&attachment));
}

/*
 * A static importer's map holds the reservation while it waits for the copy:
 * the copy ends without it.
 */
CLAUSE_TEST(signal_needs_no_reservation,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_STATIC,
		  IMPORTER_MAPS),
	    FENCE_05_b)
{
	struct user user = {
		self->importer, self->buffer.fd, IMPORT_BOTH, false
	};
	struct thread thread;

	needs_no_decline();
	must(peer_exporter_move(&self->buffer, PEER_PLACE_OTHER,
				PEER_MOVE_SLOW_FENCE, COPY_MS));
	must(thread_start(&thread, import_and_touch, &user));
	check_ok(FENCE_05_b, thread_join(&thread, RETURNS_MS, NULL));
	/* However long it takes: it uses what is here. */
	must(thread.done ? 0 : thread_join(&thread, ENDS_MS, NULL));
	check_ok(FENCE_05_b, thread.result);
}

/* ---- what importers add --------------------------------------------- */

/* The fences that an import leaves in the reservation while it lives. */
CLAUSE_TEST(fences_of_the_importer_are_told,
	    NEEDS(EXPORTER_PEER, IMPORTER_MAPS), FENCE_06)
{
	struct import import;
	struct bufinfo info;
	int found;
	char byte;

	must_import(IMPORT_BOTH, &import);
	importer_read(&import, 0, &byte, 1);
	found = bufinfo_find(fds_inode(self->buffer.fd), &info);
	if (found < 0)
		skip_case("debugfs cannot be read: %s", errno_text(found));
	must_be(found == 1);
	observe(FENCE_06, "%d fences, %s", info.fences,
		ready(self->buffer.fd, POLLOUT, 0) ? "none pending" :
		"some pending");
	must(importer_release(&import));
}

/* Whether reading waits for those who write. */
CLAUSE_TEST(implicit_synchronisation_is_told,
	    NEEDS(EXPORTER_PEER, IMPORTER_MOVES_BYTES), FENCE_07)
{
	enum patience patience;

	must_import_under_fence(IMPORT_READ, PEER_USAGE_WRITE, &patience);
	observe(FENCE_07, "%s implicit synchronisation", patience == WAITS ?
		"takes part in" : "ignores");
}

/* ---- the order of usages -------------------------------------------- */

/* Whom a fence holds up: poll asks as a reader does, or as a writer. */
static const struct {
	const char *name;
	enum peer_usage usage;
	bool holds_readers;
	bool holds_writers;
} usages[] = {
	{ "KERNEL", PEER_USAGE_KERNEL, true, true },
	{ "WRITE", PEER_USAGE_WRITE, true, true },
	{ "READ", PEER_USAGE_READ, false, true },
	{ "BOOKKEEP", PEER_USAGE_BOOKKEEP, false, false },
};

/* A reader waits for KERNEL and WRITE, a writer for READ as well. */
CLAUSE_TEST(usages_are_ordered, NEEDS(EXPORTER_PEER), FENCE_08_a)
{
	for (size_t i = 0; i < ARRAY_SIZE(usages); i++) {
		int fence = peer_exporter_fence(&self->buffer, usages[i].usage,
						FENCE_MS);

		must(fence);
		check_saying(FENCE_08_a, usages[i].holds_readers ==
			     !ready(self->buffer.fd, POLLIN, 0),
			     "a reader and a %s fence", usages[i].name);
		check_saying(FENCE_08_a, usages[i].holds_writers ==
			     !ready(self->buffer.fd, POLLOUT, 0),
			     "a writer and a %s fence", usages[i].name);
		must(peer_exporter_signal(&self->buffer, fence));
		check(FENCE_08_a, ready(self->buffer.fd, POLLOUT, 0));
	}
}

/* The same fence added again for less: readers wait for it as before. */
CLAUSE_TEST(fence_keeps_its_usage, NEEDS(EXPORTER_PEER), FENCE_08_b)
{
	int fence, file;

	needs_law(LAW_SYNC_FILE, YES);
	fence = peer_exporter_fence(&self->buffer, PEER_USAGE_KERNEL, FENCE_MS);
	must(fence);
	file = sync_file_export(self->buffer.fd, DMA_BUF_SYNC_READ);
	must(file);
	must(sync_file_import(self->buffer.fd, DMA_BUF_SYNC_READ, file));
	check(FENCE_08_b, !ready(self->buffer.fd, POLLIN, 0));
	must(peer_exporter_signal(&self->buffer, fence));
	check(FENCE_08_b, ready(self->buffer.fd, POLLIN, 0));
	close(file);
}

CLAUSE_TEST_MAIN("fence")
