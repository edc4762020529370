# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The kernel's own test harness, taken from the user's tree or from the distribution's kernel
# source package. To be sourced by kernels.sh.

# harness_of_tree TREE: the user's own, used where it is.
harness_of_tree() {
	local file

	for file in "${HARNESS_FILES[@]}"; do
		[ -e "$1/$file" ] || die "KSRC=$1 has no $file; give a kernel source tree of 6.12 or newer"
	done
	realpath "$1/tools/testing"
}

# harness: print the folder that holds selftests/ and kunit/.
harness() {
	local series

	if [ -n "${KSRC-}" ]; then
		harness_of_tree "$KSRC"
		return
	fi
	index_refresh
	series=$(series_of "$(index_newest)") || die "the archive has no usable kernel"
	source_of "$series"
	echo "$SOURCE/tools/testing"
}
