#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-report diff: what became of the verdicts of one run in another, and what of it is unexpected.

bats_require_minimum_version 1.5.0
load stream

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	stream normal 1
	mv out before
}

# after SED...: the same run with its records changed.
after() {
	sed "$@" "$STREAMS/normal.jsonl" > changed
	report --quiet --output after < changed > shown 2> errors || true
}

# diffs STATUS OPTION...
diffs() {
	local wanted=$1

	shift
	exits "$wanted" report diff "$@" before after > shown 2> errors || { cat shown errors; return 1; }
}

@test "the same run: nothing, by folder and by file" {
	cp -r before after
	diffs 0
	says "nothing unexpected"
	[ "$(wc -l < shown)" -eq 3 ]
	exits 0 report diff before/run.json after/run.json > shown 2> errors
}

@test "each change is in the part where it belongs" {
	local clause verdict status title

	while read -r clause verdict status title; do
		rm -rf after
		after -e "s/\(\"type\":\"verdict\".*\"clause\":\"$clause\",\"verdict\":\)\"[a-z]*\"/\1\"$verdict\"/" \
			-e 's/ # SKIP no such limit//'
		diffs "$status"
		grep -A1 "^$title: " shown | grep -q "$verdict *$clause" ||
			{ echo "$clause became $verdict"; cat shown; return 1; }
	done <<- 'END'
		ATT-01 skip 1 Worse
		ATT-01 refused 1 Worse
		ATT-01 warn 1 Worse
		LIFE-01 pass 0 Other changes
		UAPI-08.b pass 0 Other changes
	END
}

@test "a new failure is worse, whatever it was; another failure too" {
	# Of the first pair, whose program then says "not ok" as well.
	after -e 's/"type":"verdict","case":"limits","clause":"UAPI-08.b","verdict":"skip"/"type":"verdict","case":"limits","clause":"UAPI-08.b","verdict":"fail"/' \
		-e 's/ok 3 pair.limits # SKIP.*"/not ok 3 pair.limits"/'
	diffs 1
	says "fail    UAPI-08.b attach.limits (was skip), 2 pairs such as peer:dynamic,peer:notify"
	says "Worse: 2"
	diffs 1 --all
	says "fail    UAPI-08.b attach.limits (was skip), udmabuf,drm:vgem: no such limit #1"
	rm -rf after
	after 's/\("case":"holds","clause":"PIN-01","verdict":\)"fail"/\1"error"/'
	diffs 1
	says "error   PIN-01   pin.holds (was fail), udmabuf,drm:vgem"
}

@test "a failure that is gone is an unexpected pass, unless that is allowed" {
	after -e 's/\("case":"holds","clause":"PIN-01","verdict":\)"fail"/\1"pass"/' -e 's/not ok/ok/'
	diffs 1
	says "Unexpected passes: 1"
	says "pass    PIN-01   pin.holds (was fail), udmabuf,drm:vgem"
	diffs 0 --allow-passes
}

# alarmed CLAUSE: in "before" a case of the last pair has a leaf that is there only with bad news.
alarmed() {
	after -e "/\"type\":\"verdict\",\"case\":\"holds\",\"clause\":\"PIN-02\".*\"job\":4/{p;s/\"PIN-02\",\"verdict\":\"pass\"/\"$1\",\"verdict\":\"fail\"/}"
	rm -r before
	mv after before
}

@test "the kernel no longer complains, or the run no longer stumbles: failures that are gone" {
	local clause

	for clause in KLOG RUN; do
		rm -rf after
		alarmed "$clause"
		after ''
		diffs 1
		says "Unexpected passes: 1"
		grep -q "gone    $clause  * pin.holds (was fail), udmabuf,drm:vgem" shown
		run ! grep -q Missing shown
		diffs 0 --allow-passes
	done
	# What is not run at all does not show.
	rm -r after
	after 's/"case":"holds"/"case":"kept"/; s/pair.holds/pair.kept/'
	diffs 1 --allow-passes
	grep -q -e "-       RUN      pin.holds (was fail), udmabuf,drm:vgem" shown
}

@test "observations are compared" {
	after '0,/"value":"at attach"/s//"value":"at map"/'
	diffs 1
	says "Other values: 1"
	says "value   ATT-02   attach.attaches (was value at attach), peer:dynamic,peer:notify: at map"
}

@test "what is not there any more is missing, with the reason; what is new is told" {
	after 's/"case":"counts"/"case":"counted"/; s/pair.counts/pair.counted/; s/"inapplicable":\[{/"inapplicable":[{"case":"counts","reason":"cannot count"},{/'
	diffs 1
	says "Missing: 2"
	says "New: 2"
	diffs 1 --all
	says "LIFE-01  attach.counts (was warn), udmabuf,drm:vgem: the case does not apply: cannot count"
}

