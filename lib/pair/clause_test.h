/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a conformance program is written with, on top of the kernel's
 * kselftest harness: tests that declare their clauses, checks that cite them.
 *
 *	CLAUSE_TEST(unpin_restores_movability,
 *		    NEEDS(EXPORTER_MOVES, IMPORTER_PEER), PIN_08, INV_01)
 *	{
 *		must(peer_pin(&self->attachment));
 *		check_errno(PIN_08, EBUSY, exporter_move(...));
 *	}
 *
 * Two families, told apart by who is at fault when they fail. must() is about
 * the test's own preparations: the case ends and its clauses are errors.
 * check*() is about the contract: the clause gets a verdict and the case goes
 * on. Calls in both return 0 or a negative errno.
 */
#ifndef CTS_CLAUSE_TEST_H
#define CTS_CLAUSE_TEST_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kselftest_harness.h"

#include "clause/clause.h"
#include "clause/law.h"
#include "exporter/exporter.h"
#include "importer/importer.h"
#include "oracle/klog.h"
#include "pair/case.h"
#include "pair/errno_text.h"
#include "pair/pair.h"
#include "pair/pattern.h"
#include "pair/program.h"

/*
 * The entry in "clause_tests" is for the program itself; the string in
 * "clause_notes" is for readers: readelf -p clause_notes PROGRAM
 */
#define CLAUSE_TEST(name, needs_, ...) \
	CLAUSE_TEST_TIMEOUT(name, TEST_TIMEOUT_DEFAULT, needs_, __VA_ARGS__)

