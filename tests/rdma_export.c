// SPDX-License-Identifier: GPL-2.0-only
/*
 * RDMA core as an exporter of memory of devices: what it exports and what not,
 * whom it turns away, and what becomes of an import when the memory goes.
 * RDMA core is judged, with any importer.
 * Clauses: RDX-01 to RDX-07.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exporter/uverbs_area.h"
#include "importer/peer.h"
#include "importer/rdma_device.h"
#include "oracle/bufinfo.h"
#include "oracle/drive.h"
#include "oracle/fds.h"
#include "oracle/guard.h"
#include "oracle/thread.h"
#include "pair/await.h"
#include "pair/clause_test.h"
#include "pair/cpu.h"
#include "pair/decline.h"
#include "pair/errno_text.h"
#include "pair/fence.h"
#include "peer/observe.h"
#include "peer/peer_importer.h"

#define PAGE		4096
#define FENCE_MS	200
#define LATE_MS		100
#define WATCH_MS	30
#define JOIN_MS		10000
#define ROUNDS		20
#define LARGE		(1u << 20)	/* a few of them are all memory there is */

/* "peer_rdma0", of "uverbs:peer_rdma0" */
static const char *device_name(const struct exporter *exporter)
{
	return strchr(exporter->backend.selector, ':') + 1;
}

/* ---- what is exported ------------------------------------------------ */

/* What an offset gives; a descriptor is closed. */
static int ask(const struct uverbs *uverbs, uint64_t offset)
{
	int fd = uverbs_export(uverbs, offset);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* Offsets are given from the lowest on, and nobody else has memory here. */
CLAUSE_TEST(offsets_are_looked_at, NEEDS(EXPORTER_UVERBS, IMPORTER_CPU),
	    RDX_01_a, RDX_01_d)
{
	const struct uverbs *uverbs = uverbs_of(self->exporter);
	const struct uverbs_area *area = uverbs_area_of(&self->buffer);
	struct fds before, after;
	char text[256];

	must(ask(uverbs, area->offset));
	must(fds_take(&before));
	check_errno(RDX_01_a, EINVAL, ask(uverbs, area->offset + area->size));
	check_errno(RDX_01_a, EINVAL, ask(uverbs, area->offset + PAGE));
	check_errno(RDX_01_a, EINVAL, ask(uverbs, -(uint64_t)PAGE));
	check_errno(RDX_01_a, EINVAL, ask(uverbs, INT64_MAX));
	check_errno(RDX_01_a, EINVAL, ask(uverbs, INT64_MIN));
	must(fds_take(&after));
	check_saying(RDX_01_d, !fds_new(&before, &after, text, sizeof(text)),
		     "%s", text);
}

/* The buffer that was exported before keeps what is removed in its place. */
CLAUSE_TEST(removed_memory_is_not_exported,
	    NEEDS(EXPORTER_UVERBS, IMPORTER_CPU), RDX_01_b, RDX_01_d)
{
	const struct uverbs *uverbs = uverbs_of(self->exporter);
	uint64_t offset = uverbs_area_of(&self->buffer)->offset;
	struct fds before, after;
	char text[256];

	must(exporter_revoke(&self->buffer));
	must(fds_take(&before));
	check_errno(RDX_01_b, EIO, ask(uverbs, offset));
	must(fds_take(&after));
	check_saying(RDX_01_d, !fds_new(&before, &after, text, sizeof(text)),
		     "%s", text);
	exporter_release(&self->buffer);
	check_errno(RDX_01_b, EINVAL, ask(uverbs, offset));
}

/* How a device answers whose driver the suite has no memory of. */
static int ask_other(const struct rdma_device *device)
{
	struct uverbs uverbs;
	int ret = uverbs_open(device->name, &uverbs);

	if (ret)
		return ret;
	ret = ask(&uverbs, 0);
	uverbs_close(&uverbs);
	return ret;
}

CLAUSE_TEST(other_devices_lack_the_call, NEEDS(EXPORTER_UVERBS, IMPORTER_CPU),
	    RDX_01_c)
{
	struct rdma_device devices[RDMA_DEVICES_MAX];
	int count = rdma_devices(devices), others = 0;

	for (int i = 0; i < count; i++)
		if (!strcmp(devices[i].driver, "efa")) {
			check_errno(RDX_01_c, EPROTONOSUPPORT,
				    ask_other(&devices[i]));
			others++;
		}
	if (!others)
		skip_case("no RDMA device here that is known to export nothing");
}

static int try_to_map(int fd)
{
	void *bytes = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0);

	if (bytes == MAP_FAILED)
		return -errno;
	munmap(bytes, PAGE);
	return 0;
}

CLAUSE_TEST(descriptor_is_for_devices_alone,
	    NEEDS(EXPORTER_UVERBS, IMPORTER_CPU),
	    RDX_03_a, RDX_03_b, RDX_03_c, RDX_03_d)
{
	int fd = self->buffer.fd;

	check(RDX_03_a, fcntl(fd, F_GETFD) & FD_CLOEXEC);
	check_equal(RDX_03_b, O_RDONLY, fcntl(fd, F_GETFL) & O_ACCMODE);
	check_errno(RDX_03_c, EINVAL, try_to_map(fd));
	check_ok(RDX_03_d, cpu_sync(fd, DMA_BUF_SYNC_READ | DMA_BUF_SYNC_START));
	check_ok(RDX_03_d, cpu_sync(fd, DMA_BUF_SYNC_READ | DMA_BUF_SYNC_END));
}

