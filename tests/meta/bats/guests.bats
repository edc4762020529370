#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Guests side by side, true ones: each runs its share, their ends are each their own, and nothing
# is left of any. What becomes of their streams is tested without guests, in merge.bats.

# shellcheck disable=SC2154,SC2016
load common

# The machine may be busy; on an idle one each test takes a fourth of that.
setup_file() {
	export BATS_TEST_TIMEOUT=180
}

setup() {
	make_folder
	OUT=$FOLDER/out
	mkdir "$OUT"
	describe_kernel newest
	# Nothing here needs a module, and guests start sooner without.
	echo "kernel_modules=''" >> "$KERNEL_ENV"
	take_programs cts-agent cts-merge cts-report
	make_probe
}

teardown() {
	remove_folder
}

# Four pairs: jobs 1 and 3 are the first guest's, 2 and 4 the second one's.
make_probe() {
	make_agent cts-probe <<- 'PROBE'
		#!/bin/sh
		backend() {
			printf '{"type":"backend","role":"%s","selector":"%s","available":true,"ours":true,"reasons":[]}\n' "$@"
		}
		{
			backend exporter peer:static
			backend exporter peer:dynamic
			backend importer peer:static
			backend importer peer:notify
		} >&"$DMABUF_CTS_RECORD_FD"
	PROBE
}

# program COMMAND: a conformance program with one case, which is COMMAND.
program() {
	make_agent pin <<- PROGRAM
		#!/bin/sh
		record() {
			echo "\$1" >&"\$DMABUF_CTS_RECORD_FD"
		}
		plan='{"type":"plan","program":"pin","cases":[{"case":"one","clauses":["PIN-01"]}],"inapplicable":[]}'
		[ "\$1" != --plan ] || { echo "\$plan"; exit; }
		record "\$plan"
		[ "\$*" != "-T one" ] || exit 0
		record '{"type":"case","case":"one","state":"start","time_ns":1}'
		$1
		record '{"type":"verdict","case":"one","clause":"PIN-01","verdict":"pass","strength":"MUST"}'
		record '{"type":"case","case":"one","state":"end","time_ns":2}'
		echo "ok 1 pair.one"
	PROGRAM
}

# session OPTION...: of the guests, two at a time.
session() {
	"$RUNNERS/enter.sh" "$RUNNERS/guest/session.sh" --guests 2 "$OUT" "$FOLDER/programs" --quiet -- \
		--kernel-env "$KERNEL_ENV" --append "mark=$FOLDER" "$@" -- --mode vm
}

# judged: "EXPORTER IMPORTER VERDICT" of run.json, in order.
judged() {
	"$RUNNERS/enter.sh" python3 -c '
import json, sys
for leaf in json.load(open(sys.argv[1]))["leaves"]:
    print(leaf["exporter"], leaf["importer"], leaf["verdict"])' "$OUT/run.json"
}

# began GUEST: numbers of the jobs that it began, over all rounds.
began() {
	grep "^{\"guest\":$1,.*\"type\":\"job\",\"state\":\"start\"" "$OUT/stream.jsonl" |
		sed 's/.*"job":\([0-9]*\),.*/\1/' | paste -sd ' '
}

@test "each guest runs its share, and their consoles are apart" {
	program :
	fails_with 0 session
	[ "$(began 1)" = "1 3" ]
	[ "$(began 2)" = "2 4" ]
	diff <(judged) - <<- 'END'
		peer:static peer:static pass
		peer:static peer:notify pass
		peer:dynamic peer:static pass
		peer:dynamic peer:notify pass
	END
	grep -q 'agent ended with 0' "$OUT/console.log"
	grep -q 'agent ended with 0' "$OUT/console-2.log"
	none_left "^qemu-system.*mark=$FOLDER"
}

# What the program said must be out before the guest dies or the agent is stopped: what is lost is run again.
@test "one dies: the other one goes on, and fresh ones do what it left" {
	program '[ "$DMABUF_CTS_EXPORTER $DMABUF_CTS_IMPORTER" != "peer:static peer:static" ] || { sleep 1; echo c > /proc/sysrq-trigger; }'
	fails_with 1 session
	diff <(judged) - <<- 'END'
		peer:static peer:static crash
		peer:static peer:notify pass
		peer:dynamic peer:static pass
		peer:dynamic peer:notify pass
	END
	[ "$(grep -c '"event":"panic"' "$OUT/stream.jsonl")" -eq 1 ]
	# The first share had jobs 1 and 3; the rest is one job, and one share of it empty.
	[[ $(began 1) = "1 1"* ]] || [ "$(began 1)" = "1 3" ]
	[ "$(began 2 | cut -c 1-3)" = "2 4" ]
	none_left "^qemu-system.*mark=$FOLDER"
}

@test "one hangs: it alone is ended, and its case named" {
	program '[ "$DMABUF_CTS_EXPORTER $DMABUF_CTS_IMPORTER" != "peer:static peer:notify" ] || { sleep 1; kill -STOP $PPID; sleep 1000; }'
	fails_with 1 session --silence 20
	diff <(judged) - <<- 'END'
		peer:static peer:static pass
		peer:static peer:notify timeout
		peer:dynamic peer:static pass
		peer:dynamic peer:notify pass
	END
	[ "$(grep -c '"event":"hang"' "$OUT/stream.jsonl")" -eq 1 ]
}

@test "Ctrl-C and its like: both end, and the results are whole" {
	local signal code

	program 'while :; do sleep 1; done'
	for signal in INT TERM; do
		rm -rf "$OUT"
		mkdir "$OUT"
		env --default-signal=INT "$RUNNERS/enter.sh" "$RUNNERS/guest/session.sh" --guests 2 "$OUT" \
			"$FOLDER/programs" -- --kernel-env "$KERNEL_ENV" --append "mark=$FOLDER" -- --mode vm \
			> "$FOLDER/shown" 2>&1 &
		pid=$!
		wait_for '^{"guest":1,.*"case","case":"one","state":"start"' "$OUT/stream.jsonl"
		wait_for '^{"guest":2,.*"case","case":"one","state":"start"' "$OUT/stream.jsonl"
		[ "$(pgrep -fc "^qemu-system.*mark=$FOLDER")" -eq 2 ]
		kill -"$signal" "$pid"
		code=0
		wait "$pid" || code=$?
		[ "$code" -ge 125 ]
		none_left "$FOLDER"
		[ "$(grep -c '"event":"interrupted"' "$OUT/stream.jsonl")" -eq 2 ]
		"$RUNNERS/enter.sh" python3 -m json.tool "$OUT/run.json" /dev/null
	done
}

@test "a report that cannot go on ends all guests" {
	program 'sleep 1000'
	make_agent cts-report <<- 'REPORT'
		#!/bin/sh
		head -n 1
		exit 125
	REPORT
	fails_with 125 session
	none_left "$FOLDER"
}

@test "a number of guests that is none" {
	fails_with 2 "$TOP/dmabuf-cts" vm --guests none
	says "--guests wants a number"
	fails_with 2 "$TOP/dmabuf-cts" vm --guests 0
	fails_with 2 "$TOP/dmabuf-cts" vm --guests
}