#define CLAUSE_TEST_TIMEOUT(name_, seconds, needs_, ...) \
	static const enum clause_id clauses_of_##name_[] = { __VA_ARGS__ }; \
	static struct clause_test declaration_of_##name_ \
	__attribute__((used, section("clause_tests"), \
		       aligned(__alignof__(struct clause_test)))) = { \
		.name = #name_, \
		.file = __FILE__, \
		.line = __LINE__, \
		.needs = needs_, \
		.clauses = clauses_of_##name_, \
		.clause_count = sizeof(clauses_of_##name_) / \
				sizeof(clauses_of_##name_[0]), \
	}; \
	_Static_assert(sizeof(clauses_of_##name_) / \
		       sizeof(clauses_of_##name_[0]) <= CASE_CLAUSES_MAX, \
		       "too many clauses in one case"); \
	static const char note_of_##name_[] \
	__attribute__((used, section("clause_notes"))) = \
		#name_ ": " #__VA_ARGS__ "; " #needs_; \
	TEST_F_TIMEOUT(pair, name_, seconds)

#define CHECK_SITE(text) \
	(&(const struct check_site){ __FILE__, __LINE__, text })

#define CHECK_FAILED_IF(failed) \
	do { \
		if (failed) \
			_metadata->exit_code = KSFT_FAIL; \
	} while (0)

/* The clause is kept if the expression is true. */
#define check(clause, expression) \
	CHECK_FAILED_IF(case_check(clause, !!(expression), \
				   CHECK_SITE(#expression), "%s", ""))

/* The same, with the values that a reader needs when it is not. */
#define check_saying(clause, expression, ...) \
	CHECK_FAILED_IF(case_check(clause, !!(expression), \
				   CHECK_SITE(#expression), __VA_ARGS__))

/* The clause is kept if both numbers are equal. */
#define check_equal(clause, wanted, seen) \
	do { \
		long long wanted_ = (long long)(wanted); \
		long long seen_ = (long long)(seen); \
		CHECK_FAILED_IF(case_check(clause, wanted_ == seen_, \
			CHECK_SITE(#seen " == " #wanted), \
			"%lld, wanted %lld", seen_, wanted_)); \
	} while (0)

/* The clause is kept if the call returns 0. */
#define check_ok(clause, call) \
	do { \
		long result_ = (call); \
		CHECK_FAILED_IF(case_check(clause, result_ == 0, \
			CHECK_SITE(#call), "%s", errno_text(result_))); \
	} while (0)

/* The clause is kept if the call fails with just this errno. */
#define check_errno(clause, error, call) \
	do { \
		long result_ = (call); \
		CHECK_FAILED_IF(case_check(clause, result_ == -(error), \
			CHECK_SITE(#call), "%s, wanted " #error, \
			errno_text(result_))); \
	} while (0)

/* The clause has the driver decline, with just this errno. */
#define check_refused(clause, error, call) \
	do { \
		long refusal_ = (call); \
\
		check_errno(clause, error, refusal_); \
		if (refusal_ == -(error)) \
			refused(clause, "%s", errno_text(refusal_)); \
	} while (0)

/* The clause is kept if the call fails, whatever the errno, which is told. */
#define check_fails(clause, call) \
	do { \
		long result_ = (call); \
		CHECK_FAILED_IF(case_check(clause, result_ < 0, \
			CHECK_SITE(#call), "%s", errno_text(result_))); \
	} while (0)

/* An observation that no one is judged by. */
#define observe(clause, ...)	case_note(clause, VERDICT_VALUE, __VA_ARGS__)

/* The driver declined, as a clause on refusals allows. */
#define refused(clause, ...)	case_note(clause, VERDICT_REFUSED, __VA_ARGS__)

/* This one clause cannot be judged here. */
#define skip_clause(clause, ...) case_note(clause, VERDICT_SKIP, __VA_ARGS__)

/* The case cannot go on if a preparation gave a negative errno. */
#define END_CASE_IF_ERROR(result, text) \
	do { \
		if ((result) < 0) { \
			case_abort(VERDICT_ERROR, "%s:%d: must(%s): %s", \
				   __FILE__, __LINE__, text, \
				   errno_text(result)); \
			ASSERT_LE(0, result); \
		} \
	} while (0)

/* Preparation that must succeed: 0 or a positive result. */
#define must(call) \
	do { \
		long result_ = (call); \
\
		END_CASE_IF_ERROR(result_, #call); \
	} while (0)

/* The same for a call of the C library, which leaves the reason in errno. */
#define must_call(call) \
	do { \
		long called_ = (call) < 0 ? -errno : 0; \
\
		END_CASE_IF_ERROR(called_, #call); \
	} while (0)

/* Preparation that must be true. */
#define must_be(expression) \
	do { \
		bool true_ = (expression); \
\
		if (!true_) { \
			case_abort(VERDICT_ERROR, "%s:%d: must be: %s", \
				   __FILE__, __LINE__, #expression); \
			ASSERT_TRUE(true_); \
		} \
	} while (0)

/* The rest of the case does not apply; says why. */
#define skip_case(...) \
	do { \
		case_abort(VERDICT_SKIP, __VA_ARGS__); \
		if (!case_judged()) \
			SKIP(return, __VA_ARGS__); \
		return; \
	} while (0)

/* The case does what only a machine that was given to tests may suffer. */
#define disrupts(how) \
	do { \
		if (!getenv("DMABUF_CTS_DISRUPTIVE")) \
			skip_case("%s: needs --allow-disruptive", how); \
	} while (0)

/*
 * The case makes @function, a string, of the kernel warn, because the law
 * demands it. That taints the kernel.
 */
#define provokes_warning(function) \
	do { \
		disrupts("makes " function "() warn"); \
		klog_expect(function); \
	} while (0)

/* The case applies only where the law says so. */
#define needs_law(feature, value) \
	do { \
		if (law_value(feature) != (value)) \
			skip_case("needs law %s=%s, here %s", \
				  law_name(feature), law_value_name(value), \
				  law_value_name(law_value(feature))); \
	} while (0)

/* The case moves the storage more than once, or back. */
#define needs_moves_at_will() \
	do { \
		if (pair_capabilities(&self->pair) & CAP(EXPORTER_ONLY_EVICTS)) \
			skip_case("user space can but make this exporter evict"); \
	} while (0)

/*
 * The case makes the storage move, from where it is now. A map or a pin may have
 * done before what is all that some exporters can be made to do.
 */
#define needs_way_out() \
	do { \
		if (pair_capabilities(&self->pair) & CAP(EXPORTER_ONLY_EVICTS) && \
		    place_of(&self->buffer) != PLACE_DEVICE) \
			skip_case("the storage left memory of the device before, and user space can but make this exporter evict"); \
	} while (0)

/*
 * The fixture: both ends open, and one buffer of PAIR_BUFFER_SIZE at
 * self->buffer. A test that wants another allocates it itself.
 */
FIXTURE(pair) {
	struct pair pair;
	struct exporter *exporter;
	struct importer *importer;
	struct buffer buffer;
};

/*
 * Without a process that ends in teardown there is no verdict record, so the
 * set-up ends the case itself when it fails.
 */
#define SETUP_MUST(call) \
	do { \
		long result_ = (call); \
		if (result_) { \
			case_abort(VERDICT_ERROR, "set-up: %s: %s", #call, \
				   errno_text(result_)); \
			case_end(); \
			_metadata->exit_code = KSFT_FAIL; \
			return; \
		} \
	} while (0)

FIXTURE_SETUP(pair)
{
	const struct buffer_spec spec = { .size = PAIR_BUFFER_SIZE };

	self->exporter = &self->pair.exporter;
	self->importer = &self->pair.importer;
	self->buffer.fd = -1;
	case_begin(_metadata->name, &self->pair, &_metadata->exit_code);
	SETUP_MUST(pair_open(&self->pair));
	SETUP_MUST(exporter_alloc(self->exporter, &spec, &self->buffer));
}

FIXTURE_TEARDOWN(pair)
{
	exporter_release(&self->buffer);
	pair_close(&self->pair);
	CHECK_FAILED_IF(case_end());
}

/* cts-all has the programs of all files, and a main() of its own. */
#define CLAUSE_TEST_MAIN(name_) \
	static struct clause_program this_program \
	__attribute__((used, section("clause_programs"), \
		       aligned(__alignof__(struct clause_program)))) = { \
		.name = name_, \
		.file = __FILE__, \
		.run = test_harness_run, \
	}; \
	__attribute__((weak)) int main(int argc, char **argv) \
	{ \
		return program_run(&this_program, argc, argv); \
	}

#endif
