#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Packs the guest's file system: programs with the libraries they need, kernel modules with the
# modules they need, busybox, init. Kept in the cache under a key made from all that goes in, so
# that the same content is packed once. Prints the path of the archive. Runs in the build root.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
# shellcheck source=runners/guest/libraries.sh
. "$CTS_TOP/runners/guest/libraries.sh"

USAGE="usage: initramfs.sh --kernel-env FILE --programs DIR [--module FILE]... [--stock NAME]...
  --kernel-env FILE   description of the kernel, as kernels.sh prints it
  --programs DIR      its executables go to /cts/bin
  --module FILE       a module that is not of the distribution; goes to /cts/modules
  --stock NAME        one of the distribution that guest/modules does not have, or only for some guests"

GUEST=$CTS_TOP/runners/guest
readonly IMAGES_KEPT=20
# The guests of one run meet here, which is no news to anyone.
LOCK_PATIENCE=60

# programs: the files to pack, by name.
programs() {
	find "$PROGRAMS" -maxdepth 1 -type f -perm -u+x | sort
}

# stock_names: names in the list of distribution modules that every guest loads, and those asked for.
stock_names() {
	awk '!/^#/ && NF && $1 !~ /:$/ { print $1 }' "$GUEST/modules"
	[ "${#STOCK[@]}" -eq 0 ] || printf '%s\n' "${STOCK[@]}"
}

# stock_parameters NAME: its parameters in that list.
stock_parameters() {
	awk -v name="$1" '$1 ~ /:$/ { sub(/^[^ ]+ /, "") } $1 == name { $1 = ""; print }' "$GUEST/modules"
}

# content_key: one hash of everything that goes in.
content_key() {
	{
		echo "$kernel_version $kernel_modules ${CTS_ROOT-}"
		stat -c '%n %Y' "$kernel_modules/modules.dep" 2> /dev/null || true
		mapfile -t files < <(programs)
		cat "$GUEST/init" "$GUEST/modules" "$GUEST/initramfs.sh" "${files[@]}" "${MODULES[@]}" |
			sha256sum
		printf '%s\n' "${files[@]}" "${MODULES[@]}" "${STOCK[@]}"
	} | sha256sum | cut -c 1-16
}

# copy FILE: into the image, at its own place, and the link that it may be: a library that is found
# by two names must not become two.
copy() {
	local file

	file=$(realpath "$1")
	[ -e "$STAGE$file" ] || install -D "$file" "$STAGE$file"
	[ "$file" = "$1" ] || [ -L "$STAGE$1" ] || { mkdir -p "$STAGE${1%/*}" && ln -s "$file" "$STAGE$1"; }
}

# add_libraries FILE...
add_libraries() {
	local library

	for library in $(libraries "$@"); do
		copy "$library"
	done
}

# add_rdma: what programs open while they run, and so is in no list of what they are linked with:
# libibverbs, and the provider of the NIC's driver with the file that names it.
add_rdma() {
	local folder=/usr/lib/x86_64-linux-gnu file files=()

	for file in "$folder"/{libibverbs.so.1,libefa.so.1} "$folder"/libibverbs/libefa-rdmav*.so \
		/etc/libibverbs.d/efa.driver; do
		[ ! -e "$file" ] || files+=("$file")
	done
	for file in "${files[@]}"; do
		copy "$file"
	done
	add_libraries "${files[@]}"
}

add_programs() {
	local files

	mapfile -t files < <(programs)
	[ "${#files[@]}" -gt 0 ] || die "no programs in $PROGRAMS; build them first"
	mkdir -p "$STAGE/cts/bin"
	cp "${files[@]}" "$STAGE/cts/bin/"
	add_libraries "${files[@]}"
	add_rdma
	install -D /usr/bin/busybox "$STAGE/bin/busybox"
	busybox --list | while read -r name; do
		[ -e "$STAGE/bin/$name" ] || ln -s busybox "$STAGE/bin/$name"
	done
}

# base_modules: sets MODULE_BASE, where kmod's tools find the modules whatever folder they are in.
base_modules() {
	MODULE_BASE=$(mktemp -d)
	trap 'rm -rf "$MODULE_BASE"' EXIT
	mkdir -p "$MODULE_BASE/lib/modules"
	[ -z "$kernel_modules" ] || ln -s "$kernel_modules" "$MODULE_BASE/lib/modules/$kernel_version"
}

# need_dependencies: modules.dep, which unpacked packages do not have yet.
need_dependencies() {
	[ -n "$kernel_modules" ] || return 0
	[ ! -e "$kernel_modules/modules.dep.bin" ] || return 0
	say "indexing the modules of $kernel_version"
	depmod -b "$MODULE_BASE" "$kernel_version" ||
		die "cannot index the modules in $kernel_modules; run depmod for them, or make the folder writable"
}

