// SPDX-License-Identifier: GPL-2.0-only
/*
 * Races, for a while: imports against moves, revokes and notices, transfers
 * against moves, the end of buffers against imports, the death of processes in
 * any state. Whatever came of each step, at the end counters are back to
 * balance and bytes are where they should be. Run only when it is asked for.
 * Clauses: INV-02.b, INV-08, LIFE-02, LIFE-04.a, LIFE-07, MAP-03, NIC-06,
 * PIN-03.a, RDX-06, REV-07.b.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exporter/uverbs_area.h"
#include "oracle/bufinfo.h"
#include "oracle/fds.h"
#include "pair/clause_test.h"
#include "pair/notice.h"
#include "pair/stress.h"
#include "peer/life.h"

#define SEED		0x57e55
#define PAUSE_US	500
#define LIFE_US		20000	/* of a process, at most */
#define PAGE		4096
#define OWN_PAGES	4	/* that a worker has to itself */
#define TRIES		1000
#define GONE_MS		10000

struct scene {
	struct pair *pair;
	struct buffer *buffer;
	struct import *import;	/* that all use, if any */
	bool told;		/* importers are told of more than moves */
	atomic_ulong imports;	/* that succeeded */
	atomic_ulong moves;
};

/*
 * A revoked buffer is not there. One that pins, and is told before that is done,
 * takes it for revoked: see import_beside_notices().
 */
static bool is_answer(const struct scene *scene, int error)
{
	const capability_set revoked = NEEDS(IMPORTER_PINNED, IMPORTER_NOTIFIED);
	capability_set has = scene->pair->importer.backend.capabilities;

	if (error == -ENODEV)
		return scene->told;
	return error == -EINVAL && (scene->told || (has & revoked) == revoked);
}

static int import_and_release(struct worker *worker)
{
	struct scene *scene = worker->shared;
	unsigned int access = 1 + stress_random(worker, IMPORT_BOTH);
	struct import import;
	int error;

	if (stress_random(worker, 2))
		access |= IMPORT_PIN;
	error = importer_import(&scene->pair->importer, scene->buffer->fd, 0, 0,
				access, &import);
	if (is_answer(scene, error))
		return 0;
	if (error)
		return error;
	scene->imports++;
	if (stress_random(worker, 2))
		stress_pause(worker, PAUSE_US);
	return importer_release(&import);
}

/* What is pinned stays where it is. */
static int move(struct worker *worker)
{
	struct scene *scene = worker->shared;
	enum placement place = stress_random(worker, 2) ? PLACE_SYSTEM :
							  PLACE_OTHER;
	int error = exporter_move(scene->buffer, place);

	stress_pause(worker, PAUSE_US);
	if (!error)
		scene->moves++;
	return error == -EBUSY ? 0 : error;
}

static int revoke_and_restore(struct worker *worker)
{
	struct scene *scene = worker->shared;
	int error = exporter_revoke(scene->buffer);

	stress_pause(worker, PAUSE_US);
	if (!error)
		error = exporter_restore(scene->buffer);
	stress_pause(worker, PAUSE_US);
	return error;
}

static int notify(struct worker *worker)
{
	struct scene *scene = worker->shared;

	stress_pause(worker, PAUSE_US);
	return peer_exporter_notify(scene->buffer,
				    1 + stress_random(worker, 3));
}

/* How the storm ended, before all has come to rest. */
#define check_storm(clause, ...) \
	do { \
		struct worker workers_[] = { __VA_ARGS__ }; \
\
		check_ok(clause, stress_run(workers_, ARRAY_SIZE(workers_))); \
	} while (0)

static int calls_apart(struct buffer *buffer, enum peer_call call,
		       enum peer_call undo)
{
	struct peer_exporter_stat saw = exporter_saw(buffer);

	return saw.calls[call] - saw.failures[call] - saw.calls[undo];
}

#define check_balance() \
	do { \
		check_equal(LIFE_04_a, 0, left_behind(&self->buffer)); \
		check_equal(MAP_03_a, 0, calls_apart(&self->buffer, \
				PEER_CALL_MAP, PEER_CALL_UNMAP)); \
		check_equal(MAP_03_b, 0, \
			    exporter_saw(&self->buffer).tables_changed); \
		if (self->importer->backend.capabilities & \
		    CAP(IMPORTER_DYNAMIC)) \
			check_equal(PIN_03_a, 0, calls_apart(&self->buffer, \
					PEER_CALL_PIN, PEER_CALL_UNPIN)); \
		else \
			skip_clause(PIN_03_a, "it cannot pin"); \
	} while (0)

