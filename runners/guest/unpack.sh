# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# An emulated processor takes seconds to unpack a kernel that ours unpacks at once, so the guest
# is given the ELF file from inside the image, which QEMU starts by its PVH note. Offsets are
# those of Documentation/arch/x86/boot.rst. To be sourced after common.sh.

# read_number FILE OFFSET BYTES
read_number() {
	od -An -v -tu"$3" --endian=little -j "$2" -N "$3" "$1" | tr -d ' '
}

# payload IMAGE: the compressed kernel, without the size that is stored behind it.
payload() {
	local setup offset length

	setup=$(read_number "$1" $((0x1f1)) 1)
	offset=$(read_number "$1" $((0x248)) 4)
	length=$(read_number "$1" $((0x24c)) 4)
	tail -c +$(((setup + 1) * 512 + offset + 1)) "$1" | head -c $((length - 4))
}

# unpack_kernel IMAGE OUT: fails when the payload is of a kind that no tool here knows.
unpack_kernel() {
	local tool

	for tool in "zstd -dcqf" "xz -dc" "gzip -dc"; do
		# shellcheck disable=SC2086
		if payload "$1" | $tool > "$2" 2> /dev/null && [ "$(head -c 4 "$2" | tr -d '\177')" = ELF ]; then
			return
		fi
	done
	rm -f "$2"
	return 1
}

# unpacked IMAGE: path of the unpacked kernel, kept in the cache by what it is; fails where there is none.
unpacked() {
	local kernel

	kernel=$CTS_CACHE/images/vmlinux-$(sha256sum < "$1" | cut -c 1-16)
	[ -e "$kernel" ] || { unpack_kernel "$1" "$kernel.$$" && mv "$kernel.$$" "$kernel"; } || return
	echo "$kernel"
}

# bootable IMAGE CONFIG: path of what to boot: the unpacked kernel, or IMAGE itself where it has no PVH
# entry or cannot be unpacked. What was found for an image is known by what stat says of it, so that not
# each guest reads it all.
bootable() {
	local known kernel

	grep -qs '^CONFIG_PVH=y' "$2" || { echo "$1"; return; }
	known=$CTS_CACHE/images/boot-$(stat -L -c %i-%s-%.9Y-%.9Z "$1")
	[ ! -e "$known" ] || { echo "$known"; return; }
	kernel=$(unpacked "$1") || { echo "$1"; return; }
	ln -sfn "${kernel##*/}" "$known" || true
	echo "$kernel"
}
