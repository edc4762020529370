#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "list": exporters and importers, here or in a guest, and why others are absent.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"

USAGE="usage: dmabuf-cts list [--kernel KERNEL [VM-OPTION]...]
       dmabuf-cts list --tests
Show exporters and importers, with all the reasons why one is absent.
  --kernel KERNEL   those of a virtual machine with that kernel, instead of this machine's;
                    more options as for 'dmabuf-cts vm'
  --tests           show the tests, their clauses, and the kinds of pair they apply to"

case ${1-} in
--help) echo "$USAGE"; exit ;;
--tests)
	find_programs
	exec "${PREFIX[@]}" "$PROGRAMS/cts-explain" --tests "$PROGRAMS"
	;;
--kernel)
	exec "$CTS_TOP/runners/vm.sh" "$@" --list
	;;
'')
	find_programs
	exec "${PREFIX[@]}" "$PROGRAMS/cts-agent" --list
	;;
*) usage_error "unknown option $1" ;;
esac
