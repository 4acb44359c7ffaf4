# hawser - run `make help`
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/sh

VERSION := $(shell awk '/define HAWSER_VERSION_/{printf "%s%s", s, $$3; s="."}' include/hawser/base.h)
SOMAJOR := $(shell echo $(VERSION) | awk -F. '{print ($$1==0) ? $$1"."$$2 : $$1}')
PREFIX ?= /usr/local
BUILD  ?= build
MODE   ?= release
CC     ?= cc
PKGS   := gsl lapacke lapack libfyaml hdf5

warn   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wvla -Wundef \
          -Wmissing-prototypes -Wdouble-promotion -Wwrite-strings -Wswitch-enum
mode-release  := -O3 -g -DNDEBUG
mode-debug    := -O0 -g3
mode-asan     := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
mode-coverage := -O0 -g --coverage
CFLAGS  ?=
cflags   = -std=c17 -D_POSIX_C_SOURCE=200809L -fvisibility=hidden -fPIC -ffp-contract=off -MMD -MP \
           $(warn) $(mode-$(MODE)) -Iinclude -Isrc -Itests $(shell pkg-config --cflags $(PKGS)) \
           -I/usr/include/suitesparse $(CFLAGS)
ldlibs   = $(shell pkg-config --libs $(PKGS)) -lcholmod -lm
out     := $(BUILD)/$(MODE)

lib_src  := $(filter-out src/cli/%,$(shell find src -name '*.c' | sort))
cli_src  := $(sort $(wildcard src/cli/*.c))
test_src := $(sort $(wildcard tests/unit/test_*.c tests/laws/test_*.c tests/regress/test_*.c))
lib_obj  := $(lib_src:%.c=$(out)/%.o)
cli_obj  := $(cli_src:%.c=$(out)/%.o)
tests    := $(test_src:%.c=$(out)/%)

all: $(out)/libhawser.a $(out)/libhawser.so $(out)/hawser ## build the libraries and the program

$(out)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(cflags) -c $< -o $@

$(out)/libhawser.a: $(lib_obj)
	@rm -f $@
	$(AR) rcsD $@ $^

$(out)/libhawser.so: $(lib_obj)
	$(CC) $(cflags) -shared -Wl,-soname,libhawser.so.$(SOMAJOR) -Wl,-z,defs -o $@ $^ $(LDFLAGS) $(ldlibs)

$(out)/hawser: $(cli_obj) $(out)/libhawser.a
	$(CC) $(cflags) -o $@ $^ $(LDFLAGS) $(ldlibs)

$(out)/tests/%: $(out)/tests/%.o $(out)/libhawser.a
	$(CC) $(cflags) -o $@ $^ $(LDFLAGS) $(ldlibs) -lcmocka

test: $(tests) ## run the unit tests
	@for t in $^; do $$t || exit 1; done

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.PHONY: all test
