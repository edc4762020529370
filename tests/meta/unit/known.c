// SPDX-License-Identifier: GPL-2.0-only
/* What the runner hands on about back ends is what cts-probe wrote. */
#include "kselftest_harness.h"

#include <stdlib.h>

#include "pair/known.h"

#define EXPORTER \
	"{\"type\":\"backend\",\"role\":\"exporter\",\"selector\":\"drm:vgem\"," \
	"\"available\":true,\"driver\":\"vgem\",\"version\":\"7.3\",\"device\":\"vgem\"," \
	"\"evidence\":\"emulated\",\"ours\":false,\"capabilities\":[\"maps\",\"drm\"]," \
	"\"reasons\":[],\"note\":\"a note\"}"
#define IMPORTER \
	"{\"role\":\"importer\",\"selector\":\"peer:static\",\"available\":true," \
	"\"evidence\":\"software\",\"ours\":true,\"capabilities\":[\"peer\",\"maps\"]}"
#define ABSENT \
	"{\"role\":\"importer\",\"selector\":\"verbs\",\"available\":false," \
	"\"evidence\":\"hardware\",\"ours\":false,\"capabilities\":[\"maps\"]}"

FIXTURE(known) {
	struct backend backend;
};

FIXTURE_SETUP(known)
{
	setenv(KNOWN_VARIABLE, "[" EXPORTER "," IMPORTER "," ABSENT "]", 1);
}

FIXTURE_TEARDOWN(known)
{
}

TEST_F(known, all_of_it_comes_back)
{
	ASSERT_TRUE(known_backend("exporter", "drm:vgem", &self->backend));
	EXPECT_STREQ("drm:vgem", self->backend.selector);
	EXPECT_STREQ("vgem", self->backend.driver);
	EXPECT_STREQ("7.3", self->backend.version);
	EXPECT_STREQ("vgem", self->backend.device);
	EXPECT_STREQ("a note", self->backend.note);
	EXPECT_EQ(EVIDENCE_EMULATED, self->backend.evidence);
	EXPECT_FALSE(self->backend.ours);
	EXPECT_EQ(0, self->backend.reason_count);
	EXPECT_EQ(NEEDS(EXPORTER_MAPS, EXPORTER_DRM),
		  self->backend.capabilities);
}

/* Both roles have capabilities of the same name. */
TEST_F(known, capabilities_are_those_of_the_role)
{
	ASSERT_TRUE(known_backend("importer", "peer:static", &self->backend));
	EXPECT_EQ(NEEDS(IMPORTER_PEER, IMPORTER_MAPS),
		  self->backend.capabilities);
	EXPECT_TRUE(self->backend.ours);
}

TEST_F(known, others_are_not_known)
{
	EXPECT_FALSE(known_backend("importer", "drm:vgem", &self->backend));
	EXPECT_FALSE(known_backend("exporter", "drm", &self->backend));
	EXPECT_FALSE(known_backend("importer", "verbs", &self->backend));
}

/* Twice of each: what was read is kept as long as it is told. */
TEST_F(known, what_is_told_last_counts)
{
	for (int i = 0; i < 2; i++)
		EXPECT_TRUE(known_backend("exporter", "drm:vgem",
					  &self->backend));
	setenv(KNOWN_VARIABLE, "[" IMPORTER "]", 1);
	for (int i = 0; i < 2; i++) {
		EXPECT_FALSE(known_backend("exporter", "drm:vgem",
					   &self->backend));
		EXPECT_TRUE(known_backend("importer", "peer:static",
					  &self->backend));
	}
}

TEST_F(known, nonsense_tells_nothing)
{
	static const char *const texts[] = {
		"", "{", "{}", "[1,null,[]]",
		"[{\"role\":\"exporter\",\"selector\":\"drm:vgem\",\"available\":true}]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		setenv(KNOWN_VARIABLE, texts[i], 1);
		EXPECT_FALSE(known_backend("exporter", "drm:vgem",
					   &self->backend));
	}
	unsetenv(KNOWN_VARIABLE);
	EXPECT_FALSE(known_backend("exporter", "drm:vgem", &self->backend));
}

TEST_HARNESS_MAIN
