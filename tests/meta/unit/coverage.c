// SPDX-License-Identifier: GPL-2.0-only
/* What a test declares is read out of its program: here out of this one. */
#include "kselftest_harness.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "clause/coverage.h"

/* As CLAUSE_TEST() leaves them. */
#define NOTE(name, text) \
	static const char name[] \
	__attribute__((used, section("clause_notes"))) = text

NOTE(first, "moves: PIN_09, UAPI_08_b; ((1UL << (EXPORTER_MOVES)) | (1UL << (IMPORTER_PEER)))");
NOTE(second, "answers: INV_08; NEEDS_NOTHING");
NOTE(newer, "knows_more: NEW_99, INV_08; (1UL << (IMPORTER_P)) | IMPORTER_PEERLESS");
NOTE(odd, "no note at all");

static char *own_folder(void)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length > 0)
		*strrchr(path, '/') = '\0';
	return path;
}

static const struct covering_test *find_test(const struct coverage *coverage,
					     const char *name)
{
	for (size_t i = 0; i < coverage->count; i++)
		if (!strcmp(coverage->tests[i].program, "coverage") &&
		    !strcmp(coverage->tests[i].name, name))
			return &coverage->tests[i];
	return NULL;
}

FIXTURE(coverage) {
	struct coverage coverage;
};

FIXTURE_SETUP(coverage)
{
	ASSERT_EQ(0, coverage_read(own_folder(), &self->coverage));
}

FIXTURE_TEARDOWN(coverage)
{
	coverage_free(&self->coverage);
}

TEST_F(coverage, a_test_has_its_clauses_and_needs)
{
	const struct covering_test *test = find_test(&self->coverage, "moves");

	ASSERT_NE(NULL, test);
	ASSERT_EQ(2, test->count);
	EXPECT_EQ(clause_get(PIN_09), test->clauses[0]);
	EXPECT_EQ(clause_get(UAPI_08_b), test->clauses[1]);
	EXPECT_EQ(NEEDS(EXPORTER_MOVES, IMPORTER_PEER), test->needs);
}

TEST_F(coverage, a_letter_counts_for_its_clause)
{
	const struct covering_test *test = find_test(&self->coverage, "moves");

	ASSERT_NE(NULL, test);
	EXPECT_TRUE(test_declares(test, clause_find("UAPI-08")));
	EXPECT_FALSE(test_declares(test, clause_find("UAPI-08.a")));
	EXPECT_FALSE(test_declares(test, clause_find("UAPI-09")));
	EXPECT_TRUE(is_tested(&self->coverage, clause_get(PIN_09)));
	EXPECT_FALSE(is_tested(&self->coverage, clause_get(EXS_06)));
}

TEST_F(coverage, what_the_table_lacks_is_left_out)
{
	const struct covering_test *test;

	test = find_test(&self->coverage, "knows_more");
	ASSERT_NE(NULL, test);
	ASSERT_EQ(1, test->count);
	EXPECT_EQ(clause_get(INV_08), test->clauses[0]);
	EXPECT_EQ(NEEDS_NOTHING, test->needs);
	EXPECT_EQ(NULL, find_test(&self->coverage, "no note at all"));
}

TEST_F(coverage, tests_are_in_order)
{
	for (size_t i = 1; i < self->coverage.count; i++) {
		const struct covering_test *a = &self->coverage.tests[i - 1];
		const struct covering_test *b = &self->coverage.tests[i];

		EXPECT_LE(strcmp(a->program, b->program), 0);
		if (!strcmp(a->program, b->program))
			EXPECT_LT(strcmp(a->name, b->name), 0);
	}
}

TEST(runners_declare_nothing_of_their_own)
{
	char folder[] = "/tmp/coverage.XXXXXX";
	char path[PATH_MAX], self[PATH_MAX] = "";
	struct coverage coverage;

	ASSERT_NE(NULL, mkdtemp(folder));
	ASSERT_LT(0, readlink("/proc/self/exe", self, sizeof(self) - 1));
	snprintf(path, sizeof(path), "%s/coverage", folder);
	ASSERT_EQ(0, symlink(self, path));
	snprintf(path, sizeof(path), "%s/cts-coverage", folder);
	ASSERT_EQ(0, symlink(self, path));

	ASSERT_EQ(0, coverage_read(folder, &coverage));
	EXPECT_NE(NULL, find_test(&coverage, "moves"));
	for (size_t i = 0; i < coverage.count; i++)
		EXPECT_STREQ("coverage", coverage.tests[i].program);
	coverage_free(&coverage);
	unlink(path);
	snprintf(path, sizeof(path), "%s/coverage", folder);
	unlink(path);
	rmdir(folder);
}

TEST(a_missing_folder_is_an_error)
{
	struct coverage coverage;

	EXPECT_EQ(-ENOENT, coverage_read("/nonexistent", &coverage));
	EXPECT_EQ(0, coverage.count);
	coverage_free(&coverage);
}

TEST_HARNESS_MAIN
