#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "monitor": follows the dma-bufs of this machine, whichever drivers share them. No module
# of ours is needed. What the monitor runs is the user's own command, so no build root is entered.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

USAGE="usage: dmabuf-cts monitor [OPTION]... [-- COMMAND [ARGUMENT]...]
Follow every dma-buf of this machine, as root, and say which clauses of the contract were kept and
broken, by whom and how they came to it; until COMMAND ends, or Ctrl-C.
  --pid P         only what process P exports and attaches, until it ends
  --seconds N     end after N seconds
  --bound N       seconds that a mapping may outlive a notice (default 10)
  --btf FILE      the kernel's types, where it does not describe them itself
  --room N        attachments to follow at a time (default 16384)
  --live          print each call as it comes
  --output FILE   write the KTAP there instead of to standard output
Exit status: 0 nothing was broken, 1 something was, or was not seen, 2 usage, 125 could not judge."

MONITOR=$CTS_TOP/build/bin/cts-monitor

# check_machine: what must be there before anything is followed.
check_machine() {
	grep -qs ' dma_buf_map_attachment$' /proc/kallsyms ||
		die "nothing to follow: the kernel of this machine ($(uname -r)) has no dma-buf" \
			"('./dmabuf-cts vm --monitor' follows those of a virtual machine)"
	[ "$(id -u)" -eq 0 ] || die "to follow dma-bufs needs root: sudo ./dmabuf-cts monitor"
	[ -x "$MONITOR" ] ||
		die "the monitor is not built: install clang and libbpf-dev, then run 'make'"
}

[ "${1-}" != --help ] || { echo "$USAGE"; exit; }
check_machine
exec "$MONITOR" "$@"
