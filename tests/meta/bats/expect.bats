#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-report expect: lines of expected results out of a run, never wider than what it saw.

bats_require_minimum_version 1.5.0
load stream

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p known/7.3
}

# known PAIR LINE: one more known result on kernel 7.3.
known() {
	echo "$2" >> "known/7.3/$1.txt"
}

# runs SED...: a run, with its records changed.
runs() {
	rm -rf out
	sed "$@" "$STREAMS/normal.jsonl" > changed
	report --quiet --output out < changed > shown 2> errors || true
}

# expects STATUS OPTION...
expects() {
	local wanted=$1

	shift
	exits "$wanted" report expect --expected known "$@" out > shown 2> errors || { cat shown errors; return 1; }
}

# gate STATUS: of the run as it is, by the lines as they are.
gate() {
	rm -rf gated
	reports "$1" --quiet --gate --expected known --output gated < changed
}

# lines: all that is not a comment.
lines() {
	(cd known && grep -rv '^#' . | sort)
}

@test "skips and refusals get lines of their pair, and then the gate is content with them" {
	runs ''
	expects 1
	says "decide   udmabuf,drm:vgem pin.holds PIN-01: fail (wants a reason, --fails REASON"
	diff -u - <(lines) <<- 'END'
		./7.3/peer:dynamic,peer:notify.txt:PIN-11 pin.refuses refused | EOPNOTSUPP
		./7.3/peer:dynamic,peer:notify.txt:UAPI-08.b attach.limits skip | no such limit #1
		./7.3/udmabuf,drm:vgem.txt:PIN-11 pin.refuses refused | EOPNOTSUPP
		./7.3/udmabuf,drm:vgem.txt:UAPI-08.b attach.limits skip | no such limit #1
	END
	gate 1
	says "1 unexpected"
	head -n 1 known/7.3/udmabuf,drm:vgem.txt | grep -q SPDX
	expects 0 --fails "https://bugs.example/17" --found-by "A. Tester"
	grep -qx 'PIN-01 pin.holds fail | https://bugs.example/17 | 7.3.4 | - | A. Tester' known/7.3/udmabuf,drm:vgem.txt
	gate 0
	cp -r known before
	expects 0
	says "0 lines changed, 0 left to decide"
	diff -r before known
}

@test "a series of which nothing was known, and a dry run" {
	rm -r known/7.3
	runs ''
	expects 0 --fails why --dry-run
	says "5 lines to change"
	[ ! -e known/7.3 ]
	expects 0 --fails why
	gate 0
}

@test "--wide: one line where all pairs agree, and none for failures" {
	runs ''
	expects 0 --wide --fails why
	diff -u - <(lines) <<- 'END'
		./7.3/any,any.txt:PIN-11 pin.refuses refused | EOPNOTSUPP
		./7.3/any,any.txt:UAPI-08.b attach.limits skip | no such limit #1
		./7.3/udmabuf,drm:vgem.txt:PIN-01 pin.holds fail | why | 7.3.4 | - | -
	END
	gate 0
}

@test "--wide: failures stay with their pair even where all fail, and so does what one pair alone ran" {
	runs -e 's/\("case":"holds","clause":"PIN-01","verdict":\)"pass"/\1"fail"/' -e 's/"ok \([0-9]* pair.holds\)"/"not ok \1"/' \
		-e '/"job":4/s/"case":"refuses"/"case":"refused"/; /"job":4/s/pair.refuses/pair.refused/'
	expects 0 --wide --fails why
	diff -u - <(lines) <<- 'END'
		./7.3/any,any.txt:UAPI-08.b attach.limits skip | no such limit #1
		./7.3/peer:dynamic,peer:notify.txt:PIN-01 pin.holds fail | why | 7.3.4 | - | -
		./7.3/peer:dynamic,peer:notify.txt:PIN-11 pin.refuses refused | EOPNOTSUPP
		./7.3/udmabuf,drm:vgem.txt:PIN-01 pin.holds fail | why | 7.3.4 | - | -
		./7.3/udmabuf,drm:vgem.txt:PIN-11 pin.refused refused | EOPNOTSUPP
	END
	gate 0
}

@test "--wide: pairs of one end, where others are judged" {
	# A second exporter that skips what the first pair of all is judged on.
	runs -e "/\"type\":\"schedule\"/s/{\"job\":3,/{\"job\":13,\"exporter\":\"heap:a\",\"importer\":\"drm:vgem\",\"program\":\"attach\",\"fault\":null},&/" \
		-e "/\"job\":1,.*\"type\":\"job\",\"state\":\"start\"/,/\"job\":1,\"state\":\"end\"/s/\"clause\":\"UAPI-08.b\",\"verdict\":\"skip\"/\"clause\":\"UAPI-08.b\",\"verdict\":\"pass\"/" \
		-e 's/\(ok 3 pair.limits\) # SKIP.*"/\1"/'
	# What ran as job 3 ran as job 13 too.
	sed -n '/"job":3,.*"type":"job","state":"start"/,/"job":3,"state":"end"/p' changed |
		sed 's/"job":3/"job":13/; s/"udmabuf"/"heap:a"/' > added
	sed -i '/"job":3,"state":"end"/r added' changed
	rm -rf out
	report --quiet --output out < changed > shown 2> errors || true
	expects 0 --wide --fails why
	grep -qx 'UAPI-08.b attach.limits skip | no such limit #1' "known/7.3/any,drm:vgem.txt"
	run ! grep -rq UAPI-08.b known/7.3/any,any.txt "known/7.3/udmabuf,drm:vgem.txt"
	gate 0
}

