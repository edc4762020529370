#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# How long the verb "vm" lets guests and programs take. Kernel, build and guests are stand-ins.

# shellcheck disable=SC2154
bats_require_minimum_version 1.5.0
load common

setup() {
	make_folder
	SUITE=$FOLDER/suite
	mkdir -p "$SUITE/runners/guest"
	cp "$RUNNERS/common.sh" "$RUNNERS/vm.sh" "$SUITE/runners/"
	cp "$RUNNERS/guest/modules" "$SUITE/runners/guest/"
	stand_in kernels "echo kernel_version=1 kernel_image=/image kernel_headers=/headers kernel_config=$FOLDER/config"
	stand_in build "echo build_programs=$FOLDER"
	stand_in enter "echo \"\$*\""
	touch "$FOLDER/config"
}

teardown() {
	remove_folder
}

# stand_in NAME COMMAND: for that runner.
stand_in() {
	printf '#!/bin/bash\n%s\n' "$2" > "$SUITE/runners/$1.sh"
	chmod +x "$SUITE/runners/$1.sh"
}

# patience SECONDS OPTION...: a guest is given so many.
patience() {
	local wanted=$1

	shift
	fails_with 0 env DMABUF_CTS_CACHE="$FOLDER/cache" "$SUITE/runners/vm.sh" --no-nic --output "$FOLDER/out" "$@"
	says " --timeout $wanted "
}

# defined NAME FILE: its value there.
defined() {
	awk -v name="$1" '$1 == "#define" && $2 == name { print $3 }' "$TOP/$2"
}

@test "a guest has more time for longer cases, and on a kernel that checks its memory" {
	patience 900
	patience 900 --stress 1
	patience 27000 --stress 60
	patience 50 --stress 60 --timeout 50
	echo CONFIG_KASAN=y > "$FOLDER/config"
	patience 5400
	patience 99999 --stress 300
	says "--timeout $(($(defined TIMEOUT_DEFAULT_S runners/agent/options.c) * 6))"
}

@test "what runners and programs know of each other is the same" {
	grep -q "PROGRAM_TIMEOUT=$(defined TIMEOUT_DEFAULT_S runners/agent/options.c) " "$RUNNERS/vm.sh"
	grep -q "STRESS_DEFAULT=$(defined SECONDS_DEFAULT lib/pair/stress.c) " "$RUNNERS/vm.sh"
	grep -q -- "-le $(defined STRESS_SECONDS_MAX lib/pair/stress.h) \]" "$RUNNERS/common.sh"
}

@test "seconds of stress and seeds that cannot be" {
	local runner seconds

	for runner in vm run; do
		for seconds in 0 08 301 99999 x ""; do
			fails_with 2 "$RUNNERS/$runner.sh" --stress "$seconds"
			says "--stress wants seconds, 1 to 300"
		done
		fails_with 2 "$RUNNERS/$runner.sh" --seed 0x10
	done
}
