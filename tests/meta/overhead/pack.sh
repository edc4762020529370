#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Packs bpftrace for the guest, with all the libraries that it is linked with: pack.sh ARCHIVE. Runs in
# the build root of recipe "bpftrace".

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../runners/common.sh"
# shellcheck source=runners/guest/libraries.sh
. "$CTS_TOP/runners/guest/libraries.sh"

readonly PROGRAM=/usr/bin/bpftrace PLACE=cts/bpftrace

STAGE=$(mktemp -d)
trap 'rm -rf "$STAGE"' EXIT
mkdir -p "$STAGE/$PLACE/lib"
libraries "$PROGRAM" | xargs cp -L -t "$STAGE/$PLACE/lib"
cp "$PROGRAM" "$STAGE/$PLACE/lib/"
printf '#!/bin/sh\nexec %s --library-path %s %s "$@"\n' "/$PLACE/lib/ld-linux-x86-64.so.2" "/$PLACE/lib" \
	"/$PLACE/lib/bpftrace" > "$STAGE/$PLACE/bpftrace"
chmod +x "$STAGE/$PLACE/bpftrace"
(cd "$STAGE" && find cts | sort | cpio -o -H newc -R 0:0 --quiet) > "$1" || die "cannot write $1; is the disk full?"
