/* SPDX-License-Identifier: GPL-2.0-only */
/* What igt_runner listens for: lines of output, and marks in the kernel's log. */
#ifndef CTS_IGT_VOICE_H
#define CTS_IGT_VOICE_H

/* In order of severity. */
enum result { RESULT_NONE, RESULT_SKIP, RESULT_SUCCESS, RESULT_FAIL,
	      RESULT_TIMEOUT, RESULT_CRASH };

/**
 * voice_result - what a verdict of ours is in IGT's words
 *
 * IGT knows no shades: a warning and an observation are success, a refusal is
 * a skip, as in our KTAP.
 */
enum result voice_result(const char *verdict);

void voice_begin_test(const char *program);
void voice_begin(const char *test, const char *subtest);
void voice_end(const char *subtest, enum result result, double seconds);

/* A dynamic subtest, from begin to end; @why is printed in it. */
void voice_dynamic(const char *test, const char *name, enum result result,
		   const char *why);

#endif
