# traceshim: build, check, measure, install.
#
#   make                 build/libtraceshim.so and build/traceshim-guard
#   make demo            a small simulator natively and under the shim (installs what it needs)
#   make check           all tests (installs what they need)
#   make fuzz SECONDS=n  the differential fuzzer, with other seeds than make check
#   make bench           the full measurement; bench-counts: only the counts of system calls
#   make lint, format    shellcheck and the layout of the sources
#   make install         into PREFIX (default /usr/local), below DESTDIR
#
# CC=clang, BUILD=dir, CFLAGS, WERROR=1 and SANITIZE=address,undefined (unit tests) are understood.

VERSION  := 0.1.0
BUILD    ?= build
PREFIX   ?= /usr/local
DESTDIR  ?=
CC       ?= cc
CXX      ?= c++
CFLAGS   ?= -O2 -g
CXXFLAGS ?= -O2 -g
AR       ?= ar
JOBS     ?= $(shell nproc 2>/dev/null || echo 2)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:

# ---- is this a machine it can be built on -------------------------------------------------------
# Only goals that compile ask. demo, check and bench first install what is missing, then come back
# here through a second make.

H := \#
COMPILING := all tests fuzz bench-programs install $(BUILD)/%
ifneq ($(filter $(COMPILING),$(or $(MAKECMDGOALS),all)),)
probe := $(shell printf '%s\n' '$(H)include <features.h>' '$(H)if !defined __GLIBC__' 'no glibc' \
	'$(H)elif __GLIBC__ == 2 && __GLIBC_MINOR__ < 31' 'old glibc' \
	'$(H)elif !(defined __x86_64__ && defined __LP64__) && !(defined __aarch64__ && defined __LP64__)' 'other machine' \
	'$(H)else' 'good' '$(H)endif' | $(CC) -E -P -xc - 2>/dev/null || echo no compiler)
ifneq ($(strip $(probe)),good)
ifeq ($(strip $(probe)),no compiler)
$(error No working C compiler ($(CC)) with libc's headers. Try: scripts/deps build)
endif
$(error traceshim supports x86-64 and aarch64 Linux with glibc 2.31 or later; this is: $(strip $(probe)))
endif
ifneq ($(shell printf '$(H)include <uthash.h>\n' | $(CC) $(CPPFLAGS) -E -xc - >/dev/null 2>&1 || echo missing),)
$(error uthash.h is missing. Run: scripts/deps build)
endif
endif

# ---- flags --------------------------------------------------------------------------------------

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes $(if $(WERROR),-Werror)
SAN  := $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)

# initial-exec: a wrapper may run where the lazy allocation of a TLS block (malloc) is forbidden.
# No fortification: the *_chk functions are names that we define.
# -z now: no lazy binding inside a wrapper, which may run in a signal handler.
SHIM_CFLAGS := -std=gnu11 -D_GNU_SOURCE -DTRACESHIM_VERSION='"$(VERSION)"' -U_FORTIFY_SOURCE \
	-fPIC -fvisibility=hidden -ftls-model=initial-exec $(WARN) $(SAN) -Ishim -I$(BUILD)/gen
SHIM_LDFLAGS := -shared -Wl,-soname,libtraceshim.so -Wl,-Bsymbolic-functions -Wl,--version-script=$(BUILD)/gen/exports.map \
	-Wl,-z,defs -Wl,-z,relro -Wl,-z,now -Wl,--as-needed

# ---- the library and the guard ------------------------------------------------------------------
# Objects that define interposed names go into the library only. The others also make an archive, from
# which the guard and the unit tests take what they use.

