#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Boots one guest that runs the agent, and ends with it. What the agent writes comes out on
# stdout as it is written; the guest's console goes to a file; our own words to stderr.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
# shellcheck source=runners/guest/unpack.sh
. "$CTS_TOP/runners/guest/unpack.sh"
# shellcheck source=runners/guest/console.sh
. "$CTS_TOP/runners/guest/console.sh"
# shellcheck source=runners/guest/nic.sh
. "$CTS_TOP/runners/guest/nic.sh"

USAGE="usage: boot.sh --kernel-env FILE --programs DIR [OPTION]... [-- AGENT-ARGUMENT...]
  --kernel-env FILE      description of the kernel, as kernels.sh prints it
  --programs DIR         programs for the guest, the agent among them
  --agent NAME           which of them to run (default cts-agent)
  --module FILE[=ARGS]   load this module too; ARGS are its parameters, separated by spaces
  --stock NAME           load this module of the distribution too
  --file FILE            copy it to /cts/files in the guest
  --archive FILE         an archive, of cpio's format newc, to unpack in its root
  --environment NAME=VALUE  a variable for the agent and its programs
  --console FILE         the guest's console is appended to it (default: nowhere)
  --no-iommu             a guest without an IOMMU
  --iommu MODE           what it does: strict (default) or passthrough (default with a switch)
  --topology NAME        where the devices are: trusted (default), untrusted or switch, see qemu.args
  --memory SIZE          as QEMU understands it (default 1G)
  --cpus N               processors (default 1; with more, QEMU hangs now and then at boot)
  --nic N                emulated NICs, 0 to 8 (default 0)
  --nic-api VERSION      the device API that they have: 0.1, 0.2 or 0.3 (default: that of the server)
  --nic-option WORD      for their server, which has its own list of options
  --nic-log FILE         what the server says is appended to it (default: nowhere)
  --nic-server PROGRAM   which serves them (default DIR/cts-nic)
  --accel kvm|tcg        default: kvm where it really works
  --append ARGS          more kernel parameters
  --timeout SECONDS      for the whole run of the guest (default 600; 0: no limit)
  --silence SECONDS      a guest that says nothing for so long is taken for dead, one that has yet
                         to say its first word after four times that (default 0: never)
  --watchdog PROGRAM     that waits for it (default DIR/cts-watchdog)
  --pid-file FILE        QEMU's process id goes there while it runs
Exit status: the agent's (0-59, 125), or
  99   the agent was ended by a signal or had another status
  100  the guest died: panic, reset, or power off without a status
  101  the time was over
  102  QEMU was killed or failed by itself
  103  the guest was silent for too long
  104  the server of its NICs died while it ran
  125  the guest could not be started
  143  ended by a signal"

readonly EXIT_AGENT_ODD=99 EXIT_GUEST_DIED=100 EXIT_TIMEOUT=101 EXIT_QEMU_DIED=102
readonly EXIT_SILENT=103 EXIT_NIC_LOST=104 EXIT_SIGNAL=143
# So many times as long as later a guest may be silent before its first word.
readonly FIRST_PATIENCE=4

# Kernel parameters of every guest. Strict: an unmapped address is a fault at once. On a busy host
# an emulated timer may be late, which the kernel would take for a broken one and panic.
readonly APPEND_ALWAYS="console=ttyS0 quiet panic=-1 no_timer_check"
# What an emulated processor need not be guarded against, and would pay for with each call; tests of
# ciphers, which would keep it busy while the suite runs; pages cleared twice, which moreover hides
# an exporter that hands out what others left; accounts of who waits for what, at each switch of tasks;
# and what each boot does for signatures, which no module here has, and for lists that no tracer here
# reads: to look up all functions, and the words in all events.
readonly APPEND_TCG="mitigations=off cryptomgr.notests init_on_alloc=0 psi=0\
 initcall_blacklist=ftrace_check_for_weak_functions,trace_eval_init,load_system_certificate_list"
declare -rA APPEND_IOMMU=(
	[strict]="intel_iommu=on iommu.passthrough=0 iommu.strict=1"
	[passthrough]="intel_iommu=on iommu.passthrough=1"
)

