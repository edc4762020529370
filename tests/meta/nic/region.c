// SPDX-License-Identifier: GPL-2.0-only
/* Memory regions: how their pages are told, and who may use them for what. */
#include "kselftest_harness.h"

#include <string.h>

#include "common/driver.h"
#include "nic/fault.h"

#define SHIFT	12

FIXTURE(region)
{
	struct fabric *fabric;
	struct driver *driver;
	struct counters *counters;
	struct controls *controls;
	uint16_t pd;
	struct reg_mr reg;		/* of one page, told inline */
	struct reg_mr_answer keys;
};

FIXTURE_SETUP(region)
{
	uint64_t page;

	self->fabric = fabric_new();
	self->driver = driver_start(self->fabric, 0, 3);
	self->counters = function_counters(self->driver->function);
	self->controls = function_controls(self->driver->function);
	self->pd = driver_pd(self->driver);
	page = driver_alloc(self->driver, PAGE);
	self->reg = (struct reg_mr){
		.pd = self->pd,
		.pages = { page },
		.length = PAGE,
		.shift = SHIFT,
		.rights = RIGHTS,
		.address = 0x7f0000000000,
	};
}

FIXTURE_TEARDOWN(region)
{
	driver_stop(self->driver);
	fabric_free(self->fabric);
}

static enum admin_status try(FIXTURE_DATA(region) *self, uint8_t flags, struct reg_mr reg)
{
	union answer answer;
	enum admin_status status = driver_command(self->driver, OPCODE_REG_MR, flags, &reg,
						  sizeof(reg), &answer);

	self->keys = answer.mr;
	return status;
}

/* A region of so many pages, all of them the same; its list is somewhere else. */
static struct reg_mr large(FIXTURE_DATA(region) *self, uint32_t pages, uint64_t list,
			   uint32_t length)
{
	struct reg_mr reg = self->reg;

	reg.length = pages * PAGE;
	reg.list = (struct external){ length, { list, list >> 32 } };
	return reg;
}

static void fill_list(FIXTURE_DATA(region) *self, uint64_t list, uint32_t pages, uint64_t page)
{
	uint64_t *entries = driver_at(self->driver, list);

	for (uint32_t i = 0; i < pages; i++)
		entries[i] = page;
}

TEST_F(region, keys_live_and_die)
{
	struct number_command pd = { .number = self->pd };

	ASSERT_EQ(ADMIN_OK, try(self, 0, self->reg));
	ASSERT_EQ(self->keys.local_key, self->keys.remote_key);
	ASSERT_EQ(0, self->keys.local_key & ~KEY_MASK);
	ASSERT_EQ(1, self->counters->mr_live);
	ASSERT_EQ(ADMIN_BUSY, driver_command(self->driver, OPCODE_DEALLOC_PD, 0, &pd,
					     sizeof(pd), NULL));
	ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, self->keys.local_key));
	ASSERT_EQ(ADMIN_OK, driver_command(self->driver, OPCODE_DEALLOC_PD, 0, &pd,
					   sizeof(pd), NULL));
	ASSERT_EQ(ADMIN_ILLEGAL, driver_dereg(self->driver, self->keys.local_key));
	ASSERT_EQ(ADMIN_ILLEGAL, driver_dereg(self->driver, 0));
	ASSERT_EQ(ADMIN_ILLEGAL, driver_dereg(self->driver, 0xffffffff));
	ASSERT_EQ(0, self->counters->mr_live);
}

TEST_F(region, a_slot_has_another_key_in_its_next_life)
{
	uint32_t first;

	ASSERT_EQ(ADMIN_OK, try(self, 0, self->reg));
	first = self->keys.local_key;
	for (int i = 0; i < 4096; i++) {
		ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, self->keys.local_key));
		ASSERT_EQ(ADMIN_OK, try(self, 0, self->reg));
		ASSERT_NE(first, self->keys.local_key);
	}
	ASSERT_EQ(first & 0xfff, self->keys.local_key & 0xfff);
}

TEST_F(region, there_are_only_so_many)
{
	for (int i = 0; i < 4096; i++)
		ASSERT_EQ(ADMIN_OK, try(self, 0, self->reg));
	ASSERT_EQ(ADMIN_NO_RESOURCE, try(self, 0, self->reg));
	ASSERT_EQ(4096, self->counters->mr_live);
}

TEST_F(region, has_a_good_shape)
{
	struct reg_mr bad[15];

	for (size_t i = 0; i < 15; i++)
		bad[i] = self->reg;
	bad[0].pd = 1023;
	bad[1].length = 0;
	bad[2].length = 1ull << 48;
	bad[3].length = UINT64_MAX;
	bad[4].address = UINT64_MAX - 100;
	bad[5].shift = 11;
	bad[6].shift = 63;
	bad[7].shift = SHIFT | REGION_PHYSICAL;
	bad[8].shift = SHIFT | 0x40;
	bad[9].rights = 8;
	bad[10].rights = RIGHT_REMOTE_WRITE;
	bad[11].length = 5 * PAGE;		/* five pages do not fit inline */
	bad[12].pages[0] += 1;
	bad[13].address += 1;			/* needs a second page ... */
	bad[13].pages[1] = 17;			/* ... that is none */
	bad[14] = (struct reg_mr){
		.pd = self->pd, .shift = 46, .length = 1ull << 48,
	};
	for (size_t i = 0; i < 15; i++) {
		ASSERT_EQ(ADMIN_ILLEGAL, try(self, 0, bad[i])) {
			TH_LOG("bad[%zu]", i);
		}
	}
	ASSERT_EQ(0, self->counters->mr_live);
}

