# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The command lines of verbs that pass their options on. To be sourced after common.sh.

# take_arguments FLAGS VALUED ARG...: sets OPTIONS to the options among these, as they were given, VALUE
# to the last value of each, and WORDS to the others. FLAGS and VALUED are names, parted by blanks, of
# options without and with a value.
take_arguments() {
	local flags=" $1 " valued=" $2 "

	shift 2
	OPTIONS=() WORDS=()
	# shellcheck disable=SC2034 # it is for who called
	declare -gA VALUE=()
	while [ $# -gt 0 ]; do
		if [ "$1" = --help ]; then
			echo "$USAGE"
			exit
		elif [[ $1 != -* ]]; then
			WORDS+=("$1")
		elif [[ $flags == *" $1 "* ]]; then
			OPTIONS+=("$1")
		elif [[ $valued == *" $1 "* ]]; then
			need_value "$1" $#
			OPTIONS+=("$1" "$2")
			# shellcheck disable=SC2034
			VALUE[$1]=$2
			shift
		else
			usage_error "unknown option $1"
		fi
		shift
	done
}

# need_words COUNT WHAT
need_words() {
	[ ${#WORDS[@]} -eq "$1" ] || usage_error "wants $2, got ${#WORDS[@]}"
}
