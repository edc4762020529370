#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# "vm --kernel all": a run of vm.sh for each kernel series that the distribution carries, as many side
# by side as the machine has room for, while the next one is fetched and built. What became of each
# is kept in the file kernels.tsv of the result folder as soon as it is known (cts-report table
# describes it), so that a second call goes on with the rest.
#
# Called by vm.sh, which has checked the options.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"

# A run's guests take about so many processors, and so many MiB.
readonly RUN_PROCESSORS=4 RUN_MEMORY=6144
# Seconds between two words on how far runs are, and between two looks at who has ended.
readonly TICK=20 PAUSE=0.2
readonly NOT_YET="not run yet"

# take_options OPTION...: what is ours; the rest is for each run.
take_options() {
	OPTIONS=() GATE=() OUTPUT='' QUIET='' PREPARE=''
	while [ $# -gt 0 ]; do
		case $1 in
		--kernel) shift ;;
		--output) OUTPUT=$2; shift ;;
		--quiet) QUIET=yes ;;
		--prepare) PREPARE=yes ;;
		--gate) GATE=(--gate); OPTIONS+=("$1") ;;
		*) OPTIONS+=("$1") ;;
		esac
		shift
	done
	OUTPUT=$(realpath -m "${OUTPUT:-results/all-$(date +%Y%m%dT%H%M%S)}")
	LIST=$OUTPUT/kernels.tsv
}

# take_folder: the result folder, new or begun by an earlier call with the same options, and no one
# else's while we are there: LOCK, which is not for those that we start.
take_folder() {
	mkdir -p "$OUTPUT" || die "cannot make the result folder $OUTPUT; choose another with --output"
	[ -e "$OUTPUT/options" ] || [ -z "$(ls -A "$OUTPUT")" ] ||
		die "the result folder $OUTPUT is not empty, and not of a run on all kernels;" \
			"choose another with --output, or remove it"
	exec {LOCK}>> "$OUTPUT/options" || die "cannot write to the result folder $OUTPUT; choose another with --output"
	flock -n "$LOCK" || die "another run is at work in $OUTPUT; wait for it, or choose another with --output"
	if [ ! -s "$OUTPUT/options" ]; then
		echo "options${OPTIONS[*]+ ${OPTIONS[*]@Q}}" > "$OUTPUT/options"
	elif [ "$(< "$OUTPUT/options")" != "options${OPTIONS[*]+ ${OPTIONS[*]@Q}}" ]; then
		die "the run in $OUTPUT was begun with other options: $(sed 's/^options *//; s/^$/none/' "$OUTPUT/options");" \
			"give the same to go on with it, or choose another folder with --output"
	fi
}

# find_series: sets SERIES, in order, and what is known of each: STATUS, TOOK, RESULTS and NOTE, as in
# kernels.tsv.
find_series() {
	local list series note

	list=$("$CTS_TOP/runners/kernels.sh" list) || exit
	while read -r series _ note; do
		SERIES+=("$series")
		STATUS[$series]=$EXIT_CANNOT_JUDGE TOOK[$series]='' RESULTS[$series]='' NOTE[$series]=$NOT_YET
		case $note in
		"with headers") ;;
		"without headers"*) WITHOUT_PEERS[$series]=yes ;;
		*) STATUS[$series]=- NOTE[$series]="not run: ${note#not usable: }" ;;
		esac
	done < <(awk '$2 !~ /^[0-9]/ { $1 = $1 " -" } { print }' <<< "$list")
}

# remember: from an earlier call, what was judged in it.
remember() {
	local series status took folder note

	[ -e "$LIST" ] || return 0
	while IFS=$'\x1f' read -r series status took folder note; do
		[[ $status = [01] && -e $OUTPUT/$folder/run.json ]] || continue
		# The archive may have dropped it meanwhile.
		[ -n "${STATUS[$series]-}" ] || SERIES+=("$series")
		STATUS[$series]=$status TOOK[$series]=$took RESULTS[$series]=$folder NOTE[$series]=$note
	done < <(tr '\t' '\037' < "$LIST")
}

