#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Packs IGT's tests for the guest, with its runner, and all the libraries that they are linked with,
# since the guest's own are older. Runs in the build root of recipe "igt".

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
# shellcheck source=runners/guest/libraries.sh
. "$CTS_TOP/runners/guest/libraries.sh"
# shellcheck source=runners/others/pack.sh
. "$CTS_TOP/runners/others/pack.sh"

readonly TESTS=/usr/libexec/igt-gpu-tools
readonly TOOLS=(/usr/bin/igt_runner /usr/bin/igt_results)
readonly LIBRARIES=/cts/others/igt/lib

# add FOLDER FILE...: the files, each below a script of its name that starts it with those libraries.
add() {
	local folder=$1 file name

	shift
	mkdir -p "$PLACE/$folder" "$PLACE/lib/programs"
	for file; do
		name=${file##*/}
		cp "$file" "$PLACE/lib/programs/"
		printf '#!/bin/sh\nexec %s --library-path %s %s "$@"\n' "$LIBRARIES/ld-linux-x86-64.so.2" \
			"$LIBRARIES" "$LIBRARIES/programs/$name" > "$PLACE/$folder/$name"
		chmod +x "$PLACE/$folder/$name"
	done
}

main() {
	local list=$1 archive=$2 name tests=()

	for name in $(programs_of "$list"); do
		[ -x "$TESTS/$name" ] || die "IGT has no test $name any more; update $list"
		tests+=("$TESTS/$name")
	done
	begin_stage igt "$list"
	add run "${tests[@]}"
	add tools "${TOOLS[@]}"
	libraries "${tests[@]}" "${TOOLS[@]}" | xargs cp -L -t "$PLACE/lib"
	pack_stage "$archive"
}

main "$@"
