#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# vm --kernel all: which kernels are run, what becomes of those that cannot be, and going on later.
# Kernels and runs are stand-ins; what puts them together, and the table, are the true ones.

# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0
load common

setup_file() {
	export BATS_TEST_TIMEOUT=180
	build_once
}

setup() {
	make_folder
	OUT="$FOLDER/all of them"
	SUITE=$FOLDER/suite
	mkdir -p "$SUITE/runners" "$FOLDER/known/7.3"
	cp "$RUNNERS"/{all_kernels,common,programs}.sh "$SUITE/runners/"
	echo 'PIN-01 pin.holds fail | known here' > "$FOLDER/known/7.3/udmabuf,drm:vgem.txt"
	stand_in enter 'exec "$RUNNERS/enter.sh" --bind "$FOLDER" "$@"'
	stand_in build 'echo "build_programs=$build_programs"'
	stand_in kernels 'cat "$FOLDER/kernels"'
	stand_in vm "$(declare -f stand_in_run); stand_in_run \"\$@\""
	export FOLDER
	cat > "$FOLDER/kernels" <<- 'END'
		6.1    6.1.0-57-amd64           with headers
		6.16   6.16.12+deb13-amd64      without headers: no peer modules
		6.19                            not usable: the archive has no modules for it
		7.3    7.3.4+deb13-amd64        with headers
	END
}

teardown() {
	remove_folder
}

# stand_in NAME COMMAND: for that runner.
stand_in() {
	printf '#!/bin/bash\n%s\n' "$2" > "$SUITE/runners/$1.sh"
	chmod +x "$SUITE/runners/$1.sh"
}

# stand_in_run OPTION...: a run of vm.sh, out of a recorded stream. A file prepare-SERIES or run-SERIES
# says what it does before.
stand_in_run() {
	local word series='' output='' what=run options="$*" known=$FOLDER/known

	while [ $# -gt 0 ]; do
		case $1 in
		--kernel) series=$2 ;;
		--output) output=$2 ;;
		--prepare) what=prepare ;;
		esac
		shift
	done
	echo "$what $series${options#*"$series"}" | sed 's/ --output.*//; s/ --prepare//' >> "$FOLDER/calls"
	word=$FOLDER/$what-$series
	# shellcheck disable=SC1090
	[ ! -e "$word" ] || . "$word"
	[ "$what" = run ] || exit 0
	mkdir "$output" || exit 125
	"$RUNNERS/enter.sh" "$build_programs/cts-report" --quiet --output "$output" \
		--expected "$known" < "$TOP/tests/meta/streams/normal.jsonl"
	exit
}

# all STATUS OPTION...
all() {
	local wanted=$1

	shift
	: > "$FOLDER/calls"
	fails_with "$wanted" "$SUITE/runners/all_kernels.sh" --kernel all --output "$OUT" "$@"
}

# calls: what was run, in a fixed order.
calls() {
	sort "$FOLDER/calls" | paste -sd ,
}

@test "each series has its run, one without headers says so, another has a reason; and no second time" {
	all 0 --gate --program pin
	[ "$(calls)" = "prepare 6.1 --gate --program pin,prepare 6.16 --gate --program pin,prepare 7.3 --gate --program pin,run 6.1 --gate --program pin,run 6.16 --gate --program pin,run 7.3 --gate --program pin" ]
	says "6.16 begins, without peers: the archive has no headers" "6.16: without peers" \
		"not run: the archive has no modules for it" "3 kernels of 3: nothing unexpected"
	[ "$(grep -cE '^7\.3\.4.* 2 +[0-9 ]+ 0 +[0-9]+:[0-9]+  (6\.1|6\.16: without peers|7\.3)$' "$OUT/kernels.txt")" -eq 3 ]
	[ -e "$OUT/6.1/run.json" ] && [ -e "$OUT/7.3/run.json" ] && [ -s "$OUT/6.16.log" ]
	all 0 --gate --program pin
	[ -z "$(calls)" ]
	says "3 kernels of 3"
}

@test "a kernel that cannot be fetched: its reason is there, the others are run, and it is tried again" {
	echo 'echo "dmabuf-cts: cannot download linux-image-6.1: the network is down" >&2; exit 125' > "$FOLDER/prepare-6.1"
	all 125
	says "6.1                       not run: cannot download linux-image-6.1: the network is down" \
		"2 kernels of 3: nothing unexpected, but not all could be judged"
	rm "$FOLDER/prepare-6.1"
	echo kept > "$OUT/7.3/note"
	all 0
	[ "$(calls)" = "prepare 6.1,run 6.1" ]
	[ -e "$OUT/7.3/note" ]
}

@test "something unexpected on one kernel is the result, whatever could not be judged on others" {
	echo 'mkdir "$FOLDER/nothing"; known=$FOLDER/nothing' > "$FOLDER/run-7.3"
	echo 'echo "dmabuf-cts: the guest died while its kernel started" >&2; exit 125' > "$FOLDER/run-6.1"
	all 1
	says "the guest died while its kernel started" "2 kernels of 3: 1 unexpected"
	# What was judged is not run again, and what was not is.
	rm "$FOLDER"/run-*
	all 1
	[ "$(calls)" = "prepare 6.1,run 6.1" ]
}

