#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The suite as a selftest of a kernel tree: what is put there, and that the tree's own makefiles and
# its own runner can do with it what they do with any other.

# shellcheck disable=SC2154,SC2016,SC2030,SC2031,SC2153
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

# put: the suite into the tree.
put() {
	make --no-print-directory -C "$TOP" kselftest-install KSRC="$TREE"
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

# take_tree: of the newest distribution kernel's source, what selftests are made with.
take_tree() {
	local file source

	source=$(env -u KSRC "$RUNNERS/kernels.sh" harness)/../..
	for file in Makefile scripts/subarch.include \
		"$SELFTESTS"/{Makefile,lib.mk,run_kselftest.sh,kselftest,kselftest.h,kselftest_harness.h}; do
		mkdir -p "$(dirname "$TREE/$file")"
		cp -R "$source/$file" "$TREE/$file"
	done
}

# in_tree TARGET...: its own makefiles, on this one selftest, for the kernel that is described.
in_tree() {
	"$RUNNERS/enter.sh" make -C "$TREE/$SELFTESTS" -j"$(nproc)" TARGETS=dmabuf-cts \
		CC="$kernel_cc" KDIR="$kernel_headers" INSTALL_PATH="$FOLDER/installed" USERCFLAGS="-O0 -g0" "$@"
}

# run_in_guest: what was installed, as somebody does on the machine that it is for. Its output goes to a
# file, in parts; "part" gives it a pipe, since the runner opens /dev/stdout anew.
run_in_guest() {
	make_agent kselftest <<- 'END'
		#!/bin/busybox sh
		part() {
			echo "=== $1"
			shift
			{ "$@" 2>&1; echo "=== status $?"; } | cat
		}

		# others NAME...: an option for each other selftest.
		others() {
			for test in $(cat kselftest-list.txt); do
				case " $* " in *" ${test#*:} "*) ;; *) echo "-S $test" ;; esac
			done
		}

		mkdir -p /usr/bin /kselftest
		ln -s /cts/bin/timeout /usr/bin/timeout
		ln -s /proc/self/fd/1 /dev/stdout
		cd /kselftest && tar -xf /cts/files/kselftest.tar || exit
		unset DMABUF_CTS_PEER_MODULES
		part list ./run_kselftest.sh -l
		part killed ./run_kselftest.sh -o 0.5 -t dmabuf-cts:fence
		export DMABUF_CTS_RECORD_FD=9
		exec 9> /tmp/records
		part programs ./run_kselftest.sh -t dmabuf-cts:pin -t dmabuf-cts:descriptor
		part pairs env DMABUF_CTS_EXPORTER=udmabuf KSELFTEST_PAIRS_ARGS="descriptor export" \
			./run_kselftest.sh -t dmabuf-cts:pairs
		# shellcheck disable=SC2046
		part collection env DMABUF_CTS_EXPORTER=peer:static DMABUF_CTS_IMPORTER=peer:static \
			KSELFTEST_PAIRS_ARGS=descriptor \
			./run_kselftest.sh -c dmabuf-cts $(others descriptor sync_file rdma_queue pairs)
		mv dmabuf-cts/modules dmabuf-cts/gone
		part absent ./run_kselftest.sh -p /tmp/logs -t dmabuf-cts:descriptor
		part log cat /tmp/logs/descriptor
		part modules grep dmabuf_peer /proc/modules
		part records cat /tmp/records
	END
	cp "$FOLDER/installed/dmabuf-cts/pairs" "$FOLDER/programs/"
	"$RUNNERS/enter.sh" cp /usr/bin/timeout "$FOLDER/programs/"
	tar -C "$FOLDER/installed" -cf "$FOLDER/kselftest.tar" .
	boot --agent kselftest --file "$FOLDER/kselftest.tar" > "$FOLDER/out"
}

# part NAME: of that output.
part() {
	sed -n "/^=== $1\$/,/^=== status/p" "$FOLDER/out" | sed '1d;$d'
}

# parsed: the kernel's parser and the programs' records agree on it.
parsed() {
	"$RUNNERS/enter.sh" "$TOP/tests/meta/kselftest.py" \
		"$(env -u KSRC "$RUNNERS/kernels.sh" harness)/kunit" "$FOLDER/out" programs pairs collection absent
}

@test "the tree builds, installs, lists and runs it, peers included, and its parser reads it" {
	describe_kernel newest
	# shellcheck source=/dev/null
	. "$KERNEL_ENV"
	take_tree
	put
	in_tree install
	run_in_guest

	# All programs and no other; each of the peers.
	{ basename -s .c "$TOP"/tests/*.c; echo pairs; } | sed 's/^/dmabuf-cts:/' | sort | diff - <(part list | sort)
	(cd "$FOLDER/installed/dmabuf-cts/modules" && ls) | diff - <(printf 'dmabuf_peer_%s.ko\n' exporter importer net rdma space umem)

	run -0 parsed
	says " runs of programs, "
	part programs | grep -x 'ok 1 selftests: dmabuf-cts: pin'
	part collection | grep -x '1\.\.4'
	part collection | grep 'selftests: dmabuf-cts: rdma_queue # SKIP'
	part collection | grep -F '# 1..0 # SKIP no case applies to this pair'
	part absent | grep 'selftests: dmabuf-cts: descriptor # SKIP'
	part log | grep 'module dmabuf_peer_exporter is not loaded'
	# Nothing stays loaded, also when the time is over in the middle.
	part killed | grep 'selftests: dmabuf-cts: fence'
	[ -z "$(part modules)" ]

	# A result that is not what the records say is noticed.
	sed -i 's/^# ok 1 pair.pin_holds_storage/# not &/; s/not # ok/not ok/' "$FOLDER/out"
	run -1 parsed
	says "the records say" "not as its cases"
}
