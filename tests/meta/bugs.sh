#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Public bugs: the suite, run as always, must fail on a kernel that has one, by the clause that it
# breaks, and pass on one that has not; or a test must catch a mutant with the same defect.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../runners/common.sh"

USAGE="usage: bugs.sh [--list FILE] [NAME]... [-- VM-OPTION...]
For each public bug of the list, or those with these names, a line of TAP.
  --list FILE   default: tests/meta/bugs/bugs.list, which says what a line is
A kernel that the archive no longer carries is a skip, with that reason.
Exit status: 0 nothing is wrong, 1 something is, 2 usage."

LIST=$CTS_TOP/tests/meta/bugs/bugs.list
NUMBER=0 FAILED=0
# What runners/kernels.sh says where the archive does not carry a kernel, or only a part of it.
readonly NOT_CARRIED=("there is no kernel '" "the archive carries its image without its modules")

# bugs FORM: name and fields of the chosen bugs of that form, without what follows the bar.
bugs() {
	local name form rest

	while read -r name form rest; do
		[ "$form" = "$1" ] || continue
		[ ${#NAMES[@]} -eq 0 ] || [[ " ${NAMES[*]} " = *" $name "* ]] || continue
		echo "$name ${rest%%|*}"
	done < <(sed 's/^#.*//' "$LIST")
}

# result NAME COMPLAINTS: one line of TAP; without complaints it is good.
result() {
	NUMBER=$((NUMBER + 1))
	if [ -z "$2" ]; then
		echo "ok $NUMBER - $1"
		return
	fi
	echo "not ok $NUMBER - $1"
	printf '# %s\n' "${2//$'\n'/$'\n# '}"
	FAILED=1
}

skip() {
	NUMBER=$((NUMBER + 1))
	echo "ok $NUMBER - $1 # SKIP $2"
}

# judge ARG...: see judge.py; prints the complaints, also of itself: what was not judged is not good.
judge() {
	local said status=0

	said=$("$CTS_TOP/runners/enter.sh" tests/meta/bugs/judge.py "$@") || status=$?
	[ -z "$said" ] || echo "$said"
	[ "$status" -eq 0 ] || [ -n "$said" ] || echo "it could not be judged: judge.py ended with status $status"
}

# get_kernel KERNEL: it is here now. Else sets REASON; status 1: the archive does not carry it, 2: what
# it carries could not be had, which says nothing of the bug.
get_kernel() {
	local said words

	said=$("$CTS_TOP/runners/kernels.sh" get "$1" 2>&1 > /dev/null) && return
	said=$(sed -n 's/^dmabuf-cts: //p' <<< "$said")
	for words in "${NOT_CARRIED[@]}"; do
		REASON="kernel $1: $(grep -F -m 1 "$words" <<< "$said")" && return 1
	done
	REASON="kernel $1: ${said##*$'\n'}"
	return 2
}

# complaints_on KERNEL bad|good PAIR PROGRAM CLAUSE...: run it there, and print what is not so.
complaints_on() {
	local kernel=$1 wanted=$2 pair=$3 program=$4 out=$WORK/$1 status=0

	shift 4
	rm -rf "$out"
	"$CTS_TOP/runners/vm.sh" --kernel "$kernel" --exporter "${pair%,*}" --importer "${pair##*,}" \
		--program "$program" --quiet --output "$out" "${OPTIONS[@]}" > "$out.log" 2>&1 < /dev/null || status=$?
	if [ ! -e "$out/run.json" ]; then
		echo "on $kernel nothing was run: $(tail -n 1 "$out.log") (status $status)"
		return
	fi
	judge "$wanted" "$out/run.json" "$@" | sed "s/^/on $kernel, $wanted: /"
}

# compare NAME BAD GOOD PAIR PROGRAM CLAUSE...
compare() {
	local name=$1 bad=$2 good=$3 kernel status=0

	for kernel in "$bad" "$good"; do
		get_kernel "$kernel" || status=$?
		case $status in
		1) skip "$name" "$REASON"; return ;;
		2) result "$name" "$REASON"; return ;;
		esac
	done
	shift 3
	result "$name" "$(complaints_on "$bad" bad "$@"; complaints_on "$good" good "$@")"
}

compare_kernels() {
	local name fields

	while read -r -u 3 name fields; do
		# shellcheck disable=SC2086
		compare "$name" $fields
	done 3< <(bugs kernels)
}

# list_guards: the lines of the list of mutants that the guards name, in its order: what some of them
# leave in a guest is in the way of others before them.
list_guards() {
	bugs guard | awk '
		!all { wanted[$2] = 1; next }
		($2 ":" $1) in wanted { print; delete wanted[$2 ":" $1] }
		END { for (mutant in wanted) print "tests/meta/mutants.list has no " mutant > "/dev/stderr" }' \
		- all=1 "$CTS_TOP/tests/meta/mutants.list"
}

# run_guards: their mutants, many to a guest.
run_guards() {
	[ -n "$(bugs guard)" ] || return 0
	list_guards > "$WORK/guards.list"
	[ -s "$WORK/guards.list" ] || return 0
	"$CTS_TOP/runners/mutants.sh" --list "$WORK/guards.list" --output "$WORK/guards" "${OPTIONS[@]}" \
		> "$WORK/guards.log" 2>&1 < /dev/null || true
}

judge_guards() {
	local name fields complaints

	run_guards
	while read -r -u 3 name fields; do
		# shellcheck disable=SC2086
		if [ -e "$WORK/guards/mutants.json" ]; then
			complaints=$(judge guard "$WORK/guards/mutants.json" $fields)
		else
			complaints="the mutants were not run: $(tail -n 1 "$WORK/guards.log")"
		fi
		result "$name" "$complaints"
	done 3< <(bugs guard)
}

# check_names: that each chosen bug is in the list.
check_names() {
	local name

	for name in "${NAMES[@]}"; do
		sed 's/^#.*//' "$LIST" | grep -q "^$name " || usage_error "the list has no bug of this name: $name"
	done
}

parse_options() {
	NAMES=() OPTIONS=()
	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--list) need_value "$1" $#; LIST=$2; shift 2 ;;
		--) shift; OPTIONS=("$@"); break ;;
		-*) usage_error "unknown option $1" ;;
		*) NAMES+=("$1"); shift ;;
		esac
	done
	[ -r "$LIST" ] || usage_error "cannot read the list of bugs '$LIST'"
	check_names
}

main() {
	parse_options "$@"
	cd "$CTS_TOP"
	mkdir -p "$CTS_CACHE/run"
	WORK=$(mktemp -d "$CTS_CACHE/run/bugs.XXXXXX")
	trap 'rm -rf "$WORK"' EXIT
	compare_kernels
	judge_guards
	echo "1..$NUMBER"
	[ "$NUMBER" -gt 0 ] || usage_error "the list of bugs '$LIST' is empty"
	exit "$FAILED"
}

main "$@"
