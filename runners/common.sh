# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What every runner shares: where things are, how messages look, locks.
# To be sourced. Sets CTS_TOP (the checkout) and CTS_CACHE (everything that is made
# once and kept, never inside the checkout), both absolute.

CTS_TOP=$(cd "${BASH_SOURCE[0]%/*}/.." && pwd -P)
# Whoever started us may have resolved it.
{ [ -n "${CTS_CACHE-}" ] && [ "$CTS_CACHE" = "${DMABUF_CTS_CACHE-}" ]; } ||
	CTS_CACHE=$(realpath -m "${DMABUF_CTS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dmabuf-cts}")
export CTS_TOP CTS_CACHE DMABUF_CTS_CACHE=$CTS_CACHE

# Exit statuses of the whole project; "git bisect run" skips a commit on 125.
readonly EXIT_USAGE=2 EXIT_CANNOT_JUDGE=125

# say TEXT: one line for the person who waits. Never on stdout, which carries results.
say() {
	printf 'dmabuf-cts: %s\n' "$*" >&2
}

# die TEXT: say what failed, why and what to do; the suite could not judge anything.
die() {
	say "$*"
	exit "$EXIT_CANNOT_JUDGE"
}

# usage_error TEXT: the command line was wrong; $USAGE says how it should look.
usage_error() {
	say "$*"
	[ -z "${USAGE-}" ] || printf '%s\n' "$USAGE" >&2
	exit "$EXIT_USAGE"
}

# need_value OPTION COUNT: COUNT words are left on the command line, OPTION included.
need_value() {
	[ "$2" -ge 2 ] || usage_error "option $1 needs a value"
}

# need_seconds OPTION VALUE: VALUE must be a number of seconds.
need_seconds() {
	[[ $2 =~ ^(0|[1-9][0-9]{0,4})$ ]] || usage_error "option $1 wants seconds, 0 to 99999, not '$2'"
}

# need_stress SECONDS: for a case of the program "stress"; lib/pair/stress.h has the most.
need_stress() {
	[[ $1 =~ ^[1-9][0-9]{0,2}$ && $1 -le 300 ]] ||
		usage_error "option --stress wants seconds, 1 to 300, not '$1'"
}

# need_profile NAME
need_profile() {
	[[ $1 =~ ^(default|full)$ ]] || usage_error "option --profile wants default or full, not '$1'"
}

# need_seed NUMBER: of random choices.
need_seed() {
	[[ $1 =~ ^[0-9]{1,18}$ ]] || usage_error "option --seed wants a number, not '$1'"
}

# need_iommu MODE
need_iommu() {
	[[ $1 =~ ^(strict|passthrough)$ ]] || usage_error "option --iommu wants strict or passthrough, not '$1'"
}

# need_topology NAME
need_topology() {
	[[ $1 =~ ^(trusted|untrusted|switch)$ ]] ||
		usage_error "option --topology wants trusted, untrusted or switch, not '$1'"
}

# need_nics NUMBER: so many emulated NICs can be in a guest.
need_nics() {
	[[ $1 =~ ^[0-8]$ ]] || usage_error "option --nic wants a number, 0 to 8, not '$1'"
}

# need_nic_api VERSION: of their device API.
need_nic_api() {
	[[ $1 =~ ^0\.[123]$ ]] || usage_error "option --nic-api wants 0.1, 0.2 or 0.3, not '$1'"
}

# need_command NAME PACKAGE: NAME must be on this machine; PACKAGE brings it.
need_command() {
	command -v "$1" > /dev/null ||
		die "missing command '$1'; it is in the Debian package '$2': apt-get install $2"
}

# Seconds that a lock is waited for in silence.
LOCK_PATIENCE=10

# take_lock FILE WHAT: hold FILE until this shell ends; say so when another one has it for long.
take_lock() {
	local fd

	mkdir -p "$(dirname "$1")" ||
		die "cannot make the cache folder $(dirname "$1"); choose another: DMABUF_CTS_CACHE=DIR"
	exec {fd}> "$1" || die "cannot write the lock $1; choose another cache: DMABUF_CTS_CACHE=DIR"
	flock -w "$LOCK_PATIENCE" "$fd" && return
	say "another process is busy with $2; waiting for it"
	flock "$fd"
}

# need_space DIR MIB WHAT: MIB of disk must be free where DIR is.
need_space() {
	local free

	mkdir -p "$1" || die "cannot make the folder $1; choose another cache: DMABUF_CTS_CACHE=DIR"
	free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge "$2" ] ||
		die "too little disk for $3: $1 has $free MiB free, $2 MiB are needed;" \
			"free some, or choose another place for the cache: DMABUF_CTS_CACHE=DIR"
}

# load_kernel FILE: the variables of a kernel's description (runners/kernels.sh says which).
load_kernel() {
	kernel_version='' kernel_series='' kernel_image='' kernel_modules=''
	kernel_headers='' kernel_config='' kernel_cc='' kernel_binds=''
	# shellcheck disable=SC1090
	. "$1"
	[ -n "$kernel_image" ] || die "'$1' does not describe a kernel"
	export kernel_version kernel_series kernel_image kernel_modules
	export kernel_headers kernel_config kernel_cc kernel_binds
}
