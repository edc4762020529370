# SPDX-License-Identifier: GPL-2.0-only
#
# What people type is listed by "make help". The programs and modules are built in O, by default
# build/ here with the machine's own compiler, for "dmabuf-cts run". The VM runner calls the same
# rules inside the build root with an O in the cache.

O	?= build
KDIR	?= /lib/modules/$(shell uname -r)/build
# 1 compiles the mutants into the peers; modules for a machine that is no VM are built without.
PEER_FAULTS ?= 0
# Where selftests/kselftest_harness.h is; KSRC=TREE takes that of a kernel tree.
HARNESS	?= $(shell runners/kernels.sh harness || echo /nonexistent)

CFLAGS	 ?= -O2 -g
WARNINGS := -Wall -Wextra -Werror
INCLUDES := -Ilib -isystem $(O)/harness $(shell pkg-config --cflags libdrm 2> /dev/null || echo -I/usr/include/libdrm)
COMPILE	  = $(CC) -std=gnu11 -D_GNU_SOURCE $(CFLAGS) $(WARNINGS) $(INCLUDES) -MMD -MP
# Older C libraries have dlopen() in a library of its own.
LIBS	 := -ljansson -ldl
# Each case is forked off: what is looked up when it is first called, all would look up anew.
LDFLAGS	 += -Wl,-z,now

# One object for each source, at the same place below O.
objects	= $(patsubst %.c,$(O)/obj/%.o,$(wildcard $(1)))

