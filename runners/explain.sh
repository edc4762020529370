#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "explain": what the contract demands, out of the clause table.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"

USAGE="usage: dmabuf-cts explain CLAUSE...
       dmabuf-cts explain --list | --all
Say what a clause demands, of whom, since when, and which tests check it.
  CLAUSE    such as PIN-08 or UAPI-08.a
  --list    all clause ids, a line each
  --all     the whole contract
Exit status: 0, or 2 for an unknown clause."

case ${1-} in
'') usage_error "no clause given" ;;
--help) echo "$USAGE"; exit ;;
--list | --all) [ $# -eq 1 ] || usage_error "$1 takes no clause" ;;
-*) usage_error "unknown option $1" ;;
esac
find_programs
"${PREFIX[@]}" "$PROGRAMS/cts-explain" --tests "$PROGRAMS" "$@"
