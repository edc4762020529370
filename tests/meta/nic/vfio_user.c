// SPDX-License-Identifier: GPL-2.0-only
/* What each message does, and that none that is wrong does anything. */
#include "kselftest_harness.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/client.h"
#include "common/fake_device.h"
#include "nic/frame.h"
#include "nic/wire/instrument.h"

#define PAGE		4096ull
#define READ_WRITE	(VFIO_USER_MAP_READ | VFIO_USER_MAP_WRITE)
#define CONFIG		VFIO_PCI_CONFIG_REGION_INDEX
#define EVENTFDS	(VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER)
#define TEARDOWN	(VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER)

FIXTURE(client)
{
	struct client *client;
	struct function *function;
	unsigned int descriptors;
	int guest;
};

FIXTURE_SETUP(client)
{
	self->client = client_new();
	self->function = self->client->function;
	client_greet(self->client);
	self->guest = memfd_create("guest", MFD_CLOEXEC);
	ASSERT_EQ(0, ftruncate(self->guest, 16 * PAGE));
	self->descriptors = client_descriptors();
	ASSERT_NE(NULL, fake_device());
}

/* Nothing that a test did may leave a descriptor behind. */
FIXTURE_TEARDOWN(client)
{
	if (self->client->connection) {
		connection_free(self->client->connection);
		self->client->connection = NULL;
	}
	EXPECT_LE(client_descriptors(), self->descriptors);
	close(self->guest);
	client_free(self->client);
}

static int master(struct client *client, uint16_t command)
{
	return client_region(client, true, CONFIG, 4, &command, 2);
}

TEST_F(client, the_version_comes_first_and_once)
{
	const char other[] = "\1\0\0\0{}", ours[] = "\0\0\0\0{}";

	ASSERT_EQ(-EPROTO, client_call(self->client, VFIO_USER_VERSION, ours,
				       sizeof(ours), NULL, 0));
	connection_free(self->client->connection);
	client_connect(self->client);
	ASSERT_EQ(-EPROTO, client_call(self->client, VFIO_USER_DEVICE_RESET, NULL,
				       0, NULL, 0));
	ASSERT_EQ(-EINVAL, client_call(self->client, VFIO_USER_VERSION, other,
				       sizeof(other), NULL, 0));
	ASSERT_EQ(-EINVAL, client_call(self->client, VFIO_USER_VERSION, ours, 3,
				       NULL, 0));
	ASSERT_LT(4, client_call(self->client, VFIO_USER_VERSION, ours,
				 sizeof(ours), NULL, 0));
	ASSERT_EQ(0, memcmp(self->client->reply, "\0\0\0\0{\"capabilities\":", 20));
	ASSERT_EQ('\0', self->client->reply[self->client->header.size - 17]);
}

TEST_F(client, there_are_no_other_commands)
{
	const int unknown[] = { 0, 6, 11, 12, 14, 15, 16, 1000, 0xffff };

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		ASSERT_EQ(-ENOTSUP, client_call(self->client, unknown[i], NULL, 0,
						NULL, 0));
	ASSERT_EQ(9, self->function->counters.errors_sent);
}

TEST_F(client, a_reply_is_no_command)
{
	struct vfio_user_header reply = {
		.command = VFIO_USER_DEVICE_RESET,
		.size = sizeof(reply),
		.flags = VFIO_USER_TYPE_REPLY,
	};

	ASSERT_TRUE(client_write(self->client, &reply, sizeof(reply), NULL, 0));
	ASSERT_TRUE(client_run(self->client));
	ASSERT_EQ(-EINVAL, client_read(self->client));
	ASSERT_EQ(0, fake_device()->resets);
}

