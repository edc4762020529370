#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Puts the suite into a kernel tree as one of its kselftests: the conformance programs, the library
# they are linked with, the peer modules, and what the tree's own makefiles want to see of them. A
# list of the files stays with them; by it the next call knows what it may replace.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

USAGE="usage: make kselftest-install KSRC=TREE
TREE is a kernel source tree of 6.12 or newer."

readonly COLLECTION=dmabuf-cts SELFTESTS=tools/testing/selftests
readonly NEEDED_VERSION=6.12
# Of the library: for programs that are not there.
readonly LEFT_OUT='/(probe/.*|monitor/.*|.*_main\.c|explain.*|coverage\.[ch]|(spare_fork|harness_exit|pair_process|pool|words)\.[ch])$'

# version_of TREE: as its Makefile has it, "7.3"; fails if that is no kernel's.
version_of() {
	awk -F ' *= *' '$1 == "VERSION" { version = $2 } $1 == "PATCHLEVEL" { patch = $2; exit }
		END { if (version == "" || patch == "") exit 1; print version "." patch }' "$1/Makefile" 2> /dev/null
}

# check_tree TREE
check_tree() {
	local version file

	[ -d "$1" ] || die "KSRC=$1 is no folder; give a kernel source tree"
	{ version=$(version_of "$1") && [ -d "$1/tools" ]; } ||
		die "KSRC=$1 is no kernel source tree: it has no Makefile with a kernel's version, or no tools/"
	printf '%s\n' "$NEEDED_VERSION" "$version" | sort -CV ||
		die "KSRC=$1 is Linux $version, whose kselftest harness is too old; give $NEEDED_VERSION or newer"
	for file in lib.mk kselftest_harness.h kselftest.h run_kselftest.sh; do
		[ -e "$1/$SELFTESTS/$file" ] ||
			die "KSRC=$1 has no $SELFTESTS/$file; give a whole kernel source tree"
	done
	[ -w "$1/$SELFTESTS" ] || die "cannot write to $1/$SELFTESTS; make it writable, or copy the tree"
}

# is_there NAME: a file of any kind.
is_there() {
	[ -e "$1" ] || [ -L "$1" ]
}

# check_folder FOLDER: it is not there, or was put there by us.
check_folder() {
	is_there "$1" || return 0
	{ [ ! -L "$1" ] && head -n 1 "$1/MANIFEST" 2> /dev/null | grep -q "^# $COLLECTION "; } ||
		die "$1 is there and not of this suite (it has no MANIFEST of ours); move it away"
}

# library: files of lib/ that the programs need, without the modules below it.
library() {
	find lib -name kmod -prune -o -type f -name '*.[ch]' -print -o -type f -name '*.def' -print |
		grep -vE "$LEFT_OUT" | sort
}

# ignored: the .gitignore, of what is built.
ignored() {
	local file

	echo "# SPDX-License-Identifier: GPL-2.0-only"
	for file in tests/*.c tests/kselftest/pairs.c; do
		basename "/$file" .c | sed 's,^,/,'
	done
	echo /obj/
}

# lay_out DIR: the folder as it is to be, but for its MANIFEST.
lay_out() {
	mkdir -p "$1/bare" "$1/modules"
	cp tests/*.c tests/kselftest/{pairs.c,Makefile,settings,config,README.rst} "$1/"
	cp tests/kselftest/bare/* "$1/bare/"
	library | xargs -d '\n' cp --parents -t "$1"
	cp -R lib/peer/kmod/. "$1/modules/"
	cp tests/kselftest/modules.mk "$1/modules/Makefile"
	# The library finds the modules' interface where it is in its own tree.
	ln -s ../../modules "$1/lib/peer/kmod"
	ignored > "$1/.gitignore"
}

# files_in DIR: files and links, relative to it.
files_in() {
	(cd "$1" && find . ! -type d -printf '%P\n' | sort)
}

# manifest FILE: the names in it; none that leads out of the folder, whoever has edited it.
manifest() {
	[ ! -e "$1" ] || grep -vE '^#|^/|(^|/)\.\.(/|$)' "$1" || true
}

# check_strangers NEW FOLDER: nothing that we would write over is somebody else's.
check_strangers() {
	local file

	while IFS= read -r file; do
		! is_there "$2/$file" ||
			die "$2/$file is not of this suite (its MANIFEST lacks it) and would be replaced; move it away"
	done < <(comm -23 <(files_in "$1") <(manifest "$2/MANIFEST" | sort))
}

# write_manifest FOLDER LIST: LIST is a file.
write_manifest() {
	{
		echo "# $COLLECTION $(sed -n 's/^#define SUITE_VERSION.*"\(.*\)"/\1/p' lib/record/version.h)"
		echo "# Put here by 'make kselftest-install', which replaces these files when it comes again."
		cat "$2"
	} > "$WORK/MANIFEST"
	{ cp "$WORK/MANIFEST" "$1/MANIFEST.new" && mv "$1/MANIFEST.new" "$1/MANIFEST"; } ||
		die "cannot write $1/MANIFEST; is the disk full?"
}

# same NEW OLD: files, or links.
same() {
	if [ -L "$1" ] || [ -L "$2" ]; then
		[ "$(readlink "$1")" = "$(readlink "$2")" ]
	else
		cmp -s "$1" "$2"
	fi
}

# put NEW FOLDER: replace what differs, so that no more than that is built anew.
put() {
	local file

	files_in "$1" > "$WORK/new"
	manifest "$2/MANIFEST" | sort > "$WORK/old"
	mkdir -p "$2"
	# Until all is done, all that may be ours is.
	sort -u "$WORK/old" "$WORK/new" > "$WORK/both"
	write_manifest "$2" "$WORK/both"
	while IFS= read -r file; do
		rm -f "$2/$file"
	done < <(comm -23 "$WORK/old" "$WORK/new")
	(cd "$1" && find . -type d) | (cd "$2" && xargs -d '\n' mkdir -p)
	while IFS= read -r file; do
		same "$1/$file" "$2/$file" || cp -d --remove-destination "$1/$file" "$2/$file" ||
			die "cannot write $2/$file; is the disk full?"
	done < "$WORK/new"
	write_manifest "$2" "$WORK/new"
}

main() {
	local tree folder

	[ "${1-}" != --help ] || { echo "$USAGE"; exit; }
	[ -n "${1-}" ] || usage_error "no kernel tree is named"
	[ $# -eq 1 ] || usage_error "one kernel tree at a time"
	tree=$(realpath -m -- "$1")
	folder=$tree/$SELFTESTS/$COLLECTION
	check_tree "$tree"
	check_folder "$folder"
	WORK=$(mktemp -d)
	trap 'rm -rf "$WORK"' EXIT
	cd "$CTS_TOP"
	lay_out "$WORK/folder"
	check_strangers "$WORK/folder" "$folder"
	put "$WORK/folder" "$folder"
	cat <<- END
		Put $(wc -l < "$WORK/new") files into $folder. Go on in the tree:
		  make headers && make -C $SELFTESTS TARGETS=$COLLECTION install INSTALL_PATH=DIR
		  sudo DIR/run_kselftest.sh -c $COLLECTION
	END
}

main "$@"
