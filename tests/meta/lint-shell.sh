#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs shellcheck over every shell script of the tree, found by name or first line.

set -eu
cd "$(dirname "$0")/../.."

is_shell() {
	case $1 in
	*.sh | *.bash | *.bats) return 0 ;;
	esac
	head -n 1 "$1" | grep -Eq '^#!.*[ /](ba|da)?sh( |$)'
}

scripts=()
while IFS= read -r file; do
	[ -f "$file" ] || continue
	! is_shell "$file" || scripts+=("$file")
done < <(find . -path ./.git -prune -o -path ./build -prune -o -type f -print | sort)

[ ${#scripts[@]} -gt 0 ]
shellcheck -x "${scripts[@]}"