/* The importer still works, on the right bytes if it can tell. */
static int works(struct importer *importer, struct buffer *buffer)
{
	capability_set has = importer->backend.capabilities;
	struct import import;
	int error, released;

	error = importer_import(importer, buffer->fd, 0, 0, IMPORT_BOTH,
				&import);
	if (error)
		return error;
	if (has & CAP(IMPORTER_MOVES_BYTES))
		error = pattern_receive(SEED, &import);
	released = importer_release(&import);
	return error ?: released;
}

#define WORKER(step_)	{ .step = step_, .shared = &scene }
#define SCENE(import_, told_) \
	struct scene scene = { \
		&self->pair, &self->buffer, import_, .told = told_ \
	}

CLAUSE_TEST_TIMEOUT(imports_beside_moves, STRESS_TIMEOUT_S,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_MAPS) | EACH_PAIR,
	    LIFE_04_a, MAP_03_a, MAP_03_b, PIN_03_a, INV_08)
{
	SCENE(NULL, false);

	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(works(self->importer, &self->buffer));
	check_storm(LIFE_04_a, WORKER(import_and_release),
		    WORKER(import_and_release), WORKER(move));
	must_be(scene.imports > 0 && scene.moves > 0);
	check_balance();
	check_ok(INV_08, works(self->importer, &self->buffer));
}

CLAUSE_TEST_TIMEOUT(imports_beside_revokes, STRESS_TIMEOUT_S,
	    NEEDS(EXPORTER_PEER, EXPORTER_REVOKES, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS) | EACH_PAIR,
	    LIFE_04_a, MAP_03_a, MAP_03_b, PIN_03_a, REV_07_b)
{
	SCENE(NULL, true);

	needs_heed();
	must_unless_declined(pattern_write(SEED, &self->buffer));
	check_storm(REV_07_b, WORKER(import_and_release),
		    WORKER(import_and_release),
		    WORKER(revoke_and_restore));
	must_be(scene.imports > 0);
	check_balance();
	check_ok(REV_07_b, pattern_write(SEED, &self->buffer));
	check_ok(REV_07_b, works(self->importer, &self->buffer));
}

CLAUSE_TEST_TIMEOUT(deregistrations_beside_notices, STRESS_TIMEOUT_S,
	    NEEDS(EXPORTER_PEER, IMPORTER_NOTIFIED, IMPORTER_UMEM) | EACH_PAIR,
	    NIC_06_a, NIC_06_b)
{
	SCENE(NULL, true);

	needs_heed();
	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(works(self->importer, &self->buffer));
	check_storm(NIC_06_a, WORKER(import_and_release),
		    WORKER(import_and_release), WORKER(notify));
	must_be(scene.imports > 0);
	check_equal(NIC_06_b, 0, left_behind(&self->buffer));
	check_equal(NIC_06_b, 0, calls_apart(&self->buffer, PEER_CALL_MAP,
					     PEER_CALL_UNMAP));
	check_equal(NIC_06_b, 0, calls_apart(&self->buffer, PEER_CALL_PIN,
					     PEER_CALL_UNPIN));
}

/* A notice between may suspend what is used: it is mapped anew and done again. */
static int insist(struct worker *worker, bool write, size_t offset, void *data)
{
	struct scene *scene = worker->shared;
	int error = -EAGAIN;

	for (int i = 0; i < TRIES && error == -EAGAIN; i++)
		error = write ?
			importer_write(scene->import, offset, data, PAGE) :
			importer_read(scene->import, offset, data, PAGE);
	return error;
}

/* What is written is read back, and by the exporter at the end. */
static uint32_t seed_of(const struct worker *worker, unsigned int page,
			unsigned long round)
{
	return SEED + worker->number * OWN_PAGES + page + (round << 8);
}

static int write_and_read(struct worker *worker)
{
	unsigned int page = worker->rounds % OWN_PAGES;
	size_t offset = (worker->number * OWN_PAGES + page) * PAGE;
	uint32_t seed = seed_of(worker, page, worker->rounds);
	uint8_t data[PAGE];
	int error;

	pattern_fill(seed, offset, data, PAGE);
	error = insist(worker, true, offset, data);
	if (error)
		return error;
	stress_pause(worker, PAUSE_US);
	memset(data, 0, PAGE);
	error = insist(worker, false, offset, data);
	if (error)
		return error;
	return pattern_mismatch(seed, offset, data, PAGE) < 0 ? 0 : -EILSEQ;
}

