#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# All tests of the project, in the order in which a fault is found cheapest. Each
# stage leaves TAP in one folder; the tally adds them up. A stage that fails does
# not stop the others: all that is wrong shows in one run. Parts of a stage that are
# mostly waiting for guests or the clock run side by side.
#
# CTS_CHECK=STAGE,... runs only these; CTS_KERNELS="SERIES ..." other kernels. CTS_CHECK_DEBUG=yes adds
# the suite on a debug kernel, which takes long to build and to run.

set -u
cd "$(dirname "$0")/../.." || exit
# shellcheck source=runners/common.sh
. runners/common.sh

# They take longest and so start first, for none to be left over at the end.
readonly LONG_RUNNER_TESTS=(monitor nic guest matrix kselftest igt verbs death agent guests left_out own_kernel)
STAGES="build lint unit nic runners garbage loopback suite parity mutants"
[ "${CTS_CHECK_DEBUG-}" != yes ] || STAGES+=" debug"
KERNELS=${CTS_KERNELS:-newest 6.12 6.1}
# Of the peer modules, whoever builds them: nothing is compiled twice for a warning.
export CTS_KFLAGS="W=1 KCFLAGS=-Werror"
OUT=$CTS_CACHE/check
# Where the modules are built without faults.
VENDOR_BUILD=$CTS_CACHE/build/check-modules
# A guest has 1 GiB of memory, and one for each processor is enough.
AT_ONCE=$(printf '%s\n' 4 "$(nproc)" | sort -n | head -n 1)
STEPS=0

# step NAME COMMAND...: one result in the TAP file of the stage; a log when it fails.
step() {
	STEPS=$((STEPS + 1))
	numbered_step "$STEPS" "$@"
}

# step_beside NAME COMMAND...: the same, side by side with others until the end of the stage.
step_beside() {
	STEPS=$((STEPS + 1))
	beside numbered_step "$STEPS" "$@"
}

# numbered_step NUMBER NAME COMMAND...
numbered_step() {
	local number=$1 name=$2 log=$OUT/$STAGE-$1.log began=$SECONDS

	shift 2
	if "$@" > "$log" 2>&1 < /dev/null; then
		echo "ok $number $name" >> "$TAP"
		say "ok: $name ($((SECONDS - began)) s)"
		return
	fi
	echo "not ok $number $name" >> "$TAP"
	{
		say "FAILED: $name ($((SECONDS - began)) s); the end of $log:"
		tail -n 40 "$log"
	} 2>&1 | cat >&2
	return 1
}

# beside COMMAND...: in the background, once fewer than AT_ONCE are there. Ctrl-C is for it as well,
# which a shell has ignored by what it starts that way.
beside() {
	while [ "$(jobs -rp | wc -l)" -ge "$AT_ONCE" ]; do
		wait -n
	done
	(trap - INT QUIT; "$@") &
}

# inside COMMAND...: in the build root.
inside() {
	runners/enter.sh "$@"
}

make_inside() {
	inside make -j"$(nproc)" HARNESS="$HARNESS" "$@"
}

# skipped NAME REASON: a result as well.
skipped() {
	STEPS=$((STEPS + 1))
	echo "ok $STEPS $1 # SKIP $2" >> "$TAP"
	say "skipped: $1: $2"
}

# fetch_kernels: what the stages need of each, with the source of the NIC's driver. What cannot be had
# is told by the step that asks for it.
fetch_kernels() {
	local kernel

	for kernel in $KERNELS; do
		{
			runners/kernels.sh get "$kernel" > "$OUT/$kernel.env" &&
				runners/kernels.sh efa "$OUT/$kernel.env"
		} > /dev/null 2> "$OUT/fetch-$kernel.log" < /dev/null &
	done
	wait
}

