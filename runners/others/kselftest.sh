#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds and packs the kernel's own selftests of dma-buf exporters for the guest. Runs in the build root
# of recipe "base", whose libraries are in the guest anyhow.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
# shellcheck source=runners/others/pack.sh
. "$CTS_TOP/runners/others/pack.sh"

main() {
	local list=$1 archive=$2 selftests=$3/tools/testing/selftests name file

	begin_stage kselftest "$list"
	for name in $(programs_of "$list"); do
		# The suite itself may have been put there, and has files of such names.
		file=$(find "$selftests" -path '*/dmabuf-cts' -prune -o -name "$name.c" -print | head -n 1)
		[ -n "$file" ] || die "the kernel has no selftest $name any more; update $list"
		gcc-14 -O2 -D_GNU_SOURCE= -I"$selftests" -I/usr/include/libdrm -o "$PLACE/run/$name" "$file" ||
			die "the kernel's selftest $file does not build; the compiler says why above"
	done
	pack_stage "$archive"
}

main "$@"
