// SPDX-License-Identifier: GPL-2.0-only
/* Another process with a registration, to be killed. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "importer/verbs.h"

/* What the child tells when it has tried. */
struct answer {
	int error;
	struct verbs_region region;
};

static void hold(const char *device, const struct verbs_request *request,
		 int answers)
{
	struct answer answer = { 0 };
	struct verbs_domain *domain;
	struct verbs *verbs;
	ssize_t written;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	answer.error = verbs_open(device, &verbs);
	if (!answer.error)
		answer.error = verbs_domain_new(verbs, &domain);
	if (!answer.error)
		answer.error = verbs_register(domain, request, &answer.region);
	answer.region.mr = NULL;
	written = write(answers, &answer, sizeof(answer));
	while (written == sizeof(answer) && !answer.error)
		pause();
	_exit(1);
}

/* Less than a pipe's capacity comes whole or not at all. */
static bool receive(int answers, struct answer *answer)
{
	ssize_t size;

	do
		size = read(answers, answer, sizeof(*answer));
	while (size < 0 && errno == EINTR);
	return size == sizeof(*answer);
}

int verbs_child_start(const char *device, const struct verbs_request *request,
		      struct verbs_child *child)
{
	struct answer answer = { 0 };
	int ends[2], error = 0;

	if (pipe(ends))
		return -errno;
	child->pid = fork();
	if (!child->pid)
		hold(device, request, ends[1]);
	error = child->pid < 0 ? -errno : 0;
	close(ends[1]);
	/* A child that dies beforehand leaves an empty pipe. */
	if (!error && !receive(ends[0], &answer))
		error = -ECHILD;
	close(ends[0]);
	if (!error)
		error = answer.error;
	child->region = answer.region;
	if (error && child->pid > 0)
		verbs_child_kill(child);
	return error;
}

int verbs_child_kill(struct verbs_child *child)
{
	int ret = 0;

	/* Such a number would mean everyone. */
	if (child->pid <= 0)
		return -ESRCH;
	if (kill(child->pid, SIGKILL))
		ret = -errno;
	while (!ret && waitpid(child->pid, NULL, 0) < 0)
		ret = errno == EINTR ? 0 : -errno;
	child->pid = -1;
	return ret;
}
