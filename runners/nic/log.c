// SPDX-License-Identifier: GPL-2.0-only
#include "nic/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#define LINES_PER_SECOND	200

static enum log_level shown = LOG_EVENT;

/* A tap that lets so many lines of a second through. */
static struct {
	time_t second;
	unsigned int lines;
} tap;

void log_show(enum log_level level)
{
	shown = level;
}

static bool tap_is_open(const struct timespec *now)
{
	if (now->tv_sec != tap.second) {
		if (tap.lines > LINES_PER_SECOND)
			fprintf(stderr, "[%5lld.%06ld] %u lines were left out\n",
				(long long)now->tv_sec, now->tv_nsec / 1000,
				tap.lines - LINES_PER_SECOND);
		tap.second = now->tv_sec;
		tap.lines = 0;
	}
	return ++tap.lines <= LINES_PER_SECOND;
}

void log_line(enum log_level level, const char *name, const char *format, ...)
{
	struct timespec now;
	char text[512];
	va_list arguments;

	if (level > shown)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	/* Who asks for more wants all of it. */
	if (shown <= LOG_EVENT && !tap_is_open(&now))
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fprintf(stderr, "[%5lld.%06ld] %s%s%s\n", (long long)now.tv_sec,
		now.tv_nsec / 1000, name ? name : "", name ? ": " : "", text);
}
