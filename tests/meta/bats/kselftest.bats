#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The suite as a selftest of a kernel tree: what is put there, and that the tree's own makefiles and
# its own runner can do with it what they do with any other.

# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0
load common

SELFTESTS=tools/testing/selftests

setup() {
	make_folder
	TREE=$FOLDER/linux
}

teardown() {
	remove_folder
}

# make_tree VERSION: what can be told from a kernel tree of it without reading on.
make_tree() {
	mkdir -p "$TREE/$SELFTESTS"
	printf '# SPDX-License-Identifier: GPL-2.0\nVERSION = %s\nPATCHLEVEL = %s\nSUBLEVEL = 1\n' \
		"${1%.*}" "${1#*.}" > "$TREE/Makefile"
	touch "$TREE/$SELFTESTS/"{Makefile,lib.mk,kselftest.h,kselftest_harness.h,run_kselftest.sh}
}

# put ARG...: the suite into the tree.
put() {
	make --no-print-directory -C "$TOP" kselftest-install KSRC="$TREE" "$@"
}

# state DIR: all files in it, in a way that tells whether one was written; but not the list of them.
state() {
	(cd "$1" && find . ! -type d ! -name MANIFEST -printf '%p %y %i %T@ %l\n' | sort)
}

@test "a tree gets one folder, of sources as they are here" {
	TREE="$FOLDER/my linux"
	make_tree 6.12
	(cd "$TREE" && find . -type f) | sort > "$FOLDER/before"
	run -0 put
	says "files into $TREE/$SELFTESTS/dmabuf-cts" "run_kselftest.sh -c dmabuf-cts"
	(cd "$TREE" && find . -path "./$SELFTESTS/dmabuf-cts" -prune -o -type f -print) | sort | diff "$FOLDER/before" -
	cd "$TREE/$SELFTESTS/dmabuf-cts"
	cmp pin.c "$TOP/tests/pin.c"
	cmp lib/clause/pin.def "$TOP/lib/clause/pin.def"
	cmp lib/peer/kmod/uapi/dmabuf_peer.h "$TOP/lib/peer/kmod/uapi/dmabuf_peer.h"
	[ -z "$(find . -name '*.[ch]' -exec grep -L 'SPDX-License-Identifier: GPL-2.0-only' {} +)" ]
	grep -v '^#' MANIFEST | diff - <(find . ! -type d ! -name MANIFEST -printf '%P\n' | sort)
	run ! grep -rn "$TOP" .
}

@test "a second call replaces what the first put there, and nothing else" {
	local folder=$TREE/$SELFTESTS/dmabuf-cts

	make_tree 7.3
	put
	state "$folder" > "$FOLDER/before"
	run -0 put
	state "$folder" | diff "$FOLDER/before" -

	echo "my notes" > "$folder/notes.txt"
	mkdir "$folder/obj"
	echo "built" > "$folder/obj/pin.o"
	echo "/* changed */" >> "$folder/pin.c"
	rm "$folder/lib/pair/pair.c"
	# What an older suite had, and this one has no more.
	echo "old" > "$folder/old.c"
	echo "old.c" >> "$folder/MANIFEST"
	echo "../../../../Makefile" >> "$folder/MANIFEST"
	run -0 put
	[ "$(cat "$folder/notes.txt" "$folder/obj/pin.o")" = $'my notes\nbuilt' ]
	cmp "$folder/pin.c" "$TOP/tests/pin.c"
	cmp "$folder/lib/pair/pair.c" "$TOP/lib/pair/pair.c"
	[ ! -e "$folder/old.c" ]
	[ -e "$TREE/Makefile" ]
}

# refused TEXT...: with one line of ours that says all of these, and nothing was changed.
refused() {
	state "$TREE" > "$FOLDER/before"
	fails_with 125 "$RUNNERS/kselftest.sh" "$TREE"
	says "$@"
	[ "${#lines[@]}" -eq 1 ]
	state "$TREE" | diff "$FOLDER/before" -
}

@test "what cannot take it is refused in one line, and left as it is" {
	fails_with 2 "$RUNNERS/kselftest.sh"
	says "no kernel tree is named" "KSRC=TREE"
	fails_with 125 "$RUNNERS/kselftest.sh" "$TREE"
	says "KSRC=$TREE is no folder"

	mkdir -p "$TREE/tools"
	refused "KSRC=$TREE is no kernel source tree"
	echo "all: ; cc -o program program.c" > "$TREE/Makefile"
	refused "KSRC=$TREE is no kernel source tree"

	make_tree 6.11
	refused "KSRC=$TREE is Linux 6.11, whose kselftest harness is too old; give 6.12 or newer"
	make_tree 7.3
	rm "$TREE/$SELFTESTS/kselftest_harness.h"
	refused "KSRC=$TREE has no $SELFTESTS/kselftest_harness.h"

	make_tree 7.3
	mkdir "$TREE/$SELFTESTS/dmabuf-cts"
	echo "somebody's" > "$TREE/$SELFTESTS/dmabuf-cts/MANIFEST"
	refused "$TREE/$SELFTESTS/dmabuf-cts is there and not of this suite"
	rm -r "$TREE/$SELFTESTS/dmabuf-cts"
	ln -s "$FOLDER" "$TREE/$SELFTESTS/dmabuf-cts"
	refused "$TREE/$SELFTESTS/dmabuf-cts is there and not of this suite"
	rm "$TREE/$SELFTESTS/dmabuf-cts"

	"$RUNNERS/kselftest.sh" "$TREE"
	echo "mine" > "$TREE/$SELFTESTS/dmabuf-cts/pin.c"
	sed -i '/^pin.c$/d' "$TREE/$SELFTESTS/dmabuf-cts/MANIFEST"
	refused "dmabuf-cts/pin.c is not of this suite" "move it away"
}
