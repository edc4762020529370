#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-report --expected, --gate, --baseline: what is known raises no alarm, everything else does.

bats_require_minimum_version 1.5.0
load stream

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p known/7.3 known/any
}

# known PAIR LINE: one more known result on kernel 7.3.
known() {
	echo "$2" >> "known/7.3/$1.txt"
}

FAILING="PIN-01 pin.holds fail"

@test "a known fail raises no alarm, and its reason is in run.json" {
	known udmabuf,drm:vgem "$FAILING | a true deviation | 6.1 | - | us"
	stream normal 0 --expected known
	grep -q '"known": "a true deviation"' out/run.json
}

@test "a fail that is not listed does" {
	mkdir -p known/6.1
	echo "$FAILING | another kernel" > known/6.1/udmabuf,drm:vgem.txt
	known udmabuf,peer:notify "$FAILING | another pair"
	known udmabuf,drm:vgem "PIN-02 pin.other fail | another clause"
	known udmabuf,drm:vgem "PIN-01 pin.h* timeout | another verdict"
	known udmabuf,drm:vgem "# $FAILING | a comment"
	stream normal 1 --expected known
	says "fail    PIN-01   pin.holds, udmabuf,drm:vgem"
}

@test "a pair may be named by back end or any, a clause and a case by wildcard" {
	local pair

	for pair in udmabuf,drm any,drm:vgem udmabuf,any any,any; do
		rm -rf known/7.3 out
		mkdir known/7.3
		known "$pair" "PIN-* pin.h* fail | whatever"
		stream normal 0 --expected known
	done
}

@test "lines for any kernel count too" {
	echo "$FAILING | on every kernel" > known/any/udmabuf,drm:vgem.txt
	stream normal 0 --expected known
}

@test "a known fail that passes is unexpected" {
	known udmabuf,drm:vgem "$FAILING | a true deviation"
	known peer:dynamic,peer:notify "$FAILING | it used to"
	stream normal 1 --expected known
	says "pass    PIN-01   pin.holds (expected fail), peer:dynamic,peer:notify"
}

@test "a flake may do either" {
	known udmabuf,drm:vgem "PIN-01 pin.holds fail/pass | one in ten"
	known peer:dynamic,peer:notify "PIN-01 pin.holds fail/pass | one in ten"
	stream normal 0 --expected known
}

@test "a flake that fails is told, with its rate, and raises no alarm" {
	known udmabuf,drm:vgem "PIN-01 pin.holds fail/pass 3/20 | a matter of time"
	stream normal 0 --expected known
	says "Flakes that failed, which is known of them: 1"
	says "fail    PIN-01   pin.holds (in 3/20 runs), udmabuf,drm:vgem"
	grep -q '"flake": "3/20"' out/run.json
	rm -r out
	reports 1 --output out --expected known < <(sed 's/\("case":"holds","clause":"PIN-01","verdict":\)"fail"/\1"error"/' "$STREAMS/normal.jsonl")
	says "error   PIN-01   pin.holds (expected fail/pass), udmabuf,drm:vgem"
	run ! grep -q Flakes shown
}

