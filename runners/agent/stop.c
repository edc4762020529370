// SPDX-License-Identifier: GPL-2.0-only
#include "agent/stop.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/clock.h"
#include "agent/emit.h"
#include "agent/kmsg.h"
#include "agent/nic.h"

/* Bits of /proc/sys/kernel/tainted, as the kernel's documentation lists them. */
#define TAINT_MACHINE_CHECK	(1UL << 4)
#define TAINT_BAD_PAGE		(1UL << 5)
#define TAINT_DIE		(1UL << 7)
#define TAINT_WARN		(1UL << 9)
#define TAINT_SOFTLOCKUP	(1UL << 14)
#define TAINT_FATAL \
	(TAINT_MACHINE_CHECK | TAINT_BAD_PAGE | TAINT_DIE | TAINT_SOFTLOCKUP)

/* For so long it stands what the kernel's state was. */
#define TRUSTED_MS	200

static volatile sig_atomic_t signal_seen;
static unsigned long taint_at_start;
static unsigned long taint_that_stops;
static int taint_fd = -1;
static long long asked_ms;
static unsigned long heard;	/* messages of the kernel when it was asked */

static void note_signal(int number)
{
	signal_seen = number;
}

static unsigned long read_taint(void)
{
	char text[32];
	ssize_t length;

	if (taint_fd < 0)
		return 0;
	length = pread(taint_fd, text, sizeof(text) - 1, 0);
	if (length <= 0)
		return 0;
	text[length] = '\0';
	return strtoul(text, NULL, 10);
}

void stop_begin(bool warnings_stop)
{
	struct sigaction action = { .sa_handler = note_signal };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	signal(SIGPIPE, SIG_IGN);

	taint_fd = open("/proc/sys/kernel/tainted", O_RDONLY | O_CLOEXEC);
	taint_at_start = read_taint();
	taint_that_stops = TAINT_FATAL | (warnings_stop ? TAINT_WARN : 0);
}

static unsigned long fresh_taint(void)
{
	return read_taint() & ~taint_at_start & taint_that_stops;
}

/* Whether the kernel said nothing since, and not much time went by. */
static bool is_trusted(void)
{
	return kmsg_count() == heard && clock_ms() - asked_ms < TRUSTED_MS;
}

static bool is_tainted(bool now)
{
	if (!now && is_trusted())
		return false;
	asked_ms = clock_ms();
	heard = kmsg_count();
	return fresh_taint();
}

static enum stop_reason find_reason(bool now)
{
	if (emit_reader_left())
		return STOP_READER;
	if (signal_seen)
		return STOP_SIGNAL;
	if (*kmsg_oops() || is_tainted(now))
		return STOP_KERNEL;
	if (nic_lost(false))
		return STOP_NIC;
	return STOP_NOT;
}

enum stop_reason stop_reason(void)
{
	return find_reason(true);
}

bool stop_is_due(void)
{
	return find_reason(false) != STOP_NOT;
}

const char *stop_text(void)
{
	static char text[320];

	if (signal_seen)
		snprintf(text, sizeof(text), "%s", strsignal(signal_seen));
	else if (*kmsg_oops())
		snprintf(text, sizeof(text), "kernel: %s", kmsg_oops());
	else if (!fresh_taint())
		snprintf(text, sizeof(text), "the emulated NIC does not answer "
			 "any more: its server died (see nic.log)");
	else
		snprintf(text, sizeof(text), "kernel tainted anew (%#lx)",
			 fresh_taint());
	return text;
}
