# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What makes the archives of others' tests have in common. To be sourced inside a build root after
# common.sh. STAGE is the root of what is packed.

# programs_of LIST: the programs that a table of clauses names.
programs_of() {
	awk '!/^#/ && NF { print $1 }' "$1" | sort -u
}

# begin_stage WHOSE LIST: sets STAGE, and PLACE in it, where WHOSE tests will be in the guest.
begin_stage() {
	STAGE=$(mktemp -d)
	trap 'rm -rf "$STAGE"' EXIT
	PLACE=$STAGE/cts/others/$1
	mkdir -p "$PLACE/run"
	cp "$2" "$PLACE/clauses"
}

# pack_stage ARCHIVE
pack_stage() {
	(cd "$STAGE" && find cts | sort | cpio -o -H newc -R 0:0 --quiet) > "$1" || die "cannot write $1; is the disk full?"
}
