// SPDX-License-Identifier: GPL-2.0-only
/* What is written without a tree of objects reads as jansson writes it. */
#include "kselftest_harness.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "record/writer.h"

FIXTURE(writer) {
	struct record_writer writer;
};

FIXTURE_SETUP(writer)
{
	writer_start(&self->writer);
}

FIXTURE_TEARDOWN(writer)
{
	writer_stop(&self->writer);
}

/* What was written is what jansson makes of @value, which is dropped. */
static bool is_dump_of(const struct record_writer *writer, json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
	bool same = text && strlen(text) == writer->length &&
		    !memcmp(text, writer->text, writer->length);

	if (!same)
		printf("# %.*s is not %s\n", (int)writer->length, writer->text,
		       text ?: "JSON");
	free(text);
	json_decref(value);
	return same;
}

TEST_F(writer, objects_arrays_numbers_and_booleans)
{
	struct record_writer *writer = &self->writer;

	writer_open(writer, NULL, '{');
	writer_text(writer, "type", "{");
	writer_open(writer, "none", '[');
	writer_close(writer, ']');
	writer_open(writer, "list", '[');
	writer_text(writer, NULL, "[");
	writer_text(writer, NULL, "b");
	writer_close(writer, ']');
	writer_open(writer, "inner", '{');
	writer_boolean(writer, "yes", true);
	writer_boolean(writer, "no", false);
	writer_close(writer, '}');
	writer_integer(writer, "low", LLONG_MIN);
	writer_integer(writer, "high", LLONG_MAX);
	writer_close(writer, '}');
	EXPECT_TRUE(is_dump_of(writer,
		json_pack("{s:s s:[] s:[s,s] s:{s:b s:b} s:I s:I}", "type", "{",
			  "none", "list", "[", "b", "inner", "yes", 1, "no", 0,
			  "low", (json_int_t)LLONG_MIN,
			  "high", (json_int_t)LLONG_MAX)));
}

TEST_F(writer, each_ascii_character_as_jansson_has_it)
{
	char text[] = "a?z";

	for (int byte = 1; byte < 0x80; byte++) {
		text[1] = byte;
		writer_start(&self->writer);
		writer_text(&self->writer, NULL, text);
		EXPECT_TRUE(is_dump_of(&self->writer, json_string(text)));
	}
}

/* @text as it was written, with the quotes, read back by jansson. */
static json_t *read_back(const struct record_writer *writer)
{
	return json_loadb(writer->text, writer->length, JSON_DECODE_ANY, NULL);
}

/* Valid text stays as it is, and what is not is still JSON and tells it. */
static bool is_kept_or_told(struct record_writer *writer, const char *text)
{
	json_t *value = json_string(text);
	bool good;

	writer_start(writer);
	writer_text(writer, NULL, text);
	if (value)
		return is_dump_of(writer, value);
	value = read_back(writer);
	good = value && strstr(json_string_value(value), "\xEF\xBF\xBD");
	json_decref(value);
	return good;
}

/* All leads, and bytes at the borders of what may follow. */
static const unsigned char followers[] = {
	0x00, 'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF,
};
#define FOLLOWERS	sizeof(followers)

TEST_F(writer, characters_of_several_bytes_are_kept_or_told)
{
	char text[6] = "";
	size_t bad = 0;

	for (int lead = 0x80; lead <= 0xFF; lead++)
		for (size_t i = 0; i < FOLLOWERS * FOLLOWERS * FOLLOWERS; i++) {
			text[0] = lead;
			text[1] = followers[i % FOLLOWERS];
			text[2] = followers[i / FOLLOWERS % FOLLOWERS];
			text[3] = followers[i / FOLLOWERS / FOLLOWERS];
			text[4] = 'z';
			bad += !is_kept_or_told(&self->writer, text);
		}
	EXPECT_EQ(0, bad);
}

TEST_F(writer, each_bad_byte_is_replaced)
{
	json_t *value;

	writer_text(&self->writer, NULL, "a\xFFg\xC3\xA4\xE2\x82-\xED\xA0\x80");
	value = read_back(&self->writer);
	EXPECT_STREQ("a\uFFFDg\u00E4\uFFFD\uFFFD-\uFFFD\uFFFD\uFFFD",
		     json_string_value(value));
	json_decref(value);
}

/* Each byte becomes six, again and again. */
TEST_F(writer, a_text_may_be_longer_than_the_place_for_it)
{
	char text[WRITER_SIZE];
	json_t *list = json_array();

	memset(text, 1, sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	writer_open(&self->writer, NULL, '[');
	for (int i = 0; i < 20; i++) {
		writer_text(&self->writer, NULL, text);
		json_array_append_new(list, json_string(text));
	}
	writer_close(&self->writer, ']');
	EXPECT_FALSE(self->writer.failed);
	EXPECT_TRUE(is_dump_of(&self->writer, list));
}

#define UNTOUCHED	0xEE

/* As if the place had @size bytes. */
static void start_in(struct record_writer *writer, size_t size)
{
	writer_stop(writer);
	memset(writer->place, UNTOUCHED, sizeof(writer->place));
	writer->size = size;
}

static bool is_untouched(const struct record_writer *writer, size_t size)
{
	for (size_t i = size; i < sizeof(writer->place); i++)
		if ((unsigned char)writer->place[i] != UNTOUCHED)
			return false;
	return true;
}

static void write_all_kinds(struct record_writer *writer)
{
	writer_open(writer, NULL, '{');
	writer_boolean(writer, "a", false);
	writer_open(writer, "bc", '[');
	writer_close(writer, ']');
	writer_text(writer, "d", "\1\1");
	writer_integer(writer, "e", LLONG_MIN);
	writer_open(writer, "f", '{');
	writer_close(writer, '}');
	writer_close(writer, '}');
}

/* Wherever it is that the place ends. */
TEST_F(writer, nothing_is_written_behind_the_place)
{
	for (size_t size = 0; size < 200; size++) {
		start_in(&self->writer, size);
		write_all_kinds(&self->writer);
		EXPECT_TRUE(is_untouched(&self->writer, size));
		EXPECT_TRUE(is_dump_of(&self->writer,
			json_pack("{s:b s:[] s:s s:I s:{}}", "a", 0, "bc",
				  "d", "\1\1", "e", (json_int_t)LLONG_MIN,
				  "f")));
	}
}

TEST_HARNESS_MAIN