# write_list: all that is known.
write_list() {
	local series

	for series in "${SERIES[@]}"; do
		printf '%s\t%s\t%s\t%s\t%s\n' "$series" "${STATUS[$series]}" "${TOOK[$series]}" \
			"${RESULTS[$series]}" "${NOTE[$series]}"
	done > "$LIST.new" || die "cannot write $LIST; is the disk full?"
	mv "$LIST.new" "$LIST"
}

# count_slots: sets SLOTS to how many kernels are run side by side.
count_slots() {
	local memory

	memory=$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)
	SLOTS=$(printf '%s\n' $(($(nproc) / RUN_PROCESSORS)) $((memory / RUN_MEMORY)) | sort -n | head -n 1)
	[ "$SLOTS" -gt 0 ] || SLOTS=1
}

# launch WHAT COMMAND...: in the background and in a process group of its own, for us to end; the
# kernel does so should we be killed. Its pid is noted with WHAT in JOBS.
launch() {
	local what=$1

	shift
	env --default-signal=INT,QUIT setsid setpriv --pdeathsig TERM "$@" < /dev/null {LOCK}>&- &
	JOBS[$!]=$what
}

# last_word SERIES: of its log, which says why it ended as it did.
last_word() {
	local word

	word=$(sed -nE 's/^(dmabuf-cts|cts-report|cts-agent): //p' "$OUTPUT/$1.log" | tail -n 1)
	echo "${word:-it ended without a reason; see $1.log}"
}

# progress TEXT: for the person who waits.
progress() {
	[ -n "$QUIET" ] || say "$(printf '%3d:%02d  %s' $((SECONDS / 60)) $((SECONDS % 60)) "$*")"
}

# prepare_next: fetch and build for the first series that waits for it, if none is being prepared.
prepare_next() {
	local series

	[ -z "$PREPARING" ] && [ ${#WAITING[@]} -gt 0 ] || return 0
	series=${WAITING[0]}
	WAITING=("${WAITING[@]:1}")
	PREPARING=$series
	launch "prepare $series" "$CTS_TOP/runners/vm.sh" --kernel "$series" "${OPTIONS[@]}" --prepare \
		> "$OUTPUT/$series.log" 2>&1
}

# run_next: as many of those that are prepared as there is room for.
run_next() {
	local series

	while [ ${#PREPARED[@]} -gt 0 ] && [ "$RUNNING" -lt "$SLOTS" ]; do
		series=${PREPARED[0]}
		PREPARED=("${PREPARED[@]:1}")
		RUNNING=$((RUNNING + 1))
		BEGAN[$series]=$SECONDS
		rm -rf "${OUTPUT:?}/$series"
		progress "$series begins${WITHOUT_PEERS[$series]:+, without peers: the archive has no headers}"
		launch "run $series" "$CTS_TOP/runners/vm.sh" --kernel "$series" "${OPTIONS[@]}" \
			--output "$OUTPUT/$series" >> "$OUTPUT/$series.log" 2>&1
	done
}

# prepared SERIES STATUS
prepared() {
	PREPARING=''
	if [ "$2" -ne 0 ]; then
		UNPREPARED=yes NOTE[$1]=$NOT_YET
		[ -n "$INTERRUPT" ] || NOTE[$1]="not run: $(last_word "$1")"
		progress "$1 ${NOTE[$1]}"
		write_list
	elif [ -n "$PREPARE" ]; then
		progress "$1 is prepared"
	else
		PREPARED+=("$1")
	fi
}

# ran SERIES STATUS: what its run found is in its folder.
ran() {
	local series=$1

	RUNNING=$((RUNNING - 1))
	STATUS[$series]=$2 TOOK[$series]=$((SECONDS - BEGAN[$series])) RESULTS[$series]='' NOTE[$series]=''
	[ ! -e "$OUTPUT/$series/run.json" ] || RESULTS[$series]=$series
	[ -z "${WITHOUT_PEERS[$series]-}" ] || NOTE[$series]="without peers"
	case $2 in
	0) progress "$series is done: nothing unexpected" ;;
	1) progress "$series is done: something unexpected" ;;
	*)
		NOTE[$series]=$(last_word "$series")
		[ -z "$INTERRUPT" ] || NOTE[$series]="interrupted"
		progress "$series could not be judged: ${NOTE[$series]}"
		;;
	esac
	write_list
}

# tell: how far each is, if it is time to.
tell() {
	local what series ktap all

	[ "$SECONDS" -ge "$TELL_AT" ] || return 0
	TELL_AT=$((SECONDS + TICK))
	for what in "${JOBS[@]}"; do
		series=${what#* } ktap=$OUTPUT/${what#* }/run.ktap
		case $what in
		prepare*) [ "$RUNNING" -gt 0 ] || progress "$series: fetching and building" ;;
		run*)
			all=$(sed -n 's/^1\.\.//p' "$ktap" 2> /dev/null) || true
			[ -z "$all" ] || progress "$series: $(grep -cE '^(not )?ok ' "$ktap") of $all pairs"
			;;
		esac
	done
}

