#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-report on recorded streams: a run as it should be, and everything that can go wrong in one.

# What runs inside the build root is quoted, so that it is expanded there.
# shellcheck disable=SC2016

bats_require_minimum_version 1.5.0
load stream

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# shown_as NAME STATUS: the stream's KTAP and page are the ones that are kept.
shown_as() {
	stream "$1" "$2" && golden "$1.txt" shown
}

@test "a run with every verdict: KTAP, page and run.json" {
	shown_as normal 1
	golden normal.json out/run.json
	golden normal.tap out/run.tap
	golden environment.json out/environment.json
}

@test "the KTAP on standard output is that of the folder" {
	stream normal 1
	grep -v '^[^ #nok1K]' shown > live || true
	head -n "$(wc -l < out/run.ktap)" shown | diff -u out/run.ktap -
}

@test "--quiet shows the page alone" {
	stream normal 1 --quiet
	run ! grep -q 'KTAP version' shown
	says "2 pairs, 16 verdicts"
}

# many PAIRS VERDICT KTAP: a stream of so many pairs with one verdict each.
many() {
	local number list='' line

	sed -n '1,/"backend"/p' "$STREAMS/normal.jsonl"
	for ((number = 1; number <= $1; number++)); do
		list+="${list:+,}{\"job\":$number,\"exporter\":\"e:$number\",\"importer\":\"i\",\"program\":\"pin\",\"fault\":null}"
	done
	echo "{\"type\":\"schedule\",\"jobs\":[$list]}"
	for ((number = 1; number <= $1; number++)); do
		while read -r line; do
			line=${line/VERDICT/$2}
			echo "{\"job\":$number,${line/KTAP/$3}"
		done <<- 'END'
			"type":"job","state":"start"}
			"type":"plan","program":"pin","cases":[{"case":"one","clauses":["PIN-01"]}],"inapplicable":[]}
			"type":"case","case":"one","state":"start","time_ns":1}
			"type":"verdict","case":"one","clause":"PIN-01","verdict":"VERDICT","reason":"as told","subject":{}}
			"type":"case","case":"one","state":"end","time_ns":2}
			"type":"output","text":"KTAP 1 pair.one"}
			"type":"job","state":"end","exit":0}
		END
	done
	echo '{"type":"end"}'
}

@test "the page is one page, however many pairs and findings" {
	many 90 pass ok > good
	many 90 fail "not ok" > bad
	reports 0 --quiet --output good.out < good
	[ "$(wc -l < shown)" -le 60 ]
	says "90 pairs, 90 verdicts: nothing unexpected"
	reports 1 --quiet --output bad.out < bad
	[ "$(wc -l < shown)" -le 60 ]
	run ! grep -qE '.{101}' shown
	says "90 pairs, 90 verdicts: 90 unexpected"
}

@test "the stream is kept as it came" {
	stream normal 1
	cmp out/stream.jsonl "$STREAMS/normal.jsonl"
}

@test "a program's output is kept byte by byte, lines in pieces joined again" {
	stream normal 1
	printf 'junk \201\377\nhalf a line\n' | cmp - <(tail -n 2 out/programs/4.log)
}

@test "kernel messages go to the case that was running" {
	stream normal 1
	grep -q 'counts: hello' out/kernel/1-counts.log
}

@test "a crash in the middle: its clauses are crash, the others keep their verdict" {
	shown_as crash 1
}

@test "a hang: timeout, also where the program cannot be ended" {
	shown_as hang 1
}

@test "a guest that panics: what it said is kept, the run goes on behind it" {
	stream panic-1 0 --remaining rest
	golden panic-1.txt shown
	golden panic-rest.json rest
	stream panic-2 1 --remaining rest --append
	golden panic-2.txt shown
	[ ! -s rest ]
	[ "$(grep -c Subtest out/run.ktap)" -eq 9 ]
}

@test "a guest that dies twice before any case is not tried a third time" {
	stream lost-1 0 --remaining rest
	grep -q '"tries":1' rest
	stream lost-2 0 --remaining rest --append
	run ! grep -q '"job":1' rest
	stream lost-3 1 --remaining rest --append
	says "again, outside any case: the guest died"
}

@test "what remains when no more guest is started was never run" {
	stream panic-1 0 --remaining rest
	reports 1 --output out --append < /dev/null
	says "never ran: the guest died: panic or reset"
	[ "$(total error)" -eq 3 ]
}

