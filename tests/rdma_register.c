// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registration of dma-bufs with an RDMA device: which offsets, lengths,
 * addresses, rights and descriptors are taken, by the library and by the
 * kernel itself. One argument is wrong at a time. RDMA core is judged.
 * Clauses: RDR-01 to RDR-10, ERR-07; what the device makes of a region is in
 * rdma_region.c.
 */
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "importer/region.h"
#include "oracle/rdma_link.h"
#include "oracle/restrack.h"
#include "pair/clause_test.h"
#include "pair/kernel.h"

#define PAGE	UINT64_C(4096)
#define SIZE	((uint64_t)PAIR_BUFFER_SIZE)

/* ---- a device that cannot ------------------------------------------- */

/* The kernel's own software RDMA, whose driver registers no dma-bufs. */
#define RXE		"cts_rxe"
#define RXE_MODULE	"rdma_rxe"
#define RXE_NETWORK	"lo"

/* Arguments of which most would be wrong on any device. */
static const struct verbs_request unwelcome[] = {
	{ .fd = -1, .length = 0 },
	{ .fd = -1, .length = PAGE, .iova = 1 },
	{ .fd = 0, .length = PAGE, .access = VERBS_REMOTE_WRITE },
	{ .fd = 0, .length = PAGE, .access = VERBS_ON_DEMAND },
};

static int open_plain(const char *device, struct uverbs *uverbs, uint32_t *pd)
{
	int ret = uverbs_open(device, uverbs);

	if (!ret)
		ret = uverbs_get_context(uverbs);
	return ret ? ret : uverbs_alloc_pd(uverbs, pd);
}

CLAUSE_TEST(device_without_dma_bufs_says_so,
	    NEEDS(EXPORTER_PEER, IMPORTER_VERBS) | ANY_EXPORTER, RDR_01)
{
	struct verbs_request request = { .length = PAGE };
	struct uverbs uverbs;
	uint32_t pd, mr, index;

	if (kernel_module(RXE_MODULE) != MODULE_LOADED)
		skip_case("module %s is not loaded", RXE_MODULE);
	disrupts("makes a software RDMA device");
	must(link_up(RXE_NETWORK));
	must(link_add(RXE, "rxe", RXE_NETWORK));
	must(restrack_device(RXE, &index));
	must(open_plain(RXE, &uverbs, &pd));
	request.fd = self->buffer.fd;
	check_errno(RDR_01, EOPNOTSUPP,
		    uverbs_register(&uverbs, pd, &request, &mr, NULL));
	for (size_t i = 0; i < ARRAY_SIZE(unwelcome); i++)
		check_errno(RDR_01, EOPNOTSUPP,
			    uverbs_register(&uverbs, pd, &unwelcome[i], &mr,
					    NULL));
	uverbs_close(&uverbs);
	must(link_remove(index));
}

/* ---- offset and address --------------------------------------------- */

static const struct {
	uint64_t offset;
	uint64_t iova;
	bool agree;
} addresses[] = {
	{ 100, REGION_BASE, false },
	{ 0, REGION_BASE + 1, false },
	{ 0, REGION_BASE + PAGE / 2, false },
	{ PAGE - 1, REGION_BASE + PAGE - 2, false },
	{ PAGE + 8, REGION_BASE + 16, false },
	{ 0, PAGE, true },
	{ 0, REGION_BASE + 7 * PAGE, true },
	{ 5 * PAGE, REGION_BASE, true },
	{ 100, REGION_BASE + 100, true },
	{ 100, REGION_BASE + 3 * PAGE + 100, true },
	{ PAGE - 1, REGION_BASE + 9 * PAGE - 1, true },
	{ 2 * PAGE + 1, 0xfffff001, true },
	{ 0, 0xfffff000, true },
};

CLAUSE_TEST(offset_and_address_agree_within_a_page,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    RDR_02_a, RDR_02_b)
{
	struct verbs_domain *domain;

	must_open_domain(&domain);
	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
		struct verbs_request request =
			region_request(domain, &self->buffer,
				       addresses[i].offset, 2 * PAGE);
		int error;

		request.iova = addresses[i].iova;
		error = region_try(domain, &request);
		check_saying(addresses[i].agree ? RDR_02_b : RDR_02_a,
			     error == (addresses[i].agree ? 0 : -EINVAL),
			     "offset %#llx at address %#llx: %s",
			     (unsigned long long)request.offset,
			     (unsigned long long)request.iova,
			     errno_text(error));
	}
	must(verbs_domain_free(domain));
}

/* ---- bounds --------------------------------------------------------- */

