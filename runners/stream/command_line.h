/* SPDX-License-Identifier: GPL-2.0-only */
/* What a program was asked to do: its options are rows of a table. */
#ifndef CTS_STREAM_COMMAND_LINE_H
#define CTS_STREAM_COMMAND_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Where a member of that type is in what is filled in; of another it does not compile. */
#define COMMAND_PLACE(struct_, member, type) \
	(offsetof(struct_, member) + 0 * sizeof(char[ \
	__builtin_types_compatible_p(__typeof__(((struct_ *)0)->member), \
				     type) ? 1 : -1]))

/* Keeps its argument in a member, a const char *. */
#define COMMAND_TEXT(name_, struct_, member) \
	{ .name = name_, .kind = COMMAND_KIND_TEXT, \
	  .place = COMMAND_PLACE(struct_, member, const char *) }

/* Has no argument; sets a member, a bool. */
#define COMMAND_FLAG(name_, struct_, member) \
	{ .name = name_, .kind = COMMAND_KIND_FLAG, \
	  .place = COMMAND_PLACE(struct_, member, bool) }

/* Gives its argument to a function, which is called without one below. */
#define COMMAND_CALL(name_, call_) \
	{ .name = name_, .kind = COMMAND_KIND_CALL, .call = call_ }

#define COMMAND_DO(name_, call_) \
	{ .name = name_, .kind = COMMAND_KIND_DO, .call = call_ }

enum command_kind {
	COMMAND_KIND_TEXT, COMMAND_KIND_FLAG, COMMAND_KIND_CALL,
	COMMAND_KIND_DO,
};

struct command_option {
	const char *name;	/* without its dashes; NULL in the last row */
	enum command_kind kind;
	size_t place;
	/* As command_line_parse() returns; the argument is NULL if it has none. */
	int (*call)(void *into, char *argument);
};

struct command_line {
	const char *program;	/* as messages name it, "cts-report diff" */
	const char *help;	/* that --help shows, which is in no row */
	const struct command_option *options;
	bool command_follows;	/* options behind the first word are not ours */
};

/**
 * command_line_parse - read the options
 * @into: what rows fill in, and what their functions are given
 *
 * getopt's optind says afterwards which is the first word that is no option.
 *
 * Return: -1 to go on, else the status to exit with (after a message or help).
 */
int command_line_parse(const struct command_line *line, void *into, int argc,
		       char **argv);

/**
 * command_line_refuse - say what is wrong with it, as printf() does
 *
 * Return: the status to exit with.
 */
int command_line_refuse(const struct command_line *line, const char *format,
			...) __attribute__((format(printf, 2, 3)));

#endif