stage_build() {
	local kernel fetching

	fetch_kernels &
	fetching=$!
	# Not needed before the runners' tests, and by them alone: it takes nobody's time here.
	runners/setup.sh --recipe page > "$OUT/page-root.log" 2>&1 < /dev/null &
	# Without it the tests of igt.bats that take IGT are skipped.
	runners/others.sh igt > "$OUT/igt-root.log" 2>&1 < /dev/null &
	step "gcc builds all programs without a warning" \
		make_inside O="$BUILD" CC=gcc-14 programs units
	step "clang builds all programs without a warning" build_with_clang
	step "without rdma-core's headers the RDMA back end says that it lacks them" build_without_rdma
	wait "$fetching"
	for kernel in $KERNELS; do
		step "peer modules and drivers build for $kernel, as guests want them" build_for_guests "$kernel"
		step "peer modules build for $kernel, as a vendor would" build_for_vendors "$kernel"
	done
}

# build_with_clang: what it warns of does not depend on how much it optimises, and nobody runs these.
build_with_clang() {
	CFLAGS=-O0 make_inside O="$CTS_CACHE/build/check-clang" CC=clang programs units
}

# build_without_rdma: as on a machine whose owner never needed them.
build_without_rdma() {
	local build=$CTS_CACHE/build/check-without-rdma

	# shellcheck disable=SC2016
	inside bash -c 'mount -t tmpfs none /usr/include/infiniband && exec "$@"' bash \
		make -j"$(nproc)" HARNESS="$HARNESS" O="$build" CC=gcc-14 "$build/bin/cts-probe" &&
		inside "$build/bin/cts-probe" | grep -q 'built without the headers of rdma-core'
}

# build_for_guests KERNEL: all that any stage has in a guest of it, which is there from now on. No test
# that has a bound to its time need build it.
build_for_guests() {
	runners/kernels.sh get "$1" > "$OUT/$1.env" &&
		runners/build.sh --kernel-env "$OUT/$1.env" --nic --iommufd
}

# build_for_vendors KERNEL: without faults.
build_for_vendors() {
	local description

	description=$(runners/kernels.sh get "$1") || return
	eval "$description"
	# shellcheck disable=SC2154 # the description sets kernel_*
	make_inside O="$VENDOR_BUILD" KDIR="$kernel_headers" KCC="$kernel_cc" KFLAGS="$CTS_KFLAGS" modules
}

stage_lint() {
	step_beside "shellcheck is content" inside tests/meta/lint-shell.sh
	step_beside "sources keep the project's rules" inside tests/meta/lint-tree.sh
	step_beside "man pages have no errors" inside tests/meta/lint-man.sh
}

