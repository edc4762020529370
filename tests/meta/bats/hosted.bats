#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-agent with cts-all, which runs one program after the other, those of others in forks of itself: what a program
# does is its own, and none notices that others came before it. (agent.bats, too, is run this way.)

# shellcheck disable=SC2016
bats_require_minimum_version 1.5.0
load stream

setup_file() {
	export BATS_TEST_TIMEOUT=60
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir programs
	cp "$PROGRAMS/../meta/cts-all" programs/
	executable cts-probe <<- 'END'
		backend() {
			printf '{"type":"backend","role":"%s","selector":"%s","available":true,"ours":true,"reasons":[]}\n' "$@"
		}
		{
			backend exporter peer:dynamic
			backend importer peer:notify
		} >&"$DMABUF_CTS_RECORD_FD"
	END
}

# executable NAME: standard input is what it does.
executable() {
	{
		echo '#!/bin/bash'
		cat
	} > "programs/$1"
	chmod +x "programs/$1"
}

# program NAME: the same, with what conformance programs use.
program() {
	executable "$1" < <(
		echo ". '$BATS_TEST_DIRNAME/fake.bash'"
		echo 'parent() { echo "parent $(cat "/proc/$PPID/comm") $PPID"; }'
		cat
	)
}

# agent OPTION...: its stream goes to the file "stream".
agent() {
	exits 0 inside "$PROGRAMS/cts-agent" --programs programs --kmsg /dev/null "$@" > stream ||
		{ cat stream; return 1; }
}

has() {
	grep -qF -- "$*" stream || { echo "not in the stream: $*"; cat stream; return 1; }
}

# parents: how many processes there were that ran programs.
parents() {
	grep -o 'parent cts-all [0-9]*' stream | sort -u | wc -l
}

# judged: "PROGRAM CASE VERDICT" of the report.
judged() {
	report --quiet --output out < stream > shown 2> errors || true
	inside python3 -c '
import json
for leaf in json.load(open("out/run.json"))["leaves"]:
    print(leaf["program"], leaf["case"], leaf["verdict"])'
}

@test "the stream is what it is without cts-all" {
	program map <<< 'plan one two; echo "to $DMABUF_CTS_IMPORTER $*"; good one two; echo end'
	program pin <<< 'plan one; good one; record "no record"; exit 4'
	program zzz <<< 'plan one two; good one; wanted two && begin two; kill -ABRT $$'
	agent --case one
	mv stream hosted
	rm programs/cts-all
	agent --case one
	# When what is printed comes between the records is a matter of chance.
	diff <(grep '"type":"output"' hosted) <(grep '"type":"output"' stream)
	diff <(grep -v -e '"type":"output"' -e heartbeat hosted) <(grep -v -e '"type":"output"' -e heartbeat stream)
	has '"exit":4'
	has '"signal":6'
}

@test "one process runs them all, also after one of them crashed" {
	program map <<< 'parent; plan one; good one'
	program pin <<< 'parent; plan one two; wanted one && begin one && kill -SEGV $$; good two'
	program zzz <<< 'parent; plan one; good one'
	agent
	[ "$(grep -c 'parent cts-all' stream)" -eq 4 ]
	[ "$(parents)" -eq 1 ]
	diff - <(judged) <<- 'END'
		map one pass
		pin one crash
		pin two pass
		zzz one pass
	END
}

@test "nothing of one program reaches the next" {
	program map <<< 'plan one; good one; export LEAK=leak; cd /; ulimit -f 0; exec 7< /dev/null'
	program pin <<- 'END'
		plan one; good one
		[ -z "$LEAK" ] && [ "$PWD" != / ] && [ "$(ulimit -f)" = unlimited ] && [ ! -e /proc/$$/fd/7 ] && echo clean
		[ "$(ps -o sid= -p $$ | tr -d ' ')" = $$ ] && echo leader
		ls -l /proc/$$/fd/0
	END
	agent
	has '"text":"clean"'
	has '"text":"leader"'
	has '/dev/null'
}

@test "what was printed belongs to who printed it, to the last byte" {
	program map <<< 'plan one; good one; head -c 60000 /dev/zero | tr "\0" x; printf "\nno end"'
	program pin <<< 'printf "no start"; plan one; good one'
	agent
	judged > /dev/null
	{
		printf 'ok 1 pair.one\n'
		head -c 60000 /dev/zero | tr '\0' x
		printf '\nno end'
	} | cmp - out/programs/1.log
	[ "$(< out/programs/2.log)" = "no startok 1 pair.one" ]
}

@test "a silent program is ended, and the rest goes on in a fresh process" {
	program map <<< 'parent; plan one; good one'
	program pin <<< 'parent; trap "" TERM; plan one two; wanted one && begin one && sleep 100; good two'
	program zzz <<< 'parent; plan one; good one'
	agent --timeout 1
	has '"timeout":true,"again":true'
	[ "$(parents)" -eq 2 ]
	diff - <(judged) <<- 'END'
		map one pass
		pin one timeout
		pin two pass
		zzz one pass
	END
}

