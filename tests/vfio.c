// SPDX-License-Identifier: GPL-2.0-only
/*
 * vfio-pci as an exporter of BARs: what it exports and what not, whom it turns
 * away, and what becomes of an import when the memory of the device goes. The
 * exporter is judged, with any importer; and importers by what they do with a
 * buffer that a real driver revokes.
 * Clauses: VF-01 to VF-08, SGT-01, SGT-02, REV-01, REV-08, REV-10, P2P-02, P2P-03, P2P-08.
 */
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "exporter/vfio_device.h"
#include "oracle/bufinfo.h"
#include "oracle/drive.h"
#include "oracle/fds.h"
#include "oracle/guard.h"
#include "oracle/thread.h"
#include "oracle/topology.h"
#include "pair/await.h"
#include "pair/clause_test.h"
#include "pair/cpu.h"
#include "pair/decline.h"
#include "peer/hold.h"
#include "peer/observe.h"
#include "peer/peer_importer.h"

#define SEED		0x7f10
#define PAGE		4096
#define ROUNDS		3
#define WATCH_MS	300
#define SETTLE_MS	10000
#define NO_BAR		VFIO_PCI_ROM_REGION_INDEX
#define RANGES_MAX	4
#define LONG_RANGE	((UINT64_C(1) << 32) + PAGE)
#define LONG_ENTRIES	16

static const struct buffer_spec plain = { .size = PAIR_BUFFER_SIZE };

/* ---- what is exported ------------------------------------------------ */

/* A request with room for some ranges. */
union request {
	struct vfio_export head;
	char room[sizeof(struct vfio_export) +
		  RANGES_MAX * sizeof(struct vfio_range)];
};

/* One page from the start of the BAR, to be spoilt. */
static union request good_request(const struct vfio_device *device)
{
	union request request = { .room = { 0 } };

	request.head.region = device->bar;
	request.head.open_flags = O_RDWR | O_CLOEXEC;
	request.head.range_count = 1;
	request.head.ranges[0] = (struct vfio_range){ 0, PAGE };
	return request;
}

/* What a request gives; a descriptor is closed. */
static int ask(struct vfio_device *device, union request *request)
{
	int fd = vfio_device_export(device, &request->head,
				    request->head.range_count);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int ask_for_range(struct vfio_device *device, uint64_t offset,
			 uint64_t length)
{
	union request request = good_request(device);

	request.head.ranges[0] = (struct vfio_range){ offset, length };
	return ask(device, &request);
}

static int ask_for_region(struct vfio_device *device, uint32_t region)
{
	union request request = good_request(device);

	request.head.region = region;
	return ask(device, &request);
}

CLAUSE_TEST(requests_are_looked_at, NEEDS(EXPORTER_VFIO, IMPORTER_CPU),
	    VF_01_a, VF_01_b, VF_01_c, VF_01_g)
{
	struct vfio_device *device = vfio_device_of(self->exporter);
	union request request = good_request(device);
	struct fds before, after;
	char text[256];

	must(ask(device, &request));
	must(fds_take(&before));
	request.head.range_count = 0;
	check_errno(VF_01_a, EINVAL, ask(device, &request));
	request = good_request(device);
	request.head.reserved = 1;
	check_errno(VF_01_b, EINVAL, ask(device, &request));
	check_errno(VF_01_c, ENODEV, ask_for_region(device, NO_BAR));
	check_errno(VF_01_c, ENODEV,
		    ask_for_region(device, VFIO_PCI_CONFIG_REGION_INDEX));
	check_errno(VF_01_c, ENODEV, ask_for_region(device, UINT32_MAX));
	must(fds_take(&after));
	check_saying(VF_01_g, !fds_new(&before, &after, text, sizeof(text)),
		     "%s", text);
}

CLAUSE_TEST(ranges_are_looked_at, NEEDS(EXPORTER_VFIO, IMPORTER_CPU),
	    VF_01_d, VF_01_e, VF_01_f)
{
	struct vfio_device *device = vfio_device_of(self->exporter);
	union request request = good_request(device);
	const uint64_t half = UINT64_C(1) << 63;
	int error;

	check_errno(VF_01_d, EINVAL, ask_for_range(device, 0, 0));
	check_errno(VF_01_d, EINVAL, ask_for_range(device, 1, PAGE));
	check_errno(VF_01_d, EINVAL, ask_for_range(device, 0, PAGE - 1));
	request.head.range_count = 2;
	request.head.ranges[0] = (struct vfio_range){ 0, half };
	request.head.ranges[1] = (struct vfio_range){ 0, half };
	check_errno(VF_01_e, EINVAL, ask(device, &request));
	error = ask_for_range(device, 0, device->size + PAGE);
	check_saying(VF_01_f, error == -EINVAL || error == -EOVERFLOW,
		     "longer than the BAR: %s", errno_text(error));
	error = ask_for_range(device, device->size, PAGE);
	check_saying(VF_01_f, error == -EINVAL || error == -EOVERFLOW,
		     "behind the BAR: %s", errno_text(error));
	error = ask_for_range(device, -(uint64_t)PAGE, PAGE);
	check_saying(VF_01_f, error == -EINVAL || error == -EOVERFLOW,
		     "before the BAR: %s", errno_text(error));
}

CLAUSE_TEST(missing_bar_is_told, NEEDS(EXPORTER_VFIO, IMPORTER_CPU), VF_01_h)
{
	struct vfio_device *device = vfio_device_of(self->exporter);

	for (uint32_t bar = 0; bar < NO_BAR; bar++) {
		struct vfio_region_info info = {
			.argsz = sizeof(info), .index = bar,
		};

		must_call(ioctl(device->device, VFIO_DEVICE_GET_REGION_INFO,
				&info));
		if (info.size)
			continue;
		observe(VF_01_h, "%s",
			errno_text(ask_for_region(device, bar)));
		return;
	}
	skip_case("this device has all BARs");
}

CLAUSE_TEST(cpu_cannot_map_it, NEEDS(EXPORTER_VFIO, IMPORTER_CPU), VF_08)
{
	const int ways[] = { MAP_SHARED, MAP_PRIVATE };

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		void *view = mmap(NULL, PAGE, PROT_READ, ways[i],
				  self->buffer.fd, 0);
		int error = view == MAP_FAILED ? -errno : 0;

		check_errno(VF_08, EINVAL, error);
		if (!error)
			munmap(view, PAGE);
	}
}

