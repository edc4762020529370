#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-report --mutants: what counts as caught, and what as a false alarm.

bats_require_minimum_version 1.5.0
load stream

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# mutants LINE...: the list of mutants.
mutants() {
	printf '%s\n' "$@" > list
}

@test "a mutant that a check of its clause sees is caught" {
	mutants "pin_leak exporter PIN-01"
	stream one-mutant 0 --mutants list
	says "pin.one PIN-01 on peer:dynamic,peer:notify, 0"
	says "1 mutants, 1 caught, 0 not caught, 0 false alarms"
	cmp <(sed -n '/^clause/,$p' shown) out/mutants.txt
}

@test "a mutant is told of when what it is compared with is over too" {
	mutants "pin_leak exporter PIN-01"
	{
		sed -n '1,/"schedule"/p' "$STREAMS/one-mutant.jsonl"
		sed '1,/"schedule"/d' "$STREAMS/one-mutant.jsonl" | grep '"job":2,\|"job":2}' | sed 's/^{/{"guest":2,/'
		sed '1,/"schedule"/d' "$STREAMS/one-mutant.jsonl" | grep -v '"job":2,\|"job":2}'
	} > twisted
	reports 0 --output out --mutants list < twisted
	says "# 1 of 1: exporter:pin_leak caught"
}

@test "what is caught, and what is not" {
	mutants "# mutants" "pin_leak exporter PIN-01" "short_table exporter PIN-02   # another clause" \
		"no_unpin importer PIN-01" "oops_on_move exporter MAP-01 crash" \
		"silent_death exporter MAP-01" "value_drifts importer INV-07" "" \
		"breaks_the_test exporter MAP-01"
	stream mutants 1 --mutants list
	golden mutants.txt shown
	golden mutants.json out/mutants.json
	golden mutants.tap out/mutants.tap
}

@test "each clause of a mutant must notice it" {
	mutants "pin_leak exporter PIN-01 PIN-09"
	stream one-mutant 1 --mutants list
	says "NOT CAUGHT by PIN-09, but by pin.one PIN-01 on peer:dynamic,peer:notify, 0"
}

@test "a crash in a check of another clause catches nothing" {
	mutants "oops_on_move exporter PIN-09 crash"
	stream mutants 1 --mutants list
	says "NOT CAUGHT"
}

@test "a clause stands for its letters" {
	mutants "pin_leak exporter PIN-01"
	sed 's/PIN-01/PIN-01.a/' "$STREAMS/one-mutant.jsonl" > lettered
	reports 0 --mutants list < lettered
	says "pin.one PIN-01.a on"
}

@test "a test that fails without the mutant is a false alarm" {
	mutants "pin_leak exporter PIN-01"
	stream false-alarm 1 --mutants list
	says "false alarm: pin.two MAP-01 on peer:dynamic,peer:notify: fail"
	grep -q '^not ok 2 - nothing fails without a mutant$' out/mutants.tap
}

@test "a known deviation is none" {
	mutants "pin_leak exporter PIN-01"
	mkdir -p known/any
	echo "MAP-01 pin.two fail | of this kernel" > known/any/any,any.txt
	stream false-alarm 0 --mutants list --expected known
}

@test "a mutant that was not run is not caught" {
	mutants "pin_leak exporter PIN-01" "other exporter PIN-01"
	stream one-mutant 1 --mutants list
	says "NOT RUN"
}

@test "mistakes in the list are named by line" {
	local text

	for text in "pin_leak" "pin_leak kernel PIN-01" "pin_leak exporter" "pin_leak exporter splendid"; do
		mutants "# first" "$text"
		run report --mutants list < /dev/null
		[ "$status" -eq 2 ]
		[[ $output = list:2:* ]]
		[ "$(wc -l <<< "$output")" -eq 1 ]
	done
	mutants "pin_leak exporter PIN-01" "pin_leak exporter PIN-02"
	run report --mutants list < /dev/null
	[[ $output = *"listed twice"* ]]
}

@test "what fails beside a mutant, by a check of another clause, catches nothing and is told" {
	mutants "pin_leak exporter PIN-01 timing"
	stream one-mutant 0 --mutants list
	grep -q '"strays": *\[\]' out/mutants.json
	grep -q '"timing": *true' out/mutants.json
	sed '/"job":2/s/\("clause":"MAP-01","verdict":\)"pass"/\1"fail"/' "$STREAMS/one-mutant.jsonl" > beside
	reports 0 --output beside.out --mutants list < beside
	tr -d '\n ' < beside.out/mutants.json | grep -q '"strays":\["pin.twoMAP-01onpeer:dynamic,peer:notify"\]'
	says "pin.one PIN-01 on peer:dynamic,peer:notify, 0"
}