@test "a fresh guest that runs nothing cannot be gone on with" {
	stream panic-1 0 --remaining rest
	head -n 9 "$STREAMS/panic-2.jsonl" > nothing
	reports 125 --output out --append --remaining rest < nothing
	says "no job was begun"
}

@test "a job that is scheduled twice is one, and that is said" {
	sed 's/{"job":4,\([^}]*\)}\]/{"job":4,\1},{"job":5,\1}]/' "$STREAMS/normal.jsonl" > twice
	grep -q '"job":5' twice
	reports 1 --output out < twice
	grep -q 'job 5 is job 4 again, and is ignored' out/run.json
	[ "$(total leaves)" -eq 16 ]
}

@test "a case that begins twice" {
	shown_as duplicate 1
}

@test "programs that do not apply to a pair are skipped, and one without cases is an error" {
	shown_as empty-plan 1
}

@test "clauses that were declared and never judged are errors" {
	shown_as missing-verdict 1
}

@test "a program whose KTAP contradicts its records is in error" {
	shown_as disagreement 1
}

@test "kernel memory that nobody freed is unexpected, once for each place" {
	local leak='{"type":"leak","size":192,"task":"pin","callers":["kmalloc","attach"]}'

	stream normal 1
	cp out/run.json before
	run ! grep -q '"leaks"' before
	rm -r out
	sed "\$i\\$leak\n$leak" "$STREAMS/normal.jsonl" | reports 1 --output out
	says "Kernel memory that nobody freed: 1"
	says "192 bytes that pin allocated: kmalloc < attach"
	grep -q '"192 bytes that pin allocated: kmalloc < attach"' out/run.json
	[ "$(total leaves)" -eq 16 ]
	inside "$TOP/tests/meta/schema.py" "$TOP/runners/report/schema/run.schema.json" out/run.json
	report render --format markdown out > page.md
	grep -q '^## Kernel memory that nobody freed: 1$' page.md
}

@test "records of unknown type, junk, and records out of place are noted and no more" {
	shown_as unknown 1
	golden unknown.json out/run.json
}

@test "records of a program that has ended change nothing any more" {
	shown_as late 0
	[ "$(total leaves)" -eq 4 ]
	rm -r out
	stream late 1 --gate
	says "6 unexpected"
}

@test "a stream that ends within a line" {
	shown_as truncated 1
}

@test "cases that the harness ended, and a kernel warning" {
	shown_as harness 1
}

@test "a pair that is not there after all is skipped; a program without a plan is not" {
	shown_as absent 1
}

@test "an interrupted run is left open, and can be resumed" {
	stream interrupted 125
	says "not run  2 of 2 jobs remain"
	rm -r out
	stream interrupted 125 --remaining rest
	grep -q '"exclude":\["one"\]' rest
	stream resumed 0 --append --remaining rest
	[ "$(total pass)" -eq 6 ]
	[ "$(total leaves)" -eq 6 ]
}

@test "an oops names the case, and on a real machine ends the run" {
	stream oops 1 --remaining rest
	says "crash   PIN-02   pin.two, peer:dynamic,peer:notify: kernel: Oops"
	grep -q '"exclude":\["one","two"\]' rest
}

@test "a dead NIC is an error of the case that ran, said by the agent or by the guest's end" {
	sed 's/"why":"oops",\(.*\)"text":"[^"]*"/"why":"nic",\1"text":"the emulated NIC does not answer"/' \
		"$STREAMS/oops.jsonl" > by_agent
	reports 1 --output out --remaining rest < by_agent
	says "the emulated NIC does not answer"
	[ "$(total error)" -eq 2 ]
	[ "$(total crash)" -eq 0 ]
	sed '/"state":"end","stopped"/d; s/^{"type":"interrupted".*/{"type":"guest","event":"nic-lost","reason":"the server died"}/' \
		"$STREAMS/oops.jsonl" > by_guest
	reports 1 --output other --remaining rest < by_guest
	says "the server died"
	grep -q '"exclude": *\["one", *"two"\]' rest
}

@test "an oops behind the last words of a case" {
	shown_as oops-between 1
}

@test "a guest that the user ended: its case was not judged" {
	sed '$d' "$STREAMS/panic-1.jsonl" > ended
	echo '{"type":"guest","event":"interrupted","reason":"the guest was ended"}' >> ended
	reports 125 --output out --remaining rest < ended
	grep -q '"exclude":\["one"\]' rest
}

@test "what the agent could not do becomes the exit status" {
	stream usage 2
	says "no exporter is called foo"
}