/* Two pieces of the BAR, the later one first; between them is a page. */
static int export_pieces(struct vfio_device *device)
{
	const struct vfio_range ranges[] = {
		{ 3 * PAGE, PAGE }, { 0, 2 * PAGE },
	};

	return vfio_device_export_ranges(device, ranges, ARRAY_SIZE(ranges));
}

CLAUSE_TEST(size_is_the_sum, NEEDS(EXPORTER_VFIO, IMPORTER_CPU), VF_07_a)
{
	int fd;

	must(fd = export_pieces(vfio_device_of(self->exporter)));
	check_equal(VF_07_a, 3 * PAGE, lseek(fd, 0, SEEK_END));
	close(fd);
}

/* The device reads them in their order, writes them, and nothing beside. */
CLAUSE_TEST(ranges_come_in_their_order,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, EXPORTER_FILLS,
		  IMPORTER_MOVES_BYTES),
	    VF_07_b)
{
	struct vfio_device *device = vfio_device_of(self->exporter);
	static uint8_t data[3 * PAGE];
	struct import import;
	int fd, error;

	pattern_fill(SEED, 0, data, sizeof(data));
	memcpy(device->memory + 3 * PAGE, data, PAGE);
	memcpy(device->memory, data + PAGE, 2 * PAGE);
	memset(device->memory + 2 * PAGE, 0x5a, PAGE);
	must(fd = export_pieces(device));
	error = importer_import(self->importer, fd, 0, 0, IMPORT_BOTH, &import);
	check_ok(VF_07_b, error);
	if (error) {
		close(fd);
		return;
	}
	check_ok(VF_07_b, pattern_receive(SEED, &import));

	check_ok(VF_07_b, pattern_send(SEED + 1, &import));
	pattern_fill(SEED + 1, 0, data, sizeof(data));
	check(VF_07_b, !memcmp(device->memory + 3 * PAGE, data, PAGE));
	check(VF_07_b, !memcmp(device->memory, data + PAGE, 2 * PAGE));
	memset(data, 0x5a, PAGE);
	check(VF_07_b, !memcmp(device->memory + 2 * PAGE, data, PAGE));
	must(importer_release(&import));
	close(fd);
}

