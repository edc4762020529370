#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "vm": sets up what is missing, builds for the chosen kernel, boots it, reports. All
# after the set-up happens inside the build root, in guest/session.sh.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

USAGE="usage: dmabuf-cts vm [OPTION]...
Run the suite on a kernel in a virtual machine.
Kernel:
  --kernel KERNEL     'newest' (default), a series such as 6.12, a version, a package name, an
                      image file, a kernel build tree, or 'debug', one with lockdep, KASAN and more
                      (man dmabuf-cts-kernel.1), which is built once; 'all': one run for each series that the
                      distribution carries, then a table; with --output FOLDER it goes on with that
  --modules DIR       modules of an image or build tree, as 'make modules_install' made them
  --headers DIR       headers or build tree of an image; without them there are no peers
  --tree DIR          configure and build the kernel source in DIR, and run on that
  --build-dir DIR     where it is built (default: in the cache); a configuration that is there is kept
What to run:
  --exporter NAME     only this exporter, or all of this back end; may be repeated
  --importer NAME     likewise
  --program NAME      only this test program; may be repeated
  --case NAME         only this case; may be repeated
  --with WHOSE,...    tests of others too, in the same guests: igt (IGT GPU Tools' own for vgem, PRIME and
                      dma-buf), kselftest (the kernel's for heaps and udmabuf)
  --profile NAME      'default': where any of the suite's own peers, or anyone at all, will do as a
                      partner, one does, and peers are tested once; 'full': with each of them
  --stress SECONDS    how long each case of the program 'stress' goes on (default 2, 1 to 300); that
                      program is run only where '--program stress' asks for it
  --seed NUMBER       for its choices, as it printed it; default: another each time
  --monitor           trace what the programs do on each pair, and judge that as well
  --guests N          so many guests side by side, each with a part of the work (default: as many
                      as there are processors, at most 4)
  --no-iommu          a guest without an IOMMU
  --iommu MODE        what it does: strict (default) or passthrough (default with a switch)
  --topology NAME     where the devices are: below a host bridge that is 'trusted' with peer to peer
                      (default) or 'untrusted', or below one 'switch'
  --nic N             so many emulated NICs in the guest, 0 to 8 (default 1 where the kernel has the
                      driver, or its source can be had)
  --no-nic            none
  --nic-api VERSION   the device API that they have: 0.1, 0.2 or 0.3
  --nic-option WORD   an option of their server; may be repeated ('--nic-option --help' lists them)
  --memory SIZE       of the guest (default 1G)
  --cpus N            its processors (default 1)
  --append WORDS      more kernel parameters
  --accel kvm|tcg     default: kvm where it really works
  --timeout SECONDS   for each guest (default 900, with KASAN 5400; with --stress as many times as long as its
                      cases; 0: no limit)
  --silence SECONDS   end a guest that has been silent for so long (default 30, with KASAN 180; 0: never)
Result:
  --output DIR        result folder (default results/<kernel>-<time>)
  --gate              fail on anything that is not listed as expected
  --baseline FILE     run.json of an earlier run to compare with
  --quiet             only the summary
  --prepare           run nothing, only make what is missing
Exit status: 0 nothing unexpected, 1 something unexpected, 2 usage, 125 could not judge."

# Seconds that a guest may take, and be silent, and a program may be, which is the agent's own default
# (TIMEOUT_DEFAULT_S); a kernel that looks at each access to memory takes so many times as long. All cases
# and pairs of the program "stress" fit in a guest's time with its default (SECONDS_DEFAULT).
readonly GUEST_TIMEOUT=900 GUEST_SILENCE=30 PROGRAM_TIMEOUT=45 CHECKED_FACTOR=6
readonly STRESS_DEFAULT=2 TIMEOUT_MOST=99999

# use_file FILE: sets FILE to its whole name, and has its folder seen inside as well.
use_file() {
	FILE=$(realpath -e -- "$1" 2> /dev/null) || die "cannot find the file $1"
	FOLDERS+=("${FILE%/*}")
}

parse_options() {
	FOLDERS=() WITH=() GUESTS='' CPUS=1 MUTANTS='' NIC='' NIC_OPTIONS=() STRESS=$STRESS_DEFAULT TREE='' BUILD_DIR='' PREPARE='' SINGLE=''
	KERNEL=newest KERNEL_OPTIONS=() GUEST=() AGENT=() REPORT=() OUTPUT='' TIMEOUT='' SILENCE='' LIST=''
	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--no-iommu) GUEST+=("$1"); shift; continue ;;
		--monitor) AGENT+=(--monitor all); shift; continue ;;
		--no-nic) NIC=0; shift; continue ;;
		--list) LIST=yes SINGLE=$1; shift; continue ;;
		--prepare) PREPARE=yes; shift; continue ;;
		--gate | --quiet) REPORT+=("$1"); shift; continue ;;
		esac
		need_value "$1" $#
		case $1 in
		--modules | --headers | --tree | --build-dir | --mutants | --baseline | --faults) SINGLE=$1 ;;
		esac
		case $1 in
		--kernel) KERNEL=$2 ;;
		--modules | --headers) KERNEL_OPTIONS+=("$1" "$2") ;;
		--tree) TREE=$2 ;;
		--build-dir) BUILD_DIR=$2 ;;
		--exporter | --importer | --program | --case) AGENT+=("$1" "$2") ;;
		--with) IFS=, read -ra WITH <<< "$2"; need_others "${WITH[@]}" ;;
		--profile) need_profile "$2"; AGENT+=("$1" "$2") ;;
		--stress) need_stress "$2"; STRESS=$2; GUEST+=(--environment "DMABUF_CTS_STRESS_SECONDS=$2") ;;
		--seed) need_seed "$2"; GUEST+=(--environment "DMABUF_CTS_STRESS_SEED=$2") ;;
		--iommu) need_iommu "$2"; GUEST+=("$1" "$2") ;;
		--topology) need_topology "$2"; GUEST+=("$1" "$2") ;;
		--memory | --append | --accel) GUEST+=("$1" "$2") ;;
		--nic) need_nics "$2"; NIC=$2 ;;
		--nic-api) need_nic_api "$2"; NIC_OPTIONS+=("$1" "$2") ;;
		--nic-option) NIC_OPTIONS+=("$1" "$2") ;;
		--guests) GUESTS=$2 ;;
		--cpus) CPUS=$2 ;;
		--timeout) TIMEOUT=$2 ;;
		--silence) SILENCE=$2 ;;
		--output) OUTPUT=$2 ;;
		--mutants) use_file "$2"; MUTANTS=$FILE REPORT+=("$1" "$FILE") ;;
		--baseline) use_file "$2"; REPORT+=("$1" "$FILE") ;;
		--faults) use_file "$2"; GUEST+=(--file "$FILE"); AGENT+=("$1" "/cts/files/${FILE##*/}") ;;
		*) usage_error "unknown option $1" ;;
		esac
		shift 2
	done
	need_seconds --timeout "${TIMEOUT:-0}"
	need_seconds --silence "${SILENCE:-0}"
	[[ $CPUS =~ ^[1-9][0-9]?$ ]] || usage_error "option --cpus wants a number, 1 to 99, not '$CPUS'"
	[[ ${GUESTS:-1} =~ ^[1-9][0-9]?$ ]] || usage_error "option --guests wants a number, 1 to 99, not '$GUESTS'"
	check_kernel_options
}

