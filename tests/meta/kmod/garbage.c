// SPDX-License-Identifier: GPL-2.0-only
/*
 * Throws garbage at the peer modules: random ioctls, half of them nearly
 * right, from several threads of several processes on shared files; forks,
 * closes in any order, kill -9. Afterwards the kernel log must be clean and
 * nothing may use the modules any more.
 *
 * The actions follow from the seed; how threads interleave does not.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/dma-buf.h>

#include "aftermath.h"
#include "importer/iommufd_uapi.h"
#include "arguments.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define FILES		12	/* control files of a process, of all kinds */
#define BUFFERS		16	/* dma-buf fds it remembers */
#define PROCESSES_MAX	16
#define THREADS_MAX	16

/* On a busy machine it takes longer until everything has succeeded once: so many times longer. */
#define PATIENCE	8

static struct {
	unsigned int seconds;
	unsigned int threads;
	unsigned int processes;
	uint64_t seed;
	bool silent;
} options = { .seconds = 10, .threads = 4, .processes = 3, .seed = 1 };

/* In the order in which they can be unloaded. The last is not there on each kernel. */
static const struct kind {
	const char *module;
	const char *node;
	unsigned int ioctls;	/* type of their numbers */
} kinds[] = {
	{ "dmabuf_peer_umem", PEER_UMEM_NODE, PEER_UMEM_IOC },
	{ "dmabuf_peer_importer", PEER_IMPORTER_NODE, PEER_IMPORTER_IOC },
	{ "dmabuf_peer_exporter", PEER_EXPORTER_NODE, PEER_EXPORTER_IOC },
	{ "dmabuf_peer_space", PEER_SPACE_NODE, PEER_SPACE_IOC },
};

#define KINDS		ARRAY_SIZE(kinds)
#define SPACE		(KINDS - 1)

#define IOMMU_NODE	"/dev/iommu"
#define IOMMU_PAGES	4	/* mapped there */

/* One process: its threads share files and forget what others close. */
static int control[FILES];
static int buffers[BUFFERS];

static unsigned long *successes;	/* by row, shared by all processes */

/* Replaces an fd of a table; what was there is closed, used or not. */
static void replace(int *table, unsigned int index, int fd)
{
	int old = __atomic_exchange_n(&table[index], fd, __ATOMIC_RELAXED);

	if (old > 2)
		close(old);
}

static int open_control(unsigned int index)
{
	const char *node = kinds[index % KINDS].node;
	struct peer_version version = { .version = PEER_UAPI_VERSION };
	int fd = open(node, O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		ioctl(fd, PEER_IOC_VERSION, &version);
	return fd;
}

static const struct row *choose_row(struct random *random)
{
	unsigned int total = 0, ticket, i;

	for (i = 0; i < row_count; i++)
		total += rows[i].weight;
	ticket = below(random, total);
	for (i = 0; ticket >= rows[i].weight; i++)
		ticket -= rows[i].weight;
	return &rows[i];
}

/* One of the files that know these ioctls. */
static int choose_control(struct random *random, unsigned long command)
{
	unsigned int kind = 0;

	/* One also gets what all know. */
	while (kind < KINDS && kinds[kind].ioctls != _IOC_TYPE(command))
		kind++;
	kind = kind < KINDS ? kind : below(random, KINDS);
	return control[KINDS * below(random, FILES / KINDS) + kind];
}

static void act_ioctl(struct random *random)
{
	const struct row *row = choose_row(random);
	int fd = choose_control(random, row->command);
	union argument argument = { };

	make_argument(random, row, &argument);
	if (one_in(random, 200)) {
		ioctl(fd, next(random), &argument);
	} else if (one_in(random, 100) && row->command != PEER_EXPORTER_BAD) {
		/* What lies there may be right, and a bad export warns. */
		ioctl(fd, row->command, any_pointer(random));
	} else if (!ioctl(fd, row->command, &argument)) {
		__atomic_add_fetch(&successes[row - rows], 1, __ATOMIC_RELAXED);
		if (row->command == PEER_EXPORTER_CREATE)
			replace(buffers, below(random, BUFFERS),
				argument.create.fd);
	}
}

static void act_reopen(struct random *random)
{
	unsigned int index = below(random, FILES);

	replace(control, index, open_control(index));
}

static void act_close(struct random *random)
{
	replace(buffers, below(random, BUFFERS), -1);
}

static void act_sync(struct random *random)
{
	struct dma_buf_sync sync = { .flags = below(random, 16) };

	ioctl(any_buffer(random), DMA_BUF_IOCTL_SYNC, &sync);
}

static void act_touch(struct random *random)
{
	size_t size = (1 + below(random, 4)) * surroundings.page_size;
	int access = one_in(random, 2) ? PROT_READ : PROT_READ | PROT_WRITE;
	volatile uint8_t *data = mmap(NULL, size, access, MAP_SHARED,
				      any_buffer(random),
				      below(random, 3) * surroundings.page_size);

	if (data == MAP_FAILED)
		return;
	if (access & PROT_WRITE)
		data[0] = 1;
	else
		(void)data[size - 1];
	munmap((void *)data, size);
}

/* The child has all files and dies with them, at once or in the middle. */
static void act_fork(struct random *random)
{
	pid_t child = fork();

	if (child)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (unsigned int i = below(random, 30); i; i--)
		act_ioctl(random);
	if (one_in(random, 2))
		raise(SIGKILL);
	_exit(0);
}

static const struct action {
	void (*act)(struct random *random);
	unsigned int weight;
} actions[] = {
	{ act_ioctl, 1000 },
	{ act_reopen, 8 },
	{ act_close, 15 },
	{ act_sync, 10 },
	{ act_touch, 15 },
	{ act_fork, 2 },
};

static void act(struct random *random)
{
	unsigned int total = 0, ticket;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(actions); i++)
		total += actions[i].weight;
	ticket = below(random, total);
	for (i = 0; ticket >= actions[i].weight; i++)
		ticket -= actions[i].weight;
	actions[i].act(random);
}

