#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# tests/meta/bugs.sh: when a public bug counts as told from its absence. Kernels, runs and mutants are
# stand-ins; what judges them is the true one.

# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0
load common

setup() {
	make_folder
	SUITE=$FOLDER/suite
	mkdir -p "$SUITE/runners" "$SUITE/tests/meta/bugs" "$FOLDER/leaves"
	cp "$RUNNERS/common.sh" "$SUITE/runners/"
	cp "$TOP/tests/meta/bugs.sh" "$SUITE/tests/meta/"
	cp "$TOP/tests/meta/bugs/judge.py" "$SUITE/tests/meta/bugs/"
	stand_in enter 'exec "$RUNNERS/enter.sh" "$@"'
	stand_in kernels '[ ! -e "$FOLDER/gone-$2" ] || { cat "$FOLDER/gone-$2" >&2; exit 125; }'
	stand_in vm "$(declare -f run_stand_in); run_stand_in \"\$@\""
	stand_in mutants "$(declare -f mutants_stand_in); mutants_stand_in \"\$@\""
	export FOLDER
	echo "leak kernels 1-bad 1-good heap:system,uapi software EXS-03.g | a leak" > "$FOLDER/list"
	on 1-bad software.one EXS-03.g fail
	on 1-good software.one EXS-03.g pass
}

teardown() {
	remove_folder
}

# stand_in NAME COMMAND: for that runner.
stand_in() {
	printf '#!/bin/bash\n%s\n' "$2" > "$SUITE/runners/$1.sh"
	chmod +x "$SUITE/runners/$1.sh"
}

# on KERNEL PROGRAM.CASE CLAUSE VERDICT [MORE-MEMBERS]: a verdict of the run there.
on() {
	printf '{"program":"%s","case":"%s","clause":"%s","verdict":"%s"%s}\n' "${2%.*}" "${2#*.}" "$3" "$4" "${5-}" \
		>> "$FOLDER/leaves/$1"
}

# run_stand_in VM-OPTION...: the verdicts that on() noted for the kernel.
run_stand_in() {
	local kernel output options=$*

	echo "${options%% --output*}" >> "$FOLDER/calls"
	while [ $# -gt 0 ]; do
		case $1 in
		--kernel) kernel=$2 ;;
		--output) output=$2 ;;
		esac
		shift
	done
	[ -e "$FOLDER/leaves/$kernel" ] || { echo "no disk" >&2; exit 125; }
	mkdir "$output"
	printf '{"leaves":[%s]}\n' "$(paste -sd , "$FOLDER/leaves/$kernel")" > "$output/run.json"
}

# mutants_stand_in --list FILE --output DIR: as the file "mutants.json" says.
mutants_stand_in() {
	cp "$2" "$FOLDER/guards"
	[ -e "$FOLDER/mutants.json" ] || { echo "no guest" >&2; exit 125; }
	mkdir "$4"
	cp "$FOLDER/mutants.json" "$4/"
}

bugs() {
	local wanted=$1

	shift
	fails_with "$wanted" "$SUITE/tests/meta/bugs.sh" --list "$FOLDER/list" "$@"
}

@test "a bug that fails where it is and passes where it is not is told apart" {
	bugs 0
	says "ok 1 - leak" "1..1"
	diff "$FOLDER/calls" - <<- 'END'
		--kernel 1-bad --exporter heap:system --importer uapi --program software --quiet
		--kernel 1-good --exporter heap:system --importer uapi --program software --quiet
	END
}

@test "a bug that passes where it is, or is not judged, is not noticed" {
	rm "$FOLDER/leaves/1-bad"
	on 1-bad software.one EXS-03.g pass
	bugs 1
	says "not ok 1 - leak" "# on 1-bad, bad: EXS-03.g does not fail, but is pass"
	rm "$FOLDER/leaves/1-bad"
	on 1-bad software.one EXS-03.a pass
	bugs 1
	says "EXS-03.g does not fail, but is not judged"
}

@test "a skip where the bug is mended is no pass" {
	rm "$FOLDER/leaves/1-good"
	on 1-good software.one EXS-03.g skip
	bugs 1
	says "not ok 1 - leak" "# on 1-good, good: EXS-03.g does not pass, but is skip"
}

@test "a fail where the bug is mended is one, even if it is known of the series" {
	on 1-good software.two EXS-03.g fail ',"known":"of old"'
	bugs 1
	says "on 1-good, good: software.two EXS-03.g is fail"
}

