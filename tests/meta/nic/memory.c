// SPDX-License-Identifier: GPL-2.0-only
/* What a device may reach: exactly what is mapped for it, in the direction it is. */
#include "kselftest_harness.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nic/log.h"
#include "nic/memory.h"
#include "nic/memory_file.h"

#define PAGE	4096ull
#define PAGES	64
#define BOTH	(MEMORY_READ | MEMORY_WRITE)
#define TOP	(UINT64_MAX - PAGE + 1)

FIXTURE(memory)
{
	struct counters counters;
	struct memory *memory;
	uint8_t *guest;
	int fd;
};

static int make_file(size_t size)
{
	int fd = memfd_create("guest", MFD_CLOEXEC);

	return ftruncate(fd, size) ? -1 : fd;
}

FIXTURE_SETUP(memory)
{
	memset(&self->counters, 0, sizeof(self->counters));
	self->memory = memory_new("nic0", &self->counters);
	ASSERT_NE(NULL, self->memory);
	self->fd = make_file(PAGES * PAGE);
	ASSERT_GE(self->fd, 0);
	self->guest = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
			   MAP_SHARED, self->fd, 0);
	ASSERT_NE(MAP_FAILED, self->guest);
}

FIXTURE_TEARDOWN(memory)
{
	memory_free(self->memory);
	munmap(self->guest, PAGES * PAGE);
	close(self->fd);
}

/* Maps pages of the file at an address. */
static int add(FIXTURE_DATA(memory) *self, uint64_t address, uint64_t page,
	       uint64_t pages, unsigned int access)
{
	return memory_add(self->memory, address, pages * PAGE, self->fd,
			  page * PAGE, access);
}

TEST_F(memory, nothing_is_mapped_at_first)
{
	char byte;

	ASSERT_EQ(-EFAULT, memory_read(self->memory, 0, &byte, 1));
	ASSERT_EQ(-EFAULT, memory_write(self->memory, TOP, &byte, 1));
	ASSERT_EQ(2, self->counters.dma_faults);
	ASSERT_EQ(0, memory_read(self->memory, 0, &byte, 0));
	ASSERT_EQ(2, self->counters.dma_faults);
}

TEST_F(memory, bytes_go_where_the_mapping_says)
{
	char text[6];

	ASSERT_EQ(0, add(self, 0x70000, 3, 1, BOTH));
	ASSERT_EQ(0, memory_write(self->memory, 0x70010, "hello", 6));
	ASSERT_STREQ("hello", (char *)self->guest + 3 * PAGE + 0x10);
	ASSERT_EQ(0, memory_read(self->memory, 0x70010, text, 6));
	ASSERT_STREQ("hello", text);
	ASSERT_EQ(6, self->counters.bytes_written);
	ASSERT_EQ(6, self->counters.bytes_read);
}

TEST_F(memory, transfers_cross_mappings)
{
	uint8_t out[3 * PAGE], in[3 * PAGE];

	for (size_t i = 0; i < sizeof(out); i++)
		out[i] = i / 16;
	ASSERT_EQ(0, add(self, 0x2000, 9, 1, BOTH));
	ASSERT_EQ(0, add(self, 0x1000, 5, 1, BOTH));
	ASSERT_EQ(0, add(self, 0x3000, 1, 2, BOTH));
	ASSERT_EQ(0, memory_write(self->memory, 0x1800, out, sizeof(out)));
	ASSERT_EQ(0, memcmp(self->guest + 5 * PAGE + 0x800, out, 0x800));
	ASSERT_EQ(0, memcmp(self->guest + 9 * PAGE, out + 0x800, PAGE));
	ASSERT_EQ(0, memcmp(self->guest + 1 * PAGE, out + 0x1800, PAGE + 0x800));
	ASSERT_EQ(0, memory_read(self->memory, 0x1800, in, sizeof(in)));
	ASSERT_EQ(0, memcmp(in, out, sizeof(in)));
}

