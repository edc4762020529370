// SPDX-License-Identifier: GPL-2.0-only
/*
 * iommufd as an importer: which buffers it maps into an address space and which
 * not, and what it does to an exporter before it finds out. It takes buffers of
 * vfio-pci alone; what becomes of these at a revoke is in vfio.c, as for all
 * importers, and what they are charged for in rdma_account.c.
 * A device of ours joins the address space to see where the IOMMU leads it.
 * Clauses: IOF-01 to IOF-05.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "exporter/vfio_device.h"
#include "importer/iommufd.h"
#include "pair/clause_test.h"
#include "oracle/topology.h"
#include "peer/life.h"
#include "peer/peer_space.h"

#define PAGE		4096

/* What a map gives; one that succeeds is taken away. */
static int try_map(struct importer *importer, int fd, uint64_t start,
		   uint64_t length)
{
	uint64_t address;
	int error = iommufd_map(importer, fd, start, length, IMPORT_BOTH,
				&address);

	return error ? error : iommufd_unmap(importer, address, length);
}

/* The numbers are looked at before the buffer is, so that any buffer will do. */
#define check_numbers() \
	do { \
		struct importer *importer_ = self->importer; \
		int fd_ = self->buffer.fd; \
\
		check_errno(IOF_01_a, EINVAL, try_map(importer_, fd_, 0, 0)); \
		check_errno(IOF_01_a, EINVAL, try_map(importer_, fd_, PAGE, 0)); \
		check_errno(IOF_01_b, EOVERFLOW, \
			    try_map(importer_, fd_, -(uint64_t)PAGE, 2 * PAGE)); \
		check_errno(IOF_01_b, EOVERFLOW, \
			    try_map(importer_, fd_, PAGE, UINT64_MAX - 1)); \
		check_errno(IOF_01_c, EINVAL, \
			    try_map(importer_, fd_, 0, PAIR_BUFFER_SIZE + PAGE)); \
		check_errno(IOF_01_c, EINVAL, \
			    try_map(importer_, fd_, PAIR_BUFFER_SIZE, PAGE)); \
		check_errno(IOF_01_c, EINVAL, \
			    try_map(importer_, fd_, PAGE, PAIR_BUFFER_SIZE)); \
	} while (0)

CLAUSE_TEST(ranges_are_looked_at, NEEDS(EXPORTER_VFIO, IMPORTER_IOMMUFD),
	    IOF_01_a, IOF_01_b, IOF_01_c)
{
	must(try_map(self->importer, self->buffer.fd, 0, PAIR_BUFFER_SIZE));
	must(try_map(self->importer, self->buffer.fd, PAIR_BUFFER_SIZE - PAGE,
		     PAGE));
	check_numbers();
}

CLAUSE_TEST(others_are_turned_away,
	    NEEDS(IMPORTER_IOMMUFD, IMPORTER_UNSUITED) | EACH_PAIR,
	    IOF_01_a, IOF_01_b, IOF_01_c, IOF_01_d)
{
	check_numbers();
	check_errno(IOF_01_d, EOPNOTSUPP,
		    try_map(self->importer, self->buffer.fd, 0,
			    PAIR_BUFFER_SIZE));
}

CLAUSE_TEST(several_ranges_are_turned_away,
	    NEEDS(EXPORTER_VFIO, IMPORTER_IOMMUFD), IOF_01_e)
{
	const struct vfio_range pieces[] = { { 3 * PAGE, PAGE }, { 0, PAGE } };
	struct vfio_device *device = vfio_device_of(self->exporter);
	int fd;

	must(fd = vfio_device_export_ranges(device, pieces, 2));
	check_errno(IOF_01_e, EOPNOTSUPP,
		    try_map(self->importer, fd, 0, 2 * PAGE));
	/* Nor a part of it that lies in one of them. */
	check_errno(IOF_01_e, EOPNOTSUPP,
		    try_map(self->importer, fd, PAGE, PAGE));
	close(fd);
}

