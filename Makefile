# hawser - run `make help`
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/sh

VERSION := $(shell awk '/define HAWSER_VERSION_/{printf "%s%s", s, $$3; s="."}' include/hawser/base.h)
SOMAJOR := $(shell echo $(VERSION) | awk -F. '{print ($$1==0) ? $$1"."$$2 : $$1}')
PREFIX ?= /usr/local
BUILD  ?= build
MODE   ?= release
CC     := $(if $(filter default,$(origin CC)),cc,$(CC))
CXX    := $(if $(filter default,$(origin CXX)),c++,$(CXX))
PKGS   := gsl lapacke lapack libfyaml hdf5

packages := build-essential pkg-config libgsl-dev libsuitesparse-dev liblapacke-dev liblapack-dev \
            libfyaml-dev libhdf5-dev libcmocka-dev gnuplot-nox clang clang-format clang-tidy \
            cppcheck git python3-numpy python3-h5py python3-pycparser \
            libjs-three libjs-chart.js $(if $(filter true,$(CI)),python3-mypy libopenmpi-dev openmpi-bin cmake \
            doxygen pandoc python3-jsonschema python3-yaml chromium)

# ---- flags; pkg-config runs once, when the first recipe needs it: after `deps` on a new machine ----
pkg_cflags = $(eval pkg_cflags := $$(patsubst -I%,-isystem %,$$(shell pkg-config --cflags $$(PKGS))))$(pkg_cflags)
pkg_libs   = $(eval pkg_libs := $$(shell pkg-config --libs $$(PKGS)))$(pkg_libs)

# Rows of tables may leave out their last columns, which are zero then.
warn   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wvla -Wundef \
          -Wmissing-prototypes -Wdouble-promotion -Wwrite-strings -Wswitch-enum -Wno-missing-field-initializers
werror := $(if $(filter true,$(CI)),-Werror)
mode-release  := -O3 -g -DNDEBUG
mode-debug    := -O0 -g3
mode-asan     := -Og -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
mode-coverage := -O0 -g --coverage
mode-tsan     := -O1 -g -fsanitize=thread
mode-fuzz     := -O1 -g -DHAW_LIBFUZZER -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
# The same without the sanitizers, several times as fast: for the bulk of the executions.
mode-fuzz-fast := -O2 -g -DHAW_LIBFUZZER -fsanitize=fuzzer-no-link
CFLAGS  ?=
standard := -std=c17 -D_POSIX_C_SOURCE=200809L
include_dirs = -Iinclude -Isrc -Itests $(pkg_cflags) -isystem /usr/include/suitesparse
# Words of enums and INFINITY are narrower for clang than for gcc.
warn     += $(if $(findstring clang,$(CC)),-Wno-sign-conversion -Wno-double-promotion)
# What is tested is built as it is shipped; the tests themselves compile in two thirds of the time.
quick    = $(if $(filter release,$(MODE)),$(if $(filter tests/%,$<),-O1 -g1))
cflags   = $(standard) -fvisibility=hidden -fPIC -ffp-contract=off $(warn) $(werror) \
           $(mode-$(MODE)) $(quick) $(include_dirs) $(CFLAGS)
ldlibs   = $(pkg_libs) -lumfpack -lklu -lamd -lcholmod -lsuitesparseconfig -lm

# ---- products and sources; every mode has its own objects, release has its products on top ----
out      := $(BUILD)/$(MODE)
product  := $(if $(filter release,$(MODE)),$(BUILD),$(out))
program  := $(product)/hawser
library  := $(product)/libhawser.a
# Studies under mpirun, where Open MPI is installed: the only program that is linked with it.
mpi      := $(shell pkg-config --exists ompi-c 2>/dev/null && echo $(product)/hawser-mpi)
shared   := $(product)/libhawser.so
package  := $(product)/python/hawser/_abi.py

