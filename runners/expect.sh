#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "expect": brings the files of expected results up to date with a run.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"

USAGE="usage: dmabuf-cts expect [OPTION]... RUN
Bring the files of expected results up to date with a run, a result folder or a run.json, so that it
has nothing unexpected.
  --fails REASON    expect its failures, too, for that reason
  --found-by NAME   who found these failures
  --wide            one line for all pairs, or all with one end, of the run where they all skip or
                    refuse alike
  --prune           remove lines that met nothing
  --dry-run         say what would be done, and do nothing
  --expected DIR    the files (default expected/ of this checkout)
Exit status: 0 all of the run is expected now, 1 something is left to decide, 2 usage or a mistake in
a file, 125 the run cannot be read, is incomplete, or files cannot be written."

main() {
	local options=() runs=() folder=$CTS_TOP/expected

	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--wide | --prune | --dry-run) options+=("$1") ;;
		--expected) need_value "$1" $#; folder=$2; shift ;;
		--fails | --found-by)
			need_value "$1" $#
			options+=("$1" "$2")
			shift
			;;
		-*) usage_error "unknown option $1" ;;
		*) runs+=("$1") ;;
		esac
		shift
	done
	[ ${#runs[@]} -eq 1 ] || usage_error "wants one run, got ${#runs[@]}"
	find_programs "$folder" "${runs[@]}"
	exec "${PREFIX[@]}" "$PROGRAMS/cts-report" expect "${options[@]}" --expected "${SEEN[@]}"
}

main "$@"
