#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "explain": what the contract demands, out of the clause table.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"

USAGE="usage: dmabuf-cts explain [--json] [--law LAW] CLAUSE...
       dmabuf-cts explain --list | --untested | --all | --json
       dmabuf-cts explain --profiles | [--law LAW] --profile NAME
Say what a clause demands, of whom, since when, and which tests check it.
  CLAUSE       such as PIN-08 or UAPI-08.a
  --list       all clause ids, a line each
  --untested   those that no test declares
  --all        the whole contract, as a page in Markdown
  --profiles   the profiles of conformance: kinds of driver, and
  --profile NAME  what one of that kind must keep
  --json       the same for programs; without a CLAUSE all of them
  --law LAW    also tell how strong the clause is under LAW: 'here' for the law of
               this machine's kernel, or NAME=VALUE,... as cts-probe finds it
Exit status: 0, or 2 for wrong usage or an unknown clause."

case ${1-} in
'') usage_error "no clause given" ;;
--help) echo "$USAGE"; exit ;;
esac
find_programs
"${PREFIX[@]}" "$PROGRAMS/cts-explain" --tests "$PROGRAMS" "$@"
