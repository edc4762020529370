#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How long things take that people wait for: what is set up already, a guest's way to its first
# verdict, the whole demonstration, the suite's cost by program, the emulated NIC's bandwidth, what the
# monitor costs, a kernel's way to its verdicts beside virtme-ng, and the page of the driver matrix in a
# browser.
# All in one run, one after another, as a machine's times are comparable only among themselves.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../runners/common.sh"

USAGE="usage: bench.sh [VM-OPTION]...
Options are passed on to 'dmabuf-cts vm', such as --kernel 6.12."

# timed NAME COMMAND...: say and run it, and note how long it took. Its output goes to a log.
timed() {
	local name=$1 began=$EPOCHREALTIME status=0

	shift
	printf '$ %s\n' "${*//"$WORK"/FOLDER}"
	"$@" > "$WORK/log" 2>&1 || status=$?
	# A run with something unexpected in it takes as long as another.
	if [ "$status" -gt 1 ]; then
		tail -n 20 "$WORK/log" >&2
		die "cannot measure: '$*' ended with status $status"
	fi
	printf '%s\t%s\t%s\n' "$name" "$began" "$EPOCHREALTIME" >> "$WORK/times"
}

# page_times: of the page with as much on it as the driver matrix may one day have.
page_times() {
	local page=$WORK/page.html made=$WORK/made

	runners/setup.sh --recipe page || return
	eval "$(runners/build.sh)"
	runners/enter.sh tests/meta/page/data.py "$made"
	# shellcheck disable=SC2154
	runners/enter.sh "$build_programs/cts-matrix" render --clauses "$made/clauses.json" --drivers "$made/drivers" \
		--results "$made/results" --page runners/matrix/page --format html > "$page"
	printf '%d kB\n' "$(($(stat -c %s "$page") / 1000))"
	runners/enter.sh --recipe page node tests/meta/page/large.js "$page" | sed -n 's/^# //p'
}

main() {
	[ "${1-}" != --help ] || { echo "$USAGE"; exit; }
	cd "$CTS_TOP"
	mkdir -p "$CTS_CACHE/run"
	WORK=$(mktemp -d "$CTS_CACHE/run/bench.XXXXXX")
	trap 'rm -rf "$WORK"' EXIT
	say "making what is missing, so that the times are those of later runs"
	./dmabuf-cts vm "$@" --exporter peer:static --importer peer:static --program export \
		--output "$WORK/warm" > "$WORK/log" 2>&1 || [ $? -eq 1 ] || { cat "$WORK/log" >&2; exit 125; }
	timed "set-up, nothing to do" runners/setup.sh
	timed "build, nothing to do" runners/build.sh
	timed "one program, one pair" ./dmabuf-cts vm "$@" --exporter peer:static --importer peer:static \
		--program export --output "$WORK/small"
	timed "the demonstration" ./dmabuf-cts vm "$@" --output "$WORK/demo"
	printf '%s processors, load %s before and %s after\n\n' "$(nproc)" "$LOAD" "$(cut -d ' ' -f 1 /proc/loadavg)"
	runners/enter.sh tests/meta/bench.py "$WORK/times" "$WORK/small" "$WORK/demo"
	printf '\nthe emulated NIC, into and out of a udmabuf, beside memcpy() in the same guest\n'
	tests/meta/bandwidth.sh 2> "$WORK/log" || { cat "$WORK/log" >&2; exit 125; }
	printf '\na peer that uses the buffer of a peer while it is traced\n'
	tests/meta/overhead.sh 2> "$WORK/log" || { cat "$WORK/log" >&2; exit 125; }
	printf '\nfrom the command to verdicts, beside virtme-ng\n'
	tests/meta/virtme.sh 2> "$WORK/log" || say "virtme-ng gave no result: $(tail -n 1 "$WORK/log")"
	printf '\nthe page of a driver matrix of 40 drivers, 10 kernels and 250 clauses, in a browser\n'
	page_times || say "there is no browser to open it in"
}

LOAD=$(cut -d ' ' -f 1 /proc/loadavg)
main "$@"
