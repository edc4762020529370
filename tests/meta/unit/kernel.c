// SPDX-License-Identifier: GPL-2.0-only
/* Options of the running kernel, and reasons that are drawn from them. */
#include "kselftest_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pair/backend.h"
#include "pair/kernel.h"

static const char config[] =
	"# CONFIG_ABSENT is not set\n"
	"CONFIG_UDMABUF_EXTRA=y\n"
	"CONFIG_BUILT_IN=y\n"
	"CONFIG_MODULE=m\n"
	"CONFIG_NAME=\"a text = with more\"\n"
	"CONFIG_NUMBER=64\n";

FIXTURE(kernel)
{
	char path[32];
};

/* Each test runs in a process of its own: what was read once is not kept. */
FIXTURE_SETUP(kernel)
{
	int fd;

	strcpy(self->path, "/tmp/config.XXXXXX");
	fd = mkstemp(self->path);
	ASSERT_LE(0, fd);
	ASSERT_EQ(sizeof(config) - 1, write(fd, config, sizeof(config) - 1));
	close(fd);
	setenv(KERNEL_CONFIG_VARIABLE, self->path, 1);
}

FIXTURE_TEARDOWN(kernel)
{
	unlink(self->path);
}

TEST_F(kernel, options_are_read)
{
	ASSERT_EQ(CONFIG_ON, kernel_config("CONFIG_BUILT_IN"));
	ASSERT_EQ(CONFIG_MODULE, kernel_config("CONFIG_MODULE"));
	ASSERT_EQ(CONFIG_OFF, kernel_config("CONFIG_ABSENT"));
	ASSERT_EQ(CONFIG_OFF, kernel_config("CONFIG_NEVER_HEARD_OF"));
	ASSERT_EQ(CONFIG_ON, kernel_config("CONFIG_NUMBER"));
}

TEST_F(kernel, a_longer_name_is_another_option)
{
	ASSERT_EQ(CONFIG_OFF, kernel_config("CONFIG_UDMABUF"));
	ASSERT_EQ(CONFIG_OFF, kernel_config("UDMABUF_EXTRA"));
}

TEST_F(kernel, values_are_given_as_they_stand)
{
	char value[64];

	ASSERT_EQ(0, kernel_config_text("CONFIG_NAME", value, sizeof(value)));
	ASSERT_STREQ("\"a text = with more\"", value);
	ASSERT_EQ(0, kernel_config_text("CONFIG_NUMBER", value, sizeof(value)));
	ASSERT_STREQ("64", value);
	ASSERT_EQ(0, kernel_config_text("CONFIG_ABSENT", value, sizeof(value)));
	ASSERT_STREQ("n", value);
}

TEST_F(kernel, no_configuration_is_not_a_no)
{
	char value[64];

	setenv(KERNEL_CONFIG_VARIABLE, "/nonexistent", 1);
	ASSERT_EQ(CONFIG_UNKNOWN, kernel_config("CONFIG_BUILT_IN"));
	ASSERT_EQ(-ENOENT, kernel_config_text("CONFIG_BUILT_IN", value,
					      sizeof(value)));
}

TEST_F(kernel, an_option_that_is_off_is_a_reason)
{
	struct backend backend;

	backend_start(&backend, "x", NULL);
	ASSERT_FALSE(backend_needs_module(&backend, "no_such_module", "CONFIG_ABSENT"));
	ASSERT_EQ(1, backend.reason_count);
	ASSERT_NE(NULL, strstr(backend.reasons[0], "without CONFIG_ABSENT"));
}

TEST_F(kernel, a_module_that_is_not_loaded_is_a_reason)
{
	struct backend backend;

	backend_start(&backend, "x", NULL);
	ASSERT_FALSE(backend_needs_module(&backend, "no_such_module", "CONFIG_MODULE"));
	ASSERT_EQ(1, backend.reason_count);
	ASSERT_NE(NULL, strstr(backend.reasons[0], "module no_such_module"));
}

TEST_F(kernel, a_missing_node_is_a_reason_with_a_hint)
{
	struct backend backend;

	backend_start(&backend, "x", NULL);
	ASSERT_FALSE(backend_needs_node(&backend, "/dev/no_such_node", "buy one"));
	ASSERT_STREQ("no device node /dev/no_such_node: buy one", backend.reasons[0]);
	ASSERT_TRUE(backend_needs_node(&backend, "/dev/null", ""));
	ASSERT_EQ(1, backend.reason_count);
}

TEST_HARNESS_MAIN
