// SPDX-License-Identifier: GPL-2.0-only
/* When 32-bit system calls are tried, and when a kernel is known to have none. */
#include "kselftest_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair/compat.h"
#include "pair/kernel.h"

static void configure(char *path, const char *config)
{
	int fd = mkstemp(path);

	dprintf(fd, "%s", config);
	close(fd);
	setenv(KERNEL_CONFIG_VARIABLE, path, 1);
}

/* In a process of its own: what was read once is kept. */
static bool works_with(const char *config)
{
	char path[] = "/tmp/config.XXXXXX";
	pid_t child;
	int status;

	configure(path, config);
	child = fork();
	if (!child)
		_exit(compat_works() ? 0 : 1);
	waitpid(child, &status, 0);
	unlink(path);
	return !status;
}

TEST(a_kernel_that_was_built_without_is_not_tried)
{
	ASSERT_FALSE(works_with("# CONFIG_IA32_EMULATION is not set\n"));
}

/* An empty file is as good as none. */
TEST(a_kernel_that_has_them_or_may_have_is_tried)
{
	ASSERT_EQ(works_with(""), works_with("CONFIG_IA32_EMULATION=y\n"));
}

TEST_HARNESS_MAIN