@test "what else fails is wrong, unless it is known" {
	on 1-bad software.two EXS-03.a fail ',"known":"of old"'
	bugs 0
	on 1-bad software.three EXS-03.b fail ',"reason":"surprise"'
	bugs 1
	says "on 1-bad, bad: software.three EXS-03.b is fail: surprise"
}

@test "what the kernel warns of in the case that fails belongs to it" {
	on 1-bad software.one KLOG fail ',"reason":"WARNING"'
	bugs 0
	on 1-bad software.two KLOG fail ',"reason":"WARNING elsewhere"'
	bugs 1
	says "software.two KLOG is fail: WARNING elsewhere"
}

@test "a kernel that is no longer carried is a skip with its reason, and nothing is run" {
	"$RUNNERS/kernels.sh" get 1-good 2> "$FOLDER/gone-1-good" || true
	bugs 0
	says "ok 1 - leak # SKIP kernel 1-good: there is no kernel '1-good'"
	echo "dmabuf-cts: kernel 1-good cannot be used: the archive carries its image without its modules" \
		> "$FOLDER/gone-1-good"
	bugs 0
	says "ok 1 - leak # SKIP kernel 1-good: kernel 1-good cannot be used"
	[ ! -e "$FOLDER/calls" ]
}

@test "a kernel that is carried and cannot be had is wrong, and says why" {
	printf 'dmabuf-cts: %s\n' "fetching kernel 1-good (3 packages)" "cannot unpack a.deb; is the disk full?" \
		> "$FOLDER/gone-1-good"
	bugs 1
	says "not ok 1 - leak" "# kernel 1-good: cannot unpack a.deb; is the disk full?"
	[ ! -e "$FOLDER/calls" ]
}

@test "a run that did not come about is wrong, and says why" {
	rm "$FOLDER/leaves/1-bad"
	bugs 1
	says "not ok 1 - leak" "on 1-bad nothing was run: no disk (status 125)"
}

@test "what cannot be judged is not good" {
	rm "$SUITE/tests/meta/bugs/judge.py"
	bugs 1
	says "not ok 1 - leak" "it could not be judged: judge.py ended with status 127"
}

# guard CAUGHT-BY: a guard, and what its mutant was caught by.
guard() {
	mkdir -p "$SUITE/tests/meta"
	printf '%s\n' "slips importer PIN-03.a peer:dynamic,peer:silent" "other importer PIN-03.b" \
		> "$SUITE/tests/meta/mutants.list"
	echo "slip guard importer:slips errors.one PIN-03.a | it slips" > "$FOLDER/list"
	printf '[{"mutant":"slips","module":"importer","caught_by":["%s on a,b"]}]\n' "$1" > "$FOLDER/mutants.json"
}

@test "a guard is good if its test catches its mutant by its clause" {
	guard "errors.one PIN-03.a"
	bugs 0
	says "ok 1 - slip" "1..1"
	[ "$(< "$FOLDER/guards")" = "slips importer PIN-03.a peer:dynamic,peer:silent" ]
	echo "aside guard importer:other errors.one PIN-03.a | aside" > "$FOLDER/list"
	echo "slip guard importer:slips errors.one PIN-03.a | it slips" >> "$FOLDER/list"
	bugs 1
	[ "$(cut -d ' ' -f 1 "$FOLDER/guards" | paste -sd ,)" = "slips,other" ]
	guard "errors.two PIN-03.a"
	bugs 1
	says "not ok 1 - slip" "# importer:slips is not caught by errors.one PIN-03.a, but by errors.two PIN-03.a"
}

@test "a guard whose mutant is not there, or was not run, is wrong" {
	guard "errors.one PIN-03.a"
	rm "$FOLDER/mutants.json"
	bugs 1
	says "not ok 1 - slip" "the mutants were not run: no guest"
	guard "errors.one PIN-03.a"
	echo "gone guard core:gone errors.one PIN-03.a | it went" >> "$FOLDER/list"
	bugs 1
	says "ok 1 - slip" "not ok 2 - gone" "core:gone was not run" "mutants.list has no core:gone"
}

@test "some bugs by name, and names that are none" {
	guard "errors.one PIN-03.a"
	echo "leak kernels 1-bad 1-good heap:system,uapi software EXS-03.g | a leak" >> "$FOLDER/list"
	bugs 0 leak
	says "ok 1 - leak" "1..1"
	bugs 2 leak no-such-bug
	says "the list has no bug of this name: no-such-bug"
	bugs 2 --frob
	says "unknown option --frob"
}
