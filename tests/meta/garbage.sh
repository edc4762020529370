#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Throws garbage at the peer modules in a guest: garbage.sh KERNEL BUILD MODULES [SECONDS]
# BUILD is a build folder with programs and units, MODULES holds the peers. Succeeds if the guest lives, its
# log is clean, and the modules unload afterwards.

set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=runners/common.sh
. runners/common.sh

USAGE="usage: garbage.sh KERNEL BUILD MODULES [SECONDS]"
[ $# -ge 3 ] || usage_error "a kernel and two folders are needed"

mkdir -p "$CTS_CACHE/run"
env=$(mktemp "$CTS_CACHE/run/garbage.XXXXXX")
trap 'rm -f "$env"' EXIT
runners/kernels.sh get "$1" > "$env"
# shellcheck source=/dev/null
. "$env"

# A dynamic importer without a callback makes the core warn where it is mandatory.
silent=()
# shellcheck disable=SC2154 # the description sets kernel_*
! grep -rqs 'dma_buf_invalidate_mappings(' "$kernel_headers"/../linux-headers-*/include/linux/dma-buf.h \
	"$kernel_headers/include/linux/dma-buf.h" || silent=(--silent)

# What is only there on kernels with dma-bufs of vfio-pci, and in use with iommufd alone.
space=()
if [ -e "$3/dmabuf_peer_space.ko" ]; then
	built=$(runners/build.sh --kernel-env "$env" --iommufd)
	eval "$built"
	# shellcheck disable=SC2154 # build.sh sets build_*
	[ -z "$build_iommufd" ] || space+=(--module "$build_iommufd")
	space+=(--module "$3/dmabuf_peer_space.ko")
fi

runners/guest/boot.sh --kernel-env "$env" --programs "$2/meta" --agent garbage \
	--watchdog "$2/bin/cts-watchdog" \
	--module "$3/dmabuf_peer_exporter.ko" --module "$3/dmabuf_peer_importer.ko" \
	--module "$3/dmabuf_peer_umem.ko" "${space[@]}" \
	--console /dev/stderr --timeout 240 -- --seconds "${4:-20}" --seed "${SEED:-$RANDOM}" "${silent[@]}"
