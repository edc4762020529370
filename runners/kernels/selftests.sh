# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The source of the kernel's own tests of dma-buf exporters, taken from the user's tree or from the
# distribution's kernel source package. To be sourced by kernels.sh.

# selftests_of_tree TREE: the user's own.
selftests_of_tree() {
	local folder

	for folder in "${SELFTEST_FOLDERS[@]}"; do
		[ -d "$1/$folder" ] || die "KSRC=$1 has no $folder; give a kernel source tree of 6.12 or newer"
	done
	realpath "$1"
}

# selftests: print the tree that has them.
selftests() {
	local series

	if [ -n "${KSRC-}" ]; then
		selftests_of_tree "$KSRC"
		return
	fi
	index_refresh
	series=$(series_of "$(index_newest)") || die "the archive has no usable kernel"
	source_of "$series"
	echo "$SOURCE"
}
