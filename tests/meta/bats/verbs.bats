#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The front end as people use it, right and wrong.

# shellcheck disable=SC2154,SC2016
load common

CTS=$TOP/dmabuf-cts

setup() {
	make_folder
	export OUT=$FOLDER/out
}

teardown() {
	remove_folder
}

# One short run of the suite.
readonly SHORT=(--exporter peer:static --importer peer:static --program export --quiet)

@test "no verb, an unknown verb: how it should look" {
	fails_with 2 "$CTS"
	says "no verb given" "usage: dmabuf-cts VERB"
	fails_with 2 "$CTS" nonsense
	says "unknown verb 'nonsense'" "usage:"
}

@test "each verb explains itself" {
	for verb in $("$CTS" help --verbs); do
		run "$CTS" "$verb" --help
		[ "$status" -eq 0 ]
		says "usage: dmabuf-cts $verb"
	done
}

@test "unknown options and missing values, for each verb" {
	for verb in run vm list kernels; do
		fails_with 2 "$CTS" "$verb" --nonsense
	done
	fails_with 2 "$CTS" vm --kernel
	says "option --kernel needs a value"
	fails_with 2 "$CTS" vm --modules "$FOLDER" --kernel newest
	says "--modules and --headers go with an image file"
}

@test "an unknown kernel: what there is instead" {
	fails_with 125 "$CTS" vm --kernel 5.99
	says "there is no kernel '5.99'" "newest"
}

@test "run without root: says what to do" {
	# In a user namespace that maps nobody we are nobody.
	fails_with 125 unshare --user "$CTS" run
	says "needs root" "./dmabuf-cts vm"
}

@test "a result folder that is in use is not written into" {
	mkdir "$OUT"
	echo precious > "$OUT/run.json"
	fails_with 125 "$CTS" vm "${SHORT[@]}" --output "$OUT"
	says "is not empty" "--output"
	[ "$(cat "$OUT/run.json")" = precious ]
}

@test "a short run in a guest leaves a whole result folder" {
	run "$CTS" vm "${SHORT[@]}" --output "$OUT"
	[ "$status" -le 1 ]
	says "results in $OUT"
	"$RUNNERS/enter.sh" python3 -m json.tool "$OUT/run.json" /dev/null
	[ -s "$OUT/run.ktap" ]
	[ -s "$OUT/environment.json" ]
	grep -q '^guest: agent ended with 0' "$OUT/console.log"
}

@test "an unknown exporter, importer, selector or program: what there is instead" {
	fails_with 2 "$CTS" vm --exporter nonsense --output "$OUT-1"
	says "nonsense"
	fails_with 2 "$CTS" vm --importer peer:nonsense --output "$OUT-2"
	says "peer:nonsense"
}

@test "a disk that is full in the result folder: says so" {
	run on_small_disk 64k "$OUT" "$CTS" vm "${SHORT[@]}" --output "$OUT"
	[ "$status" -eq 125 ]
	says "No space left"
}

@test "an interrupted run leaves no QEMU and no half-written JSON" {
	env --default-signal=INT "$CTS" vm --append "mark=$BATS_TEST_NAME.$$" --exporter peer --importer peer \
		--output "$OUT" > "$FOLDER/log" 2>&1 &
	pid=$!
	wait_for '"state":"end"' "$OUT/stream.jsonl"
	kill -INT "$pid"
	code=0
	wait "$pid" || code=$?
	[ "$code" -ge 125 ]
	none_left "^qemu-system.*mark=$BATS_TEST_NAME.$$"
	[ -e "$OUT/run.json" ]
	"$RUNNERS/enter.sh" python3 -m json.tool "$OUT/run.json" /dev/null
}

@test "the run goes on in a fresh guest after one that died" {
	describe_kernel newest
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		if [ "$1" = --schedule ]; then
			cat "$2"
			exit 0
		fi
		echo first
		echo c > /proc/sysrq-trigger
	AGENT
	# A report that leaves one job to do, once.
	make_agent cts-report <<- 'REPORT'
		#!/bin/sh
		cat >> "$FOLDER/seen"
		for word; do
			[ "$last" != --remaining ] || remaining=$word
			last=$word
		done
		grep -q second "$FOLDER/seen" || echo second > "$remaining"
	REPORT
	mkdir "$OUT"
	export FOLDER
	"$RUNNERS/enter.sh" "$RUNNERS/guest/session.sh" "$OUT" "$FOLDER/programs" -- \
		--kernel-env "$KERNEL_ENV" --
	[ "$(grep -v guest "$FOLDER/seen")" = "first
second" ]
	grep -q '"event":"panic"' "$FOLDER/seen"
	grep -q '"event":"exit"' "$FOLDER/seen"
}

@test "two guests that die in the same place end the run" {
	describe_kernel newest
	make_agent cts-agent <<- 'AGENT'
		#!/bin/sh
		echo c > /proc/sysrq-trigger
	AGENT
	make_agent cts-report <<- 'REPORT'
		#!/bin/sh
		cat >> "$FOLDER/seen"
		for word; do
			[ "$last" != --remaining ] || echo same > "$word"
			last=$word
		done
		[ "$last" = --append ] && exit 1
		exit 0
	REPORT
	mkdir "$OUT"
	export FOLDER
	fails_with 1 "$RUNNERS/enter.sh" "$RUNNERS/guest/session.sh" "$OUT" "$FOLDER/programs" -- \
		--kernel-env "$KERNEL_ENV" --
	[ "$(grep -c '"event":"panic"' "$FOLDER/seen")" -eq 2 ]
}