TEST_F(memory, a_hole_stops_all_of_a_transfer)
{
	uint8_t out[3 * PAGE];

	memset(out, 0xff, sizeof(out));
	ASSERT_EQ(0, add(self, 0x1000, 0, 1, BOTH));
	ASSERT_EQ(0, add(self, 0x3000, 1, 1, BOTH));
	ASSERT_EQ(-EFAULT, memory_write(self->memory, 0x1000, out, sizeof(out)));
	ASSERT_EQ(-EFAULT, memory_write(self->memory, 0x3000, out, PAGE + 1));
	for (size_t i = 0; i < 2 * PAGE; i++)
		ASSERT_EQ(0, self->guest[i]);
	ASSERT_EQ(2, self->counters.dma_faults);
	ASSERT_EQ(0, self->counters.bytes_written);
}

TEST_F(memory, direction_counts)
{
	uint64_t word = 0;

	ASSERT_EQ(0, add(self, 0x1000, 0, 1, MEMORY_READ));
	ASSERT_EQ(0, add(self, 0x2000, 1, 1, MEMORY_WRITE));
	ASSERT_EQ(0, memory_read(self->memory, 0x1000, &word, 8));
	ASSERT_EQ(-EFAULT, memory_write(self->memory, 0x1000, &word, 8));
	ASSERT_EQ(0, memory_write(self->memory, 0x2000, &word, 8));
	ASSERT_EQ(-EFAULT, memory_read(self->memory, 0x2000, &word, 8));
	ASSERT_EQ(-EFAULT, memory_read(self->memory, 0x1ffc, &word, 8));
	ASSERT_EQ(-EFAULT, memory_store_u8_release(self->memory, 0x1000, 1));
	ASSERT_EQ(4, self->counters.dma_denied);
	ASSERT_EQ(0, self->counters.dma_faults);
}

TEST_F(memory, a_copy_checks_both_ends_first)
{
	memset(self->guest, 7, PAGE);
	ASSERT_EQ(0, add(self, 0x1000, 0, 2, BOTH));
	ASSERT_EQ(0, add(self, 0x8000, 4, 1, BOTH));
	ASSERT_EQ(0, memory_copy(self->memory, 0x8000, self->memory, 0x1004, 100));
	ASSERT_EQ(7, self->guest[4 * PAGE + 99]);
	ASSERT_EQ(0, self->guest[4 * PAGE + 100]);
	ASSERT_EQ(-EFAULT, memory_copy(self->memory, 0x8000, self->memory,
				       0x1000, 2 * PAGE));
	ASSERT_EQ(-EFAULT, memory_copy(self->memory, 0x1000, self->memory,
				       0x8000, 2 * PAGE));
	ASSERT_EQ(7, self->guest[0]);
	ASSERT_EQ(0, self->guest[4 * PAGE + 100]);
	ASSERT_EQ(100, self->counters.bytes_written);
}

TEST_F(memory, a_copy_crosses_mappings_on_both_sides)
{
	for (size_t i = 0; i < 4 * PAGE; i++)
		self->guest[i] = i / 16;
	for (uint64_t i = 0; i < 4; i++)
		ASSERT_EQ(0, add(self, i * PAGE, i, 1, MEMORY_READ));
	for (uint64_t i = 0; i < 5; i++)
		ASSERT_EQ(0, add(self, 0x100000 + i * PAGE, 20 + 2 * i, 1, BOTH));
	ASSERT_EQ(0, memory_copy(self->memory, 0x100300, self->memory, 0, 4 * PAGE));
	for (size_t i = 0; i < 4 * PAGE; i++) {
		size_t at = i + 0x300;

		ASSERT_EQ((uint8_t)(i / 16),
			  self->guest[(20 + at / PAGE * 2) * PAGE + at % PAGE]);
	}
}