@test "a pair that is gone is one line, and all of its verdicts are missing" {
	after 's/"udmabuf"/"elsewhere"/g'
	diffs 1
	says "Missing: 8"
	[ "$(grep -c 'the pair udmabuf,drm:vgem was not run' shown)" -eq 1 ]
	says "fail    PIN-01   pin.holds (was not there), elsewhere,drm:vgem"
	diffs 0 --common
}

@test "what the schedule left out is missing, unless only what both were to run is compared" {
	after -e '/"job":4/s/"case":"refuses"/"case":"other"/; /"job":4/s/pair.refuses/pair.other/' \
		-e 's/\({"job":4,[^}]*"fault":null\)}/\1,"cases":["holds","other"]}/'
	grep -q '"cases"' after/run.json
	diffs 1
	says "Missing: 1"
	says "PIN-11   pin.refuses (was refused), udmabuf,drm:vgem: the case was not chosen"
	diffs 0 --common
	says "New: 1"
	mv before whole
	mv after before
	mv whole after
	diffs 1 --common
	says "PIN-11   pin.other (was refused), udmabuf,drm:vgem"
	run ! grep -q New shown
}

# partners SED...: "before" is of a driver with two of our importers, in "after" one does for "pin".
partners() {
	with_two_partners both
	report --quiet --output before < both > shown 2> errors || true
	sed "$@" both > one
	without_job 2 one
	report --quiet --output after < one > shown 2> errors || true
}

@test "what was judged with another of the suite's own peers is neither missing nor new" {
	rm -rf before
	partners ''
	diffs 0
	run ! grep -qE 'Missing|New' shown
	mv after less
	mv before after
	mv less before
	diffs 0 --common
	run ! grep -q New shown
	diffs 0
	says "New: 3"
}

# strangers: the same of two importers that are none of ours.
strangers() {
	partners "$@"
	sed -i '/"type":"backend","role":"importer"/s/"ours":true/"ours":false/' both one
	for of in "before both" "after one"; do
		rm -rf "${of% *}"
		report --quiet --output "${of% *}" < "${of#* }" > shown 2> errors || true
	done
}

@test "what was judged with another partner, of those that have no part in it, is not missing" {
	rm -rf before
	strangers ''
	diffs 1
	says "Missing: 3"
	rm -rf before after
	# Only the newer run says so. What the importer is judged by stays missing.
	strangers '/"type":"plan"/s/"case":"[a-z]*"/&,"any_importer":true/g'
	diffs 1
	says "Missing: 1"
	says "PIN-02   pin.holds (was pass), udmabuf,peer:notify"
	rm -rf before after
	strangers '/"type":"plan"/s/"case":"[a-z]*"/&,"any_exporter":true/g'
	diffs 1
	says "Missing: 3"
}

@test "what no other peer saw is missing all the same, and so is what this one was to see" {
	rm -rf before
	partners '/"job":4/s/"clause":"PIN-02","verdict":"pass"/"clause":"PIN-02","verdict":"skip"/'
	diffs 1
	says "Missing: 1"
	says "PIN-02   pin.holds (was pass), udmabuf,peer:notify"
	sed -e '/"job":2/s/"case":"refuses"/"case":"declines"/; /"job":2/s/pair.refuses/pair.declines/' both > one
	rm -rf after
	report --quiet --output after < one > shown 2> errors || true
	diffs 1
	says "Missing: 1"
}

@test "a flake is no change that counts, whatever it does of what is known" {
	mkdir -p known/7.3
	echo "PIN-01 pin.holds pass/fail 3/20 | at times" > known/7.3/any,any.txt
	rm -rf before
	report --quiet --expected known --output before < "$STREAMS/normal.jsonl" > shown 2> errors
	sed -e 's/\("case":"holds","clause":"PIN-01","verdict":\)"fail"/\1"pass"/' -e 's/not ok/ok/' "$STREAMS/normal.jsonl" > changed
	report --quiet --expected known --output after < changed > shown 2> errors
	diffs 0
	says "pass    PIN-01   pin.holds (was fail), udmabuf,drm:vgem"
	says "Flakes: 1"
	mv before failing
	mv after before
	mv failing after
	diffs 0
	says "fail    PIN-01   pin.holds (was pass), udmabuf,drm:vgem"
	# What is not known of it counts.
	rm -rf after
	sed 's/\("case":"holds","clause":"PIN-01","verdict":\)"fail"/\1"error"/' "$STREAMS/normal.jsonl" > changed
	report --quiet --expected known --output after < changed > shown 2> errors || true
	diffs 1
	says "Worse: 1"
}

