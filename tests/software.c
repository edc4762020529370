// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exporters without hardware, by their own interfaces: what udmabuf and
 * dma-heaps take and give, how DRM exports by PRIME, and videobuf2. The exporter
 * is judged.
 * Clauses: EXS-01 to EXS-06.
 */
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "oracle/fds.h"
#include "oracle/guard.h"
#include "pair/clause_test.h"
#include "pair/cpu.h"
#include "pair/kernel.h"
#include "pair/read_only.h"
#include "peer/observe.h"

#define PAGE		4096
#define MEGABYTE	(1ull << 20)
#define SEED		0x50f7
#define THREADS		4
#define ROUNDS		6
#define UDMABUF_SIZE	(4 * PAGE)

/* A memfd with seals; negative errno if there is none. */
static int sealed_memfd(size_t size, int seals)
{
	int fd = memfd_create("dmabuf-cts", MFD_ALLOW_SEALING | MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, size))
		return -errno;
	if (seals && fcntl(fd, F_ADD_SEALS, seals))
		return -errno;
	return fd;
}

/* What udmabuf says to a range of a file; closes what it makes. */
static int try_udmabuf(struct exporter *udmabuf, int memfd, uint64_t offset,
		       uint64_t size)
{
	struct udmabuf_create create = {
		.memfd = memfd,
		.flags = UDMABUF_FLAGS_CLOEXEC,
		.offset = offset,
		.size = size,
	};
	int fd = ioctl(udmabuf->control, UDMABUF_CREATE, &create);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* The same for a file made for it. */
static int try_seals(struct exporter *udmabuf, int seals)
{
	int error, memfd = sealed_memfd(UDMABUF_SIZE, seals);

	if (memfd < 0)
		return memfd;
	error = try_udmabuf(udmabuf, memfd, 0, UDMABUF_SIZE);
	close(memfd);
	return error;
}

CLAUSE_TEST(udmabuf_wants_its_seals, NEEDS(EXPORTER_UDMABUF, IMPORTER_CPU),
	    EXS_01_a, EXS_01_b, EXS_01_c)
{
	must(try_seals(self->exporter, F_SEAL_SHRINK));
	check_errno(EXS_01_a, EINVAL, try_seals(self->exporter, 0));
	check_errno(EXS_01_a, EINVAL, try_seals(self->exporter, F_SEAL_GROW));
	check_errno(EXS_01_b, EINVAL,
		    try_seals(self->exporter, F_SEAL_SHRINK | F_SEAL_WRITE));
	check_errno(EXS_01_c, EINVAL,
		    try_seals(self->exporter,
			      F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE));
}

CLAUSE_TEST(udmabuf_wants_a_memfd, NEEDS(EXPORTER_UDMABUF, IMPORTER_CPU),
	    EXS_01_d)
{
	struct exporter *udmabuf = self->exporter;

	check_errno(EXS_01_d, EBADFD,
		    try_udmabuf(udmabuf, udmabuf->control, 0, PAGE));
	check_errno(EXS_01_d, EBADFD,
		    try_udmabuf(udmabuf, self->buffer.fd, 0, PAGE));
}

CLAUSE_TEST(udmabuf_wants_whole_pages, NEEDS(EXPORTER_UDMABUF, IMPORTER_CPU),
	    EXS_01_e, EXS_01_f, EXS_01_g)
{
	struct exporter *udmabuf = self->exporter;
	int memfd = sealed_memfd(UDMABUF_SIZE, F_SEAL_SHRINK);

	must(memfd);
	must(try_udmabuf(udmabuf, memfd, PAGE, PAGE));
	check_errno(EXS_01_e, EINVAL, try_udmabuf(udmabuf, memfd, 1, PAGE));
	check_errno(EXS_01_e, EINVAL, try_udmabuf(udmabuf, memfd, 512, PAGE));
	check_errno(EXS_01_f, EINVAL, try_udmabuf(udmabuf, memfd, 0, PAGE + 1));
	check_errno(EXS_01_f, EINVAL, try_udmabuf(udmabuf, memfd, 0, PAGE / 2));
	check_errno(EXS_01_g, EINVAL, try_udmabuf(udmabuf, memfd, 0, 0));
	close(memfd);
}

static long udmabuf_limit(const char *name)
{
	char path[96], line[32];
	int error;

	snprintf(path, sizeof(path), "/sys/module/udmabuf/parameters/%s", name);
	error = kernel_read_line(path, line, sizeof(line));
	return error < 0 ? error : atol(line);
}

/* A buffer of @count times the same page. */
static int try_list(struct exporter *udmabuf, int memfd, uint32_t count)
{
	struct udmabuf_create_list *list;
	int fd;

	list = calloc(1, sizeof(*list) + count * sizeof(list->list[0]));
	if (!list)
		return -ENOMEM;
	list->flags = UDMABUF_FLAGS_CLOEXEC;
	list->count = count;
	for (uint32_t i = 0; i < count; i++) {
		list->list[i].memfd = memfd;
		list->list[i].size = PAGE;
	}
	fd = ioctl(udmabuf->control, UDMABUF_CREATE_LIST, list);
	if (fd < 0)
		fd = -errno;
	else
		close(fd);
	free(list);
	return fd < 0 ? fd : 0;
}

CLAUSE_TEST(udmabuf_limits_its_list, NEEDS(EXPORTER_UDMABUF, IMPORTER_CPU),
	    EXS_01_h)
{
	int memfd = sealed_memfd(PAGE, F_SEAL_SHRINK);
	long limit = udmabuf_limit("list_limit");

	must(memfd);
	must(limit);
	if (limit > 65536)
		skip_case("list_limit is %ld: too long to try", limit);
	must(try_list(self->exporter, memfd, limit));
	check_errno(EXS_01_h, EINVAL,
		    try_list(self->exporter, memfd, limit + 1));
	close(memfd);
}

#define SIZE_LIMIT	"/sys/module/udmabuf/parameters/size_limit_mb"

static void set_size_limit(const void *megabytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", *(const long *)megabytes);
	if (kernel_write_text(SIZE_LIMIT, text))
		printf("# cannot set " SIZE_LIMIT " to %s\n", text);
}

/*
 * The file is as long, but has no pages: nothing is allocated if it fails. A
 * limit that no file can reach is another for as long as this takes.
 */
CLAUSE_TEST(udmabuf_limits_its_size, NEEDS(EXPORTER_UDMABUF, IMPORTER_CPU),
	    EXS_01_i)
{
	long before = udmabuf_limit("size_limit_mb"), limit = before;
	pid_t guard = 0;
	int memfd, error;

	must(before);
	if (before > 1024) {
		disrupts("changes how large a udmabuf may be");
		must(guard = guard_start(set_size_limit, &before));
		limit = 1;
		set_size_limit(&limit);
	}
	memfd = sealed_memfd((limit + 1) * MEGABYTE, F_SEAL_SHRINK);
	error = memfd < 0 ? memfd : try_udmabuf(self->exporter, memfd, 0,
						limit * MEGABYTE + PAGE);
	must_be(udmabuf_limit("size_limit_mb") == limit);
	if (guard) {
		set_size_limit(&before);
		guard_stop(guard);
	}
	must(memfd);
	check_errno(EXS_01_i, EINVAL, error);
	close(memfd);
}

CLAUSE_TEST(udmabuf_is_its_memfd,
	    NEEDS(EXPORTER_UDMABUF, EXPORTER_MMAPS, IMPORTER_CPU),
	    EXS_02_a, EXS_02_b)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	size_t size = sizeof(data);

	/* This exporter writes and reads by way of the memfd. */
	must(pattern_write(SEED, &self->buffer));
	must(cpu_read(self->buffer.fd, size, 0, data, size));
	check_equal(EXS_02_a, -1, pattern_mismatch(SEED, 0, data, size));
	pattern_fill(SEED + 1, 0, data, size);
	must(cpu_write(self->buffer.fd, size, 0, data, size));
	check_ok(EXS_02_b, pattern_verify(SEED + 1, &self->buffer));
}