@test "without --wide a line stays with its pair, and lines for many are never changed" {
	runs ''
	known any,drm "PIN-01 pin.h* pass | wrong, and not ours to mend"
	known drm,any "UAPI-08.b attach.limits skip | of another exporter"
	cp -r known before
	expects 1
	diff before/7.3/any,drm.txt known/7.3/any,drm.txt
	diff before/7.3/drm,any.txt known/7.3/drm,any.txt
	[ ! -e known/7.3/any,any.txt ]
}

@test "comments and the order of lines stay" {
	runs ''
	printf '%s\n' '# first' '' 'PIN-01 pin.holds fail | why' '# about the next' 'ZZZ-01 zoo.gone skip | elsewhere' \
		> known/7.3/udmabuf,drm:vgem.txt
	expects 0
	diff -u - known/7.3/udmabuf,drm:vgem.txt <<- 'END'
		# first

		PIN-01 pin.holds fail | why
		# about the next
		PIN-11 pin.refuses refused | EOPNOTSUPP
		UAPI-08.b attach.limits skip | no such limit #1
		ZZZ-01 zoo.gone skip | elsewhere
	END
}

@test "a known failure that is good on a newer kernel has been fixed there" {
	runs -e 's/\("case":"holds","clause":"PIN-01","verdict":\)"fail"/\1"pass"/' -e 's/not ok/ok/'
	known udmabuf,drm:vgem "PIN-01 pin.holds fail | a true deviation | 7.3.1 | - | us"
	expects 0
	says "change   known/7.3/udmabuf,drm:vgem.txt: PIN-01 pin.holds fail | a true deviation | 7.3.1 | 7.3.4 | us"
	grep -qx 'PIN-01 pin.holds fail | a true deviation | 7.3.1 | 7.3.4 | us' known/7.3/udmabuf,drm:vgem.txt
	gate 0
}

