#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-agent with programs that do everything a test may do: crash, hang, babble, leave others
# behind, write junk. The agent goes on, and loses nothing of it. With CTS_HOSTED it does not start
# them itself, but has them run by cts-all.

# What runs inside the build root is quoted, so that it is expanded there.
# shellcheck disable=SC2016

bats_require_minimum_version 1.5.0
load stream

# A fault of the agent may be that it never ends.
setup_file() {
	export BATS_TEST_TIMEOUT=60
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir programs
	[ -z "${CTS_HOSTED-}" ] || cp "$PROGRAMS/../meta/cts-all" programs/
	backends "exporter peer:dynamic true" "importer peer:notify true"
}

# backends "ROLE SELECTOR OURS [MORE]"...: what cts-probe finds.
backends() {
	local role selector ours more

	{
		echo '#!/bin/bash'
		echo 'record() { echo "$1" >&"$DMABUF_CTS_RECORD_FD"; }'
		echo "record '{\"type\":\"law\",\"feature\":\"notify_optional\",\"value\":\"yes\"}'"
		echo "record '{\"type\":\"law\",\"feature\":\"vmap_lock\",\"value\":\"either\"}'"
		while read -r role selector ours more; do
			more=${more:-'"available":true,"reasons":[]'}
			echo "record '{\"type\":\"backend\",\"role\":\"$role\",\"selector\":\"$selector\",\"ours\":$ours,$more}'"
		done < <(printf '%s\n' "$@")
	} > programs/cts-probe
	chmod +x programs/cts-probe
}

# program NAME: standard input is what it does.
program() {
	{
		echo '#!/bin/bash'
		echo ". '$BATS_TEST_DIRNAME/fake.bash'"
		cat
	} > "programs/$1"
	chmod +x "programs/$1"
}

# agent STATUS OPTION...: its stream goes to the file "stream"; all of it is JSON.
agent() {
	local wanted=$1

	shift
	exits "$wanted" inside "$PROGRAMS/cts-agent" --programs programs --kmsg /dev/null "$@" > stream 2> errors ||
		{ cat stream errors; return 1; }
	inside python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' < stream
}

# has TEXT...: some line of the stream holds it.
has() {
	grep -qF -- "$*" stream || { echo "not in the stream: $*"; cat stream; return 1; }
}

# jobs: those of the schedule, "NUMBER EXPORTER IMPORTER PROGRAM FAULT".
jobs() {
	inside python3 -c '
import json, sys
for record in map(json.loads, sys.stdin):
    for job in record.get("jobs", []):
        print(job["job"], job["exporter"], job["importer"], job["program"], job["fault"])' < stream
}

# judged: what a report makes of the stream, leaf by leaf.
judged() {
	report --quiet --output out < stream > shown 2> errors || true
	inside python3 -c '
import json, sys
for leaf in json.load(open("out/run.json"))["leaves"]:
    print(leaf["case"], leaf["clause"], leaf["verdict"])'
}

@test "pairs of peers first, all programs of a pair together, nothing paired with its own" {
	backends "exporter drm:vgem false" "exporter peer:dynamic true" "exporter peer:static true" \
		'importer drm:vgem false "available":true,"pairs_with_own":false' "importer peer:notify true" \
		'importer drm:gone false "available":false,"reasons":["no node"]'
	program pin <<< "plan one; good one"
	program attach <<< "plan one; good one"
	: > programs/README
	agent 0
	diff - <(jobs) <<- 'END'
		1 peer:dynamic peer:notify attach None
		2 peer:dynamic peer:notify pin None
		3 peer:static peer:notify attach None
		4 peer:static peer:notify pin None
		5 drm:vgem peer:notify attach None
		6 drm:vgem peer:notify pin None
		7 peer:dynamic drm:vgem attach None
		8 peer:dynamic drm:vgem pin None
		9 peer:static drm:vgem attach None
		10 peer:static drm:vgem pin None
	END
	[ "$(tail -n 1 stream)" = '{"type":"end"}' ]
}

@test "selectors, programs and cases choose" {
	backends "exporter peer:dynamic true" "exporter peer:static true" "exporter peerless false" \
		"importer peer:notify true" "importer drm:vgem false"
	program pin <<< 'plan one; echo "arguments $*"; good one'
	program map <<< "plan one; good one"
	agent 0 --exporter peer --importer drm:vgem --program pin --case one
	diff - <(jobs) <<- 'END'
		1 peer:dynamic drm:vgem pin None
		2 peer:static drm:vgem pin None
	END
	has "arguments -t one"
}

@test "a device chooses what stands on it" {
	local at='"available":true,"reasons":[],"device":'

	backends "exporter peer:dynamic true" "importer peer:notify true" \
		"importer drm:vgem false" "importer drm:bochs-drm false $at\"0000:00:08.0\"" \
		"importer verbs:efa_0 false $at\"0000:00:09.0\"" "importer verbs:efa_1 false $at\"0000:00:0a.0\""
	program pin <<< 'plan one; good one'
	agent 0 --importer verbs:0000:00:0a.0 --importer drm:pci=0000:00:08.0
	diff - <(jobs) <<- 'END'
		1 peer:dynamic drm:bochs-drm pin None
		2 peer:dynamic verbs:efa_1 pin None
	END
	agent 2 --importer verbs:0000:00:0b.0
	agent 2 --importer peer:0000:00:09.0
}

@test "a program is told its pair, the law, and whether it may disrupt" {
	program pin <<- 'END'
		plan one; good one
		echo "I got $DMABUF_CTS_EXPORTER $DMABUF_CTS_IMPORTER $DMABUF_CTS_LAW ${DMABUF_CTS_DISRUPTIVE:-0}"
		read -r line || echo "no input"
	END
	agent 0 <<< "typed"
	has "I got peer:dynamic peer:notify notify_optional=yes,vmap_lock=either 0"
	has "no input"
	agent 0 --mode vm
	has "vmap_lock=either 1"
	agent 0 --allow-disruptive
	has "vmap_lock=either 1"
}