static const struct {
	enum clause_id clause;
	uint64_t offset;
	uint64_t length;
	int error;
} ranges[] = {
	{ RDR_06_a, -PAGE, PAGE, -EINVAL },
	{ RDR_06_a, -PAGE, 2 * PAGE, -EINVAL },
	{ RDR_06_a, PAGE, -PAGE, -EINVAL },
	{ RDR_06_a, SIZE, -SIZE, -EINVAL },
	{ RDR_06_a, UINT64_MAX, 1, -EINVAL },
	{ RDR_06_a, UINT64_MAX, UINT64_MAX, -EINVAL },
	{ RDR_06_b, 0, SIZE + 1, -EINVAL },
	{ RDR_06_b, 0, SIZE + PAGE, -EINVAL },
	{ RDR_06_b, 1, SIZE, -EINVAL },
	{ RDR_06_b, PAGE, SIZE, -EINVAL },
	{ RDR_06_b, SIZE - 1, 2, -EINVAL },
	{ RDR_06_b, SIZE, 1, -EINVAL },
	{ RDR_06_b, SIZE + PAGE, 1, -EINVAL },
	{ RDR_06_b, 0, INT64_MAX, -EINVAL },
	{ RDR_06_b, 0, UINT64_C(1) << 32, -EINVAL },
	{ RDR_06_c, 0, SIZE, 0 },
	{ RDR_06_c, PAGE, SIZE - PAGE, 0 },
	{ RDR_06_c, SIZE - PAGE, PAGE, 0 },
	{ RDR_06_c, SIZE - 1, 1, 0 },
	{ RDR_06_c, 100, SIZE - 100, 0 },
	{ RDR_07, 0, 0, -EINVAL },
	{ RDR_07, 100, 0, -EINVAL },
	{ RDR_07, SIZE - PAGE, 0, -EINVAL },
	{ RDR_07, SIZE, 0, -EINVAL },
	{ RDR_08_a, 100, 8, 0 },
	{ RDR_08_a, 0, 1, 0 },
	{ RDR_08_a, PAGE - 1, 2, 0 },
	{ RDR_08_a, 3 * PAGE + 100, 5 * PAGE + 17, 0 },
};

CLAUSE_TEST(regions_lie_within_their_buffer,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    RDR_06_a, RDR_06_b, RDR_06_c, RDR_07, RDR_08_a)
{
	struct verbs_domain *domain;

	must_open_domain(&domain);
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		const struct verbs_request request =
			region_request(domain, &self->buffer,
				       ranges[i].offset, ranges[i].length);
		int error = region_try(domain, &request);

		check_saying(ranges[i].clause, error == ranges[i].error,
			     "%#llx bytes at %#llx of %#llx: %s",
			     (unsigned long long)request.length,
			     (unsigned long long)request.offset,
			     (unsigned long long)SIZE, errno_text(error));
	}
	must(verbs_domain_free(domain));
}

/* The library may look first, the kernel must. */
CLAUSE_TEST(kernel_keeps_the_bounds_itself,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    RDR_06_a, RDR_06_b, RDR_06_c, RDR_07)
{
	struct raw_domain raw;

	must_open_raw(&raw);
	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		const struct verbs_request request =
			region_request(raw.domain, &self->buffer,
				       ranges[i].offset, ranges[i].length);

		if (ranges[i].clause != RDR_08_a)
			check_equal(ranges[i].clause, ranges[i].error,
				    raw_register(&raw, &request,
						 request.access, 4));
	}
	must(raw_domain_close(&raw));
}

/* ---- access flags --------------------------------------------------- */

/* Each bit alone beside a good right, those beyond 32 as well. */
CLAUSE_TEST(access_flags_are_those_of_dma_bufs,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    RDR_03_a)
{
	struct verbs_request request;
	struct raw_domain raw;

	must_open_raw(&raw);
	request = region_request(raw.domain, &self->buffer, 0, SIZE);
	for (int bit = 0; bit < 64; bit++) {
		uint64_t flag = UINT64_C(1) << bit;
		int error;

		if (flag & REGION_ACCESS_ALLOWED)
			continue;
		error = raw_register(&raw, &request, VERBS_LOCAL_WRITE | flag,
				     bit < 32 ? 4 : 8);
		check_saying(RDR_03_a, error == -EINVAL, "access flag %#llx: %s",
			     (unsigned long long)flag, errno_text(error));
	}
	must(raw_domain_close(&raw));
}

