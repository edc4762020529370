// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers shared by PRIME: what a handle and a file are to the buffer, what an
 * import has of it, and what becomes of both when the device goes. DRM drivers
 * are judged, as exporters and as importers; where any partner will do, the
 * case brings it along, so that each driver has it once.
 * Clauses: DRM-01 to DRM-04, DRM-06.
 */
#include <libdrm/drm.h>
#include <drm/vgem_drm.h>
#include <libdrm/virtgpu_drm.h>
#include <linux/dma-buf.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/drive.h"
#include "oracle/fdinfo.h"
#include "oracle/guard.h"
#include "pair/clause_test.h"
#include "pair/cpu.h"
#include "pair/drm.h"
#include "pair/fence.h"
#include "peer/life.h"
#include "peer/trial.h"

#define SEED		0xd4a1
#define PAGE		4096
#define SETTLE_MS	10000
#define HELD_SIZE	(8 << 20)	/* so much that others' doings do not count */

/* A buffer of somebody else than the device, for that to import. */
struct foreign {
	struct exporter exporter;
	struct buffer buffer;
};

static int foreign_make(const struct exporter *own, struct foreign *foreign)
{
	static const char *const selectors[] = {
		"peer:static", "heap:system", "udmabuf", "drm:vgem",
		"drm:virtio_gpu",
	};
	const struct buffer_spec spec = { .size = PAIR_BUFFER_SIZE };

	for (size_t i = 0; i < ARRAY_SIZE(selectors); i++)
		if (strcmp(selectors[i], own->backend.selector) &&
		    !exporter_open(selectors[i], &foreign->exporter))
			return exporter_alloc(&foreign->exporter, &spec,
					      &foreign->buffer);
	return -ENODEV;
}

static void foreign_drop(struct foreign *foreign)
{
	exporter_release(&foreign->buffer);
	exporter_close(&foreign->exporter);
}

#define must_make_foreign(foreign_) \
	do { \
		int made_ = foreign_make(self->exporter, foreign_); \
\
		if (made_ == -ENODEV) \
			skip_case("nothing else here exports a buffer"); \
		must(made_); \
	} while (0)

/* ---- handles ----------------------------------------------------------- */

/* Whether a mapping made now shows what was written. */
static int shows(uint32_t seed, int fd)
{
	static uint8_t data[PAIR_BUFFER_SIZE];
	int error = cpu_read(fd, sizeof(data), 0, data, sizeof(data));

	if (error)
		return error;
	return pattern_mismatch(seed, 0, data, sizeof(data)) == -1 ? 0 : -EILSEQ;
}

CLAUSE_TEST(handle_may_be_closed_first,
	    NEEDS(EXPORTER_DRM, EXPORTER_MMAPS, IMPORTER_CPU),
	    DRM_01_a, DRM_01_b)
{
	struct exporter *exporter = self->exporter;

	must(pattern_write(SEED, &self->buffer));
	must(drm_close_handle(exporter->control, self->buffer.handle));
	check_ok(DRM_01_a, shows(SEED, self->buffer.fd));
	must_call(close(exporter->control));
	exporter->control = -1;
	check_ok(DRM_01_b, shows(SEED, self->buffer.fd));
}

/* ---- the reservation ----------------------------------------------------- */

/* Whether nobody has to wait for the buffer. */
static bool is_idle(int fd)
{
	struct pollfd poll_for = { .fd = fd, .events = POLLOUT };

	return poll(&poll_for, 1, 0) == 1;
}

/* A fence that vgem hangs on the handle is looked for on the buffer. */
static int vgem_shares(int card, uint32_t handle, int fd)
{
	struct drm_vgem_fence_attach attach = {
		.handle = handle, .flags = VGEM_FENCE_WRITE,
	};
	struct drm_vgem_fence_signal signal = { 0 };
	bool seen;
	int error = drm_call(card, DRM_IOCTL_VGEM_FENCE_ATTACH, &attach);

	if (error)
		return error;
	seen = !is_idle(fd);
	signal.fence = attach.out_fence;
	error = drm_call(card, DRM_IOCTL_VGEM_FENCE_SIGNAL, &signal);
	return error ? error : seen && is_idle(fd);
}

