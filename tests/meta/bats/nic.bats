#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The emulated NIC in the guest: the kernel's own driver finds it, each guest has its own, and its
# server never outlives the guest that it is for, nor takes the guest with it.

# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0
load common

# The kernels of the project.
readonly KERNELS=(newest 6.12 6.1)

# The machine may be busy; on an idle one each test takes a fourth of that. What is to be built first is
# not in it.
setup_file() {
	local kernel

	export BATS_TEST_TIMEOUT=240
	build_once
	make_folder
	for kernel in "${KERNELS[@]}"; do
		kernel_with_nic "$kernel"
	done
	remove_folder
}

setup() {
	make_folder
	take_programs cts-nic
}

teardown() {
	remove_folder
}

# kernel_with_nic KERNEL: as describe_kernel, and the NIC's driver for it.
kernel_with_nic() {
	describe_kernel "$1"
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV" --nic)"
}

# boot_nic ARG...: a guest with the driver.
boot_nic() {
	boot --module "$build_efa" --nic-log "$FOLDER/nic.log" "$@"
}

# An agent that says which NICs there are, as function, driver, device and node.
devices_agent() {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		for device in /sys/class/infiniband/*; do
			function=$(readlink -f "$device/device")
			node=$(cat "$device"/device/infiniband_verbs/*/uevent | sed -n 's/DEVNAME=//p')
			[ -c "/dev/$node" ] || node=none
			echo "${function##*/} $(basename "$(readlink "$function/driver")") ${device##*/} $node"
		done
	AGENT
}

ticking_agent() {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		while :; do
			echo "tick $((n = n + 1)) $(ls /sys/class/infiniband)"
			sleep 0.1
		done
	AGENT
}

# start ARG...: as boot, beside the test, whose $pid it then is; what it says goes to a file.
start() {
	rm -f "$FOLDER/out"
	env --default-signal=INT "$RUNNERS/guest/boot.sh" --kernel-env "$KERNEL_ENV" --programs "$FOLDER/programs" \
		--append "mark=$MARK" --nic 1 --nic-log "$FOLDER/nic.log" "$@" > "$FOLDER/out" 2>&1 &
	pid=$!
}

# server: process id of the server of this test's guest.
server() {
	pgrep -f "^$FOLDER/programs/cts-nic "
}

@test "the driver finds the NIC on each kernel of the project, and there is its node" {
	devices_agent
	for kernel in "${KERNELS[@]}"; do
		kernel_with_nic "$kernel"
		run --separate-stderr boot_nic --nic 1
		[ "$status" -eq 0 ]
		[ "$output" = "0000:00:09.0 efa efa_0 infiniband/uverbs0" ]
	done
}

@test "with each version of the device's interface, and without an IOMMU" {
	devices_agent
	kernel_with_nic newest
	for version in 0.1 0.2 0.3; do
		run --separate-stderr boot_nic --nic 1 --nic-api "$version"
		[ "$output" = "0000:00:09.0 efa efa_0 infiniband/uverbs0" ]
	done
	run --separate-stderr boot_nic --nic 1 --no-iommu
	[ "$output" = "0000:00:09.0 efa efa_0 infiniband/uverbs0" ]
}