static void *thread_main(void *data)
{
	struct random random = { .state = (uintptr_t)data };

	for (;;) {
		act(&random);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
	}
	return NULL;
}

/* A touch of a mapping past its buffer ends a thread's process; that is fine. */
static void run_process(uint64_t seed)
{
	pthread_t thread;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (unsigned int i = 1; i < options.threads; i++)
		pthread_create(&thread, NULL, thread_main,
			       (void *)(uintptr_t)(seed + i * 7919));
	thread_main((void *)(uintptr_t)seed);
}

static pid_t start_process(uint64_t seed)
{
	pid_t pid = fork();

	if (!pid) {
		/* Every other process gets files of its own, the rest share. */
		for (unsigned int i = 0; seed % 2 && i < FILES; i++)
			replace(control, i, open_control(i));
		run_process(seed);
	}
	return pid;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static bool must_succeed(const struct row *row)
{
	return !row->never && (!row->iommu || surroundings.iommu >= 0);
}

/* Garbage that never gets past the first check would prove nothing. */
static bool all_succeeded(void)
{
	for (unsigned int i = 0; i < row_count; i++)
		if (must_succeed(&rows[i]) &&
		    !__atomic_load_n(&successes[i], __ATOMIC_RELAXED))
			return false;
	return true;
}

/* Kills one after the other at odd moments, and starts another in its place. */
static void run_processes(struct random *random)
{
	double end = now() + options.seconds;
	double limit = now() + PATIENCE * options.seconds;
	pid_t pids[PROCESSES_MAX];
	unsigned int i;

	for (i = 0; i < options.processes; i++)
		pids[i] = start_process(next(random));
	while (now() < end || (now() < limit && !all_succeeded())) {
		usleep(10000 + below(random, 400000));
		i = below(random, options.processes);
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
		pids[i] = start_process(next(random));
	}
	for (i = 0; i < options.processes; i++)
		kill(pids[i], SIGKILL);
	for (i = 0; i < options.processes; i++)
		waitpid(pids[i], NULL, 0);
}

static int usage(void)
{
	fprintf(stderr, "usage: garbage [--seconds N] [--seed N] [--threads N] [--processes N] [--silent]\n"
		"  --seconds  for so long, and on until each ioctl has succeeded, 8 times as long at most\n"
		"  --silent   attach without a notify callback too; kernels that ask for one warn\n"
		"The modules are unloaded at the end.\n");
	return 2;
}

static int parse(int argc, char **argv)
{
	static const struct option names[] = {
		{ "seconds", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'r' },
		{ "threads", required_argument, NULL, 't' },
		{ "processes", required_argument, NULL, 'p' },
		{ "silent", no_argument, NULL, 'q' },
		{ }
	};
	int option;

	while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (option) {
		case 's': options.seconds = atoi(optarg); break;
		case 'r': options.seed = strtoull(optarg, NULL, 0); break;
		case 't': options.threads = atoi(optarg); break;
		case 'p': options.processes = atoi(optarg); break;
		case 'q': options.silent = true; break;
		default: return usage();
		}
	}
	if (!options.threads || options.threads > THREADS_MAX ||
	    !options.processes || options.processes > PROCESSES_MAX)
		return usage();
	return 0;
}

