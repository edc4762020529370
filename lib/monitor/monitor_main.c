// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-monitor: follows every dma-buf of the running kernel, whichever drivers
 * share it, and judges the clauses that show in calls of the dma-buf core.
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clause/btf_file.h"
#include "clause/law.h"
#include "monitor/live.h"
#include "monitor/report.h"

#define EXIT_USAGE	2
#define NOT_JUDGED	125
#define BOUND_DEFAULT_S	10
/* That a command has to end in when --seconds are over. */
#define GRACE_NS	(10 * 1000000000ULL)

static const char usage[] =
"usage: cts-monitor [OPTION]... [-- COMMAND [ARGUMENT]...]\n"
"Follows every dma-buf of this kernel until COMMAND ends, or Ctrl-C, and prints\n"
"which clauses were kept and broken, as KTAP.\n"
"  --pid P        only what process P exports and attaches, until it ends\n"
"  --seconds N    end after N seconds\n"
"  --bound N      seconds that a mapping may outlive a notice (default 10)\n"
"  --btf FILE     the kernel's types, where it does not describe them itself\n"
"  --room N       attachments to follow at a time (default 16384)\n"
"  --live         print each call as it comes\n"
"  --output FILE  write the KTAP there instead of to standard output\n"
"  --case NAME    COMMAND is the conformance program NAME: add a case to its own,\n"
"                 and end with its status\n"
"  --name CASE    what that case is called (default monitored)\n"
"  --try          only see whether it works here\n"
"  --help         print this\n";

struct request {
	struct watch_settings settings;
	long seconds;
	long room;
	bool live;
	bool try;
	const char *output;
	const char *btf;
	const char *program;	/* that --case names */
	const char *name;	/* of the case that is added */
	char **command;
};

struct session {
	struct request request;
	struct report report;
	struct probes *probes;
	pid_t child;
	FILE *out;	/* for the KTAP */
	int status;	/* of the command, as a shell tells it */
	int signals;
	int process;	/* that --pid names; -1: none */
	__u64 deadline_ns;	/* 0: none */
	bool asked;	/* the command, to end */
};

static int complain(const char *what, const char *why)
{
	fprintf(stderr, "cts-monitor: %s%s%s\n", what, why ? ": " : "",
		why ?: "");
	return NOT_JUDGED;
}

static int usage_error(const char *what, const char *argument)
{
	fprintf(stderr, "cts-monitor: %s: %s\n%s", what, argument, usage);
	return EXIT_USAGE;
}

static bool parse_number(const char *text, long least, long *number)
{
	char *end;

	*number = strtol(text, &end, 10);
	return end != text && !*end && *number >= least && *number < 1 << 30;
}

/* Returns -1 to go on, else the exit status. */
static int apply_option(struct request *request, int option)
{
	long number;

	switch (option) {
	case 'p':
		if (!parse_number(optarg, 1, &number))
			return usage_error("--pid wants a process id", optarg);
		request->settings.only_tgid = number;
		return -1;
	case 's':
		if (!parse_number(optarg, 1, &request->seconds))
			return usage_error("--seconds wants a number", optarg);
		return -1;
	case 'b':
		if (!parse_number(optarg, 1, &number))
			return usage_error("--bound wants seconds", optarg);
		request->settings.bound_ns = number * 1000000000ULL;
		return -1;
	case 'r':
		if (!parse_number(optarg, 1, &request->room) ||
		    request->room > PROBES_ROOM_MAX)
			return usage_error("--room wants a number", optarg);
		return -1;
	case 'l':
		request->live = true;
		request->settings.live = true;
		return -1;
	case 'o':
		request->output = optarg;
		return -1;
	case 'f':
		request->btf = optarg;
		/* The law is read from it as well. */
		setenv(BTF_FILE_VARIABLE, optarg, 1);
		return -1;
	case 't':
		request->try = true;
		return -1;
	case 'c':
		request->program = optarg;
		request->settings.only_below = true;
		return -1;
	case 'n':
		request->name = optarg;
		return -1;
	case 'h':
		fputs(usage, stdout);
		return EXIT_SUCCESS;
	default:
		fputs(usage, stderr);
		return EXIT_USAGE;
	}
}

