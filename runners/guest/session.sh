#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# One run of the suite: as many guests, one after another, as it takes to run everything that
# was scheduled. A guest that dies leaves what it had said; the next one goes on behind it.
# Runs in the build root.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

USAGE="usage: session.sh OUTPUT PROGRAMS [REPORT-OPTION]... -- [BOOT-OPTION]... -- [AGENT-OPTION]...
OUTPUT is the result folder, PROGRAMS the folder with the programs."

# Statuses of boot.sh that mean something for the run.
readonly GUEST_DIED=100 GUEST_TIMEOUT=101 QEMU_DIED=102 GUEST_SILENT=103 INTERRUPTED=143

# split ARG...: sets REPORT, BOOT and AGENT from the three lists.
split() {
	local list=REPORT

	REPORT=() BOOT=() AGENT=()
	for word; do
		case $list$word in
		REPORT--) list=BOOT ;;
		BOOT--) list=AGENT ;;
		*) declare -n target=$list; target+=("$word") ;;
		esac
	done
}

# guest_record STATUS: how the guest ended, for the report.
guest_record() {
	local event=exit reason="the agent ended with status $1"

	case $1 in
	"$GUEST_DIED") event=panic reason="the guest died: panic or reset" ;;
	"$GUEST_TIMEOUT") event=hang reason="the guest did not end in time" ;;
	"$GUEST_SILENT") event=hang reason="the guest hung: it was silent for too long" ;;
	"$QEMU_DIED") event=panic reason="QEMU ended by itself or was killed" ;;
	"$INTERRUPTED") event=interrupted reason="the guest was ended" ;;
	esac
	printf '{"type":"guest","event":"%s","reason":"%s"}\n' "$event" "$reason"
}

# stay: in a part of a pipeline, outlive the signals that end the programs in it. (Bash gives a
# subshell the default handlers again.)
stay() {
	trap : INT TERM HUP
}

# guest AGENT-OPTION...: one guest; its stream on stdout, its status in a file.
guest() {
	local status=0

	stay
	"$CTS_TOP/runners/guest/boot.sh" --programs "$PROGRAMS" --console "$OUTPUT/console.log" \
		"${BOOT[@]}" "${RESUME[@]}" -- "${AGENT[@]}" "$@" || status=$?
	echo "$status" > "$WORK/status"
	guest_record "$status"
}

# report ARG...: in this folder, against what is expected.
report() {
	"$PROGRAMS/cts-report" --output "$OUTPUT" --expected "$CTS_TOP/expected" "${REPORT[@]}" "$@"
}

# one_guest ARG...: a guest and its report; what is left to do goes to the file "remaining".
# Returns the report's status.
one_guest() {
	local agent=()

	RESUME=()
	if [ -s "$WORK/schedule" ]; then
		RESUME=(--file "$WORK/schedule")
		agent=(--schedule /cts/files/schedule)
	fi
	: > "$WORK/remaining"
	guest "${agent[@]}" | { stay; report --remaining "$WORK/remaining" "$@"; }
}

# may_go_on: whether another guest could bring the run forward.
may_go_on() {
	[ -s "$WORK/remaining" ] || return 1
	[ -z "$INTERRUPT" ] || return 1
	case $(< "$WORK/status") in
	2 | "$EXIT_CANNOT_JUDGE" | "$INTERRUPTED") return 1 ;;
	esac
	! cmp -s "$WORK/remaining" "$WORK/schedule"
}

# close_run STATUS: when something was left undone, have it written down as that.
close_run() {
	[ -s "$WORK/remaining" ] || return "$1"
	report --append < /dev/null
}

main() {
	local status=0

	[ $# -ge 2 ] || usage_error "OUTPUT and PROGRAMS are needed"
	OUTPUT=$1 PROGRAMS=$2
	shift 2
	split "$@"
	WORK=$(mktemp -d)
	trap 'rm -rf "$WORK"' EXIT
	# The guest and the report end by themselves then, and we write down what is known.
	INTERRUPT=''
	trap 'INTERRUPT=yes' INT TERM HUP
	one_guest || status=$?
	while may_go_on; do
		mv "$WORK/remaining" "$WORK/schedule"
		say "going on in a fresh guest"
		status=0
		one_guest --append || status=$?
	done
	close_run "$status" || status=$?
	[ -z "$INTERRUPT" ] || status=$EXIT_CANNOT_JUDGE
	exit "$status"
}

main "$@"
