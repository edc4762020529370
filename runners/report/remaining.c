// SPDX-License-Identifier: GPL-2.0-only
#include "report/remaining.h"

#include <stdlib.h>
#include <string.h>

#include "report/outfile.h"

size_t remaining_count(const struct run *run)
{
	size_t count = 0;

	for_list(struct job *, job, &run->jobs)
		count += job->state != JOB_OVER;
	return count;
}

static json_t *tried_cases(const struct job *job)
{
	json_t *tried = json_array();

	for_list(struct test_case *, test, &job->cases)
		if ((test->started || test->judged || test->excluded) &&
		    strcmp(test->name, CASE_OF_RUN))
			json_array_append_new(tried, json_string(test->name));
	return tried;
}

static json_t *rest_of(const struct job *job)
{
	json_t *rest = json_copy(job->scheduled);

	json_object_set_new(rest, "exclude", tried_cases(job));
	json_object_set_new(rest, "tries", json_integer(job->tries));
	return rest;
}

bool remaining_write(const struct run *run, const char *path)
{
	json_t *jobs, *schedule;
	bool good;
	char *text;

	if (!remaining_count(run))
		return outfile_replace(path, "", 0);

	jobs = json_array();
	for_list(struct job *, job, &run->jobs)
		if (job->state != JOB_OVER)
			json_array_append_new(jobs, rest_of(job));
	schedule = json_pack("{s:s s:o}", "type", "schedule", "jobs", jobs);
	text = json_dumps(schedule, JSON_COMPACT);
	good = text ? outfile_replace(path, text, strlen(text)) :
		      outfile_complain(path, "write");
	free(text);
	json_decref(schedule);
	return good;
}
