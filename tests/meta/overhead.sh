#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the monitor costs those that it watches, beside the kernel's function tracer and bpftrace, all in
# one guest and in turns: overhead.sh [KERNEL]

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../runners/common.sh"

# pack_bpftrace: kept in the cache, under a name made from what it is made of.
pack_bpftrace() {
	runners/setup.sh --recipe bpftrace || die "there is no bpftrace to compare with"
	ARCHIVE=$CTS_CACHE/images/bpftrace-$({
		CTS_RECIPE=bpftrace runners/setup.sh --print
		cat tests/meta/overhead/pack.sh runners/guest/libraries.sh
	} | sha256sum | cut -c 1-12).cpio
	[ ! -e "$ARCHIVE" ] || return 0
	runners/enter.sh --recipe bpftrace tests/meta/overhead/pack.sh "$ARCHIVE.$$" || die "cannot pack bpftrace"
	mv "$ARCHIVE.$$" "$ARCHIVE"
}

main() {
	local build_programs='' build_modules='' built

	cd "$CTS_TOP"
	mkdir -p "$CTS_CACHE/run" "$CTS_CACHE/images"
	WORK=$(mktemp -d "$CTS_CACHE/run/overhead.XXXXXX")
	trap 'rm -rf "$WORK"' EXIT
	pack_bpftrace
	runners/kernels.sh get "${1:-newest}" > "$WORK/env"
	built=$(runners/build.sh --kernel-env "$WORK/env") || exit
	eval "$built"
	[ -n "$build_modules" ] || die "no peers for this kernel: it has no headers"
	[ -x "$build_programs/cts-monitor" ] || die "the monitor is not built: that takes clang and libbpf-dev"
	runners/build.sh --target units > /dev/null
	mkdir "$WORK/programs"
	cp "${build_programs%/*}/meta/overhead" "$build_programs/cts-monitor" "$WORK/programs/"
	runners/guest/boot.sh --kernel-env "$WORK/env" --programs "$WORK/programs" --agent overhead \
		--watchdog "$build_programs/cts-watchdog" --archive "$ARCHIVE" --memory 3G \
		--module "$build_modules/dmabuf_peer_exporter.ko" --module "$build_modules/dmabuf_peer_importer.ko" \
		--console "$WORK/console" || { cat "$WORK/console" >&2; exit 1; }
}

main "$@"