static int virtio_wait(int card, uint32_t handle)
{
	struct drm_virtgpu_3d_wait wait = {
		.handle = handle, .flags = VIRTGPU_WAIT_NOWAIT,
	};

	return drm_call(card, DRM_IOCTL_VIRTGPU_WAIT, &wait);
}

/* A fence on the buffer is looked for by a wait for the handle. */
static int virtio_shares(int card, uint32_t handle, int fd)
{
	struct fence fence;
	int error = fence_create(&fence), busy;

	if (error)
		return error;
	error = fence_add(&fence, fd, DMA_BUF_SYNC_WRITE);
	busy = error ? error : virtio_wait(card, handle);
	fence_destroy(&fence);
	if (busy && busy != -EBUSY)
		return busy;
	return busy && !virtio_wait(card, handle);
}

/*
 * Only calls of their own show the reservation of an object to user space: there
 * is one for each driver of drm_shows_reservation().
 */
static const struct {
	const char *driver;
	/* 1 if it is the buffer's, 0 if not, or a negative errno. */
	int (*shares)(int card, uint32_t handle, int fd);
} looks[] = {
	{ "vgem", vgem_shares },
	{ "virtio_gpu", virtio_shares },
};

CLAUSE_TEST(import_shares_the_reservation,
	    NEEDS(IMPORTER_HANDLES, IMPORTER_SHOWS_RESV, IMPORTER_SELF), DRM_02)
{
	const char *driver = self->importer->backend.driver;
	int card = self->importer->control, fd, shares;
	struct foreign foreign;
	uint32_t handle;
	size_t i = 0;

	while (i < ARRAY_SIZE(looks) && strcmp(driver, looks[i].driver))
		i++;
	must_be(i < ARRAY_SIZE(looks));
	must_make_foreign(&foreign);
	fd = foreign.buffer.fd;
	must(drm_import(card, fd, &handle));
	must_be(is_idle(fd));
	shares = looks[i].shares(card, handle, fd);
	if (shares == -ENODEV)
		skip_case("nothing here makes fences: needs the peer exporter or vgem");
	must(shares);
	check_equal(DRM_02, 1, shares);
	must(drm_close_handle(card, handle));
	foreign_drop(&foreign);
}

/* ---- memory ---------------------------------------------------------------- */

/* Bytes of memory that cannot be swapped out; a negative errno if unknown. */
static long unevictable(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	long kilobytes, found = -ENOENT;
	char line[128];

	if (!file)
		return -errno;
	while (found < 0 && fgets(line, sizeof(line), file))
		if (sscanf(line, "Unevictable: %ld kB", &kilobytes) == 1)
			found = kilobytes * 1024;
	fclose(file);
	return found;
}

CLAUSE_TEST(attach_holds_the_memory,
	    NEEDS(EXPORTER_DRM, EXPORTER_PRIME_PLAIN, EXPORTER_MAPS,
		  IMPORTER_CPU),
	    DRM_03_a, DRM_03_b)
{
	const struct buffer_spec spec = { .size = HELD_SIZE };
	const char *driver = self->exporter->backend.driver;
	struct attachment attachment;
	struct importer peer;
	struct buffer buffer;
	long before;

	if (importer_open("peer:static", &peer))
		skip_case("%s", peer.backend.reasons[0]);
	must(before = unevictable());
	must(exporter_alloc(self->exporter, &spec, &buffer));
	if (unevictable() - before > HELD_SIZE / 2)
		skip_case("%s holds its memory from the start", driver);
	must(peer_attach(&peer, buffer.fd, NULL, &attachment));
	check_saying(DRM_03_a, unevictable() - before > HELD_SIZE / 2,
		     "%ld bytes more than before are held", unevictable() - before);
	must(peer_detach(&attachment));
	check_saying(DRM_03_b, unevictable() - before < HELD_SIZE / 2,
		     "%ld bytes more than before are held", unevictable() - before);
	exporter_release(&buffer);
	importer_close(&peer);
}

/* ---- failure ------------------------------------------------------------- */