CLAUSE_TEST(revoked_buffer_is_turned_away,
	    NEEDS(EXPORTER_VFIO, IMPORTER_IOMMUFD), IOF_01_f)
{
	int error;

	must(exporter_revoke(&self->buffer));
	error = try_map(self->importer, self->buffer.fd, 0, PAIR_BUFFER_SIZE);
	must(exporter_restore(&self->buffer));
	check_errno(IOF_01_f, ENODEV, error);
	must(try_map(self->importer, self->buffer.fd, 0, PAIR_BUFFER_SIZE));
}

/* A try that fails in the end shows all the steps before. */
CLAUSE_TEST(pins_and_never_maps,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_IOMMUFD,
		  IMPORTER_UNSUITED),
	    IOF_02_a, IOF_02_b, IOF_02_c, IOF_02_d)
{
	static struct event_log log;

	must_be(try_map(self->importer, self->buffer.fd, 0,
			PAIR_BUFFER_SIZE) < 0);
	exporter_log(&self->buffer, &log);
	must_be(event_count(&log, PEER_CALL_ATTACH) == 1);
	check_equal(IOF_02_a, 1, event_count(&log, PEER_CALL_PIN));
	check_equal(IOF_02_b, event_count(&log, PEER_CALL_PIN),
		    event_count_locked(&log, PEER_CALL_PIN));
	check_equal(IOF_02_b, event_count(&log, PEER_CALL_UNPIN),
		    event_count_locked(&log, PEER_CALL_UNPIN));
	check_equal(IOF_02_c, 0, event_count(&log, PEER_CALL_MAP));
	check_equal(IOF_02_d, event_count(&log, PEER_CALL_PIN),
		    event_count(&log, PEER_CALL_UNPIN));
	check_equal(IOF_02_d, 1, event_count(&log, PEER_CALL_DETACH));
	check_equal(IOF_02_d, 0, left_behind(&self->buffer));
}

/* A pin that fails is told as it is, and is not undone. */
CLAUSE_TEST(failed_pin_leaves_nothing,
	    NEEDS(EXPORTER_PEER, EXPORTER_PIN_OP, IMPORTER_IOMMUFD,
		  IMPORTER_UNSUITED),
	    IOF_02_c, IOF_02_d)
{
	static struct event_log log;

	must(peer_exporter_fail(&self->buffer, PEER_FAIL_PIN, 0, 1, -ENOLCK));
	check_errno(IOF_02_d, ENOLCK,
		    try_map(self->importer, self->buffer.fd, 0,
			    PAIR_BUFFER_SIZE));
	exporter_log(&self->buffer, &log);
	check_equal(IOF_02_c, 0, event_count(&log, PEER_CALL_MAP));
	check_equal(IOF_02_d, 0, event_count(&log, PEER_CALL_UNPIN));
	check_equal(IOF_02_d, 1, event_count(&log, PEER_CALL_DETACH));
	check_equal(IOF_02_d, 0, left_behind(&self->buffer));
}

/* ---- with a device in the address space ------------------------------ */

/* Where a device would reach the buffer: its part of the BAR. */
static uint64_t memory_of(const struct buffer *buffer)
{
	const struct vfio_device *device = vfio_device_of(buffer->exporter);

	return topology_bar(device->address, device->bar) +
	       vfio_offset_of(buffer);
}

/* Whether both ends of a mapping lead to memory that begins there. */
static bool leads_to(int space, uint64_t address, uint64_t memory)
{
	const uint64_t last = PAIR_BUFFER_SIZE - 1;

	return peer_space_look(space, address) == memory &&
	       peer_space_look(space, address + last) == memory + last;
}

static bool leads_nowhere(int space, uint64_t address)
{
	for (uint64_t at = 0; at < PAIR_BUFFER_SIZE; at += PAGE)
		if (peer_space_look(space, address + at))
			return false;
	return true;
}

