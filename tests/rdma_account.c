// SPDX-License-Identifier: GPL-2.0-only
/*
 * What buffers and regions are charged to whom: the limit on locked memory,
 * pinned memory of the process, the cgroups for memory, RDMA and device
 * memory. No text says what is right, so it is recorded; only that an import
 * which is over pins nothing any more is judged, of the exporter.
 * Clauses: ACCT-01 to ACCT-08, IOF-06.
 */
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "importer/region.h"
#include "oracle/cgroup.h"
#include "pair/await.h"
#include "pair/clause_test.h"
#include "pair/decline.h"

#define KIB		1024ll
#define SIZE		(4ll << 20)
#define LIMIT		(64 * KIB)	/* on locked memory */
#define SETTLE_MS	10000

static const struct buffer_spec big = { .size = SIZE };

/*
 * Coarse on purpose: what is charged beside the memory itself differs from run
 * to run, and does not matter.
 */
static const char *share_of(long long charged, long long size)
{
	if (charged < size / 8)
		return "nothing";
	return charged > size / 4 * 3 ? "all of it" : "a part of it";
}

/* A number in KiB from /proc/self/status, in bytes; 0 if it is not there. */
static long long status_of(const char *name)
{
	FILE *file = fopen("/proc/self/status", "re");
	size_t length = strlen(name);
	char line[128];
	long long value = 0;

	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, name, length) && line[length] == ':')
			value = strtoll(line + length + 1, NULL, 10) * KIB;
	fclose(file);
	return value;
}

static long long locked(void)
{
	return status_of("VmPin") + status_of("VmLck");
}

/* ---- in a process of its own ---------------------------------------- */

/* What a child found out: errnos, numbers of bytes, counts. */
struct answer {
	long long first;
	long long second;
	long long third;
};

struct question {
	struct pair *pair;
	struct buffer *buffer;
	const struct cgroup *cgroup;
};

typedef int (*examine)(const struct question *question, struct answer *answer);

/* Limits and groups of the child are gone with it. */
static int ask(examine examine, const struct question *question,
	       struct answer *answer)
{
	struct answer *shared = mmap(NULL, sizeof(*shared),
				     PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t child;

	if (shared == MAP_FAILED)
		return -errno;
	child = fork();
	if (!child)
		_exit(-examine(question, shared));
	if (child < 0 || waitpid(child, &status, 0) != child)
		return -errno;
	*answer = *shared;
	munmap(shared, sizeof(*shared));
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

/* The limit does not hold for who may lock as much as he likes. */
static int give_up_locking(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];
	const struct rlimit limit = { LIMIT, LIMIT };

	if (setrlimit(RLIMIT_MEMLOCK, &limit) ||
	    syscall(SYS_capget, &header, data))
		return -errno;
	data[0].effective &= ~(1u << CAP_IPC_LOCK);
	data[0].permitted &= ~(1u << CAP_IPC_LOCK);
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

/* A device and a domain of the child's own. */
static int open_domain(const struct question *question,
		       struct verbs_domain **domain)
{
	const struct importer *importer = &question->pair->importer;
	struct verbs *verbs;
	int ret = verbs_open(verbs_traits(verbs_of(importer))->name, &verbs);

	return ret ? ret : verbs_domain_new(verbs, domain);
}

static int register_buffer(struct verbs_domain *domain, struct buffer *buffer,
			   struct verbs_region *region)
{
	const struct verbs_request request =
		region_request(domain, buffer, 0, buffer->size);

	return verbs_register(domain, &request, region);
}

static int register_memory(struct verbs_domain *domain, size_t size,
			   struct verbs_region *region)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? -errno :
	       verbs_register_memory(domain, memory, size, VERBS_LOCAL_WRITE,
				     region);
}

/* ---- regions -------------------------------------------------------- */

static int examine_limit(const struct question *question,
			 struct answer *answer)
{
	struct verbs_region own, region;
	struct verbs_domain *domain;
	int ret = give_up_locking();

