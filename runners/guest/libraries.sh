# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What a program needs besides itself. To be sourced inside a build root.

# libraries FILE...: paths of all that the files are linked with, the loader included.
libraries() {
	ldd "$@" 2> /dev/null | sed -nE 's/.*=> (\/[^ ]+) .*/\1/p; s/^[[:space:]]*(\/[^ ]*ld-linux[^ ]*) .*/\1/p' | sort -u
}
