#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-monitor: what it wants, what it says of peers that keep the contract, and that it sees those
# that do not. How it judges is in tests/meta/unit/monitor.c.

# shellcheck disable=SC2154
bats_require_minimum_version 1.5.0
load common

setup() {
	make_folder
	cd "$BATS_TEST_TMPDIR" || return
	build_once
}

teardown() {
	remove_folder
}

# monitor ARG...
monitor() {
	"$RUNNERS/enter.sh" "$build_programs/cts-monitor" "$@"
}

@test "what makes no sense is told" {
	fails_with 2 monitor --pid some
	says "--pid wants a process id: some"
	fails_with 2 monitor --pid 1 -- true
	says "--pid makes no sense with a command"
	fails_with 2 monitor --case pin
	says "--case wants a command"
	fails_with 2 monitor --bound 0
	fails_with 2 monitor --seconds -1
	fails_with 2 monitor --unknown
}

@test "where results cannot be written nothing is followed" {
	fails_with 125 monitor --output no/folder --seconds 600 -- touch ran
	says "cts-monitor: cannot write to --output no/folder: No such file or directory"
	[ ! -e ran ]
}

@test "where nothing can be followed one line says why" {
	run monitor --try
	[ "$status" -eq 0 ] || {
		[ "$status" -eq 125 ]
		[ "${#lines[@]}" -eq 1 ]
		says "cts-monitor: "
	}
}

# monitored FAULT: "CLAUSE VERDICT" of each verdict of the monitor, with that fault on ('' for none).
monitored() {
	python3 - "$FOLDER/out/stream.jsonl" "$1" << 'END'
import json, sys

jobs = set()
for line in open(sys.argv[1]):
    record = json.loads(line)
    if record.get("type") == "job" and record.get("state") == "start":
        if (record.get("fault") or "") == sys.argv[2]:
            jobs.add(record["job"])
    if record.get("case") == "monitored" and record["type"] == "verdict" and record["job"] in jobs:
        print(record["clause"], record["verdict"])
END
}

@test "peers keep the contract, and a mutant of each kind is seen by tracing alone" {
	printf '%s\n' "map_unlocked importer MAP-01.a peer:dynamic,peer:notify-p2p" \
		"callback_drops_lock importer LOCK-05.a peer:dynamic,peer:notify-p2p" \
		"unmap_other_direction importer MAP-03.b peer:dynamic,peer:notify-p2p" \
		"detach_while_mapped importer LIFE-04.a peer:dynamic,peer:notify-p2p" > "$FOLDER/list"
	"$TOP/dmabuf-cts" mutants --list "$FOLDER/list" --no-nic --monitor --guests 1 --silence 120 \
		--program lock --program importer --output "$FOLDER/out"
	monitored "" > clean
	grep -q '^MAP-01.a pass$' clean
	grep -q '^LOCK-05.a pass$' clean
	grep -q '^LIFE-04.a pass$' clean
	run ! grep -vE ' (pass|skip)$' clean
	monitored importer:map_unlocked | grep -q '^MAP-01.a fail$'
	monitored importer:callback_drops_lock | grep -q '^LOCK-05.a fail$'
	monitored importer:unmap_other_direction | grep -q '^MAP-03.b fail$'
	monitored importer:detach_while_mapped | grep -q '^LIFE-04.a fail$'
}
