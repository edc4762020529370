#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Guests that die in the middle of a run: all that they had said is kept, the case that ran is
# named, and a fresh guest goes on behind it. Agent, report and guests are the true ones; a
# stand-in plays the conformance program, and the kernel's parameter "death" says how it kills.

# shellcheck disable=SC2154,SC2016
load common

# The machine may be busy; on an idle one each test takes a fourth of that.
setup_file() {
	export BATS_TEST_TIMEOUT=180
	build_once
}

setup() {
	make_folder
	OUT=$FOLDER/out AGENT=()
	mkdir "$OUT"
	describe_kernel newest
	# Nothing here needs a module, and guests start sooner without.
	echo "kernel_modules=''" >> "$KERNEL_ENV"
	take_programs cts-agent cts-report cts-nic
	make_probe
	make_agent deadly < <(program deadly)
	make_agent later < <(program later)
}

teardown() {
	remove_folder
}

make_probe() {
	make_agent cts-probe <<- 'PROBE'
		#!/bin/sh
		backend() {
			printf '{"type":"backend","role":"%s","selector":"%s","available":true,"ours":true,"reasons":[]}\n' "$@"
		}
		{
			backend exporter peer:static
			backend importer peer:static
			backend importer peer:notify
		} >&"$DMABUF_CTS_RECORD_FD"
	PROBE
}

# program NAME: a conformance program with three cases. The second of "deadly" is the end of
# whoever runs it, on the first pair. What it needs is out of busybox.
program() {
	cat <<- 'PROGRAM'
		#!/bin/sh
		record() {
			echo "$1" >&"$DMABUF_CTS_RECORD_FD"
		}

		state() {
			record '{"type":"case","case":"'"$1"'","state":"'"$2"'","time_ns":'"$(date +%s)"'}'
		}

		# The kernel lives on for as long as the agent takes to pass on what was said.
		panic() {
			record '{"type":"check","case":"deadly","clause":"PIN-01","verdict":"fail"}'
			sleep 0.5
			echo c > /proc/sysrq-trigger
		}

		# The agent is the first that the kernel ends when memory is short, and only then this.
		memory() {
			echo 1000 > "/proc/$PPID/oom_score_adj"
			exec tail /dev/zero
		}

		# Not a word any more, as when the kernel hangs, once all that was said is out.
		silence() {
			sleep 1
			kill -STOP "$PPID"
			sleep 1000
		}

		# Someone outside kills the server of the NIC meanwhile.
		nic() {
			sleep 1000
		}

		die() {
			"$(sed 's/.*death=\([a-z]*\).*/\1/' /proc/cmdline)"
		}

		run_case() {
			case " $* " in *" -T $CASE "*) return ;; esac
			state "$CASE" start
			[ "$NAME $CASE $DMABUF_CTS_IMPORTER" != "deadly deadly peer:static" ] || die
			record '{"type":"verdict","case":"'"$CASE"'","clause":"PIN-01","verdict":"pass","strength":"MUST"}'
			state "$CASE" end
			echo "ok $((N = N + 1)) pair.$CASE"
		}

		NAME=${0##*/} N=0 plan=''
		for CASE in before deadly after; do
			plan="$plan${plan:+,}{\"case\":\"$CASE\",\"clauses\":[\"PIN-01\"]}"
		done
		record '{"type":"plan","program":"'"$NAME"'","cases":['"$plan"'],"inapplicable":[]}'
		for CASE in before deadly after; do
			run_case "$@"
		done
	PROGRAM
}

# session STATUS DEATH BOOT-OPTION...: a run with that death in it.
session() {
	local wanted=$1 death=$2

	shift 2
	fails_with "$wanted" "$RUNNERS/enter.sh" "$RUNNERS/guest/session.sh" "$OUT" "$FOLDER/programs" -- \
		--kernel-env "$KERNEL_ENV" --append "death=$death mark=$FOLDER" "$@" -- --mode vm "${AGENT[@]}"
}

# judged: the verdicts of run.json, in order.
judged() {
	"$RUNNERS/enter.sh" python3 -c '
import json, sys
for leaf in json.load(open(sys.argv[1]))["leaves"]:
    print(leaf["importer"], leaf["program"], leaf["case"], leaf["verdict"])' "$OUT/run.json"
}

# died_as VERDICT EVENT: everything was run, and only the deadly case was its guest's death.
died_as() {
	diff <(judged) - <<- END
		peer:static deadly before pass
		peer:static deadly deadly $1
		peer:static deadly after pass
		peer:static later before pass
		peer:static later deadly pass
		peer:static later after pass
		peer:notify deadly before pass
		peer:notify deadly deadly pass
		peer:notify deadly after pass
		peer:notify later before pass
		peer:notify later deadly pass
		peer:notify later after pass
	END
	[ "$(grep -o '"type":"guest","event":"[a-z-]*"' "$OUT/stream.jsonl" | cut -d '"' -f 8 | paste -sd ' ')" = "$2 exit" ]
	[ "$(grep -c '"type":"hello"' "$OUT/stream.jsonl")" -eq 2 ]
	# The page names it.
	says "deadly" "going on in a fresh guest"
	none_left "^qemu-system.*mark=$FOLDER"
}

@test "a guest that panics" {
	session 1 panic --silence 60
	died_as crash panic
	says "the guest died"
	# The last word of who did it.
	grep -q '"verdict":"fail"' "$OUT/stream.jsonl"
}

@test "a guest that runs out of memory, and its agent is taken" {
	session 1 memory --silence 60 --memory 320M
	died_as crash exit
	grep -q 'Killed process .*(cts-agent)' "$OUT/console.log" "$OUT/stream.jsonl"
}

@test "a guest that hangs" {
	session 1 silence --silence 20
	died_as timeout hang
	says "the guest hangs: not a word of it for 20 s"
}

@test "a NIC whose server is killed: the guest ends by itself, and another goes on" {
	{
		wait_for '"case":"deadly","state":"start"' "$OUT/stream.jsonl"
		pkill -KILL -f "^$FOLDER/programs/cts-nic "
	} &
	AGENT=(--nic 1)
	session 1 nic --nic 1
	died_as error nic-lost
	says "the emulated NIC does not answer any more: its server died" "was killed by SIGKILL"
	# A kernel that panics says so; this one only lost a device.
	grep -q 'agent ended with 3' "$OUT/console.log"
}

@test "a machine that stands still is ended, though it takes no notice of anything" {
	boot --silence 20 --agent cts-agent -- --mode vm --importer peer:static > "$FOLDER/stream" 2> "$FOLDER/errors" &
	pid=$!
	wait_for '"type":"hello"' "$FOLDER/stream"
	kill -STOP "$(qemu_of_this_test)"
	code=0
	wait "$pid" || code=$?
	[ "$code" -eq 103 ]
	none_left "^qemu-system.*mark=$MARK"
}
