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

# bootable IMAGE CONFIG: path of what to boot: the unpacked kernel, kept in the cache, or IMAGE
# itself where it has no PVH entry or cannot be unpacked.
bootable() {
	local unpacked

	unpacked=$CTS_CACHE/images/vmlinux-$(sha256sum < "$1" | cut -c 1-16)
	if ! grep -qs '^CONFIG_PVH=y' "$2"; then
		echo "$1"
	elif [ -e "$unpacked" ] || { unpack_kernel "$1" "$unpacked.$$" && mv "$unpacked.$$" "$unpacked"; }; then
		echo "$unpacked"
	else
		echo "$1"
	fi
}
