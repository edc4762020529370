#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "coverage": the contract against its tests and their mutants.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"

USAGE="usage: dmabuf-cts coverage [--check]
For each check of the contract: the tests that judge it, the mutants that prove that these can
fail, and where there is none of either, why not and who could change that.
  --check      say only what is wrong, and the sums
Exit status: 0; 1 if a check lacks something without a reason, or a reason is out of date;
2 for wrong usage."

CHECK=()
while [ $# -gt 0 ]; do
	case $1 in
	--help) echo "$USAGE"; exit ;;
	--check) CHECK=("$1") ;;
	*) usage_error "unknown option $1" ;;
	esac
	shift
done
find_programs
"${PREFIX[@]}" "$PROGRAMS/cts-coverage" --tests "$PROGRAMS" "${CHECK[@]}" \
	"$CTS_TOP/tests/meta/mutants.list" "$CTS_TOP/tests/meta/gaps.list"