lib_src  := $(shell find src -name '*.c' ! -path 'src/cli/*' | sort)
cli_src  := $(sort $(wildcard src/cli/*.c))
unit_src := $(sort $(wildcard tests/unit/*/test_*.c))
test_src := $(unit_src) $(sort $(wildcard tests/laws/test_*.c tests/regress/test_*.c))
long_src := $(sort $(wildcard tests/long/test_*.c))
fuzz_src := $(sort $(wildcard tests/fuzz/fuzz_*.c))
help_src := $(sort $(wildcard tests/support/*.c))
bench_src := $(sort $(wildcard benchmarks/*.c benchmarks/perf/*.c))
compare_src := $(sort $(wildcard benchmarks/compare/*.c))
headers  := $(shell find include src tests -name '*.h' | sort)
sources  := $(shell find include src tests $(wildcard benchmarks) doc -name '*.[ch]' | sort)

lib_obj  := $(lib_src:%.c=$(out)/%.o) $(out)/examples.o
cli_obj  := $(cli_src:%.c=$(out)/%.o) $(out)/scenarios.o
help_obj := $(help_src:%.c=$(out)/%.o)
support  := $(out)/tests/support/libsupport.a
all_obj  := $(lib_src:%.c=$(out)/%.o) $(cli_src:%.c=$(out)/%.o) $(help_obj) $(test_src:%.c=$(out)/%.o) $(long_src:%.c=$(out)/%.o) \
            $(fuzz_src:%.c=$(out)/%.o) $(out)/tests/fuzz/damage.o $(bench_src:%.c=$(out)/%.o) $(compare_src:%.c=$(out)/%.o)
tests    := $(test_src:%.c=$(out)/%)
units    := $(unit_src:%.c=$(out)/%)
longs    := $(long_src:%.c=$(out)/%)
runs     := $(addprefix $(out)/,$(addsuffix run,$(sort $(dir $(test_src) $(long_src)))))
fuzzers  := $(fuzz_src:%.c=$(out)/%)
damage   := $(out)/tests/fuzz/damage
benches  := $(bench_src:%.c=$(out)/%)
compare  := $(out)/benchmarks/compare/compare

# Siconos numerics, for the comparison only: nothing that is installed ever links with it.
SICONOS ?= /usr/include/siconos
siconos := $(wildcard $(SICONOS)/numerics/NonSmoothDrivers.h)

# A make that was not told how parallel to be uses every core below.
jobs = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
sub  = $(MAKE) --no-print-directory -Otarget $(jobs)

# One line per file; V=1 shows whole commands.
say = $(if $(V),set -x;,printf "  %-4s %s\\n" $(1) $(2);)

all: $(library) $(shared) $(program) $(mpi) $(if $(filter release,$(MODE)),$(package)) ## build the libraries and the program
	@:

$(all_obj): $(out)/%.o: %.c
	@mkdir -p $(@D)
	@$(call say,CC,$<)$(CC) $(cflags) -MMD -MP -c $< -o $@

# Data within the library and the program.
$(out)/examples.c: data/examples.yaml
$(out)/scenarios.c: data/report.html $(wildcard data/scenarios/*.yaml data/templates/*.yaml)
$(out)/examples.c $(out)/scenarios.c: data/embed.sh
	@mkdir -p $(@D)
	@sh data/embed.sh $(basename $(@F)) >$@

$(out)/examples.o $(out)/scenarios.o: %.o: %.c
	@$(call say,CC,$<)$(CC) $(cflags) -c $< -o $@

$(library): $(lib_obj)
	@rm -f $@
	@$(call say,AR,$@)$(AR) rcsD $@ $(lib_obj)

$(shared): $(lib_obj)
	@$(call say,LD,$@)$(CC) $(cflags) -shared -Wl,-soname,libhawser.so.$(SOMAJOR) -Wl,-z,defs -o $@ $(lib_obj) $(LDFLAGS) $(ldlibs)

$(package): $(shared) $(wildcard src/python/*.* src/python/hawser/* include/hawser/*)
	@$(call say,PY,$(@D))sh src/python/build.sh "$(CC)" $(shared) libhawser.so.$(SOMAJOR) $(@D)

$(program): $(cli_obj) $(library)
	@$(call say,LD,$@)$(CC) $(cflags) -o $@ $(cli_obj) $(library) $(LDFLAGS) $(ldlibs)

# Its team stands before the library, which then gives none.
$(out)/src/study/team-mpi.o: src/study/team.c
	@mkdir -p $(@D)
	@$(call say,CC,$< for Open MPI)$(CC) $(cflags) -DHAWSER_MPI $$(pkg-config --cflags ompi-c | sed 's/-I/-isystem /g') -MMD -MP -c $< -o $@

$(mpi): $(cli_obj) $(out)/src/study/team-mpi.o $(library)
	@$(call say,LD,$@)$(CC) $(cflags) -o $@ $^ $(LDFLAGS) $(ldlibs) $$(pkg-config --libs ompi-c)

$(support): $(help_obj)
	@rm -f $@
	@$(call say,AR,$@)$(AR) rcsD $@ $(help_obj)

# The test files of a folder are one program; each file is a link to it by which it runs alone.
$(runs:%=%.c): $(out)/%/run.c: FORCE
	@mkdir -p $(@D)
	@sh tests/files.sh $(sort $(wildcard $*/test_*.c)) >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

