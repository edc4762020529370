#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the guest: one monitor over the stress program on one pair after another, for STORM_SECONDS. Prints
# TAP. Written for busybox.

# For each pair in turn. Pairs that break the contract on stock kernels would say nothing about the monitor.
readonly PAIRS="peer:dynamic,peer:notify peer:revocable,peer:notify peer:dynamic,umem:dynamic peer:migrate,peer:notify"
readonly ROUND=5 MONITORED=/tmp/monitored FAILED=/tmp/failed
# KiB: the monitor may still learn names of functions, and the kernel keep what it cached.
readonly MONITOR_GROWS=1024 SLAB_GROWS=8192
NUMBER=0

# work END: until that time, in seconds of uptime.
work() {
	local pair

	while [ "$(uptime_s)" -lt "$1" ]; do
		for pair in $PAIRS; do
			DMABUF_CTS_EXPORTER=${pair%,*} DMABUF_CTS_IMPORTER=${pair#*,} DMABUF_CTS_STRESS_SECONDS=$ROUND \
				stress > /tmp/stress 2>&1 || { echo "# $pair"; grep -v '^ok' /tmp/stress; } >> "$FAILED"
		done
	done
}

uptime_s() {
	cut -d . -f 1 /proc/uptime
}

# rss PID, slab: in KiB.
rss() {
	awk '$1 == "VmRSS:" { print $2 }' "/proc/$1/status"
}

slab() {
	awk '$1 == "Slab:" { print $2 }' /proc/meminfo
}

# result STATUS TEXT: one line of TAP.
result() {
	local word=ok

	[ "$1" -eq 0 ] || word="not ok"
	NUMBER=$((NUMBER + 1))
	echo "$word $NUMBER $2"
}

# watch PID: say now and then how it stands, until it ends. Sets RSS and SLAB after a first time.
watch() {
	local next=60 now

	RSS='' SLAB=''
	while kill -0 "$1" 2> /dev/null; do
		sleep 1
		[ "$(uptime_s)" -ge $((BEGAN + next)) ] || continue
		next=$((next + 60))
		# A monitor that has just ended has no memory to tell of.
		now=$(rss "$1")
		[ -n "$now" ] || continue
		LAST_RSS=$now LAST_SLAB=$(slab)
		RSS=${RSS:-$LAST_RSS} SLAB=${SLAB:-$LAST_SLAB}
		echo "# after $(($(uptime_s) - BEGAN)) s: monitor $LAST_RSS KiB, slab $LAST_SLAB KiB"
	done
	wait "$1"
	STATUS=$?
}

main() {
	[ "${1-}" != work ] || { work "$2"; exit 0; }
	: > "$FAILED"
	BEGAN=$(uptime_s)
	echo 1..4
	cts-monitor --output "$MONITORED" -- "$0" work $((BEGAN + STORM_SECONDS)) &
	watch $!
	grep '^# lost\|^# checked' "$MONITORED" | sort | uniq -c | sort -rn | head -n 3 | sed 's/^ */# /'
	grep '^not ok' -B 12 "$MONITORED" | sed 's/^/# /'
	result "$STATUS" "the monitor found nothing broken and lost nothing"
	sed 's/^/# /' "$FAILED"
	[ ! -s "$FAILED" ]
	result $? "nor did the storm itself"
	[ -n "$RSS" ] && [ "$LAST_RSS" -le $((RSS + MONITOR_GROWS)) ]
	result $? "the monitor's memory stays: ${RSS:-?} KiB after a minute, ${LAST_RSS:-?} KiB at the end"
	[ -n "$SLAB" ] && [ "$LAST_SLAB" -le $((SLAB + SLAB_GROWS)) ]
	result $? "so does the kernel's: ${SLAB:-?} KiB, ${LAST_SLAB:-?} KiB"
}

main "$@"
