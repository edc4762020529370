#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How long things take that people wait for: what is set up already, a guest's way to its first
# verdict, the whole demonstration, the suite's cost by program, and the emulated NIC's bandwidth.
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
}

LOAD=$(cut -d ' ' -f 1 /proc/loadavg)
main "$@"