/* ---- who comes in ---------------------------------------------------- */

/* Attached is enough of one whose steps can be told apart. */
static int try_to_get_in(struct importer *importer, int fd)
{
	struct attachment attachment;
	struct import import;
	int error;

	if (!(importer->backend.capabilities & CAP(IMPORTER_PEER))) {
		error = importer_import(importer, fd, 0, 0, IMPORT_BOTH,
					&import);
		return error ? error : importer_release(&import);
	}
	error = peer_attach(importer, fd, NULL, &attachment);
	return error ? error : peer_detach(&attachment);
}

CLAUSE_TEST(unsuited_importer_is_turned_away,
	    NEEDS(EXPORTER_UVERBS, IMPORTER_UNWANTED) | EACH_PAIR,
	    RDX_02_a, RDX_02_c)
{
	int error = try_to_get_in(self->importer, self->buffer.fd);

	if (self->importer->backend.capabilities & CAP(IMPORTER_P2P)) {
		check_refused(RDX_02_c, EOPNOTSUPP, error);
		skip_clause(RDX_02_a, "this importer allows peer to peer");
	} else {
		check_refused(RDX_02_a, EOPNOTSUPP, error);
		skip_clause(RDX_02_c, "this importer does not allow peer to peer");
	}
}

CLAUSE_TEST(nobody_pins,
	    NEEDS(EXPORTER_UVERBS, IMPORTER_PEER, IMPORTER_NOTIFIED, IMPORTER_P2P),
	    RDX_02_b)
{
	struct attachment attachment;

	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	check_errno(RDX_02_b, EOPNOTSUPP, peer_pin(&attachment));
	must(peer_detach(&attachment));
}

/* The same importer, as one that has no callback. */
CLAUSE_TEST(unrevocable_importer_is_turned_away,
	    NEEDS(EXPORTER_UVERBS, IMPORTER_PEER, IMPORTER_NOTIFIED, IMPORTER_P2P),
	    RDX_07)
{
	const struct peer_importer_mode silent = {
		"silent-p2p", PEER_MODE_SILENT, PEER_ATTACH_P2P, NEEDS_NOTHING,
	};
	struct importer importer = *self->importer;
	struct attachment attachment;
	int error;

	importer.data = (void *)&silent;
	error = peer_attach(&importer, self->buffer.fd, NULL, &attachment);
	check_errno(RDX_07, EOPNOTSUPP, error);
	if (!error)
		must(peer_detach(&attachment));
}

/* ---- when the memory goes -------------------------------------------- */

/*
 * There must be no fence: RDMA core holds the reservation while it waits for
 * one, which the late unmap needs. It would come to be before anyone looks.
 */
