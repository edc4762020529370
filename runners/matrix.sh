#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "matrix": keeps what runs say of drivers, and shows it beside what is known of them.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"
# shellcheck source=runners/contract.sh
. "$CTS_TOP/runners/contract.sh"

USAGE="usage: dmabuf-cts matrix add [--replace] RUN|BUNDLE
       dmabuf-cts matrix render [--format markdown|csv|html] [--long] [--output FILE]
       dmabuf-cts matrix check
Drivers by kernel series and clause: what runs measured, and what their sources say.
  add RUN           keep what the run in that result folder says of drivers; of 'vm --kernel all', each
  add BUNDLE        the same, if the bundle is verified and its submitter lets it be published
  render            print the matrix
  check             find faults in the fact files and in the recorded results
  --replace         add a run also where it judged less than is recorded
  --format FORMAT   markdown (default), csv, or html: one page that needs no network
  --long            csv: a line for each verdict, with its reason
  --output FILE     write there instead of standard output
  --drivers DIR     fact files (default drivers-matrix/drivers)
  --results DIR     recorded results (default drivers-matrix/results)
Exit status: 0; 1 facts or results have faults; 2 usage; 125 it could not be done."

# take_word WORD: what is no option is the verb, or the run behind it.
take_word() {
	if [ -z "$VERB" ]; then
		VERB=$1
	elif [ "$VERB" = add ] && [ -z "$RUN" ]; then
		RUN=$1
	else
		usage_error "'$1' is one word too many"
	fi
}

parse() {
	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--replace | --long) OPTIONS+=("$1"); shift; continue ;;
		--*) need_value "$1" $# ;;
		*) take_word "$1"; shift; continue ;;
		esac
		case $1 in
		--format) OPTIONS+=("$1" "$2") ;;
		--output) OUTPUT=$2 ;;
		--drivers) DRIVERS=$(realpath -m "$2") ;;
		--results) RESULTS=$(realpath -m "$2") ;;
		*) usage_error "unknown option $1" ;;
		esac
		shift 2
	done
	case $VERB in
	add) [ -n "$RUN" ] || usage_error "add which run? Give its result folder" ;;
	render | check) ;;
	'') usage_error "no verb given" ;;
	*) usage_error "unknown verb '$VERB'" ;;
	esac
}

# need_folder DIR WHAT
need_folder() {
	[ -d "$1" ] || die "there is no folder of $2 $1"
}

# run_verb: the clause table goes along, since no program of the runners has it.
run_verb() {
	"${PREFIX[@]}" "$PROGRAMS/cts-matrix" --clauses "$CONTRACT/clauses" --profiles "$CONTRACT/profiles" \
		--results "$RESULTS" "$@"
}

# open_bundle: RUN becomes the folder of what is in it.
open_bundle() {
	local status=0

	mkdir "$CONTRACT/run"
	verify_bundle "$RUN" --publish --extract "$CONTRACT/run" || status=$?
	[ "$status" -eq 0 ] || die "the bundle $RUN is not taken: what is wrong with it stands above"
	RUN=$CONTRACT/run
}

# add_runs: the run, or those of all kernels that have results.
add_runs() {
	local runs=("$RUN")

	if [ -e "$RUN/kernels.tsv" ]; then
		mapfile -t runs < <(cut -f 4 "$RUN/kernels.tsv" | sed '/^$/d')
		runs=("${runs[@]/#/"$RUN/"}")
		[ "${#runs[@]}" -gt 0 ] || die "no kernel of $RUN has results; see the reasons in its kernels.tsv"
	fi
	run_verb add "${OPTIONS[@]}" "${runs[@]}"
}

# clean_up: also on Ctrl-C.
clean_up() {
	remove_contract
	rm -f ${NEW:+"$NEW"}
}

# render: a whole file, or the one that was there.
render() {
	if [ -z "$OUTPUT" ]; then
		run_verb render "$@"
		return
	fi
	: > "$OUTPUT.new" || die "cannot write $OUTPUT; choose another --output"
	NEW=$OUTPUT.new
	run_verb render "$@" > "$NEW" || return
	mv "$NEW" "$OUTPUT"
}

main() {
	VERB='' RUN='' OUTPUT='' OPTIONS=()
	DRIVERS=$CTS_TOP/drivers-matrix/drivers RESULTS=$CTS_TOP/drivers-matrix/results
	NEW=''
	trap clean_up EXIT
	parse "$@"
	need_folder "$DRIVERS" "fact files"
	need_folder "$RESULTS" "results"
	[ -z "$RUN" ] || [ -e "$RUN" ] || die "there is no run $RUN; give the result folder of a run"
	find_programs "$DRIVERS" "$RESULTS" ${RUN:+"$RUN"}
	make_contract
	case $VERB in
	add)
		RUN=$(realpath "$RUN")
		! is_bundle "$RUN" || open_bundle
		add_runs
		;;
	check) run_verb check --drivers "$DRIVERS" "${OPTIONS[@]}" ;;
	render)
		render --drivers "$DRIVERS" --page "$CTS_TOP/runners/matrix/page" "${OPTIONS[@]}"
		;;
	esac
}

main "$@"
