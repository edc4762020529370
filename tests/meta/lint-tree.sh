#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Rules of the tree that no compiler checks: licence lines, who may use whom, and
# the length of functions and files.

set -u
cd "$(dirname "$0")/../.." || exit
FAULTS=0

fault() {
	printf '%s\n' "$*"
	FAULTS=$((FAULTS + 1))
}

sources() {
	find . -path ./.git -prune -o -path ./build -prune -o -type f \( "$@" \) -print | sort
}

# Every source names its licence in one of its first three lines.
check_licence() {
	local file

	while IFS= read -r file; do
		head -n 3 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-only' ||
			fault "$file: no SPDX line for GPL-2.0-only"
	done < <(sources -name '*.[ch]' -o -name '*.def' -o -name '*.sh' -o -name '*.bash' \
		-o -name '*.bats' -o -name Makefile -o -name Kbuild)
}

# includes FOLDER PATTERN: lines that include something PATTERN matches.
includes() {
	grep -rnE "^#[[:space:]]*include[[:space:]]+[\"<]($2)" "$1" --include='*.[ch]' 2> /dev/null
}

# Runners call programs and survive what they do; the library knows no tests; the
# modules and user space share the uapi header alone.
check_dependencies() {
	local line

	while IFS= read -r line; do
		fault "$line: a runner uses the library or a test"
	done < <(includes runners '(lib/|tests/|clause/|exporter/|importer/|oracle/|pair/|peer/|record/)')
	while IFS= read -r line; do
		fault "$line: the library uses a runner or a test"
	done < <(includes lib '(runners/|tests/|agent/|report/|stream/)')
	while IFS= read -r line; do
		fault "$line: user space uses a module's own header"
	done < <(grep -rnE '^#[[:space:]]*include.*kmod/' lib tests --include='*.[ch]' |
		grep -vE 'kmod/uapi/|^lib/peer/kmod/')
}

# Functions of at most 60 lines, files of at most 700.
check_lengths() {
	local file line

	while IFS= read -r file; do
		[ "$(wc -l < "$file")" -le 700 ] || fault "$file: more than 700 lines"
		while IFS= read -r line; do
			fault "$line"
		done < <(awk -v file="$file" '
			/^\{/ { start = FNR }
			/^\}/ {
				if (start && FNR - start > 60)
					print file ":" start ": function of " FNR - start " lines"
				start = 0
			}' "$file")
	done < <(sources -name '*.[ch]')
}

# faults_of MODULE, mutants_of MODULE: "NAME CLAUSE..." of each, as the module and as the lists have it.
faults_of() {
	local file=lib/peer/kmod/$1/faults.def

	[ "$1" != nic ] || file=runners/nic/faults.def
	sed -n 's/^FAULT(\([a-z0-9_]*\), "\([^"]*\)".*/\1 \2/p' "$file" | sort
}

mutants_of() {
	awk -v module="$1" '
		$1 !~ /^#/ && $2 == module {
			if (!($1 in text))
				text[$1] = $1
			for (i = 3; i <= NF; i++) {
				sub(/\.[a-z]$/, "", $i)
				if ($i ~ /^[A-Z0-9]+-[0-9]+$/ && !seen[$1, $i]++)
					text[$1] = text[$1] " " $i
			}
		}
		END { for (name in text) print text[name] }' tests/meta/mutants.list tests/meta/mutants-*.list | sort
}

# Every fault of the modules is tried, for the clauses that it is said to break.
check_mutants() {
	local line module

	for module in exporter importer umem nic core; do
		while IFS= read -r line; do
			fault "the lists of mutants and faults.def of the $module differ: $line"
		done < <(diff <(faults_of "$module") <(mutants_of "$module") |
			sed -n 's/^< /the module says /p; s/^> /the list says /p')
	done
}

check_licence
check_dependencies
check_mutants
check_lengths
[ "$FAULTS" -eq 0 ] || printf '%d faults\n' "$FAULTS"
[ "$FAULTS" -eq 0 ]
