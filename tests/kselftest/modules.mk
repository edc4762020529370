# SPDX-License-Identifier: GPL-2.0-only
#
# For lib.mk, which asks for no target; kbuild reads the file Kbuild.
#
# KDIR is where the kernel was built that the peers are for, or the folder of its headers.

KDIR ?= /lib/modules/$(shell uname -r)/build

# What the makefiles above hand down about their own output is not meant for kbuild.
MAKEOVERRIDES := $(filter-out O=% KBUILD_OUTPUT=%,$(MAKEOVERRIDES))
KBUILD := env -u sub_make_done -u KBUILD_OUTPUT $(MAKE) -C $(KDIR) M=$(CURDIR)

.PHONY: modules clean
modules clean:
	$(Q)$(KBUILD) $@
