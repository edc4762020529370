#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Choosing a kernel: by name and by file, and all the ways to get it wrong.

# shellcheck disable=SC2154,SC2016
load common

setup() {
	make_folder
}

teardown() {
	remove_folder
}

# newest: its description in variables.
newest() {
	eval "$("$RUNNERS/kernels.sh" get newest)"
}

@test "the series of the project's three kernels are there" {
	run "$RUNNERS/kernels.sh" list
	[ "$status" -eq 0 ]
	[[ $output =~ 6\.1\ .*with\ headers ]]
	[[ $output =~ 6\.12\ .*with\ headers ]]
	[ "$(grep -c 'with headers' <<< "$output")" -ge 3 ]
}

@test "newest is the last series that has everything, and is found without a network" {
	newest
	[ -e "$kernel_image" ]
	[ -e "$kernel_headers/Makefile" ]
	[ -e "$kernel_config" ]
	last=$("$RUNNERS/kernels.sh" list | awk '/with headers/ { last = $1 } END { print last }')
	[ "$kernel_series" = "$last" ]
	run without_network "$RUNNERS/kernels.sh" get newest
	[ "$status" -eq 0 ]
}

@test "a kernel that is there is told of while another one is being fetched" {
	newest
	mkdir -p "$FOLDER/cache/kernels"
	cp -r "$CACHE/apt" "$FOLDER/cache/"
	ln -s "$CACHE/kernels/$kernel_version" "$FOLDER/cache/kernels/"
	for name in apt kernels kernels/6.1; do
		exec {lock}> "$FOLDER/cache/$name.lock"
		flock "$lock"
	done
	DMABUF_CTS_CACHE=$FOLDER/cache run timeout 20 "$RUNNERS/kernels.sh" get newest
	[ "$status" -eq 0 ]
	says "kernel_version=$kernel_version"
}

@test "a package name and a version mean the same kernel" {
	newest
	by_package=$("$RUNNERS/kernels.sh" get "linux-image-$kernel_version")
	by_version=$("$RUNNERS/kernels.sh" get "$kernel_version")
	[ "$by_package" = "$by_version" ]
}

@test "an unknown kernel: says what there is" {
	for kernel in 5.99 linux-image-5.99.1-amd64 nonsense; do
		fails_with 125 "$RUNNERS/kernels.sh" get "$kernel"
		says "there is no kernel '$kernel'" "newest" "6.1, 6.12"
	done
}

@test "a series whose modules are gone from the archive: says so" {
	series=$("$RUNNERS/kernels.sh" list | awk '/not usable/ { print $1; exit }')
	[ -n "$series" ] || skip "the archive has no such series now"
	fails_with 125 "$RUNNERS/kernels.sh" get "$series"
	says "there is no kernel '$series'" "newest"
}

@test "an image that is not a kernel" {
	head -c 100000 /dev/zero > "$FOLDER/image"
	fails_with 125 "$RUNNERS/kernels.sh" get "$FOLDER/image"
	says "is not a Linux kernel" "bzImage"
}

@test "an image with its modules and headers is found out about" {
	newest
	cp "$kernel_image" "$FOLDER/image"
	version=$kernel_version headers=$kernel_headers
	eval "$("$RUNNERS/kernels.sh" get "$FOLDER/image" --modules "$kernel_modules" --headers "$kernel_headers")"
	[ "$kernel_version" = "$version" ]
	[ "$kernel_headers" = "$headers" ]
	[ "$kernel_image" = "$FOLDER/image" ]
}

@test "the kernels of the project are known by their headers, however the files are named" {
	for kernel in 6.1 6.12; do
		eval "$("$RUNNERS/kernels.sh" get "$kernel")"
		"$RUNNERS/kernels.sh" get "$kernel_image" --headers "$kernel_headers" > /dev/null
	done
}

@test "an image without headers: no peers can be built, and the description says so" {
	newest
	eval "$("$RUNNERS/kernels.sh" get "$kernel_image" --modules "$kernel_modules")"
	[ -z "$kernel_headers" ]
}

@test "modules or headers of another kernel are refused" {
	newest
	mkdir -p "$FOLDER/headers/include/generated"
	cp "$kernel_headers/Makefile" "$FOLDER/headers/"
	echo '#define UTS_RELEASE "5.99.0"' > "$FOLDER/headers/include/generated/utsrelease.h"
	fails_with 125 "$RUNNERS/kernels.sh" get "$kernel_image" --headers "$FOLDER/headers"
	says "are of kernel '5.99.0'" "$kernel_version"
	mkdir -p "$FOLDER/lib/modules/5.99.0/kernel"
	fails_with 125 "$RUNNERS/kernels.sh" get "$kernel_image" --modules "$FOLDER/lib/modules/5.99.0"
	says "are of kernel '5.99.0'" "$kernel_version"
	fails_with 125 "$RUNNERS/kernels.sh" get "$kernel_image" --modules "$FOLDER"
	says "no modules of kernel $kernel_version"
}

@test "a folder that is no build tree" {
	fails_with 125 "$RUNNERS/kernels.sh" get "$FOLDER"
	says "no kernel build tree"
}

@test "the harness comes from KSRC when that is set, and a tree without it is refused" {
	KSRC=$FOLDER fails_with 125 "$RUNNERS/kernels.sh" harness
	says "kselftest.h" "6.12"
	from=$("$RUNNERS/kernels.sh" harness)
	KSRC=$from/../.. run "$RUNNERS/kernels.sh" harness
	[ "$output" = "$(realpath "$from")" ]
}
