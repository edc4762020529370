// SPDX-License-Identifier: GPL-2.0-only
#include "report/source.h"

static struct source *new_source(int number)
{
	struct source *source = memory_get(sizeof(*source));

	source->number = number;
	return source;
}

static struct source *source_of(struct run *run, int number)
{
	struct source *source;

	for_list(struct source *, known, &run->sources)
		if (known->number == number)
			return known;
	source = new_source(number);
	list_add(&run->sources, source);
	return source;
}

void source_select(struct run *run, json_t *record)
{
	json_t *number = json_object_get(record, "guest");

	run->source = source_of(run, json_integer_value(number));
	json_object_del(record, "guest");
}

void source_begin(struct run *run)
{
	for (size_t i = 0; i < run->sources.count; i++)
		if (run->sources.items[i] == run->source)
			run->sources.items[i] = new_source(run->source->number);
	run->source = source_of(run, run->source->number);
}

bool source_has_company(const struct run *run)
{
	for_list(struct source *, source, &run->sources)
		if (source != run->source && !source->ended && !source->gone)
			return true;
	return false;
}

bool source_all_ended(const struct run *run)
{
	for_list(struct source *, source, &run->sources)
		if (!source->ended)
			return false;
	return run->sources.count;
}

void source_forget_all(struct run *run)
{
	run->sources.count = 0;
	run->source = NULL;
}
