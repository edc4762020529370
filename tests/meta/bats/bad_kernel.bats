#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Kernels that never come to run the suite: one line says how far they were and why, and the status is
# that of what cannot be judged. Those that die later are in death.bats.

# shellcheck disable=SC2154,SC2016
load common

# The machine may be busy; on an idle one each test takes a fourth of that.
setup_file() {
	export BATS_TEST_TIMEOUT=240
	"$RUNNERS/kernels.sh" get newest > "$BATS_FILE_TMPDIR/kernel.env"
	eval "$("$RUNNERS/build.sh" --kernel-env "$BATS_FILE_TMPDIR/kernel.env")"
	export build_programs build_modules
}

setup() {
	make_folder
	OUT=$FOLDER/out
	mkdir "$OUT"
	describe_kernel newest
	# Nothing here needs a module of the distribution, and guests start sooner without.
	echo "kernel_modules=''" >> "$KERNEL_ENV"
	take_programs cts-agent cts-merge cts-report
}

teardown() {
	remove_folder
}

# dies LINE BOOT-OPTION...: a run on such a kernel, with two guests; LINE is said once.
dies() {
	local line=$1

	shift
	fails_with 125 "$RUNNERS/enter.sh" "$RUNNERS/guest/session.sh" --guests 2 "$OUT" "$FOLDER/programs" -- \
		--kernel-env "$KERNEL_ENV" "$@" -- --mode vm
	says "$line" "cts-report: nothing came on the stream"
	[ "$(grep -c '^dmabuf-cts: ' <<< "$output")" -eq 1 ]
	[ ! -e "$OUT/run.json" ]
	none_left "^qemu-system.*mark=$FOLDER"
}

@test "one that does not boot" {
	dies "dmabuf-cts: the guest died while its kernel started: Kernel panic - not syncing: VFS: Unable to mount root fs" \
		--append "rdinit=/nonexistent mark=$FOLDER"
	grep -q 'Kernel panic' "$OUT/console-2.log"
}

@test "one that hangs before it is up" {
	dies "dmabuf-cts: the guest hangs: not a word of it for 40 s, while its kernel started; it was stopped" \
		--silence 10 --append "rdinit=/bin/cat mark=$FOLDER"
}

# Other tests have the modules built anew meanwhile.
@test "one that panics when a module is loaded: which" {
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV")"
	cp "$build_modules/dmabuf_peer_exporter.ko" "$FOLDER/"
	dies "dmabuf-cts: the guest died while it loaded its modules, the last of them dmabuf_peer_exporter.ko: Kernel panic - not syncing: panic_on_taint set" \
		--module "$FOLDER/dmabuf_peer_exporter.ko" --append "panic_on_taint=0x1000 mark=$FOLDER"
}

@test "one without a driver for the virtio port: results come by the serial line, and no 9p is needed" {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		readlink /proc/self/fd/1
		! grep -w 9p /proc/filesystems
	AGENT
	run boot --append "initcall_blacklist=virtio_console_init mark=$MARK"
	[ "$status" -eq 0 ]
	says /dev/ttyS1
}

@test "one of another architecture, or none at all, is refused before it is booted" {
	cp "$(command -v bash)" "$FOLDER/image"
	fails_with 125 "$TOP/dmabuf-cts" vm --kernel "$FOLDER/image" --output "$OUT"
	says "is not a Linux kernel that can be booted"
}