CLAUSE_TEST(udmabuf_outlives_its_memfd,
	    NEEDS(EXPORTER_UDMABUF, EXPORTER_MMAPS, IMPORTER_CPU), EXS_02_c)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	size_t size = sizeof(data);
	int fd;

	must(pattern_write(SEED, &self->buffer));
	must_call(fd = dup(self->buffer.fd));
	exporter_release(&self->buffer);
	check_ok(EXS_02_c, cpu_read(fd, size, 0, data, size));
	check_equal(EXS_02_c, -1, pattern_mismatch(SEED, 0, data, size));
	pattern_fill(SEED + 1, 0, data, size);
	check_ok(EXS_02_c, cpu_write(fd, size, 0, data, size));
	close(fd);
}

/* What a heap says to a request; the new descriptor, or a negative errno. */
static int try_heap(struct exporter *heap,
		    const struct dma_heap_allocation_data *request)
{
	struct dma_heap_allocation_data data = *request;

	return ioctl(heap->control, DMA_HEAP_IOCTL_ALLOC, &data) ? -errno :
								   (int)data.fd;
}

CLAUSE_TEST(heap_takes_what_it_knows, NEEDS(EXPORTER_HEAP, IMPORTER_CPU),
	    EXS_03_a, EXS_03_b, EXS_03_c, EXS_03_e)
{
	static const struct {
		enum clause_id clause;
		struct dma_heap_allocation_data request;
	} bad[] = {
		{ EXS_03_a, { .len = PAGE, .fd_flags = O_RDWR, .fd = 1 } },
		{ EXS_03_b, { .len = PAGE, .fd_flags = O_RDWR | O_APPEND } },
		{ EXS_03_b, { .len = PAGE, .fd_flags = O_RDWR | 1u << 31 } },
		{ EXS_03_c, { .len = PAGE, .fd_flags = O_RDWR, .heap_flags = 1 } },
		{ EXS_03_c, { .len = PAGE, .fd_flags = O_RDWR,
			      .heap_flags = 1ull << 63 } },
		{ EXS_03_e, { .len = 0, .fd_flags = O_RDWR } },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		check_errno(bad[i].clause, EINVAL,
			    try_heap(self->exporter, &bad[i].request));
}

CLAUSE_TEST(heap_rounds_up, NEEDS(EXPORTER_HEAP, IMPORTER_CPU), EXS_03_d)
{
	static const size_t lengths[] = { 1, PAGE, PAGE + 1, 3 * PAGE - 1 };

	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
		const struct dma_heap_allocation_data request = {
			.len = lengths[i],
			.fd_flags = O_RDWR | O_CLOEXEC,
		};
		int fd = try_heap(self->exporter, &request);

		must(fd);
		check_equal(EXS_03_d, (lengths[i] + PAGE - 1) / PAGE * PAGE,
			    lseek(fd, 0, SEEK_END));
		close(fd);
	}
}

