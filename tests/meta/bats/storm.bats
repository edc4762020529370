#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# tests/meta/storm.sh: which guests count as good. Kernel, build and guest are stand-ins.

# shellcheck disable=SC2154
bats_require_minimum_version 1.5.0
load common

setup() {
	make_folder
	SUITE=$FOLDER/suite
	mkdir -p "$SUITE/runners/guest" "$SUITE/tests/meta/storm" "$FOLDER/bin"
	cp "$RUNNERS/common.sh" "$SUITE/runners/"
	cp "$TOP/tests/meta/storm.sh" "$SUITE/tests/meta/"
	cp "$TOP/tests/meta/storm/guest.sh" "$SUITE/tests/meta/storm/"
	stand_in kernels ''
	stand_in build "echo build_programs=$FOLDER/bin build_modules=$FOLDER"
	install -m 755 /dev/null "$FOLDER/bin/cts-monitor"
	touch "$FOLDER/bin/stress"
}

teardown() {
	remove_folder
}

# stand_in NAME COMMAND: for that runner.
stand_in() {
	printf '#!/bin/bash\n%s\n' "$2" > "$SUITE/runners/$1.sh"
	chmod +x "$SUITE/runners/$1.sh"
}

# storm WANTED STATUS LINE...: how it ends where the guest prints these lines and boot.sh ends with STATUS.
storm() {
	local wanted=$1 ends=$2

	shift 2
	printf '%s\n' "$@" > "$FOLDER/lines"
	stand_in guest/boot "cat '$FOLDER/lines'; exit $ends"
	fails_with "$wanted" "$SUITE/tests/meta/storm.sh" 2
}

@test "four good lines of a guest that came to its end are good" {
	storm 0 0 1..4 "# after 60 s" "ok 1 a" "ok 2 b" "ok 3 c" "ok 4 d"
	says "ok 4 d"
}

@test "a guest that died is not, whatever it had said" {
	storm 1 100 1..4
	storm 1 100 1..4 "ok 1 a"
	storm 1 101 1..4 "ok 1 a" "ok 2 b" "ok 3 c" "ok 4 d"
}

@test "nor is one bad line, nor one that is missing" {
	storm 1 0 1..4 "ok 1 a" "not ok 2 b" "ok 3 c" "ok 4 d"
	storm 1 0 1..4 "ok 1 a" "ok 2 b" "ok 3 c"
}