# await: until one of those that we launched has ended, or for a moment. 'wait -n' would miss who ended
# before it, and sleep through a signal that came before it.
await() {
	local pid status=0 what

	for pid in "${!JOBS[@]}"; do
		! kill -0 "$pid" 2> /dev/null || continue
		wait "$pid" || status=$?
		what=${JOBS[$pid]}
		unset "JOBS[$pid]"
		case $what in
		prepare*) prepared "${what#* }" "$status" ;;
		run*) ran "${what#* }" "$status" ;;
		esac
		return
	done
	[ -n "$INTERRUPT" ] || tell
	# Ctrl-C ends it, too.
	sleep "$PAUSE" {LOCK}>&- || true
}

# end_jobs: have all that runs end, and begin nothing more. Each is told once, but for one that was
# launched a moment ago and has no process group yet: it may miss the word, so that it is said again.
end_jobs() {
	local pid

	WAITING=() PREPARED=()
	for pid in "${!JOBS[@]}"; do
		[ -z "${TOLD[$pid]-}" ] || continue
		if kill -TERM -- "-$pid" 2> /dev/null; then
			TOLD[$pid]=yes
		else
			kill -TERM "$pid" 2> /dev/null || true
		fi
	done
}

# run_all: sets INTERRUPT if we were told to end, and UNPREPARED if one could not be fetched or built.
run_all() {
	local series

	PREPARING='' PREPARED=() WAITING=() RUNNING=0 INTERRUPT='' UNPREPARED='' TELL_AT=$((SECONDS + TICK))
	for series in "${SERIES[@]}"; do
		[[ ${STATUS[$series]} == [01-] ]] || WAITING+=("$series")
	done
	# The signal may come between any two commands, one that has launched what is not yet noted among them.
	trap INTERRUPT=yes INT TERM HUP
	while
		[ -z "$INTERRUPT" ] || end_jobs
		prepare_next
		run_next
		[ ${#JOBS[@]} -gt 0 ]
	do
		await
	done
	trap - INT TERM HUP
}

# show_table: all that is known, on stdout and in the folder; returns what the exit status is.
show_table() {
	local status=0

	find_programs "$LIST"
	NO_COLOR=1 "${PREFIX[@]}" "$PROGRAMS/cts-report" table "${GATE[@]}" "${SEEN[@]}" > "$OUTPUT/kernels.txt" || status=$?
	cat "$OUTPUT/kernels.txt"
	say "the results are in $OUTPUT"
	return "$status"
}

main() {
	local status=0

	declare -gA STATUS=() TOOK=() RESULTS=() NOTE=() WITHOUT_PEERS=() BEGAN=() JOBS=() TOLD=()
	SERIES=()
	take_options "$@"
	take_folder
	find_series
	remember
	write_list
	count_slots
	run_all
	if [ -n "$PREPARE" ]; then
		[ -z "$UNPREPARED" ] || status=$EXIT_CANNOT_JUDGE
	else
		show_table || status=$?
	fi
	if [ -n "$INTERRUPT" ]; then
		say "interrupted; to go on with what is missing: dmabuf-cts vm --kernel all --output $OUTPUT ${OPTIONS[*]@Q}"
		status=$EXIT_CANNOT_JUDGE
	fi
	exit "$status"
}

main "$@"
