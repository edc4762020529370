# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A kernel built from source, with the configuration of some of tree/*.config, inside the build root.
# To be sourced by kernels.sh.
#
# Every kernel has guest.config and suite.config; more of them are chosen by name.

# MiB that a build folder grows to.
readonly BUILD_SPACE=2500
readonly BUILD_CC=gcc-14
# A step in so many is told.
readonly STEPS_TOLD=300
readonly FRAGMENTS=$CTS_TOP/runners/kernels/tree

# check_tree: that TREE can be built at all, out of place where BUILD says so.
check_tree() {
	local file

	for file in Makefile Kconfig arch/x86/Kconfig drivers/dma-buf/Kconfig; do
		[ -e "$TREE/$file" ] || die "'$TREE' is no kernel source tree (no $file); give the top folder of one"
	done
	[[ $TREE$BUILD != *[[:space:]:]* ]] ||
		die "a kernel cannot be built from '$TREE' in '$BUILD': kbuild takes no path with a space or a colon"
	[ "$TREE" = "$BUILD" ] || { [ ! -e "$TREE/.config" ] && [ ! -d "$TREE/include/config" ]; } ||
		die "'$TREE' was built in place, and kbuild then refuses to build it elsewhere;" \
			"give --build-dir $TREE to go on there, or run 'make mrproper' in it"
}

# tree_make ARG...: in the tree, inside the root. LOCALVERSION keeps the state of a checkout out of the
# release, which would have everything built anew.
tree_make() {
	local where=(O="$BUILD")

	[ "$TREE" != "$BUILD" ] || where=()
	"$CTS_TOP/runners/enter.sh" --bind "$TREE" --bind "$BUILD" -- \
		make -C "$TREE" --no-print-directory "${where[@]}" ARCH=x86_64 CC=$BUILD_CC HOSTCC=$BUILD_CC \
		LOCALVERSION= "$@" < /dev/null
}

# first_error LOG: the line that names the cause.
first_error() {
	grep -m 1 -E '(error|Error|ERROR): |undefined reference|No such file|No rule to make' "$1" ||
		grep -m 1 -F '***' "$1" || tail -n 1 "$1"
}

# build_failed WHAT: for git bisect, a commit that cannot be judged.
build_failed() {
	die "cannot $1 the kernel of '$TREE': $(first_error "$BUILD_LOG" | sed 's/^[[:space:]]*//') (log: $BUILD_LOG)"
}

# merge WANTED: into the configuration that is there.
merge() {
	say "putting what the suite needs into the configuration $BUILD/.config"
	"$CTS_TOP/runners/enter.sh" --bind "$TREE" --bind "$BUILD" -- \
		"$TREE/scripts/kconfig/merge_config.sh" -m -O "$BUILD" "$BUILD/.config" "$1" > "$BUILD_LOG" 2>&1
}

# wanted_configuration: all fragments. A kernel that has more than what each has bears their names in
# its release.
wanted_configuration() {
	local name

	for name in guest suite "${WITH[@]}"; do
		cat "$FRAGMENTS/$name.config"
	done
	[ "${#WITH[@]}" -eq 0 ] || printf 'CONFIG_LOCALVERSION="%s"\n' "$(printf -- '-%s' "${WITH[@]}")"
}

# configure: nothing but what we need; or that on top of the configuration that is there, which its
# owner may have changed since, and which is then left alone.
configure() {
	local wanted=$BUILD/dmabuf-cts.config

	wanted_configuration > "$wanted.new"
	if [ ! -e "$BUILD/.config" ]; then
		tree_make KCONFIG_ALLCONFIG="$wanted.new" allnoconfig > "$BUILD_LOG" 2>&1 || build_failed configure
	elif ! cmp -s "$wanted" "$wanted.new"; then
		merge "$wanted.new" || build_failed configure
	fi
	# A change of the source may have brought options that nobody was asked about.
	tree_make olddefconfig >> "$BUILD_LOG" 2>&1 || build_failed configure
	mv "$wanted.new" "$wanted"
}