/* Whether each page has what its worker wrote last. */
static int pages_hold(struct buffer *buffer, const struct worker *worker)
{
	unsigned long first = worker->rounds > OWN_PAGES ?
			      worker->rounds - OWN_PAGES : 0;
	uint8_t data[PAGE];
	int error = 0;

	for (unsigned long round = first; !error && round < worker->rounds;
	     round++) {
		unsigned int page = round % OWN_PAGES;
		size_t offset = (worker->number * OWN_PAGES + page) * PAGE;

		error = exporter_read(buffer, offset, data, PAGE);
		if (!error && pattern_mismatch(seed_of(worker, page, round),
					       offset, data, PAGE) >= 0)
			error = -EILSEQ;
	}
	return error;
}

CLAUSE_TEST_TIMEOUT(transfers_beside_moves, STRESS_TIMEOUT_S,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_NOTIFIED,
		  IMPORTER_MAPS, IMPORTER_MOVES_BYTES) | EACH_PAIR,
	    INV_02_b)
{
	struct import import;
	SCENE(&import, false);
	struct worker workers[] = {
		WORKER(write_and_read), WORKER(write_and_read), WORKER(move),
	};

	needs_moves_while_imported();
	must_import(IMPORT_BOTH, &import);
	check_ok(INV_02_b, stress_run(workers, ARRAY_SIZE(workers)));
	must_be(workers[0].rounds && workers[1].rounds && scene.moves > 0);
	must(importer_release(&import));
	for (int i = 0; i < 2; i++)
		check_ok(INV_02_b, pages_hold(&self->buffer, &workers[i]));
}

/* A buffer whose last descriptor goes while it is imported, or thereafter. */
static int export_import_close(struct worker *worker)
{
	const struct buffer_spec spec = { .size = PAIR_BUFFER_SIZE };
	struct scene *scene = worker->shared;
	bool outlives = stress_random(worker, 2);
	struct import import;
	struct buffer buffer;
	bool good = true;
	ino_t inode;
	int error;

	error = exporter_alloc(&scene->pair->exporter, &spec, &buffer);
	if (error)
		return error;
	inode = fds_inode(buffer.fd);
	error = importer_import(&scene->pair->importer, buffer.fd, 0, 0,
				IMPORT_BOTH, &import);
	if (outlives)
		exporter_release(&buffer);
	stress_pause(worker, PAUSE_US);
	if (!error) {
		good = bufinfo_has(inode);
		error = importer_release(&import);
	}
	if (!outlives)
		exporter_release(&buffer);
	if (error)
		return error;
	return good && comes_true(GONE_MS, !bufinfo_has(inode)) ? 0 : -ESTALE;
}

CLAUSE_TEST_TIMEOUT(exports_beside_closes, STRESS_TIMEOUT_S,
	    NEEDS(EXPORTER_MAPS, IMPORTER_ATTACHES) | EACH_PAIR,
	    LIFE_02)
{
	SCENE(NULL, false);
	struct bufinfo info;
	struct import import;
	int listed = bufinfo_find(fds_inode(self->buffer.fd), &info);

	if (listed < 0)
		skip_case("cannot read bufinfo: %s", errno_text(listed));
	must_import(IMPORT_BOTH, &import);
	must(importer_release(&import));
	check_storm(LIFE_02, WORKER(export_import_close),
		    WORKER(export_import_close),
		    WORKER(export_import_close));
}

/*
 * In a child, with files of its own, until it is killed. After the first import
 * it writes a byte; what it cannot do ends it.
 */
static void import_for_ever(struct scene *scene, int ready)
{
	const struct importer *parents = &scene->pair->importer;
	struct importer importer;
	struct import import;
	bool said = false;
	char byte;

	if (importer_open(parents->backend.selector, &importer))
		_exit(1);
	for (;;) {
		int error = importer_import(&importer, scene->buffer->fd, 0, 0,
					    IMPORT_BOTH | IMPORT_PIN, &import);

		if (is_answer(scene, error))
			continue;
		if (error || (!said && write(ready, "", 1) != 1))
			_exit(1);
		said = true;
		importer_read(&import, 0, &byte, 1);
		importer_release(&import);
	}
}

static pid_t start_importing(struct scene *scene, int *ready)
{
	int ends[2], error;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	child = fork();
	error = -errno;
	if (!child) {
		close(ends[0]);
		import_for_ever(scene, ends[1]);
	}
	close(ends[1]);
	*ready = ends[0];
	if (child > 0)
		return child;
	close(ends[0]);
	return error;
}

