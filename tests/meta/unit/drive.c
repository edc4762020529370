// SPDX-License-Identifier: GPL-2.0-only
/* The guard that gives a device back when the process that took it dies. */
#include "kselftest_harness.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/drive.h"
#include "oracle/guard.h"
#include "pair/await.h"

#define SETTLE_MS	5000
#define DEVICE		"0000:00:42.0"

/* A folder with the file to which a driver is told what to bind. */
FIXTURE(drive)
{
	struct binding binding;
	char bind[PATH_MAX + 8];
};

FIXTURE_SETUP(drive)
{
	int fd;

	strcpy(self->binding.driver, "/tmp/driver.XXXXXX");
	strcpy(self->binding.device, DEVICE);
	ASSERT_NE(NULL, mkdtemp(self->binding.driver));
	snprintf(self->bind, sizeof(self->bind), "%s/bind", self->binding.driver);
	fd = open(self->bind, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	ASSERT_LE(0, fd);
	close(fd);
}

FIXTURE_TEARDOWN(drive)
{
	unlink(self->bind);
	rmdir(self->binding.driver);
}

static bool was_bound(const char *file)
{
	char device[sizeof(DEVICE)] = "";
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && read(fd, device, sizeof(device) - 1) < 0)
		*device = 0;
	close(fd);
	return !strcmp(device, DEVICE);
}

/* The process that takes the device, up to the moment when it has a guard. */
static pid_t start_taker(const struct binding *binding, int ready[2])
{
	pid_t child;

	if (pipe(ready))
		return -1;
	child = fork();
	if (child)
		return child;
	if (drive_guard(binding) > 0 && write(ready[1], "", 1) == 1)
		pause();
	_exit(1);
}

TEST_F(drive, device_goes_back_when_its_taker_is_killed)
{
	int ready[2];
	pid_t taker = start_taker(&self->binding, ready);
	char byte;

	ASSERT_LT(0, taker);
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	ASSERT_FALSE(was_bound(self->bind));
	ASSERT_EQ(0, kill(taker, SIGKILL));
	ASSERT_EQ(taker, waitpid(taker, NULL, 0));
	ASSERT_TRUE(comes_true(SETTLE_MS, was_bound(self->bind)));
}

TEST_F(drive, who_gave_the_device_back_needs_no_guard)
{
	pid_t guard = drive_guard(&self->binding);

	ASSERT_LT(0, guard);
	guard_stop(guard);
	ASSERT_EQ(-1, kill(guard, 0));
	ASSERT_EQ(ESRCH, errno);
	ASSERT_FALSE(was_bound(self->bind));
}

TEST_HARNESS_MAIN