/* Attach fails, and where the import maps, the map. */
CLAUSE_TEST(failed_import_leaves_nothing,
	    NEEDS(EXPORTER_PEER, IMPORTER_HANDLES, IMPORTER_ATTACHES),
	    DRM_04_a, DRM_04_b)
{
	static const enum peer_failure steps[] = { PEER_FAIL_ATTACH, PEER_FAIL_MAP };
	int card = self->importer->control, fd = self->buffer.fd, failed;
	long before = fdinfo_references(fd);
	uint32_t handle;

	must(before);
	must_unless_declined(drm_import(card, fd, &handle));
	must(drm_close_handle(card, handle));
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		must(peer_exporter_fail(&self->buffer, steps[i], 0, 1, -EREMOTEIO));
		failed = drm_import(card, fd, &handle);
		must(peer_exporter_fail(&self->buffer, steps[i], 0, 0, 0));
		must_be(failed || steps[i] == PEER_FAIL_MAP);
		if (failed) {
			check_equal(DRM_04_a, 0, left_behind(&self->buffer));
			check(DRM_04_a, comes_true(SETTLE_MS,
						   fdinfo_references(fd) == before));
			check_ok(DRM_04_b, drm_import(card, fd, &handle));
		}
		must(drm_close_handle(card, handle));
	}
}

/* ---- hot-unplug ------------------------------------------------------------- */

/* In a child, which a signal would end: 0, that signal, or a negative errno. */
static int touch(volatile uint8_t *view)
{
	pid_t child = fork();
	int status;

	if (!child) {
		for (size_t at = 0; at < PAIR_BUFFER_SIZE; at += PAGE)
			view[at] = view[at] + 1;
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return -errno;
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void *map_shared(int fd)
{
	return mmap(NULL, PAIR_BUFFER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
}

static int touch_anew(int fd)
{
	void *view = map_shared(fd);
	int result;

	if (view == MAP_FAILED)
		return -errno;
	result = touch(view);
	munmap(view, PAIR_BUFFER_SIZE);
	return result;
}

/*
 * Takes the device behind an open file from its driver. A guard gives it back,
 * should the case die; it must not have a mapping of the device.
 */
#define must_unplug(file_, binding_, guard_) \
	do { \
		disrupts("takes the device away"); \
		if (drive_find_node(file_, binding_)) \
			skip_case("its device has no driver to unbind"); \
		must(*(guard_) = drive_guard(binding_)); \
	} while (0)

CLAUSE_TEST(buffer_stays_without_its_device,
	    NEEDS(EXPORTER_DRM, EXPORTER_MMAPS, EXPORTER_MAPS, IMPORTER_CPU),
	    DRM_06_a, DRM_06_b, DRM_06_c)
{
	static struct binding binding;
	int fd = self->buffer.fd, error;
	pid_t guard;
	void *view;

	must_unplug(self->exporter->control, &binding, &guard);
	view = map_shared(fd);
	must_be(view != MAP_FAILED && !touch(view));
	must(drive(binding.driver, "unbind", binding.device));

	check_equal(DRM_06_a, 0, touch(view));
	check_equal(DRM_06_b, 0, touch_anew(fd));
	error = trial_map(fd);
	if (error == TRIAL_NO_PEER)
		skip_clause(DRM_06_c, "needs the peer importer");
	else
		check_saying(DRM_06_c, !error || error == -ENODEV, "%s",
			     errno_text(error));

	munmap(view, PAIR_BUFFER_SIZE);
	close(self->exporter->control);
	self->exporter->control = -1;
	exporter_release(&self->buffer);
	must(drive(binding.driver, "bind", binding.device));
	guard_stop(guard);
}

CLAUSE_TEST(import_without_the_device, NEEDS(IMPORTER_HANDLES, IMPORTER_SELF),
	    DRM_06_d)
{
	int card = self->importer->control, error;
	static struct binding binding;
	struct foreign foreign;
	uint32_t handle;
	pid_t guard;

	must_make_foreign(&foreign);
	must_unplug(card, &binding, &guard);
	must(drm_import(card, foreign.buffer.fd, &handle));
	must(drm_close_handle(card, handle));
	must(drive(binding.driver, "unbind", binding.device));

	error = drm_import(card, foreign.buffer.fd, &handle);
	check_saying(DRM_06_d, !error || error == -ENODEV, "%s",
		     errno_text(error));

	close(card);
	close(self->exporter->control);
	self->importer->control = self->exporter->control = -1;
	exporter_release(&self->buffer);
	foreign_drop(&foreign);
	must(drive(binding.driver, "bind", binding.device));
	guard_stop(guard);
}

CLAUSE_TEST_MAIN("drm")
