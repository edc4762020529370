// SPDX-License-Identifier: GPL-2.0-only
/* Maps the page, and reads and writes its registers. */
#include "importer/nic_page.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pair/kernel.h"

#define FUNCTIONS	"/sys/bus/pci/devices"
#define MACHINE		"/sys/class/dmi/id/sys_vendor"
#define VENDOR		0x1d0f
#define DEVICE		0xefa1

static unsigned long identity(const char *pci, const char *file)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), FUNCTIONS "/%s/%s", pci, file);
	if (kernel_read_line(path, text, sizeof(text)) < 0)
		return 0;
	return strtoul(text, NULL, 16);
}

/* The file "resource" has a line for each BAR: start, end and flags. */
static uint64_t bar_size(const char *pci)
{
	uint64_t start = 0, end = 0;
	char path[128], line[96];
	FILE *file;

	snprintf(path, sizeof(path), FUNCTIONS "/%s/resource", pci);
	file = fopen(path, "re");
	if (!file)
		return 0;
	for (int i = 0; i <= NIC_PAGE_BAR; i++)
		if (!fgets(line, sizeof(line), file) ||
		    sscanf(line, "%" SCNx64 " %" SCNx64, &start, &end) != 2)
			start = end = 0;
	fclose(file);
	return end > start ? end - start + 1 : 0;
}

/*
 * True EFA devices have the same numbers, and nobody knows what reading in
 * their BAR does: a machine that says it is no QEMU is left alone.
 */
static bool may_be_emulated(const char *pci)
{
	char maker[32];

	if (kernel_read_line(MACHINE, maker, sizeof(maker)) > 0 &&
	    strcmp(maker, "QEMU"))
		return false;
	return identity(pci, "vendor") == VENDOR &&
	       identity(pci, "device") == DEVICE &&
	       bar_size(pci) == NIC_PAGE_BAR_SIZE;
}

static int map_page(const char *pci, struct nic_page *page)
{
	char path[128];
	void *start;
	int fd, ret;

	snprintf(path, sizeof(path), FUNCTIONS "/%s/resource%d", pci,
		 NIC_PAGE_BAR);
	fd = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	start = mmap(NULL, NIC_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
		     fd, NIC_PAGE_OFFSET);
	ret = start == MAP_FAILED ? -errno : 0;
	close(fd);
	if (!ret)
		page->registers = start;
	return ret;
}

static uint32_t get(const struct nic_page *page, unsigned int offset)
{
	return page->registers[offset / sizeof(uint32_t)];
}

static void set(const struct nic_page *page, unsigned int offset,
		uint32_t value)
{
	page->registers[offset / sizeof(uint32_t)] = value;
}

/* The low half first: reading it keeps the high half that belongs to it. */
static uint64_t get_long(const struct nic_page *page, unsigned int offset)
{
	uint64_t low = get(page, offset);

	return low | (uint64_t)get(page, offset + sizeof(uint32_t)) << 32;
}

int nic_page_open(const char *pci, struct nic_page *page)
{
	int ret;

	page->registers = NULL;
	if (!may_be_emulated(pci))
		return -ENODEV;
	ret = map_page(pci, page);
	if (ret)
		return ret;
	if (get(page, NIC_REGISTER_MAGIC) != NIC_PAGE_MAGIC)
		ret = -ENODEV;
	else if (get(page, NIC_REGISTER_VERSION) != NIC_PAGE_VERSION ||
		 get(page, NIC_REGISTER_COUNTERS) < NIC_COUNTER_COUNT ||
		 get(page, NIC_REGISTER_CONTROLS) < NIC_CONTROL_COUNT)
		ret = -EPROTO;
	if (ret)
		nic_page_close(page);
	else
		nic_page_keep(page);
	return ret;
}

int nic_page_of(const struct importer *importer, struct nic_page *page)
{
	return nic_page_open(importer->backend.device, page);
}

void nic_page_close(struct nic_page *page)
{
	if (page->registers)
		munmap((void *)page->registers, NIC_PAGE_SIZE);
	page->registers = NULL;
}

uint64_t nic_counter(const struct nic_page *page, enum nic_counter counter)
{
	return get_long(page, NIC_REGISTER_COUNTER + 8 * counter);
}

int nic_region(const struct nic_page *page, uint32_t key,
	       struct nic_region *region)
{
	set(page, NIC_REGISTER_REGION_KEY, key);
	if (!get(page, NIC_REGISTER_REGION_KNOWN))
		return -ENOENT;
	region->bytes_read = get_long(page, NIC_REGISTER_REGION_READ);
	region->bytes_written = get_long(page, NIC_REGISTER_REGION_WRITTEN);
	return 0;
}

uint32_t nic_control(const struct nic_page *page, enum nic_control control)
{
	return get(page, NIC_REGISTER_CONTROL + 4 * control);
}

int nic_set_control(const struct nic_page *page, enum nic_control control,
		    uint32_t value)
{
	set(page, NIC_REGISTER_CONTROL + 4 * control, value);
	return nic_control(page, control) == value ? 0 : -EINVAL;
}

void nic_page_keep(struct nic_page *page)
{
	set(page, NIC_REGISTER_CONTROL + 4 * NIC_CONTROL_FAIL_NTH, 0);
	for (int i = 0; i < NIC_CONTROL_COUNT; i++)
		page->found[i] = nic_control(page, i);
}

void nic_page_reset(const struct nic_page *page)
{
	for (int i = 0; i < NIC_CONTROL_COUNT; i++)
		set(page, NIC_REGISTER_CONTROL + 4 * i, page->found[i]);
}

const char *nic_counter_name(enum nic_counter counter)
{
	static const char *const names[NIC_COUNTER_COUNT] = {
#define NIC_COUNTER(id, name, text) [NIC_##id] = name,
#include "importer/nic_counters.def"
#undef NIC_COUNTER
	};

	return counter < NIC_COUNTER_COUNT ? names[counter] : "unknown";
}