TEST_F(memory, words_are_stored_whole)
{
	ASSERT_EQ(0, add(self, 0x1000, 0, 1, BOTH));
	ASSERT_EQ(0, memory_store_u8_release(self->memory, 0x1003, 0x11));
	ASSERT_EQ(0, memory_store_u16_release(self->memory, 0x1004, 0x2233));
	ASSERT_EQ(0, memory_store_u32_release(self->memory, 0x1ffc, 0x44556677));
	ASSERT_EQ(0, memcmp(self->guest, "\0\0\0\x11\x33\x22\0", 7));
	ASSERT_EQ(0, memcmp(self->guest + 0xffc, "\x77\x66\x55\x44", 4));
	ASSERT_EQ(-EFAULT, memory_store_u16_release(self->memory, 0x1005, 1));
	ASSERT_EQ(-EFAULT, memory_store_u32_release(self->memory, 0x1002, 1));
	ASSERT_EQ(-EFAULT, memory_store_u32_release(self->memory, 0x2000, 1));
}

TEST_F(memory, bad_ranges_are_refused)
{
	ASSERT_EQ(-EINVAL, add(self, 0x1000, 0, 0, BOTH));
	ASSERT_EQ(-EINVAL, add(self, TOP, 0, 2, BOTH));
	ASSERT_EQ(-EINVAL, add(self, 0x1001, 0, 1, BOTH));
	ASSERT_EQ(-EINVAL, add(self, 0x1000, 0, 1, 0));
	ASSERT_EQ(-EINVAL, add(self, 0x1000, 0, 1, 4 | MEMORY_READ));
	ASSERT_EQ(-EINVAL, memory_add(self->memory, 0, 100, self->fd, 0, BOTH));
	ASSERT_EQ(-EINVAL, memory_add(self->memory, 0, PAGE, self->fd, 12, BOTH));
	ASSERT_EQ(0, self->counters.dma_maps);
}

TEST_F(memory, what_the_file_lacks_is_not_mapped)
{
	int ends[2];

	ASSERT_EQ(-EINVAL, add(self, 0, PAGES, 1, BOTH));
	ASSERT_EQ(-EINVAL, add(self, 0, 1, PAGES, BOTH));
	ASSERT_EQ(-EINVAL, add(self, 0, TOP / PAGE, 1, BOTH));
	ASSERT_EQ(-EINVAL, add(self, 0, 1, TOP / PAGE, BOTH));
	ASSERT_EQ(0, pipe(ends));
	ASSERT_EQ(-EINVAL, memory_add(self->memory, 0, PAGE, ends[0], 0, BOTH));
	ASSERT_EQ(-EBADF, memory_add(self->memory, 0, PAGE, 999, 0, BOTH));
	ASSERT_EQ(0, add(self, 0, 0, PAGES, BOTH));
}

TEST_F(memory, mappings_do_not_overlap)
{
	ASSERT_EQ(0, add(self, 0x4000, 0, 4, BOTH));
	ASSERT_EQ(-EEXIST, add(self, 0x4000, 0, 4, BOTH));
	ASSERT_EQ(-EEXIST, add(self, 0x3000, 0, 2, BOTH));
	ASSERT_EQ(-EEXIST, add(self, 0x7000, 0, 2, BOTH));
	ASSERT_EQ(-EEXIST, add(self, 0x5000, 0, 1, BOTH));
	ASSERT_EQ(-EEXIST, add(self, 0x1000, 0, 16, BOTH));
	ASSERT_EQ(0, add(self, 0x3000, 0, 1, BOTH));
	ASSERT_EQ(0, add(self, 0x8000, 0, 1, BOTH));
	ASSERT_EQ(3, self->counters.dma_maps);
}

TEST_F(memory, the_last_page_of_all_can_be_used)
{
	char byte = 1;

	ASSERT_EQ(0, add(self, TOP, 0, 1, BOTH));
	ASSERT_EQ(0, add(self, 0, 1, 1, BOTH));
	ASSERT_EQ(0, memory_write(self->memory, UINT64_MAX, &byte, 1));
	ASSERT_EQ(1, self->guest[PAGE - 1]);
	ASSERT_EQ(-EFAULT, memory_write(self->memory, UINT64_MAX, "ab", 2));
	ASSERT_EQ(-EFAULT, memory_check(self->memory, 1, SIZE_MAX, MEMORY_READ));
	ASSERT_EQ(0, memory_remove(self->memory, TOP, PAGE));
	ASSERT_EQ(-EFAULT, memory_write(self->memory, UINT64_MAX, &byte, 1));
}