@test "two NICs, in a guest of another size" {
	devices_agent
	kernel_with_nic newest
	run --separate-stderr boot_nic --nic 2 --memory 512M
	[ "$output" = "0000:00:09.0 efa efa_0 infiniband/uverbs0
0000:00:0a.0 efa efa_1 infiniband/uverbs1" ]
}

@test "list tells all the reasons why there is no RDMA importer" {
	eval "$("$RUNNERS/kernels.sh" get newest)"
	run "$TOP/dmabuf-cts" list --kernel "$kernel_image" --modules "$kernel_modules"
	[ "$status" -eq 0 ]
	says "no RDMA device in /sys/class/infiniband" \
		"no emulated NIC: its driver efa.ko is missing: there are no headers of kernel $kernel_version"
	run "$TOP/dmabuf-cts" list --kernel "$kernel_image"
	says "no RDMA device in /sys/class/infiniband" "no emulated NIC: its driver" "ib_uverbs"
	run "$TOP/dmabuf-cts" list --kernel newest --no-nic
	says "no emulated NIC: the guest was given none"
}

@test "a NIC that is asked for and cannot be had ends the run before it begins" {
	eval "$("$RUNNERS/kernels.sh" get newest)"
	fails_with 125 "$TOP/dmabuf-cts" list --kernel "$kernel_image" --nic 1
	says "the guest cannot have an emulated NIC: its driver efa.ko is missing"
	for wrong in "--nic 9" "--nic -1" "--nic" "--nic-api 1.0" "--nic-option"; do
		# shellcheck disable=SC2086
		fails_with 2 "$TOP/dmabuf-cts" vm $wrong
	done
}

@test "what libibverbs needs is in the guest, and the provider is one library with libefa" {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		cd /usr/lib/x86_64-linux-gnu || exit 1
		[ -e libibverbs.so.1 ] && [ "$(cat /etc/libibverbs.d/*)" = "driver efa" ] || exit 2
		[ "$(readlink -f libibverbs/libefa-rdmav*.so)" = "$(readlink -f libefa.so.1)" ] || exit 3
	AGENT
	describe_kernel newest
	run boot
	[ "$status" -eq 0 ]
}

@test "options of the server, and what it says" {
	devices_agent
	kernel_with_nic newest
	boot_nic --nic 1 --nic-option --control --nic-option delay_ms=1
	grep -q 'client' "$FOLDER/nic.log"
	fails_with 125 boot_nic --nic 1 --nic-option --control --nic-option splendid=1
	says "the server of the emulated NIC did not start: cts-nic: no such control" "splendid"
}

@test "the server ends with its guest, however that ends" {
	ticking_agent
	kernel_with_nic newest
	for signal in INT TERM KILL; do
		start
		wait_for 'tick 2' "$FOLDER/out"
		server
		kill -"$signal" "$pid"
		wait "$pid" || true
		goes_away "$FOLDER/programs/cts-nic"
		goes_away "^qemu-system.*mark=$MARK"
	done
	start
	wait_for 'tick 2' "$FOLDER/out"
	kill -KILL "$(qemu_of_this_test)"
	wait "$pid" || true
	none_left "$FOLDER/programs/cts-nic"
}

# An agent that asks the NIC's instrument page for its magic again and again.
asking_agent() {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		page=$(sed -n '2s/ .*//p' /sys/bus/pci/devices/0000:00:09.0/resource)
		while :; do
			echo "tick $((n = n + 1)) $(ls /sys/class/infiniband) $(devmem $((page + 0x2000)))"
			sleep 0.1
		done
	AGENT
}

# end_server SIGNAL...: one after another; after STOP, with a request that it has not read.
end_server() {
	local signal pid

	pid=$(server)
	for signal; do
		kill -"$signal" "$pid"
		sleep 1
	done
}

@test "the server killed at any moment, or told to end: the guest lives on, and boot.sh says how it ended" {
	asking_agent
	kernel_with_nic newest
	for signals in KILL "STOP KILL" TERM; do
		rm -f "$FOLDER/nic.log"
		start --module "$build_efa"
		wait_for 'tick 2 efa_0 0x4E535443' "$FOLDER/out"
		# shellcheck disable=SC2086
		end_server $signals
		wait_for "the server of the guest's NICs" "$FOLDER/out"
		wait_for 'tick .* efa_0 0xFFFFFFFF' "$FOLDER/out"
		from=$(tail -n 1 "$FOLDER/out" | cut -d ' ' -f 2)
		wait_for "tick $((from + 20)) efa_0" "$FOLDER/out"
		kill -TERM "$pid"
		wait "$pid" || true
		grep -q "the server of the guest's NICs" "$FOLDER/nic.log"
	done
	grep -q "NICs ended with status 0: they are dead" "$FOLDER/out"
}

@test "a server that died while its guest ran is told by the status, whatever the agent says" {
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		echo here
		sleep 3
	AGENT
	describe_kernel newest
	start
	wait_for here "$FOLDER/out"
	kill -KILL "$(server)"
	code=0
	wait "$pid" || code=$?
	[ "$code" -eq 104 ]
	grep -q 'was killed by SIGKILL' "$FOLDER/out"
}