@test "no stream at all cannot be judged" {
	reports 125 --output out < /dev/null
	says "nothing came on the stream"
}

@test "a stream of a newer suite is refused" {
	stream future 125
	says "schema 2"
}

@test "unknown options and a missing --output are usage errors" {
	run report --frobnicate
	[ "$status" -eq 2 ]
	run report --append
	[ "$status" -eq 2 ]
	run report argument
	[ "$status" -eq 2 ]
}

@test "--help" {
	run report --help
	[ "$status" -eq 0 ]
	[[ $output = *--remaining* ]]
}

@test "a folder with results is not written over" {
	stream normal 1
	stream normal 125
	says "holds the results of a run already"
	cmp out/stream.jsonl "$STREAMS/normal.jsonl"
}

@test "a folder that cannot be made" {
	: > file
	reports 125 --output file/out < "$STREAMS/normal.jsonl"
	says "file"
	[ "$(wc -l < errors)" -eq 1 ]
}

@test "two runs at once into one folder: the second is told so, and spoils nothing" {
	exits 1 inside bash -c '{ head -n 20 "$2"; sleep 1; tail -n +21 "$2"; } | { "$1" --quiet --output out > shown & first=$!
		until [ -s out/stream.jsonl ]; do sleep 0.02; done
		"$1" --quiet --output out < "$2" > second 2> errors; echo "$?" > status; wait $first; }' \
		_ "$PROGRAMS/cts-report" "$STREAMS/normal.jsonl"
	[ "$(cat status)" -eq 125 ]
	says "another run writes into out right now"
	[ "$(wc -l < errors)" -eq 1 ]
	cmp out/stream.jsonl "$STREAMS/normal.jsonl"
}

@test "a folder that can only be read" {
	mkdir fixed
	stream normal 1
	cp out/run.json .
	exits 125 inside bash -c 'mount -t tmpfs small fixed && cp run.json fixed && mount -o remount,ro fixed &&
		"$1" --quiet --output fixed < "$2"' _ "$PROGRAMS/cts-report" "$STREAMS/normal.jsonl" > shown 2> errors
	says "Read-only file system"
	[ "$(wc -l < errors)" -eq 1 ]
	exits 0 inside bash -c 'mount -t tmpfs small fixed && cp run.json fixed && mount -o remount,ro fixed &&
		"$1" render --format tap fixed' _ "$PROGRAMS/cts-report" > shown 2> errors
	[ ! -s errors ]
}

@test "a full disk: one line, no half line, no half JSON file" {
	mkdir small
	exits 125 inside bash -c 'mount -t tmpfs -o size=20k tmpfs small && status=0 &&
		{ "$1" --quiet --output small/out < "$2" || status=$?; } && cp -r small/out kept && exit $status' \
		_ "$PROGRAMS/cts-report" "$STREAMS/normal.jsonl" > shown 2> errors
	[ "$(wc -l < errors)" -eq 1 ]
	says "No space left on device"
	[ -z "$(tail -c 1 kept/stream.jsonl)" ]
	[ ! -e kept/run.json ] || inside python3 -m json.tool kept/run.json > /dev/null
	run ! ls kept/*.new
}

@test "standard output that nobody reads is noticed, and the folder is whole all the same" {
	exits 125 inside bash -c '"$1" --output out < "$2" > /dev/full' _ "$PROGRAMS/cts-report" \
		"$STREAMS/normal.jsonl" 2> errors
	grep -q "cannot write to standard output" errors
	[ "$(total leaves)" -eq 16 ]
}

@test "Ctrl-C while the stream goes on: everything is read to its end" {
	exits 1 inside bash -c '{ head -n 20 "$2"; sleep 1; tail -n +21 "$2"; } | { "$1" --output out > shown & p=$!
		sleep 0.3; kill -INT $p; kill -TERM $p; wait $p; }' _ "$PROGRAMS/cts-report" \
		"$STREAMS/normal.jsonl"
	[ "$(total leaves)" -eq 16 ]
}

@test "KUnit's parser, prove and run.json count the same, whatever happened" {
	local name kunit

	kunit=$("$TOP/runners/kernels.sh" harness)/kunit
	for name in normal crash hang duplicate empty-plan missing-verdict disagreement unknown \
		truncated harness absent oops late; do
		report --quiet --output "$name" < "$STREAMS/$name.jsonl" > shown || true
	done
	inside "$TOP/tests/meta/parity.py" "$kunit" normal crash hang duplicate empty-plan \
		missing-verdict disagreement unknown truncated harness absent oops late
}