	if (!ret)
		ret = open_domain(question, &domain);
	if (ret)
		return ret;
	answer->second = register_buffer(domain, question->buffer, &region);
	answer->first = register_memory(domain, SIZE, &own);
	return 0;
}

static int examine_pinned(const struct question *question,
			  struct answer *answer)
{
	struct verbs_region own, region;
	struct verbs_domain *domain;
	long long before;
	int ret = open_domain(question, &domain);

	if (ret)
		return ret;
	before = locked();
	ret = register_memory(domain, SIZE, &own);
	answer->first = locked() - before;
	before = locked();
	if (!ret)
		ret = register_buffer(domain, question->buffer, &region);
	answer->second = locked() - before;
	return ret;
}

CLAUSE_TEST(limit_on_locked_memory_is_told,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    ACCT_01_a, ACCT_01_b)
{
	struct question question = { .pair = &self->pair };
	struct answer answer;
	struct buffer buffer;

	needs_no_decline();
	must(exporter_alloc(self->exporter, &big, &buffer));
	question.buffer = &buffer;
	must(ask(examine_limit, &question, &answer));
	observe(ACCT_01_a, "beyond the limit own memory is %s, a dma-buf %s",
		answer.first ? "refused" : "taken",
		answer.second ? "refused" : "taken");
	must(ask(examine_pinned, &question, &answer));
	observe(ACCT_01_b, "pinned of own memory: %s, of a dma-buf: %s",
		share_of(answer.first, SIZE), share_of(answer.second, SIZE));
	exporter_release(&buffer);
}

#define must_make_cgroup(cgroup_, controller_) \
	do { \
		int made_; \
\
		disrupts("puts a process into a cgroup of its own"); \
		made_ = cgroup_make(cgroup_, controller_); \
		if (made_ == -ENODEV) \
			skip_case("no cgroup controller %s here", controller_); \
		must(made_); \
	} while (0)

static int examine_memory_cgroup(const struct question *question,
				 struct answer *answer)
{
	struct verbs_region region;
	struct verbs_domain *domain;
	long long before;
	int ret = cgroup_join(question->cgroup);

	if (!ret)
		ret = open_domain(question, &domain);
	if (ret)
		return ret;
	before = cgroup_number(question->cgroup, "memory.current");
	ret = register_buffer(domain, question->buffer, &region);
	answer->first = cgroup_number(question->cgroup, "memory.current") -
			before;
	return ret;
}

CLAUSE_TEST(memory_charged_for_regions_is_told,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    ACCT_01_c)
{
	struct cgroup cgroup;
	struct question question = { .pair = &self->pair, .cgroup = &cgroup };
	struct answer answer;
	struct buffer buffer;

	needs_no_decline();
	must_make_cgroup(&cgroup, "memory");
	must(exporter_alloc(self->exporter, &big, &buffer));
	question.buffer = &buffer;
	must(ask(examine_memory_cgroup, &question, &answer));
	observe(ACCT_01_c, "%s", share_of(answer.first, SIZE));
	exporter_release(&buffer);
	cgroup_remove(&cgroup);
}

static const char *device_of(const struct question *question)
{
	return verbs_traits(verbs_of(&question->pair->importer))->name;
}

static long long objects_of(const struct question *question)
{
	return cgroup_sum(question->cgroup, "rdma.current", device_of(question),
			  "hca_object");
}

static int limit_objects(const struct question *question, const char *limit)
{
	char text[128];

	snprintf(text, sizeof(text), "%s hca_object=%s", device_of(question),
		 limit);
	return cgroup_write(question->cgroup, "rdma.max", text);
}

/* To what there is. */
static int limit_to_present(const struct question *question)
{
	char limit[24];

	snprintf(limit, sizeof(limit), "%lld", objects_of(question));
	return limit_objects(question, limit);
}

static int examine_rdma_cgroup(const struct question *question,
			       struct answer *answer)
{
	struct verbs_region first, second;
	struct verbs_domain *domain;
	long long before;
	int ret = cgroup_join(question->cgroup);

