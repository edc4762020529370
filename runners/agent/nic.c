// SPDX-License-Identifier: GPL-2.0-only
#include "agent/nic.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/clock.h"
#include "nic/wire/instrument.h"

#define NICS_MAX	8
#define IDENTITY	"0x1d0f 0xefa1"
/* For so long an answer stands. */
#define TRUSTED_MS	200

static volatile uint32_t *pages[NICS_MAX];
static unsigned int nic_count;
static bool is_lost;
static long long asked_ms;

static const char *const faults[] = {
#define FAULT(name, clauses, effect) #name,
#include "nic/faults.def"
#undef FAULT
};

static volatile uint32_t *instrument(unsigned int nic, unsigned int offset)
{
	return pages[nic] + offset / sizeof(uint32_t);
}

static void read_word(const char *devices, const char *name, const char *file,
		      char word[16])
{
	char path[512];
	FILE *stream;

	word[0] = '\0';
	snprintf(path, sizeof(path), "%s/%s/%s", devices, name, file);
	stream = fopen(path, "re");
	if (!stream)
		return;
	if (fscanf(stream, "%15s", word) != 1)
		word[0] = '\0';
	fclose(stream);
}

static bool is_nic(const char *devices, const char *name)
{
	char vendor[16], device[16], identity[40];

	read_word(devices, name, "vendor", vendor);
	read_word(devices, name, "device", device);
	snprintf(identity, sizeof(identity), "%s %s", vendor, device);
	return !strcmp(identity, IDENTITY);
}

/* Maps the instrument page; NULL with errno set if there is none. */
static volatile uint32_t *map_page(const char *devices, const char *name)
{
	void *page = MAP_FAILED;
	char path[512];
	struct stat status;
	int fd;

	snprintf(path, sizeof(path), "%s/%s/resource1", devices, name);
	fd = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	errno = ENODEV;
	if (!fstat(fd, &status) &&
	    status.st_size >= INSTRUMENT_OFFSET + INSTRUMENT_SIZE)
		page = mmap(NULL, INSTRUMENT_SIZE, PROT_READ | PROT_WRITE,
			    MAP_SHARED, fd, INSTRUMENT_OFFSET);
	close(fd);
	return page == MAP_FAILED ? NULL : page;
}

static bool answers(unsigned int nic)
{
	return *instrument(nic, INSTRUMENT_MAGIC) == INSTRUMENT_MAGIC_VALUE;
}

static const char *check_page(const char *name)
{
	static char why[160];
	volatile uint32_t *page = pages[nic_count];

	why[0] = '\0';
	if (!page)
		snprintf(why, sizeof(why), "the NIC %.32s has no instrument page "
			 "(%s)", name, strerror(errno));
	else if (!answers(nic_count))
		snprintf(why, sizeof(why), "the NIC %.32s does not answer: its "
			 "server died", name);
	else if (*instrument(nic_count, INSTRUMENT_VERSION) !=
		 INSTRUMENT_VERSION_VALUE)
		snprintf(why, sizeof(why), "the instrument page of the NIC "
			 "%.32s has another version: use agent and NIC of the "
			 "same suite", name);
	return *why ? why : NULL;
}

const char *nic_open(unsigned int wanted, const char *devices)
{
	static char missing[80];
	DIR *folder = wanted ? opendir(devices) : NULL;
	const char *why = NULL;
	struct dirent *entry;

	while (folder && !why && nic_count < NICS_MAX &&
	       (entry = readdir(folder))) {
		if (!is_nic(devices, entry->d_name))
			continue;
		pages[nic_count] = map_page(devices, entry->d_name);
		why = check_page(entry->d_name);
		nic_count += !!pages[nic_count];
	}
	if (folder)
		closedir(folder);
	if (!why && nic_count < wanted) {
		snprintf(missing, sizeof(missing), "%u of %u emulated NICs are "
			 "there: their server died", nic_count, wanted);
		why = missing;
	}
	return why;
}

bool nic_lost(bool now)
{
	if (is_lost || !nic_count || (!now && clock_ms() - asked_ms < TRUSTED_MS))
		return is_lost;
	for (unsigned int i = 0; i < nic_count; i++)
		is_lost |= !answers(i);
	asked_ms = clock_ms();
	return is_lost;
}

/* As the device numbers it: 0 is none; and so is what it does not know. */
static uint32_t number_of(const char *name)
{
	for (uint32_t i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		if (!strcmp(faults[i], name))
			return i + 1;
	return 0;
}

const char *nic_set_fault(const char *name)
{
	static char why[160];
	uint32_t number = number_of(name);

	if (!number && strcmp(name, "none")) {
		snprintf(why, sizeof(why), "the NIC has no fault %.64s", name);
		return why;
	}
	if (!nic_count) {
		snprintf(why, sizeof(why), "fault %.64s needs an emulated NIC, "
			 "and there is none", name);
		return why;
	}
	for (unsigned int i = 0; i < nic_count; i++) {
		*instrument(i, INSTRUMENT_FAULT) = number;
		if (*instrument(i, INSTRUMENT_FAULT) == number)
			continue;
		snprintf(why, sizeof(why), "the NIC did not take fault %.64s",
			 name);
		return why;
	}
	return NULL;
}

void nic_close(void)
{
	for (unsigned int i = 0; i < nic_count; i++)
		munmap((void *)pages[i], INSTRUMENT_SIZE);
	nic_count = 0;
}
