#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "kernel": builds a kernel for the guest from source, by what "vm --tree" builds with.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

USAGE="usage: dmabuf-cts kernel build [OPTION]...
Build a kernel that the suite can run on, and print the folder that it is in, for 'vm --kernel FOLDER'.
By default that is a debug kernel: lockdep, KASAN, kmemleak and more, see runners/kernels/tree/debug.config.
  --series SERIES     from the distribution's source of SERIES (default: of the newest kernel)
  --tree DIR          from the source in DIR
  --build-dir DIR     where it is built (default: in the cache); a configuration that is there is kept
  --with NAME,...     with these fragments of runners/kernels/tree on top of what every kernel has here
                      (default 'debug'; 'move-notify' for a 6.12 whose storage moves while it is mapped)
'vm --kernel debug' builds the default one where it is missing, and runs on it.
Exit status: 0; 2 usage; 125 it could not be built."

parse_options() {
	SERIES='' TREE='' BUILD_DIR='' WITH=debug
	while [ $# -gt 0 ]; do
		[ "$1" != --help ] || { echo "$USAGE"; exit; }
		need_value "$1" $#
		case $1 in
		--series) SERIES=$2 ;;
		--tree) TREE=$2 ;;
		--build-dir) BUILD_DIR=$2 ;;
		--with) WITH=$2 ;;
		*) usage_error "unknown option $1" ;;
		esac
		shift 2
	done
	[ -z "$SERIES" ] || [ -z "$TREE" ] ||
		usage_error "--series takes the distribution's source, --tree yours: give one of them"
}

# build: a folder in the cache is seen by every run; another one is named to it by its description.
build() {
	local description kernel_headers=''

	[ -n "$TREE" ] || TREE=$("$CTS_TOP/runners/kernels.sh" source "${SERIES:-newest}") || exit
	description=$("$CTS_TOP/runners/kernels.sh" tree "$TREE" "$BUILD_DIR" "$WITH") || exit
	eval "$description"
	echo "$kernel_headers"
}

main() {
	case ${1-} in
	build) shift; parse_options "$@"; build ;;
	--help) echo "$USAGE" ;;
	'') usage_error "no command given" ;;
	*) usage_error "unknown command '$1'" ;;
	esac
}

main "$@"
