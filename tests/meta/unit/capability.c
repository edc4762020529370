// SPDX-License-Identifier: GPL-2.0-only
/* Which capabilities a pair lacks, in words; selectors taken apart. */
#include "kselftest_harness.h"

#include <string.h>

#include "exporter/exporter.h"
#include "importer/importer.h"
#include "pair/backend.h"
#include "pair/capability.h"

TEST(nothing_is_missing)
{
	char text[64] = "old";

	ASSERT_EQ(0, capability_missing(NEEDS_NOTHING, 0, text, sizeof(text)));
	ASSERT_STREQ("", text);
	ASSERT_EQ(0, capability_missing(NEEDS(EXPORTER_MAPS, IMPORTER_MAPS),
					NEEDS(EXPORTER_MAPS, IMPORTER_MAPS, IMPORTER_P2P),
					text, sizeof(text)));
	ASSERT_STREQ("", text);
}

TEST(all_that_is_missing_is_named_with_its_role)
{
	char text[128];

	ASSERT_EQ(2, capability_missing(NEEDS(EXPORTER_MAPS, EXPORTER_MOVES,
					      IMPORTER_P2P),
					NEEDS(EXPORTER_MAPS), text, sizeof(text)));
	ASSERT_STREQ("needs exporter moves, importer p2p", text);
}

TEST(a_short_text_is_cut)
{
	char text[64];

	memset(text, '#', sizeof(text));
	ASSERT_EQ(2, capability_missing(NEEDS(EXPORTER_MOVES, IMPORTER_P2P), 0,
					text, 25));
	ASSERT_STREQ("needs exporter moves, im", text);
	ASSERT_EQ('#', text[25]);
}

TEST(peers_of_both_roles_are_told_apart)
{
	ASSERT_STREQ("exporter peer", capability_name(EXPORTER_PEER));
	ASSERT_STREQ("importer peer", capability_name(IMPORTER_PEER));
	ASSERT_STREQ("peer", capability_label(EXPORTER_PEER));
	ASSERT_STREQ("unknown", capability_name(CAPABILITY_COUNT));
}

TEST(selectors_are_split_at_the_first_colon)
{
	const char *instance;
	char name[16];

	instance = backend_split("drm:pci=0000:00:07.0", name, sizeof(name));
	ASSERT_STREQ("drm", name);
	ASSERT_STREQ("pci=0000:00:07.0", instance);
	ASSERT_EQ(NULL, backend_split("udmabuf", name, sizeof(name)));
	ASSERT_STREQ("udmabuf", name);
	instance = backend_split("heap:", name, sizeof(name));
	ASSERT_STREQ("", instance);
}

TEST(unknown_back_ends_are_refused_with_a_reason)
{
	struct exporter exporter;
	struct importer importer;

	ASSERT_EQ(-EINVAL, exporter_open("amdgpv", &exporter));
	ASSERT_EQ(1, exporter.backend.reason_count);
	ASSERT_NE(NULL, strstr(exporter.backend.reasons[0], "amdgpv"));
	ASSERT_EQ(-EINVAL, importer_open("", &importer));
	ASSERT_EQ(1, importer.backend.reason_count);
}

TEST(unknown_instances_are_refused_with_a_reason)
{
	struct exporter exporter;
	struct importer importer;

	ASSERT_EQ(-EINVAL, exporter_open("peer:restless", &exporter));
	ASSERT_NE(NULL, strstr(exporter.backend.reasons[0], "restless"));
	ASSERT_EQ(-EINVAL, exporter_open("udmabuf:1", &exporter));
	ASSERT_EQ(-EINVAL, importer_open("peer:loud", &importer));
	ASSERT_NE(NULL, strstr(importer.backend.reasons[0], "loud"));
	ASSERT_EQ(-EINVAL, importer_open("uapi:x", &importer));
	ASSERT_EQ(-ENODEV, importer_open("verbs:no_such_0", &importer));
	ASSERT_NE(NULL, strstr(importer.backend.reasons[0], "no_such_0"));
}

TEST(reasons_end_at_the_bound)
{
	struct backend backend;

	backend_start(&backend, "heap", NULL);
	for (int i = 0; i < 2 * BACKEND_REASONS; i++)
		backend_reason(&backend, "reason %d", i);
	ASSERT_EQ(BACKEND_REASONS, backend.reason_count);
	ASSERT_STREQ("reason 0", backend.reasons[0]);
}

TEST(notes_are_joined)
{
	struct backend backend;

	backend_start(&backend, "drm", "vgem");
	ASSERT_STREQ("drm:vgem", backend.selector);
	backend_note(&backend, "card%d", 0);
	backend_note(&backend, "only attaches");
	ASSERT_STREQ("card0; only attaches", backend.note);
	for (int i = 0; i < 20; i++)
		backend_note(&backend, "more and more");
	ASSERT_EQ(BACKEND_REASON_SIZE - 1, strlen(backend.note));
}

TEST_HARNESS_MAIN
