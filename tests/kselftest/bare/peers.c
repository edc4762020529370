// SPDX-License-Identifier: GPL-2.0-only
#include "bare/peers.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair/kernel.h"
#include "peer/peer_open.h"

/* A case that was ended by a signal may hold a peer until its fences expire. */
#define UNLOAD_TRIES	150
#define UNLOAD_PAUSE_US	100000

extern char **environ;

static struct {
	const char *name;
	bool loaded;
} peers[] = {
	{ .name = "dmabuf_peer_exporter" },
	{ .name = "dmabuf_peer_importer" },
	{ .name = "dmabuf_peer_umem" },
	{ .name = "dmabuf_peer_space" },
	{ .name = "dmabuf_peer_net" },
	{ .name = "dmabuf_peer_rdma" },
};

#define PEER_COUNT	((int)(sizeof(peers) / sizeof(peers[0])))

static const struct {
	int error;
	const char *what;
} hints[] = {
	{ EPERM, "run as root; under Secure Boot or lockdown it must be signed" },
	{ EKEYREJECTED, "it must be signed with a key that this machine has enrolled" },
	{ ENOEXEC, "it was built for another kernel; build it with KDIR=" },
	{ ENOENT, "this kernel lacks something it uses; the kernel log names it" },
};

static const char *hint(int error)
{
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (hints[i].error == error)
			return hints[i].what;
	return "the kernel log may say why";
}

static const char *folder(void)
{
	static char path[PATH_MAX];
	char program[PATH_MAX - sizeof("/modules")] = "";
	const char *named = getenv(PEER_MODULES_VARIABLE);

	if (named && *named)
		return named;
	if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
		return ".";
	snprintf(path, sizeof(path), "%s/modules", dirname(program));
	return path;
}

static void load_by_name(char *name)
{
	char *arguments[] = { "modprobe", "-q", name, NULL };
	pid_t child;

	if (!posix_spawnp(&child, arguments[0], NULL, NULL, arguments, environ))
		waitpid(child, NULL, 0);
}

/* A module says in its .modinfo what it needs: "depends=", names with commas. */
static void load_dependencies(int fd)
{
	static const char key[] = "\0depends=";
	const size_t key_size = sizeof(key) - 1;
	char *file, *found, *names, *name, *rest;
	struct stat stat;

	if (fstat(fd, &stat))
		return;
	file = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		return;
	found = memmem(file, stat.st_size, key, key_size);
	names = found ? strndup(found + key_size,
				file + stat.st_size - found - key_size) : NULL;
	for (rest = names; (name = strsep(&rest, ","));)
		if (*name && kernel_module(name) != MODULE_LOADED)
			load_by_name(name);
	free(names);
	munmap(file, stat.st_size);
}

static bool load(const char *from, const char *name)
{
	char path[PATH_MAX];
	int fd, error = 0;

	if (kernel_module(name) == MODULE_LOADED)
		return false;
	snprintf(path, sizeof(path), "%s/%s.ko", from, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		printf("# cannot read %s: %s\n", path, strerror(errno));
		return false;
	}
	load_dependencies(fd);
	if (syscall(SYS_finit_module, fd, "", 0))
		error = errno;
	if (error)
		printf("# cannot load %s: %s; %s\n", path, strerror(error),
		       hint(error));
	close(fd);
	return !error;
}

void peers_load(void)
{
	const char *from = folder();

	setenv(PEER_MODULES_VARIABLE, from, 1);
	for (int i = 0; i < PEER_COUNT; i++)
		peers[i].loaded = load(from, peers[i].name);
}

static void unload(const char *name)
{
	for (int i = 0; i < UNLOAD_TRIES; i++) {
		if (!syscall(SYS_delete_module, name, O_NONBLOCK))
			return;
		if (errno != EAGAIN && errno != EBUSY)
			break;
		usleep(UNLOAD_PAUSE_US);
	}
	printf("# cannot unload %s: %s\n", name, strerror(errno));
}

void peers_unload(void)
{
	for (int i = PEER_COUNT - 1; i >= 0; i--)
		if (peers[i].loaded)
			unload(peers[i].name);
}