/* One range that no single entry can tell: the length of those has 32 bits. */
CLAUSE_TEST(long_range_is_split_at_pages,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, IMPORTER_PEER, IMPORTER_NOTIFIED,
		  IMPORTER_P2P),
	    SGT_01_a, SGT_01_b, SGT_02_a)
{
	struct vfio_device *device = vfio_device_of(self->exporter);
	union request request = good_request(device);
	static struct peer_table_entry entries[LONG_ENTRIES];
	struct hold hold;
	int fd, count;

	if (device->size < LONG_RANGE)
		skip_case("the BAR has no more than 4 GiB");
	request.head.ranges[0] = (struct vfio_range){ 0, LONG_RANGE };
	must(fd = vfio_device_export(device, &request.head, 1));
	must_unless_declined(hold_take(self->importer, fd, NULL,
				       PEER_BIDIRECTIONAL, &hold));
	must(count = peer_table(&hold.mapping, entries, LONG_ENTRIES));
	for (int i = 0; i < count; i++) {
		check_equal(SGT_01_a, 0, entries[i].address % PAGE);
		check_equal(SGT_01_b, 0, entries[i].length % PAGE);
	}
	check(SGT_02_a, hold.mapping.length >= LONG_RANGE);
	must(hold_drop(&hold));
	close(fd);
}

/* ---- who comes in ---------------------------------------------------- */

static int try_import(struct importer *importer, int fd)
{
	struct import import;
	int error = importer_import(importer, fd, 0, 0, IMPORT_BOTH, &import);

	return error ? error : importer_release(&import);
}

CLAUSE_TEST(unsuited_importer_is_turned_away,
	    NEEDS(EXPORTER_VFIO, IMPORTER_UNWANTED) | EACH_PAIR,
	    VF_03_a, VF_03_c, VF_03_d, REV_01_a, REV_01_b, P2P_02)
{
	capability_set has = self->importer->backend.capabilities;
	int error = try_import(self->importer, self->buffer.fd);

	if (has & CAP(IMPORTER_P2P)) {
		check_refused(VF_03_c, EOPNOTSUPP, error);
		skip_clause(VF_03_a, "this importer allows peer to peer");
		skip_clause(P2P_02, "this importer allows peer to peer");
	} else {
		check_refused(VF_03_a, EOPNOTSUPP, error);
		check_saying(P2P_02, error, "it is let in");
		skip_clause(VF_03_c, "this importer does not allow peer to peer");
	}
	if (has & CAP(IMPORTER_NOTIFIED)) {
		skip_clause(REV_01_a, "this importer can be revoked");
		skip_clause(REV_01_b, "this importer can be revoked");
	} else {
		check_refused(REV_01_a, EOPNOTSUPP, error);
		observe(REV_01_b, "attach: %s", errno_text(error));
	}
	must(exporter_revoke(&self->buffer));
	error = try_import(self->importer, self->buffer.fd);
	must(exporter_restore(&self->buffer));
	observe(VF_03_d, "%s", errno_text(error));
}

CLAUSE_TEST(export_while_off_is_revoked,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, IMPORTER_ATTACHES) | EACH_PAIR,
	    VF_02_a, VF_02_b, VF_02_c, VF_03_b)
{
	struct buffer buffer;
	int error;

	must(exporter_revoke(&self->buffer));
	check_errno(VF_03_b, ENODEV,
		    try_import(self->importer, self->buffer.fd));
	error = exporter_alloc(self->exporter, &plain, &buffer);
	check_ok(VF_02_a, error);
	if (!error)
		check_errno(VF_02_b, ENODEV,
			    try_import(self->importer, buffer.fd));
	must(exporter_restore(&self->buffer));
	must_be(!error);
	check_ok(VF_02_c, try_import(self->importer, buffer.fd));
	exporter_release(&buffer);
}

/* ---- by which addresses it is reached -------------------------------- */

/* Whether the address that a device got is one of those that the way there has. */
static bool address_fits(enum reach reach, uint64_t address, uint64_t bar)
{
	return reach == REACH_TRANSLATED ? address != bar : address == bar;
}

/*
 * A host bridge that is not trusted with peer to peer has the map fail; else
 * the address is that on the bus, or the IOMMU's, and leads to the BAR.
 */