GUARD_SRC     := $(wildcard shim/guard/*.c)
SHIM_SRC      := $(filter-out $(GUARD_SRC),$(wildcard shim/*.c shim/*/*.c))
INTERPOSE_SRC := $(wildcard shim/interpose/*.c)
ASSEMBLY_SRC  := $(wildcard shim/interpose/*.S)
PARTS_SRC     := $(filter-out $(INTERPOSE_SRC),$(SHIM_SRC))

obj = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

LIB   := $(BUILD)/libtraceshim.so
GUARD := $(BUILD)/traceshim-guard
PARTS := $(BUILD)/parts.a
GEN   := $(BUILD)/gen/presets.h

.PHONY: all
all: $(LIB) $(GUARD)

$(LIB): $(call obj,$(SHIM_SRC)) $(ASSEMBLY_SRC:%.S=$(BUILD)/obj/%.o) $(BUILD)/gen/exports.map
	$(CC) $(CFLAGS) $(SAN) $(SHIM_LDFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) -ldl

$(GUARD): $(call obj,$(GUARD_SRC)) $(PARTS)
	$(CC) $(CFLAGS) $(SAN) $(LDFLAGS) -Wl,-z,relro -Wl,-z,now -Wl,--as-needed -o $@ $^ -ldl

$(PARTS): $(call obj,$(PARTS_SRC))
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(GEN)
	@mkdir -p $(@D)
	$(CC) $(SHIM_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/obj/%.o: %.S $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Ishim -MMD -MP -c -o $@ $<

$(BUILD)/gen/presets.h: scripts/gen-presets shim/presets.txt
	@mkdir -p $(@D)
	scripts/gen-presets shim/presets.txt >$@

$(BUILD)/gen/exports.map: scripts/gen-exports shim/names.h
	@mkdir -p $(@D)
	CC='$(CC)' scripts/gen-exports shim/names.h >$@

# Rebuilds everything when the compiler or a flag is another than last time.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(subst ','\'',$(SHIM_CFLAGS)) $(CPPFLAGS) $(CFLAGS) $(CXX) $(CXXFLAGS)' \
		| cmp -s - $@ || printf '%s\n' '$(CC) $(subst ','\'',$(SHIM_CFLAGS)) $(CPPFLAGS) $(CFLAGS) $(CXX) $(CXXFLAGS)' >$@
.PHONY: FORCE
FORCE:

# ---- tests --------------------------------------------------------------------------------------
# tests/unit/NAME.c is a Check program, linked with the parts. Any other tests/DIR/NAME.c or NAME.cc
# is a program of its own, which a suite runs natively and under the shim; NAME.so.c is a shared object.
# The suites of tests/shapes, tests/reasons, tests/pitfalls and tests/slowfs compile their programs themselves.

UNIT_SRC  := $(wildcard tests/unit/*.c)
OWN       := tests/unit/% tests/shapes/% tests/reasons/% tests/pitfalls/% tests/slowfs/%
TEST_SO   := $(filter-out $(OWN),$(wildcard tests/*/*.so.c))
TEST_C    := $(filter-out $(OWN) $(TEST_SO),$(wildcard tests/*/*.c))
TEST_CXX  := $(filter-out $(OWN),$(wildcard tests/*/*.cc))

UNIT      := $(patsubst %.c,$(BUILD)/%,$(UNIT_SRC))
TEST_BIN  := $(patsubst %.c,$(BUILD)/%,$(TEST_C)) $(patsubst %.cc,$(BUILD)/%,$(TEST_CXX)) \
	$(patsubst %.so.c,$(BUILD)/%.so,$(TEST_SO))

.PHONY: tests unit
tests: all unit $(TEST_BIN)
unit: $(UNIT)

$(UNIT): $(BUILD)/tests/unit/%: tests/unit/%.c $(PARTS) $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(SHIM_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MF $@.d -o $@ $< $(PARTS) \
		$$(pkg-config --cflags --libs check) -ldl

$(BUILD)/tests/%.so: tests/%.so.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CPPFLAGS) $(CFLAGS) -fPIC -shared -MMD -MP -MF $@.d -o $@ $< -ldl

$(BUILD)/tests/%: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MF $@.d -o $@ $< -pthread -ldl -lrt

