#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel from its source: configuring, building, and all that can be wrong with the tree. The trees
# are stand-ins whose Makefile does at once what kbuild does in minutes, with a distribution kernel
# for a result.

# shellcheck disable=SC2154,SC2016
bats_require_minimum_version 1.5.0
load common

setup() {
	make_folder
	TREE=$FOLDER/linux O=$FOLDER/out
	eval "$("$RUNNERS/kernels.sh" get newest)"
	make_tree
}

teardown() {
	remove_folder
}

# make_tree: "untaken" lists options that are dropped, "broken" is what the compiler says, and "calls"
# which targets were made.
make_tree() {
	mkdir -p "$TREE"/{arch/x86,drivers/dma-buf,scripts/kconfig,include}
	touch "$TREE"/{Kconfig,arch/x86/Kconfig,untaken}
	echo 'config UDMABUF' > "$TREE/drivers/dma-buf/Kconfig"
	printf '#!/bin/sh\ncat "$5" >> "$4"\n' > "$TREE/scripts/kconfig/merge_config.sh"
	chmod +x "$TREE/scripts/kconfig/merge_config.sh"
	cp "$kernel_image" "$TREE/image"
	echo "$kernel_version" > "$TREE/version"
	cat > "$TREE/Makefile" <<- 'END'
		.RECIPEPREFIX = >
		O ?= .
		note = @echo $@ $(CC) >> calls
		allnoconfig:
		> $(note)
		> @grep '^CONFIG' $(KCONFIG_ALLCONFIG) > $(O)/.config
		olddefconfig:
		> $(note)
		> @for option in $$(cat untaken); do sed -i "/^$$option=/d" $(O)/.config; done
		bzImage:
		> $(note)
		> @if [ -e broken ]; then echo "  CC      drivers/dma-buf/dma-buf.o"; cat broken; exit 1; fi
		> @mkdir -p $(O)/arch/x86/boot $(O)/include/generated
		> @cp image $(O)/arch/x86/boot/bzImage
		> @[ -e $(O)/Makefile ] || cp Makefile $(O)/
		> @echo '#define UTS_RELEASE "'$$(cat version)'"' > $(O)/include/generated/utsrelease.h
		modules: bzImage
		modules_install:
		> @mkdir -p $(INSTALL_MOD_PATH)/lib/modules/$$(cat version)/kernel
	END
}

# tree STATUS [BUILD]
tree() {
	fails_with "$1" "$RUNNERS/kernels.sh" tree "$TREE" "${2-$O}"
}

# made: the targets of the last call.
made() {
	cut -d ' ' -f 1 "$TREE/calls" | paste -sd ' '
	rm "$TREE/calls"
}

@test "a tree is configured and built, and described as any kernel of the user's" {
	tree 0
	says "kernel_version=$kernel_version" "kernel_image=$O/arch/x86/boot/bzImage" "kernel_headers=$O" \
		"kernel_modules=''" "kernel_config=$O/.config"
	grep -q '^CONFIG_UDMABUF=y$' "$O/.config"
	grep -q 'bzImage gcc-14' "$TREE/calls"
	[ "$(made)" = "allnoconfig olddefconfig bzImage" ]
	# Again, nothing is configured anew but what a change of the source may have brought.
	tree 0
	[ "$(made)" = "olddefconfig bzImage" ]
	[ ! -e "$TREE/.config" ]
}

@test "a configuration that is there is kept, with what the suite needs" {
	mkdir "$O"
	echo CONFIG_KASAN=y > "$O/.config"
	tree 0
	says "putting what the suite needs into the configuration $O/.config"
	grep -q '^CONFIG_KASAN=y$' "$O/.config"
	grep -q '^CONFIG_UDMABUF=y$' "$O/.config"
	# So is one of ours that its owner changed.
	echo CONFIG_PROVE_LOCKING=y >> "$O/.config"
	rm "$TREE/calls"
	tree 0
	[ "$(made)" = "olddefconfig bzImage" ]
	grep -q '^CONFIG_PROVE_LOCKING=y$' "$O/.config"
}

@test "a tree that was built in place: so again, or nowhere" {
	: > "$TREE/.config"
	tree 125
	says "was built in place" "--build-dir $TREE" "make mrproper"
	tree 0 "$TREE"
	says "kernel_image=$TREE/arch/x86/boot/bzImage"
}

@test "modules of a configuration that has some are there for the guest" {
	mkdir "$O"
	echo drivers/gpu/drm/vgem/vgem.o > "$O/modules.order"
	tree 0
	says "kernel_modules=$O/dmabuf-cts-modules/lib/modules/$kernel_version"
}

@test "what is wanted as a module may be built in, and not the other way round" {
	sed -i 's/^olddefconfig:$/&\n> @sed -i -e "s,^CONFIG_DRM=m,CONFIG_DRM=y," -e "s,^CONFIG_UDMABUF=y,CONFIG_UDMABUF=m," $(O)\/.config/' \
		"$TREE/Makefile"
	tree 0
	grep -q '^CONFIG_DRM=y$' "$O/.config"
	says "this kernel does not take: CONFIG_UDMABUF (other options decide it)"
	[[ $output != *CONFIG_DRM* ]]
}

@test "options that do not take: the reason; an error if the guest needs them" {
	printf '%s\n' CONFIG_UDMABUF CONFIG_DRM_BOCHS > "$TREE/untaken"
	# As many files as a true tree has, which are more than a command takes.
	mkdir -p "$TREE/drivers/"{1..40}/{1..40}
	touch "$TREE/drivers/"{1..40}/{1..40}/Kconfig.of_something_with_a_long_name_that_nobody_reads_in_full
	tree 0
	says "CONFIG_UDMABUF (other options decide it), CONFIG_DRM_BOCHS (this source has no such option)"
	echo CONFIG_VIRTIO_CONSOLE >> "$TREE/untaken"
	tree 125
	says "cannot be configured as guest.config wants it" "CONFIG_VIRTIO_CONSOLE (this source has no such option)"
	[[ $output != *kernel_image* ]]
}

