#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The build root: what can go wrong while it is made, and what running in it means.

# shellcheck disable=SC2154,SC2016
load common

setup() {
	make_folder
}

teardown() {
	remove_folder
}

@test "a second set-up does nothing, and so needs no network" {
	"$RUNNERS/setup.sh"
	run without_network "$RUNNERS/setup.sh"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "no network: says so, and names the mirror as the thing to check" {
	fails_with 125 env DMABUF_CTS_CACHE="$FOLDER/cache" \
		bash -c "$(declare -f without_network); FOLDER=$FOLDER; without_network $RUNNERS/setup.sh"
	says "cannot fetch the package lists" "127.0.0.1" "check the network and the mirror"
	[ -z "$(find "$FOLDER/cache" -name 'root-*')" ]
}

@test "no mirror in the machine's apt configuration: says what to add" {
	mkdir -p "$FOLDER/lists"
	echo "Dir::Etc::SourceList \"/dev/null\"; Dir::Etc::SourceParts \"/dev/null\";" > "$FOLDER/apt.conf"
	APT_CONFIG=$FOLDER/apt.conf DMABUF_CTS_CACHE=$FOLDER/cache fails_with 125 "$RUNNERS/setup.sh"
	says "no Debian archive" "apt-get update"
}

@test "too little disk: says how much there is and how much it takes" {
	export DMABUF_CTS_CACHE=$FOLDER/cache
	fails_with 125 on_small_disk 20m "$DMABUF_CTS_CACHE" "$RUNNERS/setup.sh"
	says "too little disk" "20 MiB free" "3000 MiB are needed" "DMABUF_CTS_CACHE"
}

@test "a cache that cannot be written: says how to choose another" {
	echo > "$FOLDER/file"
	DMABUF_CTS_CACHE=$FOLDER/file/cache fails_with 125 "$RUNNERS/setup.sh"
	says "cannot make the cache folder" "DMABUF_CTS_CACHE"
}

@test "a missing tool: names it and its package" {
	mkdir "$FOLDER/bin"
	for tool in bash dirname realpath sha256sum cut dpkg cat; do
		ln -s "$(command -v "$tool")" "$FOLDER/bin/"
	done
	PATH=$FOLDER/bin DMABUF_CTS_CACHE=$FOLDER/cache fails_with 125 "$RUNNERS/setup.sh"
	says "missing command 'unshare'" "util-linux"
}

@test "a package that has vanished: names it and the file to mend; half-made roots go" {
	mkdir -p "$FOLDER/checkout" "$FOLDER/cache/root-junk.part"
	cp -r "$RUNNERS" "$FOLDER/checkout/"
	cp -r "$CACHE/apt" "$FOLDER/cache/"
	[ ! -d "$CACHE/mmdebstrap" ] || cp -r "$CACHE/mmdebstrap" "$FOLDER/cache/"
	echo "package no-such-package" >> "$FOLDER/checkout/runners/setup/recipes/base"
	DMABUF_CTS_CACHE=$FOLDER/cache fails_with 125 "$FOLDER/checkout/runners/setup.sh"
	says "'no-such-package' is not in the archive" "runners/setup/recipes/base"
	[ ! -e "$FOLDER/cache/root-junk.part" ]
	[ -z "$(find "$FOLDER/cache" -maxdepth 1 -name 'root-*' ! -name '*.part*')" ]
}

@test "a command in the root keeps its status, folder, input and output" {
	cd "$TOP/runners"
	run "$RUNNERS/enter.sh" bash -c 'pwd -P; cat; exit 7' <<< "through"
	[ "$status" -eq 7 ]
	[ "$output" = "$TOP/runners
through" ]
}

@test "the root is read-only and leaves no mount behind" {
	before=$(wc -l < /proc/self/mounts)
	fails_with 1 "$RUNNERS/enter.sh" touch /usr/file
	says "Read-only file system"
	[ "$(wc -l < /proc/self/mounts)" -eq "$before" ]
}

@test "nothing survives in the root when its parent is told to end, or killed" {
	for signal in TERM INT KILL; do
		env --default-signal=INT "$RUNNERS/enter.sh" bash -c "sleep 98.$$ & sleep 98.$$" &
		pid=$!
		for _ in {1..50}; do
			[ "$(pgrep -fc "^sleep 98.$$")" -lt 2 ] || break
			sleep 0.1
		done
		kill -"$signal" "$pid"
		wait "$pid" || true
		goes_away "^sleep 98.$$"
	done
}

# hold FILE: somebody has that lock for two seconds.
hold() {
	local lock

	exec {lock}> "$1"
	flock "$lock"
	sleep 2 3>&- &
	exec {lock}>&-
}

# wait_for_lock PATIENCE: as each runner does.
wait_for_lock() {
	bash -c '. "$1/common.sh"; LOCK_PATIENCE=$2; take_lock "$3" "the example"; echo got it' \
		bash "$RUNNERS" "$1" "$FOLDER/lock"
}

@test "who waits for another says so only when it takes long" {
	hold "$FOLDER/lock"
	run wait_for_lock 60
	[ "$output" = "got it" ]
	hold "$FOLDER/lock"
	run wait_for_lock 0
	says "another process is busy with the example; waiting for it" "got it"
}