# run_units BUILD: the programs of the unit tests print TAP themselves.
run_units() {
	local unit name

	for unit in "$1"/unit/*; do
		[ -x "$unit" ] || continue
		name=$STAGE-$(basename "$unit")
		say "unit test $name"
		inside "$unit" > "$OUT/$name.tap" 2> "$OUT/$name.log" < /dev/null ||
			say "FAILED: unit test $name; see $OUT/$name.tap"
	done
}

stage_unit() {
	run_units "$BUILD"
	step "every check of the contract has a test and a mutant, or a reason why not" inside \
		"$BUILD/bin/cts-coverage" --check tests/meta/mutants.list tests/meta/gaps.list
}

# same_formats: what the NIC takes for its driver's formats is what the newest kernel's driver has.
same_formats() {
	local env found efa_source=''

	env=$(mktemp)
	runners/kernels.sh get newest > "$env" && found=$(runners/kernels.sh efa "$env") || return
	rm "$env"
	eval "$found"
	[ -n "$efa_source" ] || { echo "there is no source of the driver"; return 1; }
	inside gcc-14 -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -Irunners \
		-Itests/meta/layout -isystem "$efa_source" tests/meta/layout/efa.c
}

# fuzzed TARGET: what it is, in words.
fuzzed() {
	if [ "$1" = report ]; then
		echo "what reads programs' KTAP and records"
	else
		echo "the NIC's $1"
	fi
}

# The server of the emulated NIC, whose guest may be hostile, under sanitizers and the fuzzer; and what
# reads the output of programs, which may say anything.
stage_nic() {
	local build=$CTS_CACHE/build/check-nic target

	step "the NIC's formats are those of the kernel's driver" same_formats
	step "the NIC builds with sanitizers" make_inside O="$build" CC=clang \
		CFLAGS="$(tests/meta/fuzz.sh --flags)" nic-units fuzzers || return 0
	run_units "$build"
	for target in "$build"/fuzz/*; do
		target=$(basename "$target")
		step_beside "the fuzzer finds nothing in $(fuzzed "$target")" \
			inside tests/meta/fuzz.sh "$build" "$target" "$OUT/fuzz"
	done
}

# other_runner_tests: names of the files that are none of the long ones.
other_runner_tests() {
	basename -s .bats tests/meta/bats/*.bats | grep -vxF "$(printf '%s\n' "${LONG_RUNNER_TESTS[@]}")"
}

# Most of the time they wait for something, so that there is room for one more.
stage_runners() {
	local name AT_ONCE=$((AT_ONCE + 1))

	for name in "${LONG_RUNNER_TESTS[@]}"; do
		beside run_bats "$name" "tests/meta/bats/$name.bats"
	done
	# The agent runs programs in two ways.
	CTS_HOSTED=yes beside run_bats agent-hosted tests/meta/bats/agent.bats
	for name in $(other_runner_tests); do
		beside run_bats "$name" "tests/meta/bats/$name.bats"
	done
}

# run_bats NAME FILE
run_bats() {
	local began=$SECONDS

	tests/meta/bats.sh --tap "$2" > "$OUT/runners-$1.tap" 2> "$OUT/runners-$1.log" < /dev/null || {
		say "FAILED: $2 ($((SECONDS - began)) s); see $OUT/runners-$1.tap"
		return
	}
	say "ok: runner tests $1 ($((SECONDS - began)) s)"
}

# The peer modules under random input, with and without faults compiled in.
stage_garbage() {
	local kernel

	for kernel in $KERNELS; do
		step_beside "peer modules survive garbage on $kernel" throw_garbage "$kernel" "$VENDOR_BUILD"
	done
	step_beside "peer modules with faults compiled in survive garbage on newest" \
		throw_garbage newest "$BUILD"
}

# The RDMA back end on a device of nobody's: what it knows of other vendors is not in the suite's
# own NIC.
stage_loopback() {
	local kernel

	for kernel in $KERNELS; do
		step_beside "bytes move over software RDMA on $kernel" \
			tests/meta/loopback.sh "$kernel" "$BUILD"
	done
}

throw_garbage() {
	local description

	description=$(runners/kernels.sh get "$1") || return
	eval "$description"
	# shellcheck disable=SC2154 # the description sets kernel_*
	tests/meta/garbage.sh "$1" "$BUILD" "$2/modules/$kernel_version"
}

# The suite itself, on each kernel. Its verdicts are on the kernel, whose known deviations are
# no failures of ours: the gate says whether anything was unexpected.
stage_suite() {
	local kernel

	for kernel in $KERNELS; do
		step "the suite on $kernel: nothing unexpected" \
			./dmabuf-cts vm --kernel "$kernel" --gate --output "$OUT/suite-$kernel"
	done
	step "video4linux drivers as exporters on the newest kernel: nothing unexpected" \
		./dmabuf-cts vm --exporter v4l2 --importer peer --importer uapi --importer v4l2 --gate \
		--output "$OUT/suite-v4l2-exporter"
	step "video4linux drivers as importers on the newest kernel: nothing unexpected" \
		./dmabuf-cts vm --exporter peer --exporter heap --importer v4l2 --gate \
		--output "$OUT/suite-v4l2-importer"
	step "the suite on the newest kernel without an IOMMU, each pair of peers in full" \
		./dmabuf-cts vm --no-iommu --profile full --gate --output "$OUT/suite-no-iommu"
	[ ! -d "$OUT/suite-newest" ] || step "the default profile judges all that the full one does" \
		inside tests/meta/profiles.py "$OUT/suite-newest" "$OUT/suite-no-iommu"
}

# reports_agree KERNEL: what others read in the reports of a run is what its run.json says.
reports_agree() {
	local run=$OUT/suite-$1 report=$BUILD/bin/cts-report to=$OUT/report-$1

	inside "$report" render --format junit "$run" > "$to.xml" &&
		inside "$report" render --format kcidb --origin test "$run" > "$to.kcidb.json" &&
		inside "$report" render --format markdown "$run" > "$to.md" &&
		inside tests/meta/readback.py "$run/run.json" "$to.xml" "$to.kcidb.json" "$to.md" &&
		inside tests/meta/schema.py tests/meta/kcidb.schema.json "$to.kcidb.json"
}

# with_npm KERNEL: read by the TAP parser of npm, which has a build root of its own.
with_npm() {
	local name="npm's TAP parser reads of $1 what run.json says"

	if runners/setup.sh --recipe page > "$OUT/page-root.log" 2>&1 < /dev/null; then
		step "$name" runners/enter.sh --recipe page node tests/meta/page/tap.js "$OUT/suite-$1"
	else
		skipped "$name" "its build root cannot be had: $(tail -n 1 "$OUT/page-root.log")"
	fi
}

stage_parity() {
	local kernel

	[ ! -d "$OUT/suite-newest" ] || step "a bundle of the run on newest verifies, private or not" bundle_verifies newest
	for kernel in $KERNELS; do
		step "kunit parser, prove and run.json have the same leaves on $kernel" \
			inside tests/meta/parity.py "$HARNESS/kunit" "$OUT/suite-$kernel"
		with_npm "$kernel"
		step "run.json of $kernel keeps its schema" inside tests/meta/schema.py \
			runners/report/schema/run.schema.json "$OUT/suite-$kernel/run.json"
		step "JUnit, KCIDB and Markdown of $kernel say what run.json says" reports_agree "$kernel"
	done
}

# bundle_verifies KERNEL: also where names are hidden, and then it goes into a matrix.
bundle_verifies() {
	local run=$OUT/suite-$1 to=$OUT/bundle-$1

	printf '%s: %s\n' Submitter check Contact none Hardware none Driver all Firmware none \
		Kernel "$(inside python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["kernel"]["release"])' "$run/run.json")" \
		Profiles none Consent yes > "$to.txt"
	mkdir -p "$to" &&
		./dmabuf-cts bundle --statement "$to.txt" --output "$to.tar.gz" "$run" &&
		./dmabuf-cts bundle --private --statement "$to.txt" --output "$to-private.tar.gz" "$run" &&
		./dmabuf-cts matrix add --results "$to" "$to-private.tar.gz"
}

stage_mutants() {
	step "every mutant is caught, and nothing fails without one" \
		./dmabuf-cts mutants --output "$OUT/mutants"
	step "the races catch mutants, each of them one at least" \
		./dmabuf-cts mutants --program stress --stress 1 --list tests/meta/mutants-stress.list \
		--output "$OUT/mutants-stress"
	! [ -e "$OUT/mutants/mutants.tap" ] || cp "$OUT/mutants/mutants.tap" "$OUT/results-mutants.tap"
	! [ -e "$OUT/mutants/mutants.txt" ] || cat "$OUT/mutants/mutants.txt" >&2
}

# The suite on a kernel that notices what others bear: whatever it says is a failure.
stage_debug() {
	step "a debug kernel can be built" runners/kernels.sh get debug || return 0
	step "the suite on a debug kernel: nothing unexpected" \
		./dmabuf-cts vm --kernel debug --gate --output "$OUT/suite-debug"
}

# One TAP file a stage, closed by its plan.
run_stage() {
	STAGE=$1 TAP=$OUT/$1.tap STEPS=0
	: > "$TAP"
	"stage_$STAGE"
	wait
	echo "1..$STEPS" >> "$TAP"
}

main() {
	local stage chosen=${CTS_CHECK:-${STAGES// /,}} tally=$OUT/tally

	# Fetched while the build root is made; if that fails it is told by who asks for it below.
	runners/kernels.sh harness > /dev/null 2>&1 &
	runners/setup.sh || exit
	HARNESS=$(runners/kernels.sh harness) || exit
	wait
	# The one of the runners, so that nothing is compiled twice.
	BUILD=$(runners/build.sh --folder) || exit
	export CTS_PROGRAMS=$BUILD/bin
	rm -rf "$OUT"
	mkdir -p "$OUT"
	for stage in $STAGES; do
		case ",$chosen," in *",$stage,"*) run_stage "$stage" ;; esac
	done
	inside gcc-14 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -o "$tally" tests/meta/tally.c || exit
	inside "$tally" "$OUT"/*.tap
}

main
