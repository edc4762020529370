// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is left of regions when somebody goes: the process that has them, the
 * device, the driver's module. The driver is judged, by bytes, by the peer
 * exporter, and where the device is the suite's emulated one also by its
 * counters.
 * Clauses: NIC-11, NIC-12.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "importer/nic_wrongs.h"
#include "importer/rdma_device.h"
#include "importer/region.h"
#include "importer/uverbs.h"
#include "importer/verbs_mover.h"
#include "oracle/drive.h"
#include "oracle/guard.h"
#include "oracle/module.h"
#include "oracle/thread.h"
#include "pair/clause_test.h"
#include "peer/life.h"

#define SEED		0x21c1
#define SIZE		((uint64_t)PAIR_BUFFER_SIZE)
#define WATCH_MS	40
#define SETTLE_MS	10000
#define LET_GO_WAIT_MS	500

/* ---- the process ---------------------------------------------------- */

/* Writes without end, in a process of its own with a device file of its own. */
static void write_forever(const char *device, const struct buffer *buffer)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	struct verbs_domain *domain;
	struct verbs_request request;
	struct verbs_region region;
	struct verbs_mover mover;
	struct verbs *verbs;

	pattern_fill(SEED, 0, data, SIZE);
	if (verbs_open(device, &verbs) || verbs_domain_new(verbs, &domain) ||
	    verbs_mover_open(domain, &mover))
		_exit(1);
	request = region_request(domain, buffer, 0, SIZE);
	if (verbs_register(domain, &request, &region))
		_exit(2);
	for (;;)
		if (verbs_move_in(&mover, &region, 0, data, SIZE))
			_exit(3);
}

static pid_t start_writer(struct importer *importer, struct buffer *buffer)
{
	const char *device = verbs_traits(verbs_of(importer))->name;
	pid_t child = fork();

	if (!child)
		write_forever(device, buffer);
	return child;
}

/* In the middle of it, wherever that is. */
CLAUSE_TEST(death_of_a_writer_ends_its_writes,
	    NEEDS(EXPORTER_PEER, IMPORTER_VERBS, IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
	    NIC_12_a, NIC_12_b)
{
	struct verbs_domain *domain;
	struct nic_wrongs before;
	struct nic_page page;
	pid_t child;

	must_open_domain(&domain);
	nic_page_if_any(self->importer, &page);
	before = nic_wrongs(&page);
	must_call(child = start_writer(self->importer, &self->buffer));
	must_be(comes_true(SETTLE_MS, !pattern_verify(SEED, &self->buffer)));
	must_call(kill(child, SIGKILL));
	must_be(waitpid(child, NULL, 0) == child);
	must_be(everyone_detached(&self->buffer));

	must(pattern_write(SEED + 1, &self->buffer));
	check(NIC_12_a, !comes_true(WATCH_MS,
				    pattern_verify(SEED + 1, &self->buffer)));
	if (page.registers)
		check_no_wrongs(NIC_12_b, before, &page);
	else
		skip_clause(NIC_12_b, "the device does not tell; the kernel's log would");
	nic_page_close(&page);
	must(verbs_domain_free(domain));
}

/* ---- the device, and its driver ------------------------------------- */

static int unbind_in_thread(void *argument)
{
	struct binding *binding = argument;

	return drive(binding->driver, "unbind", binding->device);
}

static int holds_nothing(struct buffer *buffer)
{
	struct peer_exporter_stat stat = exporter_saw(buffer);

	return !stat.attachments && !stat.maps && !stat.pins &&
	       !stat.order_wrong;
}

/* What the driver made of a user who was there when it was taken away. */
struct cut_off {
	bool done;		/* else it waited until the user was gone */
	bool let_go;		/* of the buffer, by then */
	int call;		/* what a call of the user gave */
};

/*
 * Some drivers cut their users off, others wait until those are gone. @user is
 * a node with a context, from before.
 */
static struct cut_off observe_cut_off(const struct thread *unbinding,
				      const struct uverbs *user,
				      struct buffer *buffer)
{
	struct cut_off cut_off = {
		.done = comes_true(LET_GO_WAIT_MS, unbinding->done),
	};
	uint32_t pd;

	if (cut_off.done) {
		cut_off.let_go = holds_nothing(buffer);
		cut_off.call = uverbs_alloc_pd(user, &pd);
	}
	return cut_off;
}

/* The device's node, to be opened later, when it may have no name any more. */
static int find_node(const char *device)
{
	struct rdma_device found;
	int ret = rdma_find(device, &found), node;

	if (ret)
		return ret;
	node = open(found.node, O_PATH | O_CLOEXEC);
	return node < 0 ? -errno : node;
}

/* Return: a descriptor or a negative errno. */
static int open_node(int node)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", node);
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* The driver lets go of the device while another process has a region. */
CLAUSE_TEST_TIMEOUT(device_goes_with_its_regions, 60,
		    NEEDS(EXPORTER_PEER, IMPORTER_VERBS) | ANY_EXPORTER,
		    NIC_11_a, NIC_11_b, NIC_11_c)
{
	static struct binding binding;
	char device[64];
	struct verbs_request request;
	struct verbs_domain *domain;
	struct verbs_child child;
	struct cut_off cut_off;
	struct thread unbinding;
	struct uverbs user;
	struct verbs *verbs;
	int error, node;
	pid_t guard;

	disrupts("takes the RDMA device from its driver");
	must_open_domain(&domain);
	if (drive_find(self->importer->backend.device, &binding))
		skip_case("the device is no PCI function");
	strcpy(device, verbs_traits(verbs_of(self->importer))->name);
	must(node = find_node(device));
	request = region_request(domain, &self->buffer, 0, SIZE);
	must(uverbs_borrow(verbs_of(self->importer), &user));
	must(verbs_domain_free(domain));
	must(verbs_child_start(device, &request, &child));
	must_be(exporter_saw(&self->buffer).attachments == 1);
	importer_close(self->importer);

	must(guard = drive_guard(&binding));
	must(thread_start(&unbinding, unbind_in_thread, &binding));
	cut_off = observe_cut_off(&unbinding, &user, &self->buffer);
	uverbs_close(&user);
	must(verbs_child_kill(&child));
	must(thread_join(&unbinding, SETTLE_MS, &error));
	must(error);
	if (cut_off.done) {
		check(NIC_11_a, cut_off.let_go);
		check_fails(NIC_11_b, cut_off.call);
	}
	check(NIC_11_a, holds_nothing(&self->buffer));
	/* Where the driver waited for its users, it is those who come now. */
	check_fails(NIC_11_b, open_node(node));
	close(node);

	must(drive(binding.driver, "bind", binding.device));
	guard_stop(guard);
	must_be(comes_true(SETTLE_MS, !verbs_open(binding.device, &verbs)));
	must(verbs_domain_new(verbs, &domain));
	check_ok(NIC_11_c, region_try(domain, &request));
	must(verbs_domain_free(domain));
	must(verbs_close(verbs));
}

/* A region reads the buffer's bytes on a device that was opened anew. */
static int domain_reads(struct verbs_domain *domain, struct buffer *buffer)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	struct verbs_request request = region_request(domain, buffer, 0, SIZE);
	struct verbs_region region;
	struct verbs_mover mover;
	int ret = verbs_mover_open(domain, &mover);

	if (ret)
		return ret;
	ret = verbs_register(domain, &request, &region);
	if (ret)
		goto close_mover;
	ret = verbs_move_out(&mover, &region, 0, data, SIZE);
	if (!ret && pattern_mismatch(SEED, 0, data, SIZE) >= 0)
		ret = -EILSEQ;
	verbs_deregister(&region);
close_mover:
	verbs_mover_close(&mover);
	return ret;
}

