#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-report table: the runs on several kernels side by side, and the one status that stands for all.

bats_require_minimum_version 1.5.0
load stream

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	stream normal 1
	mv out bad
	mkdir -p known/7.3
	echo 'PIN-01 pin.holds fail | known' > known/7.3/udmabuf,drm:vgem.txt
	stream normal 0 --expected known
	mv out good
}

# row KERNEL STATUS SECONDS FOLDER NOTE: one more line of the list.
row() {
	(IFS=$'\t'; echo "$*") >> list
}

# table STATUS OPTION...
table() {
	local wanted=$1

	shift
	exits "$wanted" report table "$@" list > shown 2> errors || { cat shown errors; return 1; }
}

@test "a row for each kernel, with the columns that some run needs" {
	row 6.1 1 75 bad "without peers"
	row 6.19 - "" "" "not run: no modules"
	row 7.3 0 600 good ""
	table 1
	diff -u - shown <<- 'END'
		kernel                   pairs    skip    pass   value refused    warn    fail     all  unexpected    time  folder
		7.3.4-test                   2       2       7       2       2       2       1      16           1    1:15  bad: without peers
		6.19                      not run: no modules
		7.3.4-test                   2       2       7       2       2       2       1      16           0   10:00  good
		2 kernels of 2: 1 unexpected
	END
}

@test "the worst status: something unexpected, then a mistake, then what could not be judged" {
	local status wanted

	while read -r wanted status; do
		rm -f list
		row 7.3 0 1 good ""
		for status in $status; do
			row 6.1 "$status" 1 "" why
		done
		table "$wanted"
	done <<- 'END'
		0
		125 125
		2 125 2
		1 2 1 125
		125 143
	END
	rm -f list
	row 6.19 - "" "" "not run: no modules"
	table 125
	says "0 kernels of 0"
}

@test "results that cannot be read, or are incomplete, are no results" {
	row 6.1 0 1 absent ""
	row 7.3 0 1 good ""
	table 125
	says "6.1                       its results cannot be read"
	says "absent"
	rm list
	stream interrupted 125 --remaining rest
	row 7.3 0 1 out "interrupted"
	table 125
	says "out: interrupted"
}

@test "lists that are none" {
	local text

	for text in "6.1" $'6.1\t0\t1\tgood' $'6.1\tx\t1\tgood\t' $'6.1\t\t1\tgood\t'; do
		echo "$text" > list
		table 125
		says "list: is no list of runs"
	done
	rm list
	table 125
	says "list: No such file"
	row 7.3 0 1 good ""
	table 2 --nonsense
	exits 2 report table > shown 2> errors
	exits 0 report table --help > shown
}
