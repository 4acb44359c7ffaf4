#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# gcc's static analyzer over the library and the program, and clang's to its full depth (`make lint` stops earlier). Its check of values
# that were not set does not follow loops that fill an array; clang's, and valgrind (memory.sh), do.
. "$(dirname "$0")/../cli/support/checks"
cd "$root" || exit 1
command -v gcc >/dev/null || { echo 'not run: there is no gcc here'; finish; }
flags=$(pkg-config --cflags gsl lapacke lapack libfyaml hdf5)
# What is never NULL: rows that tables always have, and memory whose arena has said that it is there.
never='src/bench/winding.c src/cli/args.c src/model/joint.c src/scenario/forms.c src/study/variant.c'
find src -name '*.c' | xargs -P "$(nproc)" -I{} sh -c "gcc -std=c17 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc $flags \
    -isystem /usr/include/suitesparse -O1 -fanalyzer -fanalyzer-verbosity=0 -Wno-analyzer-use-of-uninitialized-value \
    -c {} -o /dev/null 2>&1" | grep 'warning:\|error:' >"$work/found"
for file in $never; do grep -v "^$file:.*null-dereference" "$work/found" >"$work/less"; mv "$work/less" "$work/found"; done
check 'nothing is found' test ! -s "$work/found"
cat "$work/found"
check "clang's finds nothing" make -s -j"$(nproc)" BUILD="$work/lint" NODES=225000 lint-tidy
finish