CLAUSE_TEST_TIMEOUT(removal_revokes, 30,
	    NEEDS(EXPORTER_UVERBS, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_NOTIFIED, IMPORTER_P2P),
	    RDX_04_a, RDX_04_c, RDX_05)
{
	const struct attach_options late = {
		.reaction = PEER_REACT_LATE, .late_ms = LATE_MS,
	};
	struct attachment attachment, after;
	struct mapping mapping;

	must(peer_attach(self->importer, self->buffer.fd, &late, &attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	must(exporter_revoke(&self->buffer));
	check_equal(RDX_04_a, 1, importer_saw(&attachment).notifies);
	check_equal(RDX_04_c, 0, importer_saw(&attachment).maps);
	check_errno(RDX_05, ENODEV,
		    peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	must(peer_attach(self->importer, self->buffer.fd, NULL, &after));
	check_errno(RDX_05, ENODEV,
		    peer_map(&after, PEER_BIDIRECTIONAL, &mapping));
	must(peer_detach(&after));
	must(peer_detach(&attachment));
}

CLAUSE_TEST_TIMEOUT(removal_waits_for_fences, 30,
	    NEEDS(EXPORTER_UVERBS, IMPORTER_PEER, IMPORTER_NOTIFIED,
		  IMPORTER_P2P),
	    RDX_04_b)
{
	struct attachment attachment;

	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	must(peer_importer_fence(&attachment, PEER_USAGE_BOOKKEEP, FENCE_MS));
	must(exporter_revoke(&self->buffer));
	check_equal(RDX_04_b, 0, importer_saw(&attachment).fences_pending);
	must(peer_detach(&attachment));
}

/* A context of its own on the same device, with an exported page. */
struct context {
	struct uverbs uverbs;
	int fd;
};

static int context_open(const struct exporter *exporter, size_t size,
			struct context *context)
{
	struct uverbs_area area;
	int ret = uverbs_open(device_name(exporter), &context->uverbs);

	if (ret)
		return ret;
	ret = uverbs_get_context(&context->uverbs);
	if (!ret)
		ret = uverbs_area_new(&context->uverbs, size, &area);
	if (!ret) {
		/* It would keep the context. */
		munmap(area.bytes, area.size);
		ret = context->fd = uverbs_export(&context->uverbs, area.offset);
	}
	if (ret < 0)
		uverbs_close(&context->uverbs);
	return ret < 0 ? ret : 0;
}

CLAUSE_TEST_TIMEOUT(end_of_the_context_revokes, 30,
	    NEEDS(EXPORTER_UVERBS, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_NOTIFIED, IMPORTER_P2P),
	    RDX_04_d)
{
	struct attachment attachment;
	struct context context;
	struct mapping mapping;

	must(context_open(self->exporter, PAGE, &context));
	must(peer_attach(self->importer, context.fd, NULL, &attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	uverbs_close(&context.uverbs);
	check(RDX_04_d, importer_saw(&attachment).notifies >= 1);
	check_equal(RDX_04_d, 0, importer_saw(&attachment).maps);
	check_errno(RDX_04_d, ENODEV,
		    peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	must(peer_detach(&attachment));
	close(context.fd);
}

/*
 * The driver leaves although somebody holds an import, and comes back. That the
 * guard has the areas mapped is no harm: RDMA core takes mappings of a device
 * that goes out of all processes.
 */
CLAUSE_TEST_TIMEOUT(end_of_the_device_revokes, 60,
	    NEEDS(EXPORTER_UVERBS, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_NOTIFIED, IMPORTER_P2P),
	    RDX_04_e)
{
	char selector[sizeof(self->exporter->backend.selector)];
	struct attachment attachment;
	struct binding binding;
	struct mapping mapping;
	pid_t guard;

	disrupts("takes the device away from its driver");
	strcpy(selector, self->exporter->backend.selector);
	must(drive_find(self->exporter->backend.device, &binding));
	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	must(guard = drive_guard(&binding));
	must(drive(binding.driver, "unbind", binding.device));
	check(RDX_04_e, importer_saw(&attachment).notifies >= 1);
	check_equal(RDX_04_e, 0, importer_saw(&attachment).maps);
	check_errno(RDX_04_e, ENODEV,
		    peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	must(peer_detach(&attachment));
	exporter_release(&self->buffer);
	exporter_close(self->exporter);
	must(drive(binding.driver, "bind", binding.device));
	guard_stop(guard);
	must(exporter_open(selector, self->exporter));
}

/* ---- at the same time ------------------------------------------------ */

static int close_descriptor(void *argument)
{
	return close(*(int *)argument) ? -errno : 0;
}

/* Whoever is first, the memory is there again for the next round. */
CLAUSE_TEST_TIMEOUT(descriptor_closes_beside_its_context, 60,
	    NEEDS(EXPORTER_UVERBS, IMPORTER_CPU), RDX_06)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct context context;
		struct thread thread;
		int error;

		error = context_open(self->exporter, LARGE, &context);
		if (i)
			check_ok(RDX_06, error);
		must_be(!error);
		must(thread_start(&thread, close_descriptor, &context.fd));
		uverbs_close(&context.uverbs);
		check_ok(RDX_06, thread_join(&thread, JOIN_MS, &error));
		must(error);
	}
}

static int close_node(void *argument)
{
	struct uverbs *uverbs = argument;

	uverbs_close(uverbs);
	return 0;
}

/*
 * The context is closed first, and waits for a fence of the buffer; its last
 * descriptor goes meanwhile. Either that waits, too, or the buffer stays: else
 * the first would use it after it was freed, which kernels do that have the
 * defect.
 */
CLAUSE_TEST_TIMEOUT(descriptor_closes_within_the_wait, 60,
	    NEEDS(EXPORTER_UVERBS, IMPORTER_CPU), RDX_06)
{
	struct thread node, descriptor;
	struct context context;
	struct bufinfo info;
	struct fence fence;
	bool waits;
	ino_t inode;
	int error;

	disrupts("has a faulty kernel use memory that it freed");
	error = bufinfo_find(fds_inode(self->buffer.fd), &info);
	if (error < 0)
		skip_case("cannot read bufinfo: %s", errno_text(error));
	must(context_open(self->exporter, PAGE, &context));
	inode = fds_inode(context.fd);
	must_create_fence(&fence);
	must(fence_add(&fence, context.fd, DMA_BUF_SYNC_WRITE));
	must(thread_start(&node, close_node, &context.uverbs));
	must_be(thread_waits(&node, WATCH_MS));
	must(thread_start(&descriptor, close_descriptor, &context.fd));
	waits = thread_waits(&descriptor, WATCH_MS);
	must_be(waits || descriptor.done);
	check_saying(RDX_06, waits || bufinfo_has(inode),
		     "the buffer is gone while its context waits for it");
	must(fence_signal(&fence));
	check_ok(RDX_06, thread_join(&node, JOIN_MS, &error));
	check_ok(RDX_06, thread_join(&descriptor, JOIN_MS, &error));
	must(error);
	fence_destroy(&fence);
}

CLAUSE_TEST_MAIN("rdma_export")
