#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the guest: what moves storage and who is told of it, judged by the monitor alone over the program
# placement, with the peer exporter's counters switched off, and by the peers in the programs notify and pin;
# without a fault and with each of those in FAULTS. Prints "WHO FAULT RECORD" for each record. Written for
# busybox.

export DMABUF_CTS_EXPORTER=peer:dynamic DMABUF_CTS_IMPORTER=peer:notify DMABUF_CTS_RECORD_FD=9
readonly PARAMETERS=/sys/module/dmabuf_peer_exporter/parameters

# tell WHO FAULT COMMAND...: the records that the command writes.
tell() {
	local who=$1 fault=$2

	shift 2
	"$@" 9> /tmp/records > /tmp/output 2>&1
	echo "$who $fault status $?"
	sed "s/^/$who $fault /" /tmp/records
}

for fault in none $FAULTS; do
	echo "$fault" > $PARAMETERS/fault
	echo N > $PARAMETERS/counters
	tell monitor "$fault" cts-monitor -- placement
	[ "$fault" != none ] || tell blind "$fault" pin
	echo Y > $PARAMETERS/counters
	tell peers "$fault" notify
	tell peers "$fault" pin
done
