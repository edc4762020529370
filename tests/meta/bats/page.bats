#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# What others read and show of what the suite writes: a browser the page of the driver matrix, npm's TAP parser
# run.tap. They are in a build root of their own; where it cannot be had these tests are skipped.

bats_require_minimum_version 1.5.0
load stream
load matrix

setup_file() {
	local log=$BATS_FILE_TMPDIR/setup.log

	"$BATS_TEST_DIRNAME/../../../runners/setup.sh" --recipe page > "$log" 2>&1 || {
		ABSENT=$(tail -n 1 "$log")
		export ABSENT
	}
}

setup() {
	[ -z "${ABSENT-}" ] || skip "no build root with a browser: $ABSENT"
	cd "$BATS_TEST_TMPDIR" || return
}

# with_page COMMAND...: in the build root that has them.
with_page() {
	"$TOP/runners/enter.sh" --recipe page --bind "$BATS_TEST_TMPDIR" -- "$@"
}

# all_ok COMMAND...: it prints TAP, and all of it is well.
all_ok() {
	with_page "$@" > tap 2> errors || { cat tap errors; return 1; }
	grep -q '^1\.\.[1-9][0-9]*$' tap || { cat tap errors; return 1; }
	run ! grep '^not ok' tap
}

@test "a person can use the page: by keys alone, on a phone, in the dark, on paper, without a network" {
	make_matrix
	make_run run "PIN-09 pass exporter" "PIN-08.a fail importer so it was" "INV-04.b warn importer" "UAPI-08.a skip exporter no" \
		"MAP-02.d value exporter at map" "EXP-01.a refused exporter" "LIFE-03.a error exporter" "ERR-02.a crash importer"
	matrix 0 add run
	make_fact efa Kernels "6.8 6.9" Unverified "First: nobody looked
Predict: PIN-08.b refused: its source says so" Read "Attach, Notify, Pin, Peer-to-peer, Revocable, Buffers, Predict: drivers/a/card.c"
	make_fact never
	matrix 0 render --format html
	mv shown page.html
	all_ok node "$TOP/tests/meta/page/matrix.js" page.html
}

@test "40 drivers, 10 kernels and 250 clauses: cells that nobody sees cost nothing" {
	inside "$TOP/tests/meta/page/data.py" made
	cp made/clauses.json clauses
	cp -r made/drivers made/results .
	matrix 0 render --format html
	mv shown page.html
	all_ok node "$TOP/tests/meta/page/large.js" page.html
}

@test "npm's TAP parser reads each leaf once and as it was, whatever happened in the run" {
	local path name folders=()

	for path in "$STREAMS"/*.jsonl; do
		name=$(basename "$path" .jsonl)
		report --quiet --output "$name" < "$path" > shown 2> errors || true
		! grep -qs '"complete": true' "$name/run.json" || folders+=("$name")
	done
	[ "${#folders[@]}" -ge 15 ]
	with_page node "$TOP/tests/meta/page/tap.js" "${folders[@]}"
}

@test "npm's TAP parser: what is lost, twice or otherwise is noticed" {
	local change

	stream normal 1
	for change in '2d' '2p' 's/^not ok/ok/' 's/# SKIP/#/' 4d 's/PIN-02/PIN-03/'; do
		cp -r out spoiled
		sed "$change" out/run.tap > spoiled/run.tap
		exits 1 with_page node "$TOP/tests/meta/page/tap.js" spoiled > shown 2> errors || { echo "$change"; return 1; }
		rm -r spoiled
	done
}
