#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs on a kernel of the user's own. It is a distribution kernel in truth, laid out as people
# have theirs: an image here, modules there, headers, a build tree; in folders with spaces.

# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0
load common

CTS=$TOP/dmabuf-cts

setup() {
	make_folder
	OUT="$FOLDER/my results, all"
	eval "$("$RUNNERS/kernels.sh" get newest)"
}

teardown() {
	remove_folder
}

# lay_out DIR: image and modules of the kernel, without what the distribution knows of them.
lay_out() {
	mkdir -p "$1"
	cp "$kernel_image" "$1/my image"
	cp -Rs "$kernel_modules" "$1/"
}

# run_on KERNEL OPTION...: the smallest run that shows that a guest came up.
run_on() {
	run "$CTS" vm --kernel "$@" --program export --output "$OUT"
	[ "$status" -le 1 ] || {
		echo "$output"
		return 1
	}
	"$RUNNERS/enter.sh" --bind "$OUT" python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
assert run["complete"] and run["kernel"]["release"] == sys.argv[2], run["kernel"]
for leaf in run["leaves"]:
    print(leaf["exporter"], leaf["importer"], leaf["verdict"])' "$OUT/run.json" "$kernel_version" > "$FOLDER/leaves"
	[ -s "$FOLDER/leaves" ]
}

@test "an image with modules, no headers: real drivers are judged, and the peers' absence is told" {
	lay_out "$FOLDER/my kernel"
	run_on "$FOLDER/my kernel/my image" --modules "$FOLDER/my kernel/$kernel_version" --importer drm:vgem
	says "no headers for kernel $kernel_version: the peer modules are absent" \
		"no emulated NIC in the guest: its driver efa.ko is missing: there are no headers of kernel $kernel_version"
	grep -q '^udmabuf drm:vgem pass$' "$FOLDER/leaves"
	run ! grep -q peer: "$FOLDER/leaves"
}

@test "an image with modules and headers: the peers are there" {
	lay_out "$FOLDER/my kernel"
	run_on "$FOLDER/my kernel/my image" --modules "$FOLDER/my kernel/$kernel_version" \
		--headers "$kernel_headers" --exporter peer:static --importer peer:static
	grep -q '^peer:static peer:static pass$' "$FOLDER/leaves"
}

@test "a build folder with its source elsewhere, and modules as they are installed" {
	describe_kernel newest
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV")"
	ours=$build_modules
	cp -RL "$kernel_headers" "$FOLDER/tree"
	sed -i "s#^KBUILD_OUTPUT=.*#KBUILD_OUTPUT=$FOLDER/tree#" "$FOLDER/tree/Makefile"
	ln -s "${kernel_headers%-amd64}-common" "$FOLDER/tree/source"
	mkdir -p "$FOLDER/tree/arch/x86/boot" "$FOLDER/my modules/lib/modules"
	cp "$kernel_image" "$FOLDER/tree/arch/x86/boot/bzImage"
	cp -Rs "$kernel_modules" "$FOLDER/my modules/lib/modules/"
	run_on "$FOLDER/tree" --modules "$FOLDER/my modules" --exporter peer:static --importer peer:static
	grep -q '^peer:static peer:static pass$' "$FOLDER/leaves"
	# The modules of another tree of that release may be in use just now: they are left alone.
	read -r built_for _ < "$ours/tree"
	[ "$built_for" = "$kernel_headers" ]
}

@test "headers below a path with a space: refused at once, with what to do" {
	mkdir -p "$FOLDER/my headers/include"
	cp -R "$kernel_headers/Makefile" "$FOLDER/my headers/"
	cp -R "$kernel_headers/include/generated" "$FOLDER/my headers/include/"
	fails_with 125 "$CTS" vm --kernel "$kernel_image" --headers "$FOLDER/my headers" --output "$OUT"
	says "kbuild takes no path with a space" "move them"
	[ ! -e "$OUT" ]
}
