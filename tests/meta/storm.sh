#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The stress program under one monitor for a long time, in a guest: no false violation, nothing lost,
# memory as it was: storm.sh [MINUTES [KERNEL]]. Prints TAP.

set -eu -o pipefail
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../runners/common.sh"

USAGE="usage: storm.sh [MINUTES [KERNEL]]   (default: 20 minutes on the newest kernel; 2 to 1440)"

main() {
	local minutes=${1:-20} build_programs='' build_modules='' built modules=() file status=0

	[ "$minutes" != --help ] || { echo "$USAGE"; exit; }
	if ! [[ $minutes =~ ^[1-9][0-9]{0,3}$ ]] || [ "$minutes" -lt 2 ] || [ "$minutes" -gt 1440 ]; then
		usage_error "so many minutes cannot be: '$minutes'"
	fi
	cd "$CTS_TOP"
	mkdir -p "$CTS_CACHE/run"
	WORK=$(mktemp -d "$CTS_CACHE/run/storm.XXXXXX")
	trap 'rm -rf "$WORK"' EXIT
	runners/kernels.sh get "${2:-newest}" > "$WORK/env"
	built=$(runners/build.sh --kernel-env "$WORK/env") || exit
	eval "$built"
	[ -n "$build_modules" ] || die "no peers for this kernel: it has no headers"
	[ -x "$build_programs/cts-monitor" ] || die "the monitor is not built: that takes clang and libbpf-dev"
	for file in exporter importer umem; do
		modules+=(--module "$build_modules/dmabuf_peer_$file.ko")
	done
	mkdir "$WORK/programs"
	cp "$build_programs/cts-monitor" "$build_programs/stress" "$WORK/programs/"
	install tests/meta/storm/guest.sh "$WORK/programs/storm"
	runners/guest/boot.sh --kernel-env "$WORK/env" --programs "$WORK/programs" --agent storm \
		--watchdog "$build_programs/cts-watchdog" "${modules[@]}" --environment STORM_SECONDS=$((minutes * 60)) \
		--timeout $((minutes * 60 + 900)) --console "$WORK/console" | tee "$WORK/tap" || status=$?
	[ -s "$WORK/tap" ] || { cat "$WORK/console" >&2; exit 125; }
	[ "$status" -eq 0 ] || say "the guest did not come to its end (status $status)"
	[ "$status" -eq 0 ] && [ "$(grep -c '^ok [1-4] ' "$WORK/tap")" -eq 4 ] && ! grep -q '^not ok' "$WORK/tap"
}

main "$@"