/* Memory that was used before comes back clean. */
CLAUSE_TEST(heap_memory_is_zeroed,
	    NEEDS(EXPORTER_HEAP, EXPORTER_MMAPS, IMPORTER_CPU), EXS_03_f)
{
	const struct buffer_spec spec = { .size = PAIR_BUFFER_SIZE };
	static const uint8_t zeroes[PAIR_BUFFER_SIZE];
	static uint8_t data[PAIR_BUFFER_SIZE];
	size_t size = sizeof(data);
	struct buffer buffer;

	must(pattern_write(SEED, &self->buffer));
	exporter_release(&self->buffer);
	for (int round = 0; round < ROUNDS; round++) {
		must(exporter_alloc(self->exporter, &spec, &buffer));
		must(cpu_read(buffer.fd, size, 0, data, size));
		check_equal(EXS_03_f, 0, memcmp(data, zeroes, size));
		must(pattern_write(SEED, &buffer));
		exporter_release(&buffer);
	}
}

CLAUSE_TEST(failed_heap_call_leaves_nothing, NEEDS(EXPORTER_HEAP, IMPORTER_CPU),
	    EXS_03_g)
{
	static struct fds before, after;
	char leaked[200] = "";

	must(fds_take(&before));
	check_errno(EXS_03_g, EFAULT,
		    exporter_alloc_unanswered(self->exporter, PAGE));
	must(fds_take(&after));
	check_saying(EXS_03_g,
		     !fds_new(&before, &after, leaked, sizeof(leaked)),
		     "%s", leaked);
}

/* Threads that all make the first SYNC of a buffer at the same time. */
struct race {
	pthread_barrier_t start;
	int fd;
};

