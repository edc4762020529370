# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Programs for use on this machine: those that "make" built here, else those of the build root,
# which then run inside it. To be sourced after common.sh.

# find_programs [RUN]...: sets PROGRAMS; PREFIX, the command that they must be run with; and SEEN, the
# whole name of each RUN, which that command makes visible to them.
find_programs() {
	local built path

	PREFIX=() SEEN=()
	for path; do
		SEEN+=("$(realpath -m -- "$path")")
	done
	PROGRAMS=$CTS_TOP/build/bin
	[ ! -x "$PROGRAMS/cts-agent" ] || return 0
	built=$("$CTS_TOP/runners/build.sh") || exit
	eval "$built"
	# shellcheck disable=SC2154
	PROGRAMS=$build_programs
	# shellcheck disable=SC2034
	PREFIX=("$CTS_TOP/runners/enter.sh")
	for path in "${SEEN[@]}"; do
		[ -d "$path" ] || path=${path%/*}
		[ ! -d "$path" ] || PREFIX+=(--bind "$path")
	done
	PREFIX+=(--)
}
