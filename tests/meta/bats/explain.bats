#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# What the suite says about itself: its tests with their clauses, and what a clause demands.

# shellcheck disable=SC2154
bats_require_minimum_version 1.5.0
load common

CTS=$TOP/dmabuf-cts

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# words COMMAND...: its standard output in one line, however it was filled.
words() {
	"$@" 2> /dev/null | tr -s '[:space:]' ' '
}

@test "list --tests: each program, and for each test its clauses and kinds of pair" {
	"$CTS" list --tests > tests
	diff <(sed -n 's/^\([a-z_0-9]*\)\..*/\1/p' tests | sort -u) \
		<(basename -s .c "$TOP"/tests/*.c | sort)
	tests=$(grep -c '^[a-z]' tests)
	[ "$tests" -ge 100 ]
	[ "$(grep -cE '^ +clauses: [A-Z0-9]+-[0-9]+' tests)" -eq "$tests" ]
	[ "$(grep -cE '^ +on: [a-z]' tests)" -eq "$tests" ]
}

@test "list --tests names the tests that the sources define, and their clauses" {
	output=" $(words "$CTS" list --tests)"
	says "pin.unpin_restores_movability clauses: PIN-08.a" "on: exporter pin-op, exporter moves"
	# Each of the sources.
	for file in "$TOP"/tests/*.c; do
		program=$(basename "$file" .c)
		names=$(sed -n -E 's/^CLAUSE_TEST(_TIMEOUT)?\(([a-z_0-9]+),.*/\2/p' "$file")
		[ -n "$names" ]
		for name in $names; do
			says " $program.$name clauses:"
		done
	done
}

@test "explain: what a clause demands, of whom, how strictly, and who tests it" {
	output=$(words "$CTS" explain PIN-08)
	says "PIN-08.a exporter, MUST" "Source dma-buf.c: dma_buf_unpin()" "Tests pin." \
		"pin.unpin_restores_movability"
	output=$(words "$CTS" explain pin-08.b)
	says "PIN-08.b exporter, MUST"
	run ! grep -q 'PIN-08.a exporter' <<< "$output"
}

@test "explain an unknown clause: status 2, and what may have been meant" {
	fails_with 2 "$CTS" explain PNI-08
	says 'no clause has the id "PNI-08"' "near to it: PIN-08"
	fails_with 2 "$CTS" explain PIN-8
	says "near to it: PIN-08"
	fails_with 2 "$CTS" explain PIN-99
	says "the last clause on pin and unpin is PIN-"
	fails_with 2 "$CTS" explain UAPI-08.z
	says "UAPI-08 has the checks a to"
	fails_with 2 "$CTS" explain nonsense
	says "--list lists them all"
}

@test "explain several, of which one is unknown: the others are explained" {
	fails_with 2 "$CTS" explain PIN-08 NOPE-01
	says "After the last unpin" 'no clause has the id "NOPE-01"'
}

@test "explain --json is JSON, and holds what was asked for" {
	"$CTS" explain --json PIN-08 > json 2> /dev/null
	"$RUNNERS/enter.sh" python3 -c 'import json, sys; assert [c["clause"] for c in json.load(sys.stdin)] == ["PIN-08"]' < json
}

@test "explain without a clause, or with a wrong option: how it should look" {
	fails_with 2 "$CTS" explain
	says "no clause given" "usage: dmabuf-cts explain"
	fails_with 2 "$CTS" explain --nonsense
	fails_with 2 "$CTS" explain --law nonsense PIN-08
	says "--law"
}

# What others have mapped need not be ready: they wait for themselves.
@test "what an exporter owes static importers alone is judged with no others" {
	build_once
	"$RUNNERS/enter.sh" --bind "$BATS_TEST_TMPDIR" python3 - "$build_programs" > wrong <<- 'END'
		import json, subprocess, sys

		def ask(program, option):
		    return json.loads(subprocess.run([f"{sys.argv[1]}/{program}", option],
		                                     stdout=subprocess.PIPE).stdout)

		judged = 0
		for check in [check for clause in ask("cts-explain", "--json") for check in clause["checks"]]:
		    if check["party"] != "exporter" or "importer static" not in check["applies"]:
		        continue
		    for test in check["tests"]:
		        program, name = test.split(".")
		        needs = [case["needs"] for case in ask(program, "--plan")["cases"] if case["case"] == name]
		        judged += len(needs)
		        if "importer static" not in needs[0]:
		            print(check["clause"], test)
		assert judged
	END
	diff /dev/null wrong
}