@test "one that is good on the kernel that had it, or is not judged, is left to a person" {
	local first

	runs -e 's/\("case":"holds","clause":"PIN-01","verdict":\)"fail"/\1"pass"/' -e 's/not ok/ok/'
	for first in " | 7.3.4" " | 7.4" ""; do
		rm known/7.3/* 2> shown || true
		known udmabuf,drm:vgem "PIN-01 pin.holds fail | a true deviation$first"
		expects 1
		says "is pass, and not known to have failed on an older kernel"
		grep -qx "PIN-01 pin.holds fail | a true deviation$first" known/7.3/udmabuf,drm:vgem.txt
	done
	runs -e 's/\("case":"holds","clause":"PIN-01","verdict":\)"fail"/\1"skip"/' -e 's/"not ok \([0-9]* pair.holds\)"/"ok \1 # SKIP"/'
	rm known/7.3/*
	known udmabuf,drm:vgem "PIN-01 pin.holds fail | a true deviation | 7.3.1"
	expects 1 --prune
	says "is skip, and not known"
	grep -q "PIN-01 pin.holds fail" known/7.3/udmabuf,drm:vgem.txt
}

@test "other lines of the pair follow the run" {
	runs ''
	known udmabuf,drm:vgem "PIN-01 pin.holds timeout | slow"
	known udmabuf,drm:vgem "PIN-11 pin.refuses skip | not there"
	known udmabuf,drm:vgem "ATT-01 attach.attaches skip | not there"
	known udmabuf,drm:vgem "ATT-02 attach.attaches value at map | as it did"
	expects 0 --fails why
	diff -u - <(grep -v '^#' known/7.3/udmabuf,drm:vgem.txt) <<- 'END'
		PIN-01 pin.holds fail | why | 7.3.4 | - | -
		PIN-11 pin.refuses refused | EOPNOTSUPP
		ATT-02 attach.attaches value at attach | as it did
		UAPI-08.b attach.limits skip | no such limit #1
	END
	gate 0
}

@test "flakes, and lines for all kernels, are never changed" {
	runs ''
	mkdir known/any
	echo "ATT-01 attach.attaches skip | everywhere" > known/any/udmabuf,drm:vgem.txt
	known udmabuf,drm:vgem "PIN-01 pin.holds timeout/pass | at times"
	expects 1 --fails why
	says "decide   known/7.3/udmabuf,drm:vgem.txt: PIN-01 pin.holds timeout/pass | at times (is fail now)"
	says "a line of several pairs or kernels says skip"
	grep -qx "PIN-01 pin.holds timeout/pass | at times" known/7.3/udmabuf,drm:vgem.txt
	grep -qx "ATT-01 attach.attaches skip | everywhere" known/any/udmabuf,drm:vgem.txt
}

@test "--rates: what flakes did is counted, and nothing else of their lines changes" {
	runs ''
	known udmabuf,drm:vgem "PIN-01 pin.holds fail/pass | at times | 7.3 | - | us"
	known any,peer "PIN-0* pin.holds pass/fail 3/20 | at times"
	known any,any "UAPI-08.b attach.limits skip/fail | at times"
	known any,any "PIN-11 pin.refuses refused | declined"
	expects 0
	says "0 lines changed"
	expects 0 --rates
	diff -u - <(lines) <<- 'END'
		./7.3/any,any.txt:PIN-11 pin.refuses refused | declined
		./7.3/any,any.txt:UAPI-08.b attach.limits skip/fail 0/2 | at times
		./7.3/any,peer.txt:PIN-0* pin.holds pass/fail 3/22 | at times
		./7.3/udmabuf,drm:vgem.txt:PIN-01 pin.holds fail/pass 1/1 | at times | 7.3 | - | us
	END
	expects 0 --rates --dry-run
	says "PIN-01 pin.holds fail/pass 2/2 | at times | 7.3 | - | us"
	grep -q 'fail/pass 1/1' known/7.3/udmabuf,drm:vgem.txt
	gate 0
}

@test "stale lines are told, and removed when asked" {
	runs ''
	known any,any "PIN-99 pin.* skip | gone"
	known any,drm "PIN-01 pin.holds fail | why"
	known udmabuf,drm:vgem "PIN-98 pin.vanished skip | it was there"
	known heap:system,drm:vgem "PIN-98 pin.vanished skip | not run here"
	expects 1
	says "stale    known/7.3/any,any.txt: PIN-99 pin.* skip | gone"
	says "decide   known/7.3/udmabuf,drm:vgem.txt: PIN-98 pin.vanished skip | it was there (is missing, or --prune)"
	[ -e known/7.3/any,any.txt ]
	expects 0 --prune
	says "remove   known/7.3/any,any.txt: PIN-99 pin.* skip | gone"
	[ ! -s known/7.3/any,any.txt ]
	run ! grep -rq vanished known/7.3/udmabuf,drm:vgem.txt
	grep -q vanished known/7.3/heap:system,drm:vgem.txt
	gate 0
}

@test "of a case that the schedule left out no line is stale" {
	runs 's/\({"job":4,[^}]*"fault":null\)}/\1,"cases":["holds","refuses"]}/'
	known udmabuf,drm:vgem "PIN-98 pin.left_out skip | by the schedule"
	known drm:vgem,drm:vgem "PIN-98 pin.left_out skip | not run"
	expects 0 --prune --fails why
	grep -q left_out known/7.3/udmabuf,drm:vgem.txt
	runs ''
	expects 0 --prune --fails why
	run ! grep -q left_out known/7.3/udmabuf,drm:vgem.txt
}

@test "a reason that would break a line does not" {
	runs -e 's/no such limit #1/one | two\\nthree/' -e 's/# SKIP no such limit/# SKIP/'
	expects 0 --fails why
	grep -qx 'UAPI-08.b attach.limits skip | one / two three' known/7.3/udmabuf,drm:vgem.txt
	gate 0
}

@test "runs from which no line would hold" {
	head -n 40 "$STREAMS/normal.jsonl" > part
	report --quiet --output out --remaining rest < part > shown 2> errors || true
	expects 125
	says "is incomplete"
	rm -rf out
	report --quiet --output out --mutants "$TOP/tests/meta/mutants.list" < "$STREAMS/mutants.jsonl" > shown 2> errors || true
	expects 125
	says "is of a mutation run"
	[ -z "$(ls known/7.3)" ]
}

@test "usage, and what cannot be read or written" {
	runs ''
	exits 2 report expect out 2> errors
	exits 2 report expect --expected known 2> errors
	exits 2 report expect --expected nowhere out 2> errors
	exits 2 report expect --expected known --fails "a|b" out 2> errors
	exits 2 report expect --expected known --frobnicate out 2> errors
	exits 0 report expect --help > shown
	echo "PIN-01 pin.holds | x" > known/7.3/any,any.txt
	expects 2
	rm known/7.3/any,any.txt
	mkdir "known/7.3/udmabuf,drm:vgem.txt.new"
	expects 125
	[ "$(grep -c cannot errors)" -eq 1 ]
}

@test "the verb" {
	runs ''
	exits 0 "$TOP/dmabuf-cts" expect --fails why --expected known out > shown 2> errors || { cat shown errors; return 1; }
	gate 0
	exits 2 "$TOP/dmabuf-cts" expect 2> errors
	exits 0 "$TOP/dmabuf-cts" expect --help > shown
}