CLAUSE_TEST(access_flags_come_in_two_sizes,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    RDR_03_b, RDR_03_c)
{
	static const uint16_t wrong[] = { 1, 2, 3, 5, 6, 7, 16 };
	struct verbs_request request;
	struct raw_domain raw;

	must_open_raw(&raw);
	request = region_request(raw.domain, &self->buffer, 0, SIZE);
	check_ok(RDR_03_b, raw_register(&raw, &request, 0, 0));
	check_ok(RDR_03_c, raw_register(&raw, &request, VERBS_LOCAL_WRITE, 4));
	check_ok(RDR_03_c, raw_register(&raw, &request, VERBS_LOCAL_WRITE, 8));
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		int error = raw_register(&raw, &request, VERBS_LOCAL_WRITE,
					 wrong[i]);

		check_saying(RDR_03_c, error == -EINVAL, "%d bytes: %s",
			     wrong[i], errno_text(error));
	}
	must(raw_domain_close(&raw));
}

static const struct {
	uint32_t flag;
	const char *name;
} rights[] = {
	{ 0, "none" },
	{ VERBS_LOCAL_WRITE, "LOCAL_WRITE" },
	{ VERBS_REMOTE_READ, "REMOTE_READ" },
	{ VERBS_LOCAL_WRITE | VERBS_REMOTE_WRITE, "REMOTE_WRITE" },
	{ VERBS_LOCAL_WRITE | VERBS_REMOTE_ATOMIC, "REMOTE_ATOMIC" },
	{ REGION_RELAXED_ORDERING, "RELAXED_ORDERING" },
};

/* What a driver may decline, as "REMOTE_ATOMIC: EOPNOTSUPP". */
CLAUSE_TEST(declined_rights_are_told,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_03_d)
{
	struct verbs_domain *domain;
	char declined[160] = "";
	size_t used = 0;

	must_open_domain(&domain);
	for (size_t i = 0; i < ARRAY_SIZE(rights); i++) {
		struct verbs_request request =
			region_request(domain, &self->buffer, 0, SIZE);
		int error;

		request.access = rights[i].flag;
		error = region_try(domain, &request);
		if (error)
			used += snprintf(declined + used,
					 sizeof(declined) - used, "%s%s: %s",
					 used ? ", " : "", rights[i].name,
					 errno_text(error));
		must_be(used < sizeof(declined));
	}
	observe(RDR_03_d, "declined: %s", used ? declined : "none");
	must(verbs_domain_free(domain));
}

/* Both ways in: the library could check this itself. */
CLAUSE_TEST(remote_writers_write_locally, NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    RDR_04_a, RDR_04_b)
{
	struct verbs_request request;
	struct raw_domain raw;

	must_open_raw(&raw);
	request = region_request(raw.domain, &self->buffer, 0, SIZE);
	check_errno(RDR_04_a, EINVAL,
		    raw_register(&raw, &request, VERBS_REMOTE_WRITE, 4));
	check_errno(RDR_04_a, EINVAL,
		    raw_register(&raw, &request, VERBS_REMOTE_WRITE |
				 VERBS_REMOTE_READ, 4));
	check_errno(RDR_04_b, EINVAL,
		    raw_register(&raw, &request, VERBS_REMOTE_ATOMIC, 4));
	request.access = VERBS_REMOTE_WRITE;
	check_errno(RDR_04_a, EINVAL, region_try(raw.domain, &request));
	must(raw_domain_close(&raw));
}

/* ---- descriptors ---------------------------------------------------- */

static int open_null(void)
{
	return open("/dev/null", O_RDWR | O_CLOEXEC);
}

static int open_file(void)
{
	return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

static int open_memfd(void)
{
	int fd = memfd_create("dmabuf-cts", MFD_CLOEXEC);

	return fd >= 0 && ftruncate(fd, PAIR_BUFFER_SIZE) ? -1 : fd;
}

static int open_eventfd(void)
{
	return eventfd(0, EFD_CLOEXEC);
}

static int open_pipe(void)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	close(ends[1]);
	return ends[0];
}

static const struct {
	const char *name;
	int (*open)(void);
} strangers[] = {
	{ "/dev/null", open_null },
	{ "a file", open_file },
	{ "a memfd", open_memfd },
	{ "an eventfd", open_eventfd },
	{ "a pipe", open_pipe },
};

#define check_stranger(clause_, error_, fd_, name_) \
	do { \
		struct verbs_request request_ = region_request(domain, \
			&self->buffer, 0, SIZE); \
		int result_; \
\
		request_.fd = fd_; \
		result_ = region_try(domain, &request_); \
		check_saying(clause_, result_ == -(error_), "%s: %s", name_, \
			     errno_text(result_)); \
	} while (0)

