# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Kernels of the user's own: an image with its modules and headers, or a build tree.
# To be sourced by kernels.sh.

# read_u16 FILE OFFSET: little-endian number.
read_u16() {
	od -An -tu2 --endian=little -j "$2" -N 2 "$1" | tr -d ' '
}

# image_version IMAGE: the version in a bzImage's boot header (Documentation/arch/x86/boot.rst:
# "HdrS" at 0x202, offset of the version string, less 0x200, at 0x20e).
image_version() {
	local offset

	[ "$(dd if="$1" bs=1 skip=$((0x202)) count=4 status=none 2> /dev/null | tr -d '\0')" = HdrS ] ||
		die "'$1' is not a Linux kernel that can be booted (no x86 boot header);" \
			"give the bzImage or vmlinuz, not vmlinux or a package"
	offset=$(read_u16 "$1" $((0x20e)))
	dd if="$1" bs=1 skip=$((offset + 0x200)) count=128 status=none | tr '\0' '\n' |
		sed -n '1s/ .*//p'
}

# modules_of DIR VERSION: lib/modules/VERSION below DIR, or DIR itself.
modules_of() {
	local dir

	for dir in "$1" "$1/$2" "$1/lib/modules/$2" "$1/usr/lib/modules/$2"; do
		if [ -e "$dir/modules.dep" ] || [ -e "$dir/modules.order" ] || [ -d "$dir/kernel" ]; then
			realpath "$dir"
			return
		fi
	done
	die "no modules of kernel $2 in '$1'; give lib/modules/$2 as 'make modules_install' makes it"
}

# check_release WHAT DIR RELEASE VERSION: modules and headers must be of the image's version.
check_release() {
	[ "$3" = "$4" ] ||
		die "the $1 in '$2' are of kernel '${3:-unknown}', but the image is $4; give those of the same build"
}

# headers_of DIR VERSION: what "uname -r" says is in utsrelease.h; kernel.release has the upstream
# version alone on some distribution kernels.
headers_of() {
	local release

	[ -r "$1/Makefile" ] || die "'$1' holds no kernel headers or build tree (no Makefile)"
	release=$(sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' "$1/include/generated/utsrelease.h" 2> /dev/null) || true
	check_release headers "$1" "$release" "$2"
	[[ $(realpath "$1") != *[[:space:]:]* ]] ||
		die "kernel modules cannot be built with headers in '$1': kbuild takes no path with a space or a colon;" \
			"move them, or show them elsewhere with a bind mount"
	realpath "$1"
}

# binds_for DIR...: a line each, the folders and the source tree that a build folder points to.
binds_for() {
	local dir

	for dir; do
		[ -n "$dir" ] || continue
		realpath "$dir"
		[ ! -e "$dir/source" ] || realpath "$dir/source"
	done | sort -u
}

# describe_image IMAGE MODULES HEADERS
describe_image() {
	local image version modules='' headers='' config

	image=$(realpath "$1")
	version=$(image_version "$image")
	if [ -n "$2" ]; then
		modules=$(modules_of "$2" "$version")
		check_release modules "$2" "$(basename "$modules")" "$version"
	fi
	[ -z "$3" ] || headers=$(headers_of "$3" "$version")
	config=$(one_of "${headers:-/nonexistent}/.config" "${modules:-/nonexistent}/config" \
		"$(dirname "$image")/config-$version")
	describe "$version" "$image" "$modules" "$headers" "$config" \
		"$(binds_for "$(dirname "$image")" "$modules" "$headers")"
}

# describe_tree DIR MODULES: a build tree has image, headers and configuration.
describe_tree() {
	local image=$1/arch/x86/boot/bzImage

	[ -f "$image" ] ||
		die "'$1' is no kernel build tree with an image in it (no arch/x86/boot/bzImage);" \
			"build it, or give the image file"
	describe_image "$image" "$2" "$1"
}
