#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Lets the fuzzer try the server of the emulated NIC, or cts-report, for some time, from the corpus that
# is kept for each target. Run inside the build root; what it finds is left in the folder of results.
#
#   fuzz.sh BUILD TARGET RESULTS [SECONDS]
#     BUILD     where "make nic-units fuzzers" built with those CFLAGS
#     TARGET    one of tests/meta/nic/fuzz and tests/meta/fuzz
#   fuzz.sh --flags
#     the CFLAGS to build with

set -eu
cd "$(dirname "$0")/../.."

readonly FLAGS="-O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined"

# What was freed is watched only for a while: the buffers are large.
readonly WATCH="quarantine_size_mb=8"

fuzz() {
	local build=$1 target=$2 results=$3 seconds=${4-20} corpus kept=(tests/meta/nic/corpus/"$2")

	[ "$target" != report ] || kept=(tests/meta/fuzz/corpus/report tests/meta/streams)

	corpus=$(mktemp -d)
	mkdir -p "$results"
	ASAN_OPTIONS=$WATCH "$build/fuzz/$target" -max_total_time="$seconds" -timeout=10 \
		-max_len=8192 -print_final_stats=1 -artifact_prefix="$results/$target-" \
		"$corpus" "${kept[@]}" || {
		echo "what it choked on is in $results; give it to $build/fuzz/$target to see it again"
		return 1
	}
	rm -r "$corpus"
}

case ${1-} in
--flags) echo "$FLAGS" ;;
*) fuzz "$@" ;;
esac
