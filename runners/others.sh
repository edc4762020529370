#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Test programs of others for the guest, with what they need: an archive, kept in the cache. Prints
# its path. In the guest they are at /cts/others/WHOSE: programs in run/, our table of the clauses
# that they touch in clauses.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

USAGE="usage: others.sh igt|kselftest
Makes the archive with these tests when it is not there yet, and prints its path."

# make_archive WHOSE: sets ARCHIVE. Its name is made from all that it is made from.
make_archive() {
	local recipe=base source='' binds=() list=$CTS_TOP/runners/others/$1.list maker=$CTS_TOP/runners/others/$1.sh

	if [ "$1" = igt ]; then
		recipe=igt
	else
		source=$("$CTS_TOP/runners/kernels.sh" selftests) || exit
		[ -z "${KSRC-}" ] || binds=(--bind "$source")
	fi
	ARCHIVE=$CTS_CACHE/images/others-$1-$({
		CTS_RECIPE=$recipe "$CTS_TOP/runners/setup.sh" --print
		echo "$source"
		[ -z "$source" ] || (cd "$source/tools/testing/selftests" &&
			find dmabuf-heaps drivers/dma-buf ./*.h -type f -exec sha256sum {} + 2> /dev/null) || true
		cat "$list" "$maker" "$CTS_TOP/runners/others/pack.sh" "$CTS_TOP/runners/guest/libraries.sh"
	} | sha256sum | cut -c 1-12).cpio
	[ ! -e "$ARCHIVE" ] || return 0
	take_lock "$CTS_CACHE/images/others.lock" "the tests of $1"
	[ ! -e "$ARCHIVE" ] || return 0
	trap 'rm -f "$ARCHIVE.$$"' EXIT
	"$CTS_TOP/runners/enter.sh" --recipe "$recipe" "${binds[@]}" "$maker" "$list" "$ARCHIVE.$$" "$source" ||
		die "cannot make the archive with the tests of $1; the reason is above"
	mv "$ARCHIVE.$$" "$ARCHIVE"
}

main() {
	case ${1-} in
	--help) echo "$USAGE"; exit ;;
	igt | kselftest) ;;
	*) usage_error "whose tests? There are those of igt and kselftest" ;;
	esac
	make_archive "$1"
	touch "$ARCHIVE"
	echo "$ARCHIVE"
}

main "$@"