@test "Ctrl-C and its like: what runs is ended, what is known stays, and the rest is run later" {
	local signal code

	for signal in INT TERM; do
		rm -rf "$OUT" "$FOLDER/calls"
		printf 'touch "$FOLDER/begun"\nsleep 1000 # %s\n' "$MARK" > "$FOLDER/run-7.3"
		env --default-signal=INT "$SUITE/runners/all_kernels.sh" --kernel all --output "$OUT" > "$FOLDER/shown" 2>&1 &
		pid=$!
		wait_for "^run 7.3" "$FOLDER/calls"
		kill -"$signal" "$pid"
		code=0
		wait "$pid" || code=$?
		[ "$code" -eq 125 ]
		goes_away "$SUITE/runners/vm.sh"
		grep -q "interrupted; to go on with what is missing: dmabuf-cts vm --kernel all --output" "$FOLDER/shown"
		grep -qE '^7\.3 +interrupted$' "$FOLDER/shown"
		grep -q '2 kernels of 3' "$FOLDER/shown"
		rm "$FOLDER/run-7.3"
		all 0
		[ "$(calls)" = "prepare 7.3,run 7.3" ]
	done
}

@test "Ctrl-C between any two commands: what was launched a moment ago is ended, and nobody waits" {
	local before code

	# A DEBUG trap interrupts us just before these commands, once.
	cat > "$FOLDER/interrupt" <<- 'END'
		set -T
		trap 'case $BASH_COMMAND in $INTERRUPT_BEFORE) [ ! -e "$FOLDER/go" ] || { rm "$FOLDER/go"; kill -INT $$; } ;; esac' DEBUG
	END
	for before in 'JOBS*what' 'sleep*' 'prepare_next' 'run_next'; do
		rm -rf "$OUT" "$FOLDER/calls"
		touch "$FOLDER/go"
		printf 'exec sleep 1000 # %s\n' "$MARK" > "$FOLDER/prepare-6.1"
		code=0
		BASH_ENV=$FOLDER/interrupt INTERRUPT_BEFORE=$before timeout -k 5 15 env --default-signal=INT \
			"$SUITE/runners/all_kernels.sh" --kernel all --output "$OUT" > "$FOLDER/shown" 2>&1 || code=$?
		[ "$code" -eq 125 ] || { echo "before $before: $code"; cat "$FOLDER/shown"; return 1; }
		[ ! -e "$FOLDER/go" ]
		goes_away "$SUITE/runners/vm.sh"
		grep -q "interrupted; to go on" "$FOLDER/shown"
	done
}

@test "only prepared: nothing is run or shown as judged, and a later call runs all" {
	echo 'echo "dmabuf-cts: the network is down" >&2; exit 125' > "$FOLDER/prepare-6.16"
	all 125 --gate --prepare
	[ "$(calls)" = "prepare 6.1 --gate,prepare 6.16 --gate,prepare 7.3 --gate" ]
	says "7.3 is prepared" "6.16 not run: the network is down"
	[ ! -e "$OUT/kernels.txt" ]
	rm "$FOLDER/prepare-6.16"
	all 0 --gate --prepare
	all 0 --gate
	[ "$(calls)" = "prepare 6.1 --gate,prepare 6.16 --gate,prepare 7.3 --gate,run 6.1 --gate,run 6.16 --gate,run 7.3 --gate" ]
}

@test "killed: what ran is ended, and a later call goes on" {
	echo 'exec sleep 1000' > "$FOLDER/run-7.3"
	"$SUITE/runners/all_kernels.sh" --kernel all --output "$OUT" > "$FOLDER/shown" 2>&1 &
	pid=$!
	wait_for "^run 7.3" "$FOLDER/calls"
	kill -KILL "$pid"
	goes_away "$SUITE/runners/"
	rm "$FOLDER/run-7.3"
	all 0
	[ "$(calls)" = "prepare 7.3,run 7.3" ]
}

@test "a result folder of other options, of something else, or in use" {
	all 0 --program pin
	all 125 --program map
	says "begun with other options: '--program' 'pin'" "choose another folder"
	mkdir "$FOLDER/mine"
	echo precious > "$FOLDER/mine/file"
	OUT=$FOLDER/mine all 125
	says "is not empty, and not of a run on all kernels"
	[ "$(ls "$FOLDER/mine")" = file ]
	exec {lock}>> "$OUT/options"
	flock "$lock"
	all 125 --program pin
	says "another run is at work"
}

@test "results that became unreadable are run again, and a lost list is an empty one" {
	all 0
	rm "$OUT/6.1/run.json"
	all 0
	[ "$(calls)" = "prepare 6.1,run 6.1" ]
	echo "{" > "$OUT/6.1/run.json"
	all 125
	says "6.1                       its results cannot be read"
	rm "$OUT/kernels.tsv"
	all 0
	says "3 kernels of 3"
}

@test "options of one kernel do not go with all of them" {
	for option in --modules --headers --tree --baseline; do
		fails_with 2 "$TOP/dmabuf-cts" vm --kernel all $option "$FOLDER"
		says "option $option is for one kernel"
	done
	fails_with 2 "$TOP/dmabuf-cts" list --kernel all
	fails_with 2 "$TOP/dmabuf-cts" mutants --kernel all
	fails_with 2 "$TOP/dmabuf-cts" vm --kernel all --nonsense
}