@test "what a program leaves behind is ended before the next one begins" {
	program map <<- 'END'
		parent; plan one; good one
		(trap '' TERM; exec sleep 310) &
		setsid sleep 311 &
		until grep -lqz '^311$' /proc/[0-9]*/cmdline; do :; done
	END
	program pin <<< 'parent; plan one; good one; grep -lz "^31[01]$" /proc/[0-9]*/cmdline || echo none there'
	agent
	has 'none there'
	[ "$(parents)" -eq 2 ]
	[ "$(grep -c '"exit":0' stream)" -eq 2 ]
}

@test "a program that ends cts-all ends with it, and the rest goes on" {
	program map <<< 'plan one two; wanted one && begin one && { kill -KILL $PPID; sleep 100; }; good two'
	program pin <<< 'plan one; good one'
	agent --timeout 20
	has '"signal":9,"again":true'
	diff - <(judged) <<- 'END'
		map one crash
		map two pass
		pin one pass
	END
}

# Reads one request for a program, without heed to what it asks; those without a word it grants.
readonly READ_REQUEST='request() {
		local count word words=0

		for _ in 1 2; do
			IFS= read -r -d "" count || exit 9
			for ((; count > 0; count--, words++)); do IFS= read -r -d "" word; done
		done
		[ "$words" -gt 0 ] || { echo granted; echo "0 0" >&0; request; }
	}'

@test "when cts-all dies between two programs, a fresh one is asked" {
	program map <<< 'plan one; good one'
	executable cts-all <<- END
		$READ_REQUEST
		for i in plan run; do
			request
			echo "\$i"
			echo "0 0" >&0
		done
		sleep 0.3
	END
	# It is dead before the second job: to switch the fault on, the agent waits for a reader.
	mkdir -p sys/dmabuf_peer_exporter/parameters
	mkfifo sys/dmabuf_peer_exporter/parameters/fault
	echo "leak exporter PIN-01" > faults
	inside bash -c '(sleep 2; while :; do cat sys/*/*/fault; done) > /dev/null & reader=$!
		"$1" --programs programs --kmsg /dev/null --faults faults --sys-module sys > stream
		kill "$reader"' _ "$PROGRAMS/cts-agent"
	has '{"type":"output","job":1,"text":"run"}'
	has '{"type":"output","job":2,"text":"plan"}'
	[ "$(grep -c '"exit":0' stream)" -eq 2 ]
}

@test "what is known of a pair is forgotten before the next one, which may have a fault" {
	executable cts-probe <<- 'END'
		for backend in 'exporter","selector":"peer:dynamic' 'exporter","selector":"peer:static' 'importer","selector":"peer:notify'; do
			printf '{"type":"backend","role":"%s","available":true,"ours":true,"reasons":[]}\n' "$backend"
		done >&"$DMABUF_CTS_RECORD_FD"
	END
	program map <<< 'plan one; good one'
	program pin <<< 'plan one; good one'
	executable cts-all <<- END
		$READ_REQUEST
		while request; do
			echo run
			echo "0 0" >&0
		done
	END
	agent --program map --program pin
	# Plans are asked for first.
	diff <(grep -o '"text":"[a-z]*"' stream | cut -d '"' -f 4 | tail -n 6 | paste -sd ' ') - <<< "run run granted run run granted"
	[ "$(grep '"text":"granted"' stream | grep -o '"job":[0-9]*' | paste -sd ' ')" = '"job":2 "job":4' ]
}

@test "a cts-all that says nothing, nonsense, or only dies" {
	program map <<< 'plan one; good one'
	executable cts-all <<- END
		$READ_REQUEST
		request
		echo nonsense >&0
		sleep 100
	END
	agent --timeout 1
	has '"timeout":true'
	executable cts-all <<- END
		$READ_REQUEST
		request
		exit 7
	END
	agent
	has '"state":"end","exit":7'
	echo nonsense > programs/cts-all
	agent
	has '"error":"cannot run the program: Exec format error"'
}

@test "a program that cannot be run says so" {
	printf 'no program' > programs/pin
	chmod +x programs/pin
	agent
	has 'cts-all: cannot run programs/pin: Exec format error'
	has '"exit":127'
	[ "$(judged)" = "pin (run) error" ]
}

@test "the agent leaves no cts-all behind" {
	program pin <<< 'plan one; good one'
	inside bash -c '"$1" --programs programs --kmsg /dev/null > stream
		grep -l "^cts-all" /proc/[0-9]*/comm > left' _ "$PROGRAMS/cts-agent" || true
	has '"type":"end"'
	[ ! -s left ]
}

@test "the true one has every program, each with its own cases" {
	local name path

	for path in "$PROGRAMS"/*; do
		name=${path##*/}
		[[ $name != cts-* && -x $path ]] || continue
		inside "$path" --plan
		printf '2\0%s\0--plan\0000\0' "nowhere/$name" >&3
	done > single 3> requests
	[ -s single ]
	inside "$PROGRAMS/cts-all" < requests > all
	diff single all
}

@test "the harness's memory for all tests is one mapping: forks copy each" {
	inside bash -c 'sleep 2 | "$1" & sleep 1; grep -c /dev/zero "/proc/$!/maps"' _ "$PROGRAMS/cts-all" > mappings
	[ "$(< mappings)" -eq 1 ]
}

@test "cts-all explains itself to people" {
	run -0 inside "$PROGRAMS/cts-all" --help
	[[ $output = *"for cts-agent"* ]]
	run -2 inside "$PROGRAMS/cts-all" pin
}