CLAUSE_TEST(address_fits_the_topology,
	    NEEDS(EXPORTER_VFIO, IMPORTER_PEER, IMPORTER_P2P, IMPORTER_MAPS),
	    P2P_03)
{
	const struct vfio_device *device = vfio_device_of(self->exporter);
	enum reach reach = topology_reach(self->importer->backend.device,
					  device->address);
	uint64_t bar = topology_bar(device->address, device->bar);
	struct attachment attachment;
	struct peer_table_entry entry;
	struct mapping mapping;
	int error;

	must_be(bar);
	must(pattern_write(SEED, &self->buffer));
	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	error = peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping);
	if (reach == REACH_UNKNOWN && error) {
		check_errno(P2P_03, EINVAL, error);
		must(peer_detach(&attachment));
		return;
	}
	check_saying(P2P_03, !error, "%s: %s", topology_reach_name(reach),
		     errno_text(error));
	must_be(!error);
	must(peer_table(&mapping, &entry, 1));
	if (reach != REACH_UNKNOWN)
		check_saying(P2P_03, address_fits(reach, entry.address,
						  bar + vfio_offset_of(&self->buffer)),
			     "%s: address %#llx, BAR at %#llx",
			     topology_reach_name(reach),
			     (unsigned long long)entry.address,
			     (unsigned long long)bar);
	check_ok(P2P_03, device_sees(&mapping, SEED));
	check_ok(P2P_03, device_writes(&mapping, SEED + 1));
	check_ok(P2P_03, pattern_verify(SEED + 1, &self->buffer));
	must(peer_detach(&attachment));
}

/* ---- what revokes, and what takes it back ---------------------------- */

CLAUSE_TEST_TIMEOUT(memory_bit_revokes, 60,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, IMPORTER_ATTACHES) | EACH_PAIR,
	    VF_04_a, VF_04_b)
{
	for (int i = 0; i < ROUNDS; i++) {
		struct import import;

		must(importer_import(self->importer, self->buffer.fd, 0, 0,
				     IMPORT_BOTH, &import));
		check_ok(VF_04_a, exporter_revoke(&self->buffer));
		check_errno(VF_04_a, ENODEV,
			    try_import(self->importer, self->buffer.fd));
		check_ok(VF_04_b, exporter_restore(&self->buffer));
		check_ok(VF_04_b, try_import(self->importer, self->buffer.fd));
		must(importer_release(&import));
	}
}

/* How many devices are attached; negative if that cannot be known. */
static int attachments_of(ino_t inode)
{
	struct bufinfo info;
	int found = bufinfo_find(inode, &info);

	return found == 1 ? info.attachments : found ? found : -ENOENT;
}

/* Told to let go, it stays attached until its user is done with the import. */
CLAUSE_TEST(revoked_importer_stays_attached_here,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, IMPORTER_ATTACHES) | EACH_PAIR,
	    REV_08_a)
{
	ino_t inode = fds_inode(self->buffer.fd);
	struct import import;
	int attached;

	must(importer_import(self->importer, self->buffer.fd, 0, 0, IMPORT_BOTH,
			     &import));
	attached = attachments_of(inode);
	if (attached < 0)
		skip_case("cannot read bufinfo: %s", errno_text(attached));
	must_be(attached == 1);
	must(exporter_revoke(&self->buffer));
	check(REV_08_a, !comes_true(WATCH_MS, attachments_of(inode) != 1));
	check_ok(REV_08_a, importer_release(&import));
	check(REV_08_a, comes_true(SETTLE_MS, !attachments_of(inode)));
	must(exporter_restore(&self->buffer));
}

