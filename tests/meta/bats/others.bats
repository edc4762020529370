#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Test programs of others: run as ours are, told as theirs, whatever they do. (igt.bats has the true ones.)

# What runs inside the build root is quoted, so that it is expanded there.
# shellcheck disable=SC2016

bats_require_minimum_version 1.5.0
load stream

setup_file() {
	export BATS_TEST_TIMEOUT=60
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p programs igt/run kselftest/run
	cp "$PROGRAMS/cts-others" programs/
	printf '%s\n' '#!/bin/bash' \
		'for end in "exporter peer:dynamic" "importer peer:notify"; do set -- $end' \
		'echo "{\"type\":\"backend\",\"role\":\"$1\",\"selector\":\"$2\",\"ours\":true,\"available\":true,\"reasons\":[]}" >&"$DMABUF_CTS_RECORD_FD"' \
		'done' > programs/cts-probe
	script programs/pin <<< ". '$BATS_TEST_DIRNAME/fake.bash'; plan one; good one"
	chmod +x programs/*
}

# script FILE: standard input is what it does.
script() {
	{
		echo '#!/bin/bash'
		cat
	} > "$1"
	chmod +x "$1"
}

# igt_test NAME SUBTEST...: a program as IGT has them; standard input is what it does to run.
igt_test() {
	local name=$1

	shift
	script "igt/run/$name" < <(
		printf 'if [ "${1-}" = --list-subtests ]; then printf "%%s\\n" %s; exit; fi\n' "$*"
		echo 'subtest() { [[ ,$2, != *,$1,* ]] || { echo "Starting subtest: $1"; ${4:-true}; echo "Subtest $1: $3 (0.001s)"; }; }'
		cat
	)
}

# agent STATUS OPTION...: its stream goes to the file "stream".
agent() {
	local wanted=$1

	shift
	exits "$wanted" inside "$PROGRAMS/cts-agent" --programs programs --kmsg /dev/null "$@" > stream 2> errors ||
		{ cat stream errors; return 1; }
}

# judged [MEMBER]: "ORIGIN PROGRAM CASE CLAUSE VERDICT" of each leaf of theirs, and a member of it.
judged() {
	report --quiet --output out "${REPORT[@]}" < stream > shown 2> errors || true
	inside python3 -c '
import json, sys
for leaf in json.load(open("out/run.json"))["leaves"]:
    if "origin" in leaf:
        print(leaf["origin"], leaf["program"], leaf["case"], leaf["clause"], leaf["verdict"],
              *[leaf.get(name) for name in sys.argv[1:]])' "$@"
}

@test "IGT's results are ours, with the reason, and marked as theirs" {
	REPORT=()
	igt_test prime_one good bad ugly <<- 'END'
		subtest good "$2" SUCCESS
		because() { echo "Test requirement: !(fd < 0)"; }
		subtest bad "$2" SKIP because
		because() { echo "(prime_one:7) CRITICAL: Failed assertion: busy"; }
		subtest ugly "$2" FAIL because
		exit 98
	END
	agent 0 --with igt
	diff - <(judged reason) <<- 'END'
		igt prime_one good TEST pass None
		igt prime_one bad TEST skip Test requirement: !(fd < 0)
		igt prime_one ugly TEST fail Failed assertion: busy
	END
	inside python3 -c '
import json, jsonschema, sys
run = json.load(open("out/run.json"))
parts = json.load(open(sys.argv[1]))["$defs"]
for kind, list in (("leaf", run["leaves"]), ("job", run["jobs"])):
    for entry in list:
        jsonschema.validate(entry, {"$ref": f"#/$defs/{kind}", "$defs": parts})
assert [job.get("origin") for job in run["jobs"]] == [None, "igt"]
assert [leaf["subject"] for leaf in run["leaves"] if "origin" in leaf] == [None] * 3
assert "origin" not in run["leaves"][0]
assert run["complaints"] == []' "$TOP/runners/report/schema/run.schema.json"
	grep -q '(tests of others)  *1  *1' shown
	grep -q '^    # a test of igt, on no clause$' out/run.ktap
}

@test "their clauses are in every report, and count for no driver" {
	REPORT=()
	printf '%s\n' '# a comment' 'prime_one go* UAPI-10 LIFE-02' 'prime_one good LIFE-02 EXP-05' 'other * PIN-01' > igt/clauses
	igt_test prime_one good <<< 'subtest good "$2" FAIL'
	agent 0 --with igt
	[ "$(judged touches)" = "igt prime_one good TEST fail ['UAPI-10', 'LIFE-02', 'EXP-05']" ]
	grep -q '# a test of igt, on no clause; it touches UAPI-10 LIFE-02 EXP-05' out/run.ktap
	report render --format junit out > out.xml
	grep -q '<property name="touches" value="UAPI-10 LIFE-02 EXP-05"/>' out.xml
	report render --format kcidb --origin test out > out.kcidb.json
	report render --format markdown out > out.md
	grep -q '(tests of others: igt)' out.md
	inside "$TOP/tests/meta/readback.py" out/run.json out.xml out.kcidb.json out.md
	inside "$PROGRAMS/cts-report" render out > again
	grep -q '(tests of others)' again
}

@test "a test that would do harm is not run, which is told" {
	REPORT=()
	printf '%s\n' 'prime_one unload - it takes the module away' > igt/clauses
	igt_test prime_one good unload <<< 'subtest good "$2" SUCCESS; subtest unload "$2" FAIL'
	agent 0 --with igt
	diff - <(judged reason) <<- 'END'
		igt prime_one good TEST pass None
		igt prime_one unload TEST skip it takes the module away
	END
}

@test "dynamic subtests, programs without subtests, and tests that a fixture skips" {
	REPORT=()
	igt_test dynamic all <<- 'END'
		engines() { echo "Starting dynamic subtest: rcs0"; echo "Dynamic subtest rcs0: FAIL (0.1s)"; }
		subtest all "$2" FAIL engines
	END
	igt_test fixture one two <<< 'echo "Test requirement not met in fixture"; for name in one two; do echo "Subtest $name: SKIP"; done'
	script igt/run/simple <<< '[ "$#" -eq 0 ] || exit 79; echo "Test requirement: a device"; exit 77'
	agent 0 --with igt
	diff - <(judged) <<- 'END'
		igt dynamic all TEST fail
		igt dynamic all@rcs0 TEST fail
		igt fixture one TEST skip
		igt fixture two TEST skip
		igt simple whole TEST skip
	END
}

@test "one that crashes or hangs is named, and the rest of its program is run" {
	REPORT=()
	igt_test crash one two <<< 'die() { kill -SEGV $$; }; subtest one "$2" SUCCESS die; subtest two "$2" SUCCESS'
	igt_test hang one two <<< 'hang() { sleep 98; }; subtest one "$2" SUCCESS hang; subtest two "$2" SUCCESS'
	agent 0 --with igt --timeout 3
	diff - <(judged) <<- 'END'
		igt crash one TEST crash
		igt crash two TEST pass
		igt hang one TEST timeout
		igt hang two TEST pass
	END
}

@test "the kernel's: each line of KTAP and the exit status, names that repeat or are sentences too" {
	REPORT=()
	script kselftest/run/heap <<- 'END'
		printf '%s\n' 'TAP version 13' '1..4' 'ok 1 alloc and import' 'not ok 2 - alloc and import # why not' \
			'ok 3 pair.errors # SKIP no vgem' 'ok nonsense'
		exit 1
	END
	script kselftest/run/old <<< 'echo "old: [skip,no-node]"; exit 77'
	script kselftest/run/quiet <<< ':'
	agent 0 --with kselftest
	diff - <(judged reason) <<- 'END'
		kselftest heap program TEST fail exit status 1, after: ok nonsense
		kselftest heap alloc-and-import TEST pass None
		kselftest heap alloc-and-import-2 TEST fail why not
		kselftest heap pair-errors TEST skip no vgem
		kselftest old program TEST skip exit status 77, after: old: [skip,no-node]
		kselftest quiet program TEST pass None
	END
}

@test "--program chooses among theirs and ours" {
	REPORT=()
	igt_test prime_one good <<< 'subtest good "$2" SUCCESS'
	agent 0 --with igt --program prime_one
	[ "$(judged)" = "igt prime_one good TEST pass" ]
	[ "$(grep -c '"type":"job".*"state":"start"' stream)" -eq 1 ]
	rm -r out
	agent 0 --with igt --program pin
	[ "$(judged | wc -l)" -eq 0 ]
	agent 2 --with igt --program prime_two
	grep -q 'no program is called prime_two' stream
	agent 2 --with nowhere
	grep -q "folder of others' programs nowhere/run" stream
}

@test "what cannot be run is an error with a reason" {
	REPORT=()
	mkdir -p ltp/run
	script ltp/run/thing <<< ':'
	agent 0 --with ltp
	[ "$(judged)" = "ltp thing (run) RUN error" ]
	rm -r out
	script igt/run/broken <<< 'echo "error while loading shared libraries" >&2; exit 127'
	agent 0 --with igt
	[ "$(judged)" = "igt broken (run) RUN error" ]
}

@test "they gate through the lists of known results, as ours do" {
	REPORT=(--gate --expected known)
	igt_test prime_one good bad <<< 'subtest good "$2" FAIL; subtest bad "$2" SKIP'
	agent 0 --with igt
	mkdir -p known/any
	[ "$(judged expected known)" = "igt prime_one good TEST fail pass None
igt prime_one bad TEST skip pass None" ]
	printf '%s\n' 'TEST prime_one.good fail | known to fail' 'TEST prime_one.* skip | no device' > known/any/igt,igt.txt
	rm -r out
	[ "$(judged expected known)" = "igt prime_one good TEST fail None known to fail
igt prime_one bad TEST skip None no device" ]
}
