// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast the emulated NIC moves bytes into and out of a udmabuf, beside a
 * memcpy() in the same guest. Runs as the guest's only program; its table goes
 * to stdout.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "exporter/exporter.h"
#include "importer/verbs.h"

#define SIZE_MAX_BYTES	(64u << 20)
#define MEASURE_NS	300000000ll
#define DEVICE		"efa_0"

struct bench {
	struct exporter exporter;
	struct buffer buffer;
	struct verbs *verbs;
	struct verbs_domain *domain;
	struct verbs_end *end;
	struct verbs_region remote;	/* the dma-buf */
	struct verbs_region local;	/* our memory */
	char *mapped;			/* the dma-buf, for memcpy() */
	char *memory;
};

typedef int (*mover)(struct bench *bench, uint32_t size);

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

static int copy(struct bench *bench, uint32_t size)
{
	memcpy(bench->mapped, bench->memory, size);
	/* The copy must have happened, whoever looks. */
	__asm__ volatile("" : : "r"(bench->mapped) : "memory");
	return 0;
}

static int transfer(struct bench *bench, uint32_t size,
		    enum verbs_operation operation)
{
	uint32_t most = verbs_traits(bench->verbs)->message_max;
	uint32_t part;
	int ret = 0;

	for (uint32_t at = 0; !ret && at < size; at += part) {
		struct verbs_work work = {
			.operation = operation,
			.local = bench->local.iova + at,
			.lkey = bench->local.lkey,
			.remote = bench->remote.iova + at,
			.rkey = bench->remote.rkey,
		};

		part = size - at < most ? size - at : most;
		work.length = part;
		ret = verbs_run(bench->end, &work, NULL);
	}
	return ret;
}

static int write_remote(struct bench *bench, uint32_t size)
{
	return transfer(bench, size, VERBS_WRITE);
}

static int read_remote(struct bench *bench, uint32_t size)
{
	return transfer(bench, size, VERBS_READ);
}

/* Bytes a second, once the caches and the emulator have seen it; < 0: errno. */
static double rate_of(struct bench *bench, mover move, uint32_t size)
{
	long long start, passed;
	double moved = 0;
	int ret = move(bench, size);

	start = now_ns();
	do {
		if (ret)
			return ret;
		ret = move(bench, size);
		moved += size;
		passed = now_ns() - start;
	} while (passed < MEASURE_NS);
	return moved / passed * 1e9;
}

static int print_row(struct bench *bench, uint32_t size)
{
	static const mover movers[] = { copy, write_remote, read_remote };
	double rates[3];

	for (int i = 0; i < 3; i++) {
		rates[i] = rate_of(bench, movers[i], size);
		if (rates[i] < 0)
			return rates[i];
	}
	printf("%8u KiB %10.0f MB/s %10.0f MB/s %6.2f %10.0f MB/s %6.2f\n",
	       size >> 10, rates[0] / 1e6, rates[1] / 1e6, rates[1] / rates[0],
	       rates[2] / 1e6, rates[2] / rates[0]);
	return 0;
}

static int print_table(struct bench *bench)
{
	int ret = 0;

	printf("%12s %15s %15s %6s %15s %6s\n", "size", "memcpy", "RDMA write",
	       "ratio", "RDMA read", "ratio");
	for (uint32_t size = 4096; !ret && size <= SIZE_MAX_BYTES; size *= 4)
		ret = print_row(bench, size);
	return ret;
}

static int failed(const char *what, int ret)
{
	fprintf(stderr, "bandwidth: %s: %s\n", what, strerror(-ret));
	return ret;
}

static int make_buffer(struct bench *bench)
{
	const struct buffer_spec spec = { .size = SIZE_MAX_BYTES };
	int ret = exporter_open("udmabuf", &bench->exporter);

	if (ret)
		return failed("udmabuf", ret);
	ret = exporter_alloc(&bench->exporter, &spec, &bench->buffer);
	if (ret)
		return failed("a udmabuf of 64 MiB", ret);
	bench->mapped = mmap(NULL, SIZE_MAX_BYTES, PROT_READ | PROT_WRITE,
			     MAP_SHARED, bench->buffer.fd, 0);
	bench->memory = mmap(NULL, SIZE_MAX_BYTES, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (bench->mapped == MAP_FAILED || bench->memory == MAP_FAILED)
		return failed("mmap", -errno);
	memset(bench->memory, 1, SIZE_MAX_BYTES);
	return 0;
}

static int make_device(struct bench *bench)
{
	const uint32_t access = VERBS_LOCAL_WRITE | VERBS_REMOTE_WRITE |
				VERBS_REMOTE_READ;
	const struct verbs_request request = {
		.fd = bench->buffer.fd, .length = SIZE_MAX_BYTES,
		.access = access,
	};
	int ret = verbs_open(DEVICE, &bench->verbs);

	if (ret)
		return failed("opening " DEVICE, ret);
	ret = verbs_domain_new(bench->verbs, &bench->domain);
	if (!ret)
		ret = verbs_register(bench->domain, &request, &bench->remote);
	if (!ret)
		ret = verbs_register_memory(bench->domain, bench->memory,
					    SIZE_MAX_BYTES, access,
					    &bench->local);
	if (!ret)
		ret = verbs_end_new(bench->domain, NULL, &bench->end);
	if (!ret)
		ret = verbs_connect(bench->end, bench->end);
	return ret ? failed("making ready " DEVICE, ret) : 0;
}

/* The guest ends with this program, which therefore takes nothing down. */
int main(void)
{
	static struct bench bench;

	if (make_buffer(&bench) || make_device(&bench))
		return 1;
	return print_table(&bench) ? 1 : 0;
}
