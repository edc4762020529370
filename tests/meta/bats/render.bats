#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-report render: a run in the formats of others. What each looks like is kept; independent
# readers find each leaf of run.json in them, once and as it was.

bats_require_minimum_version 1.5.0
load stream

RUNS=$TOP/tests/meta/runs

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# renders FORMAT RUN OPTION...: what is written, in "shown".
renders() {
	local format=$1 from=$2

	shift 2
	exits 0 report render --format "$format" "$@" "$from" > shown 2> errors || { cat shown errors; return 1; }
}

# render_all RUN NAME: the reports that readback.py reads.
render_all() {
	renders junit "$1" && mv shown "$2.xml"
	renders kcidb "$1" --origin test && mv shown "$2.kcidb.json"
	renders markdown "$1" && mv shown "$2.md"
}

# reads_back RUN_JSON NAME
reads_back() {
	inside "$TOP/tests/meta/readback.py" "$1" "$2.xml" "$2.kcidb.json" "$2.md"
}

# The path of a file is no part of a golden one.
@test "what each format looks like" {
	cp "$RUNS/every.json" .
	renders text every.json && golden every.txt shown
	renders markdown every.json && golden every.md shown
	renders ktap every.json && golden every.ktap shown
	renders tap every.json && golden every.tap shown
	renders junit every.json && golden every.xml shown
	renders kcidb every.json --origin test && golden every.kcidb.json shown
}

@test "the run that is kept for this is a run.json, with every verdict" {
	inside "$TOP/tests/meta/schema.py" "$TOP/runners/report/schema/run.schema.json" "$RUNS/every.json"
	run ! grep -qE '"(skip|pass|value|refused|warn|error|timeout|crash|fail)": 0' "$RUNS/every.json"
}

@test "text is the default, and the page of the run itself" {
	stream normal 1 --quiet
	head -n -1 shown > page
	report render out > shown
	head -n -1 shown | diff -u page -
}

@test "KTAP and TAP are those of the run itself" {
	local name

	for name in normal crash hang duplicate disagreement harness absent oops; do
		report --quiet --output "$name" < "$STREAMS/$name.jsonl" > shown 2> errors || true
		renders ktap "$name"
		diff -u <(grep -v '^#' "$name/run.ktap") <(grep -v '^#' shown)
		renders tap "$name"
		diff -u "$name/run.tap" shown
	done
}

@test "KUnit's parser and prove count in them what run.json has" {
	mkdir rendered
	cp "$RUNS/every.json" rendered/run.json
	renders ktap rendered && cp shown rendered/run.ktap
	renders tap rendered && cp shown rendered/run.tap
	inside "$TOP/tests/meta/parity.py" "$("$TOP/runners/kernels.sh" harness)/kunit" rendered
}