# keep NUMBER SED...: one more commit, with the run.json of the run that is changed so.
keep() {
	local number=$1

	shift
	rm -rf after
	after -e "s/4-test/4-commit$number/" "$@"
	mv after/run.json repository/run.json
	[ "$number" -ne 5 ] || sed -i 's/"complete": true/"complete": false/' repository/run.json
	git -C repository commit -q -a -m "commit $number"
}

@test "git bisect run finds the commit that made it worse, and passes over what cannot be judged" {
	local number

	command -v git > /dev/null || skip "this machine has no git"
	git init -q repository
	git -C repository config user.name "A. Tester"
	git -C repository config user.email tester@bugs.example
	: > repository/run.json
	git -C repository add run.json
	for number in {1..9}; do
		[ "$number" -ge 7 ] && keep "$number" -e 's/"clause":"ATT-01","verdict":"pass"/"clause":"ATT-01","verdict":"skip"/' ||
			keep "$number"
	done
	git -C repository bisect start HEAD HEAD~8 > /dev/null
	git -C repository bisect run "$TOP/dmabuf-cts" diff ../before run.json > shown 2>&1
	says "$(git -C repository log --format=%H --grep 'commit 7') is the first bad commit"
}

@test "what an incomplete run lacks cannot be judged, what it has can" {
	head -n 40 "$STREAMS/normal.jsonl" > part
	report --quiet --output after --remaining rest < part > shown 2> errors || true
	grep -q '"complete": false' after/run.json
	diffs 125
	says "it is incomplete"
	sed -i 's/"clause":"ATT-01","verdict":"pass"/"clause":"ATT-01","verdict":"refused"/' part
	rm -rf after
	report --quiet --output after --remaining rest < part > shown 2> errors || true
	diffs 1
}

@test "runs of two suites are told apart" {
	after 's/"clause_table":3/"clause_table":4/'
	diffs 0
	says "two versions of the clause table"
}

# refuses TEXT CODE: run.json after CODE, in Python, cannot be read, for that reason.
refuses() {
	rm -rf after
	cp -r before after
	inside python3 -c 'import json, sys
run = json.load(open("after/run.json"))
leaves = run["leaves"]
exec(sys.argv[1])
json.dump(run, open("after/run.json", "w"))' "$2"
	diffs 125
	grep -qF "after/run.json: $1" errors || { cat errors; return 1; }
	[ "$(wc -l < errors)" -eq 1 ]
}

@test "what is no run, or no whole one, is refused in one line" {
	refuses 'has schema 2, this suite reads 1: use the suite that wrote it, 9.9' 'run["schema"] = 2; run["suite"] = "9.9"'
	refuses 'is no run.json' 'del run["leaves"]'
	refuses 'leaf 3 has a verdict that this suite does not know: splendid' 'leaves[3]["verdict"] = "splendid"'
	refuses 'leaf 0 has no name, or no verdict' 'del leaves[0]["case"]'
	refuses 'has 6 leaves with verdict pass, its totals say 7' 'del leaves[0]'
	refuses 'two leaves are named "peer:dynamic,peer:notify attach.attaches ATT-01"' 'leaves.append(leaves[0])'
	refuses 'two leaves are named "peer:dynamic,peer:notify attach.attaches ATT-01"' \
		'leaves.append(dict(leaves[0], job=99))'
	refuses 'job 1 is two different ones' 'leaves[0]["job"] = leaves[-1]["job"] = 1'
	head -c 2000 before/run.json > after/run.json
	diffs 125
	grep -q 'after/run.json: line [0-9]*: ' errors
	rm after/run.json
	diffs 125
	says "after/run.json: No such file or directory"
}

@test "usage" {
	exits 2 report diff before 2> errors
	exits 2 report diff before before before 2> errors
	exits 2 report diff --frobnicate before before 2> errors
	exits 0 report diff --help > shown
	exits 2 "$TOP/dmabuf-cts" diff before 2> errors
	says "wants two runs, got 1"
	exits 2 "$TOP/dmabuf-cts" diff --frobnicate 2> errors
	exits 0 "$TOP/dmabuf-cts" diff --help > shown
}

@test "the verb takes runs from anywhere" {
	cp -r before after
	exits 0 "$TOP/dmabuf-cts" diff before after/run.json > shown 2> errors || { cat shown errors; return 1; }
	says "nothing unexpected"
	exits 125 "$TOP/dmabuf-cts" diff before nowhere > shown 2> errors
	grep -q "nowhere.*No such file" errors
}