@test "a program that crashes is run again for the other cases" {
	program pin <<- 'END'
		plan one two three
		good one
		if wanted two; then begin two; kill -SEGV $$; fi
		good three
	END
	agent 0
	has '"signal":11,"again":true'
	diff - <(judged) <<- 'END'
		one PIN-01 pass
		two PIN-01 crash
		three PIN-01 pass
	END
}

@test "a program that crashes under the monitor has a monitored case of each run" {
	program cts-monitor <<- 'END'
		[ "$1" != --try ] || exit 0
		program=$2 name=$4
		shift 5
		"$@"
		status=$?
		record '{"type":"plan","program":"'"$program"'","cases":[{"case":"'"$name"'","clauses":["PIN-01"]}]}'
		begin "$name"
		finish "$name"
		[ "$status" -lt 128 ] || kill -SEGV $$
	END
	program pin <<- 'END'
		plan one two three
		good one
		if wanted two; then begin two; kill -SEGV $$; fi
		good three
	END
	agent 0 --monitor all
	diff - <(judged) <<- 'END'
		one PIN-01 pass
		two PIN-01 crash
		three PIN-01 pass
		monitored PIN-01 pass
		monitored-2 PIN-01 pass
	END
}

@test "a program that crashes before any case is not run again" {
	program pin <<< 'plan one; kill -SEGV $$'
	agent 0
	[ "$(grep -c '"state":"start"' stream)" -eq 1 ]
	diff - <(judged) <<- 'END'
		one PIN-01 error
		(run) RUN crash
	END
}

@test "a program that crashes in its last case is not run again" {
	program pin <<< 'plan one two; good one; begin two; kill -SEGV $$'
	agent 0
	[ "$(grep -c '"type":"job","state":"start"' stream)" -eq 1 ]
	diff - <(judged) <<- 'END'
		one PIN-01 pass
		two PIN-01 crash
	END
}

@test "a silent program is ended, and run again for the other cases" {
	program pin <<- 'END'
		trap '' TERM INT HUP
		plan one two
		if wanted one; then begin one; while :; do sleep 100; done; fi
		good two
	END
	agent 0 --timeout 1
	has '"timeout":true,"again":true'
	diff - <(judged) <<- 'END'
		one PIN-01 timeout
		two PIN-01 pass
	END
}

@test "a program that babbles without getting on is ended, too" {
	program pin <<< '[ "${1-}" != --plan ] || exit 0; plan one; begin one; while :; do echo babble; sleep 0.2; done'
	agent 0 --timeout 1
	has '"timeout":true'
}

@test "what a program leaves behind is ended with it" {
	program pin <<- 'END'
		plan one; good one
		(trap '' TERM; echo $BASHPID > "$(dirname "$0")/../left"; exec sleep 300) &
		setsid sleep 301 &
		sleep 0.2
	END
	inside bash -c '"$1" --programs programs --kmsg /dev/null > stream
		kill -0 "$(cat left)" 2> /dev/null && echo still there
		grep -lz "^30[01]$" /proc/[0-9]*/cmdline' _ "$PROGRAMS/cts-agent" > survivors || true
	cat survivors
	has '"exit":0}'
	run ! grep -q "still there" survivors
	[ ! -s survivors ]
}

@test "junk, NULs, endless lines and half lines: nothing is lost" {
	program pin <<- 'END'
		plan one
		printf 'bytes \000\001\200\377\n\303\244\n\355\240\200\n'
		printf 'a "quoted" \\ and\ta tab\r, \177\n'
		head -c 200000 /dev/zero | tr '\0' x
		echo
		good one
		printf 'no end'
	END
	agent 0
	judged > /dev/null
	{
		printf 'bytes \000\001\200\377\n\303\244\n\355\240\200\n'
		printf 'a "quoted" \\ and\ta tab\r, \177\n'
		head -c 200000 /dev/zero | tr '\0' x
		printf '\nok 1 pair.one\nno end'
	} | cmp - out/programs/1.log
}

