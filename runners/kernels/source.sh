# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The distribution's kernel source packages: all of one, to build a kernel of, or the few files that are
# wanted of it otherwise: the kernel's own test harness with its KTAP parser, which checks ours; what a tree makes selftests with, which the suite
# can be one of; the kernel's own selftests of dma-buf exporters; and the drivers that the distribution
# does not build: that of the NIC that we emulate, and iommufd, with what else of the kernel goes into it.
# To be sourced by kernels.sh.

# MiB: the package while it is unpacked; all that is in it.
readonly SOURCE_SPACE=500 WHOLE_SOURCE_SPACE=2500
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
# Older kernels have no such folder, but files of the like names: the pattern finds something in all.
readonly IOMMUFD_FILES=('drivers/iommu/iommu*' lib/interval_tree.c)
readonly SOURCE_FILES=(
	"${HARNESS_FILES[@]}"
	"${SELFTEST_FOLDERS[@]}"
	"$EFA_FOLDER"
	"${IOMMUFD_FILES[@]}"
	include/uapi/linux/dma-heap.h
	Makefile
	scripts/subarch.include
	tools/testing/selftests/Makefile
	tools/testing/selftests/lib.mk
	tools/testing/selftests/run_kselftest.sh
	tools/testing/selftests/kselftest
)

# fetch_source SERIES DIR MIB WHAT [TAR-ARGUMENT...]: unpack it into DIR, or what the arguments choose.
fetch_source() {
	local series=$1 dir=$2 space=$3 what=$4 part=$2.part

	shift 4
	take_lock "$dir.lock" "the source of kernel $series"
	[ ! -d "$dir" ] || return 0
	need_space "$CTS_CACHE" "$space" "the kernel source package"
	rm -rf "$part"
	say "fetching $what out of linux-source-$series (160 MB, once)"
	apt_fetch "$part" "linux-source-$series"
	# tar would read to the end of the archive for nothing, but must not break the pipe.
	dpkg-deb --fsys-tarfile "$part"/linux-source-*.deb | tar -xO "./usr/src/linux-source-$series.tar.xz" |
		tar -xJ -C "$part" --strip-components=1 "$@" ||
		die "cannot unpack $what from linux-source-$series; is the disk full?"
	rm -f "$part"/linux-source-*.deb
	mv -T "$part" "$dir"
}

# source_folder SERIES: where those files are, or will be; another list makes another folder.
source_folder() {
	echo "$CTS_CACHE/source-$1-$(printf '%s\n' "${SOURCE_FILES[@]}" | sha256sum | cut -c 1-8)"
}

# source_of SERIES: sets SOURCE to the folder with those files.
source_of() {
	SOURCE=$(source_folder "$1")
	[ -d "$SOURCE" ] || fetch_source "$1" "$SOURCE" "$SOURCE_SPACE" "the test harness and drivers" \
		--wildcards --no-wildcards-match-slash "${SOURCE_FILES[@]/#/*/}"
}

# source_series: those whose source the archive has, one a line, oldest first.
source_series() {
	private_apt cache pkgnames linux-source- | sed -n 's/^linux-source-\([0-9]*\.[0-9]*\)$/\1/p' | sort -V
}

# whole_source SERIES: sets SOURCE to the folder of the newest source of that series, or of the newest.
whole_source() {
	local series=$1 version

	index_refresh
	[ "$series" != newest ] || series=$(series_of "$(index_newest)")
	source_series | grep -qxF "$series" ||
		die "the archive has no source of kernel '$series'; it has that of: $(source_series | paste -sd, | sed 's/,/, /g')"
	version=$(private_apt cache show --no-all-versions "linux-source-$series" | sed -n 's/^Version: //p')
	SOURCE=$CTS_CACHE/sources/${version//[^A-Za-z0-9.-]/_}
	# Builds of the same source must not wait for each other's end.
	[ -d "$SOURCE" ] || (fetch_source "$series" "$SOURCE" "$WHOLE_SOURCE_SPACE" "all files") || exit
}
