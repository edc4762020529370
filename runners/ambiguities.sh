#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "ambiguities": where the contract is disputed, beside what runs measured there.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

USAGE="usage: dmabuf-cts ambiguities [--output FILE] [RUN|BUNDLE]...
Where documentation and code disagree, or are silent: a page in Markdown with each dispute, the
checks that only record until somebody rules, and what each kernel was measured to do.
  RUN, BUNDLE      take what these runs measured (default: the recorded results of drivers-matrix/)
  --output FILE    write there instead of standard output
Exit status: 0; 2 usage; 125 it could not be done."

# reduce_runs RUN...: into the folder of results that the page is made of.
reduce_runs() {
	local run

	mkdir -p "$CTS_CACHE/run"
	RESULTS=$(mktemp -d "$CTS_CACHE/run/ambiguities.XXXXXX")
	trap 'rm -rf "$RESULTS"' EXIT
	for run; do
		"$CTS_TOP/runners/matrix.sh" add --replace --results "$RESULTS" "$run" > "$RESULTS/.log" || exit
	done
}

main() {
	local runs=() options=(--format ambiguities)

	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--output) need_value "$1" $#; options+=("$1" "$2"); shift ;;
		-*) usage_error "unknown option $1" ;;
		*) runs+=("$1") ;;
		esac
		shift
	done
	if [ ${#runs[@]} -gt 0 ]; then
		reduce_runs "${runs[@]}"
		options+=(--results "$RESULTS")
	fi
	"$CTS_TOP/runners/matrix.sh" render "${options[@]}"
}

main "$@"
