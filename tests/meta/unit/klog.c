// SPDX-License-Identifier: GPL-2.0-only
/* Which lines of the kernel log are complaints, on the records of true kernels. */
#include "kselftest_harness.h"

#include <string.h>

#include "oracle/klog.h"

/* The forms that 6.x and 7.x give the same warning. */
#define WARNING_6X "4,812,9154321,-;WARNING: CPU: 1 PID: 213 at drivers/dma-buf/dma-buf.c:913 dma_buf_dynamic_attach+0x1c3/0x290"
#define WARNING_7X "4,812,9154321,-;WARNING: drivers/dma-buf/dma-buf.c:1403 at dma_buf_invalidate_mappings+0x4a/0x60, CPU#0: attach/213"
#define WARNING_PART "4,812,9154321,-;WARNING: CPU: 0 PID: 9 at drivers/dma-buf/dma-buf.c:913 dma_buf_dynamic_attach.part.0+0x1c3/0x290"

static char text[256];

FIXTURE(window) { };

FIXTURE_SETUP(window)
{
	klog_begin();	/* forgets what an earlier test expected */
}

FIXTURE_TEARDOWN(window) { }

static bool complaint(const char *record)
{
	return klog_complaint(record, text, sizeof(text));
}

TEST_F(window, warnings_are_complaints)
{
	ASSERT_TRUE(complaint(WARNING_6X));
	ASSERT_STREQ(strchr(WARNING_6X, ';') + 1, text);
	ASSERT_TRUE(complaint(WARNING_7X));
}

TEST_F(window, bugs_of_all_kinds_are_complaints)
{
	static const char *const records[] = {
		"1,9,1,-;BUG: kernel NULL pointer dereference, address: 0000000000000010",
		"3,9,1,-;BUG: KASAN: slab-use-after-free in dma_buf_release+0x1/0x2",
		"3,9,1,-;BUG: sleeping function called from invalid context at x.c:1",
		"3,9,1,-;BUG: scheduling while atomic: test/12/0x00000002",
		"4,9,1,-;Oops: Oops: 0000 [#1] PREEMPT SMP NOPTI",
		"4,9,1,-;general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1] PREEMPT SMP NOPTI",
		"4,9,1,-;general protection fault: 0000 [#1] PREEMPT SMP NOPTI",
		"4,9,1,-;Oops: general protection fault, maybe for address 0xffff888003b9f200: 0000 [#1] SMP NOPTI",
		"4,9,1,-;refcount_t: underflow; use-after-free.",
		"3,9,1,-;DMA-API: pci 0000:00:05.0: device driver frees DMA memory with different size",
		"3,9,1,-;DMAR: [DMA Read NO_PASID] Request device [00:05.0] fault addr 0xfffff000 [fault reason 0x06] PTE Read access is not set",
		"4,9,1,-;pci 0000:01:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0 address=0x0 flags=0x0]",
		"3,9,1,-;INFO: task pin:77 blocked for more than 120 seconds.",
	};

	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		ASSERT_TRUE(complaint(records[i])) {
			TH_LOG("%s", records[i]);
		}
	}
}

TEST_F(window, the_rest_of_a_dump_and_plain_talk_are_none)
{
	static const char *const records[] = {
		"4,9,1,-;------------[ cut here ]------------",
		"4,9,1,-;Modules linked in: vgem(E) drm_shmem_helper(E)",
		"4,9,1,-;RIP: 0010:dma_buf_dynamic_attach+0x1c3/0x290",
		"4,9,1,-;---[ end trace 0000000000000000 ]---",
		"6,9,1,-;[drm] Initialized vgem 1.0.0 for vgem on minor 0",
		"6,9,1,-;DMAR: Host address width 39",
		/* A process died of its own mistake. */
		"6,9,1,-;traps: cts-all[436] general protection fault ip:55eacd4615f0 sp:7ffd048b64d0 error:402 in cts-all[f25f0,55eacd389000+e4000]",
		"6,9,1,-;traps: cts-all[436] segment-related general protection fault ip:55eacd4615f0 sp:7ffd048b64d0 error:402",
		"5,9,1,-;random: crng init done\n SUBSYSTEM=pci\n DEVICE=+pci:0000:00:05.0",
		"",
		"no record at all",
	};

	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		ASSERT_FALSE(complaint(records[i])) {
			TH_LOG("%s", records[i]);
		}
	}
}

/* 12 is facility 1, "user": anybody may write that into the log. */
TEST_F(window, user_space_cannot_complain)
{
	ASSERT_FALSE(complaint("12,9,1,-;WARNING: I am a test, at f+0x1/0x2"));
}

TEST_F(window, a_count_that_is_full_is_none)
{
	ASSERT_FALSE(complaint("4,9,1,-;DMA-API: exceeded 7 overlapping mappings of cacheline 0x0000000000feff00"));
	ASSERT_FALSE(complaint("4,9,1,-;WARNING: kernel/dma/debug.c:465 at add_dma_entry+0x1/0x2, CPU#0: x/1"));
	ASSERT_TRUE(complaint("4,9,1,-;DMA-API: misc udmabuf: device driver syncs DMA memory with different direction"));
	ASSERT_TRUE(complaint("4,9,1,-;WARNING: kernel/dma/debug.c:1124 at check_unmap+0x1/0x2, CPU#0: x/1"));
	ASSERT_TRUE(complaint("3,9,1,-;BUG: sleeping function called from invalid context at kernel/dma/debug.c:465, in add_dma_entry+0x1/0x2"));
	ASSERT_TRUE(complaint("3,9,1,-;BUG: spinlock bad magic, overlapping mappings of cacheline"));
}

TEST_F(window, a_declared_warning_is_none)
{
	klog_expect("dma_buf_dynamic_attach");
	ASSERT_FALSE(complaint(WARNING_6X));
	ASSERT_FALSE(complaint(WARNING_PART));
	ASSERT_TRUE(complaint(WARNING_7X));
	klog_expect("dma_buf_invalidate_mappings");
	ASSERT_FALSE(complaint(WARNING_7X));
}

TEST_F(window, a_declaration_covers_its_function_alone)
{
	klog_expect("dma_buf_dynamic");
	klog_expect("buf_dynamic_attach");
	ASSERT_TRUE(complaint(WARNING_6X));
	klog_expect("dma_buf_release");
	ASSERT_TRUE(complaint("3,9,1,-;BUG: KASAN: slab-use-after-free in dma_buf_release+0x1/0x2"));
}

TEST_F(window, a_new_window_forgets)
{
	klog_expect("dma_buf_dynamic_attach");
	klog_begin();
	ASSERT_TRUE(complaint(WARNING_6X));
}

TEST_HARNESS_MAIN
