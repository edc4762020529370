#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs a command inside the build root, in mount and process namespaces of its own: nothing
# of it is left behind on the machine, neither a mount nor a process. The checkout and the
# cache are where they are outside. Without root a user namespace is used, and "root" inside
# is the caller outside.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/setup/root.sh
. "$CTS_TOP/runners/setup/root.sh"

USAGE="usage: enter.sh [--recipe NAME] [--bind DIR]... [--] COMMAND [ARG]...
Runs COMMAND inside the build root, with its exit status.
  --recipe NAME  the root of that recipe of runners/setup/recipes (default: base)
  --bind DIR     make DIR visible inside, at the same place (as well as the checkout and the cache)"

# Seconds that a command has to end by itself after a signal.
readonly GRACE=10

# open_lifeline: sets LIFE and EAR, the ends of a pipe. A word in it, or its end because we are
# gone, tells the namespace's first process to end; a signal would have to know its number.
open_lifeline() {
	local fifo

	fifo=$(mktemp -u)
	mkfifo -m 600 "$fifo"
	exec {LIFE}<> "$fifo"
	exec {EAR}< "$fifo"
	rm "$fifo"
}

# ask_to_end: from a signal's handler.
ask_to_end() {
	ASKED_TO_END=1
	echo end >&"$LIFE"
}

# wait_for_child: returns the child's status; after a signal only for as long as the grace lasts.
wait_for_child() {
	local status=0 deadline

	wait "$CHILD" || status=$?
	while kill -0 "$CHILD" 2> /dev/null; do
		if [ -n "${ASKED_TO_END-}" ]; then
			: "${deadline:=$((SECONDS + GRACE + 2))}"
			[ "$SECONDS" -lt "$deadline" ] || kill -KILL "$CHILD"
		fi
		status=0
		wait "$CHILD" || status=$?
	done
	return "$status"
}

# run_inside COMMAND...: in the background, so that signals can be handled meanwhile; with the
# terminal's signals as they were, since a shell ignores them for what it starts that way.
run_inside() {
	local namespaces=(--mount --pid --fork --kill-child)

	[ "$EUID" -eq 0 ] || namespaces+=(--user --map-root-user)
	open_lifeline
	trap ask_to_end TERM HUP INT
	CTS_BIND=$(printf '%s\n' "${BINDS[@]}") CTS_WHERE=$PWD CTS_GRACE=$GRACE \
		env --default-signal=INT,QUIT unshare "${namespaces[@]}" \
		bash "$CTS_TOP/runners/setup/inside.sh" "$@" <&0 3<&"$EAR" {LIFE}>&- {EAR}<&- &
	CHILD=$!
	wait_for_child
}

main() {
	BINDS=("$CTS_TOP" "$CTS_CACHE")
	while [ $# -gt 0 ]; do
		case $1 in
		--bind) need_value "$1" $#; BINDS+=("$(realpath -m "$2")"); shift 2 ;;
		--recipe) need_value "$1" $#; choose_root "$2"; shift 2 ;;
		--help) echo "$USAGE"; exit ;;
		--) shift; break ;;
		-*) usage_error "unknown option $1" ;;
		*) break ;;
		esac
	done
	[ $# -gt 0 ] || usage_error "no command given"
	[ -z "${CTS_INSIDE-}" ] || exec "$@"
	[ -d "$CTS_ROOT" ] || "$CTS_TOP/runners/setup.sh"
	run_inside "$@"
}

main "$@"