CLAUSE_TEST(reset_revokes,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, IMPORTER_PEER,
		  IMPORTER_NOTIFIED),
	    VF_04_c)
{
	struct vfio_device *device = vfio_device_of(self->exporter);
	struct attachment attachment;
	struct mapping mapping;
	int error;

	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	must(peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	error = vfio_device_reset(device);
	if (error == -EOPNOTSUPP)
		skip_case("the device has no reset; --topology switch gives it that of its bus");
	must(error);
	check(VF_04_c, importer_saw(&attachment).notifies >= 1);
	check_equal(VF_04_c, 0, importer_saw(&attachment).maps);
	must(vfio_device_switch(device, true));
	check_ok(VF_04_c, peer_map(&attachment, PEER_BIDIRECTIONAL, &mapping));
	must(peer_detach(&attachment));
}

CLAUSE_TEST(restore_is_told,
	    NEEDS(EXPORTER_VFIO, IMPORTER_PEER, IMPORTER_NOTIFIED), VF_05)
{
	struct attachment attachment;
	uint32_t notices;

	must(peer_attach(self->importer, self->buffer.fd, NULL, &attachment));
	must(exporter_revoke(&self->buffer));
	notices = importer_saw(&attachment).notifies;
	must(exporter_restore(&self->buffer));
	observe(VF_05, "%u notices of the revoke, %u of its end", notices,
		importer_saw(&attachment).notifies - notices);
	must(peer_detach(&attachment));
}

static int write_slowly(void *argument)
{
	static uint8_t content[PAIR_BUFFER_SIZE];
	struct import *import = argument;

	pattern_fill(SEED + 1, 0, content, sizeof(content));
	return importer_write_slowly(import, 0, content, sizeof(content));
}

/* Whether the first of its pages has arrived. */
static bool write_has_begun(struct buffer *buffer)
{
	uint8_t page[PAGE];

	return !exporter_read(buffer, 0, page, PAGE) &&
	       pattern_mismatch(SEED + 1, 0, page, PAGE) < 0;
}

/* How many of the first pages are new; -1 if the others are not as they were. */
static int pages_written(const uint8_t *data)
{
	size_t at = 0;
	int pages = 0;

	for (; at < PAIR_BUFFER_SIZE; at += PAGE, pages++)
		if (pattern_mismatch(SEED + 1, at, data + at, PAGE) >= 0)
			break;
	if (at < PAIR_BUFFER_SIZE &&
	    pattern_mismatch(SEED, at, data + at, PAIR_BUFFER_SIZE - at) >= 0)
		return -1;
	return pages;
}

/*
 * The memory goes while the device writes: the write ends in an error, has
 * left whole pages, and writes no more. The BAR can be looked at only when it
 * is there again.
 */
CLAUSE_TEST_TIMEOUT(revoke_ends_the_work_under_way, 60,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, EXPORTER_FILLS, IMPORTER_SLOW,
		  IMPORTER_MOVES_BYTES) | EACH_PAIR,
	    VF_04_e, REV_10)
{
	static uint8_t now[PAIR_BUFFER_SIZE], later[PAIR_BUFFER_SIZE];
	struct thread thread;
	struct import import;
	int pages;

	must(pattern_write(SEED, &self->buffer));
	must(importer_import(self->importer, self->buffer.fd, 0, 0, IMPORT_BOTH,
			     &import));
	must(thread_start(&thread, write_slowly, &import));
	must_be(comes_true(SETTLE_MS, write_has_begun(&self->buffer)));
	must_be(!thread.done);
	must(exporter_revoke(&self->buffer));
	must(exporter_restore(&self->buffer));
	must(exporter_read(&self->buffer, 0, now, sizeof(now)));
	must(thread_join(&thread, SETTLE_MS, NULL));
	check_fails(REV_10, thread.result);
	pages = pages_written(now);
	check_saying(REV_10, pages > 0 && pages < PAIR_BUFFER_SIZE / PAGE,
		     "%d pages written", pages);
	usleep(WATCH_MS * 1000);
	must(exporter_read(&self->buffer, 0, later, sizeof(later)));
	check(VF_04_e, !memcmp(now, later, sizeof(now)));
	check_ok(REV_10, importer_release(&import));
}

CLAUSE_TEST(work_while_off_fails,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, EXPORTER_FILLS,
		  IMPORTER_MOVES_BYTES) | EACH_PAIR,
	    REV_10)
{
	struct import import;

	must(pattern_write(SEED, &self->buffer));
	must(importer_import(self->importer, self->buffer.fd, 0, 0, IMPORT_BOTH,
			     &import));
	must(pattern_receive(SEED, &import));
	must(exporter_revoke(&self->buffer));
	check_fails(REV_10, pattern_send(SEED + 1, &import));
	check_fails(REV_10, pattern_receive(SEED, &import));
	must(exporter_restore(&self->buffer));
	check_ok(REV_10, pattern_verify(SEED, &self->buffer));
	check_ok(REV_10, importer_release(&import));
}

