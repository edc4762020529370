#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Peer modules and programs of different ages must not talk past each other.

# shellcheck disable=SC2154
load common

setup() {
	make_folder
	describe_kernel newest
}

teardown() {
	remove_folder
}

# build_peers VERSION: the peer modules in $FOLDER/modules, as if their interface had that number.
build_peers() {
	cp -R "$TOP/lib/peer/kmod" "$FOLDER/kmod"
	sed -i "s/^\(#define PEER_UAPI_VERSION[[:space:]]*\).*/\1$1/" "$FOLDER/kmod/uapi/dmabuf_peer.h"
	# shellcheck source=/dev/null
	. "$KERNEL_ENV"
	"$RUNNERS/enter.sh" make -s -C "$kernel_headers" M="$FOLDER/kmod" CC="$kernel_cc" modules >&2
}

@test "a module of another uapi version: which versions meet, and what to do" {
	local ours

	ours=$(awk '$2 == "PEER_UAPI_VERSION" { print $3 }' "$RUNNERS/../lib/peer/kmod/uapi/dmabuf_peer.h")
	build_peers 77
	take_programs cts-agent cts-probe
	run boot --module "$FOLDER/kmod/dmabuf_peer_exporter.ko" --module "$FOLDER/kmod/dmabuf_peer_importer.ko" \
		-- --mode vm --list
	says "module dmabuf_peer_exporter speaks peer uapi version 77, this program version $ours" \
		"build both from the same checkout"
}
