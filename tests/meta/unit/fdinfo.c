// SPDX-License-Identifier: GPL-2.0-only
/* The lines of a dma-buf's fdinfo, and open descriptors compared. */
#include "kselftest_harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "oracle/fdinfo.h"
#include "oracle/fds.h"

static void parse(const char *text, struct fdinfo *info)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");

	fdinfo_parse(file, info);
	fclose(file);
}

TEST(all_lines_are_read)
{
	struct fdinfo info;

	parse("pos:\t0\nflags:\t02100002\nmnt_id:\t16\nino:\t5\n"
	      "size:\t65536\ncount:\t2\nexp_name:\tsystem\nname:\tmy buffer\n", &info);
	ASSERT_TRUE(info.has_size && info.has_count && info.has_exporter &&
		    info.has_name);
	ASSERT_EQ(65536, info.size);
	ASSERT_EQ(2, info.count);
	ASSERT_STREQ("system", info.exporter);
	ASSERT_STREQ("my buffer", info.name);
	ASSERT_EQ(O_RDWR | O_CLOEXEC, info.flags & (O_ACCMODE | O_CLOEXEC));
}

TEST(a_missing_line_is_missed)
{
	struct fdinfo info;

	parse("pos:\t0\nflags:\t02\nsize:\t4096\nexp_name:\tdrm\n", &info);
	ASSERT_TRUE(info.has_size && info.has_exporter);
	ASSERT_FALSE(info.has_count || info.has_name);
}

TEST(a_line_that_only_looks_alike_is_not_taken)
{
	struct fdinfo info;

	parse("resize:\t1\nsize of it:\t2\ncount: 3\n", &info);
	ASSERT_FALSE(info.has_size || info.has_count);
}

TEST(own_files_have_flags)
{
	struct fdinfo info;
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	ASSERT_EQ(0, fdinfo_read(fd, &info));
	ASSERT_EQ(O_WRONLY | O_CLOEXEC, info.flags & (O_ACCMODE | O_CLOEXEC));
	ASSERT_FALSE(info.has_size);
	close(fd);
	ASSERT_EQ(-ENOENT, fdinfo_read(fd, &info));
}

TEST(a_left_open_descriptor_is_found)
{
	struct fds before, after;
	char text[128];
	int fd;

	ASSERT_EQ(0, fds_take(&before));
	ASSERT_EQ(0, fds_take(&after));
	ASSERT_EQ(0, fds_new(&before, &after, text, sizeof(text)));
	fd = open("/dev/zero", O_RDONLY);
	ASSERT_EQ(0, fds_take(&after));
	ASSERT_EQ(1, fds_new(&before, &after, text, sizeof(text)));
	ASSERT_NE(NULL, strstr(text, "-> /dev/zero"));
	ASSERT_NE(0, fds_inode(fd));
	close(fd);
	ASSERT_EQ(0, fds_inode(fd));
	ASSERT_EQ(0, fds_take(&after));
	ASSERT_EQ(0, fds_new(&before, &after, text, sizeof(text)));
}

TEST(a_number_used_again_for_another_file_is_found)
{
	struct fds before, after;
	char text[128];
	int fd = open("/dev/zero", O_RDONLY);

	ASSERT_EQ(0, fds_take(&before));
	close(fd);
	ASSERT_EQ(fd, open("/dev/null", O_RDONLY));
	ASSERT_EQ(0, fds_take(&after));
	ASSERT_EQ(1, fds_new(&before, &after, text, sizeof(text)));
}

TEST_HARNESS_MAIN
