#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How long one waits for a kernel's verdicts with this suite's guests, beside virtme-ng: the same kernel,
# the same emulation, in turns. Both run the kernel's own selftests of dma-buf exporters; ours besides a
# program of its own, with the peers and their devices in the guest.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../runners/common.sh"

USAGE="usage: virtme.sh [KERNEL]
KERNEL is one that 'dmabuf-cts vm --kernel' takes (default newest)."
readonly ROUNDS=3

# measured NAME COMMAND...: note how long the command's first result took, and all of it. What ends badly
# may have ended early, too.
measured() {
	local name=$1 began=$EPOCHREALTIME first='' ended status=0 line

	shift
	while IFS= read -r line; do
		[[ -n $first || ! $line =~ ^\ *(not )?ok\ [0-9] ]] || first=$EPOCHREALTIME
	done < <("$@" < /dev/null 2> "$WORK/errors")
	ended=$EPOCHREALTIME
	wait "$!" || status=$?
	if [ -z "$first" ] || [ "$status" -ne 0 ]; then
		cat "$WORK/errors" >&2
		die "cannot measure: '$*' ended with status $status$([ -n "$first" ] || echo ', without a result')"
	fi
	printf '%s\t%s\t%s\t%s\n' "$name" "$began" "$first" "$ended" >> "$WORK/times"
}

# ours NAME OPTION...
ours() {
	local name=$1

	shift
	rm -rf "$WORK/run"
	measured "$name" ./dmabuf-cts vm --kernel "$KERNEL" --accel tcg --guests 1 "$@" --output "$WORK/run"
}

# lay_out: the kernel and its modules as virtme-ng looks for them, and the tests with a script to run them.
lay_out() {
	local archive root=$WORK/root

	runners/kernels.sh get "$KERNEL" > "$WORK/env"
	load_kernel "$WORK/env"
	mkdir -p "$root/boot" "$root/lib/modules"
	cp "$kernel_image" "$root/boot/vmlinuz-$kernel_version"
	ln -s "$kernel_modules" "$root/lib/modules/$kernel_version"
	archive=$(runners/others.sh kselftest) || exit
	(cd "$WORK" && "$CTS_TOP/runners/enter.sh" cpio -i -d --quiet < "$archive")
	cat > "$WORK/tests" <<- END
		modprobe -d $root -a udmabuf vgem
		for program in $WORK/cts/others/kselftest/run/*; do
		    "\$program"
		    status=\$?
		    [ \$status -eq 0 ] && echo "ok 1 \${program##*/}" || echo "not ok 1 \${program##*/} # \$status"
		done
	END
	chmod +x "$WORK/tests"
}

# Emulated as ours are, with what a guest without KVM wants: virtme-ng's own init, its microVM and its
# virtiofs do not come up that way.
virtme() {
	measured "virtme-ng: the kernel's selftests" runners/enter.sh --recipe virtme \
		virtme-run --kimg "$WORK/root/boot/vmlinuz-$kernel_version" --mods auto --memory 1G --cpus 1 \
		--disable-kvm --disable-microvm --force-9p --no-virtme-ng-init -q=-cpu -q=EPYC \
		--kopt mitigations=off --kopt cryptomgr.notests --kopt init_on_alloc=0 --kopt no_timer_check \
		--script-sh "$WORK/tests"
}

# table: medians, and what they are of virtme-ng's.
table() {
	sort -s -t $'\t' -k 1,1 "$WORK/times" | awk -F '\t' '
		function median(values, n,    i, j, t) {
			for (i = 1; i <= n; i++)
				for (j = i + 1; j <= n; j++)
					if (values[j] < values[i]) { t = values[i]; values[i] = values[j]; values[j] = t }
			return values[int((n + 1) / 2)]
		}
		function finish() {
			if (n) { names[++rows] = name; first[rows] = median(a, n); whole[rows] = median(b, n) }
			n = 0
		}
		$1 != name { finish(); name = $1 }
		{ a[++n] = $3 - $2; b[n] = $4 - $2 }
		END {
			finish()
			for (i = 1; i <= rows; i++)
				if (names[i] ~ /^virtme/) base = i
			printf "%-48s%15s%8s%10s%8s\n", "", "first result", "ratio", "all", "ratio"
			for (i = 1; i <= rows; i++)
				printf "%-48s%13.1f s%8.2f%8.1f s%8.2f\n", names[i], first[i], first[i] / first[base],
					whole[i], whole[i] / whole[base]
		}'
}

main() {
	local round

	[ "${1-}" != --help ] || { echo "$USAGE"; exit; }
	KERNEL=${1:-newest}
	cd "$CTS_TOP"
	mkdir -p "$CTS_CACHE/run"
	WORK=$(mktemp -d "$CTS_CACHE/run/virtme.XXXXXX")
	trap 'rm -rf "$WORK"' EXIT
	CTS_RECIPE=virtme runners/setup.sh
	lay_out
	# What is made once is made before.
	ours "" --with kselftest --program udmabuf > /dev/null
	: > "$WORK/times"
	for ((round = 0; round < ROUNDS; round++)); do
		ours "dmabuf-cts: the kernel's selftests" --with kselftest --program udmabuf --program dmabuf-heap
		ours "dmabuf-cts: its own program 'software', one pair" --exporter udmabuf --importer uapi --program software
		virtme
	done
	table
}

main "$@"