# dependencies NAME...: files to insert for these modules, in order.
dependencies() {
	local name

	for name; do
		modprobe -d "$MODULE_BASE" -S "$kernel_version" --show-depends "$name" 2> /dev/null || true
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# own_dependencies: names of the modules that ours need.
own_dependencies() {
	local module

	for module in "${MODULES[@]}"; do
		modinfo -F depends "$module" | tr , '\n'
	done | sort -u
}

# strip_signature FILE: checking it takes an emulated guest longer than all else about a module, and
# says nothing here. Before the mark at the end stands the signature's length, the highest byte first.
strip_signature() {
	local length

	[ "$(tail -c 28 "$1" | tr -d '\0')" = "~Module signature appended~" ] || return 0
	length=$(tail -c 32 "$1" | head -c 4 | od -An -tu4 --endian=big)
	truncate -s "-$((length + 40))" "$1"
}

# add_stock_module FILE: decompressed, since the guest's insmod cannot.
add_stock_module() {
	local name

	name=$(basename "$1")
	name=${name%%.ko*}
	name=${name//-/_}
	case $1 in
	*.xz) xz -dc "$1" ;;
	*.zst) zstd -dcq "$1" ;;
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac > "$STAGE/cts/modules/$name.ko"
	strip_signature "$STAGE/cts/modules/$name.ko"
	echo "/cts/modules/$name.ko$(stock_parameters "$name")" >> "$STAGE/cts/stock"
}

add_modules() {
	local file names ours=() module

	mkdir -p "$STAGE/cts/modules"
	: > "$STAGE/cts/stock"
	for module in "${MODULES[@]}"; do
		check_own_module "$module"
		cp "$module" "$STAGE/cts/modules/"
		ours+=("$(basename "$module" .ko)")
	done
	[ -n "$kernel_modules" ] || return 0
	mapfile -t names < <(stock_names; own_dependencies | grep -vxF "$(printf '%s\n' "${ours[@]}")")
	for file in $(dependencies "${names[@]}"); do
		add_stock_module "$file"
	done
}

# check_own_module FILE: must be for this kernel, else the guest's message would come late.
check_own_module() {
	local version

	version=$(modinfo -F vermagic "$1" 2> /dev/null | cut -d ' ' -f 1)
	[ -n "$version" ] || die "'$1' is not a kernel module"
	[ "$version" = "$kernel_version" ] ||
		die "module $1 was built for kernel $version, the guest runs $kernel_version;" \
			"build it with that kernel's headers"
}

add_system() {
	mkdir -p "$STAGE"/{dev,proc,sys,tmp,run,root,boot,etc}
	install -m 755 "$GUEST/init" "$STAGE/init"
	[ -z "$kernel_config" ] || cp "$kernel_config" "$STAGE/boot/config-$kernel_version"
}

# strip_debug: what only a debugger reads is two thirds of the image, and an emulated guest copies it
# all, modules even twice. Programs that are scripts have none, and stay as they are.
strip_debug() {
	find "$STAGE/cts" -type f -perm -u+x ! -name '*.ko' -exec strip --strip-debug {} + 2> /dev/null || true
}

# strip_modules: likewise, and what takes the kernel of an emulated guest most of a module's loading.
# For each function it goes through all symbols, and nobody looks for those of the padding before
# functions and of lists of exports; and it checks all types, which of ours nobody reads.
strip_modules() {
	local module

	for module in "${MODULES[@]}"; do
		objcopy --remove-section=.BTF --remove-section=.BTF.base "$STAGE/cts/modules/$(basename "$module")"
	done
	find "$STAGE/cts/modules" -name '*.ko' -exec strip --strip-debug --wildcard --strip-symbol='__pfx_*' \
		--strip-symbol='__ksymtab_*' --strip-symbol='__flags_*' {} +
}

# pack: the archive is uncompressed, as unpacking costs an emulated guest more than reading.
pack() {
	STAGE=$IMAGE.part
	rm -rf "$STAGE"
	mkdir -p "$STAGE"
	add_system
	add_programs
	add_modules
	strip_debug
	strip_modules
	(cd "$STAGE" && find . -mindepth 1 | sort | cpio -o -H newc -R 0:0 --quiet) > "$STAGE.cpio" ||
		die "cannot write $STAGE.cpio; is the disk full?"
	rm -rf "$STAGE"
	mv "$STAGE.cpio" "$IMAGE"
	prune
}

# prune: each change of a program makes an image; nobody asks for the old ones again. Who reads one
# that goes reads on.
prune() {
	find "${IMAGE%/*}" -maxdepth 1 -name '*.cpio' -printf '%T@ %p\n' | sort -rn |
		tail -n +$((IMAGES_KEPT + 1)) | cut -d ' ' -f 2- | xargs -r -d '\n' rm -f
}

main() {
	local env=''

	PROGRAMS='' MODULES=() STOCK=()
	while [ $# -gt 0 ]; do
		need_value "$1" $#
		case $1 in
		--kernel-env) env=$2 ;;
		--programs) PROGRAMS=$2 ;;
		--module) MODULES+=("$2") ;;
		--stock) STOCK+=("$2") ;;
		*) usage_error "unknown option $1" ;;
		esac
		shift 2
	done
	[ -n "$env" ] || usage_error "--kernel-env is needed"
	[ -n "$PROGRAMS" ] || usage_error "--programs is needed"
	load_kernel "$env"
	base_modules
	take_lock "$CTS_CACHE/images/lock" "the guest image"
	need_dependencies
	IMAGE=$CTS_CACHE/images/$(content_key).cpio
	[ -e "$IMAGE" ] || pack
	touch "$IMAGE"
	echo "$IMAGE"
}

main "$@"
