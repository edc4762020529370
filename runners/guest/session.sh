#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# One run of the suite: some guests side by side, each with its share of the jobs, and fresh ones
# behind them for as long as anything is left to run. A guest that dies leaves what it had said.
# Runs in the build root.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

USAGE="usage: session.sh [--guests N] OUTPUT PROGRAMS [REPORT-OPTION]... -- [BOOT-OPTION]... -- [AGENT-OPTION]...
OUTPUT is the result folder, PROGRAMS the folder with the programs. N guests run
side by side (default 1)."

# Statuses of boot.sh that mean something for the run.
readonly GUEST_DIED=100 GUEST_TIMEOUT=101 QEMU_DIED=102 GUEST_SILENT=103 NIC_LOST=104 INTERRUPTED=143

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
	"$NIC_LOST") event=nic-lost reason="the server of the emulated NIC died; nic.log has its last words" ;;
	"$INTERRUPTED") event=interrupted reason="the guest was ended" ;;
	esac
	printf '{"type":"guest","event":"%s","reason":"%s"}\n' "$event" "$reason"
}

# stay: in a part of a pipeline, outlive the signals that end the programs in it. (Bash gives a
# subshell the default handlers again.)
stay() {
	trap : INT TERM HUP
}

# log NAME NUMBER: the file of that kind for this guest.
log() {
	[ "$2" -eq 1 ] && echo "$OUTPUT/$1.log" || echo "$OUTPUT/$1-$2.log"
}

# guest NUMBER AGENT-OPTION...: one guest; its stream on stdout, its status in a file. A shell has
# what it starts in the background ignore Ctrl-C, which boot.sh must not.
guest() {
	local status=0 number=$1

	shift
	stay
	env --default-signal=INT,QUIT "$CTS_TOP/runners/guest/boot.sh" --programs "$PROGRAMS" \
		--console "$(log console "$number")" --nic-log "$(log nic "$number")" "${BOOT[@]}" "${RESUME[@]}" -- "${AGENT[@]}" "$@" || status=$?
	echo "$status" > "$WORK/status-$number"
	guest_record "$status"
}

# guests AGENT-OPTION...: one, or several with a share each, and their stream. The pipes of those
# that were started before are for cts-merge alone: a guest must see when nobody reads any more.
guests() {
	local number pipe pipes=()

	if [ "$GUESTS" -eq 1 ]; then
		guest 1 "$@"
		return
	fi
	for ((number = 1; number <= GUESTS; number++)); do
		exec {pipe}< <(close_all "${pipes[@]}"; guest "$number" --share "$number/$GUESTS" "$@")
		pipes+=("$pipe")
	done
	trap '' INT TERM HUP
	exec "$PROGRAMS/cts-merge" "${pipes[@]/#//dev/fd/}"
}

# close_all DESCRIPTOR...
close_all() {
	local pipe

	for pipe; do
		exec {pipe}<&-
	done
}

# report ARG...: in this folder, against what is expected.
report() {
	"$PROGRAMS/cts-report" --output "$OUTPUT" --expected "$CTS_TOP/expected" "${REPORT[@]}" "$@"
}

# one_round ARG...: guests and their report; what is left to do goes to the file "remaining".
# Returns the report's status.
one_round() {
	local agent=()

	RESUME=()
	if [ -s "$WORK/schedule" ]; then
		RESUME=(--file "$WORK/schedule")
		agent=(--schedule /cts/files/schedule)
	fi
	: > "$WORK/remaining"
	rm -rf "$WORK"/status-* "$CTS_SAID"
	mkdir "$CTS_SAID"
	guests "${agent[@]}" | { stay; report --remaining "$WORK/remaining" "$@"; }
}

# count_guests: sets GUESTS to how many the next round may have: those that could be started.
# Fails when no other could bring the run forward.
count_guests() {
	local file

	GUESTS=0
	for file in "$WORK"/status-*; do
		case $(< "$file") in
		2 | "$INTERRUPTED") return 1 ;;
		"$EXIT_CANNOT_JUDGE") ;;
		*) GUESTS=$((GUESTS + 1)) ;;
		esac
	done
	[ "$GUESTS" -gt 0 ]
}

# may_go_on: whether more guests could bring the run forward.
may_go_on() {
	[ -s "$WORK/remaining" ] || return 1
	[ -z "$INTERRUPT" ] || return 1
	count_guests || return 1
	! cmp -s "$WORK/remaining" "$WORK/schedule"
}

# close_run STATUS: when something was left undone, have it written down as that.
close_run() {
	[ -s "$WORK/remaining" ] || return "$1"
	report --append < /dev/null
}

main() {
	local status=0

	GUESTS=1
	if [ "${1-}" = --guests ]; then
		need_value "$1" $#
		GUESTS=$2
		shift 2
	fi
	[ $# -ge 2 ] || usage_error "OUTPUT and PROGRAMS are needed"
	OUTPUT=$1 PROGRAMS=$2
	shift 2
	split "$@"
	WORK=$(mktemp -d)
	export CTS_SAID=$WORK/said
	trap 'rm -rf "$WORK"' EXIT
	# The guest and the report end by themselves then, and we write down what is known.
	INTERRUPT=''
	trap 'INTERRUPT=yes' INT TERM HUP
	one_round || status=$?
	while may_go_on; do
		mv "$WORK/remaining" "$WORK/schedule"
		say "going on in a fresh guest"
		status=0
		one_round --append || status=$?
	done
	close_run "$status" || status=$?
	[ -z "$INTERRUPT" ] || status=$EXIT_CANNOT_JUDGE
	exit "$status"
}

main "$@"