/* ---- when the device goes -------------------------------------------- */

/* A descriptor of a buffer whose exporter is closed, and with it the device. */
static int let_device_go(struct exporter *exporter, struct buffer *buffer)
{
	int fd = dup(buffer->fd);

	exporter_release(buffer);
	exporter_close(exporter);
	return fd < 0 ? -errno : fd;
}

CLAUSE_TEST(descriptor_outlives_the_device, NEEDS(EXPORTER_VFIO, IMPORTER_CPU),
	    VF_06_a)
{
	int fd, attached;
	ino_t inode;

	must(fd = let_device_go(self->exporter, &self->buffer));
	inode = fds_inode(fd);
	check_equal(VF_06_a, PAIR_BUFFER_SIZE, lseek(fd, 0, SEEK_END));
	check_ok(VF_06_a, cpu_sync(fd, DMA_BUF_SYNC_RW | DMA_BUF_SYNC_START));
	check_ok(VF_06_a, cpu_sync(fd, DMA_BUF_SYNC_RW | DMA_BUF_SYNC_END));
	attached = attachments_of(inode);
	close(fd);
	if (!attached)
		check(VF_06_a, comes_true(SETTLE_MS,
					  attachments_of(inode) == -ENOENT));
}

/* Revoked for good, also for who opens the device anew. */
CLAUSE_TEST(closed_device_revokes_for_good,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, IMPORTER_ATTACHES) | EACH_PAIR,
	    VF_06_b)
{
	char selector[sizeof(self->exporter->backend.selector)];
	struct import import;
	int fd;

	strcpy(selector, self->exporter->backend.selector);
	must(importer_import(self->importer, self->buffer.fd, 0, 0, IMPORT_BOTH,
			     &import));
	must(fd = let_device_go(self->exporter, &self->buffer));
	check_errno(VF_06_b, ENODEV, try_import(self->importer, fd));
	must(exporter_open(selector, self->exporter));
	check_errno(VF_06_b, ENODEV, try_import(self->importer, fd));
	must(importer_release(&import));
	close(fd);
}

CLAUSE_TEST(work_fails_once_the_device_is_closed,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, EXPORTER_FILLS,
		  IMPORTER_MOVES_BYTES) | EACH_PAIR,
	    VF_04_d)
{
	struct import import;
	int fd;

	must(pattern_write(SEED, &self->buffer));
	must(importer_import(self->importer, self->buffer.fd, 0, 0, IMPORT_BOTH,
			     &import));
	must(pattern_receive(SEED, &import));
	must(fd = let_device_go(self->exporter, &self->buffer));
	check_fails(VF_04_d, pattern_receive(SEED, &import));
	check_fails(VF_04_d, pattern_send(SEED + 1, &import));
	must(importer_release(&import));
	close(fd);
}

/* The driver leaves although somebody holds an import, and comes back. */
CLAUSE_TEST_TIMEOUT(driver_leaves_in_spite_of_imports, 60,
	    NEEDS(EXPORTER_VFIO, EXPORTER_MAPS, IMPORTER_ATTACHES) | EACH_PAIR,
	    P2P_08)
{
	char selector[sizeof(self->exporter->backend.selector)];
	struct binding binding;
	struct import import;
	int fd, error;
	pid_t guard;

	disrupts("takes the device away from vfio-pci");
	strcpy(selector, self->exporter->backend.selector);
	must(drive_find(self->exporter->backend.device, &binding));
	must(importer_import(self->importer, self->buffer.fd, 0, 0, IMPORT_BOTH,
			     &import));
	must(fd = let_device_go(self->exporter, &self->buffer));
	must(guard = drive_guard(&binding));
	error = drive(binding.driver, "unbind", binding.device);
	check_ok(P2P_08, error);
	check_errno(P2P_08, ENODEV, try_import(self->importer, fd));
	if (self->importer->backend.capabilities & CAP(IMPORTER_MOVES_BYTES))
		check_fails(P2P_08, pattern_send(SEED, &import));
	check_ok(P2P_08, importer_release(&import));
	close(fd);
	must(drive(binding.driver, "bind", binding.device));
	guard_stop(guard);
	must(exporter_open(selector, self->exporter));
}

CLAUSE_TEST_MAIN("vfio")
