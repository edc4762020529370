#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# All mutants on all pairs with all cases, those that are a matter of time again and again, and what
# all that says by clause. This takes hours.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../runners/common.sh"

USAGE="usage: mutants_full.sh [--list FILE] [--output FOLDER] [VM-OPTION]...
  --list FILE       the mutants (default tests/meta/mutants.list)
  --output FOLDER   for the runs and score.txt (default results/mutants-full)
Environment: REPEATS of the mutants that the list calls 'timing' (default 20).
Exit status: 0 all are caught, those in at least 19 of 20 repeats; 1 not so; 2 usage; 125 not all was run.
Started again with the same folder it goes on behind the last run that was over, or anew if the sources,
the list or the options are others."

LIST=$CTS_TOP/tests/meta/mutants.list
OUTPUT=results/mutants-full
OPTIONS=()

# stamp: what the runs of the folder are of.
stamp() {
	git -C "$CTS_TOP" rev-parse HEAD
	git -C "$CTS_TOP" diff HEAD | sha256sum
	sha256sum < "$LIST"
	printf '%s\n' "${OPTIONS[@]}"
}

# begin: forget runs that are of something else.
begin() {
	local now

	mkdir -p "$OUTPUT"
	now=$(stamp) || die "cannot tell which sources $CTS_TOP holds: it is no git checkout"
	[ "$now" != "$(cat "$OUTPUT/stamp" 2> /dev/null)" ] || return 0
	[ ! -e "$OUTPUT/all" ] || say "$OUTPUT is of other sources, another list or other options: it begins anew"
	rm -rf "$OUTPUT/all" "$OUTPUT"/repeat-*
	echo "$now" > "$OUTPUT/stamp"
}

# run NAME OPTION...: one run of mutants, unless it is there already.
run() {
	local out=$OUTPUT/$1 status=0

	shift
	[ ! -e "$out/mutants.json" ] || return 0
	rm -rf "$out"
	say "${out##*/} begins"
	"$CTS_TOP/runners/mutants.sh" --output "$out" "$@" > "$out.log" 2>&1 < /dev/null || status=$?
	[ "$status" -le 1 ] || die "${out##*/} ended with status $status; see $out.log"
}

# list_timing: the mutants that are a matter of time.
list_timing() {
	grep -E '^[^#]* timing( |$)' "$LIST" || true
}

repeat_timing() {
	local number

	list_timing > "$OUTPUT/timing.list"
	[ -s "$OUTPUT/timing.list" ] || return 0
	for ((number = 1; number <= ${REPEATS:-20}; number++)); do
		run "repeat-$number" --list "$OUTPUT/timing.list" "${OPTIONS[@]}"
	done
}

# score: of all runs, by copies where the build root sees them; "all" comes first by its name.
score() {
	local copies=$CTS_CACHE/run/score.$$ status=0 file

	mkdir -p "$copies"
	for file in "$OUTPUT"/all "$OUTPUT"/repeat-*; do
		[ ! -e "$file/mutants.json" ] || cp "$file/mutants.json" "$copies/${file##*/}.json"
	done
	"$CTS_TOP/runners/enter.sh" tests/meta/mutant_score.py "$copies"/*.json > "$OUTPUT/score.txt" || status=$?
	cat "$OUTPUT/score.txt"
	rm -rf "$copies"
	return "$status"
}

main() {
	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--list) need_value "$1" $#; LIST=$2; shift 2 ;;
		--output) need_value "$1" $#; OUTPUT=$2; shift 2 ;;
		*) OPTIONS+=("$1"); shift ;;
		esac
	done
	[ -r "$LIST" ] || usage_error "cannot read the list of mutants '$LIST'"
	begin
	run all --full --list "$LIST" "${OPTIONS[@]}"
	repeat_timing
	score
}

main "$@"