.SECONDEXPANSION:
objects = $(patsubst %.c,$(out)/%.o,$(sort $(wildcard $(1)/test_*.c)))
$(runs): $(out)/%/run: $$(call objects,$$*) $(out)/%/run.c $(support) $(library)
	@$(call say,LD,$@)$(CC) $(cflags) -o $@ $(filter %.o %/run.c,$^) $(support) $(library) $(LDFLAGS) $(ldlibs) -lcmocka

$(tests) $(longs): $$(@D)/run
	@ln -sf run $@

$(benches) $(fuzzers) $(damage): %: %.o $(library)
	@$(call say,LD,$@)$(CC) $(cflags) -o $@ $< $(library) $(LDFLAGS) $(ldlibs)

$(compare_src:%.c=$(out)/%.o) $(compare_src:%=$(BUILD)/lint/%.tidy): \
  include_dirs += -isystem $(SICONOS) -isystem $(SICONOS)/numerics

$(compare): $(compare_src:%.c=$(out)/%.o) $(library)
	@$(call say,LD,$@)$(CC) $(cflags) -o $@ $(compare_src:%.c=$(out)/%.o) $(library) $(LDFLAGS) $(ldlibs) -lsiconos_numerics

# ---- the two commands of the README ----
deps: ## install what is missing of the Debian packages (with sudo when not root)
	@sh .ci/deps $(packages)

demo: deps ## install what is missing, build, run the disk impact; results in build/demo
	@+$(sub) all
	@sh .ci/demo $(program) $(BUILD)/demo

check: deps ## install what is missing, build, and run every check and test
	@+$(sub) all
	@+$(sub) check-headers check-layers check-symbols
	@+$(sub) lint
	@+$(sub) test
	@+$(sub) MODE=asan test-unit

# ---- checks ----
check-headers: $(headers:%=$(BUILD)/lint/%.header) ## every header compiles alone, public ones as C++ too

