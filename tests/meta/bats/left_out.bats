#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Drivers that distributions leave out, that of the emulated NIC and iommufd: where they come from, that they
# are built as they are, and the reasons why a kernel has none.

# shellcheck disable=SC2154,SC2016
load common

setup() {
	make_folder
	KERNEL_ENV=$FOLDER/kernel.env
	"$RUNNERS/kernels.sh" get newest > "$KERNEL_ENV"
	eval "$(< "$KERNEL_ENV")"
}

teardown() {
	remove_folder
}

# efa: what is known of the driver for the kernel of this test, in variables.
efa() {
	eval "$("$RUNNERS/kernels.sh" efa "$KERNEL_ENV")"
}

# iommufd: likewise.
iommufd() {
	eval "$("$RUNNERS/kernels.sh" iommufd "$KERNEL_ENV")"
}

# change NAME VALUE: one line of the description.
change() {
	printf 'kernel_%s=%q\n' "$1" "$2" >> "$KERNEL_ENV"
}

# lay_out_tree FOLDER: headers with the driver's source, as in the user's own build tree. No links:
# kbuild writes to the folder that the Makefile names.
lay_out_tree() {
	efa
	cp -RL "$kernel_headers" "$1"
	sed -i "s#^KBUILD_OUTPUT=.*#KBUILD_OUTPUT=$1#" "$1/Makefile"
	mkdir -p "$1/drivers/infiniband/hw/efa"
	cp "$efa_source"/* "$1/drivers/infiniband/hw/efa/"
	change headers "$1"
}

@test "each kernel of the project gets the driver of its own series" {
	for kernel in newest 6.12 6.1; do
		"$RUNNERS/kernels.sh" get "$kernel" > "$KERNEL_ENV"
		eval "$(< "$KERNEL_ENV")"
		efa
		[ -z "$efa_reason" ]
		[ -e "$efa_source/efa_main.c" ]
		[[ $efa_source == *"$kernel_series"* ]]
	done
}

@test "the driver is built as it is, for that kernel" {
	efa
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV" --nic)"
	[ -z "$build_no_efa" ]
	[[ $("$RUNNERS/enter.sh" modinfo -F vermagic "$build_efa") == "$kernel_version "* ]]
	for file in "$efa_source"/*.[ch]; do
		cmp "$file" "${build_efa%/*}/${file##*/}"
	done
}

@test "without --nic no driver is built" {
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV")"
	[ -z "$build_efa$build_no_efa" ]
}

@test "a source package that is gone is a reason, and the build goes on" {
	change series 5.99
	efa
	[ -z "$efa_source" ]
	[[ $efa_reason == "cannot download linux-source-5.99"* ]]
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV" --nic)"
	[ -z "$build_efa" ]
	[ "$build_no_efa" = "$efa_reason" ]
}

@test "no headers, no RDMA, or headers without source: each is told" {
	change headers ""
	efa
	[[ $efa_reason == "there are no headers of kernel $kernel_version"* ]]
	change headers "$FOLDER"
	efa
	[[ $efa_reason == "$FOLDER holds headers alone; give --headers a build tree"* ]]
	echo '# CONFIG_INFINIBAND_USER_ACCESS is not set' > "$FOLDER/config"
	change config "$FOLDER/config"
	efa
	[[ $efa_reason == *"CONFIG_INFINIBAND_USER_ACCESS is off"* ]]
}

@test "the source of the user's own tree comes before the distribution's" {
	lay_out_tree "$FOLDER/tree"
	efa
	[ "$efa_source" = "$FOLDER/tree/drivers/infiniband/hw/efa" ]
}

@test "a driver that does not build is a reason that names the compiler's log, and so is half a source" {
	iommufd
	source=$iommufd_source
	lay_out_tree "$FOLDER/tree"
	mkdir -p "$FOLDER/tree/drivers/iommu"
	cp -r "$source" "$FOLDER/tree/drivers/iommu/"
	echo '#error broken on purpose' >> "$FOLDER/tree/drivers/infiniband/hw/efa/efa_main.c"
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV" --nic --iommufd)"
	[ -z "$build_efa$build_iommufd" ]
	for reason in "$build_no_efa" "$build_no_iommufd"; do
		[[ $reason == "its source does not build for kernel $kernel_version; "* ]]
	done
	log=${build_no_efa#*; }
	grep -q 'broken on purpose' "${log%% *}"
	log=${build_no_iommufd#*; }
	grep -q 'lib/interval_tree.c' "${log%% *}"
}

@test "a kernel that was built with the driver needs no other" {
	mkdir -p "$FOLDER/modules/kernel/drivers/infiniband/hw/efa"
	touch "$FOLDER/modules/kernel/drivers/infiniband/hw/efa/efa.ko.xz"
	change modules "$FOLDER/modules"
	efa
	[ -z "$efa_source$efa_reason" ]
	rm -r "$FOLDER/modules/kernel"
	echo kernel/drivers/infiniband/hw/efa/efa.ko > "$FOLDER/modules/modules.builtin"
	efa
	[ -z "$efa_source$efa_reason" ]
}

@test "iommufd is built as it is, and exports nothing that the kernel has" {
	iommufd
	[ -z "$iommufd_reason" ]
	eval "$("$RUNNERS/build.sh" --kernel-env "$KERNEL_ENV" --iommufd)"
	[ -z "$build_no_iommufd" ]
	[[ $("$RUNNERS/enter.sh" modinfo -F vermagic "$build_iommufd") == "$kernel_version "* ]]
	for file in "$iommufd_source"/*.[ch] "${iommufd_source%/drivers/*}/lib/interval_tree.c"; do
		cmp "$file" "${build_iommufd%/*}/${file##*/}"
	done
	[[ $("$RUNNERS/enter.sh" nm "$build_iommufd") != *__ksymtab_interval_tree* ]]
}

@test "where vfio-pci exports nothing, or iommufd is there, none is built" {
	mkdir "$FOLDER/headers"
	echo "0x0	vfio_pci_core_enable	drivers/vfio/pci/vfio-pci-core	EXPORT_SYMBOL_GPL	" > "$FOLDER/headers/Module.symvers"
	change headers "$FOLDER/headers"
	iommufd
	[ -z "$iommufd_source" ]
	[[ $iommufd_reason == "vfio-pci of kernel $kernel_version has no dma-bufs for it"* ]]
	echo CONFIG_IOMMUFD=y > "$FOLDER/config"
	change config "$FOLDER/config"
	iommufd
	[ -z "$iommufd_source$iommufd_reason" ]
}