$(BUILD)/tests/%: tests/%.cc $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) -Wall -Wextra $(if $(WERROR),-Werror) $(CPPFLAGS) $(CXXFLAGS) -MMD -MP -MF $@.d -o $@ $< -pthread -ldl

.PHONY: check demo
check:
	@scripts/deps check
	@$(MAKE) --no-print-directory -j$(JOBS) -s tests
	@BUILD='$(abspath $(BUILD))' scripts/run-checks

SECONDS ?= 60
.PHONY: fuzz
fuzz: all $(BUILD)/tests/fuzz/fuzz
	@BUILD='$(abspath $(BUILD))' tests/fuzz/suite --seconds $(SECONDS) $(FIRST)

demo:
	@scripts/deps demo
	@$(MAKE) --no-print-directory -j$(JOBS) -s all $(BUILD)/bench/simulator
	@BUILD='$(abspath $(BUILD))' scripts/demo

# ---- measurements -------------------------------------------------------------------------------

BENCH := $(addprefix $(BUILD)/bench/,simulator lte micro unflushed.so)

.PHONY: bench bench-counts bench-programs
bench-programs: $(BENCH)

bench:
	@scripts/deps bench
	@$(MAKE) --no-print-directory -j$(JOBS) -s all bench-programs
	@BUILD='$(abspath $(BUILD))' bench/run

bench-counts:
	@scripts/deps counts
	@$(MAKE) --no-print-directory -j$(JOBS) -s all bench-programs
	@BUILD='$(abspath $(BUILD))' bench/counts

$(BUILD)/bench/simulator: bench/simulator.cc $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -Wall -Wextra $(CXXFLAGS) -o $@ $<

# Debian's ns-3 has its headers and libraries where the compiler looks; its pkg-config files are broken.
NS3 := -lns3-lte -lns3-applications -lns3-point-to-point -lns3-internet -lns3-mobility -lns3-network -lns3-core
$(BUILD)/bench/lte: bench/lte.cc $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O2 -Wall -o $@ $< $(NS3)

$(BUILD)/bench/unflushed.so: bench/unflushed.cc $(BUILD)/flags
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O2 -Wall -fPIC -shared -o $@ $<

$(BUILD)/bench/micro: bench/micro.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O2 $(WARN) -o $@ $<

# ---- install ------------------------------------------------------------------------------------

D := $(DESTDIR)$(PREFIX)

.PHONY: install uninstall
install: all
	install -d '$D/bin' '$D/lib/traceshim' '$D/libexec/traceshim' '$D/share/man/man1' '$D/share/man/man7'
	install -m 755 scripts/traceshim '$D/bin/traceshim'
	install -m 755 $(LIB) '$D/lib/traceshim/libtraceshim.so'
	install -m 755 $(GUARD) '$D/libexec/traceshim/traceshim-guard'
	install -m 644 scripts/traceshim.1 '$D/share/man/man1/traceshim.1'
	install -m 644 shim/libtraceshim.7 '$D/share/man/man7/libtraceshim.7'

uninstall:
	rm -f '$D/bin/traceshim' '$D/lib/traceshim/libtraceshim.so' '$D/libexec/traceshim/traceshim-guard' \
		'$D/share/man/man1/traceshim.1' '$D/share/man/man7/libtraceshim.7'
	-rmdir '$D/lib/traceshim' '$D/libexec/traceshim' 2>/dev/null

# ---- housekeeping -------------------------------------------------------------------------------

.PHONY: clean format lint
clean:
	rm -rf '$(BUILD)'

FORMATTED := $(wildcard shim/*.[ch] shim/*/*.[ch] tests/*/*.[ch] tests/*/*.cc bench/*.c bench/*.cc)
format:
	clang-format -i $(FORMATTED)

lint: shellcheck
	clang-format --dry-run -Werror $(FORMATTED)

.PHONY: shellcheck
shellcheck:
	shellcheck $$(grep -lE '^#!.*[/ ](ba|da)?sh' .ci/run scripts/* bench/* tests/*/suite 2>/dev/null)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
