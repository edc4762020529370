# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The kernel's own test harness (and its KTAP parser, which checks ours), taken from the
# user's tree or from the distribution's kernel source package. To be sourced by kernels.sh.

# MiB: the package while it is unpacked.
readonly SOURCE_SPACE=500
readonly HARNESS_FILES=(
	tools/testing/selftests/kselftest.h
	tools/testing/selftests/kselftest_harness.h
	tools/testing/kunit
)

# harness_of_tree TREE: the user's own, used where it is.
harness_of_tree() {
	local file

	for file in "${HARNESS_FILES[@]}"; do
		[ -e "$1/$file" ] || die "KSRC=$1 has no $file; give a kernel source tree of 6.12 or newer"
	done
	realpath "$1/tools/testing"
}

# fetch_harness SERIES DIR: unpack a few files out of the source package.
fetch_harness() {
	local part=$2.part archive

	need_space "$CTS_CACHE" "$SOURCE_SPACE" "the kernel source package"
	rm -rf "$part"
	say "fetching the kselftest harness out of linux-source-$1 (160 MB, once)"
	apt_fetch "$part" "linux-source-$1"
	archive="./usr/src/linux-source-$1.tar.xz"
	# tar would read to the end of the archive for nothing, but must not break the pipe.
	dpkg-deb --fsys-tarfile "$part"/linux-source-*.deb | tar -xO "$archive" |
		tar -xJ -C "$part" --strip-components=1 --wildcards "${HARNESS_FILES[@]/#/*/}" ||
		die "cannot unpack the harness from linux-source-$1; is the disk full?"
	rm -f "$part"/linux-source-*.deb
	mv -T "$part" "$2"
}

# harness: print the folder that holds selftests/ and kunit/.
harness() {
	local series dir

	if [ -n "${KSRC-}" ]; then
		harness_of_tree "$KSRC"
		return
	fi
	index_refresh
	series=$(series_of "$(index_newest)") || die "the archive has no usable kernel"
	dir=$CTS_CACHE/harness-$series
	[ -d "$dir" ] || fetch_harness "$series" "$dir"
	echo "$dir/tools/testing"
}