/* Each command, with every length but its own. */
TEST_F(client, lengths_are_checked)
{
	const struct {
		enum vfio_user_command command;
		size_t length;
	} commands[] = {
		{ VFIO_USER_DMA_MAP, 32 },
		{ VFIO_USER_DMA_UNMAP, 24 },
		{ VFIO_USER_DEVICE_GET_INFO, 16 },
		{ VFIO_USER_GET_REGION_INFO, 32 },
		{ VFIO_USER_GET_IRQ_INFO, 16 },
		{ VFIO_USER_SET_IRQS, 20 },
		{ VFIO_USER_REGION_READ, 16 },
		{ VFIO_USER_DEVICE_RESET, 0 },
	};
	const char zeros[64] = { 0 };

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		for (size_t length = 0; length < sizeof(zeros); length++)
			if (length != commands[i].length)
				ASSERT_EQ(-EINVAL,
					  client_call(self->client,
						      commands[i].command, zeros,
						      length, NULL, 0));
	ASSERT_EQ(0, self->function->counters.dma_maps);
}

TEST_F(client, the_device_is_described)
{
	struct vfio_user_device_info info = { .argsz = sizeof(info) };

	ASSERT_EQ(sizeof(info), client_call(self->client, VFIO_USER_DEVICE_GET_INFO,
					    &info, sizeof(info), NULL, 0));
	memcpy(&info, self->client->reply, sizeof(info));
	ASSERT_EQ(VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET, info.flags);
	ASSERT_EQ(9, info.regions);
	ASSERT_EQ(5, info.irqs);
}

static int tell_region(struct client *client, uint32_t index, uint32_t argsz,
		       struct vfio_region_info *info)
{
	*info = (struct vfio_region_info){ .argsz = argsz, .index = index };
	if (client_call(client, VFIO_USER_GET_REGION_INFO, info, sizeof(*info),
			NULL, 0) != sizeof(*info))
		return -client->header.error;
	memcpy(info, client->reply, sizeof(*info));
	return 0;
}

TEST_F(client, regions_are_described)
{
	const uint64_t sizes[] = { 0x1000, 0x4000, FUNCTION_LLQ_SIZE, 0,
				   FUNCTION_DOORBELLS_SIZE, 0, 0, 256, 0 };
	struct vfio_region_info info;

	for (uint32_t i = 0; i < 9; i++) {
		ASSERT_EQ(0, tell_region(self->client, i, sizeof(info), &info));
		ASSERT_EQ(sizes[i], info.size);
		ASSERT_EQ(i == PCI_BAR_LLQ, self->client->fd >= 0);
		ASSERT_EQ(!!sizes[i], info.flags & 1);
	}
	ASSERT_EQ(-EINVAL, tell_region(self->client, 9, sizeof(info), &info));
	ASSERT_EQ(-EINVAL, tell_region(self->client, ~0u, sizeof(info), &info));
	ASSERT_EQ(-EINVAL, tell_region(self->client, 0, 31, &info));
	ASSERT_EQ(-1, self->client->fd);
}

TEST_F(client, the_llq_is_shared)
{
	struct vfio_region_info info;
	char text[4];
	char *llq;

	ASSERT_EQ(0, tell_region(self->client, PCI_BAR_LLQ, sizeof(info), &info));
	llq = mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED,
		   self->client->fd, 0);
	ASSERT_NE(MAP_FAILED, llq);
	strcpy(llq + info.size - 4, "abc");
	ASSERT_STREQ("abc", (const char *)self->function->llq + info.size - 4);
	ASSERT_LT(0, client_region(self->client, false, PCI_BAR_LLQ, info.size - 4,
				   text, 4));
	ASSERT_STREQ("abc", text);
	ASSERT_LT(0, client_region(self->client, true, PCI_BAR_LLQ, 0, "xyz", 4));
	ASSERT_STREQ("xyz", llq);
	/* Nobody cuts it off under us, and the next client finds none of this. */
	ASSERT_NE(0, ftruncate(self->client->fd, 0));
	connection_free(self->client->connection);
	client_connect(self->client);
	ASSERT_EQ(0, llq[0]);
	ASSERT_EQ(0, self->function->llq[info.size - 4]);
	munmap(llq, info.size);
}

