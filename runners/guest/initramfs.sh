#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Packs the guest's file system, as two archives that the guest unpacks one after the other: the
# system, which is busybox, init, modules of the distribution and the libraries that are in every
# guest; and programs, with modules that are not of the distribution and what libraries these programs
# need besides. Each is kept in the cache under a key made from all that goes in, so that the same
# content is packed once, and a new program costs no new system. Prints the paths of the archives, one
# a line, in their order. A record of that is kept as well, under a key made from what stat says of all
# that goes in: to read it all takes a second, each guest would, and mostly nothing has changed. Runs in
# the build root.

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
IMAGES=$CTS_CACHE/images
# What is being written, by the one who has the lock.
PART=$IMAGES/part
# Of systems, of all other archives, and of records.
readonly KEPT=20
# The guests of one run meet here, which is no news to anyone.
LOCK_PATIENCE=60

# stock_names: of all modules that every guest loads, those asked for, and what ours need.
stock_names() {
	awk '!/^#/ && NF && $1 !~ /:$/ { print $1 }' "$GUEST/modules"
	[ "${#STOCK[@]}" -eq 0 ] || printf '%s\n' "${STOCK[@]}"
	[ "${#MODULES[@]}" -eq 0 ] || modinfo -F depends "${MODULES[@]}" | tr , '\n' | grep -vxF "$(own_names)" || true
}

# own_names: of the modules that are not of the distribution.
own_names() {
	local names=("${MODULES[@]##*/}")

	printf '%s\n' "${names[@]%.ko}"
}

# base_modules: where kmod's tools find the modules whatever folder they are in.
base_modules() {
	mkdir -p "$WORK/lib/modules"
	[ -z "$kernel_modules" ] || ln -s "$kernel_modules" "$WORK/lib/modules/$kernel_version"
}

# need_dependencies: modules.dep, which unpacked packages do not have yet.
need_dependencies() {
	[ -n "$kernel_modules" ] || return 0
	[ ! -e "$kernel_modules/modules.dep.bin" ] || return 0
	say "indexing the modules of $kernel_version"
	depmod -b "$WORK" "$kernel_version" ||
		die "cannot index the modules in $kernel_modules; run depmod for them, or make the folder writable"
}

# find_stock: sets STOCK_FILES, modules of the distribution with all that they depend on, in the order
# in which the guest inserts them. Those that this kernel does not have are passed over.
find_stock() {
	STOCK_FILES=()
	[ -n "$kernel_modules" ] || return 0
	mapfile -t STOCK_FILES < <(stock_names |
		xargs modprobe -d "$WORK" -S "$kernel_version" --all --show-depends 2> /dev/null |
		awk '$1 == "insmod" && !seen[$2]++ { print $2 }')
}

# find_programs: sets FILES.
find_programs() {
	mapfile -t FILES < <(find "$PROGRAMS" -maxdepth 1 -type f -perm -u+x | sort)
	[ "${#FILES[@]}" -gt 0 ] || die "no programs in $PROGRAMS; build them first"
}

# check_modules: ours must be for this kernel, else the guest's message would come late.
check_modules() {
	local module version

	for module in "${MODULES[@]}"; do
		version=$(modinfo -F vermagic "$module" 2> /dev/null) || true
		version=${version%% *}
		[ -n "$version" ] || die "'$module' is not a kernel module"
		[ "$version" = "$kernel_version" ] ||
			die "module $module was built for kernel $version, the guest runs $kernel_version;" \
				"build it with that kernel's headers"
	done
}

# key: of all that it reads.
key() {
	sha256sum | cut -c 1-16
}

system_key() {
	{
		echo "$kernel_version $kernel_modules ${CTS_ROOT-}"
		stat -c '%n %Y' "$kernel_modules/modules.dep" 2> /dev/null || true
		printf '%s\n' "${STOCK_FILES[@]#"$WORK"}"
		cat "$GUEST"/{init,modules,initramfs.sh,libraries.sh} ${kernel_config:+"$kernel_config"}
	} | key
}