# check_kernel_options: what does not go together in the choice of a kernel.
check_kernel_options() {
	if [ "$KERNEL" = all ] && [ -n "$SINGLE" ]; then
		usage_error "option $SINGLE is for one kernel, and does not go with '--kernel all'"
	elif [ -n "$TREE" ] && [ "$KERNEL${KERNEL_OPTIONS[*]}" != newest ]; then
		usage_error "--tree builds its kernel, and does not go with --kernel, --modules or --headers"
	elif [ -n "$BUILD_DIR" ] && [ -z "$TREE" ]; then
		usage_error "--build-dir is where a --tree is built; give that, too"
	fi
}

# need_others WHOSE...: tests of these others can be had.
need_others() {
	local whose

	for whose; do
		[ -e "$CTS_TOP/runners/others/$whose.list" ] ||
			usage_error "option --with wants igt or kselftest, or both with a comma between, not '$whose'"
	done
}

# names_one --exporter|--importer: the user chose one of these, and not a back end that may have
# several.
names_one() {
	local i found=0

	for ((i = 0; i < ${#AGENT[@]}; i += 2)); do
		[ "${AGENT[i]}" = "$1" ] || continue
		case ${AGENT[i + 1]} in
		*:* | udmabuf | uapi) found=$((found + 1)) ;;
		*) return 1 ;;
		esac
	done
	[ "$found" -eq 1 ]
}

# count_guests: sets GUESTS where the user does not. A pair is done sooner than a guest boots, and
# each guest wants its memory. To boot another one costs the processors as much as they are left idle
# while a guest waits; only with faults it waits more than that.
count_guests() {
	local room wanted

	[ -z "$GUESTS" ] || return 0
	GUESTS=1
	! names_one --exporter || ! names_one --importer || return 0
	wanted=$(nproc)
	[ -z "$MUTANTS" ] || wanted=$((wanted * 2))
	room=$(awk '$1 == "MemAvailable:" { print int($2 / (1536 * 1024)) }' /proc/meminfo)
	GUESTS=$(printf '%s\n' 4 "$wanted" "${room:-1}" | sort -n | head -n 1)
	[ "$GUESTS" -gt 0 ] || GUESTS=1
}

# find_kernel: sets the kernel's variables. Its description is kept in the cache, under a name made
# from what it says, and so is seen from inside as well.
find_kernel() {
	local description

	if [ -n "$TREE" ]; then
		description=$("$CTS_TOP/runners/kernels.sh" tree "$TREE" "$BUILD_DIR") || exit
	else
		description=$("$CTS_TOP/runners/kernels.sh" get "$KERNEL" "${KERNEL_OPTIONS[@]}") || exit
	fi
	KERNEL_ENV=$CTS_CACHE/run/$(sha256sum <<< "$description" | cut -c 1-16).env
	mkdir -p "$CTS_CACHE/run"
	echo "$description" > "$KERNEL_ENV.$$"
	mv "$KERNEL_ENV.$$" "$KERNEL_ENV" ||
		die "cannot write to the cache $CTS_CACHE; choose another: DMABUF_CTS_CACHE=DIR"
	load_kernel "$KERNEL_ENV"
	[ -n "$kernel_headers" ] ||
		say "no headers for kernel $kernel_version: the peer modules are absent from this run"
}

# guest_timeout FACTOR: seconds for a guest on a kernel that takes so many times as long.
guest_timeout() {
	local seconds=$((GUEST_TIMEOUT * $1))

	[ "$STRESS" -le "$STRESS_DEFAULT" ] || seconds=$((seconds * STRESS / STRESS_DEFAULT))
	echo $((seconds < TIMEOUT_MOST ? seconds : TIMEOUT_MOST))
}

# be_patient: sets how long guests and programs may take, where the user does not.
be_patient() {
	local factor=1

	if grep -qsx CONFIG_KASAN=y "$kernel_config"; then
		factor=$CHECKED_FACTOR
		AGENT+=(--timeout $((PROGRAM_TIMEOUT * factor)))
	fi
	TIMEOUT=${TIMEOUT:-$(guest_timeout "$factor")}
	SILENCE=${SILENCE:-$((GUEST_SILENCE * factor))}
}

# build: sets build_programs, what is known of the drivers that kernels lack, and MODULES in the order
# in which they can be loaded.
build() {
	local built file options=(--kernel-env "$KERNEL_ENV" --iommufd)

	[ "$NIC" = 0 ] || options+=(--nic)
	built=$("$CTS_TOP/runners/build.sh" "${options[@]}") || exit
	build_programs='' build_modules='' build_efa='' build_no_efa='' build_iommufd='' build_no_iommufd=''
	eval "$built"
	MODULES=()
	[ -n "$build_modules" ] || return 0
	while read -r file; do
		file=${file##*/}
		MODULES+=(--module "$build_modules/${file%.*}.ko")
	done < "$build_modules/modules.order"
}

# no_nic: why this guest gets no NIC; fails when it can have one.
no_nic() {
	if [ "$NIC" = 0 ]; then
		echo "the guest was given none"
	elif [ -n "$build_no_efa" ]; then
		echo "its driver efa.ko is missing: $build_no_efa"
	else
		return 1
	fi
}

# add_nic: the NIC and its driver for the guest; without one, the reason for who asks there.
add_nic() {
	local why

	if why=$(no_nic); then
		[ "${NIC:-0}" = 0 ] || die "the guest cannot have an emulated NIC: $why"
		[ "$NIC" = 0 ] || say "no emulated NIC in the guest: $why"
		GUEST+=(--environment "DMABUF_CTS_NO_NIC=no emulated NIC: $why")
		return
	fi
	NIC=${NIC:-1}
	GUEST+=(--nic "$NIC" "${NIC_OPTIONS[@]}")
	AGENT+=(--nic "$NIC")
	[ -z "$build_efa" ] || MODULES+=(--module "$build_efa")
}

# add_iommufd: for the guest, or the reason why it has none.
add_iommufd() {
	[ -z "$build_iommufd" ] || MODULES+=(--module "$build_iommufd")
	[ -z "$build_no_iommufd" ] || GUEST+=(--environment "DMABUF_CTS_NO_IOMMUFD=no iommufd.ko: $build_no_iommufd")
}

# asked_for BACKEND: the user names it, or all that there is shall be there.
asked_for() {
	local i

	[ -z "$LIST$MUTANTS" ] || return 0
	for ((i = 0; i + 1 < ${#AGENT[@]}; i++)); do
		case "${AGENT[i]} ${AGENT[i + 1]}" in
		"--exporter $1" | "--exporter $1":* | "--importer $1" | "--importer $1":*) return ;;
		esac
	done
	return 1
}

# add_modules: those of the distribution that only some back ends need.
add_modules() {
	local backend module

	while read -r backend module _; do
		[[ $backend == *: ]] || continue
		! asked_for "${backend%:}" || GUEST+=(--stock "$module")
	done < "$CTS_TOP/runners/guest/modules"
}

# add_others: their tests for the guest.
add_others() {
	local whose archive

	for whose in "${WITH[@]}"; do
		archive=$("$CTS_TOP/runners/others.sh" "$whose") || exit
		GUEST+=(--archive "$archive")
		AGENT+=(--with "/cts/others/$whose")
	done
}

# check_output: that there is nothing in the result folder, where it is there at all.
check_output() {
	[ ! -d "$OUTPUT" ] || [ -z "$(ls -A "$OUTPUT")" ] ||
		die "the result folder $OUTPUT is not empty; choose another with --output, or remove it"
}

# make_output: an empty result folder.
make_output() {
	OUTPUT=$(realpath -m "${OUTPUT:-results/$kernel_version-$(date +%Y%m%dT%H%M%S)}")
	mkdir -p "$OUTPUT" || die "cannot make the result folder $OUTPUT; choose another with --output"
	check_output
}

# inside COMMAND...: in the build root, with the folders of the user's own kernel. In our place, so
# that a signal meant for us reaches those who can act on it.
inside() {
	local dir binds=()

	while IFS= read -r dir; do
		binds+=(${dir:+--bind "$dir"})
	done < <(printf '%s\n' "$kernel_binds" "$OUTPUT" "${FOLDERS[@]}")
	exec "$CTS_TOP/runners/enter.sh" "${binds[@]}" "$@"
}

# run_session: all guests of a run, with their report.
run_session() {
	make_output
	count_guests
	# Side by side they have enough for the machine's own processors to do.
	inside "$CTS_TOP/runners/guest/session.sh" --guests "$GUESTS" "$OUTPUT" "$build_programs" "${REPORT[@]}" -- \
		"${GUEST[@]}" --cpus "$CPUS" -- --mode vm "${AGENT[@]}"
}

# run_list: one guest that shows what is there.
run_list() {
	inside "$CTS_TOP/runners/guest/boot.sh" --programs "$build_programs" "${GUEST[@]}" -- \
		--mode vm "${AGENT[@]}" --list
}

main() {
	parse_options "$@"
	[ "$KERNEL" != all ] || exec "$CTS_TOP/runners/all_kernels.sh" "$@"
	# Before minutes are spent on a kernel.
	[ -z "$OUTPUT" ] || check_output
	find_kernel
	be_patient
	build
	[ -z "$PREPARE" ] || exit 0
	add_nic
	add_iommufd
	add_modules
	add_others
	GUEST+=(--kernel-env "$KERNEL_ENV" --timeout "$TIMEOUT" "${MODULES[@]}")
	if [ -n "$LIST" ]; then
		OUTPUT=''
		run_list
	else
		GUEST+=(--silence "$SILENCE")
		run_session
	fi
}

main "$@"
