// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-agent: runs the conformance programs beside the kernel under test, in
 * the guest or on the machine at hand, and writes what happens as one stream.
 * It links nothing of what it runs: it must survive whatever a test does.
 */
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agent/emit.h"
#include "agent/group.h"
#include "agent/job.h"
#include "agent/kmsg.h"
#include "agent/leaks.h"
#include "agent/list.h"
#include "agent/monitor.h"
#include "agent/nic.h"
#include "agent/options.h"
#include "agent/plans.h"
#include "agent/probe.h"
#include "agent/process.h"
#include "agent/programs.h"
#include "agent/schedule.h"
#include "agent/stop.h"
#include "stream/text.h"
#include "stream/version.h"

static void emit_hello(const struct options *options)
{
	emit(json_pack("{s:s s:i s:s s:s}", "type", "hello",
		       "schema", STREAM_SCHEMA, "suite", SUITE_VERSION,
		       "mode", options->in_guest ? "vm" : "native"));
}

/* What this run will lack, said before it is missed. */
static void note_limits(int kmsg_error, bool has_cgroup)
{
	if (geteuid())
		emit_note("not root: no peers, no debugfs, no devices that only "
			  "root may open; what can be judged without is run");
	if (kmsg_error)
		emit_note("the kernel's log cannot be read (%s): kernel "
			  "warnings are not noticed by the runner",
			  strerror(kmsg_error));
	if (!has_cgroup)
		emit_note("no cgroup can be made here: programs are ended by "
			  "session");
}

/* It says nothing more after its first report, which may be of one case of many. */
static void note_lockdep(void)
{
	FILE *stats = fopen("/proc/lockdep_stats", "re");
	char line[128];
	int on;

	if (!stats)
		return;
	while (fgets(line, sizeof(line), stats))
		if (sscanf(line, " debug_locks: %d", &on) == 1 && !on)
			emit_note("lockdep ended with its first report: later "
				  "cases of that guest ran without it");
	fclose(stats);
}

static void note_devices(const char *role, const json_t *backends,
			 const json_t *jobs)
{
	json_t *backend, *job;
	size_t i, j;

	json_array_foreach(backends, i, backend) {
		const char *selector = text_member(backend, "selector", "");
		const char *device = text_member(backend, "device", "");

		json_array_foreach(jobs, j, job)
			if (!strcmp(text_member(job, role, ""), selector))
				break;
		if (j < json_array_size(jobs))
			emit_note("will use %s %s%s%s%s", role, selector,
				  *device ? " (" : "", device,
				  *device ? ")" : "");
	}
}

static const char *job_name(const json_t *job)
{
	static char name[256];

	snprintf(name, sizeof(name), "%s on %s,%s",
		 text_member(job, "program", "?"),
		 text_member(job, "exporter", "?"),
		 text_member(job, "importer", "?"));
	return name;
}

static int cut_short(const json_t *job)
{
	static const char *const why[] = {
		[STOP_SIGNAL] = "signal",
		[STOP_READER] = "reader",
		[STOP_KERNEL] = "oops",
		[STOP_NIC] = "nic",
	};
	enum stop_reason reason = stop_reason();

	emit(json_pack("{s:s s:s s:O s:s}", "type", "interrupted",
		       "why", why[reason], "job", json_object_get(job, "job"),
		       "text", stop_text()));
	return reason == STOP_KERNEL || reason == STOP_NIC ?
	       EXIT_DIRTY : EXIT_NOT_JUDGED;
}

/* To start a program takes as long as so many cases, or less. */
#define SIZE_OF_START	1

/* One of a pair as it is, and not of one with a fault, or of tests of others. */
static bool is_plain(const json_t *job)
{
	return !text_member(job, "fault", NULL) &&
	       !text_member(job, "origin", NULL);
}

/* What is learned for the one job holds for the other as well. */
static bool is_same_pair(const json_t *a, const json_t *b)
{
	return a && b && is_plain(a) && is_plain(b) &&
	       !strcmp(text_member(a, "exporter", ""),
		       text_member(b, "exporter", "")) &&
	       !strcmp(text_member(a, "importer", ""),
		       text_member(b, "importer", ""));
}

/* Who shares a schedule, and how much of it each has so far. */
struct owners {
	json_int_t loads[SHARES_MAX];
	size_t last;		/* the one who had the last job */
};