$(BUILD)/lint/%.h.header: %.h
	@mkdir -p $(@D)
	@echo '#include "$<"' | $(CC) $(cflags) -MM -MP -MT $@ -MF $(@:.header=.d) -I. -x c -
	@printf '#include "$<"\ntypedef int not_empty;\n' | $(CC) $(cflags) -Werror -I. -fsyntax-only -x c -
	@case $< in include/*) echo '#include "$<"' | \
	  $(CXX) -std=c++17 -Wall -Wextra -Werror -Iinclude -I. -fsyntax-only -x c++ - ;; esac
	@touch $@

check-layers: ## no file includes from a higher layer, or from another folder of its own rank
	@grep -nE '^[ \t]*#[ \t]*include' $(lib_src) $(cli_src) $(filter src/% include/%,$(headers)) /dev/null | \
	  awk -f tests/lint/layers.awk

check-symbols: $(shared) $(lib_obj) ## only haw_* leaves the library; it never prints or exits
	@sh tests/lint/symbols.sh $(shared) $(lib_obj)

lint: ## clang-format, clang-tidy, cppcheck, sizes, texts, README in step
	@+$(sub) lint-format lint-size lint-text lint-readme lint-cppcheck lint-tidy

lint-format:
	@mkdir -p $(BUILD)/lint
	@clang-format --dry-run -Werror $(sources) 2>$(BUILD)/lint/format.log || { \
	  awk -F: '/: error: /{n[$$1]++} END{for (f in n) print f ": " n[f] " places; run make format"}' $(BUILD)/lint/format.log; exit 1; }

lint-size:
	@awk -f tests/lint/size.awk $(sources)
	@sh tests/lint/lines.sh
	@sh tests/lint/worlds.sh

lint-text:
	@sh tests/lint/text.sh

lint-readme:
	@for i in doc/choosing.md doc/validation.md; do \
	    awk -f tests/lint/readme.awk data/validation.csv data/iterations.csv $$i | cmp -s - $$i || \
	    { echo "$$i: a table is not in step with data/*.csv; run make docs"; exit 1; }; done

# With a macro given cppcheck reads that one configuration, not each of compilers and of C++ beside it, which took four times as long.
lint-cppcheck:
	@mkdir -p $(BUILD)/lint/cppcheck
	@cppcheck -j$$(nproc) --quiet --error-exitcode=1 --enable=warning,performance,portability --std=c11 -DHAWSER_MPI \
	  --inline-suppr --cppcheck-build-dir=$(BUILD)/lint/cppcheck -Iinclude -Isrc src

tidy_src := $(lib_src) $(cli_src) $(bench_src) $(test_src) $(long_src) $(fuzz_src) tests/fuzz/damage.c $(help_src) $(wildcard doc/example/*.c) \
            $(if $(siconos),$(compare_src))
lint-tidy: $(tidy_src:%=$(BUILD)/lint/%.tidy)

# The assertions of cmocka are nested macros, which the size check counts, and clang's analyzer does not see
# that a failed one does not return.
comma := ,
tests_only = $(if $(filter tests/%,$<),--checks=-readability-function-size$(comma)-clang-analyzer-*)
# Clang's analyzer ends its search of a function after so many nodes: with a tenth of its own limit a file takes
# a fifth to a tenth of the time. tests/long/analyzer.sh goes to that limit.
NODES ?= 20000
depth = -Xclang -analyzer-config -Xclang max-nodes=$(NODES)

$(BUILD)/lint/%.c.tidy: %.c .clang-tidy
	@mkdir -p $(@D)
	@$(CC) $(standard) $(include_dirs) -MM -MP -MT $@ -MF $(@:.tidy=.d) $<
	@clang-tidy --quiet $(tests_only) $< -- $(standard) $(include_dirs) $(depth) 2>$@.log || { cat $@.log >&2; exit 1; }
	@touch $@

format: ## rewrite the sources in the house format
	clang-format -i $(sources)

# ---- tests ----
run_tests = HAWSER=$(abspath $(program)) CC="$(CC)" CXX="$(CXX)" MAKE="$(MAKE)" sh tests/run.sh $(out)/log

test: ## build and run the tests (MODE=asan|debug|coverage for other builds)
	@+$(sub) all test-build
	@$(run_tests) $(wildcard tests/cli/*.sh tests/install/*.sh) $(wildcard tests/lint/test_*.sh) $(fuzzers) $(tests)

test-unit: ## the unit tests only
	@+$(sub) unit-build
	@$(run_tests) $(units)

test-long: ## what takes longer than the tests may
	@+$(sub) all $(longs) $(damage)
	@$(run_tests) $(longs) $(wildcard tests/long/*.sh)

# Benchmarks are built only: they run for minutes, but are to compile.
test-build: $(tests) $(fuzzers) $(benches)
unit-build: $(units)

FUZZ ?= fuzz
fuzz: ## fuzz every reader for SECONDS each (3600) with clang's libFuzzer; TARGETS="scenario run ...", FUZZ=fuzz-fast
	@+$(sub) MODE=$(FUZZ) CC=clang LDFLAGS=-fsanitize=fuzzer werror= fuzz-build
	@sh tests/fuzz/fuzz.sh $(BUILD)/$(FUZZ) $(or $(SECONDS),3600) $(TARGETS)

fuzz-build: $(fuzzers)

golden: ## compare every shipped scenario with another revision, bit for bit (REV=HEAD)
	@sh tests/golden/golden.sh $(or $(REV),HEAD)

coverage: ## lines executed by the tests, per folder
	@find $(BUILD) -name '*.gcda' -delete 2>/dev/null || :
	@+$(sub) MODE=coverage test; status=$$?; \
	find $(BUILD)/coverage/src -name '*.gcda' | sort | xargs gcov -n 2>/dev/null | awk -f tests/lint/coverage.awk; exit $$status

bench: ## measure the times (minimum of 5 runs, beside a calibration kernel)
	@+$(sub) all $(benches)
	@mkdir -p $(BUILD)/bench
	@set -e; for b in $(benches); do $$b; done

bench-compare: ## compare the contact solvers with Siconos numerics, where that is installed
	$(if $(siconos),,@echo "bench-compare: skipped, Siconos numerics is not installed (libsiconos-numerics-dev)")
	$(if $(siconos),@+$(sub) all $(compare))
	$(if $(siconos),@OPENBLAS_NUM_THREADS=1 $(compare) $(COMPARE) data/fclib)

# ---- documents and installation ----
manual := $(BUILD)/doc/hawser.1 $(BUILD)/doc/hawser.bash $(BUILD)/doc/hawser.schema.json

docs: $(manual) ## man page, completion, schema and HTML into build/doc; tables of figures and keys in place
	@$(program) list --markdown >$(BUILD)/doc/made.md
	@cmp -s $(BUILD)/doc/made.md doc/keys.md || cp $(BUILD)/doc/made.md doc/keys.md
	@for i in doc/choosing.md doc/validation.md; do \
	    awk -f tests/lint/readme.awk data/validation.csv data/iterations.csv $$i >$(BUILD)/doc/made.md && \
	    { cmp -s $(BUILD)/doc/made.md $$i || cp $(BUILD)/doc/made.md $$i; }; done
	@sh doc/html.sh $(abspath $(BUILD)/doc/html)

$(manual): $(program)
	@mkdir -p $(@D)
	$(if $(filter %.1,$@),$(program) list --man,$(if $(filter %.bash,$@),$(program) list --completion,$(program) check --schema)) >$@

dest = $(DESTDIR)$(PREFIX)

# Where the Python of the package looks below PREFIX.
python_dir = $(DESTDIR)$(or $(PYTHONDIR),$(shell $$(sh src/python/find.sh) -c 'import sys; \
  v = "$(PREFIX)/lib/python%d.%d/dist-packages" % sys.version_info[:2]; \
  print(next((p for p in sys.path if p.startswith("$(PREFIX)/lib/") and p.endswith("-packages")), v))'))
install: all $(manual) ## install below DESTDIR/PREFIX
	install -d $(dest)/bin $(dest)/lib/pkgconfig $(dest)/lib/cmake/hawser $(dest)/include/hawser $(dest)/share/man/man1 \
	  $(dest)/share/bash-completion/completions $(dest)/share/hawser/scenarios $(dest)/share/hawser/templates \
	  $(dest)/share/hawser/schema
	install -m755 $(program) $(mpi) $(dest)/bin
	install -m644 include/hawser/*.h $(dest)/include/hawser/
	install -m644 $(library) $(dest)/lib/libhawser.a
	install -m755 $(shared) $(dest)/lib/libhawser.so.$(VERSION)
	ln -sf libhawser.so.$(VERSION) $(dest)/lib/libhawser.so.$(SOMAJOR)
	ln -sf libhawser.so.$(SOMAJOR) $(dest)/lib/libhawser.so
	printf '%s\n' 'prefix=$(PREFIX)' 'Name: hawser' \
	  'Description: nonsmooth contact dynamics of cables' 'Version: $(VERSION)' \
	  'Requires.private: $(PKGS)' 'Libs: -L$${prefix}/lib -lhawser' 'Libs.private: -lumfpack -lklu -lamd -lcholmod -lsuitesparseconfig -lm' \
	  'Cflags: -I$${prefix}/include' >$(dest)/lib/pkgconfig/hawser.pc
	for i in hawser-config hawser-config-version; do \
	  sed -e 's|@PKGS@|$(PKGS)|' -e 's|@VERSION@|$(VERSION)|' data/cmake/$$i.cmake.in >$(dest)/lib/cmake/hawser/$$i.cmake; done
	install -m644 $(BUILD)/doc/hawser.1 $(dest)/share/man/man1/hawser.1
	install -m644 $(BUILD)/doc/hawser.bash $(dest)/share/bash-completion/completions/hawser
	install -m644 $(BUILD)/doc/hawser.schema.json $(dest)/share/hawser/schema/
	install -m644 data/scenarios/*.yaml $(dest)/share/hawser/scenarios/
	install -m644 data/templates/*.yaml $(dest)/share/hawser/templates/
	if [ -f $(package) ]; then d=$(python_dir)/hawser; install -d $$d && install -m644 $(dir $(package))*.py $(dir $(package))py.typed $$d; fi
	if [ -z '$(DESTDIR)' ]; then PATH=$$PATH:/sbin ldconfig 2>/dev/null || :; fi # programs find the library in /usr/local/lib

uninstall: ## remove what install put there
	rm -f $(dest)/bin/hawser $(dest)/bin/hawser-mpi $(dest)/lib/libhawser.a $(dest)/lib/libhawser.so $(dest)/lib/libhawser.so.$(SOMAJOR) \
	  $(dest)/lib/libhawser.so.$(VERSION) $(dest)/lib/pkgconfig/hawser.pc $(dest)/share/man/man1/hawser.1 \
	  $(dest)/share/bash-completion/completions/hawser
	rm -rf $(dest)/include/hawser $(dest)/share/hawser $(dest)/lib/cmake/hawser $(python_dir)/hawser

clean: ## remove the build folder
	rm -rf $(BUILD)

help: ## show this list
	@echo 'Targets (MODE=release|debug|asan|coverage, PREFIX, DESTDIR, CC, CFLAGS, LDFLAGS):'
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  %-15s %s\n", $$1, $$2}' Makefile

-include $(shell find $(out) $(BUILD)/lint -name '*.d' 2>/dev/null)
.PHONY: all deps demo check check-headers check-layers check-symbols lint lint-format lint-size lint-text \
        lint-readme lint-cppcheck lint-tidy format test test-unit test-long test-build unit-build \
        fuzz fuzz-build golden coverage bench bench-compare docs install uninstall clean help FORCE