/* An address space of iommufd, with memory in it, where there can be one. */
static void make_space(void)
{
	struct iommufd_space space = { .size = sizeof(space) };
	struct iommufd_map_file map = {
		.size = sizeof(map),
		.flags = IOMMUFD_MAP_READABLE | IOMMUFD_MAP_WRITABLE,
		.length = IOMMU_PAGES * surroundings.page_size,
	};

	surroundings.iommu = open(IOMMU_NODE, O_RDWR | O_CLOEXEC);
	map.fd = memfd_create("space", MFD_CLOEXEC);
	if (surroundings.iommu < 0 || map.fd < 0 ||
	    ftruncate(map.fd, map.length) ||
	    ioctl(surroundings.iommu, IOMMUFD_SPACE_CALL, &space))
		return;
	map.space = space.id;
	if (!ioctl(surroundings.iommu, IOMMUFD_MAP_FILE_CALL, &map))
		surroundings.mapped = map.address;
	surroundings.space = space.id;
	close(map.fd);
}

static int set_up(void)
{
	size_t page_size = sysconf(_SC_PAGESIZE);
	char *area = mmap(NULL, 2 * page_size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	successes = mmap(NULL, row_count * sizeof(*successes),
			 PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			 -1, 0);
	if (area == MAP_FAILED || successes == MAP_FAILED)
		return -1;
	mprotect(area + page_size, page_size, PROT_READ);
	surroundings = (struct surroundings) {
		.buffers = buffers,
		.buffer_count = BUFFERS,
		.area = area,
		.page_size = page_size,
		.silent = options.silent,
	};
	memset(buffers, 0xff, sizeof(buffers));
	make_space();
	for (unsigned int i = 0; i < FILES; i++) {
		control[i] = open_control(i);
		if (control[i] < 0 && i % KINDS != SPACE) {
			perror(kinds[i % KINDS].node);
			return -1;
		}
	}
	return 0;
}

static int expect_successes(void)
{
	int failed = 0;

	for (unsigned int i = 0; i < row_count; i++) {
		printf("# %s succeeded %lu times\n", rows[i].name, successes[i]);
		if (successes[i] || !must_succeed(&rows[i]))
			continue;
		printf("not ok: %s never succeeded; give it more --seconds\n",
		       rows[i].name);
		failed = 1;
	}
	return failed;
}

int main(int argc, char **argv)
{
	struct random random;
	int log, failed = 0, ret;

	ret = parse(argc, argv);
	if (ret)
		return ret;
	log = open_log();
	if (log < 0 || set_up())
		return 125;
	random.state = options.seed;
	printf("garbage: seed %llu, %u processes of %u threads, %u s\n",
	       (unsigned long long)options.seed, options.processes,
	       options.threads, options.seconds);
	fflush(stdout);
	run_processes(&random);
	for (unsigned int i = 0; i < FILES; i++)
		close(control[i]);
	/* What builds on a module uses it until it is unloaded. */
	for (size_t i = 0; i < KINDS; i++) {
		if (i == SPACE && control[SPACE] < 0)
			continue;
		failed |= expect_unused(kinds[i].module);
		failed |= unload(kinds[i].module);
	}
	failed |= expect_quiet_log(log);
	failed |= expect_successes();
	if (!failed)
		printf("ok: the kernel is alive, its log is clean, the modules are unused\n");
	return failed;
}
