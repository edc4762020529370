// SPDX-License-Identifier: GPL-2.0-only
/* bufinfo as 6.1 to 7.3 print it, and as a hostile name could make it look. */
#include "kselftest_harness.h"

#include <stdio.h>
#include <string.h>

#include "oracle/bufinfo.h"

#define HEAD								\
	"\nDma-buf Objects:\n"						\
	"size    \tflags   \tmode    \tcount   \texp_name\tino     \tname\n"

static const char listing[] = HEAD
	"00004096\t00000002\t00080007\t00000001\tsystem\t00000009\t<none>\n"
	"\tAttached Devices:\n"
	"Total 0 devices attached\n\n"
	"67108864\t00000000\t00080005\t00000003\tdmabuf_peer_exporter\t00000012\tshared\n"
	"\tkernel fence:dmabuf_peer timeline seq 3 unsignalled\n"
	"\tread fence:dmabuf_peer timeline seq 4 signalled\n"
	"\tAttached Devices:\n"
	"\t0000:00:05.0\n"
	"\tvgem\n"
	"Total 2 devices attached\n\n"
	"\nTotal 2 objects, 67112960 bytes\n";

static int find(const char *text, ino_t inode, struct bufinfo *info)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	int ret = bufinfo_parse(file, inode, info);

	fclose(file);
	return ret;
}

TEST(a_buffer_is_found_by_its_inode)
{
	struct bufinfo info;

	ASSERT_EQ(1, find(listing, 12, &info));
	ASSERT_EQ(12, info.inode);
	ASSERT_EQ(67108864, info.size);
	ASSERT_EQ(0, info.flags);
	ASSERT_EQ(0x80005, info.mode);
	ASSERT_EQ(3, info.count);
	ASSERT_STREQ("dmabuf_peer_exporter", info.exporter);
	ASSERT_STREQ("shared", info.name);
	ASSERT_EQ(2, info.fences);
	ASSERT_EQ(2, info.attachments);
	ASSERT_STREQ("0000:00:05.0", info.devices[0]);
	ASSERT_STREQ("vgem", info.devices[1]);
}

TEST(a_neighbour_lends_nothing)
{
	struct bufinfo info;

	ASSERT_EQ(1, find(listing, 9, &info));
	ASSERT_EQ(0, info.fences);
	ASSERT_EQ(0, info.attachments);
	ASSERT_STREQ("<none>", info.name);
}

TEST(a_released_buffer_is_not_listed)
{
	struct bufinfo info;

	ASSERT_EQ(0, find(listing, 1, &info));
	ASSERT_EQ(0, find(HEAD "\nTotal 0 objects, 0 bytes\n", 12, &info));
}

TEST(another_format_is_an_error)
{
	struct bufinfo info;

	ASSERT_EQ(-EPROTO, find("buffers: 3\n", 12, &info));
	ASSERT_EQ(-EPROTO, find(HEAD
		"00004096\t00000002\t00080007\t00000001\tsystem\t00000012\t<none>\n"
		"\tAttached Devices:\n\tvgem\n", 12, &info));
}

TEST(names_may_hold_tabs)
{
	struct bufinfo info;

	ASSERT_EQ(1, find(HEAD
		"00004096\t00000002\t00080007\t00000001\tsystem\t00000012\ta\tb 00000099\n"
		"\tAttached Devices:\nTotal 0 devices attached\n\n", 12, &info));
	ASSERT_STREQ("a\tb 00000099", info.name);
	ASSERT_EQ(0, find(HEAD
		"00004096\t00000002\t00080007\t00000001\tsystem\t00000012\ta\tb 00000099\n"
		"\tAttached Devices:\nTotal 0 devices attached\n\n", 99, &info));
}

TEST(devices_past_the_bound_are_counted)
{
	char text[4096] = HEAD
		"00004096\t00000002\t00080007\t00000001\tsystem\t00000012\t<none>\n"
		"\tAttached Devices:\n";
	struct {
		struct bufinfo info;
		char guard;
	} room = { .guard = '#' };

	for (int i = 0; i < BUFINFO_DEVICES + 3; i++)
		strcat(text, "\tvgem\n");
	strcat(text, "Total 19 devices attached\n\n");
	ASSERT_EQ(1, find(text, 12, &room.info));
	ASSERT_EQ(BUFINFO_DEVICES + 3, room.info.attachments);
	ASSERT_EQ('#', room.guard);
}

TEST_HARNESS_MAIN