static int parse_arguments(int argc, char **argv, struct request *request)
{
	static const struct option options[] = {
		{ "pid", required_argument, NULL, 'p' },
		{ "seconds", required_argument, NULL, 's' },
		{ "bound", required_argument, NULL, 'b' },
		{ "room", required_argument, NULL, 'r' },
		{ "live", no_argument, NULL, 'l' },
		{ "output", required_argument, NULL, 'o' },
		{ "btf", required_argument, NULL, 'f' },
		{ "case", required_argument, NULL, 'c' },
		{ "name", required_argument, NULL, 'n' },
		{ "try", no_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int option, status;

	request->name = "monitored";
	request->settings.bound_ns = BOUND_DEFAULT_S * 1000000000ULL;
	request->room = PROBES_ROOM;
	/* What follows COMMAND is its own. */
	while ((option = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		status = apply_option(request, option);
		if (status >= 0)
			return status;
	}
	if (argv[optind])
		request->command = argv + optind;
	if (request->command && request->settings.only_tgid)
		return usage_error("--pid makes no sense with a command",
				   argv[optind]);
	if (request->program && !request->command)
		return usage_error("--case wants a command", request->program);
	return -1;
}

static __u64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static void apply_law(struct watch_law *law)
{
	law->map_lock_always = law_is(LAW_MAP_LOCK_ALWAYS);
	law->vmap_locked = law_is(LAW_VMAP_LOCKED);
	law->map_pins = !law_is(LAW_MOVES_WHILE_MAPPED);
	law->pinned_notice = law_value(LAW_PINNED_NOTIFY_REVOKES) != NO;
}

static void take_event(void *context, const struct watch_event *event)
{
	struct session *session = context;

	findings_add(&session->report.findings, event);
	if (!session->request.live)
		return;
	live_event(session->probes, event, stdout);
	fflush(stdout);
}

static int watch_signals(sigset_t *before)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGCHLD);
	sigprocmask(SIG_BLOCK, &signals, before);
	return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int start_command(struct session *session, const sigset_t *before)
{
	/* What it leaves behind is still known to be of it. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	session->child = fork();
	if (session->child < 0)
		return complain("cannot start the command", strerror(errno));
	if (session->child)
		return 0;
	sigprocmask(SIG_SETMASK, before, NULL);
	execvp(session->request.command[0], session->request.command);
	fprintf(stderr, "cts-monitor: cannot run %s: %s\n",
		session->request.command[0], strerror(errno));
	_exit(127);
}

/* How the command ended is said where it matters. */
static bool reap(struct session *session)
{
	pid_t child;
	int status;

	do {
		child = waitpid(-1, &status, WNOHANG);
	} while (child > 0 && child != session->child);
	if (child <= 0)
		return false;
	session->child = 0;
	session->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
			  WEXITSTATUS(status);
	if (session->status && !session->request.program)
		fprintf(stderr, "cts-monitor: the command ended with status "
			"%d\n", session->status);
	return true;
}

/* With a command that is still there it is asked to end, and waited for. */
static bool take_signal(struct session *session)
{
	struct signalfd_siginfo info;
	bool over = false;

	while (read(session->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			over |= reap(session);
		else if (session->child)
			kill(session->child, SIGTERM);
		else
			over = true;
	}
	return over;
}

/*
 * At the deadline a command is asked to end, and made to some time later; it is
 * over when it has been waited for.
 */
static bool take_deadline(struct session *session)
{
	if (!session->deadline_ns || now_ns() < session->deadline_ns)
		return false;
	if (!session->child)
		return true;
	kill(session->child, session->asked ? SIGKILL : SIGTERM);
	session->asked = true;
	session->deadline_ns = now_ns() + GRACE_NS;
	return false;
}

static void follow(struct session *session)
{
	struct pollfd fds[] = {
		{ .fd = probes_fd(session->probes), .events = POLLIN },
		{ .fd = session->signals, .events = POLLIN },
		{ .fd = session->process, .events = POLLIN },
	};
	bool over = false;

	while (!over) {
		poll(fds, 3, 200);
		probes_poll(session->probes);
		if (fds[1].revents)
			over = take_signal(session);
		if (fds[2].revents)
			over = true;
		over |= take_deadline(session);
	}
}

static void gather(struct session *session)
{
	struct report *report = &session->report;

	probes_poll(session->probes);
	report->name = session->request.name;
	report->left.now_ns = now_ns();
	report->left.bound_ns = session->request.settings.bound_ns;
	probes_attachments(session->probes, left_add, &report->left);
	probes_count(session->probes, report->counts);
	probes_loss(session->probes, &report->loss);
	report_prepare(report);
}

static int conclude(struct session *session)
{
	const struct request *request = &session->request;
	struct report *report = &session->report;
	FILE *out = session->out;

	gather(session);
	if (request->program) {
		report_case(report, request->program, stdout);
		return fflush(stdout) ? NOT_JUDGED : session->status;
	}
	report_ktap(report, session->probes, out);
	if (fflush(out))
		return complain("cannot write the results", strerror(errno));
	report_records(report);
	return report_status(report);
}

/* Before anything is followed, which would be lost with the results. */
static int open_output(struct session *session)
{
	const char *path = session->request.output;

	session->out = path ? fopen(path, "we") : stdout;
	if (session->out)
		return 0;
	fprintf(stderr, "cts-monitor: cannot write to --output %s: %s\n", path,
		strerror(errno));
	return NOT_JUDGED;
}

static int find_process(struct session *session)
{
	session->process = -1;
	if (!session->request.settings.only_tgid)
		return 0;
	session->process = syscall(SYS_pidfd_open,
				   session->request.settings.only_tgid, 0);
	if (session->process < 0)
		return complain("cannot follow that process", strerror(errno));
	return 0;
}

static void raise_again(int number)
{
	sigset_t set;

	signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
}

static int run(struct session *session)
{
	struct request *request = &session->request;
	char problem[1200];
	sigset_t before;
	int status;

	status = find_process(session) ?: open_output(session);
	if (status)
		return status;
	apply_law(&request->settings.law);
	/* Some probes outlive a process that is ended while it sets them. */
	session->signals = watch_signals(&before);
	session->probes = probes_open(&request->settings, request->btf,
				      request->room, take_event, session,
				      problem, sizeof(problem));
	if (!session->probes)
		return complain(problem, geteuid() ? "it takes root" : NULL);
	if (request->try) {
		probes_close(session->probes);
		return EXIT_SUCCESS;
	}
	if (request->seconds)
		session->deadline_ns = now_ns() +
				       request->seconds * 1000000000ULL;
	if (request->command)
		status = start_command(session, &before);
	if (!status) {
		follow(session);
		status = conclude(session);
	}
	probes_close(session->probes);
	return status;
}

int main(int argc, char **argv)
{
	static struct session session;
	int status = parse_arguments(argc, argv, &session.request);

	if (status >= 0)
		return status;
	status = run(&session);
	/* Whoever waits for the program is to see how it ended. */
	if (session.request.program && session.status > 128)
		raise_again(session.status - 128);
	return status;
}