TEST_F(region, only_announced_page_sizes_are_taken)
{
	struct reg_mr reg = self->reg;

	self->controls->page_size_caps_lo = 1 << 21;
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, 0, reg));
	reg.shift = 21;
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, 0, reg));
	reg.pages[0] = 0x200000;
	ASSERT_EQ(ADMIN_OK, try(self, 0, reg));
}

TEST_F(region, a_list_elsewhere)
{
	uint64_t list = driver_alloc(self->driver, 100 * 8);

	fill_list(self, list, 100, self->reg.pages[0]);
	ASSERT_EQ(ADMIN_OK, try(self, ADMIN_EXTERNAL, large(self, 100, list, 800)));
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, ADMIN_EXTERNAL, large(self, 100, list, 799)));
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, ADMIN_EXTERNAL, large(self, 100, 0x1000, 800)));
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, ADMIN_EXTERNAL, large(self, 100, UINT64_MAX - 7, 800)));
	fill_list(self, list + 99 * 8, 1, 5);
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, ADMIN_EXTERNAL, large(self, 100, list, 800)));
	ASSERT_EQ(1, self->counters->mr_live);
	ASSERT_EQ(5, self->counters->page_lists_direct);
}

/* Two full chunks and a last one that is not, as a driver makes them. */
#define LISTS	(2 * CHUNK_LISTS + 3)

static uint64_t make_chain(FIXTURE_DATA(region) *self, uint64_t list)
{
	uint64_t chain = driver_alloc(self->driver, 3 * CHUNK_BYTES);

	for (int i = 0; i < 3; i++) {
		uint64_t chunk = chain + i * CHUNK_BYTES, next = chunk + CHUNK_BYTES;
		uint32_t lists = i < 2 ? CHUNK_LISTS : 3;
		struct external *link = driver_at(self->driver, chunk + CHUNK_LISTS * 8);

		fill_list(self, chunk, lists, list);
		if (i < 2)
			*link = (struct external){
				(i < 1 ? CHUNK_LISTS : 3) * 8 + sizeof(*link),
				{ next, next >> 32 },
			};
	}
	return chain;
}

#define INDIRECT	(ADMIN_EXTERNAL | ADMIN_INDIRECT)

TEST_F(region, a_chain_of_lists)
{
	uint32_t pages = (LISTS - 1) * LIST_PAGES + 100;
	uint64_t list = driver_alloc(self->driver, LIST_BYTES);
	uint64_t chain = make_chain(self, list);
	uint32_t first = CHUNK_LISTS * 8 + sizeof(struct external);

	fill_list(self, list, LIST_PAGES, self->reg.pages[0]);
	ASSERT_EQ(ADMIN_OK, try(self, INDIRECT, large(self, pages, chain, first)));
	/* More pages than there are in the chain, whose last chunk has no successor. */
	ASSERT_EQ(ADMIN_ILLEGAL,
		  try(self, INDIRECT, large(self, LISTS * LIST_PAGES + 1, chain, first)));
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, INDIRECT, large(self, pages, chain, 12)));
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, INDIRECT, large(self, pages, chain, 4097)));
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, INDIRECT, large(self, pages, 0x5000, first)));
	ASSERT_EQ(1, self->counters->mr_live);
	ASSERT_EQ(6 - 1, self->counters->page_lists_indirect);
}

TEST_F(region, fault_of_a_chain)
{
	uint32_t pages = (LISTS - 1) * LIST_PAGES + 100;
	uint64_t list = driver_alloc(self->driver, LIST_BYTES);
	uint64_t chain = make_chain(self, list);
	uint32_t first = CHUNK_LISTS * 8 + sizeof(struct external);
	struct external *link = driver_at(self->driver, chain + CHUNK_LISTS * 8);

	fill_list(self, list, LIST_PAGES, self->reg.pages[0]);
	link->address = (typeof(link->address)){ 0x5000, 0 };
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, INDIRECT, large(self, pages, chain, first)));
	fault_set(FAULT_chain_ignored);
	ASSERT_EQ(ADMIN_OK, try(self, INDIRECT, large(self, pages, chain, first)));
	fault_set(FAULT_none);
}