@test "a flood of output does not break a line, nor hide a record" {
	program pin <<- 'END'
		plan one; begin one
		for ((i = 0; i < 20000; i++)); do echo "line $i"; done
		finish one
	END
	agent 0
	[ "$(grep -c '"text":"line ' stream)" -eq 20000 ]
	[ "$(judged)" = "one PIN-01 pass" ]
}

@test "a case's records come before its line of KTAP" {
	program pin <<- 'END'
		cases=$(printf 'c%d ' {1..200})
		plan $cases; good $cases
	END
	agent 0
	inside python3 -c '
import json, sys
ended = set()
for record in map(json.loads, sys.stdin):
    if record["type"] == "case" and record["state"] == "end":
        ended.add(record["case"])
    text = record.get("text", "")
    if text.startswith("ok "):
        assert text.split(".")[1] in ended, text' < stream
}

@test "a record comes before what is printed right behind it" {
	program pin <<- 'END'
		[ "${1-}" != --plan ] || exit 0
		exec python3 -c '
		import os
		record = int(os.environ["DMABUF_CTS_RECORD_FD"])
		for i in range(20000):
		    os.write(record, b"""{"type":"odd","n":%d}\n""" % i)
		    os.write(1, b"printed %d\n" % i)'
	END
	sed -i 's/^\t*//' programs/pin
	agent 0
	inside python3 -c '
import json
last = printed = -1
for record in map(json.loads, open("stream")):
    last = record.get("n", last)
    if record["type"] == "output":
        printed += 1
        assert record["text"] == f"printed {printed}" and printed <= last, (record, last)
assert printed == last == 19999, (printed, last)'
}

@test "who rings for what is urgent does not wake the agent for the rest, of which nothing is lost" {
	program pin <<- 'END'
		[ "${1-}" != --plan ] || exit 0
		exec python3 -c '
		import os, re, time
		def status(pid, what):
		    with open(f"/proc/{pid}/status") as lines:
		        return re.search(rf"^{what}:\s*(.*)$", lines.read(), re.M)[1]
		agent = os.getppid()
		while status(agent, "Name") != "cts-agent":
		    agent = int(status(agent, "PPid"))
		wakes = lambda: int(status(agent, "voluntary_ctxt_switches"))
		record = int(os.environ["DMABUF_CTS_RECORD_FD"])
		os.eventfd_write(int(os.environ["DMABUF_CTS_RECORD_BELL_FD"]), 1)
		time.sleep(0.2)
		before = wakes()
		for i in range(400):
		    os.write(record, b"""{"type":"odd","n":%d}\n""" % i)
		    time.sleep(0.001)
		print("woken", wakes() - before, "times")'
	END
	sed -i 's/^\t*//' programs/pin
	# Where nothing is ever said; /dev/null can be read at all times.
	mkfifo quiet
	agent 0 --kmsg quiet
	[ "$(grep -c '"type":"odd"' stream)" -eq 400 ]
	[ "$(sed -nE 's/.*woken ([0-9]+) times.*/\1/p' stream)" -lt 200 ]
}

@test "records that are none are passed on as junk" {
	program pin <<- 'END'
		plan one; good one
		record "this is no record"
		record "[1, 2]"
		printf '{"type":"check"' >&"$DMABUF_CTS_RECORD_FD"
	END
	agent 0
	[ "$(grep -c '"type":"junk"' stream)" -eq 3 ]
	has '{"type":"junk","job":1,"text":"{\"type\":\"check\"","part":true}'
}

# records_of FILE: a program whose records are the lines of that file.
records_of() {
	program pin <<< "[ \"\${1-}\" != --plan ] || exit 0; cat '$PWD/$1' >&\"\$DMABUF_CTS_RECORD_FD\""
}

@test "a record keeps its members, however it is written, but for the job, which is the agent's" {
	cat > lines <<- 'END'
		{"type":"odd","n":1,"list":[-2,"",{},[],true,false,null]}
		{"type":"odd","n":"\"}\\ \n\t\r\b\f"}
		{"type":"odd","job":9,"n":2}
		{"type":"odd","jo\u0062":9}
		{"type":"odd","a":{"job":9},"b":[{"job":9}]}
		 { "type" : "odd" , "n" : 3 }
		{"type":"odd","n":4,"n":5}
		{"type":"odd","a":{"n":4,"n":5}}
		{"type":"odd","n":"\u00e4/"}
		{"type":"odd","n":"\/"}
		{"n":1e2,"type":"odd"}
	END
	printf '{"type":"odd","n":"%060000d"}\n' 0 >> lines
	records_of lines
	agent 0
	grep '"odd"' stream > odd
	diff - <(head -n -1 odd) <<- 'END'
		{"type":"odd","n":1,"list":[-2,"",{},[],true,false,null],"job":1}
		{"type":"odd","n":"\"}\\ \n\t\r\b\f","job":1}
		{"type":"odd","job":1,"n":2}
		{"type":"odd","job":1}
		{"type":"odd","a":{"job":9},"b":[{"job":9}],"job":1}
		{"type":"odd","n":3,"job":1}
		{"type":"odd","n":5,"job":1}
		{"type":"odd","a":{"n":5},"job":1}
		{"type":"odd","n":"ä/","job":1}
		{"type":"odd","n":"/","job":1}
		{"n":100.0,"type":"odd","job":1}
	END
	printf '{"type":"odd","n":"%060000d","job":1}\n' 0 | cmp - <(tail -n 1 odd)
}

@test "what looks like a record and is none is junk, byte by byte" {
	cat > lines <<- 'END'
		{"type":"odd","n":"
		{"type":"odd","n":"\
		{"type":"odd","n":"\x"}
		{"type":"odd"}{"type":"odd"}
		{"type":"odd"} more
		{"type":"odd"}]
		{"type":"odd"
		{"type":"odd",}
		{"type":"odd","n":}
		{"type":"odd","n"}
		{"type":"odd" "n":1}
		{"type":"odd","n"1}
		{"type":"odd",n:1}
		{"type":"odd","n":01}
		{"type":"odd","n":-}
		{"type":"odd","n":1.}
		{"type":"odd","n":12345678901234567890}
		{"type":"odd","n":nul}
		{"type":"odd","n":[1,]}
		{"type":"odd","n":[1}
		{"type":"odd","n":[}
		{"type":"odd","n":[
		{"type":5}
		{"n":{"type":"odd"}}
		{}
		{
		["type","odd"]
	END
	printf '%b\n' '{"type":"o\000dd"}' '{"type":"odd"}\000' '{"type":"o\377dd"}' '{"type":"o\0355\0240\0200"}' \
		'{"type":"o\tdd"}' '{"type":"o\037dd"}' >> lines
	printf '{"type":"odd","n":"%070000d"}\n' 0 >> lines
	records_of lines
	agent 0
	run ! grep -q '"type":"odd"' stream
	inside python3 -c '
import json, sys
for record in map(json.loads, open("stream")):
    if record["type"] == "junk":
        text = bytes.fromhex(record["hex"]) if "hex" in record else record["text"].encode()
        sys.stdout.buffer.write(text + (b"" if "part" in record else b"\n"))' | cmp - lines
	judged > /dev/null
}

@test "checks that found nothing are not kept back for long, whether or not more of them follow" {
	program pin <<- 'END'
		[ "${1-}" != --plan ] || exit 0
		check() { record '{"type":"check","case":"one","clause":"PIN-01","verdict":"'"$1"'"}'; }
		told() { grep -q '"verdict":"'"$1"'"' "$(dirname "$0")/../stream"; }
		plan one; begin one
		# In less time than it takes for a heartbeat.
		check pass
		for ((i = 0; i < 12; i++)); do
			sleep 0.05
			! told pass || break
		done
		for ((j = 0; j < 80; j++)); do
			check value
			sleep 0.005
			! told value || break
		done
		[ "$i" -eq 12 ] || [ "$j" -eq 80 ] || finish one
	END
	# Unlike /dev/null, it has never anything to be read.
	mkfifo quiet
	agent 0 --kmsg quiet
	[ "$(judged)" = "one PIN-01 pass" ]
}

@test "a program that cannot be run is an error" {
	printf 'no program' > programs/pin
	chmod +x programs/pin
	agent 0
	has 'Exec format error"'
	[ -n "${CTS_HOSTED-}" ] || has '"error":"cannot run the program: Exec format error"'
	[ "$(judged)" = "(run) RUN error" ]
}

@test "a program that exits in the middle" {
	program pin <<< 'plan one two; good one; begin two; exit 7'
	agent 0
	diff - <(judged) <<- 'END'
		one PIN-01 pass
		two PIN-01 error
	END
}

@test "unknown names: exit status 2, and what there is" {
	backends "exporter peer:dynamic true" "importer peer:notify true" \
		'exporter heap:system false "available":false,"reasons":["no node","no config"]'
	program pin <<< "plan one; good one"
	agent 2 --exporter foo
	has 'no exporter is called foo; there are: peer:dynamic, heap:system (absent: no node; no config)'
	agent 2 --exporter peer:dyn
	agent 2 --importer foo
	has 'no importer is called foo; there are: peer:notify'
	agent 2 --program foo
	has 'no program is called foo; there are: pin'
	exits 2 report < stream
}

@test "what is absent cannot be judged: exit status 125, and all the reasons" {
	backends "importer peer:notify true" \
		'exporter heap:system false "available":false,"reasons":["no node","no config"]'
	program pin <<< "plan one; good one"
	agent 125 --exporter heap
	has 'exporter heap is absent here: no node; no config'
	agent 125
	has 'no exporter is available'
}

@test "no programs, no probe, a probe that fails or hangs" {
	agent 125
	has "no conformance program in programs"
	program pin <<< "plan one; good one"
	printf '#!/bin/sh\nexit 3\n' > programs/cts-probe
	agent 125
	has "cts-probe ended with exit status 3"
	printf '#!/bin/sh\nsleep 100\n' > programs/cts-probe
	agent 125 --timeout 1
	has "cts-probe was silent for too long"
	rm programs/cts-probe
	agent 125
	has "cannot run programs/cts-probe: No such file or directory"
	agent 125 --programs nowhere
}

@test "usage errors" {
	local option

	for option in --frobnicate argument --timeout=0 --timeout=x --mode=metal --share=0/2 --share=3/2 \
		--share=2 --share=1/2/3 --share=x/2 --share=-1/2; do
		run -2 inside "$PROGRAMS/cts-agent" "$option"
		[[ $output = *"cts-agent"*"--help"* ]]
	done
	run -0 inside "$PROGRAMS/cts-agent" --help
}

@test "a schedule says exactly what to run" {
	program pin <<< 'plan one two three; good one two three'
	program map <<< "plan one; good one"
	cat > schedule <<- 'END'
		{"type":"schedule","jobs":[{"job":7,"exporter":"udmabuf","importer":"drm:vgem","program":"pin",
		"fault":null,"exclude":["one","two"]}]}
	END
	agent 0 --schedule schedule --faults nowhere --exporter peer
	diff - <(jobs) <<< "7 udmabuf drm:vgem pin None"
	[ "$(grep -c '"state":"end","time_ns"' stream)" -eq 1 ]
	has '"exclude":["one","two"]'
}

# run_jobs OPTION...: numbers of the jobs that the agent begins.
run_jobs() {
	agent 0 "$@"
	grep -o '"job":[0-9]*,.*"type":"job","state":"start"' stream | cut -d , -f 1 | cut -d : -f 2 | paste -sd ' '
}

@test "shares: all jobs are scheduled, each is run once, and one share may be empty" {
	backends "exporter peer:dynamic true" "exporter peer:static true" "importer peer:notify true"
	program pin <<< "plan one; good one"
	program map <<< "plan one; good one"
	[ "$(run_jobs --share 1/1)" = "1 2 3 4" ]
	# A pair goes to one as a whole.
	[ "$(run_jobs --share 1/2)" = "1 2" ]
	[ "$(jobs | wc -l)" -eq 4 ]
	[ "$(run_jobs --share 2/2)" = "3 4" ]
	[ "$(run_jobs --share 2/3)" = "3 4" ]
	[ -z "$(run_jobs --share 3/3)" ]
	agent 0 --share 9/9
	[ "$(tail -n 1 stream)" = '{"type":"end"}' ]
	grep '"type":"schedule"' stream | sed 's/{"job":2,[^}]*},//g' > schedule
	[ "$(run_jobs --schedule schedule --share 1/2)" = "1" ]
	[ "$(run_jobs --schedule schedule --share 2/2)" = "3 4" ]
}

@test "shares take alike long: a program with many cases weighs more" {
	backends "exporter peer:dynamic true,\"capabilities\":[\"moves\"]" "exporter peer:static true" \
		"exporter peer:migrate true" "exporter peer:refuse-pin true" "exporter peer:revocable true" \
		"exporter udmabuf true" "importer peer:notify true"
	program a <<- 'END'
		[ "$1" != --plan ] || {
			needs() { printf '{"case":"%s","needs":["exporter moves"]}' "$@"; }
			printf '{"type":"plan","cases":[%s' "$(needs one)"
			printf ',%s' "$(needs two)" "$(needs three)" "$(needs four)" "$(needs five)"
			echo ']}'
			exit
		}
		plan one; good one
	END
	program b <<< 'plan one; good one'
	echo > programs/b.needs
	# 1 and 2 are of the first pair.
	[ "$(run_jobs --share 1/2)" = "1 2 7" ]
	[ "$(run_jobs --share 2/2)" = "3 4 5 6" ]
}

@test "shares take alike long: a case through a NIC weighs twice" {
	local has='"available":true,"reasons":[],"capabilities":'

	program a <<< "plan one; good one"
	echo > programs/a.needs
	backends "exporter peer:dynamic true ${has}[\"maps\"]" "importer verbs:efa_0 false ${has}[\"verbs\"]" \
		"importer drm:vgem false ${has}[\"maps\"]" "importer drm:bochs false ${has}[\"maps\"]"
	[ "$(run_jobs --share 1/2)" = "1" ]
	[ "$(run_jobs --share 2/2)" = "2 3" ]
}

@test "a schedule that is none is a usage error" {
	local text

	program pin <<< "plan one; good one"
	for text in '' '{}' '{"jobs":[]}' '{"jobs":[{"job":1}]}' 'no JSON'; do
		echo "$text" > schedule
		agent 2 --schedule schedule
	done
	agent 2 --schedule nowhere
}

@test "faults: a run without, then each one on, and off behind it" {
	mkdir -p sys/dmabuf_peer_{exporter,importer}/parameters
	echo none > sys/dmabuf_peer_exporter/parameters/fault
	echo none > sys/dmabuf_peer_importer/parameters/fault
	printf '%s\n' "leak exporter PIN-01" "late importer INV-01 program=pin" > faults
	program pin <<- 'END'
		plan one; good one
		cd "$(dirname "$0")/../sys"
		echo "faults $(cat dmabuf_peer_exporter/parameters/fault dmabuf_peer_importer/parameters/fault | tr '\n' ' ')"
	END
	program map <<< "plan one; good one"
	backends "exporter peer:dynamic true" "importer peer:notify true" "exporter udmabuf false"
	agent 0 --faults faults --sys-module sys
	diff - <(jobs) <<- 'END'
		1 peer:dynamic peer:notify map None
		2 peer:dynamic peer:notify pin None
		3 peer:dynamic peer:notify map exporter:leak
		4 peer:dynamic peer:notify pin exporter:leak
		5 peer:dynamic peer:notify pin importer:late
	END
	diff - <(grep -o '"faults [a-z ]*"' stream) <<- 'END'
		"faults none none "
		"faults leaknone "
		"faults nonelate"
	END
	[ "$(cat sys/*/parameters/fault)" = nonenone ]
}

@test "faults: only the cases that cite a clause of the mutant, on the pairs that it names" {
	mkdir -p sys/dmabuf_peer_exporter/parameters
	echo none > sys/dmabuf_peer_exporter/parameters/fault
	printf '%s\n' "leak exporter MAP-01" "short exporter PIN-01 udmabuf,peer:notify" > faults
	program map <<- 'END'
		plan='{"type":"plan","program":"map","cases":[{"case":"one","clauses":["MAP-01.b"]},{"case":"two","clauses":["MAP-02"]}]}'
		if [ "$1" = --plan ]; then echo "$plan"; exit; fi
		plan one two; [[ $* = *"-t one"* ]] || good two; good one
	END
	program pin <<< 'plan one; good one'
	backends "exporter peer:dynamic true" "importer peer:notify true" "exporter udmabuf false"
	agent 0 --faults faults --sys-module sys
	diff - <(jobs) <<- 'END'
		1 peer:dynamic peer:notify map None
		2 peer:dynamic peer:notify pin None
		3 udmabuf peer:notify map None
		4 udmabuf peer:notify pin None
		5 peer:dynamic peer:notify map exporter:leak
		6 peer:dynamic peer:notify pin exporter:leak
		7 udmabuf peer:notify pin exporter:short
	END
	has '"fault":"exporter:leak","cases":["one"]'
	[ "$(grep -c '"case":"two","state":"end"' stream)" -eq 2 ]
}

@test "faults, all of it: each case, on all pairs of peers besides those that the mutant names" {
	mkdir -p sys/dmabuf_peer_exporter/parameters
	echo none > sys/dmabuf_peer_exporter/parameters/fault
	printf '%s\n' "short exporter MAP-01 udmabuf,peer:notify program=map" > faults
	program map <<- 'END'
		plan='{"type":"plan","program":"map","cases":[{"case":"one","clauses":["MAP-01.b"]},{"case":"two","clauses":["MAP-02"]}]}'
		if [ "$1" = --plan ]; then echo "$plan"; exit; fi
		plan one two; good one two
	END
	program pin <<< 'plan one; good one'
	backends "exporter peer:dynamic true" "importer peer:notify true" "exporter udmabuf false"
	agent 0 --faults faults --sys-module sys --profile full
	diff - <(jobs) <<- 'END'
		1 peer:dynamic peer:notify map None
		2 peer:dynamic peer:notify pin None
		3 udmabuf peer:notify map None
		4 peer:dynamic peer:notify map exporter:short
		5 peer:dynamic peer:notify pin exporter:short
		6 udmabuf peer:notify map exporter:short
	END
	[ "$(grep -c '"case":"two","state":"end"' stream)" -eq 4 ]
}

@test "a fault that cannot be switched on is an error of its job" {
	printf '%s\n' "leak exporter PIN-01" > faults
	program pin <<< "plan one; good one"
	agent 0 --faults faults --sys-module nowhere
	has 'cannot write leak to nowhere/dmabuf_peer_exporter/parameters/fault'
	[[ $(judged) = *"(run) RUN error" ]]
}

@test "a list of mutants with a mistake, or with one that nothing runs" {
	program pin <<< "plan one; good one"
	echo "leak exporter" > faults
	agent 2 --faults faults
	echo "leak exporter PIN-01 program=other" > faults
	agent 125 --faults faults
	has "mutant leak: none of its pairs and programs is available here"
}

@test "a program none of whose cases can apply to a pair is not started for it" {
	local has='"available":true,"reasons":[],"capabilities":'

	backends "exporter udmabuf false ${has}[\"maps\"]" "exporter peer:dynamic true ${has}[\"maps\",\"moves\"]" \
		"importer peer:notify true ${has}[\"peer\"]"
	program all <<< "plan one; good one"
	program moving <<< "plan one; good one"
	program self <<< "plan one; good one"
	echo '"exporter moves","importer peer"' > programs/moving.needs
	echo '"importer self"' > programs/self.needs
	agent 0
	diff - <(jobs) <<- 'END'
		1 peer:dynamic peer:notify all None
		2 peer:dynamic peer:notify moving None
		3 peer:dynamic peer:notify self None
		4 udmabuf peer:notify all None
		5 udmabuf peer:notify self None
	END
}

@test "of an importer that its exporter must turn away only the refusal is judged" {
	local has='"available":true,"reasons":[],"capabilities":'

	backends "exporter vfio false ${has}[\"maps\",\"wants-p2p\"]" "importer drm:vgem false ${has}[\"attaches\"]" \
		"importer drm:virtio_gpu false ${has}[\"attaches\",\"p2p\",\"notified\"]" "importer uapi false ${has}[\"cpu\"]"
	program all <<< "plan one; good one"
	program refusal <<< "plan one; good one"
	echo '"exporter maps"' > programs/all.needs
	echo '"exporter maps","importer unwanted"' > programs/refusal.needs
	agent 0
	diff - <(jobs) <<- 'END'
		1 vfio drm:vgem refusal None
		2 vfio drm:virtio_gpu all None
		3 vfio uapi all None
	END
}

# cases: the job's number, its pair, and the cases chosen of its program.
cases() {
	inside python3 -c '
import json, sys
for record in map(json.loads, sys.stdin):
    for job in record.get("jobs", []):
        print(job["job"], job["exporter"], job["importer"], *job.get("cases", ["all"]))' < stream
}

@test "one pair will do for a self-test of peers, and one peer as a partner, unless it matters or all are asked for" {
	backends "exporter peer:dynamic true" "exporter peer:static true" "exporter udmabuf false" \
		"importer peer:notify true" "importer peer:silent true"
	program pin <<- 'END'
		[ "$*" != --plan ] || {
			parties() { printf '{"case":"%s","clauses":["PIN-01"],"needs":[],"parties":[%s],"each_pair":%s}' "$@"; }
			printf '{"type":"plan","cases":[%s,%s,%s,%s]}\n' "$(parties from '"exporter"' false)" \
				"$(parties to '"importer"' false)" "$(parties both '"exporter","importer"' false)" \
				"$(parties depends '"exporter"' true)"
			exit
		}
		plan from to both depends; good from to both depends
	END
	agent 0
	diff - <(cases) <<- 'END'
		1 peer:dynamic peer:notify all
		2 peer:dynamic peer:silent depends
		3 peer:static peer:notify depends
		4 peer:static peer:silent depends
		5 udmabuf peer:notify from both depends
		6 udmabuf peer:silent both depends
	END
	agent 0 --profile full
	[ "$(cases | grep -c all)" -eq 6 ]
	agent 0 --case from
	[ "$(cases | grep -c ' from$')" -eq 6 ]
	agent 2 --profile some
	grep -- "--profile wants default or full" errors
}

@test "a pair of which nothing new is to be said has one case all the same" {
	backends "exporter peer:dynamic true" "exporter peer:static true" "importer peer:notify true"
	echo "record '{\"type\":\"law\",\"feature\":\"moves_while_mapped\",\"value\":\"yes\"}'" >> programs/cts-probe
	program fence <<- 'END'
		[ "$*" != --plan ] || {
			# What no law asks for counts for nothing.
			printf '{"type":"plan","cases":[%s,%s]}\n' \
				'{"case":"new","clauses":["PIN-01"],"needs":[],"parties":["exporter"],"each_pair":true'"${DMABUF_CTS_LAW:+,\"void\":true}"'}' \
				'{"case":"last","clauses":["PIN-01"],"needs":[],"parties":["exporter"],"last_resort":true}'
			exit
		}
		plan new last; good new last
	END
	program pin <<- 'END'
		[ "$*" != --plan ] || { echo '{"type":"plan","cases":[{"case":"once","clauses":["PIN-01"],"needs":[],"parties":["exporter"]}]}'; exit; }
		plan once; good once
	END
	agent 0
	diff - <(cases) <<- 'END'
		1 peer:dynamic peer:notify all
		2 peer:dynamic peer:notify all
		3 peer:static peer:notify new last
	END
}

@test "a partner that the exporter may decline leaves a self-test to one that it may not" {
	local has='"available":true,"reasons":[],"capabilities":'

	backends "exporter peer:refuse-pin true ${has}[\"refuses-pin\"]" \
		"importer peer:notify true ${has}[\"peer\",\"attaches\",\"notified\"]" \
		"importer uapi false ${has}[]"
	program pin <<- 'END'
		[ "$*" != --plan ] || {
			needs() { printf '{"case":"%s","clauses":["PIN-01"],"needs":[%s],"parties":["exporter"]}' "$@"; }
			printf '{"type":"plan","cases":[%s,%s]}\n' "$(needs any)" "$(needs attached '"importer attaches"')"
			exit
		}
		plan any attached; good any attached
	END
	agent 0
	diff - <(cases) <<- 'END'
		1 peer:refuse-pin peer:notify attached
		2 peer:refuse-pin uapi all
	END
	# Where mapped buffers may move, no pin is wanted of it.
	echo "record '{\"type\":\"law\",\"feature\":\"moves_while_mapped\",\"value\":\"yes\"}'" >> programs/cts-probe
	agent 0
	diff - <(cases) <<< "1 peer:refuse-pin peer:notify all"
}

# nic ADDRESS: an emulated NIC, of which its files are all there is.
nic() {
	mkdir -p "pci/$1"
	echo 0x1d0f > "pci/$1/vendor"
	echo 0xefa1 > "pci/$1/device"
	truncate -s 16K "pci/$1/resource1"
	poke "$1" 0 'CTSN\01\00\00\00'
}

# poke ADDRESS OFFSET BYTES: into its instrument page.
poke() {
	printf '%b' "$3" | dd of="pci/$1/resource1" bs=1 seek=$((8192 + $2)) conv=notrunc status=none
}

# A program's way to see which fault of the NIC is on.
readonly FAULT_REGISTER='od -An -tu4 -j $((8192 + 16)) -N 4 "$(dirname "$0")"/../pci/*/resource1'

@test "faults of a NIC go through its instrument page, and off behind them" {
	nic 0000:00:09.0
	printf '%s\n' "dead_key_live nic PIN-01" "late_access nic PIN-01" > faults
	program pin <<< "plan one; echo fault \$($FAULT_REGISTER); good one"
	agent 0 --faults faults --nic 1 --pci-devices pci
	has '"fault":"nic:dead_key_live"'
	diff - <(grep -o '"fault [0-9]*"' stream) <<- 'END'
		"fault 0"
		"fault 2"
		"fault 1"
	END
	[ "$(od -An -tu4 -j $((8192 + 16)) -N 4 pci/*/resource1 | tr -d ' ')" = 0 ]
}

@test "a fault that the NIC has not, and a fault without a NIC, are errors of their jobs" {
	program pin <<< "plan one; good one"
	echo "late_access nic PIN-01" > faults
	agent 0 --faults faults
	has 'fault late_access needs an emulated NIC, and there is none'
	nic 0000:00:09.0
	echo "splendid nic PIN-01" > faults
	agent 0 --faults faults --nic 1 --pci-devices pci
	has 'the NIC has no fault splendid'
}

@test "a NIC that dies: the case that ran is an error with the reason, the rest is for another guest" {
	nic 0000:00:09.0
	program pin <<- 'END'
		[ "${1-}" != --plan ] || exit 0
		plan one two three; good one; begin two
		until grep -q '"case":"two","state":"start"' "$(dirname "$0")/../stream"; do sleep 0.05; done
		printf '\377\377\377\377' | dd of="$(dirname "$0")/../pci/0000:00:09.0/resource1" \
			bs=1 seek=8192 conv=notrunc status=none
		finish two fail; good three
	END
	program zzz <<< "plan one; good one"
	agent 3 --nic 1 --pci-devices pci
	has '"type":"interrupted","why":"nic","job":1,"text":"the emulated NIC does not answer any more'
	run ! grep -q '"case":"two","clause"' stream
	run ! grep -q '"case":"three","state"' stream
	run ! grep -q '"job":2,"state"' stream
	[[ $(judged) = *"two PIN-01 error"* ]]
	inside "$PROGRAMS/cts-report" --output rest.d --remaining rest < stream > shown || true
	inside python3 -c 'import json; print([[job["job"], job["exclude"]] for job in json.load(open("rest"))["jobs"]])' > left
	[ "$(< left)" = "[[1, ['one', 'two']], [2, []]]" ]
}

@test "a NIC that died between two cases spoils none" {
	nic 0000:00:09.0
	program pin <<- 'END'
		[ "${1-}" != --plan ] || exit 0
		plan one two; good one
		rm "$(dirname "$0")/../pci/0000:00:09.0/vendor"
		printf '\377\377\377\377' | dd of="$(dirname "$0")/../pci/0000:00:09.0/resource1" \
			bs=1 seek=8192 conv=notrunc status=none
		good two
	END
	agent 3 --nic 1 --pci-devices pci
	inside "$PROGRAMS/cts-report" --output rest.d --remaining rest < stream > shown || true
	grep -q "1 verdicts: nothing unexpected" shown
	grep -q '"exclude": *\["one"\]' rest
}

@test "a NIC that is missing, is no NIC of ours, or has another page: nothing is judged" {
	program pin <<< "plan one; good one"
	mkdir pci
	agent 125 --nic 1 --pci-devices pci
	has '0 of 1 emulated NICs are there'
	nic 0000:00:09.0
	poke 0000:00:09.0 4 '\07'
	agent 125 --nic 1 --pci-devices pci
	has 'has another version'
	poke 0000:00:09.0 0 '\0377\0377\0377\0377'
	agent 125 --nic 1 --pci-devices pci
	has 'the NIC 0000:00:09.0 does not answer: its server died'
	truncate -s 8K pci/0000:00:09.0/resource1
	agent 125 --nic 1 --pci-devices pci
	has 'has no instrument page'
	agent 2 --nic 9
	agent 2 --nic x
	# A NIC that the guest was not given may be anybody's.
	agent 0 --pci-devices pci
}

@test "a log that has an end, as a test's may, is not waited for at every turn" {
	program pin <<- 'END'
		plan one; good one
		sleep 1
		# In hundredths of a second.
		read -ra stat < "/proc/$(pgrep -x cts-agent)/stat"
		echo "ticks $((stat[13] + stat[14]))."
	END
	agent 0
	grep -E '"text":"ticks 1?[0-9]\."' stream || { grep ticks stream; return 1; }
}

@test "kernel messages are taken along; an oops ends the run" {
	program pin <<- 'END'
		[ "${1-}" != --plan ] || exit 0
		plan one two; good one; begin two
		echo "12,100,5000000,-;dma-buf: hello" > "$(dirname "$0")/../kmsg"
		# Two records: a pipe would join them where /dev/kmsg does not.
		sleep 1
		echo "0,101,6000000,-;BUG: unable to handle page fault for address: 0" > "$(dirname "$0")/../kmsg"
		sleep 30
	END
	program zzz <<< "plan one; good one"
	mkfifo kmsg
	exits 3 inside bash -c 'exec 9<> kmsg; "$1" --programs programs --kmsg kmsg > stream' _ "$PROGRAMS/cts-agent"
	has '{"type":"kernel","job":1,"level":4,"time_us":5000000,"text":"dma-buf: hello"}'
	has '"why":"oops","job":1,"text":"kernel: BUG: unable to handle page fault for address: 0"'
	run ! grep -q '"job":2,"state"' stream
	[[ $(judged) = *"two PIN-01 crash"* ]]
}

@test "a process that dies of its own fault is no oops of the kernel's" {
	local text

	program pin <<- 'END'
		[ "${1-}" != --plan ] || exit 0
		plan one; begin one
		cat "$(dirname "$0")/../said" > "$(dirname "$0")/../kmsg"
		sleep 1; good one
	END
	mkfifo kmsg
	says_kernel() {
		echo "4,100,5000000,-;$2" > said
		exits "$1" inside bash -c 'exec 9<> kmsg; "$1" --programs programs --kmsg kmsg > stream' _ "$PROGRAMS/cts-agent"
		has "\"text\":\"$2\""
	}
	says_kernel 0 "traps: pin[436] general protection fault ip:55eacd4615f0 sp:7ffd048b64d0 error:402"
	for text in "general protection fault: 0000 [#1] PREEMPT SMP NOPTI" \
		"general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1]"; do
		says_kernel 3 "$text"
		has '"why":"oops","job":1,"text":"kernel: '"$text"
	done
}

@test "kernel memory that nobody freed is told at the end, in a guest alone" {
	program pin <<< '[ "${1-}" != --plan ] || exit 0; plan one; good one'
	# What is written to it lands in the first line.
	cat > kmemleak <<- 'END'
		................
		unreferenced object 0xffff888003b9f200 (size 192):
		  comm "pin", pid 85, jiffies 4294894720
		  hex dump (first 8 bytes):
		    00 00 00 00 00 00 00 00                          ........
		  backtrace (crc 0):
		    __kmalloc_cache_noprof+0x1bd/0x1f0
		    dma_buf_dynamic_attach+0x9d/0x4b0
		unreferenced object 0xffff888003b9f300 (size 8):
		  comm "kworker/0:1", pid 9, jiffies 4294894721
		  backtrace (crc 0):
		    [<00000000a1b2c3d4>] kstrdup+0x12/0x34
	END
	agent 0 --mode vm --kmemleak kmemleak
	has '{"type":"leak","size":192,"task":"pin","callers":["__kmalloc_cache_noprof","dma_buf_dynamic_attach"]}'
	has '{"type":"leak","size":8,"task":"kworker/0:1","callers":["kstrdup"]}'
	has 'kmemleak looked for memory that nobody frees'
	[ "$(head -n 1 kmemleak)" = scanr........... ]
	agent 0 --kmemleak kmemleak
	run ! grep -q leak stream
	agent 0 --mode vm --kmemleak absent
	run ! grep -q leak stream
}

@test "Ctrl-C: the program is ended, and the stream says so" {
	program pin <<< '[ "${1-}" != --plan ] || exit 0; trap "" INT TERM; plan one; begin one; sleep 302'
	exits 125 inside bash -c '"$1" --programs programs --kmsg /dev/null > stream & p=$!
		until grep -q "\"case\":\"one\",\"state\":\"start\"" stream; do sleep 0.1; done
		kill -INT $p; wait $p; s=$?
		grep -lz "^302$" /proc/[0-9]*/cmdline > left; exit $s' _ "$PROGRAMS/cts-agent"
	has '{"type":"interrupted","why":"signal","job":1,"text":"Interrupt"}'
	[ ! -s left ]
}

@test "a reader that goes away ends the agent, and the program" {
	program pin <<< 'plan one; begin one; while :; do echo more; sleep 0.1; done; sleep 303'
	exits 125 inside bash -c 'set -o pipefail; "$1" --programs programs --kmsg /dev/null | head -n 5 > stream; s=$?
		grep -lz "^303$" /proc/[0-9]*/cmdline > left; exit $s' _ "$PROGRAMS/cts-agent" 2> errors
	grep -q "cannot write the stream: Broken pipe" errors
	[ ! -s left ]
}

@test "a heartbeat while nothing else happens" {
	program pin <<< '[ "${1-}" != --plan ] || exit 0; plan one; begin one; sleep 2.5; finish one'
	agent 0
	[ "$(grep -c heartbeat stream)" -ge 1 ]
}

@test "--list shows what there is, and why the rest is not" {
	backends "exporter peer:dynamic true" \
		'exporter heap:system false "available":false,"reasons":["no node","no config"]'
	inside "$PROGRAMS/cts-agent" --programs programs --list > shown
	diff -B - <(sed 's/ *$//' shown) <<- 'END'
		Exporters
		  peer:dynamic             available
		  heap:system              absent
		      - no node
		      - no config
		Importers
		  none
	END
	rm programs/cts-probe
	run -125 --separate-stderr inside "$PROGRAMS/cts-agent" --programs programs --list
	[ -z "$output" ]
}
