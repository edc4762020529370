#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# cts-monitor: what it wants, what it says of peers that keep the contract, that it sees those that
# do not, and that it says what it did not see. How it judges is in tests/meta/unit/monitor.c.

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
	fails_with 2 monitor --room 0
	fails_with 2 monitor --seconds -1
	fails_with 2 monitor --unknown
	fails_with 125 monitor --try --btf "$PWD/nothing"
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

# read_types KERNEL: what that kernel says of its types, in $FOLDER/other.
read_types() {
	describe_kernel "$1"
	make_agent say_types << 'END'
#!/bin/busybox sh
cat /sys/kernel/btf/vmlinux
END
	boot --agent say_types > "$FOLDER/other"
}

# without_types KERNEL: what tests/meta/monitor/types.sh prints there, in guest.
without_types() {
	local file modules=()

	describe_kernel "$1"
	take_programs cts-monitor importer lock errors
	install "$TOP/tests/meta/monitor/types.sh" "$FOLDER/programs/untold"
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV")"
	for file in exporter importer; do
		modules+=(--module "$build_modules/dmabuf_peer_$file.ko")
	done
	boot --agent untold --file "$FOLDER/other" "${modules[@]}" --timeout 600 \
		--environment "FAULTS=pin_unlocked detach_while_mapped" > guest
	cat guest
}