CLAUSE_TEST(descriptors_are_those_of_dma_bufs,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    RDR_05_a, RDR_05_b)
{
	struct verbs_domain *domain;
	int closed;

	must_open_domain(&domain);
	must_call(closed = dup(self->buffer.fd));
	close(closed);
	check_stranger(RDR_05_a, EBADF, closed, "a closed descriptor");
	check_stranger(RDR_05_a, EBADF, -1, "-1");
	check_stranger(RDR_05_a, EBADF, INT32_MAX, "a huge number");
	check_stranger(RDR_05_b, EINVAL,
		       verbs_command_fd(verbs_of(self->importer)),
		       "the device's own file");
	for (size_t i = 0; i < ARRAY_SIZE(strangers); i++) {
		int fd = strangers[i].open();

		must_be(fd >= 0);
		check_stranger(RDR_05_b, EINVAL, fd, strangers[i].name);
		close(fd);
	}
	must(verbs_domain_free(domain));
}

/* A fence of the very buffer is not the buffer. */
CLAUSE_TEST(sync_file_is_no_dma_buf,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_05_b)
{
	struct dma_buf_export_sync_file export = { .flags = DMA_BUF_SYNC_RW };
	struct verbs_domain *domain;

	needs_law(LAW_SYNC_FILE, YES);
	must_open_domain(&domain);
	must_call(ioctl(self->buffer.fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE,
			&export));
	check_stranger(RDR_05_b, EINVAL, export.fd, "a sync_file");
	close(export.fd);
	must(verbs_domain_free(domain));
}

/* ---- REG_MR --------------------------------------------------------- */

/* Numbers of REG_MR, which headers of older distributions do not have. */
enum {
	REG_MR_METHOD = UVERBS_METHOD_REG_DMABUF_MR + 1,
	REG_MR_HANDLE = 0,
	REG_MR_PD,
	REG_MR_DMA_HANDLE,
	REG_MR_IOVA,
	REG_MR_ADDR,
	REG_MR_LENGTH,
	REG_MR_ACCESS,
	REG_MR_FD,
	REG_MR_FD_OFFSET,
	REG_MR_LKEY,
	REG_MR_RKEY,
};

#define WITH_FD		(1u << 0)
#define WITH_OFFSET	(1u << 1)
#define WITH_ADDR	(1u << 2)

static size_t add(struct uverbs_attribute *attributes, size_t count,
		  uint16_t id, uint16_t length, uint64_t data)
{
	attributes[count] = (struct uverbs_attribute){
		.id = id, .length = length, .data = data,
	};
	return count + 1;
}

/* REG_MR with some of its attributes; @memory is what an address names. */
static int reg_mr(const struct raw_domain *raw, int fd, void *memory,
		  unsigned int with)
{
	struct uverbs_attribute attributes[12];
	uint64_t iova = with & WITH_ADDR ? (uintptr_t)memory : REGION_BASE;
	uint32_t lkey, rkey;
	size_t count = 0;
	int ret;

	count = add(attributes, count, REG_MR_HANDLE, 0, 0);
	count = add(attributes, count, REG_MR_PD, 0, raw->pd);
	count = add(attributes, count, REG_MR_IOVA, 8, iova);
	count = add(attributes, count, REG_MR_LENGTH, 8, PAGE);
	count = add(attributes, count, REG_MR_ACCESS, 4, VERBS_LOCAL_WRITE);
	count = add(attributes, count, REG_MR_LKEY, 4, (uintptr_t)&lkey);
	count = add(attributes, count, REG_MR_RKEY, 4, (uintptr_t)&rkey);
	if (with & WITH_FD)
		count = add(attributes, count, REG_MR_FD, 0, fd);
	if (with & WITH_OFFSET)
		count = add(attributes, count, REG_MR_FD_OFFSET, 8, PAGE);
	if (with & WITH_ADDR)
		count = add(attributes, count, REG_MR_ADDR, 8,
			    (uintptr_t)memory);
	ret = uverbs_call(&raw->uverbs, UVERBS_OBJECT_MR, REG_MR_METHOD,
			  attributes, count);
	return ret ? ret : uverbs_deregister(&raw->uverbs, attributes[0].data);
}

CLAUSE_TEST(reg_mr_takes_one_or_the_other, NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    RDR_09_a, RDR_09_b, RDR_09_c, RDR_09_d)
{
	int fd = self->buffer.fd;
	struct raw_domain raw;
	void *memory;

	needs_law(LAW_REG_MR_METHOD, YES);
	must_open_raw(&raw);
	memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must_be(memory != MAP_FAILED);
	check_errno(RDR_09_a, EINVAL, reg_mr(&raw, fd, memory, WITH_FD));
	check_errno(RDR_09_b, EINVAL,
		    reg_mr(&raw, fd, memory, WITH_FD | WITH_OFFSET | WITH_ADDR));
	check_errno(RDR_09_c, EINVAL,
		    reg_mr(&raw, fd, memory, WITH_OFFSET | WITH_ADDR));
	check_errno(RDR_09_c, EINVAL, reg_mr(&raw, fd, memory, WITH_OFFSET));
	check_ok(RDR_09_d, reg_mr(&raw, fd, memory, WITH_FD | WITH_OFFSET));
	munmap(memory, PAGE);
	must(raw_domain_close(&raw));
}