TEST_F(region, a_chain_that_bites_its_tail_ends)
{
	uint64_t list = driver_alloc(self->driver, LIST_BYTES);
	uint64_t chain = make_chain(self, list);
	struct external *link = driver_at(self->driver, chain + CHUNK_LISTS * 8);
	uint32_t first = CHUNK_LISTS * 8 + sizeof(*link);

	fill_list(self, list, LIST_PAGES, self->reg.pages[0]);
	*link = (struct external){ first, { chain, chain >> 32 } };
	ASSERT_EQ(ADMIN_OK, try(self, INDIRECT, large(self, 1 << 20, chain, first)));
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, INDIRECT, large(self, (1 << 20) + 1, chain, first)));
	*link = (struct external){ 0, { chain, chain >> 32 } };
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, INDIRECT, large(self, 1 << 20, chain, first)));
	*link = (struct external){ first, { 0, 0xdead } };
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, INDIRECT, large(self, 1 << 20, chain, first)));
	fill_list(self, chain + 8, 1, 0xbad000);
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, INDIRECT, large(self, 1 << 20, chain, first)));
}

TEST_F(region, pages_of_all_regions_have_a_limit)
{
	uint64_t list = driver_alloc(self->driver, LIST_BYTES);
	uint64_t chain = make_chain(self, list);
	struct external *link = driver_at(self->driver, chain + CHUNK_LISTS * 8);
	uint32_t first = CHUNK_LISTS * 8 + sizeof(*link);
	int made = 0;

	fill_list(self, list, LIST_PAGES, self->reg.pages[0]);
	*link = (struct external){ first, { chain, chain >> 32 } };
	while (!try(self, INDIRECT, large(self, 1 << 20, chain, first)))
		ASSERT_LT(made++, 100);
	ASSERT_EQ(8, made);
	ASSERT_EQ(ADMIN_NO_RESOURCE, try(self, 0, self->reg));
	ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, 0x1003));
	ASSERT_EQ(ADMIN_OK, try(self, INDIRECT, large(self, 1 << 20, chain, first)));
	ASSERT_EQ(ADMIN_NO_RESOURCE, try(self, 0, self->reg));
}

TEST_F(region, a_kind_of_list_can_be_forced)
{
	uint64_t list = driver_alloc(self->driver, 800);

	fill_list(self, list, 100, self->reg.pages[0]);
	self->controls->force_page_list = 2;
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, 0, self->reg));
	ASSERT_EQ(ADMIN_OK, try(self, ADMIN_EXTERNAL, large(self, 100, list, 800)));
	self->controls->force_page_list = 1;
	ASSERT_EQ(ADMIN_OK, try(self, 0, self->reg));
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, ADMIN_EXTERNAL, large(self, 100, list, 800)));
}

TEST_F(region, pages_of_a_region_can_be_limited)
{
	uint64_t list = driver_alloc(self->driver, 800);

	fill_list(self, list, 100, self->reg.pages[0]);
	self->controls->region_pages = 99;
	ASSERT_EQ(ADMIN_OK, try(self, ADMIN_EXTERNAL, large(self, 99, list, 99 * 8)));
	ASSERT_EQ(ADMIN_ILLEGAL, try(self, ADMIN_EXTERNAL, large(self, 100, list, 800)));
	self->controls->region_pages = 0;
	ASSERT_EQ(ADMIN_OK, try(self, ADMIN_EXTERNAL, large(self, 100, list, 800)));
}

TEST_F(region, fault_refuses_after_reset)
{
	fault_set(FAULT_refuses_after_reset);
	ASSERT_EQ(ADMIN_OK, try(self, 0, self->reg));
	driver_restart(self->driver, 3);
	self->reg.pd = driver_pd(self->driver);
	self->reg.pages[0] = driver_alloc(self->driver, PAGE);
	ASSERT_EQ(ADMIN_NO_RESOURCE, try(self, 0, self->reg));
	fault_set(FAULT_none);
	ASSERT_EQ(ADMIN_OK, try(self, 0, self->reg));
}

TEST_F(region, lingering_ends_with_a_new_life)
{
	self->controls->linger_ms = 1000;
	for (int i = 0; i < 4096 + 10; i++) {
		ASSERT_EQ(ADMIN_OK, try(self, 0, self->reg));
		ASSERT_EQ(ADMIN_OK, driver_dereg(self->driver, self->keys.local_key));
	}
	ASSERT_EQ(5, driver_tick_later(self->driver, 100));
	ASSERT_EQ(4096, self->counters->late_accesses);
	driver_tick_later(self->driver, 20000);
	ASSERT_EQ(-1, driver_tick_later(self->driver, 20100));
}

TEST_F(region, a_reset_ends_all)
{
	uint64_t read, written;

	ASSERT_EQ(ADMIN_OK, try(self, 0, self->reg));
	ASSERT_EQ(0, device_region_bytes(self->driver->device, self->keys.local_key, &read,
					 &written));
	device_reset(self->driver->device);
	ASSERT_EQ(0, self->counters->mr_live);
	ASSERT_NE(0, device_region_bytes(self->driver->device, self->keys.local_key, &read,
					 &written));
}

TEST_HARNESS_MAIN
