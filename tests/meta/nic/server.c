// SPDX-License-Identifier: GPL-2.0-only
/* Clients that come, leave, die and misbehave, one beside the other. */
#include "kselftest_harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/fake_device.h"
#include "nic/server.h"
#include "nic/wire/vfio_user.h"

#define WAIT_MS	10000

FIXTURE(server)
{
	char folder[32];
	char paths[2][64];
	struct options options;
	rlim_t descriptors;	/* that the server may have; 0: as many as usual */
	pid_t pid;
};

static int serve(const FIXTURE_DATA(server) *self)
{
	const struct rlimit limit = { self->descriptors, self->descriptors };

	if (self->descriptors) {
		close_range(3, ~0u, 0);
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	return server_run(&self->options);
}

static void start(FIXTURE_DATA(server) *self)
{
	self->pid = fork();
	if (!self->pid)
		_exit(serve(self));
}

/* Returns the status with which it ends. */
static int end(FIXTURE_DATA(server) *self)
{
	int status = -1;

	waitpid(self->pid, &status, 0);
	self->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

FIXTURE_SETUP(server)
{
	strcpy(self->folder, "/tmp/cts-nic-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->folder));
	self->options = (struct options){ .nsockets = 2, .api_minor = 3 };
	for (int i = 0; i < 2; i++) {
		snprintf(self->paths[i], sizeof(self->paths[i]), "%s/%d",
			 self->folder, i);
		self->options.sockets[i] = self->paths[i];
	}
	ASSERT_EQ(NULL, fake_device());
}

FIXTURE_TEARDOWN(server)
{
	if (self->pid > 0) {
		kill(self->pid, SIGKILL);
		end(self);
	}
	unlink(self->paths[0]);
	unlink(self->paths[1]);
	EXPECT_EQ(0, rmdir(self->folder));
}

/* Returns a socket, or -1; waits for the server to be there. */
static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const struct timeval patience = { WAIT_MS / 1000, 0 };

	strcpy(address.sun_path, path);
	setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	for (int i = 0; i < WAIT_MS; i++) {
		if (!connect(client, (struct sockaddr *)&address, sizeof(address)))
			return client;
		usleep(1000);
	}
	close(client);
	return -1;
}

/* Returns whether the server answers to a greeting. */
static bool greet(int client)
{
	struct {
		struct vfio_user_header header;
		char text[8];
	} hello = {
		.header = { .command = VFIO_USER_VERSION, .size = sizeof(hello) },
	};
	char reply[256];

	return write(client, &hello, sizeof(hello)) == sizeof(hello) &&
	       read(client, reply, sizeof(reply)) > (int)sizeof(hello);
}

/* Returns whether the server answers to a later message. */
static bool is_alive(int client)
{
	struct vfio_user_header reset = {
		.command = VFIO_USER_DEVICE_RESET,
		.size = sizeof(reset),
	};

	return write(client, &reset, sizeof(reset)) == sizeof(reset) &&
	       read(client, &reset, sizeof(reset)) == sizeof(reset) &&
	       reset.flags == VFIO_USER_TYPE_REPLY;
}

/* Returns whether the server ends the connection. */
static bool is_ended(int client)
{
	char byte;
	ssize_t bytes = read(client, &byte, 1);

	return !bytes || (bytes < 0 && errno == ECONNRESET);
}

TEST_F(server, each_socket_is_a_function)
{
	int one, two;

	start(self);
	one = connect_to(self->paths[0]);
	two = connect_to(self->paths[1]);
	ASSERT_TRUE(greet(one));
	ASSERT_TRUE(greet(two));
	ASSERT_TRUE(is_alive(one));
	ASSERT_TRUE(is_alive(two));
}

TEST_F(server, a_second_client_is_turned_away)
{
	int one, two;

	start(self);
	one = connect_to(self->paths[0]);
	ASSERT_TRUE(greet(one));
	two = connect_to(self->paths[0]);
	ASSERT_TRUE(is_ended(two));
	ASSERT_TRUE(is_alive(one));
}

TEST_F(server, when_a_client_leaves_another_may_come)
{
	start(self);
	for (int i = 0; i < 20; i++) {
		int client = connect_to(self->paths[0]);

		ASSERT_TRUE(greet(client));
		ASSERT_TRUE(is_alive(client));
		close(client);
	}
}

TEST_F(server, a_bad_client_ends_alone)
{
	const uint32_t garbage[4] = { ~0u, ~0u, ~0u, ~0u };
	int good, bad;

	start(self);
	good = connect_to(self->paths[0]);
	ASSERT_TRUE(greet(good));
	for (int i = 0; i < 3; i++) {
		bad = connect_to(self->paths[1]);
		ASSERT_TRUE(greet(bad));
		ASSERT_EQ(sizeof(garbage), write(bad, garbage, sizeof(garbage)));
		ASSERT_TRUE(is_ended(bad));
		close(bad);
		ASSERT_TRUE(is_alive(good));
	}
}

TEST_F(server, a_client_that_stops_within_a_message_holds_up_nobody)
{
	const uint16_t half[4] = { 0, VFIO_USER_REGION_WRITE, 4096, 0 };
	int good, slow;

	start(self);
	slow = connect_to(self->paths[1]);
	ASSERT_TRUE(greet(slow));
	ASSERT_EQ(sizeof(half), write(slow, half, sizeof(half)));
	good = connect_to(self->paths[0]);
	ASSERT_TRUE(greet(good));
	ASSERT_TRUE(is_alive(good));
}

TEST_F(server, it_ends_when_it_is_told)
{
	struct stat stat;

	start(self);
	ASSERT_TRUE(greet(connect_to(self->paths[0])));
	ASSERT_EQ(0, kill(self->pid, SIGTERM));
	ASSERT_EQ(0, end(self));
	ASSERT_NE(0, lstat(self->paths[0], &stat));
	ASSERT_NE(0, lstat(self->paths[1], &stat));
}

TEST_F(server, it_may_serve_once)
{
	int one, two;

	self->options.once = true;
	start(self);
	one = connect_to(self->paths[0]);
	ASSERT_TRUE(greet(one));
	close(one);
	two = connect_to(self->paths[1]);
	ASSERT_TRUE(greet(two));
	ASSERT_TRUE(is_alive(two));
	close(two);
	ASSERT_EQ(0, end(self));
}

TEST_F(server, a_socket_that_was_left_over_is_replaced)
{
	start(self);
	ASSERT_TRUE(greet(connect_to(self->paths[0])));
	kill(self->pid, SIGKILL);
	ASSERT_EQ(-SIGKILL, end(self));
	start(self);
	ASSERT_TRUE(greet(connect_to(self->paths[0])));
}

TEST_F(server, a_file_that_is_no_socket_stays)
{
	char fresh[80];
	struct stat status;
	int fd;

	snprintf(fresh, sizeof(fresh), "%s.new", self->paths[1]);
	for (int i = 0; i < 2; i++) {
		const char *path = i ? fresh : self->paths[1];

		fd = creat(path, 0600);
		ASSERT_GE(fd, 0);
		close(fd);
		start(self);
		ASSERT_EQ(1, end(self));
		ASSERT_EQ(0, stat(path, &status));
		ASSERT_TRUE(S_ISREG(status.st_mode));
		unlink(path);
	}
}

TEST_F(server, a_path_that_cannot_be_is_an_error)
{
	char path[200];

	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	self->options.sockets[1] = path;
	start(self);
	ASSERT_EQ(1, end(self));
	self->options.sockets[1] = "/nonexistent/socket";
	start(self);
	ASSERT_EQ(1, end(self));
}

/* It needs one for signals, two for each function and one for a client. */
TEST_F(server, a_lack_of_descriptors_is_an_error)
{
	for (self->descriptors = 3; self->descriptors < 8; self->descriptors++) {
		start(self);
		ASSERT_EQ(1, end(self));
	}
	start(self);
	ASSERT_GE(connect_to(self->paths[1]), 0);
	ASSERT_EQ(1, end(self));
}

TEST_HARNESS_MAIN