TEST_F(client, interrupts_are_described)
{
	for (uint32_t i = 0; i < 5; i++) {
		struct vfio_irq_info info = { .argsz = sizeof(info), .index = i };

		ASSERT_EQ(sizeof(info),
			  client_call(self->client, VFIO_USER_GET_IRQ_INFO, &info,
				      sizeof(info), NULL, 0));
		memcpy(&info, self->client->reply, sizeof(info));
		ASSERT_EQ(i == VFIO_PCI_MSIX_IRQ_INDEX ? FUNCTION_VECTORS : 0,
			  info.count);
	}
	ASSERT_EQ(-EINVAL, client_call(self->client, VFIO_USER_GET_IRQ_INFO,
				       &(struct vfio_irq_info){ .argsz = 16,
								.index = 5 },
				       16, NULL, 0));
}

static int set_irqs(struct client *client, uint32_t flags, uint32_t start,
		    uint32_t count, const int *fds, size_t nfds)
{
	const struct vfio_irq_set set = {
		.argsz = sizeof(set),
		.flags = flags,
		.index = VFIO_PCI_MSIX_IRQ_INDEX,
		.start = start,
		.count = count,
	};

	return client_call(client, VFIO_USER_SET_IRQS, &set, sizeof(set), fds, nfds);
}

TEST_F(client, interrupts_reach_their_eventfd)
{
	const struct interrupts *interrupts = &self->function->interrupts;
	int fds[2] = { eventfd(0, EFD_NONBLOCK), eventfd(0, EFD_NONBLOCK) };
	uint64_t count;

	ASSERT_EQ(0, set_irqs(self->client, EVENTFDS, 7, 2, fds, 2));
	ASSERT_TRUE(interrupts_send(interrupts, 8));
	ASSERT_TRUE(interrupts_send(interrupts, 8));
	ASSERT_FALSE(interrupts_send(interrupts, 0));
	ASSERT_FALSE(interrupts_send(interrupts, FUNCTION_VECTORS));
	ASSERT_FALSE(interrupts_send(interrupts, ~0u));
	ASSERT_EQ(8, read(fds[1], &count, 8));
	ASSERT_EQ(2, count);
	ASSERT_EQ(-1, read(fds[0], &count, 8));
	/* A range without eventfds is torn down, and so is all with no data. */
	ASSERT_EQ(0, set_irqs(self->client, EVENTFDS, 8, 1, NULL, 0));
	ASSERT_FALSE(interrupts_send(interrupts, 8));
	ASSERT_TRUE(interrupts_send(interrupts, 7));
	ASSERT_EQ(-1, read(fds[1], &count, 8));
	ASSERT_EQ(8, read(fds[0], &count, 8));
	ASSERT_EQ(0, set_irqs(self->client, TEARDOWN, 0, 0, NULL, 0));
	ASSERT_FALSE(interrupts_send(interrupts, 7));
	ASSERT_EQ(-1, read(fds[0], &count, 8));
	close(fds[0]);
	close(fds[1]);
}

TEST_F(client, eventfds_are_replaced_and_closed)
{
	int fd = eventfd(0, 0);
	int fds[FUNCTION_VECTORS];

	for (int i = 0; i < FUNCTION_VECTORS; i++)
		fds[i] = fd;
	for (int i = 0; i < 20; i++)
		ASSERT_EQ(0, set_irqs(self->client, EVENTFDS, 0, FUNCTION_VECTORS,
				      fds, FUNCTION_VECTORS));
	ASSERT_EQ(self->descriptors + 1 + FUNCTION_VECTORS, client_descriptors());
	ASSERT_EQ(0, set_irqs(self->client, TEARDOWN, 0, 0, NULL, 0));
	ASSERT_EQ(self->descriptors + 1, client_descriptors());
	close(fd);
}

