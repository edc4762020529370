#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# IGT GPU Tools and the kernel's selftests, the true ones. Our programs are tests of IGT for igt_runner,
# and their tests run beside ours. Skipped where IGT's suite cannot be had.

# What runs inside the build root or the guest is quoted, so that it is expanded there.
# shellcheck disable=SC2016,SC2154

bats_require_minimum_version 1.5.0
load common
load stream

# One guest for the suite's own way, with theirs, and one for igt_runner.
setup_file() {
	local built

	make_folder
	export FOLDER
	built=$("$TOP/runners/build.sh") || return
	eval "$built"
	export build_programs
	IGT=$("$TOP/runners/others.sh" igt 2> "$FOLDER/why") || NO_IGT=$(tail -n 1 "$FOLDER/why")
	export IGT NO_IGT=${NO_IGT-}
}

teardown_file() {
	rm -rf "$FOLDER"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

need_igt() {
	[ -z "$NO_IGT" ] || skip "IGT is not to be had here: $NO_IGT"
}

# The pair and the programs that both ways run.
readonly EXPORTER=peer:dynamic IMPORTER=peer:notify
readonly OWN=(pin)

# fake_program NAME: beside a cts-igt; standard input is what it does.
fake_program() {
	[ -e bin ] || { mkdir bin && cp "$PROGRAMS/cts-igt" bin/; }
	{
		printf '%s\n' '#!/bin/bash' ". '$BATS_TEST_DIRNAME/fake.bash'" \
			'plan_only() { echo "{\"type\":\"plan\",\"cases\":[{\"case\":\"one\",\"clauses\":[\"PIN-01\",\"UAPI-08.a\"]},{\"case\":\"two\",\"clauses\":[]}]}"; exit; }' \
			'[ "${1-}" != --plan ] || plan_only' \
			'chosen() { [[ " $ARGUMENTS " == *" -t $1 "* ]]; }'
		cat
	} > "bin/$1"
	chmod +x "bin/$1"
	inside bin/cts-igt --install tests
}

# igt_test STATUS OPTION...: of the fake program "pin".
igt_test() {
	local wanted=$1

	shift
	exits "$wanted" inside tests/dmabuf_cts_pin "$@" > shown 2> errors || { cat shown errors; return 1; }
}

@test "a folder of tests has each program once, under names that IGT's own have not" {
	fake_program pin <<< ':'
	fake_program map <<< ':'
	[ "$(cat tests/test-list.txt)" = "TESTLIST
dmabuf_cts_map dmabuf_cts_pin
END TESTLIST" ]
	[ "$(readlink tests/dmabuf_cts_pin)" = "$PWD/bin/cts-igt" ]
	igt_test 0 --list-subtests
	[ "$(cat shown)" = "one
two" ]
	igt_test 0 --describe=o*
	[ "$(cat shown)" = "SUB one:
  Judges PIN-01 UAPI-08.a." ]
	igt_test 79 --no-such-option
	igt_test 79 --run-subtest three
	exits 79 inside bin/cts-igt --list-subtests 2> errors
	grep -q 'not called dmabuf_cts_PROGRAM' errors
}

@test "verdicts are IGT's words, and its exit statuses follow from them" {
	local verdict word status

	while read -r verdict word status; do
		fake_program pin <<< "plan one; begin one; finish one $verdict"
		igt_test "$status" --run-subtest one
		grep -qx "Dynamic subtest pin-01: $word (0.000s)" shown
		grep -qE "^Subtest one: $word \([0-9.]+s\)$" shown
		grep -qx 'Starting subtest: one' shown
		grep -qx 'Starting dynamic subtest: pin-01' shown
	done <<- 'END'
		pass SUCCESS 0
		value SUCCESS 0
		warn SUCCESS 0
		skip SKIP 77
		refused SKIP 77
		fail FAIL 98
		error FAIL 98
	END
}

@test "patterns choose, and what does not apply is skipped" {
	fake_program pin <<- 'END'
		record '{"type":"plan","cases":[],"inapplicable":[{"case":"two","reason":"it has no pins"}]}'
		! chosen one || { begin one; finish one; }
	END
	igt_test 0
	grep -q '^Subtest one: SUCCESS' shown
	grep -q 'does not apply to this pair: it has no pins' shown
	grep -q '^Subtest two: SKIP' shown
	igt_test 77 --run-subtest '*,!one'
	run ! grep -q '^Subtest one' shown
	igt_test 0 --run-subtest 'o?e'
	run ! grep -q '^Subtest two' shown
}

@test "a case that dies, hangs or judges nothing is no success" {
	fake_program pin <<< 'plan one; begin one; kill -SEGV $$'
	igt_test 98 --run-subtest one
	grep -q '^Subtest one: CRASH' shown
	fake_program pin <<< 'plan one; begin one; echo "# one: Test terminated by timeout"; echo "not ok 1 pair.one"'
	igt_test 98 --run-subtest one
	grep -q '^Subtest one: TIMEOUT' shown
	fake_program pin <<- 'END'
		plan one; begin one; record '{"type":"case","case":"one","state":"end"}'
	END
	igt_test 98 --run-subtest one
	grep -q '^Subtest one: FAIL' shown
	fake_program pin <<< 'exit 1'
	igt_test 98 --run-subtest one
	grep -q '^Subtest one: FAIL' shown
}

# ours [OPTION...]: a run of our programs by the suite, in FOLDER/ours.
ours() {
	local options=() name

	for name in "${OWN[@]}"; do
		options+=(--program "$name")
	done
	"$TOP/dmabuf-cts" vm --exporter "$EXPORTER" --importer "$IMPORTER" --no-nic --profile full --guests 1 --silence 300 "${options[@]}" "$@" \
		--output "$FOLDER/ours" > shown 2> errors
}

# their_programs: those that the tables name.
their_programs() {
	awk '!/^#/ && NF { print "--program", $1 }' "$TOP"/runners/others/{igt,kselftest}.list | sort -u
}

@test "their tests run in the same guest, in the same report, with nothing unexpected" {
	local theirs

	need_igt
	read -ra theirs <<< "$(their_programs | paste -sd' ')"
	ours --with igt,kselftest --gate "${theirs[@]}" || { cat shown errors; return 1; }
	inside python3 - "$FOLDER/ours/run.json" <<- 'END'
		import json, sys
		run = json.load(open(sys.argv[1]))
		theirs = [leaf for leaf in run["leaves"] if "origin" in leaf]
		good = {(leaf["origin"], leaf["program"]) for leaf in theirs if leaf["verdict"] == "pass"}
		for program in [("igt", "vgem_basic"), ("igt", "dmabuf_sync_file"), ("kselftest", "udmabuf"), ("kselftest", "dmabuf-heap")]:
		    assert program in good, (program, good)
		assert all(leaf["subject"] is None and leaf["clause"] in ("TEST", "RUN") for leaf in theirs)
		assert any("UAPI-10" in leaf.get("touches", []) for leaf in theirs)
		assert run["complaints"] == [], run["complaints"]
		print(len(theirs), "of theirs")
	END
	inside "$TOP/tests/meta/schema.py" "$TOP/runners/report/schema/run.schema.json" "$FOLDER/ours/run.json"
}

@test "the clauses that the tables name are there" {
	inside "$PROGRAMS/cts-explain" --tests "$PROGRAMS" --json > clauses
	inside python3 - clauses "$TOP"/runners/others/*.list <<- 'END'
		import json, re, sys
		text = open(sys.argv[1]).read()
		for path in sys.argv[2:]:
		    for line in open(path):
		        words = line.split("#")[0].split()
		        if len(words) > 2 and words[2] != "-":
		            for clause in words[2:]:
		                assert f'"{clause}"' in text, (path, clause)
	END
}

@test "each line of the tables is about a test that there is" {
	need_igt
	[ -e "$FOLDER/ours/run.json" ] || skip "the run with their tests left no results"
	inside python3 - "$FOLDER/ours/run.json" "$TOP"/runners/others/{igt,kselftest}.list <<- 'END'
		import fnmatch, json, sys
		ran = {(leaf["program"], leaf["case"]) for leaf in json.load(open(sys.argv[1]))["leaves"] if "origin" in leaf}
		for path in sys.argv[2:]:
		    for line in open(path):
		        words = line.split("#")[0].split()
		        # Dynamic subtests come of hardware, or of a module, that a guest has not.
		        if words and not any(program == words[0] and fnmatch.fnmatchcase(case, words[1].split("@")[0])
		                             for program, case in ran):
		            sys.exit(f"{path}: {words[0]} has no test {words[1]}")
	END
}

@test "igt_runner lists and runs our programs, and says of each case what run.json says" {
	need_igt
	[ -e "$FOLDER/ours/run.json" ] || ours || true
	make_agent cts-session <<- 'END'
		#!/bin/sh
		cts-igt --install /tmp/tests >&2
		export DMABUF_CTS_EXPORTER=$1 DMABUF_CTS_IMPORTER=$2 DMABUF_CTS_DISRUPTIVE=1
		tools=/cts/others/igt/tools
		shift 2
		for name; do
			include="$include -t ^igt@dmabuf_cts_$name(@|\$)"
		done
		$tools/igt_runner --piglit-style-dmesg -l quiet $include /tmp/tests /tmp/results >&2 || true
		$tools/igt_results /tmp/results >&2
		cat /tmp/results/results.json
	END
	cp -r "$build_programs/." "$FOLDER/programs/"
	"$TOP/runners/kernels.sh" get newest > kernel.env
	eval "$("$TOP/runners/build.sh" --kernel-env kernel.env)"
	modules=()
	while read -r file; do
		file=${file##*/}
		modules+=(--module "$build_modules/${file%.*}.ko")
	done < "$build_modules/modules.order"
	cp kernel.env "$FOLDER/kernel.env"
	exits 0 "$TOP/runners/guest/boot.sh" --kernel-env "$FOLDER/kernel.env" --programs "$FOLDER/programs" \
		--agent cts-session --archive "$IGT" --console "$FOLDER/console" "${modules[@]}" -- \
		"$EXPORTER" "$IMPORTER" "${OWN[@]}" > results.json 2> errors || { cat errors "$FOLDER/console"; return 1; }
	inside "$TOP/tests/meta/igt_readback.py" "$FOLDER/ours/run.json" results.json
}