static void *sync_in_race(void *argument)
{
	struct race *race = argument;
	long error;

	pthread_barrier_wait(&race->start);
	error = cpu_sync(race->fd, DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW);
	if (!error)
		error = cpu_sync(race->fd, DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW);
	return (void *)error;
}

/* The first error of any of them. */
static long run_race(int fd)
{
	pthread_t threads[THREADS];
	struct race race = { .fd = fd };
	long first = 0;
	void *error;

	if (pthread_barrier_init(&race.start, NULL, THREADS))
		return -ENOMEM;
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, sync_in_race, &race))
			abort();
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &error);
		first = first ? first : (long)error;
	}
	pthread_barrier_destroy(&race.start);
	return first;
}

/* What is broken by this shows in the kernel's log, most of all under KASAN. */
CLAUSE_TEST(threads_may_sync_at_once,
	    NEEDS(EXPORTER_UDMABUF, EXPORTER_MMAPS, IMPORTER_CPU),
	    EXS_04)
{
	const struct buffer_spec spec = { .size = PAIR_BUFFER_SIZE };

	for (int round = 0; round < ROUNDS; round++) {
		struct buffer buffer;

		must(exporter_alloc(self->exporter, &spec, &buffer));
		check_ok(EXS_04, run_race(buffer.fd));
		exporter_release(&buffer);
	}
}

/* Such a core mapped at attach, its own way, and hands that out whatever is asked. */
static bool core_has_mapped(const struct importer *importer)
{
	return law_is(LAW_MAPS_AT_ATTACH) &&
	       importer->backend.capabilities & CAP(IMPORTER_DYNAMIC);
}

CLAUSE_TEST(prime_map_wants_a_direction,
	    NEEDS(EXPORTER_DRM, EXPORTER_PRIME_PLAIN, EXPORTER_MAPS,
		  IMPORTER_PEER, IMPORTER_ATTACHES),
	    EXS_05_a)
{
	struct attachment attachment;
	struct mapping mapping;

	if (core_has_mapped(self->importer))
		skip_case("the core maps for this pair");
	provokes_warning("drm_gem_map_dma_buf");
	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	check_fails(EXS_05_a, peer_map(&attachment, PEER_NONE, &mapping));
	must(peer_detach(&attachment));
}

CLAUSE_TEST(prime_exporter_is_static,
	    NEEDS(EXPORTER_DRM, EXPORTER_PRIME_PLAIN, EXPORTER_MAPS,
		  IMPORTER_PEER, IMPORTER_ATTACHES),
	    EXS_05_b)
{
	struct attachment attachment;
	struct mapping mapping;

	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	check(EXS_05_b, !attachment.exporter_dynamic);
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	check_equal(EXS_05_b, 0, importer_saw(&attachment).notifies);
	must(peer_unmap(&mapping));
	check_equal(EXS_05_b, 0, importer_saw(&attachment).notifies);
	must(peer_detach(&attachment));
}

CLAUSE_TEST(prime_without_a_table,
	    NEEDS(EXPORTER_DRM, IMPORTER_PEER, IMPORTER_ATTACHES), EXS_05_c)
{
	struct attachment attachment;
	int error;

	if (self->exporter->backend.capabilities & CAP(EXPORTER_MAPS))
		skip_case("%s makes tables", self->exporter->backend.driver);
	error = peer_attach(self->importer, self->buffer.fd, NULL, &attachment);
	observe(EXS_05_c, "%s", errno_text(error));
	if (!error)
		must(peer_detach(&attachment));
}

/* The addresses of a table that is kept lead to the buffer after an unmap, too. */
CLAUSE_TEST(videobuf2_keeps_its_table,
	    NEEDS(EXPORTER_V4L2, EXPORTER_FILLS, IMPORTER_PEER, IMPORTER_STATIC,
		  IMPORTER_MAPS),
	    EXS_06)
{
	struct attachment attachment;
	struct mapping first, second;

	must(pattern_write(SEED, &self->buffer));
	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &first));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &second));
	must(peer_unmap(&first));
	if (!second.same_as)
		observe(EXS_06, "each map gives a table of its own");
	else
		observe(EXS_06, "maps give one table, and unmap %s",
			device_sees(&second, SEED) ? "ends it" : "does nothing");
	must(peer_unmap(&second));
	must(peer_detach(&attachment));
}

CLAUSE_TEST_MAIN("software")