TEST_F(client, bad_interrupts_are_refused)
{
	int fds[2] = { eventfd(0, EFD_NONBLOCK), eventfd(0, EFD_NONBLOCK) };

	ASSERT_EQ(-EINVAL, set_irqs(self->client, EVENTFDS, 9, 1, fds, 1));
	ASSERT_EQ(-EINVAL, set_irqs(self->client, EVENTFDS, 8, 2, fds, 2));
	ASSERT_EQ(-EINVAL, set_irqs(self->client, EVENTFDS, ~0u, 2, fds, 2));
	ASSERT_EQ(-EINVAL, set_irqs(self->client, EVENTFDS, 1, ~0u, fds, 2));
	ASSERT_EQ(-EINVAL, set_irqs(self->client, EVENTFDS, 0, 1, fds, 2));
	ASSERT_EQ(-EINVAL, set_irqs(self->client, EVENTFDS, 0, 3, fds, 2));
	ASSERT_EQ(-EINVAL, set_irqs(self->client, TEARDOWN, 0, 1, NULL, 0));
	ASSERT_EQ(-EINVAL, set_irqs(self->client, TEARDOWN, 0, 0, fds, 1));
	ASSERT_EQ(-EINVAL, set_irqs(self->client, 0, 0, 0, NULL, 0));
	ASSERT_EQ(-EINVAL, set_irqs(self->client, ~0u, 0, 1, fds, 1));
	ASSERT_EQ(self->descriptors + 2, client_descriptors());
	close(fds[0]);
	close(fds[1]);
}

/* What the client gives for an eventfd may be a pipe that nobody empties. */
TEST_F(client, an_interrupt_does_not_block)
{
	char page[4096] = { 0 };
	int ends[2];

	ASSERT_EQ(0, pipe(ends));
	while (poll(&(struct pollfd){ ends[1], POLLOUT, 0 }, 1, 0) == 1)
		ASSERT_EQ(sizeof(page), write(ends[1], page, sizeof(page)));
	ASSERT_EQ(0, set_irqs(self->client, EVENTFDS, 0, 1, &ends[1], 1));
	ASSERT_FALSE(interrupts_send(&self->function->interrupts, 0));
	close(ends[0]);
	close(ends[1]);
}

TEST_F(client, memory_is_mapped_and_unmapped)
{
	char byte = 1;

	ASSERT_LT(0, master(self->client, 6));
	ASSERT_EQ(0, client_map(self->client, 0x1000, 2 * PAGE, self->guest,
				READ_WRITE));
	ASSERT_EQ(0, client_map(self->client, 0x3000, PAGE, self->guest,
				VFIO_USER_MAP_READ));
	ASSERT_EQ(0, client_map(self->client, 0x4000, PAGE, -1, READ_WRITE));
	ASSERT_EQ(self->descriptors, client_descriptors());
	ASSERT_EQ(0, memory_write(self->function->memory, 0x2fff, &byte, 1));
	ASSERT_EQ(-EFAULT, memory_write(self->function->memory, 0x3000, &byte, 1));
	ASSERT_EQ(-EFAULT, memory_read(self->function->memory, 0x4000, &byte, 1));
	ASSERT_EQ(24, client_unmap(self->client, 0x3000, PAGE, 0));
	ASSERT_EQ(-EFAULT, memory_read(self->function->memory, 0x3000, &byte, 1));
	ASSERT_EQ(24, client_unmap(self->client, 0, 0, VFIO_USER_UNMAP_ALL));
	ASSERT_EQ(-EFAULT, memory_read(self->function->memory, 0x1000, &byte, 1));
	ASSERT_EQ(3, self->function->counters.dma_unmaps);
}

TEST_F(client, bad_maps_are_refused)
{
	struct vfio_user_dma_map map = { .argsz = 32, .flags = 3, .size = PAGE };
	const int fds[2] = { self->guest, self->guest };
	const int command = VFIO_USER_DMA_MAP;

	ASSERT_EQ(-EINVAL, client_call(self->client, command, &map, 32, fds, 2));
	ASSERT_EQ(-EINVAL, client_map(self->client, 0, PAGE, self->guest, 0));
	ASSERT_EQ(-EINVAL, client_map(self->client, 0, PAGE, self->guest, 7));
	ASSERT_EQ(-EINVAL, client_map(self->client, 0, 0, self->guest, 3));
	ASSERT_EQ(-EINVAL, client_map(self->client, 0, 17 * PAGE, self->guest, 3));
	ASSERT_EQ(-EINVAL, client_map(self->client, -PAGE, 2 * PAGE, -1, 3));
	map.argsz = 31;
	ASSERT_EQ(-EINVAL, client_call(self->client, command, &map, 32, fds, 1));
	map.argsz = 32;
	map.offset = -PAGE;
	map.size = 2 * PAGE;
	ASSERT_EQ(-EINVAL, client_call(self->client, command, &map, 32, fds, 1));
	ASSERT_EQ(0, client_map(self->client, 0, 2 * PAGE, self->guest, 3));
	ASSERT_EQ(-EEXIST, client_map(self->client, PAGE, PAGE, self->guest, 3));
	ASSERT_EQ(1, self->function->counters.dma_maps);
}

