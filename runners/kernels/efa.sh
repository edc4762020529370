# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The driver of the emulated NIC for a kernel: the kernel's own module, or the source to build it
# from, which is never changed. To be sourced by kernels.sh.
# shellcheck disable=SC2154 # load_kernel sets kernel_*

# has_own_efa: the kernel was built with the driver.
has_own_efa() {
	! grep -qs '^CONFIG_INFINIBAND_EFA=y' "$kernel_config" || return 0
	[ -n "$kernel_modules" ] || return 1
	[ -n "$(one_of "$kernel_modules/kernel/$EFA_FOLDER"/efa.ko*)" ] ||
		grep -qs "/efa.ko\$" "$kernel_modules/modules.builtin"
}

# is_packaged: the kernel is one of the distribution's, as describe_packaged found it.
is_packaged() {
	[[ $kernel_headers == "$CTS_CACHE/kernels/"* ]]
}

# efa_in_tree: sets EFA_SOURCE where the headers are a tree with source; fails where they are not.
efa_in_tree() {
	local tree

	for tree in "$kernel_headers" "$kernel_headers/source"; do
		[ -e "$tree/$EFA_FOLDER/Makefile" ] || continue
		EFA_SOURCE=$(realpath "$tree/$EFA_FOLDER")
		return
	done
	return 1
}

# efa_in_package: sets EFA_SOURCE, or EFA_REASON to the words of what did not work.
efa_in_package() {
	local log

	index_refresh
	SOURCE=$(source_folder "$kernel_series")
	if [ ! -d "$SOURCE" ]; then
		log=$(mktemp)
		(source_of "$kernel_series") 2>&1 | tee "$log" | grep fetching >&2 || true
		EFA_REASON=$(tail -n 1 "$log" | sed 's/^dmabuf-cts: //')
		rm -f "$log"
	fi
	[ ! -d "$SOURCE/$EFA_FOLDER" ] || EFA_SOURCE=$SOURCE/$EFA_FOLDER EFA_REASON=''
}

# find_efa: sets EFA_SOURCE, or EFA_REASON to why there is none, or neither where none is needed.
find_efa() {
	EFA_SOURCE='' EFA_REASON=''
	if has_own_efa; then
		return
	elif [ -z "$kernel_headers" ]; then
		EFA_REASON="there are no headers of kernel $kernel_version to build it with"
	elif grep -qs '^# CONFIG_INFINIBAND_USER_ACCESS is not set' "$kernel_config"; then
		EFA_REASON="kernel $kernel_version has no RDMA for user space (CONFIG_INFINIBAND_USER_ACCESS is off)"
	elif efa_in_tree; then
		return
	elif is_packaged; then
		efa_in_package
	else
		EFA_REASON="$kernel_headers holds headers alone; give --headers a build tree with its source"
	fi
}

# efa FILE: for the kernel that FILE describes, in a form that a shell can source.
efa() {
	load_kernel "$1"
	find_efa
	printf 'efa_source=%q\nefa_reason=%q\n' "$EFA_SOURCE" "$EFA_REASON"
}
