#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The suite again and again on each kernel: every run must give the verdicts of the first.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../runners/common.sh"

USAGE="usage: repeat.sh [VM-OPTION]...
Environment: RUNS on each kernel (default 10), CTS_KERNELS (default: newest 6.12 6.1).
Options are passed on to 'dmabuf-cts vm', such as --no-iommu.
Exit status: 0 all runs agree and have nothing unexpected, else 1."

# run KERNEL NUMBER VM-OPTION...: its verdicts as lines in a file of their own, sorted.
run() {
	local kernel=$1 number=$2 status=0

	shift 2
	rm -rf "$WORK/run"
	./dmabuf-cts vm --kernel "$kernel" --gate --quiet --output "$WORK/run" "$@" > "$WORK/log" 2>&1 || status=$?
	if [ "$status" -gt 1 ]; then
		tail -n 20 "$WORK/log" >&2
		die "run $number on $kernel ended with status $status"
	fi
	"$CTS_TOP/runners/enter.sh" tests/meta/verdicts.py "$WORK/run/run.json" > "$WORK/$kernel-$number"
	say "$kernel, run $number of $RUNS: $(wc -l < "$WORK/$kernel-$number") verdicts, exit status $status"
	[ "$status" -eq 0 ] || UNEXPECTED=$((UNEXPECTED + 1))
}

# compare KERNEL: one row of the table, and what differs between any two of its runs.
compare() {
	local number differing

	for ((number = 2; number <= RUNS; number++)); do
		diff "$WORK/$1-1" "$WORK/$1-$number" | grep '^[<>]' || true
	done | sed 's/^..//' | cut -f 1 | sort | uniq -c > "$WORK/$1-differing"
	differing=$(wc -l < "$WORK/$1-differing")
	printf '%-10s %5d %10d %11d %11d\n' "$1" "$RUNS" "$(wc -l < "$WORK/$1-1")" "$UNEXPECTED" "$differing"
	[ "$differing" -eq 0 ] || cat "$WORK/$1-differing"
	[ "$differing" -eq 0 ] && [ "$UNEXPECTED" -eq 0 ]
}

main() {
	local kernel number status=0

	[ "${1-}" != --help ] || { echo "$USAGE"; exit; }
	cd "$CTS_TOP"
	RUNS=${RUNS:-10}
	mkdir -p "$CTS_CACHE/run"
	WORK=$(mktemp -d "$CTS_CACHE/run/repeat.XXXXXX")
	trap 'rm -rf "$WORK"' EXIT
	# A row as soon as there is one: what an interrupt leaves unsaid is only the kernel at hand.
	printf '%-10s %5s %10s %11s %11s\n' kernel runs verdicts unexpected differing
	for kernel in ${CTS_KERNELS:-newest 6.12 6.1}; do
		UNEXPECTED=0
		for ((number = 1; number <= RUNS; number++)); do
			run "$kernel" "$number" "$@"
		done
		compare "$kernel" || status=1
	done
	exit "$status"
}

main "$@"