static int device_reads(const char *device, struct buffer *buffer)
{
	struct verbs_domain *domain;
	struct verbs *verbs;
	int ret = verbs_open(device, &verbs);

	if (ret)
		return ret;
	ret = verbs_domain_new(verbs, &domain);
	if (!ret) {
		ret = domain_reads(domain, buffer);
		verbs_domain_free(domain);
	}
	verbs_close(verbs);
	return ret;
}

/*
 * The driver's module goes and comes while the buffer stays. A region keeps the
 * device open, and the device its module.
 */
CLAUSE_TEST_TIMEOUT(driver_is_unloaded_beside_buffers, 60,
		    NEEDS(EXPORTER_PEER, IMPORTER_VERBS, IMPORTER_MOVES_BYTES) | ANY_EXPORTER,
		    NIC_11_a, NIC_11_c, NIC_11_d)
{
	static struct module_list modules;
	const struct module *module;
	struct verbs_request request;
	struct verbs_domain *domain;
	struct verbs_child child;
	char device[64];
	pid_t guard;
	int error;

	disrupts("unloads the driver of the RDMA device");
	must_open_domain(&domain);
	request = region_request(domain, &self->buffer, 0, SIZE);
	must(verbs_domain_free(domain));
	strcpy(device, verbs_traits(verbs_of(self->importer))->name);
	must(pattern_write(SEED, &self->buffer));
	importer_close(self->importer);
	if (modules_of(self->importer->backend.device, &modules))
		skip_case("the driver is no module");
	must(verbs_child_start(device, &request, &child));
	module = module_kept(&modules);
	check_saying(NIC_11_d, module, "an open device keeps no module of its driver");
	if (!module || module->uses)
		skip_case("the driver cannot be unloaded safely: others use it");

	must(guard = module_guard(module));
	check_errno(NIC_11_d, EAGAIN, module_unload(module));
	check_equal(NIC_11_d, 1, exporter_saw(&self->buffer).attachments);
	must(verbs_child_kill(&child));
	must_be(comes_true(SETTLE_MS, (error = module_unload(module)) != -EAGAIN));
	must(error);
	check(NIC_11_a, holds_nothing(&self->buffer));
	check_ok(NIC_11_a, pattern_verify(SEED, &self->buffer));

	must(module_load(module));
	guard_stop(guard);
	check(NIC_11_c, comes_true(SETTLE_MS, (error = device_reads(device,
							&self->buffer)) != -ENODEV));
	check_ok(NIC_11_c, error);
}

CLAUSE_TEST_MAIN("rdma_gone")
