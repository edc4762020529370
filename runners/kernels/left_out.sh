# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Drivers that distributions leave out, for a kernel: the kernel's own module, or the source to build
# it from, which is never changed. To be sourced by kernels.sh.
# shellcheck disable=SC2154 # load_kernel sets kernel_*

# By name of the module: where its source is, and the option that makes it.
declare -rA LEFT_OUT_FOLDERS=([efa]=$EFA_FOLDER [iommufd]=drivers/iommu/iommufd)
declare -rA LEFT_OUT_OPTIONS=([efa]=CONFIG_INFINIBAND_EFA [iommufd]=CONFIG_IOMMUFD)

# has_own NAME: the kernel was built with the driver.
has_own() {
	! grep -qs "^${LEFT_OUT_OPTIONS[$1]}=y" "$kernel_config" || return 0
	[ -n "$kernel_modules" ] || return 1
	[ -n "$(one_of "$kernel_modules/kernel/${LEFT_OUT_FOLDERS[$1]}/$1".ko*)" ] ||
		grep -qs "/$1.ko\$" "$kernel_modules/modules.builtin"
}

# is_packaged: the kernel is one of the distribution's, as describe_packaged found it.
is_packaged() {
	[[ $kernel_headers == "$CTS_CACHE/kernels/"* ]]
}

# cannot_have_NAME: prints why the driver would be of no use to the kernel, or nothing.
cannot_have_efa() {
	! grep -qs '^# CONFIG_INFINIBAND_USER_ACCESS is not set' "$kernel_config" ||
		echo "kernel $kernel_version has no RDMA for user space (CONFIG_INFINIBAND_USER_ACCESS is off)"
}

# Only vfio-pci's dma-bufs can be imported, and only if it tells their address.
cannot_have_iommufd() {
	if [ ! -r "$kernel_headers/Module.symvers" ]; then
		echo "the headers of kernel $kernel_version have no Module.symvers: that tree is not built"
		return
	fi
	grep -qs '[[:space:]]vfio_pci_dma_buf_iommufd_map[[:space:]]' "$kernel_headers/Module.symvers" ||
		echo "vfio-pci of kernel $kernel_version has no dma-bufs for it (no vfio_pci_dma_buf_iommufd_map())"
}

# source_in_tree FOLDER: sets LEFT_OUT where the headers are a tree with source; fails where they are not.
source_in_tree() {
	local tree

	for tree in "$kernel_headers" "$kernel_headers/source"; do
		[ -e "$tree/$1/Makefile" ] || continue
		LEFT_OUT=$(realpath "$tree/$1")
		return
	done
	return 1
}

# source_in_package FOLDER: sets LEFT_OUT, or WHY_NOT to the words of what did not work.
source_in_package() {
	local log

	index_refresh
	SOURCE=$(source_folder "$kernel_series")
	if [ ! -d "$SOURCE" ]; then
		log=$(mktemp)
		(source_of "$kernel_series") 2>&1 | tee "$log" | grep fetching >&2 || true
		WHY_NOT=$(tail -n 1 "$log" | sed 's/^dmabuf-cts: //')
		rm -f "$log"
	fi
	[ ! -d "$SOURCE/$1" ] || LEFT_OUT=$SOURCE/$1 WHY_NOT=''
}

# find_left_out NAME: sets LEFT_OUT, or WHY_NOT to why there is none, or neither where none is needed.
find_left_out() {
	LEFT_OUT='' WHY_NOT=''
	if has_own "$1"; then
		return
	elif [ -z "$kernel_headers" ]; then
		WHY_NOT="there are no headers of kernel $kernel_version to build it with"
		return
	fi
	WHY_NOT=$("cannot_have_$1")
	if [ -n "$WHY_NOT" ] || source_in_tree "${LEFT_OUT_FOLDERS[$1]}"; then
		return
	elif is_packaged; then
		source_in_package "${LEFT_OUT_FOLDERS[$1]}"
	else
		WHY_NOT="$kernel_headers holds headers alone; give --headers a build tree with its source"
	fi
}

# left_out NAME... FILE: for the kernel that FILE describes, in a form that a shell can source.
left_out() {
	local name

	load_kernel "${*: -1}"
	for name in "${@:1:$# - 1}"; do
		[ -n "${LEFT_OUT_OPTIONS[$name]-}" ] || usage_error "unknown driver '$name'"
		find_left_out "$name"
		printf '%s=%q\n' "${name}_source" "$LEFT_OUT" "${name}_reason" "$WHY_NOT"
	done
}