/* One that ended by itself has failed: it died in no state of an import. */
static int kill_a_process(struct worker *worker)
{
	struct scene *scene = worker->shared;
	int ready = -1, status = 0;
	pid_t child = start_importing(scene, &ready);
	char byte;
	bool imported;

	if (child < 0)
		return child;
	imported = read(ready, &byte, 1) == 1;
	close(ready);
	stress_pause(worker, LIFE_US);
	if (kill(child, SIGKILL) || waitpid(child, &status, 0) != child)
		return -errno;
	if (!imported || !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		return -ECHILD;
	scene->imports++;
	return left_behind(scene->buffer) ? -ESTALE : 0;
}

CLAUSE_TEST_TIMEOUT(processes_die_in_every_state, STRESS_TIMEOUT_S,
	    NEEDS(EXPORTER_PEER, EXPORTER_MOVES, IMPORTER_ATTACHES) | EACH_PAIR,
	    LIFE_07)
{
	SCENE(NULL, false);

	must(pattern_write(SEED, &self->buffer));
	must_unless_declined(works(self->importer, &self->buffer));
	check_storm(LIFE_07, WORKER(kill_a_process), WORKER(move));
	must_be(scene.imports > 0 && scene.moves > 0);
	check_equal(LIFE_07, 0, left_behind(&self->buffer));
	check_ok(LIFE_07, works(self->importer, &self->buffer));
}

/* ---- memory of RDMA devices ------------------------------------------ */

#define AREA_PAGES	4	/* at most */
#define AREA_PLACES	16	/* offsets that are tried */
#define AREAS_COUNTED	4096		/* pages, more than the suite's device has */

/* Exported, imported if that succeeds, and let go of in any order. */
static int use_an_area(const struct uverbs *uverbs, struct uverbs_area *area,
		       struct worker *worker)
{
	struct scene *scene = worker->shared;
	int fd = uverbs_export(uverbs, area->offset), error;
	struct import import;

	if (fd < 0)
		return fd;
	error = importer_import(&scene->pair->importer, fd, 0, 0, IMPORT_BOTH,
				&import);
	if (error) {
		close(fd);
		return error;
	}
	scene->imports++;
	if (stress_random(worker, 2))
		error = uverbs_area_end(uverbs, area);
	if (stress_random(worker, 2)) {
		close(fd);
		fd = -1;
	}
	error = importer_release(&import) ?: error;
	if (fd >= 0)
		close(fd);
	return error;
}

static int areas_come_and_go(struct worker *worker)
{
	struct scene *scene = worker->shared;
	const struct uverbs *uverbs = uverbs_of(&scene->pair->exporter);
	struct uverbs_area area;
	int error = uverbs_area_new(uverbs, PAGE * (1 + stress_random(worker, AREA_PAGES)),
				    &area);

	if (error)
		return error;
	error = use_an_area(uverbs, &area, worker);
	uverbs_area_drop(uverbs, &area);
	return error;
}

/* Whoever's memory it is, and whether it is there at all. */
static int export_anything(struct worker *worker)
{
	struct scene *scene = worker->shared;
	int fd = uverbs_export(uverbs_of(&scene->pair->exporter),
			       PAGE * stress_random(worker, AREA_PLACES));

	stress_pause(worker, PAUSE_US);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -EINVAL || fd == -EIO ? 0 : fd;
}

/* By taking them all, and giving them back. */
static int free_pages(const struct uverbs *uverbs)
{
	static struct uverbs_area areas[AREAS_COUNTED];
	int count = 0, error = 0;

	while (count < AREAS_COUNTED && !error) {
		error = uverbs_area_new(uverbs, PAGE, &areas[count]);
		count += !error;
	}
	for (int i = 0; i < count; i++)
		uverbs_area_drop(uverbs, &areas[i]);
	return error && error != -ENOSPC ? error : count;
}

CLAUSE_TEST_TIMEOUT(areas_end_beside_exports, STRESS_TIMEOUT_S,
	    NEEDS(EXPORTER_UVERBS, EXPORTER_MAPS, IMPORTER_MAPS,
		  IMPORTER_NOTIFIED, IMPORTER_P2P) | EACH_PAIR,
	    RDX_06)
{
	const struct uverbs *uverbs = uverbs_of(self->exporter);
	int before;
	SCENE(NULL, true);

	needs_no_decline();
	must(before = free_pages(uverbs));
	check_storm(RDX_06, WORKER(areas_come_and_go),
		    WORKER(areas_come_and_go), WORKER(export_anything));
	must_be(scene.imports > 0);
	check_equal(RDX_06, before, free_pages(uverbs));
}

CLAUSE_TEST_MAIN("stress")