# programs_key: what they are and how they are called, but not where they are.
programs_key() {
	{
		echo "$SYSTEM"
		sha256sum "${FILES[@]}" | sed 's/ .*\// /'
		[ "${#MODULES[@]}" -eq 0 ] || sha256sum "${MODULES[@]}" | sed 's/ .*\// module /'
	} | key
}

# is_there PATH: in this archive or in the one before.
is_there() {
	[ -e "$STAGE$1" ] || [ -L "$STAGE$1" ] || [ -n "${BEFORE[$1]-}" ]
}

# copy FILE: into the archive, at its own place, and the link that it may be: a library that is found
# by two names must not become two.
copy() {
	local file

	file=$(realpath "$1")
	is_there "$file" || install -D "$file" "$STAGE$file"
	is_there "$1" || { mkdir -p "$STAGE${1%/*}" && ln -s "$file" "$STAGE$1"; }
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

# add_busybox: its own links lead to where it is.
add_busybox() {
	copy /usr/bin/busybox
	mkdir -p "$STAGE/bin"
	busybox --install -s "$STAGE/bin"
}

# decompress FILE: since the guest's insmod cannot.
decompress() {
	case $1 in
	*.xz) xz -dc "$1" ;;
	*.zst) zstd -dcq "$1" ;;
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac
}

# list_stock NAME...: the lines that guest/init reads, with the parameters of the list of modules.
list_stock() {
	printf '%s\n' "$@" | awk '
		NR == FNR {
			if ($1 ~ /:$/)
				sub(/^[^ ]+ +/, "")
			name = $1
			$1 = ""
			parameters[name] = $0
			next
		}
		{ print "/cts/modules/" $1 ".ko" parameters[$1] }' "$GUEST/modules" -
}

