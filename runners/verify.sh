#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "verify": whether a bundle is what it says.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"
# shellcheck source=runners/contract.sh
. "$CTS_TOP/runners/contract.sh"

USAGE="usage: dmabuf-cts verify [--profile PROFILE] [--allow-blanks] BUNDLE
Check a bundle: that it is whole and unchanged, that no test was left out, that all its files say the
same, and that each MUST of the profiles that the statement claims was judged.
  --profile PROFILE  check these instead: 'PROFILE', 'DRIVER PROFILE', several with commas, or 'none'
  --allow-blanks     the statement need not be filled in
Exit status: 0 nothing is wrong; 1 something is, a line for each thing; 2 usage; 125 it cannot be judged."

main() {
	local options=() bundle=''

	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--allow-blanks) options+=("$1") ;;
		--profile)
			need_value "$1" $#
			options+=("$1" "$2")
			shift
			;;
		-*) usage_error "unknown option $1" ;;
		*)
			[ -z "$bundle" ] || usage_error "'$1' is one bundle too many"
			bundle=$1
			;;
		esac
		shift
	done
	[ -n "$bundle" ] || usage_error "verify which bundle?"
	[ ! -d "$bundle" ] || die "$bundle is a folder; verify wants the bundle that 'dmabuf-cts bundle' made of it"
	[ -r "$bundle" ] || die "cannot read the bundle $bundle"
	find_programs
	trap remove_contract EXIT
	make_contract
	verify_bundle "$bundle" "${options[@]}"
}

main "$@"
