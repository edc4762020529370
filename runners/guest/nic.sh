# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The emulated NICs of one guest, and the server that is behind them. To be sourced by boot.sh.
# shellcheck disable=SC2153 # boot.sh sets NICS and NIC_*

# The PCI slot of the first NIC, behind those that qemu.args takes.
readonly NIC_SLOT=9

# add_nics: to MACHINE. SOCKETS has one for each.
add_nics() {
	local number socket

	SOCKETS=()
	for ((number = 0; number < NICS; number++)); do
		socket=$WORK/nic-$number
		SOCKETS+=("$socket")
		MACHINE+=(-device "$(printf '{"driver":"vfio-user-pci","addr":"%02x.0","socket":{"type":"unix","path":"%s"}}' \
			$((NIC_SLOT + number)) "$socket")")
	done
}

# start_nics: their server, which ends with us. Ctrl-C is not for it: it must outlive the guest.
start_nics() {
	local words=("${NIC_OPTIONS[@]}") socket

	: >> "$NIC_LOG"
	NIC_SAID=$(wc -l < "$NIC_LOG")
	for socket in "${SOCKETS[@]}"; do
		words+=(--socket "$socket")
	done
	setsid setpriv --pdeathsig KILL "$NIC_SERVER" "${words[@]}" < /dev/null >> "$NIC_LOG" 2>&1 &
	NIC=$!
}

# nic_words: the first that their server said.
nic_words() {
	tail -n +$((NIC_SAID + 1)) "$NIC_LOG" | head -n 1
}

# wait_for_nics: a socket is there when it can be connected to.
wait_for_nics() {
	local socket tries=100

	for socket in "${SOCKETS[@]}"; do
		until [ -S "$socket" ]; do
			tries=$((tries - 1))
			if [ "$tries" -eq 0 ] || ! kill -0 "$NIC" 2> /dev/null; then
				die "the server of the emulated NIC did not start: $(nic_words)"
			fi
			sleep 0.05
		done
	done
	kill -0 "$NIC" 2> /dev/null || die "the server of the emulated NIC died: $(nic_words)"
}

# nic_lost STATUS: of their server, which should have outlived the guest.
nic_lost() {
	NIC_LOST="ended with status $1"
	[ "$1" -le 128 ] || NIC_LOST="was killed by SIG$(kill -l "$1")"
	say "the server of the guest's NICs $NIC_LOST: they are dead from now on" 2>&1 | tee -a "$NIC_LOG" >&2
}
