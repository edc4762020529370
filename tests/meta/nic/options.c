// SPDX-License-Identifier: GPL-2.0-only
/* The command line of cts-nic. */
#include "kselftest_harness.h"

#include <getopt.h>
#include <string.h>

#include "nic/options.h"

#define USAGE	2

/* Parses up to seven arguments. */
static int parse(struct options *options, const char *const arguments[])
{
	char room[8][64] = { "cts-nic" };
	char *argv[9] = { room[0] };
	int argc = 1;

	for (; arguments[argc - 1]; argc++)
		argv[argc] = strcpy(room[argc], arguments[argc - 1]);
	optind = 0;
	return options_parse(options, argc, argv);
}

#define PARSE(options, ...) \
	parse(options, (const char *const[]){ __VA_ARGS__, NULL })

TEST(what_is_not_said_is_as_usual)
{
	struct options options;

	ASSERT_EQ(-1, PARSE(&options, "--socket", "a"));
	ASSERT_EQ(1, options.nsockets);
	ASSERT_EQ(3, options.api_minor);
	ASSERT_EQ(FAULT_none, options.fault);
	ASSERT_EQ(1, options.controls.fail_status);
	ASSERT_FALSE(options.once);
	ASSERT_EQ(LOG_EVENT, options.level);
}

TEST(what_is_said_counts)
{
	struct options options;

	ASSERT_EQ(-1, PARSE(&options, "--socket=a", "--socket=b", "--api=0.1",
			    "--control=delay_ms=0x10", "--fault=wrong_offset",
			    "--once", "--verbose"));
	ASSERT_EQ(2, options.nsockets);
	ASSERT_EQ(1, options.api_minor);
	ASSERT_EQ(16, options.controls.delay_ms);
	ASSERT_EQ(FAULT_wrong_offset, options.fault);
	ASSERT_TRUE(options.once);
	ASSERT_EQ(LOG_COMMAND, options.level);
}

TEST(what_cannot_be_is_refused)
{
	struct options options;

	ASSERT_EQ(USAGE, PARSE(&options, "--once"));
	ASSERT_EQ(USAGE, PARSE(&options, "--socket=a", "b"));
	ASSERT_EQ(USAGE, PARSE(&options, "--socket=a", "--api=0.4"));
	ASSERT_EQ(USAGE, PARSE(&options, "--socket=a", "--fault=none_such"));
	ASSERT_EQ(USAGE, PARSE(&options, "--socket=a", "--control=delay_ms"));
	ASSERT_EQ(USAGE, PARSE(&options, "--socket=a", "--control=delay_ms="));
	ASSERT_EQ(USAGE, PARSE(&options, "--socket=a", "--control=delay_ms=-1"));
	ASSERT_EQ(USAGE, PARSE(&options, "--socket=a", "--control=delay_ms=1s"));
	ASSERT_EQ(USAGE, PARSE(&options, "--socket=a",
			       "--control=delay_ms=0x100000000"));
	ASSERT_EQ(USAGE, PARSE(&options, "--socket=a", "--control=delay=1"));
	ASSERT_EQ(USAGE, PARSE(&options, "--unknown"));
}

TEST(sockets_are_bounded)
{
	struct options options = { 0 };
	char *argv[20] = { "cts-nic" };

	for (int i = 1; i < 20; i++)
		argv[i] = "--socket=a";
	optind = 0;
	ASSERT_EQ(USAGE, options_parse(&options, 20, argv));
	optind = 0;
	ASSERT_EQ(-1, options_parse(&options, 1 + OPTIONS_SOCKETS, argv));
}

/* What cts-nic prints is no result of this test. */
TEST(what_is_asked_for_is_shown)
{
	struct options options;
	char text[65536] = "";

	ASSERT_NE(NULL, freopen("/dev/null", "w", stdout));
	setvbuf(stdout, text, _IOFBF, sizeof(text));
	ASSERT_EQ(0, PARSE(&options, "--help"));
	ASSERT_NE(NULL, strstr(text, "Usage: cts-nic"));
	ASSERT_EQ(0, PARSE(&options, "--tables"));
	ASSERT_NE(NULL, strstr(text, "\ncounter 0 dma_maps: "));
	ASSERT_NE(NULL, strstr(text, "\ncontrol 0 fail_opcode: "));
	ASSERT_NE(NULL, strstr(text, "\nfault 0 none: "));
	ASSERT_NE(NULL, strstr(text, "\nfault 3 wrong_offset: "));
	fflush(stdout);
}

TEST_HARNESS_MAIN