TEST_F(memory, unmapped_is_unreachable)
{
	char byte = 1;

	ASSERT_EQ(0, add(self, 0x1000, 0, 1, BOTH));
	ASSERT_EQ(0, add(self, 0x2000, 1, 1, BOTH));
	ASSERT_EQ(0, memory_write(self->memory, 0x1000, &byte, 1));
	ASSERT_EQ(0, memory_remove(self->memory, 0x1000, PAGE));
	ASSERT_EQ(-EFAULT, memory_write(self->memory, 0x1000, &byte, 1));
	ASSERT_EQ(0, memory_write(self->memory, 0x2000, &byte, 1));
	ASSERT_EQ(1, self->counters.dma_unmaps);
}

TEST_F(memory, many_mappings_are_removed_at_once)
{
	for (uint64_t i = 0; i < PAGES; i++)
		ASSERT_EQ(0, add(self, i * 2 * PAGE, i, 1, BOTH));
	ASSERT_EQ(0, memory_remove(self->memory, 4 * PAGE, 8 * PAGE));
	ASSERT_EQ(4, self->counters.dma_unmaps);
	ASSERT_EQ(0, memory_check(self->memory, 2 * PAGE, PAGE, BOTH));
	ASSERT_EQ(-EFAULT, memory_check(self->memory, 10 * PAGE, 1, MEMORY_READ));
	ASSERT_EQ(0, memory_check(self->memory, 12 * PAGE, PAGE, BOTH));
	ASSERT_EQ(0, memory_remove(self->memory, 0, 1ull << 63));
	ASSERT_EQ(PAGES, self->counters.dma_unmaps);
}

TEST_F(memory, what_was_never_mapped_can_be_unmapped)
{
	ASSERT_EQ(0, memory_remove(self->memory, 0x1000, PAGE));
	ASSERT_EQ(0, self->counters.dma_unmaps);
}

TEST_F(memory, no_mapping_is_cut)
{
	ASSERT_EQ(0, add(self, 0x4000, 0, 4, BOTH));
	ASSERT_EQ(0, add(self, 0x8000, 4, 1, BOTH));
	ASSERT_EQ(-EINVAL, memory_remove(self->memory, 0x4000, PAGE));
	ASSERT_EQ(-EINVAL, memory_remove(self->memory, 0x5000, PAGE));
	ASSERT_EQ(-EINVAL, memory_remove(self->memory, 0x7000, 2 * PAGE));
	ASSERT_EQ(-EINVAL, memory_remove(self->memory, 0x4000, 0));
	ASSERT_EQ(-EINVAL, memory_remove(self->memory, 0x4000, UINT64_MAX));
	ASSERT_EQ(0, memory_check(self->memory, 0x4000, 5 * PAGE, BOTH));
	ASSERT_EQ(0, memory_remove(self->memory, 0x4000, 5 * PAGE));
}

TEST_F(memory, a_mapping_may_have_no_memory)
{
	char byte;

	ASSERT_EQ(0, memory_add(self->memory, 0x1000, PAGE, -1, 0, BOTH));
	ASSERT_EQ(-EFAULT, memory_read(self->memory, 0x1000, &byte, 1));
	ASSERT_EQ(1, self->counters.dma_faults);
	ASSERT_EQ(-EEXIST, add(self, 0x1000, 0, 1, BOTH));
	ASSERT_EQ(0, memory_remove(self->memory, 0x1000, PAGE));
}

TEST_F(memory, only_a_bus_master_reaches_memory)
{
	char byte;

	ASSERT_EQ(0, add(self, 0x1000, 0, 1, BOTH));
	memory_allow(self->memory, false);
	ASSERT_EQ(-EFAULT, memory_read(self->memory, 0x1000, &byte, 1));
	ASSERT_EQ(-EFAULT, memory_store_u8_release(self->memory, 0x1000, 1));
	ASSERT_EQ(2, self->counters.dma_faults);
	memory_allow(self->memory, true);
	ASSERT_EQ(0, memory_read(self->memory, 0x1000, &byte, 1));
	ASSERT_EQ(0, byte);
}

