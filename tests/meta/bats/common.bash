# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the tests of the runners share. To be loaded by each of them.
# shellcheck disable=SC2154,SC2016

TOP=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd -P)
RUNNERS=$TOP/runners
CACHE=$(bash -c '. "$1/common.sh"; echo "$CTS_CACHE"' bash "$RUNNERS")
export TOP RUNNERS CACHE

# A folder for one test that is seen inside the build root as well, which has a /tmp of its own. Its
# name, in $MARK, tells the QEMU of this test from those of other tests that run beside it.
make_folder() {
	mkdir -p "$CACHE/run"
	FOLDER=$(mktemp -d "$CACHE/run/bats.XXXXXX")
	MARK=${FOLDER##*/}
}

remove_folder() {
	rm -rf "$FOLDER"
}

# says TEXT...: the last output holds all of these.
says() {
	local text

	for text; do
		[[ $output == *"$text"* ]] || {
			printf 'expected: %s\nin: %s\n' "$text" "$output"
			return 1
		}
	done
}

# fails_with STATUS COMMAND...
fails_with() {
	local wanted=$1

	shift
	run "$@"
	[ "$status" -eq "$wanted" ] || {
		printf 'expected status %s, got %s: %s\n' "$wanted" "$status" "$output"
		return 1
	}
}

# without_network COMMAND...: apt is told of a proxy where nothing listens.
without_network() {
	echo 'Acquire::http::Proxy "http://127.0.0.1:9"; Acquire::https::Proxy "http://127.0.0.1:9";' \
		> "$FOLDER/apt.conf"
	APT_CONFIG=$FOLDER/apt.conf "$@"
}

# on_small_disk SIZE DIR COMMAND...: DIR is a file system of that size while COMMAND runs.
on_small_disk() {
	local namespaces=(--mount)

	[ "$(id -u)" -eq 0 ] || namespaces+=(--user --map-root-user)
	mkdir -p "$2"
	unshare "${namespaces[@]}" bash -c \
		'mount -t tmpfs -o "size=$1" small "$2" && shift 2 && exec "$@"' bash "$@"
}

# make_agent NAME: a stand-in for a program in the guest, from stdin.
make_agent() {
	mkdir -p "$FOLDER/programs"
	cat > "$FOLDER/programs/$1"
	chmod +x "$FOLDER/programs/$1"
}

# build_once: for as many calls as there are while build_programs is known.
build_once() {
	[ -n "${build_programs-}" ] || eval "$("$RUNNERS/build.sh")"
	export build_programs
}

# take_programs NAME...: those of the build, beside the stand-ins.
take_programs() {
	local name

	build_once
	mkdir -p "$FOLDER/programs"
	for name; do
		cp "$build_programs/$name" "$FOLDER/programs/"
	done
}

# describe_kernel KERNEL: its description, in $KERNEL_ENV; and what a guest of it needs here.
describe_kernel() {
	KERNEL_ENV=$FOLDER/kernel.env
	"$RUNNERS/kernels.sh" get "$1" > "$KERNEL_ENV"
	take_programs cts-watchdog cts-preload.so
}

# boot ARG...: a guest with the stand-in agent.
boot() {
	env --default-signal=INT "$RUNNERS/guest/boot.sh" --kernel-env "$KERNEL_ENV" \
		--programs "$FOLDER/programs" --console "$FOLDER/console" --append "mark=$MARK" "$@"
}

# qemu_of_this_test: its process id; fails when there is none.
qemu_of_this_test() {
	pgrep -f "^qemu-system.*mark=$MARK"
}

# none_left PATTERN: no process has it in its command line. (A bare "!" fails no test.)
none_left() {
	if pgrep -fa -- "$1"; then
		return 1
	fi
}

# goes_away PATTERN: none_left is true soon, as of those that are ended by the death of another.
goes_away() {
	local tries=50

	while pgrep -f -- "$1" > /dev/null && [ "$tries" -gt 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	none_left "$1"
}

# wait_for TEXT FILE: until it is there; two minutes at most.
wait_for() {
	local tries=1200

	until grep -qs -- "$1" "$2"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}
