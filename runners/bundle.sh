#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "bundle": a run packed for others, with hashes and what its submitter says of it.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"
# shellcheck source=runners/contract.sh
. "$CTS_TOP/runners/contract.sh"

USAGE="usage: dmabuf-cts bundle [OPTION]... RUN
       dmabuf-cts bundle --list-hidden
Pack the run in a result folder, and check it as 'dmabuf-cts verify' does.
  --statement FILE   what you say of the run (default RUN/statement.txt); where there is no such file
                     yet, it is written for you to fill in
  --allow-blanks     also where the statement leaves something blank
  --private          hide serial numbers, addresses, names of hosts, devices and users
  --hide WORD        and this word; may be repeated
  --list-hidden      say what --private hides
  --output FILE      the bundle (default RUN.tar.gz)
Exit status: 0; 1 the statement is not filled in, or the bundle would not be verified; 2 usage; 125 it
could not be made."

readonly EXIT_SIGPIPE=141

# What vendors of machines write where they have no number.
readonly NO_SERIAL='^(none|not specified|not available|to be filled.*|default string|system serial.*|0*|x*)$'

parse() {
	STATEMENT='' OUTPUT='' RUN='' PACK=() HIDE=()
	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--private | --allow-blanks) PACK+=("$1"); shift; continue ;;
		--list-hidden) LIST=yes; shift; continue ;;
		--*) need_value "$1" $# ;;
		*)
			[ -z "$RUN" ] || usage_error "'$1' is one run too many"
			RUN=$1
			shift
			continue
			;;
		esac
		case $1 in
		--statement) STATEMENT=$(realpath -m -- "$2") ;;
		--output) OUTPUT=$2 ;;
		--hide)
			[[ $2 != *$'\n'* && $2 == *[![:space:]]* ]] || usage_error "option --hide wants a word, not '$2'"
			HIDE+=("$2")
			;;
		*) usage_error "unknown option $1" ;;
		esac
		shift 2
	done
}

# check_places: what must be there before anything is done.
check_places() {
	[ -n "$RUN" ] || usage_error "bundle which run? Give its result folder"
	[ -d "$RUN" ] || die "there is no run $RUN; give the result folder of a run"
	RUN=$(realpath -- "$RUN")
	STATEMENT=${STATEMENT:-$RUN/statement.txt} OUTPUT=${OUTPUT:-$RUN.tar.gz}
	[ ! -d "$OUTPUT" ] || die "$OUTPUT is a folder; choose another --output"
	[ -d "$(dirname "$STATEMENT")" ] || die "there is no folder for the statement $STATEMENT"
}

# write_statement: for the submitter to fill in.
write_statement() {
	# Not into a file that could be left empty.
	local text

	text=$("${PREFIX[@]}" "$PROGRAMS/cts-bundle" template --profiles "$CONTRACT/profiles" "$RUN") || exit
	printf '%s\n' "$text" > "$STATEMENT" ||
		die "cannot write the statement $STATEMENT; choose another place: --statement FILE"
	say "fill in what stands blank in $STATEMENT, then give the same command again"
	exit 1
}

# list_words: of this machine, "KIND WORD" each, longest names first.
list_words() {
	local file word UNREAD=''

	for file in product_serial board_serial chassis_serial product_uuid; do
		[ -e "/sys/class/dmi/id/$file" ] || continue
		[ -r "/sys/class/dmi/id/$file" ] || UNREAD=yes
		# Vendors pad them.
		word=$(sed 's/^[[:space:]]*//; s/[[:space:]]*$//' "/sys/class/dmi/id/$file" 2> /dev/null) || continue
		[[ ${word,,} =~ $NO_SERIAL ]] || echo "serial $word"
	done
	for word in "$(hostname -f 2> /dev/null)" "$(uname -n)" "$(hostname -d 2> /dev/null)"; do
		[ -z "$word" ] || echo "host $word"
	done
	# As logs have it, where the machine's own name is a long one.
	word=$(uname -n)
	[ -z "${word%%.*}" ] || echo "host ${word%%.*}"
	for word in "${SUDO_USER-}" "${USER-}" "${LOGNAME-}"; do
		[ -z "$word" ] || echo "user $word"
	done
	getent passwd | awk -F : '$3 >= 1000 && $3 < 65000 { print "user", $1 }'
	for file in /sys/class/net/*; do
		[ ! -e "$file" ] || [ "${file##*/}" = lo ] || echo "interface ${file##*/}"
	done
	[ -z "$UNREAD" ] || [[ " ${PACK[*]} " != *" --private "* ]] ||
		say "this machine's serial numbers can be read by root alone: they are not looked for"
	[ "${#HIDE[@]}" -eq 0 ] || printf 'hidden %s\n' "${HIDE[@]}"
}

# clean_up: also on Ctrl-C.
clean_up() {
	remove_contract
	[ -z "$NEW" ] || rm -f "$NEW"
}

# pack: all of it, or what was there before.
pack() {
	local status=()

	: > "$OUTPUT.new" || die "cannot write $OUTPUT; choose another place: --output FILE"
	NEW=$OUTPUT.new
	set +e
	"${PREFIX[@]}" "$PROGRAMS/cts-bundle" pack --statement "$STATEMENT" --words "$CONTRACT/words" \
		"${PACK[@]}" "$RUN" | gzip -9n > "$NEW"
	status=("${PIPESTATUS[@]}")
	set -e
	# Ended by SIGPIPE is who wrote to a gzip that had failed.
	[ "${status[0]}" -eq 0 ] || [ "${status[0]}" -eq "$EXIT_SIGPIPE" ] || exit "${status[0]}"
	[ "${status[1]}" -eq 0 ] || die "cannot write $OUTPUT; choose another place: --output FILE"
	mv "$NEW" "$OUTPUT"
	echo "$OUTPUT"
}

main() {
	local blanks=()

	LIST='' NEW=''
	parse "$@"
	if [ -n "$LIST" ]; then
		find_programs
		exec "${PREFIX[@]}" "$PROGRAMS/cts-bundle" hidden
	fi
	check_places
	find_programs "$RUN" "$STATEMENT"
	trap clean_up EXIT
	make_contract
	[ -s "$STATEMENT" ] || write_statement
	list_words | sort -u > "$CONTRACT/words"
	pack
	[[ " ${PACK[*]} " != *" --allow-blanks "* ]] || blanks=(--allow-blanks)
	verify_bundle "$OUTPUT" "${blanks[@]}" && return
	say "the bundle was made, but for what stands above it would not be verified"
	exit 1
}

main "$@"