LIBRARY	 := $(O)/libcts.a
LIBSRC	 := $(wildcard lib/*/*.c)
MAINS	 := $(filter %_main.c,$(LIBSRC))
STREAM	 := $(call objects,runners/stream/*.c)
TESTS	 := $(patsubst tests/%.c,$(O)/bin/%,$(wildcard tests/*.c))
# lib/*/NAME_main.c is the program cts-NAME, and no part of the library.
MAINS	 := $(wildcard lib/*/*_main.c)
# The monitor's programs are compiled for the kernel, by clang; a library loads them.
CLANG	 ?= clang
# Clang does not tell.
MULTIARCH := $(shell $(CC) -print-multiarch 2> /dev/null || echo $$(uname -m)-linux-gnu)
MONITOR_LACKS := $(strip $(if $(shell command -v $(CLANG)),,clang) \
	$(if $(shell echo '\#include <bpf/libbpf.h>' | $(CC) -E -x c - > /dev/null 2>&1 && echo yes),,libbpf-dev))
MONITOR	 := $(O)/libcts-monitor.a
MONITOR_OBJECTS := $(filter-out %_main.o $(if $(MONITOR_LACKS),%/probes.o %/hook.o),$(call objects,lib/monitor/*.c))
MAINS	 := $(filter-out $(if $(MONITOR_LACKS),lib/monitor/%),$(MAINS))
TOOLS	 := $(patsubst %_main.c,$(O)/bin/cts-%,$(notdir $(MAINS)))
LIBRARY_OBJECTS := $(filter-out %_main.o $(O)/obj/lib/monitor/%,$(call objects,lib/*/*.c))
RUNNERS	 := $(foreach name,agent bundle igt matrix merge nic others report watchdog,$(if $(wildcard runners/$(name)/main.c),$(O)/bin/cts-$(name)))
NIC	 := $(O)/libcts-nic.a
NIC_OBJECTS := $(filter-out %/main.o,$(call objects,runners/nic/*.c runners/stream/command_line.c))
UNITS	 := $(patsubst tests/meta/unit/%.c,$(O)/unit/%,$(wildcard tests/meta/unit/*.c))
NIC_COMMON := $(O)/libcts-nic-common.a
NIC_UNITS := $(patsubst tests/meta/nic/%.c,$(O)/unit/nic-%,$(wildcard tests/meta/nic/*.c))
FUZZERS	 := $(patsubst tests/meta/nic/fuzz/%.c,$(O)/fuzz/%,$(wildcard tests/meta/nic/fuzz/*.c)) $(O)/fuzz/report
PRELOAD	 := $(O)/bin/cts-preload.so
PRELOAD_OBJECTS := $(call objects,runners/guest/preload/*.c)
PROGRAMS := $(TESTS) $(TOOLS) $(RUNNERS) $(PRELOAD)

# To read what test programs declare.
$(TOOLS) $(UNITS): LIBS += -Wl,--as-needed -lelf

.PHONY: all programs modules efa iommufd igt units nic-units fuzzers demo check check-debug mutants mutants-full bugs coverage bench repeat storm kselftest-install clean distclean help
.DELETE_ON_ERROR:
.SECONDARY:

all: programs $(if $(wildcard $(KDIR)/Makefile),modules)

help:
	@sed -n 's/^#@ //p' Makefile

#@ make            build the programs, and the peer modules for the running kernel if its headers are there
#@ make demo       set up all that is needed, run the suite in a VM on the newest distribution kernel
#@ make check      all tests of the project itself
#@ make check-debug    the suite on a kernel with lockdep, KASAN and more, which is built first
#@ make mutants    switch on one fault after another and see that each is caught
#@ make mutants-full    all of them on all pairs, some again and again: by clause, what caught each (hours)
#@ make bugs       boot kernels with and without public bugs, and see that the suite tells them apart
#@ make coverage   list which checks of the contract have tests and mutants, and why others have none
#@ make bench      measure how long set-up, boot and the suite take
#@ make repeat     run the suite ten times on each kernel and see that all runs agree
#@ make storm      run races under the monitor for 20 minutes, or MINUTES=N
#@ make kselftest-install KSRC=TREE    put the suite into a kernel tree, as one of its selftests
#@ make igt        make a folder of tests for igt_runner, build/igt
#@ make clean      remove what was built here
#@ make distclean  remove the cache too: build roots, kernels, everything fetched
#@ Variables: O (build folder), CC, KDIR (kernel headers), KSRC (kernel tree for the test harness),
#@ CLANG (compiles the monitor's BPF programs; without it, or libbpf-dev, there is no cts-monitor)
#@ DMABUF_CTS_CACHE (what is made once and kept; default ~/.cache/dmabuf-cts)

programs: $(PROGRAMS) $(if $(MONITOR_LACKS),without-monitor)

.PHONY: without-monitor
without-monitor:
	@echo "  SKIP  cts-monitor: no $(MONITOR_LACKS) here (Debian: apt-get install $(MONITOR_LACKS))"

igt: programs
	@$(O)/bin/cts-igt --install $(O)/igt

# What only a kernel tree links (see runners/kselftest.sh) is compiled here.
KSELFTEST := $(call objects,tests/kselftest/*.c tests/kselftest/bare/*.c)
$(KSELFTEST): private INCLUDES += -Itests/kselftest
$(KSELFTEST): | $(O)/harness/kselftest_harness.h

units: $(UNITS) $(NIC_UNITS) $(foreach name,garbage bandwidth loopback overhead cts-all,$(O)/meta/$(name)) $(KSELFTEST)

# With clang and -fsanitize=fuzzer-no-link among the CFLAGS; tests/meta/fuzz.sh does it.
nic-units: $(NIC_UNITS)
fuzzers: $(FUZZERS)

demo:
	./dmabuf-cts vm

check:
	tests/meta/check.sh

check-debug:
	CTS_CHECK=debug CTS_CHECK_DEBUG=yes tests/meta/check.sh

mutants:
	./dmabuf-cts mutants

mutants-full:
	tests/meta/mutants_full.sh

bugs:
	tests/meta/bugs.sh

coverage:
	./dmabuf-cts coverage

bench:
	tests/meta/bench.sh

repeat:
	tests/meta/repeat.sh

storm:
	tests/meta/storm.sh $(MINUTES)

kselftest-install:
	@runners/kselftest.sh "$$KSRC"

clean:
	rm -rf build

distclean: clean
	runners/setup.sh --remove

# Objects depend on the commands that make them: another compiler or harness builds anew.
$(O)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(COMPILE) $(HARNESS) $(shell $(CC) --version | head -n 1)' > $@.new
	@cmp -s $@.new $@ || cp $@.new $@

.PHONY: FORCE
FORCE:

# A source that has gone since the last build is still named by what it was built into then.
%.c: ;
# Nor is such a file of dependencies itself made of anything.
%.d: ;

# The harness under a path that does not change, so that nothing is searched for to build nothing.
$(O)/harness/kselftest_harness.h: $(O)/flags
	@mkdir -p $(@D)
	@cp $(HARNESS)/selftests/kselftest.h $(HARNESS)/selftests/kselftest_harness.h $(@D)/ || { \
		echo "cannot find the kselftest harness; give KSRC=TREE, a kernel source of 6.12 or newer" >&2; \
		exit 1; }

# Runners see nothing of the library. (Private: what they are made of, $(O)/flags among it, would have it else.)
$(O)/obj/runners/%.o: private INCLUDES := -Irunners
$(O)/obj/tests/meta/nic/%.o: private INCLUDES := -Irunners -Itests/meta/nic -isystem $(O)/harness

$(O)/obj/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	@echo "  CC    $<"
	@$(COMPILE) -c -o $@ $<

$(call objects,tests/*.c) $(call objects,lib/*/*.c) $(call objects,tests/meta/unit/*.c tests/meta/nic/*.c): | $(O)/harness/kselftest_harness.h

$(LIBRARY): $(LIBRARY_OBJECTS)
$(MONITOR): $(MONITOR_OBJECTS)
$(NIC): $(NIC_OBJECTS)
$(NIC_COMMON): $(call objects,tests/meta/nic/common/*.c)
$(LIBRARY) $(MONITOR) $(NIC) $(NIC_COMMON):
	@echo "  AR    $@"
	@rm -f $@
	@$(AR) rcs $@ $^

define link
	@mkdir -p $(@D)
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(LIBS)
endef

$(O)/bin/%: $(O)/obj/tests/%.o $(LIBRARY)
	$(link)

# All programs of tests in one: each has a list of fixtures that the harness makes no secret of.
$(O)/obj/tests/%.o: private CFLAGS += -D_fixture_global=fixtures_of_$(basename $(@F))
$(O)/bin/cts-all: $(call objects,tests/*.c)
$(O)/bin/cts-all $(O)/meta/cts-all: LDFLAGS += -Wl,--wrap=mmap,--wrap=fork,--wrap=exit,--wrap=_exit
$(O)/unit/spare_fork: LDFLAGS += -Wl,--wrap=fork,--wrap=_exit
$(O)/unit/harness_exit: LDFLAGS += -Wl,--wrap=exit
$(O)/unit/pair_process: LDFLAGS += -Wl,--wrap=fork,--wrap=exit,--wrap=_exit

$(foreach main,$(MAINS),$(eval $(patsubst %_main.c,$(O)/bin/cts-%,$(notdir $(main))): $(O)/obj/$(main:.c=.o) $(LIBRARY)))
$(TOOLS):
	$(link)

# The monitor carries its BPF programs within itself, and is no part of what tests link.
MONITOR_PROGRAMS := $(O)/monitor.bpf.o $(O)/sessions.bpf.o $(O)/kprobes.bpf.o
BPF_ARCH := $(subst aarch64,arm64,$(subst x86_64,x86,$(shell uname -m)))
$(O)/sessions.bpf.o: BPF_FLAGS := -DMONITOR_SESSIONS
$(O)/kprobes.bpf.o: BPF_FLAGS := -DMONITOR_KPROBES
$(MONITOR_PROGRAMS): lib/monitor/bpf/monitor.bpf.c $(wildcard lib/monitor/bpf/*.h lib/monitor/*.h lib/monitor/*.def) $(O)/flags
	@mkdir -p $(@D)
	@echo "  BPF   $(@F)"
	@$(CLANG) -target bpf -mcpu=v3 -O2 -g $(WARNINGS) -Wno-unused-parameter -D__TARGET_ARCH_$(BPF_ARCH) $(BPF_FLAGS) \
		-Ilib $(if $(MULTIARCH),-idirafter /usr/include/$(MULTIARCH)) -c -o $@ $<

$(O)/obj/lib/monitor/hook.o: $(MONITOR_PROGRAMS)
$(O)/obj/lib/monitor/hook.o: CFLAGS += -DBPF_FOLDER='"$(O)"'
$(O)/bin/cts-monitor $(O)/unit/monitor: $(MONITOR)
$(O)/bin/cts-monitor $(O)/unit/monitor: LIBS := $(MONITOR) $(LIBRARY) $(LIBS) -Wl,--as-needed -lelf
$(O)/bin/cts-monitor: LIBS += -lbpf

# The runners must survive anything a test does, and share no code with tests.
$(O)/bin/cts-agent: $(call objects,runners/agent/*.c) $(STREAM)
	$(link)

$(O)/bin/cts-igt: $(call objects,runners/igt/*.c) $(STREAM)
	$(link)

$(O)/bin/cts-others: $(call objects,runners/others/*.c) $(STREAM)
	$(link)

$(O)/bin/cts-nic: $(O)/obj/runners/nic/main.o $(NIC)
	$(link)

$(O)/bin/cts-report: $(call objects,runners/report/*.c) $(STREAM)
	$(link)

$(O)/bin/cts-bundle: $(call objects,runners/bundle/*.c runners/conform/*.c $(addprefix runners/report/,memory.c outfile.c verdict.c)) $(STREAM)
	$(link)

$(O)/bin/cts-matrix: $(call objects,runners/matrix/*.c runners/conform/*.c $(addprefix runners/report/,memory.c outfile.c verdict.c)) $(STREAM)
	$(link)

$(O)/bin/cts-merge: $(call objects,runners/merge/*.c) $(STREAM)
	$(link)

# What runs QEMU takes it along; not executable, since it is no program for the guest.
$(PRELOAD_OBJECTS): CFLAGS += -fPIC
$(PRELOAD): $(PRELOAD_OBJECTS)
	@mkdir -p $(@D)
	@echo "  LINK  $@"
	@$(CC) $(CFLAGS) -shared $(LDFLAGS) -o $@ $(filter %.o,$^)
	@chmod 644 $@

$(O)/bin/cts-watchdog: $(call objects,runners/watchdog/*.c runners/stream/command_line.c)
	$(link)

# Of the runners.
$(O)/obj/tests/meta/unit/plan.o: private INCLUDES := -Irunners -isystem $(O)/harness
$(O)/unit/plan: $(O)/obj/tests/meta/unit/plan.o $(STREAM)
	$(link)

$(O)/unit/%: $(O)/obj/tests/meta/unit/%.o $(LIBRARY)
	$(link)

# Tests of the device take the real one, and a stand-in for the function before it.
NIC_DRIVER := $(foreach name,driver fake_function,$(O)/obj/tests/meta/nic/common/$(name).o)
$(foreach name,admin event message objects rdma region,$(O)/unit/nic-$(name)): \
$(O)/unit/nic-%: $(O)/obj/tests/meta/nic/%.o $(NIC_DRIVER) $(NIC)
	$(link)

# What a test takes of its stand-ins comes first, and is not taken of the NIC again.
$(O)/unit/nic-%: $(O)/obj/tests/meta/nic/%.o $(NIC_COMMON) $(NIC)
	$(link)

# The results of programs and agents that say anything at all.
$(O)/obj/tests/meta/fuzz/%.o: private INCLUDES := -Irunners
$(O)/fuzz/report: LDFLAGS += -fsanitize=fuzzer
$(O)/fuzz/report: LIBS := -ljansson
$(O)/fuzz/report: $(O)/obj/tests/meta/fuzz/report.o $(filter-out %/main.o,$(call objects,runners/report/*.c)) $(STREAM)
	$(link)

# Here it is the NIC's own that come first.
$(filter-out %/report,$(FUZZERS)): LDFLAGS += -fsanitize=fuzzer -Wl,--start-group
$(filter-out %/report,$(FUZZERS)): LIBS := -Wl,--end-group
FUZZ_COMMON := $(O)/obj/tests/meta/nic/common/fuzz.o
$(O)/fuzz/device: $(O)/obj/tests/meta/nic/fuzz/device.o $(FUZZ_COMMON) $(NIC_DRIVER) $(NIC)
	$(link)

$(O)/fuzz/%: $(O)/obj/tests/meta/nic/fuzz/%.o $(FUZZ_COMMON) $(NIC) $(NIC_COMMON)
	$(link)

# What "make check" throws at the peer modules, in a guest.
$(O)/meta/garbage: LDFLAGS += -pthread
$(O)/meta/garbage: $(call objects,tests/meta/kmod/*.c)
	$(link)

# What "make check" lets software RDMA do in a guest.
$(O)/meta/loopback: $(call objects,tests/meta/loopback/*.c) $(LIBRARY)
	$(link)

# What "make bench" runs in a guest.
$(O)/meta/bandwidth: $(call objects,tests/meta/bandwidth/*.c) $(LIBRARY)
	$(link)

$(O)/meta/overhead: $(call objects,tests/meta/overhead/*.c) $(LIBRARY)
	$(link)

# It runs what stands in for programs when the runners are tested: there are none in it.
$(O)/meta/cts-all: $(O)/obj/lib/pair/all_main.o $(LIBRARY)
	$(link)

-include $(shell find $(O)/obj -name '*.d' 2> /dev/null)

# The peer modules are built in a copy, since kernels before 6.13 write beside the sources.
KMOD	:= lib/peer/kmod
# What "uname -r" says: kernel.release has the upstream version alone on some distribution kernels.
UTS	 = $(KDIR)/include/generated/utsrelease.h
RELEASE	 = $(or $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' $(UTS) 2> /dev/null),$(notdir $(KDIR)))
MODULES	 = $(O)/modules/$(RELEASE)

# kbuild would take our O, and our CC, for its own.
MAKEOVERRIDES :=

modules: $(MODULES)/built

# Two kernels of one release need not be the same: modules of another tree are built anew.
$(MODULES)/tree: FORCE
	@mkdir -p $(@D)
	@echo '$(KDIR) $(KCC) $(PEER_FAULTS) $(KFLAGS)' | cmp -s - $@ || { \
		rm -rf $(@D) && mkdir -p $(@D) && \
		echo '$(KDIR) $(KCC) $(PEER_FAULTS) $(KFLAGS)' > $@; }

# They wait for the goal AFTER, where both are to be built and the reader shall see who failed.
AFTER	:=
$(MODULES)/built: $(shell find $(KMOD) -type f 2> /dev/null) $(MODULES)/tree $(wildcard \
		$(addprefix $(KDIR)/,Makefile Module.symvers include/generated/autoconf.h)) | $(AFTER)
	@cp -Rp $(KMOD)/. $(@D)/
	@echo "  KMOD  for $(RELEASE)"
	@$(MAKE) -s --no-print-directory -C $(KDIR) M=$(abspath $(@D)) \
		$(if $(KCC),CC=$(KCC)) PEER_FAULTS=$(PEER_FAULTS) $(KFLAGS) modules
	@touch $@

# Drivers that kernels may come without: the kernel's own, from NAME_SOURCE. kbuild is shown a copy, and
# no more than that is changed. What does not build leaves no NAME.ko, and fails unless MAY_FAIL is "-".
# $(1): name, $(2): folder, $(3): source, $(4): option, $(5): other files.
MAY_FAIL	:=
define left_out
$(1): $(2)/$(1).ko

$(2)/tree: FORCE
	@mkdir -p $$(@D)
	@echo '$$(KDIR) $$(KCC) $(3)' | cmp -s - $$@ || { \
		rm -rf $$(@D) && mkdir -p $$(@D) && echo '$$(KDIR) $$(KCC) $(3)' > $$@; }

$(2)/$(1).ko: $(wildcard $(3)/*.[ch] $(3)/Makefile $(5)) $(2)/tree $(wildcard \
		$(addprefix $(KDIR)/,Makefile Module.symvers include/generated/autoconf.h))
	@rm -f $$@
	@echo "  KMOD  $(1) for $$(RELEASE)"
	$$(MAY_FAIL)@{ cp -p $(3)/*.[ch] $(3)/Makefile $(5) $$(@D)/ && \
		$$(MAKE) -s --no-print-directory -C $$(KDIR) M=$$(abspath $$(@D)) \
		$$(if $$(KCC),CC=$$(KCC)) $(4)=m $(1)_source=$(3) modules; } > $$(@D)/build.log 2>&1 && \
		touch $$@
endef

EFA_SOURCE ?=
EFA	 = $(O)/efa/$(RELEASE)
IOMMUFD_SOURCE ?=
IOMMUFD	 = $(O)/iommufd/$(RELEASE)
# The tree that the source is in.
IOMMUFD_TREE = $(IOMMUFD_SOURCE:/drivers/iommu/iommufd=)

$(eval $(call left_out,efa,$(EFA),$(EFA_SOURCE),CONFIG_INFINIBAND_EFA))
$(eval $(call left_out,iommufd,$(IOMMUFD),$(IOMMUFD_SOURCE),CONFIG_IOMMUFD,runners/kernels/iommufd/Kbuild $(IOMMUFD_TREE)/lib/interval_tree.c))