	if (!ret)
		ret = open_domain(question, &domain);
	if (ret)
		return ret;
	before = objects_of(question);
	ret = register_buffer(domain, question->buffer, &first);
	if (ret)
		return ret;
	answer->first = objects_of(question) - before;
	ret = limit_to_present(question);
	if (ret)
		return ret;
	answer->second = register_buffer(domain, question->buffer, &second);
	answer->third = region_attachments(question->buffer) - 1;
	return 0;
}

CLAUSE_TEST(rdma_cgroup_is_told, NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER,
	    ACCT_02_a, ACCT_02_b, ACCT_02_c)
{
	struct cgroup cgroup;
	struct question question = {
		.pair = &self->pair, .buffer = &self->buffer, .cgroup = &cgroup,
	};
	struct answer answer;

	needs_no_decline();
	if (region_attachments(&self->buffer) < 0)
		skip_case("cannot read bufinfo");
	must_make_cgroup(&cgroup, "rdma");
	must(ask(examine_rdma_cgroup, &question, &answer));
	/*
	 * A group that goes with a limit in it and nothing charged leaves its
	 * pool on the device's list, which the removal of the device follows
	 * into freed memory: rdmacg_css_offline() of at least 6.1.
	 */
	must(limit_objects(&question, "max"));
	observe(ACCT_02_a, "%lld", answer.first);
	observe(ACCT_02_b, "%s", errno_text(answer.second));
	observe(ACCT_02_c, "%lld attachments", answer.third);
	cgroup_remove(&cgroup);
}

/* ---- buffers -------------------------------------------------------- */

/* An exporter of the child's own, with the limit on locked memory. */
static int examine_buffer(const struct question *question,
			  struct answer *answer)
{
	const char *selector = question->pair->exporter.backend.selector;
	struct exporter exporter;
	struct buffer buffer;
	long long before = 0, was_locked;
	int ret = question->cgroup ? cgroup_join(question->cgroup) :
				     give_up_locking();

	if (!ret)
		ret = exporter_open(selector, &exporter);
	if (ret)
		return ret;
	if (question->cgroup)
		before = cgroup_number(question->cgroup, "memory.current");
	was_locked = locked();
	answer->first = exporter_alloc(&exporter, &big, &buffer);
	answer->second = locked() - was_locked;
	if (question->cgroup)
		answer->third = cgroup_number(question->cgroup,
					      "memory.current") - before;
	return 0;
}

/* Both questions about an exporter's buffers, as one value. */
#define observe_buffer(clause_) \
	do { \
		struct cgroup cgroup_; \
		struct question question_ = { .pair = &self->pair }; \
		struct answer limited_, grouped_; \
\
		must_make_cgroup(&cgroup_, "memory"); \
		must(ask(examine_buffer, &question_, &limited_)); \
		question_.cgroup = &cgroup_; \
		must(ask(examine_buffer, &question_, &grouped_)); \
		must(grouped_.first); \
		observe(clause_, "beyond the limit on locked memory: %s; counted as locked: %s; charged to the memory cgroup: %s", \
			errno_text(limited_.first), \
			share_of(limited_.second, SIZE), \
			share_of(grouped_.third, SIZE)); \
		cgroup_remove(&cgroup_); \
	} while (0)

CLAUSE_TEST(charge_for_udmabuf_is_told,
	    NEEDS(EXPORTER_UDMABUF, IMPORTER_CPU), ACCT_03)
{
	observe_buffer(ACCT_03);
}

CLAUSE_TEST(charge_for_heap_is_told, NEEDS(EXPORTER_HEAP, IMPORTER_CPU),
	    ACCT_04)
{
	observe_buffer(ACCT_04);
}

/* Over all regions: "drm/0000:00:02.0/vram0 4096". Without one there is none. */
static long long device_memory(const struct cgroup *cgroup)
{
	long long sum = cgroup_sum(cgroup, "dmem.current", NULL, NULL);

	return sum < 0 ? 0 : sum;
}

static int examine_device_memory(const struct question *question,
				 struct answer *answer)
{
	const char *exporter_name = question->pair->exporter.backend.selector;
	const char *importer_name = question->pair->importer.backend.selector;
	struct exporter exporter;
	struct importer importer;
	struct import import;
	struct buffer buffer;
	int ret = cgroup_join(question->cgroup);

