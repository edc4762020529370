#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "run": the suite on this machine. Loads the peer modules where it can, and unloads
# those it loaded.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

USAGE="usage: dmabuf-cts run [OPTION]...
Run the suite on this machine, as root; first build it with 'make'.
  --exporter NAME      only this exporter, or all of this back end; may be repeated
  --importer NAME      likewise
  --program NAME       only this test program; may be repeated
  --case NAME          only this case; may be repeated
  --profile NAME       'full' (default): with each of the suite's own peers as a partner; 'default':
                       as in the VM, with one of them where any will do, and each self-test once
  --stress SECONDS     how long each case of the program 'stress' goes on (default 2, 1 to 300);
                       that program is run only where '--program stress' asks for it
  --seed NUMBER        for its choices, as it printed it; default: another each time
  --no-monitor         do not trace what happens on pairs of real drivers
  --allow-disruptive   also run what provokes kernel warnings, eviction or unbinding
  --allow-console      also use graphics devices that drive a display
  --output DIR         result folder (default results/<kernel>-<time>)
  --resume DIR         go on with the run in that folder, after a reboot
  --gate               fail on anything that is not listed as expected
  --baseline FILE      run.json of an earlier run to compare with
  --quiet              only the summary
Exit status: 0 nothing unexpected, 1 something unexpected, 2 usage, 125 could not judge."

PROGRAMS=$CTS_TOP/build/bin
MODULES=$CTS_TOP/build/modules/$(uname -r)

parse_options() {
	AGENT=(--profile full --monitor real) REPORT=() OUTPUT='' RESUME=''
	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--gate | --quiet) REPORT+=("$1"); shift; continue ;;
		--no-monitor) AGENT+=(--monitor none); shift; continue ;;
		--allow-disruptive) AGENT+=("$1"); shift; continue ;;
		--allow-console) export DMABUF_CTS_ALLOW_CONSOLE=1; shift; continue ;;
		esac
		need_value "$1" $#
		case $1 in
		--exporter | --importer | --program | --case) AGENT+=("$1" "$2") ;;
		--profile) need_profile "$2"; AGENT+=("$1" "$2") ;;
		--stress) need_stress "$2"; export DMABUF_CTS_STRESS_SECONDS=$2 ;;
		--seed) need_seed "$2"; export DMABUF_CTS_STRESS_SEED=$2 ;;
		--output) OUTPUT=$2 ;;
		--resume) RESUME=$2 ;;
		--baseline) REPORT+=("$1" "$2") ;;
		*) usage_error "unknown option $1" ;;
		esac
		shift 2
	done
}

# check_machine: what must be there before anything is touched.
check_machine() {
	[ "$(id -u)" -eq 0 ] ||
		die "running the suite on this machine needs root: sudo ./dmabuf-cts run" \
			"(without root, './dmabuf-cts vm' runs it in a virtual machine)"
	[ -x "$PROGRAMS/cts-agent" ] || die "the programs are not built; run 'make' first"
}

# load_peers: what cannot be loaded is said, and real drivers are judged without the peers.
load_peers() {
	local name depends

	LOADED=()
	export DMABUF_CTS_PEER_MODULES=$MODULES
	if [ ! -r "$MODULES/modules.order" ]; then
		say "no peer modules for kernel $(uname -r): install its headers and run 'make';" \
			"only what user space and real drivers can show will be judged"
		return
	fi
	while read -r name; do
		name=$(basename "${name%.*}")
		[ ! -d "/sys/module/$name" ] || continue
		depends=$(modinfo -F depends "$MODULES/$name.ko" | tr , ' ')
		# shellcheck disable=SC2086
		[ -z "$depends" ] || modprobe -a $depends || true
		if insmod "$MODULES/$name.ko"; then
			LOADED=("$name" "${LOADED[@]}")
		else
			say "the kernel refuses $name (Secure Boot wants modules to be signed; see the kernel log);" \
				"going on without it"
		fi
	done < "$MODULES/modules.order"
}

unload_peers() {
	[ "${#LOADED[@]}" -eq 0 ] || rmmod "${LOADED[@]}" || true
}

# prepare_output: an empty result folder, or the one to go on in.
prepare_output() {
	if [ -n "$RESUME" ]; then
		[ -s "$RESUME/remaining" ] || die "nothing is left to run in '$RESUME'"
		OUTPUT=$RESUME
		cp "$RESUME/remaining" "$RESUME/schedule"
		AGENT+=(--schedule "$RESUME/schedule")
		REPORT+=(--append)
		return
	fi
	OUTPUT=${OUTPUT:-results/$(uname -r)-$(date +%Y%m%dT%H%M%S)}
	mkdir -p "$OUTPUT" || die "cannot make the result folder $OUTPUT; choose another with --output"
	[ -z "$(ls -A "$OUTPUT")" ] ||
		die "the result folder $OUTPUT is not empty; choose another with --output, or remove it"
}

# report ARG...
report() {
	"$PROGRAMS/cts-report" --output "$OUTPUT" --expected "$CTS_TOP/expected" "$@"
}

# interrupt: have the agent end; the report does with its stream, and then we put things back.
interrupt() {
	INTERRUPT=yes
	[ -z "${RUNNING-}" ] || kill -TERM "$RUNNING" 2> /dev/null || true
}

# await PROCESS: until it has ended, whatever signals come meanwhile. Returns its status.
await() {
	local status=0

	wait "$1" || status=$?
	while kill -0 "$1" 2> /dev/null; do
		status=0
		wait "$1" || status=$?
	done
	return "$status"
}

# run_suite: sets STATUS to the report's; what was not run stays in the file "remaining".
run_suite() {
	local stream reporting

	STATUS=0
	exec {stream}> >(report "${REPORT[@]}" --remaining "$OUTPUT/remaining")
	reporting=$!
	env --default-signal=INT "$PROGRAMS/cts-agent" --mode native "${AGENT[@]}" >&"$stream" {stream}>&- &
	RUNNING=$!
	exec {stream}>&-
	await "$RUNNING" || true
	RUNNING=''
	await "$reporting" || STATUS=$?
	[ -s "$OUTPUT/remaining" ] || return 0
	if [ -n "$INTERRUPT" ]; then
		report --append < /dev/null || true
	else
		say "the run stopped early, as the kernel is in trouble (see the end of $OUTPUT/stream.jsonl);" \
			"reboot, then go on with: dmabuf-cts run --resume $OUTPUT"
	fi
	STATUS=$EXIT_CANNOT_JUDGE
}

main() {
	parse_options "$@"
	check_machine
	prepare_output
	INTERRUPT=''
	trap interrupt INT TERM HUP
	trap unload_peers EXIT
	load_peers
	run_suite
	exit "$STATUS"
}

main "$@"
