#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Moves bytes with the kernel's software RDMA in a guest: loopback.sh KERNEL BUILD
# BUILD is a build folder with programs and units. Prints TAP.

set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=runners/common.sh
. runners/common.sh
# shellcheck source=runners/setup/root.sh
. runners/setup/root.sh

USAGE="usage: loopback.sh KERNEL BUILD"
[ $# -eq 2 ] || usage_error "a kernel and a folder are needed"

mkdir -p "$CTS_CACHE/run"
env=$(mktemp "$CTS_CACHE/run/loopback.XXXXXX")
trap 'rm -f "$env"' EXIT
runners/kernels.sh get "$1" > "$env"

# By its name in the build root, which carries the version of the interface.
provider=$(find "$CTS_ROOT/usr/lib" -name 'librxe-rdmav*.so')
[ -n "$provider" ] || die "no provider for software RDMA in the build root; is ibverbs-providers in its recipe?"

# crc32_generic: what rxe asks for on older kernels, without saying so in its dependencies.
runners/guest/boot.sh --kernel-env "$env" --programs "$2/meta" --agent loopback \
	--watchdog "$2/bin/cts-watchdog" \
	--stock ib_uverbs --stock dummy --stock crc32_generic --stock rdma_rxe \
	--file "${provider#"$CTS_ROOT"}" --console /dev/stderr --timeout 120
