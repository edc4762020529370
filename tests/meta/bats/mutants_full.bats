#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# tests/meta/mutants_full.sh: which runs are taken again. Mutants and score are stand-ins.

# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0
load common

setup() {
	make_folder
	export FOLDER
	SUITE=$FOLDER/suite
	mkdir -p "$SUITE/runners" "$SUITE/tests/meta"
	cp "$RUNNERS/common.sh" "$SUITE/runners/"
	cp "$TOP/tests/meta/mutants_full.sh" "$SUITE/tests/meta/"
	stand_in mutants 'echo "$*" >> "$FOLDER/calls"; mkdir "$2"; echo "[]" > "$2/mutants.json"'
	stand_in enter 'echo "$(($# - 1)) runs"'
	echo "one exporter PIN-01 timing" > "$FOLDER/list"
	git -C "$SUITE" init -q
	commit
}

teardown() {
	remove_folder
}

# stand_in NAME COMMAND: for that runner.
stand_in() {
	printf '#!/bin/bash\n%s\n' "$2" > "$SUITE/runners/$1.sh"
	chmod +x "$SUITE/runners/$1.sh"
}

commit() {
	git -C "$SUITE" add .
	git -C "$SUITE" -c user.name=x -c user.email=x@example.com commit -q --allow-empty -m x
}

# runs COUNT OPTION...: so many runs are made for it.
runs() {
	local wanted=$1

	shift
	: > "$FOLDER/calls"
	REPEATS=${REPEATS:-2} fails_with 0 "$SUITE/tests/meta/mutants_full.sh" --list "$FOLDER/list" --output "$FOLDER/out" "$@"
	[ "$(wc -l < "$FOLDER/calls")" -eq "$wanted" ] || { cat "$FOLDER/calls"; return 1; }
}

@test "what is there of the same is not run again" {
	runs 3
	says "3 runs"
	runs 0
	rm -r "$FOLDER/out/repeat-2"
	runs 1
}

@test "other sources, another list and other options make the folder anew" {
	runs 3
	commit
	runs 3
	says "it begins anew"
	echo "# changed" >> "$SUITE/runners/enter.sh"
	runs 3
	echo "two exporter PIN-01" >> "$FOLDER/list"
	runs 3
	runs 3 --cpus 2
	REPEATS=1 runs 2
	says "2 runs"
}