	if (!ret)
		ret = exporter_open(exporter_name, &exporter);
	if (!ret)
		ret = importer_open(importer_name, &importer);
	if (!ret)
		ret = exporter_alloc(&exporter, &big, &buffer);
	if (ret)
		return ret;
	answer->first = device_memory(question->cgroup);
	ret = importer_import(&importer, buffer.fd, 0, 0,
			      IMPORT_BOTH | IMPORT_PIN, &import);
	answer->second = device_memory(question->cgroup) - answer->first;
	return ret;
}

CLAUSE_TEST(charge_for_device_memory_is_told,
	    NEEDS(EXPORTER_DRM, EXPORTER_MAPS, IMPORTER_ATTACHES,
		  IMPORTER_MAPS), ACCT_05)
{
	struct cgroup cgroup;
	struct question question = { .pair = &self->pair, .cgroup = &cgroup };
	struct answer answer;
	int made;

	needs_no_decline();
	disrupts("puts a process into a cgroup of its own");
	made = cgroup_make(&cgroup, "dmem");
	if (made == -ENODEV) {
		observe(ACCT_05, "to nobody: there is no cgroup controller for it");
		return;
	}
	must(made);
	must(ask(examine_device_memory, &question, &answer));
	observe(ACCT_05, "charged for a buffer: %s, for its import: %s",
		share_of(answer.first, SIZE), share_of(answer.second, SIZE));
	cgroup_remove(&cgroup);
}

/* ---- imports -------------------------------------------------------- */

#define observe_import(clause_) \
	do { \
		long long before_ = locked(); \
		struct import import_; \
		int error_ = importer_import(self->importer, self->buffer.fd, \
					     0, 0, IMPORT_BOTH | IMPORT_PIN, \
					     &import_); \
\
		if (error_) { \
			observe(clause_, "no import: %s", errno_text(error_)); \
			return; \
		} \
		observe(clause_, "counted as locked or pinned: %s", \
			share_of(locked() - before_, PAIR_BUFFER_SIZE)); \
		must(importer_release(&import_)); \
	} while (0)

CLAUSE_TEST(charge_for_an_import_is_told,
	    NEEDS(EXPORTER_PEER, IMPORTER_ATTACHES) | ANY_EXPORTER, ACCT_06)
{
	observe_import(ACCT_06);
}

CLAUSE_TEST(charge_for_an_address_space_is_told,
	    NEEDS(EXPORTER_VFIO, IMPORTER_IOMMUFD), IOF_06)
{
	observe_import(IOF_06);
}

/* What was pinned for an import can be moved again, and so reclaimed. */
CLAUSE_TEST(pinned_memory_is_free_after_import,
	    NEEDS(EXPORTER_PIN_OP, EXPORTER_MOVES, IMPORTER_MAPS), ACCT_07)
{
	struct import import;

	needs_moves_at_will();
	must_import(IMPORT_BOTH | IMPORT_PIN, &import);
	must(importer_release(&import));
	check(ACCT_07, comes_true(SETTLE_MS, !exporter_move(&self->buffer,
							    PLACE_OTHER)));
	check_ok(ACCT_07, exporter_move(&self->buffer, PLACE_SYSTEM));
}

static const struct {
	const char *name;
	const char *path;
} tellers[] = {
	{ "sysfs", "/sys/kernel/dmabuf/buffers" },
	{ "debugfs", "/sys/kernel/debug/dma_buf/bufinfo" },
};

CLAUSE_TEST(lists_of_buffers_are_told, NEEDS(EXPORTER_PEER, IMPORTER_CPU),
	    ACCT_08)
{
	char found[64] = "";

	for (size_t i = 0; i < ARRAY_SIZE(tellers); i++)
		if (!access(tellers[i].path, F_OK))
			snprintf(found + strlen(found),
				 sizeof(found) - strlen(found), "%s%s",
				 *found ? ", " : "", tellers[i].name);
	observe(ACCT_08, "%s", *found ? found : "nowhere");
}

CLAUSE_TEST_MAIN("rdma_account")