# kvm_boots: whether this kernel runs under KVM up to the panic that a missing root brings. A
# device node promises nothing, and neither does a processor that got through the firmware.
kvm_boots() {
	local log=$WORK/kvm.log tries=50 pid

	[ -r /dev/kvm ] && [ -w /dev/kvm ] || return 1
	setpriv --pdeathsig KILL qemu-system-x86_64 -nodefaults -display none -no-reboot -accel kvm \
		-machine q35,kernel-irqchip=split -cpu host -m 512M -kernel "$BOOT" \
		-append "panic=-1 quiet" < /dev/null > "$log" 2>&1 &
	pid=$!
	while kill -0 "$pid" 2> /dev/null; do
		tries=$((tries - 1))
		if [ "$tries" -eq 0 ] || grep -qi 'kvm' "$log"; then
			kill -KILL "$pid" 2> /dev/null || true
		fi
		sleep 0.1
	done
	wait "$pid"
} 2> /dev/null

# choose_accel: KVM where it works, which is tried once for each kernel and boot of the machine.
choose_accel() {
	local known

	[ -z "$ACCEL" ] || return 0
	known=$CTS_CACHE/kvm/$kernel_version-$(< /proc/sys/kernel/random/boot_id)
	if [ ! -e "$known" ]; then
		ACCEL=tcg
		! kvm_boots || ACCEL=kvm
		mkdir -p "$CTS_CACHE/kvm"
		echo "$ACCEL" > "$known.$$"
		mv "$known.$$" "$known"
	fi
	ACCEL=$(< "$known")
}