# untaken FRAGMENT: its options that the configuration does not have as it says. One that is to be a
# module may be built in, and one that is to be off may be missing.
untaken() {
	local option

	while read -r option; do
		grep -qxF -e "$option" -e "${option/%=m/=y}" "$BUILD/.config" || echo "${option%%=*}"
	done < <(grep '^CONFIG_.*=' "$FRAGMENTS/$1.config")
	while read -r option; do
		! grep -q "^$option=" "$BUILD/.config" || echo "$option"
	done < <(sed -n 's/^# \(CONFIG_[^ ]*\) is not set$/\1/p' "$FRAGMENTS/$1.config")
}

# why_untaken OPTION...: each with the reason, as one line.
why_untaken() {
	local option

	for option; do
		if grep -qrE --include='Kconfig*' "^[[:space:]]*(menu)?config ${option#CONFIG_}\$" "$TREE"; then
			echo "$option (other options decide it)"
		else
			echo "$option (this source has no such option)"
		fi
	done | paste -sd, | sed 's/,/, /g'
}

# check_configuration: each option of ours must have survived the dependencies.
check_configuration() {
	local options name

	for name in guest "${WITH[@]}"; do
		mapfile -t options < <(untaken "$name")
		[ "${#options[@]}" -eq 0 ] ||
			die "the kernel of '$TREE' cannot be configured as $name.config wants it, these options" \
				"do not take: $(why_untaken "${options[@]}")"
	done
	mapfile -t options < <(untaken suite)
	[ "${#options[@]}" -eq 0 ] ||
		say "options that the suite wants and this kernel does not take: $(why_untaken "${options[@]}")"
}

# compile: the image, and what modules are built against; how far it is on stderr.
compile() {
	tree_make -j"$(nproc)" bzImage modules 2>&1 | tee "$BUILD_LOG" |
		awk -v every="$STEPS_TOLD" '/^  [A-Z]/ && ++n % every == 0 {
			printf "dmabuf-cts:   %d steps done\n", n
			fflush()
		}' >&2
	[ "${PIPESTATUS[0]}" -eq 0 ] || build_failed build
}

# install_modules: where the configuration has any; prints their folder.
install_modules() {
	local folder=$BUILD/dmabuf-cts-modules

	[ -s "$BUILD/modules.order" ] || return 0
	rm -rf "$folder"
	tree_make -j"$(nproc)" INSTALL_MOD_PATH="$folder" INSTALL_MOD_STRIP=1 modules_install \
		> "$BUILD_LOG" 2>&1 || build_failed "install the modules of"
	echo "$folder"
}

# choose_fragments NAMES: sets WITH from names that are joined by commas, or from nothing.
choose_fragments() {
	local name

	IFS=, read -ra WITH <<< "$1"
	for name in "${WITH[@]}"; do
		if [[ ! $name =~ ^[a-z-]+$ ]] || [ ! -e "$FRAGMENTS/$name.config" ]; then
			usage_error "there is no fragment '$name'; option --with wants some of:" \
				"$(basename -s .config "$FRAGMENTS"/*.config | grep -vx -e guest -e suite | paste -sd ' ')"
		fi
	done
}

# tree DIR [BUILD [NAMES]]: configure, build and describe it, with more fragments by name.
tree() {
	local modules key

	choose_fragments "${3-}"
	TREE=$(realpath -e -- "$1" 2> /dev/null) || die "cannot find the kernel source tree '$1'"
	key=$(sha256sum <<< "$TREE" | cut -c 1-8)
	[ "${#WITH[@]}" -eq 0 ] || key+=$(printf -- '-%s' "${WITH[@]}")
	BUILD=$(realpath -m -- "${2:-$CTS_CACHE/trees/$key}")
	BUILD_LOG=$BUILD/dmabuf-cts.log
	check_tree
	"$CTS_TOP/runners/setup.sh"
	need_space "$BUILD" "$BUILD_SPACE" "a kernel build"
	take_lock "$CTS_CACHE/run/tree-$(sha256sum <<< "$BUILD" | cut -c 1-8).lock" "the kernel in $BUILD"
	[ -e "$BUILD/vmlinux" ] || say "building the kernel of $TREE in $BUILD (some minutes, the first time)"
	configure
	check_configuration
	compile
	modules=$(install_modules) || exit
	describe_image "$BUILD/arch/x86/boot/bzImage" "$modules" "$BUILD"
}