/* Numbers of DMA handles, which came with REG_MR. */
enum {
	DMAH_OBJECT = UVERBS_OBJECT_ASYNC_EVENT + 1,
	DMAH_ALLOC = 0,
	DMAH_FREE,
	DMAH_HANDLE = 0,
};

static int reg_mr_with_handle(const struct raw_domain *raw, int fd,
			      uint32_t dma_handle)
{
	struct uverbs_attribute attributes[12];
	uint32_t lkey, rkey;
	size_t count = 0;
	int ret;

	count = add(attributes, count, REG_MR_HANDLE, 0, 0);
	count = add(attributes, count, REG_MR_PD, 0, raw->pd);
	count = add(attributes, count, REG_MR_DMA_HANDLE, 0, dma_handle);
	count = add(attributes, count, REG_MR_IOVA, 8, REGION_BASE);
	count = add(attributes, count, REG_MR_LENGTH, 8, PAGE);
	count = add(attributes, count, REG_MR_ACCESS, 4, VERBS_LOCAL_WRITE);
	count = add(attributes, count, REG_MR_FD, 0, fd);
	count = add(attributes, count, REG_MR_FD_OFFSET, 8, 0);
	count = add(attributes, count, REG_MR_LKEY, 4, (uintptr_t)&lkey);
	count = add(attributes, count, REG_MR_RKEY, 4, (uintptr_t)&rkey);
	ret = uverbs_call(&raw->uverbs, UVERBS_OBJECT_MR, REG_MR_METHOD,
			  attributes, count);
	return ret ? ret : uverbs_deregister(&raw->uverbs, attributes[0].data);
}

CLAUSE_TEST(dma_handle_is_told, NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_10)
{
	struct uverbs_attribute handle = { .id = DMAH_HANDLE };
	struct raw_domain raw;
	int error;

	needs_law(LAW_REG_MR_METHOD, YES);
	must_open_raw(&raw);
	error = uverbs_call(&raw.uverbs, DMAH_OBJECT, DMAH_ALLOC, &handle, 1);
	if (error) {
		observe(RDR_10, "the driver has no DMA handles: %s",
			errno_text(error));
	} else {
		observe(RDR_10, "%s",
			errno_text(reg_mr_with_handle(&raw, self->buffer.fd,
						      handle.data)));
		must(uverbs_call(&raw.uverbs, DMAH_OBJECT, DMAH_FREE, &handle,
				 1));
	}
	must(raw_domain_close(&raw));
}

/* ---- an answer that cannot be written ------------------------------- */

/* REG_DMABUF_MR with one of its keys told to memory that is read-only. */
static int register_unanswered(const struct raw_domain *raw,
			       const struct verbs_request *request,
			       uint16_t unwritable, void *page)
{
	struct uverbs_attribute attributes[UVERBS_REGISTER_ATTRIBUTES];
	uint32_t key;

	uverbs_describe(attributes, raw->pd, request, &key, &key);
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++)
		if (attributes[i].id == unwritable)
			attributes[i].data = (uintptr_t)page;
	return uverbs_call(&raw->uverbs, UVERBS_OBJECT_MR,
			   UVERBS_METHOD_REG_DMABUF_MR, attributes,
			   ARRAY_SIZE(attributes));
}

CLAUSE_TEST(unanswered_registration_is_undone,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, ERR_07)
{
	static const uint16_t keys[] = {
		UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY,
		UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY,
	};
	struct verbs_request request;
	struct raw_domain raw;
	int before;
	void *page;

	must_open_raw(&raw);
	before = region_attachments(&self->buffer);
	if (before < 0)
		skip_case("cannot read bufinfo: %s", errno_text(before));
	page = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must_be(page != MAP_FAILED);
	request = region_request(raw.domain, &self->buffer, 0, SIZE);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		check_errno(ERR_07, EFAULT,
			    register_unanswered(&raw, &request, keys[i], page));
		check_equal(ERR_07, before, region_attachments(&self->buffer));
	}
	munmap(page, PAGE);
	must(raw_domain_close(&raw));
}

CLAUSE_TEST_MAIN("rdma_register")
