// SPDX-License-Identifier: GPL-2.0-only
/*
 * iommufd as an importer: which buffers it maps into an address space and which
 * not, and what it does to an exporter before it finds out. It takes buffers of
 * vfio-pci alone; what becomes of these at a revoke is in vfio.c, as for all
 * importers, and what they are charged for in rdma_account.c.
 * Clauses: IOF-01, IOF-02.
 */
#include <unistd.h>

#include "exporter/vfio_device.h"
#include "importer/iommufd.h"
#include "pair/clause_test.h"
#include "peer/life.h"

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
	    NEEDS(IMPORTER_IOMMUFD, IMPORTER_UNSUITED),
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

CLAUSE_TEST_MAIN("iommufd")
