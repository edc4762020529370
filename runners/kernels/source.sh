# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The few files that are wanted of the distribution's kernel source packages: the kernel's own test
# harness with its KTAP parser, which checks ours; what a tree makes selftests with, which the suite
# can be one of; the kernel's own selftests of dma-buf exporters; and the driver of the NIC that we
# emulate, which the distribution does not build. To be sourced by kernels.sh.

# MiB: the package while it is unpacked.
readonly SOURCE_SPACE=500
readonly HARNESS_FILES=(
	tools/testing/selftests/kselftest.h
	tools/testing/selftests/kselftest_harness.h
	tools/testing/kunit
)
readonly SELFTEST_FOLDERS=(
	tools/testing/selftests/dmabuf-heaps
	tools/testing/selftests/drivers/dma-buf
)
readonly EFA_FOLDER=drivers/infiniband/hw/efa
readonly SOURCE_FILES=(
	"${HARNESS_FILES[@]}"
	"${SELFTEST_FOLDERS[@]}"
	"$EFA_FOLDER"
	include/uapi/linux/dma-heap.h
	Makefile
	scripts/subarch.include
	tools/testing/selftests/Makefile
	tools/testing/selftests/lib.mk
	tools/testing/selftests/run_kselftest.sh
	tools/testing/selftests/kselftest
)

# fetch_source SERIES DIR: unpack those files into DIR.
fetch_source() {
	local part=$2.part archive

	take_lock "$2.lock" "the source of kernel $1"
	[ ! -d "$2" ] || return 0
	need_space "$CTS_CACHE" "$SOURCE_SPACE" "the kernel source package"
	rm -rf "$part"
	say "fetching the test harness and the NIC's driver out of linux-source-$1 (160 MB, once)"
	apt_fetch "$part" "linux-source-$1"
	archive="./usr/src/linux-source-$1.tar.xz"
	# tar would read to the end of the archive for nothing, but must not break the pipe.
	dpkg-deb --fsys-tarfile "$part"/linux-source-*.deb | tar -xO "$archive" |
		tar -xJ -C "$part" --strip-components=1 --wildcards --no-wildcards-match-slash \
			"${SOURCE_FILES[@]/#/*/}" ||
		die "cannot unpack the test harness and the NIC's driver from linux-source-$1; is the disk full?"
	rm -f "$part"/linux-source-*.deb
	mv -T "$part" "$2"
}

# source_folder SERIES: where those files are, or will be; another list makes another folder.
source_folder() {
	echo "$CTS_CACHE/source-$1-$(printf '%s\n' "${SOURCE_FILES[@]}" | sha256sum | cut -c 1-8)"
}

# source_of SERIES: sets SOURCE to the folder with those files.
source_of() {
	SOURCE=$(source_folder "$1")
	[ -d "$SOURCE" ] || fetch_source "$1" "$SOURCE"
}