# holds CONDITION: all its parts, joined by "+", are among the words that hold for this run.
holds() {
	local part root=''

	[ "$TOPOLOGY" = switch ] || root=root
	for part in ${1//+/ }; do
		[[ " always $ACCEL $IOMMU $TOPOLOGY $root " == *" $part "* ]] || return 1
	done
}

# built_in_parameters: those of the list of modules, for a kernel that has them built in.
built_in_parameters() {
	local words parameters

	while read -ra words; do
		[[ ${words[*]} && ${words[0]} != \#* ]] || continue
		[[ ${words[0]} != *: ]] || words=("${words[@]:1}")
		parameters=("${words[@]:1}")
		printf '%s' "${parameters[@]/#/ ${words[0]}.}"
	done < "$CTS_TOP/runners/guest/modules"
}

# machine_arguments: sets MACHINE from the data file, for the conditions that hold.
machine_arguments() {
	local condition words

	MACHINE=()
	while read -r condition words; do
		[[ $condition && $condition != \#* ]] || continue
		holds "$condition" || continue
		read -ra words <<< "$words"
		MACHINE+=("${words[@]}")
	done < "$CTS_TOP/runners/guest/qemu.args"
	# Whoever shares the guest's memory does so by its descriptor: NICs, and the memory of blobs.
	MACHINE+=(-m "$MEMORY" -smp "$CPUS" -machine memory-backend=memory
		-object "memory-backend-memfd,id=memory,size=$MEMORY,share=on")
	[ "$NICS" -eq 0 ] || add_nics
}

# make_initrd: the packed archives with this run's job behind them.
make_initrd() {
	local base job=$WORK/job packed=() module file parameters archives

	for module in "${MODULES[@]}"; do
		packed+=(--module "${module%%=*}")
	done
	for module in "${STOCK[@]}"; do
		packed+=(--stock "$module")
	done
	base=$("$CTS_TOP/runners/guest/initramfs.sh" --kernel-env "$KERNEL_ENV" --programs "$PROGRAMS" "${packed[@]}")
	mapfile -t archives <<< "$base"
	mkdir -p "$job/cts/files"
	[ "${#FILES[@]}" -eq 0 ] || cp "${FILES[@]}" "$job/cts/files/"
	for module in "${MODULES[@]}"; do
		file=${module%%=*}
		parameters=${module#"$file"}
		echo "/cts/modules/${file##*/} ${parameters#=}"
	done > "$job/cts/own"
	echo "$AGENT" > "$job/cts/agent"
	: > "$job/cts/arguments"
	[ $# -eq 0 ] || printf '%s\n' "$@" > "$job/cts/arguments"
	: > "$job/cts/environment"
	[ "${#VARIABLES[@]}" -eq 0 ] || printf '%s\n' "${VARIABLES[@]}" > "$job/cts/environment"
	(cd "$job" && find cts/* | cpio -o -H newc -R 0:0 --quiet) | cat "${archives[@]}" "${ARCHIVES[@]}" - > "$WORK/initrd" ||
		die "cannot write $WORK/initrd; is the disk full?"
}

# start_qemu: below the watchdog, with which it ends should we be killed. Its results channel, and
# the serial line that stands in for it, is its stdout, which the watchdog passes on to ours. What QEMU
# allocates lies on large pages where it can: it is forever looking up what it translated in tables of
# many megabytes.
start_qemu() {
	env LD_PRELOAD="$PRELOAD" GLIBC_TUNABLES=glibc.malloc.hugetlb=1 \
		"$WATCHDOG" --total "$TIMEOUT" --silence "$SILENCE" --first $((SILENCE * FIRST_PATIENCE)) -- \
		qemu-system-x86_64 "${MACHINE[@]}" \
		-chardev file,id=results,path=/dev/fd/1,append=on \
		-chardev file,id=fallback,path=/dev/fd/1,append=on \
		-chardev "file,id=console,path=${CONSOLE//,/,,},append=on" \
		-serial chardev:console -serial chardev:fallback \
		-kernel "$BOOT" -initrd "$WORK/initrd" -append "$APPEND" \
		${PID_FILE:+-pidfile "$PID_FILE"} < /dev/null 2> "$WORK/qemu.log" &
	GUEST=$!
}

# stop PID: end it if it still runs, and wait until it has.
stop() {
	[ -n "$1" ] || return 0
	kill -TERM "$1" 2> /dev/null || true
	wait "$1" 2> /dev/null || true
}

# wait_for_guest: returns its status. NIC_LOST says how the NICs' server ended, should that be first;
# the guest is left to notice, and to come to an end that keeps what it knows.
wait_for_guest() {
	local status ended

	while :; do
		status=0
		# Of a death by signal bash would have a word to say, too.
		wait -n -p ended "$GUEST" ${NIC:+"$NIC"} 2> /dev/null || status=$?
		[ "$ended" != "$GUEST" ] || return "$status"
		NIC=''
		nic_lost "$status"
	done
}

# clean_up: nothing is left, however we end.
clean_up() {
	trap '' INT TERM HUP
	stop "$GUEST"
	stop "$NIC"
	rm -rf "$WORK"
	[ -z "$PID_FILE" ] || rm -f "$PID_FILE"
}

# lost STATUS TEXT: the guest did not come to its end; TEXT says why. If its NICs had died before,
# that was the reason, except for a kernel that panics: it should not.
lost() {
	say_once "$2"
	[ -z "$NIC_LOST" ] || [ "$1" -eq "$EXIT_GUEST_DIED" ] || exit "$EXIT_NIC_LOST"
	exit "$1"
}

# conclude STATUS: from that of QEMU or its watchdog to ours; guest/init says how the agent's
# status is coded. The odd ones are the guest's.
conclude() {
	local phase='' patience=$SILENCE

	case $1 in
	0 | 122 | 124)
		phase=$(guest_phase)
		[[ $phase == *suite* ]] || patience=$((SILENCE * FIRST_PATIENCE))
		;;
	esac
	case $1 in
	0) lost "$EXIT_GUEST_DIED" "the guest died $phase: $(guest_complaint)" ;;
	122) lost "$EXIT_SILENT" "the guest hangs: not a word of it for $patience s, $phase; it was stopped" ;;
	124) lost "$EXIT_TIMEOUT" "the guest did not end within $TIMEOUT s and was stopped $phase" ;;
	123) exit "$EXIT_CANNOT_JUDGE" ;;
	125) exit "$EXIT_AGENT_ODD" ;;
	1 | 2) die "QEMU could not start the guest: $(grep -m 1 -v 'warning:' "$WORK/qemu.log")" ;;
	esac
	if [ "$1" -le 121 ]; then
		[ -z "$NIC_LOST" ] || exit "$EXIT_NIC_LOST"
		exit $((($1 - 1) / 2 - 1))
	fi
	lost "$EXIT_QEMU_DIED" "QEMU ended by itself or was killed (status $1)"
}

parse_options() {
	KERNEL_ENV='' PROGRAMS='' AGENT=cts-agent MODULES=() STOCK=() FILES=() ARCHIVES=() CONSOLE='' IOMMU=iommu
	MEMORY=1G CPUS=1 ACCEL='' MORE='' TIMEOUT=600 SILENCE=0 WATCHDOG='' PID_FILE='' VARIABLES=()
	IOMMU_MODE='' TOPOLOGY=trusted
	NICS=0 NIC_OPTIONS=() NIC_LOG='' NIC_SERVER=''
	while [ $# -gt 0 ]; do
		case $1 in
		--help) echo "$USAGE"; exit ;;
		--no-iommu) IOMMU=no-iommu; shift; continue ;;
		--) shift; break ;;
		esac
		need_value "$1" $#
		case $1 in
		--kernel-env) KERNEL_ENV=$2 ;;
		--programs) PROGRAMS=$2 ;;
		--agent) AGENT=$2 ;;
		--module) MODULES+=("$2") ;;
		--stock) STOCK+=("$2") ;;
		--file) FILES+=("$2") ;;
		--archive) ARCHIVES+=("$2") ;;
		--environment) VARIABLES+=("$2") ;;
		--console) CONSOLE=$2 ;;
		--nic) NICS=$2 ;;
		--nic-api) need_nic_api "$2"; NIC_OPTIONS+=(--api "$2") ;;
		--nic-option) NIC_OPTIONS+=("$2") ;;
		--nic-log) NIC_LOG=$2 ;;
		--nic-server) NIC_SERVER=$2 ;;
		--iommu) need_iommu "$2"; IOMMU_MODE=$2 ;;
		--topology) need_topology "$2"; TOPOLOGY=$2 ;;
		# QEMU itself takes a bare number for MiB here, and for bytes there.
		--memory) MEMORY=$2; [[ $2 == *[!0-9]* ]] || MEMORY=$2M ;;
		--cpus) CPUS=$2 ;;
		--accel) ACCEL=$2 ;;
		--append) MORE=$2 ;;
		--timeout) TIMEOUT=$2 ;;
		--silence) SILENCE=$2 ;;
		--watchdog) WATCHDOG=$2 ;;
		--pid-file) PID_FILE=$2 ;;
		*) usage_error "unknown option $1" ;;
		esac
		shift 2
	done
	[ -r "$KERNEL_ENV" ] || usage_error "--kernel-env must name a readable file"
	[ -d "$PROGRAMS" ] || usage_error "--programs must name a folder"
	need_seconds --timeout "$TIMEOUT"
	need_seconds --silence "$SILENCE"
	need_nics "$NICS"
	# Below a switch devices reach each other untranslated, which QEMU knows nothing of.
	[ "$TOPOLOGY" != switch ] || IOMMU_MODE=${IOMMU_MODE:-passthrough}
	IOMMU_MODE=${IOMMU_MODE:-strict}
	NIC_SERVER=${NIC_SERVER:-$PROGRAMS/cts-nic}
	[ "$NICS" -eq 0 ] || [ -x "$NIC_SERVER" ] || usage_error "--nic-server must name a program"
	WATCHDOG=${WATCHDOG:-$PROGRAMS/cts-watchdog}
	[ -x "$WATCHDOG" ] || usage_error "--watchdog must name a program"
	PRELOAD=${WATCHDOG%/*}/cts-preload.so
	[ -r "$PRELOAD" ] || usage_error "there is no cts-preload.so beside the watchdog $WATCHDOG"
	AGENT_ARGUMENTS=("$@")
}

main() {
	local status=0

	[ -n "${CTS_INSIDE-}" ] || exec "$CTS_TOP/runners/enter.sh" "$0" "$@"
	parse_options "$@"
	load_kernel "$KERNEL_ENV"
	WORK=$(mktemp -d)
	NIC_LOG=${NIC_LOG:-$WORK/nic.log}
	CONSOLE=${CONSOLE:-$WORK/console}
	GUEST='' NIC='' NIC_LOST=''
	trap clean_up EXIT
	trap 'exit $EXIT_SIGNAL' INT TERM HUP
	console_begins
	[ -d "$CTS_CACHE/images" ] || mkdir -p "$CTS_CACHE/images"
	BOOT=$(bootable "$kernel_image" "$kernel_config")
	choose_accel
	APPEND="$APPEND_ALWAYS$(built_in_parameters) $MORE"
	[ "$IOMMU" = no-iommu ] || APPEND="$APPEND ${APPEND_IOMMU[$IOMMU_MODE]}"
	[ "$ACCEL" != tcg ] || APPEND="$APPEND $APPEND_TCG"
	machine_arguments
	[ "$NICS" -eq 0 ] || start_nics
	make_initrd "${AGENT_ARGUMENTS[@]}"
	[ "$NICS" -eq 0 ] || wait_for_nics
	start_qemu
	wait_for_guest || status=$?
	GUEST=''
	conclude "$status"
}

main "$@"