@test "readers of JUnit, KCIDB and Markdown find every leaf, whatever happened in the run" {
	local path name count=0

	cp "$RUNS/every.json" .
	render_all every.json every
	reads_back every.json every
	for path in "$STREAMS"/*.jsonl; do
		name=$(basename "$path" .jsonl)
		report --quiet --output "$name" < "$path" > shown 2> errors || true
		[ -e "$name/run.json" ] || continue
		! grep -q '"fault"' "$name/run.json" || continue
		render_all "$name" "$name"
		reads_back "$name/run.json" "$name"
		inside "$TOP/tests/meta/schema.py" "$TOP/tests/meta/kcidb.schema.json" "$name.kcidb.json"
		count=$((count + 1))
	done
	[ "$count" -ge 15 ]
}

# notices FILE SED: a report that is spoiled is not what run.json says.
notices() {
	cp "$1" kept
	sed -i "$2" "$1"
	run ! cmp -s "$1" kept
	exits 1 reads_back every.json every 2> errors || { echo "$1: $2"; return 1; }
	mv kept "$1"
}

@test "the readers notice what is lost or wrong" {
	cp "$RUNS/every.json" .
	render_all every.json every
	notices every.xml '0,/<testcase/{/<testcase/,/<\/testcase>/d}'
	notices every.xml '/<failure type="crash"/d'
	notices every.xml 's/failures="[0-9]*"/failures="7"/'
	notices every.xml 's/name="verdict" value="warn"/name="verdict" value="pass"/'
	notices every.xml '/name="missing"/d'
	notices every.kcidb.json 's/"status": "DONE"/"status": "PASS"/'
	notices every.kcidb.json 's/"path": "[^"]*"/"path": "dmabuf-cts"/'
	notices every.kcidb.json 's/killed by signal/ended by signal/'
	notices every.md '/^| all /s/13/12/'
	notices every.md '/^| vgem/d'
}

@test "KCIDB: its schema is kept, and not by everything" {
	renders kcidb "$RUNS/every.json" --origin test && mv shown report.json
	inside "$TOP/tests/meta/schema.py" "$TOP/tests/meta/kcidb.schema.json" report.json
	sed 's/"origin": "test"/"origin": "Test"/' report.json > wrong.json
	exits 1 inside "$TOP/tests/meta/schema.py" "$TOP/tests/meta/kcidb.schema.json" wrong.json 2> errors
	sed 's/"path": "dmabuf-cts/"path": "dmabuf cts/' report.json > wrong.json
	exits 1 inside "$TOP/tests/meta/schema.py" "$TOP/tests/meta/kcidb.schema.json" wrong.json 2> errors
}

@test "KCIDB: a build that the submitter knows is not described again" {
	renders kcidb "$RUNS/every.json" --origin test --build kernelci:123
	run ! grep -qE '"(builds|checkouts)"' shown
	[ "$(grep -c '"build_id": "kernelci:123"' shown)" -eq 13 ]
}

@test "KCIDB: the same run has the same ids, another run has others" {
	renders kcidb "$RUNS/every.json" --origin test && mv shown one
	cp "$RUNS/every.json" copy.json
	renders kcidb copy.json --origin test
	cmp one shown
	sed -i 's/wanted 1/wanted 3/' copy.json
	renders kcidb copy.json --origin test
	[ -z "$(grep -h '"id": "test:[0-9a-f]*:' one shown | sort | uniq -d)" ]
}

@test "KCIDB: selectors that differ in a sign have paths that differ" {
	sed 's/"udmabuf"/"heap:my:own"/; s/"peer:dynamic"/"heap:my-own"/; s/"peer:notify"/"drm:vgem"/' \
		"$RUNS/every.json" > odd.json
	renders kcidb odd.json --origin test
	grep -q '"path": "dmabuf-cts.heap-my_3aown.drm-vgem.attach.attaches.ATT-01"' shown
	grep -q '"path": "dmabuf-cts.heap-my-own.drm-vgem.attach.attaches.ATT-01"' shown
	grep -q '"path": "dmabuf-cts.heap-my_3aown.drm-vgem.map._28run_29.RUN"' shown
}

@test "KCIDB: a long reason is cut where a character ends" {
	local long

	long=$(printf 'é%.0s' {1..9000})
	sed "s/killed by signal 11/x$long/" "$RUNS/every.json" > long.json
	renders kcidb long.json --origin test && mv shown long.kcidb.json
	inside "$TOP/tests/meta/schema.py" "$TOP/tests/meta/kcidb.schema.json" long.kcidb.json
	[ "$(grep '"log_excerpt": "xé' long.kcidb.json | tr -d '[:space:]' | wc -c)" -gt 16000 ]
}

@test "a mutation run judges no kernel" {
	report --quiet --output out --mutants "$TOP/tests/meta/mutants.list" < "$STREAMS/mutants.jsonl" > shown 2> errors || true
	exits 125 report render --format kcidb --origin test out > shown 2> errors
	says "is of a mutation run"
	renders junit out
	mv shown out.xml
	inside "$TOP/tests/meta/readback.py" out/run.json out.xml
}

@test "usage, and what cannot be read or written" {
	local options

	for options in "" "--format pdf x" "--frobnicate x" "x y" "--format kcidb x" "--origin test x" \
		"--format kcidb --origin Big x" "--format kcidb --origin test --build nocolon x"; do
		# shellcheck disable=SC2086
		exits 2 report render $options 2> errors
		[ -s errors ]
	done
	exits 125 report render nowhere 2> errors
	says "nowhere: No such file or directory"
	cp "$RUNS/every.json" .
	for options in text junit tap; do
		# shellcheck disable=SC2016
		exits 125 inside bash -c '"$1" render --format "$2" every.json > /dev/full' _ \
			"$PROGRAMS/cts-report" "$options" 2> errors
		[ "$(wc -l < errors)" -eq 1 ]
	done
	exits 0 report render --help > shown
}

@test "the verb" {
	cp "$RUNS/every.json" .
	"$TOP/dmabuf-cts" report --format tap every.json | diff -u "$GOLDEN/every.tap" -
	exits 2 "$TOP/dmabuf-cts" report 2> errors
	exits 2 "$TOP/dmabuf-cts" report --format 2> errors
	says "option --format needs a value"
	exits 0 "$TOP/dmabuf-cts" report --help > shown
}
