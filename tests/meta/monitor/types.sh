#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the guest: the monitor on a kernel that does not describe its types, which is one whose description is
# hidden. Prints what it says, each line behind a word for how it was asked. Written for busybox.

export DMABUF_CTS_EXPORTER=peer:dynamic DMABUF_CTS_IMPORTER=peer:notify-p2p
readonly OWN=/sys/kernel/btf PARAMETERS=/sys/module/dmabuf_peer_importer/parameters

# ask WORD COMMAND...
ask() {
	local word=$1 status=0

	shift
	cts-monitor "$@" > /tmp/output 2>&1 || status=$?
	grep '^cts-monitor:' /tmp/output | sed "s/^/$word: /"
	echo "$word: status $status"
}

# watch WORD PROGRAM OPTION...: what is said of that program.
watch() {
	local word=$1 program=$2

	shift 2
	ask "$word" --output /tmp/results "$@" -- "$program"
	sed "s/^/$word: /" /tmp/results
}

watch own importer
cp $OWN/vmlinux /tmp/types
head -c 100000 /tmp/types > /tmp/torn
mount -t tmpfs none $OWN
ask hidden --try
ask absent --try --btf /tmp/none
ask torn --try --btf /tmp/torn
ask other --try --btf /cts/files/other
umount /sys/kernel/tracing
umount -l /sys/kernel/debug
ask unmounted --try --btf /tmp/types
mount -t tracefs trace /sys/kernel/tracing
mount -t debugfs debug /sys/kernel/debug
# Whoever was killed leaves its events to the next.
cts-monitor --btf /tmp/types --seconds 60 > /tmp/output 2>&1 &
until grep -q map_left /sys/kernel/tracing/kprobe_events; do
	sleep 1
done
kill -9 $!
watch given lock --btf /tmp/types
mkdir -p "/lib/modules/$(uname -r)"
cp /tmp/types "/lib/modules/$(uname -r)/vmlinux.btf"
watch found importer
for fault in $FAULTS; do
	echo "$fault" > $PARAMETERS/fault
	watch "$fault" importer
	watch "$fault" lock
	watch "$fault" errors
done
sed 's/^/left: /' /sys/kernel/tracing/kprobe_events
echo "over: status 0"
