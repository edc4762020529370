/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run, as its records tell it: pairs, their jobs, the cases of a job, the
 * verdicts of a case. One verdict on one clause is a leaf; run.json, run.ktap
 * and run.tap all count leaves.
 */
#ifndef CTS_REPORT_MODEL_H
#define CTS_REPORT_MODEL_H

#include <jansson.h>
#include <stdbool.h>

#include "report/memory.h"
#include "report/verdict.h"

/* Clauses of leaves that the runner adds; no table has them. */
#define CLAUSE_RUN	"RUN"	/* something was not run, or not judged */
#define CLAUSE_KTAP	"KTAP"	/* the program's KTAP contradicts its records */

/* That of programs for what the kernel said during a case. */
#define CLAUSE_KERNEL_LOG	"KLOG"

#define CASE_OF_RUN	"(run)"	/* what belongs to no case */

struct leaf {
	const char *clause;
	enum verdict verdict;
	const char *strength;
	const char *value;
	const char *reason;
	json_t *law;		/* array; NULL in leaves of the runner */
	json_t *subject;	/* object; NULL in leaves of the runner */
	bool ours;		/* judges one of our peers: a self-test */
	const json_t *recorded;	/* the entry of run.json that it was read from */
	const char *expected;	/* what was, where this is not it; or NULL */
	const char *excuse;	/* reason on the line that expects this; or NULL */
	const char *flake;	/* rate on that line, "" for none; NULL: no flake */
};

enum ktap_result { RESULT_NONE, RESULT_OK, RESULT_NOT_OK, RESULT_SKIP };

struct test_case {
	struct job *job;
	const char *name;
	struct list declared;	/* of clause ids, const char * */
	json_t *touches;	/* of others' tests: our clause ids; or NULL */
	const char *any;	/* end that has no part in the outcome, or NULL */
	struct list leaves;	/* of struct leaf */
	struct list checks;	/* worst check of each clause, json_t * */
	bool excluded;		/* chosen not to run: no leaves */
	bool started;
	bool ended;
	bool run_over;		/* the program has ended since */
	bool cut_off;		/* and not by itself */
	bool judged;		/* complete; nothing more is taken */
	bool twice;		/* began twice without being asked to */
	enum verdict death;	/* what its open clauses become, or NONE */
	const char *death_reason;
	enum ktap_result result;	/* as the program's own KTAP has it */
	const char *result_reason;
	long long start_ns;
	long long end_ns;
};

/*
 * Who says the records of a stream: one agent in one guest, from its hello on.
 * Several may speak at the same time; their records then carry numbers.
 */
struct source {
	int number;		/* 0 where there is only one */
	struct job *current;	/* the job that runs, or NULL */
	struct test_case *current_case;
	bool ended;		/* "end" was seen: all was run */
	bool gone;		/* nothing more comes of it */
	bool stray;		/* its jobs are not those of the others */
};

enum job_state {
	JOB_WAITING,
	JOB_RUNNING,
	JOB_PAUSED,		/* ended, but not all of it was run */
	JOB_OVER,
};

struct job {
	int number;
	struct pair *pair;
	const char *program;
	const char *fault;	/* NULL: none */
	const char *origin;	/* whose test this is; NULL: it is ours */
	json_t *scheduled;	/* the schedule's own entry */
	enum job_state state;
	struct source *source;	/* who began it last, or NULL */
	struct list cases;	/* of struct test_case, in the plan's order */
	json_t *inapplicable;	/* array; NULL before the plan */
	bool planned;		/* a plan was seen */
	int tries;		/* times it died outside any case */
	const char *skip_reason;	/* from "1..0 # SKIP" */
	size_t written;		/* cases that went into the KTAP */
};

struct pair {
	const char *exporter;
	const char *importer;
	const char *name;	/* "EXPORTER,IMPORTER" */
	struct list jobs;	/* of struct job */
	size_t written;		/* jobs that went into the KTAP */
	unsigned int case_count;	/* cases in the KTAP */
	enum verdict worst;
	bool opened;
	bool all_skipped;
};

struct run {
	json_t *hello;
	json_t *environment;
	json_t *laws;		/* array of "law" records */
	json_t *backends;	/* array of "backend" records */
	json_t *guests;		/* array of "guest" records */
	struct list pairs;	/* of struct pair, in the schedule's order */
	struct list jobs;	/* of struct job, in the schedule's order */
	struct list notes;	/* of const char * */
	struct list leaks;	/* of const char *: kernel memory nobody freed */
	struct list known_leaks;	/* the same, where it is no surprise */
	struct list complaints;	/* about the stream, const char * */
	struct list sources;	/* of struct source, the last of each number */
	struct source *source;	/* of the record that is being taken */
	const char *cut_short;	/* why the stream ended early, or NULL */
	const char *error;	/* what the agent could not do, or NULL */
	int error_status;
	size_t jobs_begun;	/* since the model was last told to count */
};

void run_init(struct run *run);
void run_release(struct run *run);

/* Whether the stream ended early because the user wanted it. */
bool run_was_interrupted(const struct run *run);

/* Note something wrong with the stream itself; printed like printf(). */
void run_complain(struct run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct job *run_find_job(const struct run *run, int number);

/* Add a job of the schedule, and its pair if it is the first of it. */
struct job *run_add_job(struct run *run, json_t *scheduled);

struct test_case *job_find_case(const struct job *job, const char *name);
struct test_case *job_add_case(struct job *job, const char *name);

/* "PROGRAM.CASE", or "PROGRAM[FAULT].CASE" in a mutation run. */
const char *case_title(const struct test_case *test);

struct leaf *case_find_leaf(const struct test_case *test, const char *clause);

/* Add a leaf; one with that clause is made worse instead. */
struct leaf *case_add_leaf(struct test_case *test, const char *clause,
			   enum verdict verdict, const char *reason);

/* The backend record of one end of a pair, NULL if there is none. */
json_t *run_find_backend(const struct run *run, const char *role,
			 const char *selector);

/* Whether a back end is one of the suite's own peers. */
bool run_is_ours(const struct run *run, const char *role, const char *selector);

/* For each leaf of a run that was judged. */
typedef void (*leaf_visitor)(struct leaf *leaf, struct test_case *test,
			     void *context);
void run_visit_leaves(const struct run *run, leaf_visitor visit, void *context);

#endif