TEST_F(client, bad_unmaps_are_refused)
{
	struct vfio_user_dma_unmap unmap = { .argsz = 23, .size = 2 * PAGE };

	ASSERT_EQ(0, client_map(self->client, 0, 2 * PAGE, self->guest, 3));
	ASSERT_EQ(-EINVAL, client_unmap(self->client, 0, PAGE, 0));
	ASSERT_EQ(-EINVAL, client_unmap(self->client, 0, 0, 0));
	ASSERT_EQ(-EINVAL, client_unmap(self->client, -PAGE, 4 * PAGE, 0));
	ASSERT_EQ(-EINVAL, client_unmap(self->client, 0, 2 * PAGE, 1));
	ASSERT_EQ(-EINVAL, client_unmap(self->client, 0, 2 * PAGE, 2));
	ASSERT_EQ(-EINVAL, client_call(self->client, VFIO_USER_DMA_UNMAP, &unmap,
				       sizeof(unmap), &self->guest, 1));
	ASSERT_EQ(-EINVAL, client_call(self->client, VFIO_USER_DMA_UNMAP, &unmap,
				       sizeof(unmap), NULL, 0));
	ASSERT_EQ(0, self->function->counters.dma_unmaps);
}

TEST_F(client, memory_is_reached_by_a_bus_master_alone)
{
	char byte;

	ASSERT_EQ(0, client_map(self->client, 0, PAGE, self->guest, 3));
	ASSERT_EQ(-EFAULT, memory_read(self->function->memory, 0, &byte, 1));
	ASSERT_LT(0, master(self->client, 4));
	ASSERT_EQ(0, memory_read(self->function->memory, 0, &byte, 1));
	ASSERT_EQ(0, client_call(self->client, VFIO_USER_DEVICE_RESET, NULL, 0,
				 NULL, 0));
	ASSERT_EQ(-EFAULT, memory_read(self->function->memory, 0, &byte, 1));
}

TEST_F(client, registers_and_doorbells_are_words)
{
	uint32_t words[2] = { 0x11223344, 0x55667788 };
	struct device *device = fake_device();

	ASSERT_LT(0, client_region(self->client, true, 0, 0x10, words, 8));
	ASSERT_EQ(0x11223344, device->registers[4]);
	ASSERT_EQ(0x55667788, device->registers[5]);
	memset(words, 0, sizeof(words));
	ASSERT_LT(0, client_region(self->client, false, 0, 0x14, words, 4));
	ASSERT_EQ(0x55667788, words[0]);
	ASSERT_LT(0, client_region(self->client, true, 4, 0x1ffffc, words, 4));
	ASSERT_EQ(0x1ffffc, device->doorbell);
	ASSERT_EQ(0x55667788, device->value);
	ASSERT_LT(0, client_region(self->client, false, 4, 0x1ffffc, words, 4));
	ASSERT_EQ(0, words[0]);
	ASSERT_EQ(3, device->writes);
	/* Others go nowhere. */
	for (uint32_t count = 1; count < 8; count++)
		if (count != 4)
			ASSERT_LT(0, client_region(self->client, true, 0, 0, words,
						   count));
	ASSERT_LT(0, client_region(self->client, true, 4, 2, words, 4));
	ASSERT_LT(0, client_region(self->client, false, 0, 0x15, words, 1));
	ASSERT_EQ(0, words[0] & 0xff);
	ASSERT_EQ(3, device->writes);
}

