#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Finds a kernel to test and, for a distribution kernel, fetches what is needed of it: image,
# modules, and headers to build the peer modules. Prints a description that a shell can source:
#
#   kernel_version   as uname -r says it
#   kernel_series    its first two numbers
#   kernel_image     file to boot
#   kernel_modules   its lib/modules/VERSION, or empty
#   kernel_headers   folder for "make -C", or empty: then no peer modules can be built
#   kernel_config    its configuration, or empty
#   kernel_cc        compiler that fits its modules
#   kernel_binds     folders outside the cache that a run needs to see, a line each

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/setup/apt.sh
. "$CTS_TOP/runners/setup/apt.sh"
# shellcheck source=runners/kernels/index.sh
. "$CTS_TOP/runners/kernels/index.sh"
# shellcheck source=runners/kernels/package.sh
. "$CTS_TOP/runners/kernels/package.sh"
# shellcheck source=runners/kernels/custom.sh
. "$CTS_TOP/runners/kernels/custom.sh"
# shellcheck source=runners/kernels/tree.sh
. "$CTS_TOP/runners/kernels/tree.sh"
# shellcheck source=runners/kernels/source.sh
. "$CTS_TOP/runners/kernels/source.sh"
# shellcheck source=runners/kernels/harness.sh
. "$CTS_TOP/runners/kernels/harness.sh"
# shellcheck source=runners/kernels/selftests.sh
. "$CTS_TOP/runners/kernels/selftests.sh"
# shellcheck source=runners/kernels/left_out.sh
. "$CTS_TOP/runners/kernels/left_out.sh"

USAGE="usage: dmabuf-cts kernels [list]
       dmabuf-cts kernels get KERNEL [--modules DIR] [--headers DIR]
       dmabuf-cts kernels tree DIR [BUILD-DIR [FRAGMENT,...]]
       dmabuf-cts kernels source SERIES
       dmabuf-cts kernels harness
       dmabuf-cts kernels selftests
       dmabuf-cts kernels efa|iommufd [efa|iommufd] FILE
KERNEL is 'newest', a series such as 6.12 (its newest release), a version, a package name
(linux-image-...), an image file (with --modules and --headers), a kernel build tree, or 'debug': what
'dmabuf-cts kernel build' makes.
'list' prints the series that can be had; 'tree' configures and builds a source tree, with more fragments
of configuration than each tree has; 'source' prints the folder with the distribution's source of a
series, or of the newest kernel; 'harness' that with the kselftest harness, taken from the tree that KSRC
names or else from the distribution's newest kernel source; 'selftests' the tree itself, or as much of it
as the kernel's own tests of dma-buf exporters take; 'efa' and 'iommufd' where the source of the emulated
NIC's driver, and of /dev/iommu, is for the kernel that FILE describes."

# compiler_for CONFIG: the compiler that built the kernel, as far as the build root has it.
compiler_for() {
	local major

	major=$(sed -n 's/^CONFIG_CC_VERSION_TEXT="[a-z0-9_-]*gcc-\([0-9]*\).*/\1/p' "$1" 2> /dev/null)
	case $major in
	12) echo gcc-12 ;;
	*) echo gcc-14 ;;
	esac
}

# series_of VERSION
series_of() {
	sed -E 's/^([0-9]+\.[0-9]+).*/\1/' <<< "$1"
}

# describe VERSION IMAGE MODULES HEADERS CONFIG BINDS: the description on stdout.
describe() {
	printf 'kernel_%s=%q\n' version "$1" series "$(series_of "$1")" image "$2" modules "$3" \
		headers "$4" config "$5" cc "$(compiler_for "$5")" binds "$6"
}

# is_package_name KERNEL: something to look up in the archive; a file of such a name is ./NAME.
is_package_name() {
	[[ $1 =~ ^(newest|[0-9]+\.[^/]*|linux-image-[^/]*)$ ]]
}

# get KERNEL [OPTION...]: describe it, whatever kind of name it is.
get() {
	local kernel=$1 modules='' headers=''

	shift
	while [ $# -gt 0 ]; do
		need_value "$1" $#
		case $1 in
		--modules) modules=$2 ;;
		--headers) headers=$2 ;;
		*) usage_error "unknown option $1" ;;
		esac
		shift 2
	done
	if [ "$kernel" = debug ] || is_package_name "$kernel"; then
		[ -z "$modules$headers" ] || usage_error "--modules and --headers go with an image file, not with '$kernel'"
	fi
	if [ "$kernel" = debug ]; then
		whole_source newest
		tree "$SOURCE" '' debug
	elif is_package_name "$kernel"; then
		describe_packaged "$kernel"
	elif [ -d "$kernel" ]; then
		describe_tree "$kernel" "$modules"
	elif [ -f "$kernel" ]; then
		describe_image "$kernel" "$modules" "$headers"
	else
		index_refresh
		unknown_kernel "$kernel"
	fi
}

main() {
	case "${1-}" in
	get)
		[ $# -ge 2 ] || usage_error "no kernel given"
		shift
		get "$@"
		;;
	list | '') index_refresh; index_series ;;
	tree) need_value "$1" $#; tree "$2" "${3-}" "${4-}" ;;
	source) need_value "$1" $#; whole_source "$2"; echo "$SOURCE" ;;
	harness) harness ;;
	selftests) selftests ;;
	efa | iommufd) need_value "$1" $#; left_out "$@" ;;
	--help) echo "$USAGE" ;;
	*) usage_error "unknown command '$1'" ;;
	esac
}

main "$@"
