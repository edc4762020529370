# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Distribution kernels: from a name to unpacked packages in the cache. Nothing is installed.
# To be sourced by kernels.sh.

# MiB: packages and what they unpack to.
readonly KERNEL_SPACE=900

# version_for KERNEL: the version that a series, a version or a package name means.
version_for() {
	local name=${1#linux-image-}

	case $name in
	newest) index_newest ;;
	*-amd64) index_parts "$name" > /dev/null && echo "$name" ;;
	*) index_newest_of "$name" || { index_parts "$name-amd64" > /dev/null && echo "$name-amd64"; } ;;
	esac
}

# unknown_kernel KERNEL: say what there is instead.
unknown_kernel() {
	say "there is no kernel '$1': it is no file, and the archive has no such series, version or package"
	die "choose 'newest', an image file, or one of: $(index_series |
		awk '!/not usable/ { printf "%s%s", sep, $1; sep = ", " }')"
}

# package_family PACKAGE: it and those of its dependencies that are parts of the same kernel. What the
# archive dropped from under a package that it kept is of no use here.
package_family() {
	local package

	echo "$1"
	private_apt cache show --no-all-versions "$1" |
		sed -n 's/^Depends: //p' | sed 's/[,|]/\n/g' | awk '{ print $1 }' |
		grep -E '^linux-(base-[0-9].*-amd64|binary-|modules-|headers-.*-common|kbuild-)' |
		while read -r package; do
			[ -z "$(private_apt cache show --no-all-versions "$package")" ] || echo "$package"
		done || true
}

# unpack_packages DIR PACKAGE...: download and unpack into DIR.
unpack_packages() {
	local dir=$1 deb

	shift
	apt_fetch "$dir/packages" "$@"
	for deb in "$dir"/packages/*.deb; do
		dpkg-deb -x "$deb" "$dir" || die "cannot unpack $deb in $dir; is the disk full?"
	done
	rm -rf "$dir/packages" "${dir:?}/usr/share"
}

# fix_headers PART FINAL: the headers' Makefile names its common part by an absolute path.
fix_headers() {
	local makefile

	for makefile in "$1"/usr/src/linux-headers-*-amd64/Makefile; do
		[ ! -f "$makefile" ] || sed -i "s#/usr/src/#$2/usr/src/#g" "$makefile"
	done
}

# one_of FILE...: the first that exists, or nothing.
one_of() {
	local file

	for file; do
		[ ! -e "$file" ] || { echo "$file"; return; }
	done
}

# describe_unpacked VERSION DIR: where things are, which changed with the packages' layout.
describe_unpacked() {
	local modules

	modules=$(one_of "$2/usr/lib/modules/$1" "$2/lib/modules/$1")
	describe "$1" "$(one_of "$modules/vmlinuz" "$2/boot/vmlinuz-$1")" "$modules" \
		"$(one_of "$2/usr/src/linux-headers-$1")" \
		"$(one_of "$modules/config" "$2/boot/config-$1")" ""
}

# fetch_kernel VERSION DIR: download and unpack beside the final place, then move there. Different
# kernels can be fetched at the same time.
fetch_kernel() {
	local version=$1 dir=$2 part=$2.part packages

	take_lock "$dir.lock" "kernel $version"
	[ ! -e "$dir/kernel.env" ] || return 0
	need_space "$CTS_CACHE" "$KERNEL_SPACE" "kernel $version"
	rm -rf "$part" "$dir"
	mapfile -t packages < <({
		package_family "linux-image-$version"
		[ "$(index_parts "$version")" = image ] || package_family "linux-headers-$version"
	} | sort -u)
	say "fetching kernel $version (${#packages[@]} packages)"
	unpack_packages "$part" "${packages[@]}"
	fix_headers "$part" "$dir"
	mv -T "$part" "$dir"
	describe_unpacked "$version" "$dir" > "$dir/kernel.env.new"
	mv "$dir/kernel.env.new" "$dir/kernel.env"
}

# describe_packaged KERNEL
describe_packaged() {
	local version dir

	index_refresh
	version=$(version_for "$1") || unknown_kernel "$1"
	[ "$(index_parts "$version")" != nothing ] ||
		die "kernel $version cannot be used: the archive carries its image without its modules"
	dir=$CTS_CACHE/kernels/$version
	[ -e "$dir/kernel.env" ] || fetch_kernel "$version" "$dir"
	cat "$dir/kernel.env"
}