static size_t least_loaded(const struct owners *owners,
			   const struct share *share)
{
	size_t least = 0;

	for (size_t i = 1; i < share->count; i++)
		if (owners->loads[i] < owners->loads[least])
			least = i;
	return least;
}

/*
 * Whose the @next job is: of who had the @last one, if that is of the same pair,
 * of which a program's process knows already what it takes long to learn, else
 * of who has least. The schedule is that of all who share it: it numbers the
 * jobs, and the report keeps its order.
 */
static size_t next_owner(struct owners *owners, const struct share *share,
			 const json_t *last, const json_t *next)
{
	if (!is_same_pair(last, next))
		owners->last = least_loaded(owners, share);
	owners->loads[owners->last] +=
		SIZE_OF_START +
		json_integer_value(json_object_get(next, "size"));
	return owners->last;
}

static int run_jobs(const json_t *jobs, const struct options *options,
		    const struct probe *probe)
{
	struct owners owners = { 0 };
	json_t *job, *last = NULL;
	size_t i;

	json_array_foreach(jobs, i, job) {
		size_t owner = next_owner(&owners, &options->share, last, job);
		json_t *next = json_array_get(jobs, i + 1);

		last = job;
		if (owner != options->share.number)
			continue;
		switch (job_run(job, options, probe, !is_same_pair(job, next))) {
		case JOB_DONE:
			break;
		case JOB_STOPPED:
			return cut_short(job);
		case JOB_STUCK:
			emit_note("%s: stuck, nothing more can be run on this "
				  "kernel", job_name(job));
			return EXIT_DIRTY;
		}
	}
	/* Of the programs' own process, too, once it has ended. */
	process_finish();
	leaks_tell();
	note_lockdep();
	emit(json_pack("{s:s}", "type", "end"));
	return 0;
}

static int make_schedule(json_t **jobs, const struct options *options,
			 const struct probe *probe)
{
	if (options->schedule)
		return schedule_load(jobs, options->schedule);
	return schedule_make(jobs, options, probe);
}

static int find_nics(const struct options *options)
{
	const char *why = nic_open(options->nics, options->devices);

	if (!why)
		return 0;
	emit_error(EXIT_NOT_JUDGED, "%s", why);
	return EXIT_NOT_JUDGED;
}

static int run(const struct options *options, struct probe *probe)
{
	json_t *jobs = NULL;
	int kmsg_error, status;

	emit_hello(options);
	kmsg_error = kmsg_open(options->kmsg);
	note_limits(kmsg_error, group_begin());
	status = find_nics(options);
	if (!status)
		status = probe_run(probe, options);
	if (!status)
		status = monitor_find(options);
	if (!status)
		status = make_schedule(&jobs, options, probe);
	if (!status) {
		if (!options->in_guest) {
			note_devices("exporter", probe->exporters, jobs);
			note_devices("importer", probe->importers, jobs);
		}
		emit(json_pack("{s:s s:O}", "type", "schedule", "jobs", jobs));
		/* The log of a machine that is not ours is its owner's to clear. */
		if (options->in_guest)
			leaks_begin(options->kmemleak);
		status = run_jobs(jobs, options, probe);
	}
	kmsg_drain(0);
	kmsg_close();
	nic_close();
	json_decref(jobs);
	return status;
}

static int list(const struct options *options, struct probe *probe)
{
	int status;

	probe->quiet = true;
	emit_to_people();
	status = probe_run(probe, options);
	if (!status)
		list_print(probe);
	return status;
}

static int show_plans(const struct options *options)
{
	json_t *programs = NULL, *plans;
	int status;

	emit_to_people();
	status = programs_find(&programs, NULL, options);
	if (!status) {
		plans = plans_find(programs, options, "");
		json_dumpf(plans, stdout, JSON_INDENT(1));
		putchar('\n');
		json_decref(plans);
	}
	json_decref(programs);
	return status;
}

static int act(const struct options *options, struct probe *probe)
{
	if (options->plans)
		return show_plans(options);
	return options->list ? list(options, probe) : run(options, probe);
}

int main(int argc, char **argv)
{
	struct options options;
	struct probe probe = { 0 };
	int status = options_parse(&options, argc, argv);

	if (status >= 0)
		return status;
	/* What a program leaves behind becomes this process's to reap. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	stop_begin(!options.in_guest && !options.allow_disruptive);
	status = act(&options, &probe);
	emit_flush();
	process_finish();
	group_end();
	probe_release(&probe);
	options_release(&options);
	return emit_reader_left() ? EXIT_NOT_JUDGED : status;
}
