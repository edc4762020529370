#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How fast the emulated NIC is, beside memcpy() in the same guest.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../runners/common.sh"

main() {
	local build_programs='' build_efa='' build_no_efa='' built

	cd "$CTS_TOP"
	mkdir -p "$CTS_CACHE/run"
	WORK=$(mktemp -d "$CTS_CACHE/run/bandwidth.XXXXXX")
	trap 'rm -rf "$WORK"' EXIT
	runners/kernels.sh get "${1:-newest}" > "$WORK/env"
	built=$(runners/build.sh --kernel-env "$WORK/env" --nic) || exit
	eval "$built"
	[ -n "$build_efa" ] || die "no driver for the emulated NIC: $build_no_efa"
	runners/build.sh --target units > /dev/null
	runners/guest/boot.sh --kernel-env "$WORK/env" --programs "${build_programs%/*}/meta" --agent bandwidth \
		--watchdog "$build_programs/cts-watchdog" --nic 1 --nic-server "$build_programs/cts-nic" \
		--module "$build_efa" --console "$WORK/console" || { cat "$WORK/console" >&2; exit 1; }
}

main "$@"
