#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Builds the programs, and the peer modules for one kernel, inside the build root; make finds out
# what is left to do. Prints where they are, for a shell to source:
#
#   build_programs   folder with the programs
#   build_modules    folder with the peer modules, or empty where the kernel has no headers
#   build_efa        the emulated NIC's driver, or empty where there is none to load
#   build_no_efa     why the kernel will have no such driver, or empty
#   build_iommufd, build_no_iommufd    the same of iommufd
#
# CTS_KFLAGS are more words for kbuild about the peer modules, such as W=1.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/setup/root.sh
. "$CTS_TOP/runners/setup/root.sh"

USAGE="usage: build.sh [--kernel-env FILE [--nic] [--iommufd]] [--cc COMPILER] [--target TARGET]
       build.sh [--cc COMPILER] --folder
  --kernel-env FILE   build the peer modules too, for the kernel that FILE describes
  --nic               and the driver of the emulated NIC
  --iommufd           and iommufd, where the kernel has none
  --cc COMPILER       for the programs (default gcc-14)
  --target TARGET     of the Makefile, instead of 'programs'
  --folder            build nothing, print the folder in which that compiler's programs are built"

# build_folder: of its own for each checkout, build root and compiler.
build_folder() {
	local checkout

	checkout=$(sha256sum <<< "$CTS_TOP" | cut -c 1-8)
	echo "$CTS_CACHE/build/$checkout-${CTS_ROOT##*root-}-$CC"
}

# in_root ARG...: make inside the root. Its words go to stderr: stdout is for our answer.
in_root() {
	local binds=() dir

	while IFS= read -r dir; do
		binds+=(${dir:+--bind "$dir"})
	done <<< "$kernel_binds"
	"$CTS_TOP/runners/enter.sh" "${binds[@]}" make -s -C "$CTS_TOP" -j"$(nproc)" \
		--no-print-directory O="$OUT" CC="$CC" HARNESS="$HARNESS" "$@" >&2
}

# module_folder KIND: where modules of that kind are built for the kernel. Two trees of one release can be in use
# at the same time, so that only the distribution's, which are in the cache, have its name alone.
module_folder() {
	local tree=''

	[[ $kernel_headers == "$CTS_CACHE"/kernels/* ]] || tree=-$(sha256sum <<< "$kernel_headers" | cut -c 1-8)
	echo "$OUT/$1/$kernel_version$tree"
}

# forget_vanished_trees: what was built for a tree that is no more is of no use.
forget_vanished_trees() {
	local stamp tree

	for stamp in "$OUT"/{modules,efa,iommufd}/*/tree; do
		[ -e "$stamp" ] || continue
		read -r tree _ < "$stamp"
		[ -e "$tree" ] || rm -rf "${stamp%/tree}"
	done
}

# ask_left_out ENV NAME...: for drivers that the kernel lacks adds to GOALS, and sets NOT_BUILT to why there
# will be none, which is no failure: the guest then has no NIC, or no iommufd.
ask_left_out() {
	local env=$1 name found source reason

	shift
	found=$("$CTS_TOP/runners/kernels.sh" "$@" "$env") || exit
	eval "$found"
	for name; do
		source=${name}_source reason=${name}_reason
		NOT_BUILT[$name]=${!reason}
		[ -n "${!source}" ] || continue
		LEFT_OUT[$name]=$(module_folder "$name")
		GOALS+=("$name" "${name^^}=${LEFT_OUT[$name]}" "${name^^}_SOURCE=${!source}")
	done
}

# tell_left_out NAME: what became of it.
tell_left_out() {
	local folder=${LEFT_OUT[$1]-} built='' reason=${NOT_BUILT[$1]}

	if [ -n "$folder" ] && [ -e "$folder/$1.ko" ]; then
		built=$folder/$1.ko
	elif [ -n "$folder" ]; then
		reason="its source does not build for kernel $kernel_version; $folder/build.log says why"
	fi
	printf 'build_%s=%q\n' "$1" "$built" "no_$1" "$reason"
}

# build TARGET: with all of GOALS in one run, since to start one takes longer than to find nothing to do.
# Modules wait for the programs there, so that what these say is the last where they fail.
build() {
	in_root "$1" "${GOALS[@]}" && return
	in_root "$1" > /dev/null 2>&1 || die "cannot build the programs with $CC; the compiler says why above"
	die "cannot build the peer modules for kernel $kernel_version; the compiler says why above"
}

main() {
	local env='' target=programs modules='' folder='' name names=()
	local GOALS=()
	local -A LEFT_OUT=() NOT_BUILT=()

	CC=gcc-14 kernel_binds=''
	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--nic) names+=(efa); shift; continue ;;
		--iommufd) names+=(iommufd); shift; continue ;;
		--folder) folder=yes; shift; continue ;;
		esac
		need_value "$1" $#
		case $1 in
		--kernel-env) env=$2 ;;
		--cc) CC=$2 ;;
		--target) target=$2 ;;
		*) usage_error "unknown option $1" ;;
		esac
		shift 2
	done
	OUT=$(build_folder)
	[ -z "$folder" ] || { echo "$OUT"; exit; }
	[ -z "$env" ] || load_kernel "$env"
	HARNESS=$("$CTS_TOP/runners/kernels.sh" harness)
	[ -d "$CTS_ROOT" ] || "$CTS_TOP/runners/setup.sh"
	take_lock "$OUT.lock" "the build"
	if [ -n "${kernel_headers-}" ]; then
		forget_vanished_trees
		modules=$(module_folder modules)
		GOALS+=(modules MODULES="$modules" AFTER="$target" KDIR="$kernel_headers" KCC="$kernel_cc" PEER_FAULTS=1
			KFLAGS="${CTS_KFLAGS-}" MAY_FAIL=-)
	fi
	[ "${#names[@]}" -eq 0 ] || ask_left_out "$env" "${names[@]}"
	build "$target"
	printf 'build_%s=%q\n' programs "$OUT/bin" modules "$modules"
	for name in "${names[@]}"; do
		tell_left_out "$name"
	done
}

main "$@"
