#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "mutants": the peers' deliberate faults one after another in a virtual machine. The
# runner alone switches them; programs and their arguments are the same as in any run.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

USAGE="usage: dmabuf-cts mutants [--list FILE] [VM-OPTION]...
Switch on one fault of the peers, the NIC or the kernel after another and see that a check of its clause notices.
  --list FILE   the mutants to run (default tests/meta/mutants.list)
  --full        each on all pairs of peers besides its own, and with all cases: which others fail, too?
                It takes hours.
More options are those of 'dmabuf-cts vm'.
Exit status: 0 all were caught and nothing failed without one, 1 otherwise, 2 usage,
125 could not judge."

LIST=$CTS_TOP/tests/meta/mutants.list
OPTIONS=()
while [ $# -gt 0 ]; do
	case $1 in
	--help) echo "$USAGE"; exit ;;
	--list) need_value "$1" $#; LIST=$2; shift 2 ;;
	--full) OPTIONS+=(--profile full); shift ;;
	*) OPTIONS+=("$1"); shift ;;
	esac
done
[ -r "$LIST" ] || die "cannot read the list of mutants '$LIST'; give one with --list"
exec "$CTS_TOP/runners/vm.sh" --faults "$LIST" --mutants "$LIST" "${OPTIONS[@]}"