/* Sets @space_, or ends the case with the reason. */
#define needs_space(space_) \
	do { \
		struct backend absent_; \
\
		backend_start(&absent_, "space", NULL); \
		*(space_) = peer_space_open(&absent_); \
		if (*(space_) == -ENODEV) \
			skip_case("%s", absent_.reasons[absent_.reason_count - 1]); \
		must(*(space_)); \
	} while (0)

#define must_join(space_) \
	do { \
		int joined_ = peer_space_join(space_, self->importer); \
\
		if (joined_ == -ENODEV) \
			skip_case("no device that could join an address space, as QEMU's pci-testdev behind an IOMMU is"); \
		must(joined_); \
	} while (0)

#define must_map(address_) \
	must(iommufd_map(self->importer, self->buffer.fd, 0, \
			 PAIR_BUFFER_SIZE, IMPORT_BOTH, address_))

/* To take a revoke back is another notice, and brings nothing back. */
CLAUSE_TEST(revoke_takes_it_from_the_device,
	    NEEDS(EXPORTER_VFIO, IMPORTER_IOMMUFD),
	    IOF_03_a, IOF_03_b, IOF_03_c)
{
	uint64_t memory = memory_of(&self->buffer), address, anew;
	int space;

	needs_space(&space);
	must_join(space);
	must_map(&address);
	must_be(leads_to(space, address, memory));
	must(exporter_revoke(&self->buffer));
	check(IOF_03_a, leads_nowhere(space, address));
	must(exporter_restore(&self->buffer));
	check(IOF_03_b, leads_nowhere(space, address));
	must_map(&anew);
	check(IOF_03_c, leads_nowhere(space, address));
	check(IOF_03_c, leads_to(space, anew, memory));
	must(iommufd_unmap(self->importer, address, PAIR_BUFFER_SIZE));
	check(IOF_03_c, leads_to(space, anew, memory));
	must(iommufd_unmap(self->importer, anew, PAIR_BUFFER_SIZE));
	must(peer_space_leave(space));
	close(space);
}

CLAUSE_TEST(device_may_join_after_a_revoke,
	    NEEDS(EXPORTER_VFIO, IMPORTER_IOMMUFD), IOF_05)
{
	uint64_t memory = memory_of(&self->buffer), address;
	int space, error;

	needs_space(&space);
	must_map(&address);
	must_join(space);
	must_be(leads_to(space, address, memory));
	must(peer_space_leave(space));
	must(exporter_revoke(&self->buffer));
	error = peer_space_join(space, self->importer);
	check_ok(IOF_05, error);
	if (!error)
		check(IOF_05, leads_nowhere(space, address));
	must(exporter_restore(&self->buffer));
	must(iommufd_unmap(self->importer, address, PAIR_BUFFER_SIZE));
	close(space);
}

static const enum peer_space_way ways[] = {
	PEER_SPACE_READ, PEER_SPACE_WRITE, PEER_SPACE_PIN,
};

/* What works with memory does not with a buffer, revoked or not. */
CLAUSE_TEST(cpu_is_kept_out, NEEDS(EXPORTER_VFIO, IMPORTER_IOMMUFD), IOF_04)
{
	uint64_t address, plain;
	int space, fd;

	needs_space(&space);
	must_call(fd = memfd_create("plain", MFD_CLOEXEC));
	must_call(ftruncate(fd, PAGE));
	must(iommufd_map(self->importer, fd, 0, PAGE, IMPORT_BOTH, &plain));
	must_map(&address);
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		must(peer_space_access(space, self->importer, ways[i], plain,
				       PAGE));
		check_errno(IOF_04, EINVAL,
			    peer_space_access(space, self->importer, ways[i],
					      address, PAGE));
	}
	must(exporter_revoke(&self->buffer));
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		check_errno(IOF_04, EINVAL,
			    peer_space_access(space, self->importer, ways[i],
					      address, PAGE));
	must(exporter_restore(&self->buffer));
	must(iommufd_unmap(self->importer, address, PAIR_BUFFER_SIZE));
	must(iommufd_unmap(self->importer, plain, PAGE));
	close(fd);
	close(space);
}

CLAUSE_TEST_MAIN("iommufd")
