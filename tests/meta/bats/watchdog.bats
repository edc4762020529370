#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-watchdog, which ends a guest that hangs, with commands that are quicker than a guest.

# What runs inside the build root is quoted, so that it is expanded there.
# shellcheck disable=SC2016

bats_require_minimum_version 1.5.0
load stream

setup_file() {
	export BATS_TEST_TIMEOUT=60
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# watchdog STATUS OPTION... -- COMMAND...: what comes out goes to the file "shown".
watchdog() {
	local wanted=$1

	shift
	exits "$wanted" inside "$PROGRAMS/cts-watchdog" "$@" > shown 2> errors || { cat shown errors; return 1; }
}

@test "output and status are the command's" {
	watchdog 7 --silence 5 --first 5 --total 9 -- sh -c 'seq 100000; exit 7'
	seq 100000 | cmp - shown
	watchdog 0 -- true
	watchdog 137 -- sh -c 'kill -KILL $$'
}

@test "a command that falls silent is ended, and what it said is there" {
	watchdog 122 --silence 1 --total 30 -- sh -c 'echo word; exec sleep 300'
	says word
}

@test "before the first word there is more time, and no more than that" {
	watchdog 0 --silence 1 --first 9 -- sh -c 'sleep 2.5; echo word'
	says word
	watchdog 122 --silence 9 --first 1 --total 30 -- sleep 300
}

@test "whoever goes on speaking is not ended, except when the time is over" {
	watchdog 0 --silence 2 -- sh -c 'for i in 1 2 3 4; do echo $i; sleep 1.2; done'
	watchdog 124 --silence 5 --total 2 -- sh -c 'while :; do echo word; sleep 0.2; done'
	says word
}

@test "a reader that takes its time is not the command's silence" {
	inside bash -c '"$1" --silence 1 -- sh -c "seq 200000; echo end" | { sleep 4; tail -n 1; }' \
		bash "$PROGRAMS/cts-watchdog" > shown
	says end
}

@test "a watchdog that was stopped for a while has heard no silence" {
	inside bash -c '
		"$1" --silence 3 -- sh -c "echo word; sleep 6; echo end" > shown &
		sleep 0.5
		kill -STOP $!
		sleep 4.5
		kill -CONT $!
		wait $!' bash "$PROGRAMS/cts-watchdog"
	says end
}

@test "however the watchdog ends, the command ends with it" {
	for signal in TERM INT HUP KILL; do
		# A signal that comes before the watchdog does is none to it.
		rm -f pid
		inside bash -c '
			env --default-signal=INT "$1" -- sh -c "echo \$\$; exec sleep 300" > pid &
			until [ -s pid ]; do sleep 0.1; done
			kill -"$2" $!
			wait $!
			for try in $(seq 20); do kill -0 "$(cat pid)" 2> /dev/null || exit 0; sleep 0.1; done
			exit 1' bash "$PROGRAMS/cts-watchdog" "$signal"
	done
}

@test "a reader that leaves ends the command" {
	inside bash -c '"$1" -- sh -c "while :; do echo word; sleep 0.1; done" | head -n 1' \
		bash "$PROGRAMS/cts-watchdog" > shown
	says word
}

@test "a command that is not there, and wrong options" {
	watchdog 1 -- /nonexistent/command
	says "cannot run /nonexistent/command"
	watchdog 2
	says "no command to run"
	watchdog 2 --silence x -- true
	watchdog 2 --total -1 -- true
	watchdog 2 --nonsense -- true
}