@test "on a kernel that does not describe its types a file does, and else one line says how to have one" {
	local kernel

	read_types 6.12
	for kernel in newest 6.1; do
		without_types "$kernel"
		# Where the kernel does describe them it is by the way that suits it best.
		grep -qE '^own: # calls are seen by (sessions of probes|trampolines)$' guest
		run ! grep '^own: # not by ' guest
		grep -q '^hidden: .*CONFIG_DEBUG_INFO_BTF\..*pahole .* --btf FILE, or have it as /lib/modules/' guest
		grep -q '^absent: .*no types of a kernel in /tmp/none: No such file' guest
		grep -q '^torn: .*no types of a kernel in /tmp/torn: ' guest
		grep -q '^other: .*the types are those of another kernel' guest
		grep -q '^unmounted: .*mount -t tracefs' guest
		[ "$(grep -c ': status 125$' guest)" -eq 5 ]
		for word in given found; do
			grep -q "^$word: status 0$" guest
			grep -q "^$word: # calls are seen by kprobes$" guest
			grep -q "^$word: # lost: 0 calls, 0 attachments, 0 buffers, 0 mappings, 0 pairs;" guest
		done
		grep -qx 'given: ok [0-9]* LOCK-01.c' guest || [ "$kernel" = 6.1 ]
		grep -qx 'given: ok [0-9]* LOCK-05.a' guest
		grep -qx 'found: ok [0-9]* LIFE-04.a' guest
		grep -qx 'found: ok [0-9]* MAP-01.a' guest
		grep -qx 'pin_unlocked: not ok [0-9]* PIN-02.a' guest
		grep -qx 'detach_while_mapped: not ok [0-9]* LIFE-04.a' guest
		# Those of monitors that were killed are gone as well.
		run ! grep '^left: ' guest
		grep -qx 'over: status 0' guest
	done
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

# Those of locks, order and balance that show in calls of the core. Two do not: attaches_when_told and
# called_locked have the exporter's operation called past the core, where that would wait for itself.
MUTANTS='
map_unlocked importer MAP-01.a peer:dynamic,peer:notify-p2p program=importer program=lock
callback_drops_lock importer LOCK-05.a peer:dynamic,peer:notify-p2p program=lock
unmap_other_direction importer MAP-03.b peer:dynamic,peer:notify-p2p program=importer
detach_while_mapped importer LIFE-04.a peer:dynamic,peer:notify-p2p program=importer
pin_unlocked importer PIN-02.a peer:dynamic,peer:silent program=importer program=lock
unpin_unlocked importer PIN-02.b peer:dynamic,peer:silent program=importer program=lock
vmap_unlocked importer LOCK-01.c peer:dynamic,peer:notify-p2p program=lock
cpu_access_locked importer LOCK-02.d peer:dynamic,peer:notify-p2p program=lock
notify_unlocked exporter LOCK-03 peer:dynamic,peer:notify-p2p program=lock
detach_while_pinned importer LIFE-04.b peer:dynamic,peer:silent program=importer
unpins_before_unmap importer LIFE-03.a peer:dynamic,peer:silent program=importer
unpins_early importer MAP-07 peer:dynamic,peer:silent program=importer
double_unpin_on_map_failure importer PIN-03.a peer:dynamic,peer:silent program=errors
unpins_after_failed_pin importer PIN-03.b peer:dynamic,peer:silent program=errors
resv_changes exporter LOCK-08.a peer:dynamic,peer:notify-p2p program=lock'

@test "peers keep the contract, and mutants of locks, order and balance are seen by tracing alone" {
	local name side clause rest

	sed 1d <<< "$MUTANTS" > "$FOLDER/list"
	"$TOP/dmabuf-cts" mutants --list "$FOLDER/list" --no-nic --monitor --guests 1 --silence 120 \
		--program lock --program importer --program errors --output "$FOLDER/out"
	monitored "" > clean
	grep -q '^MAP-01.a pass$' clean
	grep -q '^LOCK-05.a pass$' clean
	grep -q '^LIFE-04.a pass$' clean
	# What is only recorded has a value.
	run ! grep -vE ' (pass|skip|value)$' clean
	while read -r name side clause rest; do
		monitored "$side:$name" | grep -qx "$clause fail" || { echo "$name is not seen: no fail of $clause"; false; }
	done < "$FOLDER/list"
}

# What the monitor tells of exporters that move, and the peers as well, of faults in that: which clause is to
# fail, or to have another value, with both.
PLACEMENT='
move_without_notify INV-01.a fail
notify_first_only INV-01.a fail
pin_migrates PIN-06.b value:pin moved the storage
moves_while_pinned PIN-04.a fail
map_returns_old_address INV-08 fail
unpin_keeps_pin PIN-08.a fail
unpin_no_notify PIN-08.b fail'

# placement_verdicts: "WHO FAULT CLAUSE VERDICT" of what tests/meta/monitor/placement.sh printed; of the
# monitor's verdicts those of the monitor alone.
placement_verdicts() {
	python3 - guest << 'END'
import json, sys

for line in open(sys.argv[1]):
    who, fault, record = line.rstrip("\n").split(" ", 2)
    if not record.startswith("{"):
        continue
    record = json.loads(record)
    if record["type"] != "verdict" or (who == "monitor" and record["case"] != "monitored"):
        continue
    value = record.get("value")
    print(who, fault, record["clause"], record["verdict"] + (":" + value if value else ""))
END
}

@test "the monitor alone tells what moves storage and who is told, as the peers do" {
	local file fault clause verdict modules=() faults=''

	describe_kernel newest
	take_programs cts-monitor placement notify pin
	install "$TOP/tests/meta/monitor/placement.sh" "$FOLDER/programs/placed"
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV")"
	for file in exporter importer; do
		modules+=(--module "$build_modules/dmabuf_peer_$file.ko")
	done
	sed 1d <<< "$PLACEMENT" > list
	faults=$(cut -d ' ' -f 1 list | tr '\n' ' ')
	"$RUNNERS/guest/boot.sh" --kernel-env "$KERNEL_ENV" --programs "$FOLDER/programs" --agent placed \
		--watchdog "$FOLDER/programs/cts-watchdog" "${modules[@]}" --environment "FAULTS=$faults" \
		--timeout 600 --console "$FOLDER/console" > guest
	placement_verdicts > verdicts
	cat guest
	# Without counters the peers can tell nothing of some of it.
	grep -q '^monitor none status 0$' guest
	grep -q '^blind none status 1$' guest
	for clause in INV-01.a INV-08 PIN-04.a PIN-08.a PIN-08.b; do
		grep -qx "monitor none $clause pass" verdicts
		grep -qx "peers none $clause pass" verdicts
	done
	grep -qx "monitor none PIN-06.b value:pin kept the place" verdicts
	grep -qx "peers none PIN-06.b value:pin kept the place" verdicts
	run ! grep -E '^(monitor|peers) none .* (fail|warn|error)$' verdicts
	while read -r fault clause verdict; do
		grep -qx "monitor $fault $clause $verdict" verdicts || { echo "$fault: not by the monitor"; false; }
		grep -qx "peers $fault $clause $verdict" verdicts || { echo "$fault: not by the peers"; false; }
	done < list
}

# lost WORD: what the monitor that was asked in that way lost, as "N calls, N attachments" and so on.
lost() {
	sed -n "s/^$1: # lost: //p" guest
}

@test "what there is no room for is counted, and nothing that rests on it passes" {
	local file modules=()

	describe_kernel newest
	take_programs cts-monitor stress
	install "$TOP/tests/meta/monitor/guest.sh" "$FOLDER/programs/flood"
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV")"
	for file in exporter importer; do
		modules+=(--module "$build_modules/dmabuf_peer_$file.ko")
	done
	"$RUNNERS/guest/boot.sh" --kernel-env "$KERNEL_ENV" --programs "$FOLDER/programs" --agent flood \
		--watchdog "$FOLDER/programs/cts-watchdog" "${modules[@]}" --timeout 600 --console "$FOLDER/console" > guest
	cat guest
	[[ $(lost enough) == *", 0 attachments, 0 buffers, 0 mappings, 0 pairs; details of 0 findings, 0 lines"* ]]
	grep -q '^enough: ok [0-9]* LIFE-04.a$' guest
	# Whom there was no room to follow may have left anything. A lock tells of itself.
	[[ $(lost little) =~ \ [1-9][0-9]*\ attachments, ]]
	grep -q '^little: not ok [0-9]* LIFE-04.a # ERROR kept [0-9]* times, but [0-9]* events that it rests on' guest
	grep -q '^little: status 1$' guest
	# What was judged beside the call needs no reader. Only calls may be missed, for as long as the monitor reads.
	[[ $(lost slow) =~ \ 0\ attachments,.*\ [1-9][0-9]*\ lines ]]
	run ! grep '^slow: .*broken' guest
}