add_stock() {
	local file name names=()

	mkdir -p "$STAGE/cts/modules"
	: > "$STAGE/cts/stock"
	[ "${#STOCK_FILES[@]}" -gt 0 ] || return 0
	for file in "${STOCK_FILES[@]}"; do
		name=${file##*/}
		name=${name%%.ko*}
		names+=("${name//-/_}")
		decompress "$file" > "$STAGE/cts/modules/${name//-/_}.ko"
	done
	list_stock "${names[@]}" > "$STAGE/cts/stock"
	strip_modules
}

# strip_modules [ARG]...: of what only a debugger reads, two thirds of an image that an emulated guest
# copies, modules even twice; and of what takes its kernel most of a module's loading. For each function
# it goes through all symbols, and nobody looks for those of the padding before functions and of lists
# of exports. With that goes the signature behind the end, which takes such a guest longest of all to
# check, and says nothing here.
strip_modules() {
	strip --strip-debug --wildcard --strip-symbol='__pfx_*' --strip-symbol='__ksymtab_*' \
		--strip-symbol='__flags_*' "$@" "$STAGE"/cts/modules/*.ko
}

stage_system() {
	mkdir -p "$STAGE"/{dev,proc,sys,tmp,run,root,boot,etc}
	install -m 755 "$GUEST/init" "$STAGE/init"
	[ -z "$kernel_config" ] || cp "$kernel_config" "$STAGE/boot/config-$kernel_version"
	add_busybox
	add_rdma
	add_stock
}

# stage_programs: those that are scripts have nothing for a debugger, and stay as they are.
stage_programs() {
	local file

	while IFS= read -r file; do
		BEFORE[/$file]=yes
	done < <(cpio -it --quiet < "$SYSTEM")
	mkdir -p "$STAGE/cts/bin"
	cp "${FILES[@]}" "$STAGE/cts/bin/"
	strip --strip-debug "$STAGE"/cts/bin/* 2> /dev/null || true
	add_libraries "${FILES[@]}"
	[ "${#MODULES[@]}" -gt 0 ] || return 0
	mkdir -p "$STAGE/cts/modules"
	cp "${MODULES[@]}" "$STAGE/cts/modules/"
	# The kernel would check all types, and nobody reads those of ours.
	strip_modules --remove-section=.BTF --remove-section=.BTF.base
}

# prune TEST...: each change of a program makes an archive, and nobody asks for the old ones again. Of
# those that pass find's TEST the newest are kept. Who reads one that goes reads on.
prune() {
	find "$IMAGES" -maxdepth 1 "$@" -printf '%T@ %p\n' | sort -rn |
		tail -n +$((KEPT + 1)) | cut -d ' ' -f 2- | xargs -r -d '\n' rm -f
}

# pack STAGER ARCHIVE: what STAGER lays out, unless the archive is there. It is uncompressed, as
# unpacking costs an emulated guest more than reading.
pack() {
	local -A BEFORE=()

	if [ ! -e "$2" ]; then
		STAGE=$WORK/$1
		mkdir "$STAGE"
		"$1"
		(cd "$STAGE" && find . -mindepth 1 -printf '%P\n' | sort | cpio -o -H newc -R 0:0 --quiet) > "$PART" ||
			die "cannot write $PART; is the disk full?"
		mv "$PART" "$2"
		prune -name 'system-*.cpio'
		prune -name '*.cpio' ! -name 'system-*'
	fi
	touch "$2"
}

# make_archives: sets SYSTEM and OURS.
make_archives() {
	SYSTEM=$IMAGES/system-$(system_key).cpio
	pack stage_system "$SYSTEM"
	OURS=$IMAGES/programs-$(programs_key).cpio
	pack stage_programs "$OURS"
}

# state: all that the archives are made from, as far as stat sees it. What is written in place, be it as
# long as before and its time set back, has another time of change. Fails where something is missing.
state() {
	local files=("$PROGRAMS" "${MODULES[@]}" "$GUEST"/{init,modules,initramfs.sh,libraries.sh})

	shopt -s dotglob
	files+=("$PROGRAMS"/* ${kernel_config:+"$kernel_config"})
	[ -z "$kernel_modules" ] || files+=("$kernel_modules"/modules.*)
	printf '%s\n' "$kernel_version" "$kernel_modules" "${CTS_ROOT-}" "${MODULES[@]}" -- "${STOCK[@]}"
	stat -L -c '%n %i %f %s %.9Y %.9Z' "${files[@]}"
}

# find_record: sets RECORD, to nothing where there can be none. What changes from here on changes what the
# next run looks for.
find_record() {
	local state

	RECORD=''
	state=$(state 2> /dev/null) || return 0
	RECORD=$IMAGES/packed-$(key <<< "$state")
}

# recall: prints what the record says, if its archives are still there. They are as good as new then.
recall() {
	local archives

	[ -s "$RECORD" ] || return
	mapfile -t archives < "$RECORD"
	[ "${#archives[@]}" -eq 2 ] || return
	touch -c "$RECORD" "${archives[@]}"
	[ -e "${archives[0]}" ] && [ -e "${archives[1]}" ] || return
	printf '%s\n' "${archives[@]}"
}

# record: for the next run that finds all as it was.
record() {
	[ -n "$RECORD" ] || return 0
	printf '%s\n' "$SYSTEM" "$OURS" > "$PART" && mv "$PART" "$RECORD"
	prune -name 'packed-*'
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
	find_record
	! recall || exit 0
	find_programs
	check_modules
	WORK=$(mktemp -d)
	trap 'rm -rf "$WORK"' EXIT
	base_modules
	take_lock "$IMAGES/lock" "the guest image"
	trap 'rm -rf "$WORK" "$PART"' EXIT
	# Another guest of this run may have packed the same meanwhile.
	! recall || exit 0
	need_dependencies
	find_stock
	make_archives
	record
	printf '%s\n' "$SYSTEM" "$OURS"
}

main "$@"