# build STATUS ARG...: "kernel build" of the stand-in.
build() {
	fails_with "$1" "$TOP/dmabuf-cts" kernel build --tree "$TREE" --build-dir "$O" "${@:2}"
}

@test "a debug kernel is a tree with one more fragment, and prints where it is" {
	build 0
	[ "${lines[-1]}" = "$O" ]
	grep -q '^CONFIG_UDMABUF=y$' "$O/.config"
	grep -q '^CONFIG_KASAN=y$' "$O/.config"
	grep -q '^CONFIG_LOCALVERSION="-debug"$' "$O/.config"
	[ "$(made)" = "allnoconfig olddefconfig bzImage" ]
	build 0
	[ "$(made)" = "olddefconfig bzImage" ]
}

@test "fragments are chosen by name" {
	build 0 --with move-notify
	grep -q '^CONFIG_DMABUF_MOVE_NOTIFY=y$' "$O/.config"
	run ! grep -q KASAN "$O/.config"
	build 0 --with debug,move-notify
	grep -q '^CONFIG_KASAN=y$' "$O/.config"
	grep -q '^CONFIG_LOCALVERSION="-debug-move-notify"$' "$O/.config"
	for name in absent ../tree/debug 'debug x' -; do
		build 2 --with "$name"
		says "there is no fragment '$name'" "debug move-notify"
	done
}

@test "an option of the debug kernel that does not take is an error, and so is one that does not go" {
	echo CONFIG_KASAN > "$TREE/untaken"
	build 125
	says "cannot be configured as debug.config wants it" "CONFIG_KASAN (this source has no such option)"
	[[ $output != *$'\n'"$O" ]]
	: > "$TREE/untaken"
	sed -i 's/^\(olddefconfig\):$/&\n> @echo CONFIG_SLUB_TINY=y >> $(O)\/.config/' "$TREE/Makefile"
	build 125
	says "debug.config" "CONFIG_SLUB_TINY (this source has no such option)"
}

@test "what 'kernel build' cannot do" {
	fails_with 2 "$TOP/dmabuf-cts" kernel
	says "no command given"
	fails_with 2 "$TOP/dmabuf-cts" kernel install
	says "unknown command 'install'"
	build 2 --series 6.12
	says "give one of them"
	build 2 --fast
	says "option --fast needs a value"
	fails_with 125 "$TOP/dmabuf-cts" kernel build --series 2.6
	says "the archive has no source of kernel '2.6'; it has that of:" "6.12"
	fails_with 125 "$TOP/dmabuf-cts" kernel build --tree "$FOLDER/absent"
	says "cannot find the kernel source tree"
	fails_with 2 "$RUNNERS/kernels.sh" get debug --headers "$O"
	says "go with an image file, not with 'debug'"
}

@test "a tree that does not build: what the compiler said, for git bisect run" {
	echo "drivers/dma-buf/dma-buf.c:17:1: error: unknown type name 'oops'" > "$TREE/broken"
	fails_with 125 "$TOP/dmabuf-cts" vm --tree "$TREE" --build-dir "$O" --gate --output "$FOLDER/results"
	says "cannot build the kernel of '$TREE': drivers/dma-buf/dma-buf.c:17:1: error: unknown type name 'oops' (log: $O/dmabuf-cts.log)"
	[ ! -e "$FOLDER/results" ]
	# Mended, it goes on where it was.
	rm "$TREE/broken" "$TREE/calls"
	tree 0
	[ "$(made)" = "olddefconfig bzImage" ]
}

@test "results of another run are in the way: that is said before anything is built" {
	mkdir "$FOLDER/results"
	: > "$FOLDER/results/run.json"
	fails_with 125 "$TOP/dmabuf-cts" vm --tree "$TREE" --build-dir "$O" --output "$FOLDER/results"
	says "the result folder $FOLDER/results is not empty; choose another with --output, or remove it"
	[ ! -e "$O" ]
}

@test "what is no kernel source, or cannot be built by kbuild" {
	fails_with 125 "$RUNNERS/kernels.sh" tree "$FOLDER/absent"
	says "cannot find the kernel source tree '$FOLDER/absent'"
	mkdir "$FOLDER/empty"
	fails_with 125 "$RUNNERS/kernels.sh" tree "$FOLDER/empty"
	says "is no kernel source tree (no Makefile)"
	mv "$TREE" "$FOLDER/my linux"
	fails_with 125 "$RUNNERS/kernels.sh" tree "$FOLDER/my linux"
	says "kbuild takes no path with a space"
}

@test "options that do not go together" {
	fails_with 2 "$TOP/dmabuf-cts" vm --tree "$TREE" --kernel 6.12
	fails_with 2 "$TOP/dmabuf-cts" vm --tree "$TREE" --modules "$FOLDER"
	says "--tree builds its kernel"
	fails_with 2 "$TOP/dmabuf-cts" vm --build-dir "$O"
	says "--build-dir is where a --tree is built"
}

@test "every option that is wanted says what for" {
	awk 'FNR == 1 || /^$/ { told = 0 }
		/^# [a-z]/ || (/^# [A-Z]/ && !/^# CONFIG_/) { told = 1 }
		/^(# )?CONFIG_/ && !told { print FILENAME ": " $0; bad = 1 }
		END { exit bad }' "$RUNNERS"/kernels/tree/*.config
}
