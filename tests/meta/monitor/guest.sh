#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the guest: the monitor over the stress program, with room for all it sees and with too little. Prints
# what it says, each line behind a word for how it was asked. Written for busybox.

export DMABUF_CTS_EXPORTER=peer:dynamic DMABUF_CTS_IMPORTER=peer:notify DMABUF_CTS_STRESS_SECONDS=3

# watch WORD READER OPTION...: the monitor's results and status, while READER reads its live view.
watch() {
	local word=$1 reader=$2

	shift 2
	rm -f /tmp/over
	{
		cts-monitor "$@" --output /tmp/results -- sh -c 'stress > /tmp/stress 2>&1; touch /tmp/over'
		echo $? > /tmp/status
	} | { "$reader"; cat > /tmp/live; }
	sed "s/^/$word: /" /tmp/results
	echo "$word: status $(cat /tmp/status)"
}

# The monitor waits for whoever reads of it, and the calls go on.
reads_when_all_is_over() {
	while [ ! -e /tmp/over ]; do
		sleep 1
	done
}

watch enough true
watch little true --room 1
watch slow reads_when_all_is_over --live --room 1024