TEST_F(client, accesses_stay_inside_their_region)
{
	static const struct {
		uint32_t region, count;
		uint64_t offset;
	} bad[] = {
		{ 0, 4, 0x1000 }, { 0, 8, 0xffc }, { 0, 4, UINT64_MAX - 3 },
		{ 0, 0, 0 }, { 1, 4, 0x4000 }, { 2, 4, FUNCTION_LLQ_SIZE - 3 },
		{ 2, 1, UINT64_MAX }, { 3, 1, 0 }, { 4, 4, FUNCTION_DOORBELLS_SIZE },
		{ 5, 4, 0 }, { 6, 4, 0 }, { 7, 2, 255 }, { 8, 1, 0 }, { 9, 1, 0 },
		{ UINT32_MAX, 1, 0 },
	};
	uint32_t word = ~0u;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint8_t data[8] = { 0 };

		ASSERT_EQ(-EINVAL, client_region(self->client, false, bad[i].region,
						 bad[i].offset, data, bad[i].count));
		ASSERT_EQ(-EINVAL, client_region(self->client, true, bad[i].region,
						 bad[i].offset, data, bad[i].count));
	}
	ASSERT_EQ(0, fake_device()->writes);
	ASSERT_LT(0, client_region(self->client, false, 7, 252, &word, 4));
	ASSERT_EQ(0, word);
}

TEST_F(client, a_count_agrees_with_what_is_there)
{
	struct vfio_user_region_access access[3] = { { 0, PCI_BAR_LLQ, 17 } };

	ASSERT_EQ(-EINVAL, client_call(self->client, VFIO_USER_REGION_WRITE, access,
				       32, NULL, 0));
	access[0].count = ~0u;
	ASSERT_EQ(-EINVAL, client_call(self->client, VFIO_USER_REGION_WRITE, access,
				       32, NULL, 0));
	access[0].count = FRAME_DATA + 1;
	ASSERT_EQ(-EINVAL, client_call(self->client, VFIO_USER_REGION_READ, access,
				       16, NULL, 0));
	access[0].count = FRAME_DATA;
	ASSERT_EQ(16 + FRAME_DATA, client_call(self->client, VFIO_USER_REGION_READ,
					       access, 16, NULL, 0));
}

static uint32_t instrument(struct client *client, uint32_t offset)
{
	uint32_t value = 0xdeadbeef;

	client_region(client, false, PCI_BAR_MSIX, INSTRUMENT_OFFSET + offset, &value,
		      4);
	return value;
}

static void set_instrument(struct client *client, uint32_t offset, uint32_t value)
{
	client_region(client, true, PCI_BAR_MSIX, INSTRUMENT_OFFSET + offset, &value,
		      4);
}

TEST_F(client, the_instrument_page_tells_what_was_counted)
{
	struct client *client = self->client;

	ASSERT_EQ(INSTRUMENT_MAGIC_VALUE, instrument(client, INSTRUMENT_MAGIC));
	ASSERT_EQ(1, instrument(client, INSTRUMENT_VERSION));
	ASSERT_EQ(COUNTERS, instrument(client, INSTRUMENT_COUNTERS));
	ASSERT_EQ(CONTROLS, instrument(client, INSTRUMENT_CONTROLS));
	self->function->counters.bytes_written = 0x1234500000000;
	ASSERT_EQ(0, instrument(client, INSTRUMENT_COUNTER_LO(COUNTER_bytes_written)));
	/* The halves belong together whatever happens between. */
	self->function->counters.bytes_written = ~0ull;
	ASSERT_EQ(0x12345,
		  instrument(client, INSTRUMENT_COUNTER_HI(COUNTER_bytes_written)));
	ASSERT_EQ(0, instrument(client, INSTRUMENT_COUNTER_LO(COUNTERS)));
	ASSERT_EQ(0, instrument(client, INSTRUMENT_SIZE - 4));
	set_instrument(client, INSTRUMENT_COUNTER_LO(COUNTER_bytes_written), 1);
	set_instrument(client, INSTRUMENT_MAGIC, 1);
	ASSERT_EQ(~0ull, self->function->counters.bytes_written);
}