@test "every flake of this project that fails at times has its rate" {
	local without='^[^#|]* [a-z/]*(fail|error|timeout|crash)[a-z/]* *\|' flake='^[^#|]* [a-z]+/[a-z/]+ '

	grep -E "$flake" <<< "PIN-01 pin.holds pass/fail | x" | grep -qE "$without"
	run ! grep -E "$without" <<< "PIN-01 pin.holds pass/fail 0/3 | x"
	run ! grep -hE "$without" <(grep -hE "$flake" "$TOP"/expected/*/*.txt)
}

@test "the worst comes first, what is alike in one line, at the end" {
	known udmabuf,drm:vgem "ATT-01 attach.attaches fail | it used to"
	known any,any "PIN-11 pin.refuses refused | cannot pin"
	stream normal 1 --expected known --gate
	tail -n 8 shown | diff -u - <(cat <<- 'END'
		Worse than expected: 3
		  fail    PIN-01   pin.holds, udmabuf,drm:vgem: pins == 1: 2, wanted 1
		  skip    UAPI-08.b attach.limits (expected pass), 2 pairs such as peer:dynamic,peer:notify: no such
		Unexpected passes: 1
		  pass    ATT-01   attach.attaches (expected fail), udmabuf,drm:vgem
		Stale lines of expected results: 1
		  known/7.3/udmabuf,drm:vgem.txt:1: ATT-01 attach.attaches fail
		2 pairs, 16 verdicts: 4 unexpected; results in out
	END
	)
}

@test "a listed result that is not there is missing" {
	known udmabuf,drm:vgem "$FAILING | a true deviation"
	known udmabuf,drm:vgem "PIN-09 pin.vanished fail | it was there"
	stream normal 1 --expected known
	says "udmabuf,drm:vgem pin.vanished PIN-09"
}

@test "a failure may be known by what it says, and another is none of it" {
	known any,any "$FAILING \"*: 2, wanted 1\" | it pins twice"
	stream normal 0 --expected known
	rm -r out known/7.3/*
	known any,any "$FAILING \"*: 3, wanted 1\" | it pins three times"
	stream normal 1 --expected known
	says "fail    PIN-01   pin.holds"
	rm -r out known/7.3/*
	known udmabuf,drm:vgem "$FAILING \"*: 3, wanted 1\" | it pins three times"
	stream normal 1 --expected known
	says '(expected fail "*: 3, wanted 1")'
	rm -r out known/7.3/*
	known any,any "UAPI-08.b attach.limits skip \"none such\" | no such limit"
	stream normal 2 --expected known
	says "a failure by a pattern of its reason"
}

@test "kernel memory that nobody freed may be known by who allocated it" {
	leaking() {
		sed "\$i{\"type\":\"leak\",\"size\":32,\"task\":\"map\",\"callers\":[\"kmalloc\",\"$1\"]}" "$STREAMS/normal.jsonl"
	}

	known any,any "$FAILING | a true deviation"
	known any,any "LEAK (run) fail \"*: kmalloc < make_table*\" | the table is never freed"
	leaking make_table | reports 0 --output out --expected known
	run ! grep -q '"leaks"' out/run.json
	grep -A 1 '"known_leaks"' out/run.json | grep -q 'kmalloc < make_table"'
	inside "$TOP/tests/meta/schema.py" "$TOP/runners/report/schema/run.schema.json" out/run.json
	report render --format markdown out > page.md
	grep -q '^## Kernel memory that nobody freed, as is known: 1$' page.md
	rm -r out
	leaking make_other | reports 1 --output out --expected known
	says "32 bytes that map allocated: kmalloc < make_other"
}

@test "a line that meets nothing is stale, and only listed" {
	known any,drm "PIN-0* pin.* fail | a true deviation"
	known any,drm "MAP-* pin.* fail | gone"
	stream normal 0 --expected known
	says "known/7.3/any,drm.txt:2: MAP-* pin.* fail"
}

@test "lines about pairs that were not run are not stale" {
	known any,drm "$FAILING | a true deviation"
	known heap:system,drm:vgem "$FAILING | a true deviation"
	stream normal 0 --expected known
	run ! grep -q Stale shown
}

@test "lines about programs that were not run are not stale" {
	known any,drm "$FAILING | a true deviation"
	known any,any "ERR-0* alloc_failure.* skip | not on this kernel"
	known any,any "ERR-0* alloc_fail*.* skip | not on this kernel"
	stream normal 0 --expected known
	run ! grep -q Stale shown
}

@test "what a kernel's log may have is not stale where it has not" {
	known any,drm "$FAILING | a true deviation"
	known any,any "KLOG * fail \"*DMA-API*\" | seen by kernels with DMA_API_DEBUG"
	stream normal 0 --expected known
	run ! grep -q Stale shown
}

@test "a case that the schedule left out is neither missing nor stale" {
	local job='"job":4,"exporter":"udmabuf","importer":"drm:vgem","program":"pin","fault":null'

	known udmabuf,drm:vgem "$FAILING | a true deviation"
	known udmabuf,drm:vgem "PIN-09 pin.left_out fail | by the schedule"
	known udmabuf,drm "PIN-09 pin.left_out fail | by the schedule"
	sed "s/{$job}/{$job,\"cases\":[\"holds\"]}/" "$STREAMS/normal.jsonl" > chosen
	reports 0 --output out --expected known < chosen
	run ! grep -q left_out shown
	# All are run by a job that chooses none.
	rm -rf out
	stream normal 1 --expected known
	says "udmabuf,drm:vgem pin.left_out PIN-09"
}

@test "a skip may be of a pair on which the case was not run, and a failure may not" {
	known any,drm "$FAILING | a true deviation"
	known any,any "PIN-09 pin.holds skip | of some partner"
	stream normal 0 --expected known
	says "Stale lines of expected results: 1"
	known any,any "PIN-08 pin.holds fail | of none"
	cp "$STREAMS/normal.jsonl" chosen
	without_job 2 chosen
	rm -r out
	reports 0 --output out --expected known < chosen
	says "Stale lines of expected results: 1"
	says "PIN-08 pin.holds fail"
}

@test "the gate wants every skip and refusal listed" {
	known any,drm "$FAILING | a true deviation"
	stream normal 1 --expected known --gate
	says "refused PIN-11   pin.refuses"
	says "skip    UAPI-08.b"
	rm -r out
	known any,any "PIN-11 pin.refuses refused | cannot pin"
	known any,any "UAPI-08.b attach.limits skip | no such limit"
	stream normal 0 --expected known --gate
}

@test "an observation may be pinned down" {
	known any,drm "$FAILING | a true deviation"
	known udmabuf,drm:vgem "ATT-02 attach.attaches value at attach | as this kernel does"
	stream normal 0 --expected known
	rm -r out
	known peer:dynamic,peer:notify "ATT-02 attach.attaches value at map | as it did"
	stream normal 1 --expected known
	says "(expected value at map)"
}

@test "a baseline: what passed there must pass here" {
	known any,drm "$FAILING | a true deviation"
	stream normal 0 --expected known
	mv out/run.json baseline.json
	rm -r out
	stream normal 0 --expected known --baseline baseline.json
	rm -r out
	sed 's/"clause":"ATT-01","verdict":"pass"/"clause":"ATT-01","verdict":"refused"/' \
		"$STREAMS/normal.jsonl" > refused
	reports 1 --output out --expected known --baseline baseline.json < refused
	says "refused ATT-01   attach.attaches (expected pass)"
	rm -r out
	sed 's/"value":"at attach"/"value":"at map"/' "$STREAMS/normal.jsonl" > value
	reports 1 --output out --expected known --baseline baseline.json < value
	says "value   ATT-02   attach.attaches (expected value at attach)"
}

@test "a baseline: what was there must be there" {
	known any,drm "$FAILING | a true deviation"
	stream normal 0 --expected known
	sed 's/"case": "counts"/"case": "counted"/' out/run.json > baseline.json
	rm -r out
	stream normal 1 --expected known --baseline baseline.json
	says "udmabuf,drm:vgem attach.counted LIFE-01 (in the baseline: warn)"
}

@test "a baseline: of what is there only with bad news none is wanted" {
	known any,drm "$FAILING | a true deviation"
	sed '/"type":"verdict","case":"holds","clause":"PIN-02".*"job":4/{p;s/"PIN-02","verdict":"pass"/"KLOG","verdict":"fail"/}' \
		"$STREAMS/normal.jsonl" > complaining
	reports 1 --output all --expected known < complaining
	says "fail    KLOG     pin.holds"
	stream normal 0 --expected known --baseline all/run.json
	rm -r out
	# What was not run does not show.
	sed '/"job":4/ { s/"case":"holds"/"case":"kept"/; s/pair.holds/pair.kept/ }' "$STREAMS/normal.jsonl" > other
	reports 1 --output out --expected known --baseline all/run.json < other
	says "udmabuf,drm:vgem pin.holds KLOG (in the baseline: fail)"
}

@test "a baseline of all partners: one that did for all takes nothing away" {
	with_two_partners both
	known any,any "$FAILING | a true deviation"
	reports 0 --output all --expected known < both
	cp both one
	without_job 2 one
	reports 0 --output out --expected known --baseline all/run.json < one
	# Another one of its cases was judged by nobody.
	sed -i '/"job":4/{s/"case":"refuses"/"case":"declines"/; s/pair.refuses/pair.declines/}' one
	rm -r out
	reports 1 --output out --expected known --baseline all/run.json < one
	says "udmabuf,peer:notify pin.refuses PIN-11 (in the baseline: refused)"
	says "udmabuf,peer:static pin.refuses PIN-11 (in the baseline: refused)"
}

@test "a baseline: a pair that nobody asked for is not missing, one whose driver is gone is" {
	known any,drm "$FAILING | a true deviation"
	stream normal 0 --expected known
	mv out/run.json baseline.json
	cp "$STREAMS/normal.jsonl" part
	without_job 1 part
	without_job 2 part
	rm -r out
	reports 0 --output out --expected known --baseline baseline.json < part
	rm -r out
	sed -i 's/"selector":"peer:notify","available":true/"selector":"peer:notify","available":false/' part
	reports 1 --output out --expected known --baseline baseline.json < part
	says "the pair peer:dynamic,peer:notify: peer:notify is not there"
}

@test "mistakes in a file are named by file and line" {
	local text

	for text in "PIN-01 pin.holds fail" "PIN-01 pin.holds fail |  " "PIN-01 pin.holds splendid | x" \
		"PIN-01 pin.holds | x" "PIN-01 pin.holds fail why | x" "PIN-01 pin.holds fail | x | soon" \
		"PIN-01 pin.holds fail/pass often | x" "PIN-01 pin.holds fail/pass 3/2 | x" \
		"PIN-01 pin.holds fail/pass 0/0 | x" "PIN-01 pin.holds fail \"why | x" "PIN-01 pin.holds fail 3/20 | x" \
		"PIN-01 pin.holds fail | x | 6.1 | 7" "PIN-01 pin.holds fail | x | - | - | us | more"; do
		rm -rf known/7.3 out
		mkdir known/7.3
		known any,any "# first"
		known any,any "$text"
		stream normal 2 --expected known
		grep -q '^known/7.3/any,any.txt:2: ' errors
	done
}

@test "what cannot be read of what is expected takes nothing from the results" {
	known any,any "$FAILING"
	stream normal 2 --expected known
	says "as if nothing were expected"
	says "fail    PIN-01   pin.holds, udmabuf,drm:vgem"
	mv out/run.json mistaken.json
	rm -r out
	stream normal 1
	cmp out/run.json mistaken.json
	# The run need not be repeated.
	rm known/7.3/*
	known any,any "$FAILING | now with a reason"
	reports 0 --output out --append --expected known < /dev/null
}

@test "a series of which nothing is known: the results are whole, and that is said" {
	rmdir known/7.3
	stream normal 1 --expected known
	says "Nothing is expected of this kernel: there is no folder known/7.3"
	says "fail    PIN-01   pin.holds, udmabuf,drm:vgem"
	[ "$(total unexpected)" -gt 0 ]
	rm -r out
	mkdir known/7.3
	stream normal 1 --expected known
	run ! grep -q "Nothing is expected" shown
}

@test "a folder or baseline that is not there" {
	stream normal 2 --expected nowhere
	says "nowhere: No such file or directory"
	[ -s out/run.json ]
	rm -r out
	stream normal 2 --baseline nowhere.json
	rm -r out
	echo '{}' > empty.json
	stream normal 2 --baseline empty.json
	says "is no run.json"
}

@test "a deviation that has been fixed is expected of older kernels only" {
	local version

	for version in 7.3.5 7.4 7.3.40 8.0-rc1; do
		rm -rf known/7.3/* out
		known udmabuf,drm:vgem "$FAILING | a true deviation | 7.3.1 | $version | us"
		stream normal 0 --expected known
	done
	for version in 7.3.4 7.3 7.3-rc2 6.12.100; do
		rm -rf known/7.3/* out
		known udmabuf,drm:vgem "$FAILING | a true deviation | 6.12 | $version | us"
		stream normal 1 --expected known
		says "fail    PIN-01   pin.holds, udmabuf,drm:vgem"
		run ! grep -q Stale shown
	done
}

@test "a line that has been fixed says nothing of a kernel that passes" {
	known any,drm "$FAILING | a true deviation"
	known peer:dynamic,peer:notify "$FAILING | it used to | 7.3.1 | 7.3.4"
	stream normal 0 --expected known
}

@test "a distribution's kernel is as new as its version says, whatever its release" {
	sed 's/"release":"7.3.4-test","version":"#1 SMP"/"release":"7.3.0-57-amd64","version":"#1 SMP Debian 7.3.192-3 (2026)"/' \
		"$STREAMS/normal.jsonl" > renamed
	known udmabuf,drm:vgem "$FAILING | a true deviation | 7.3.1 | 7.3.193 | us"
	reports 0 --output out --expected known < renamed
	known peer:dynamic,peer:notify "ATT-01 attach.attaches fail | it used to | 7.3.1 | 7.3.192 | us"
	reports 0 --output other --expected known < renamed
}
