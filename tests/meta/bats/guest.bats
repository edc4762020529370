#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# One guest: what comes out of it, and what happens when it ends in another way than it should.

# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0
load common

setup() {
	make_folder
	describe_kernel newest
}

teardown() {
	remove_folder
}

ticking_agent() {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		while :; do
			echo "tick $((n = n + 1))"
			sleep 0.1
		done
	AGENT
}

@test "the agent's arguments go in, its output and status come out, nothing else does" {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		printf '<%s>\n' "$@"
		echo complaint >&2
		exit 3
	AGENT
	# On stderr there may be word of waiting for an image that another one makes.
	run --separate-stderr boot -- "two words" '$quoted "x"' ""
	[ "$status" -eq 3 ]
	[ "$output" = '<two words>
<$quoted "x">
<>' ]
	grep -q complaint "$FOLDER/console"
}

@test "status 125 and odd statuses" {
	make_agent cts-agent <<< '#!/bin/sh
exit "$1"'
	fails_with 125 boot -- 125
	fails_with 99 boot -- 200
}

@test "each device has a translating IOMMU, and none with --no-iommu" {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		cat /sys/bus/pci/devices/0000:00:05.0/iommu_group/type || echo none
	AGENT
	run boot
	says DMA
	run boot --no-iommu
	says none
}

@test "the IOMMU may pass addresses on, and devices be below a switch that resets them" {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		edu=$(grep -l 0x11e8 /sys/bus/pci/devices/*/device | head -n 1)
		echo "edu $(cat "${edu%/device}/iommu_group/type") $(cat "${edu%/device}/reset_method")"
	AGENT
	run boot --iommu passthrough
	says "edu identity"
	run boot --topology switch --iommu strict
	says "edu DMA bus"
	fails_with 2 boot --topology ring
	fails_with 2 boot --iommu none
}

@test "the guest has what the suite needs" {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		grep -q debugfs /proc/mounts && grep -q tracefs /proc/mounts && grep -q cgroup2 /proc/mounts || exit 1
		[ -r "/boot/config-$(uname -r)" ] || exit 2
		[ "$(grep -l 0x11e8 /sys/bus/pci/devices/*/device | wc -l)" -eq 2 ] || exit 4
		for driver in vgem virtio_gpu bochs_drm; do
			[ -d "/sys/module/$driver" ] || [ -d "/sys/module/${driver%_drm}" ] || exit 5
		done
		[ "$(cat /cts/files/note)" = carried ] || exit 6
	AGENT
	echo carried > "$FOLDER/note"
	run boot --file "$FOLDER/note"
	[ "$status" -eq 0 ]
}

# packed FOLDER: the archives for a guest with these programs, by inode and name.
packed() {
	"$RUNNERS/enter.sh" "$RUNNERS/guest/initramfs.sh" --kernel-env "$KERNEL_ENV" --programs "$1" |
		xargs -d '\n' stat -c '%i %n'
}

@test "programs are packed once wherever they lie, and others cost no new system" {
	make_agent cts-agent <<< '#!/bin/sh'
	{ read -r system && read -r programs; } < <(packed "$FOLDER/programs")
	cp -r "$FOLDER/programs" "$FOLDER/elsewhere"
	[ "$(packed "$FOLDER/elsewhere")" = "$system"$'\n'"$programs" ]
	mv "$FOLDER/programs/cts-agent" "$FOLDER/programs/agent"
	{ read -r system_then && read -r renamed; } < <(packed "$FOLDER/programs")
	[ "$system_then" = "$system" ]
	[ "$renamed" != "$programs" ]
	echo exit > "$FOLDER/programs/agent"
	{ read -r system_then && read -r changed; } < <(packed "$FOLDER/programs")
	[ "$system_then" = "$system" ]
	[ "$changed" != "$renamed" ]
}

@test "what is packed is known at once, until a program is written in place or an archive goes" {
	make_agent cts-agent <<< 'echo old'
	first=$(packed "$FOLDER/programs")
	# Who packs has the lock.
	[ "$(RUNNERS=$RUNNERS KERNEL_ENV=$KERNEL_ENV flock "$CACHE/images/lock" timeout 20 \
		bash -c "$(declare -f packed)"'; packed "$1"' bash "$FOLDER/programs")" = "$first" ]
	touch -r "$FOLDER/programs/cts-agent" "$FOLDER/times"
	echo 'echo new' > "$FOLDER/programs/cts-agent"
	touch -r "$FOLDER/times" "$FOLDER/programs/cts-agent"
	{ read -r _ && read -r changed; } < <(packed "$FOLDER/programs")
	[[ $first != *"$changed" ]]
	rm "${changed#* }"
	{ read -r _ && read -r again; } < <(packed "$FOLDER/programs")
	[ "${again#* }" = "${changed#* }" ]
	grep -aq 'echo new' "${again#* }"
}

@test "a panic keeps what was said before it" {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		echo before
		echo c > /proc/sysrq-trigger
	AGENT
	run boot
	[ "$status" -eq 100 ]
	says "before" "the guest died"
	grep -q 'Kernel panic' "$FOLDER/console"
}

@test "out of memory keeps what was said before it" {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		echo before
		echo 1 > /proc/sys/vm/panic_on_oom
		dd if=/dev/zero of=/run/file bs=1M & tail /dev/zero
	AGENT
	run boot --memory 320M --timeout 120
	[ "$status" -eq 100 ]
	says "before"
}

@test "a guest that goes on for ever is stopped" {
	ticking_agent
	run boot --timeout 45
	[ "$status" -eq 101 ]
	says "tick 1" "did not end within 45 s"
	none_left "^qemu-system.*mark=$MARK"
}

@test "QEMU killed in the middle: what was streamed is there" {
	ticking_agent
	boot > "$FOLDER/out" &
	pid=$!
	wait_for 'tick 5' "$FOLDER/out"
	kill -KILL "$(qemu_of_this_test)"
	code=0
	wait "$pid" || code=$?
	[ "$code" -eq 102 ]
	grep -q '^tick 5$' "$FOLDER/out"
}

@test "Ctrl-C and friends leave no stray QEMU" {
	ticking_agent
	for signal in INT TERM KILL; do
		rm -f "$FOLDER/out"
		env --default-signal=INT "$RUNNERS/guest/boot.sh" --kernel-env "$KERNEL_ENV" \
			--programs "$FOLDER/programs" --append "mark=$MARK" > "$FOLDER/out" &
		pid=$!
		wait_for 'tick 2' "$FOLDER/out"
		kill -"$signal" "$pid"
		code=0
		wait "$pid" || code=$?
		goes_away "^qemu-system.*mark=$MARK"
		[ "$signal" = KILL ] || [ "$code" -eq 143 ]
	done
}

@test "a module of another kernel, or no module at all, is refused before booting" {
	make_agent cts-agent <<< '#!/bin/sh'
	other=$("$RUNNERS/kernels.sh" get 6.1 | sed -n 's/^kernel_modules=//p')/kernel/drivers/gpu/drm/vgem/vgem.ko
	fails_with 125 boot --module "$other"
	says "was built for kernel 6.1" "build it with that kernel's headers"
	echo nonsense > "$FOLDER/file.ko"
	fails_with 125 boot --module "$FOLDER/file.ko"
	says "is not a kernel module"
}

@test "a module that the guest's kernel refuses is named, and the run goes on" {
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV")"
	make_agent cts-agent <<< '#!/bin/sh
echo ran'
	boot --module "$build_modules/dmabuf_peer_exporter.ko" --append module.sig_enforce=1 > "$FOLDER/out"
	grep -q '^ran$' "$FOLDER/out"
	grep -q 'dmabuf_peer_exporter.ko was refused' "$FOLDER/console"
}

@test "a guest that QEMU cannot start: says why" {
	make_agent cts-agent <<< '#!/bin/sh'
	fails_with 125 boot --memory nonsense
	says "QEMU could not start the guest" "nonsense"
}

@test "variables for the agent, with all that may be in them" {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		echo "<$FIRST><$SECOND>"
	AGENT
	run boot --environment 'FIRST=two words = "x" $y' --environment SECOND=
	[ "$output" = '<two words = "x" $y><>' ]
}

@test "a server of NICs that does not start: says why, and nothing is left" {
	make_agent cts-agent <<< '#!/bin/sh'
	make_agent refuses <<< '#!/bin/sh
echo "no such thing: $1" >&2
exit 2'
	make_agent idles <<< '#!/bin/sh
exec sleep 304'
	fails_with 125 boot --nic 1 --nic-server "$FOLDER/programs/refuses" --nic-option --splendid
	says "did not start: no such thing: --splendid"
	fails_with 125 boot --nic 1 --nic-server "$FOLDER/programs/idles"
	says "did not start"
	none_left "^sleep 304"
	fails_with 2 boot --nic 1 --nic-server "$FOLDER/programs/absent"
	says "must name a program"
}

@test "options that are wrong" {
	fails_with 2 boot --nic 9
	says "0 to 8, not '9'"
	fails_with 2 boot --nic one
	fails_with 2 boot --nic 1 --nic-api 0.4
	says "0.1, 0.2 or 0.3, not '0.4'"

	fails_with 2 "$RUNNERS/guest/boot.sh" --nonsense x
	fails_with 2 "$RUNNERS/guest/boot.sh" --timeout
	fails_with 2 "$RUNNERS/guest/boot.sh" --kernel-env /nonexistent --programs /
}