TEST_F(memory, a_read_only_file_is_read)
{
	char path[64], byte;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", self->fd);
	fd = open(path, O_RDONLY);
	ASSERT_GE(fd, 0);
	ASSERT_EQ(-EACCES, memory_add(self->memory, 0, PAGE, fd, 0, BOTH));
	ASSERT_EQ(0, memory_add(self->memory, 0, PAGE, fd, 0, MEMORY_READ));
	ASSERT_EQ(0, memory_read(self->memory, 0, &byte, 1));
	/* The same file, mapped anew since the first map cannot be written. */
	ASSERT_EQ(0, add(self, 0x1000, 0, 1, BOTH));
	ASSERT_EQ(0, memory_write(self->memory, 0x1000, &byte, 1));
	close(fd);
}

TEST_F(memory, a_file_that_shrinks_is_lost)
{
	char byte = 1;

	ASSERT_EQ(0, add(self, 0, 0, PAGES, BOTH));
	ASSERT_EQ(0, ftruncate(self->fd, PAGE));
	ASSERT_EQ(0, memory_write(self->memory, 8 * PAGE, &byte, 1));
	ASSERT_EQ(-EFAULT, memory_write(self->memory, 8 * PAGE, &byte, 1));
	ASSERT_EQ(-EFAULT, memory_read(self->memory, 0, &byte, 1));
	ASSERT_EQ(2, self->counters.dma_faults);
	/* What is mapped from now on is fine again. */
	ASSERT_EQ(0, memory_remove(self->memory, 0, PAGES * PAGE));
	ASSERT_EQ(0, add(self, 0, 0, 1, BOTH));
	ASSERT_EQ(0, memory_read(self->memory, 0, &byte, 1));
}

TEST_F(memory, a_file_that_grows_is_mapped_anew)
{
	char byte = 1;

	ASSERT_EQ(0, add(self, 0, 0, PAGES, BOTH));
	ASSERT_EQ(0, ftruncate(self->fd, 2 * PAGES * PAGE));
	ASSERT_EQ(0, add(self, PAGES * PAGE, PAGES, PAGES, BOTH));
	ASSERT_EQ(0, memory_write(self->memory, 2 * PAGES * PAGE - 1, &byte, 1));
}

TEST_F(memory, files_are_bounded_and_let_go)
{
	uint64_t count = 0;
	int fds[300], ret = 0;

	for (; count < 300; count++) {
		fds[count] = make_file(PAGE);
		ret = memory_add(self->memory, count * PAGE, PAGE, fds[count], 0,
				 BOTH);
		if (ret)
			break;
	}
	ASSERT_EQ(-ENOSPC, ret);
	memory_remove_all(self->memory);
	ASSERT_EQ(count, self->counters.dma_unmaps);
	ASSERT_EQ(0, memory_add(self->memory, 0, PAGE, fds[count], 0, BOTH));
}

/* An IOMMU hands out addresses from the top down, thousands of them. */
TEST_F(memory, mappings_are_bounded)
{
	uint64_t count = 0;
	int ret = 0;

	for (; count <= MEMORY_MAPPINGS; count++) {
		ret = add(self, TOP - count * PAGE, count % PAGES, 1, BOTH);
		if (ret)
			break;
	}
	ASSERT_EQ(-ENOSPC, ret);
	ASSERT_EQ(MEMORY_MAPPINGS, count);
	ASSERT_EQ(0, memory_check(self->memory, TOP - (count - 1) * PAGE,
				  count * PAGE, BOTH));
	ASSERT_EQ(0, memory_remove(self->memory, TOP, PAGE));
	ASSERT_EQ(0, add(self, TOP, 0, 1, BOTH));
	memory_remove_all(self->memory);
	ASSERT_EQ(count + 1, self->counters.dma_unmaps);
}

TEST_HARNESS_MAIN