TEST_F(client, the_instrument_page_takes_controls)
{
	struct client *client = self->client;

	set_instrument(client, INSTRUMENT_CONTROL(CONTROL_delay_ms), 17);
	ASSERT_EQ(17, self->function->controls.delay_ms);
	ASSERT_EQ(17, instrument(client, INSTRUMENT_CONTROL(CONTROL_delay_ms)));
	set_instrument(client, INSTRUMENT_CONTROL(CONTROLS), 17);
	ASSERT_EQ(0, instrument(client, INSTRUMENT_CONTROL(CONTROLS)));
	/* A reset leaves them, a new client does not. */
	client_call(client, VFIO_USER_DEVICE_RESET, NULL, 0, NULL, 0);
	ASSERT_EQ(17, self->function->controls.delay_ms);
	connection_free(client->connection);
	client_connect(client);
	ASSERT_EQ(0, self->function->controls.delay_ms);
	ASSERT_EQ(0, self->function->counters.messages);
}

TEST_F(client, the_instrument_page_switches_faults)
{
	struct client *client = self->client;

	set_instrument(client, INSTRUMENT_FAULT, FAULT_wrong_offset);
	ASSERT_TRUE(nic_fault(wrong_offset));
	/* Who wrote it hears once that it is on; nobody else learns of it. */
	ASSERT_EQ(FAULT_wrong_offset, instrument(client, INSTRUMENT_FAULT));
	ASSERT_EQ(0, instrument(client, INSTRUMENT_FAULT));
	set_instrument(client, INSTRUMENT_FAULT, FAULTS);
	ASSERT_EQ(INSTRUMENT_FAULT_UNKNOWN, instrument(client, INSTRUMENT_FAULT));
	ASSERT_TRUE(nic_fault(wrong_offset));
	set_instrument(client, INSTRUMENT_FAULT, 0);
	ASSERT_EQ(0, instrument(client, INSTRUMENT_FAULT));
	ASSERT_EQ(FAULT_none, fault_now());
}

TEST_F(client, the_instrument_page_tells_of_regions)
{
	struct client *client = self->client;

	set_instrument(client, INSTRUMENT_REGION_KEY, 0x123);
	ASSERT_EQ(1, instrument(client, INSTRUMENT_REGION_KNOWN));
	ASSERT_EQ(0x55667788, instrument(client, INSTRUMENT_REGION_READ_LO));
	ASSERT_EQ(0x11223344, instrument(client, INSTRUMENT_REGION_READ_HI));
	ASSERT_EQ(5, instrument(client, INSTRUMENT_REGION_WRITTEN_LO));
	ASSERT_EQ(0, instrument(client, INSTRUMENT_REGION_WRITTEN_HI));
	set_instrument(client, INSTRUMENT_REGION_KEY, 0x124);
	ASSERT_EQ(0x124, instrument(client, INSTRUMENT_REGION_KEY));
	ASSERT_EQ(0, instrument(client, INSTRUMENT_REGION_KNOWN));
	ASSERT_EQ(0, instrument(client, INSTRUMENT_REGION_READ_LO));
}

TEST_F(client, the_msix_table_is_not_ours)
{
	uint32_t word = ~0u;

	ASSERT_LT(0, client_region(self->client, true, PCI_BAR_MSIX, 0, &word, 4));
	ASSERT_LT(0, client_region(self->client, false, PCI_BAR_MSIX, 0, &word, 4));
	ASSERT_EQ(0, word);
}

TEST_F(client, nothing_of_a_guest_outlives_its_client)
{
	int fd = eventfd(0, 0);
	char byte;

	master(self->client, 4);
	ASSERT_EQ(0, client_map(self->client, 0, PAGE, self->guest, 3));
	ASSERT_EQ(0, set_irqs(self->client, EVENTFDS, 0, 1, &fd, 1));
	close(fd);
	connection_free(self->client->connection);
	client_connect(self->client);
	client_greet(self->client);
	ASSERT_EQ(1, fake_device()->resets);
	ASSERT_EQ(self->descriptors, client_descriptors());
	master(self->client, 4);
	ASSERT_EQ(-EFAULT, memory_read(self->function->memory, 0, &byte, 1));
}

TEST_HARNESS_MAIN
