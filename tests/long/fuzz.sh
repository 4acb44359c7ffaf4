#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A minute of fuzzing, seven seconds for each target, from the seeds of tests/fuzz; and a thousand damaged copies of
# a results file and of a contact problem. tests/fuzz/hours.sh goes on for hours.
. "$(dirname "$0")/../cli/support/checks"
damage=$(dirname "$HAWSER")/release/tests/fuzz/damage
if command -v clang >/dev/null && echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' >t.c &&
    clang -fsanitize=fuzzer t.c -o t 2>/dev/null; then
    check 'nothing found in a minute' make -s -C "$root" fuzz FUZZ=fuzz-fast SECONDS=7
    # An input that takes longer than it may is a find.
    code=0
    (cd "$root" && HAW_FUZZ_SECONDS=1e-4 build/fuzz-fast/tests/fuzz/fuzz_results -artifact_prefix="$work/" \
        "$(ls -d tests/fuzz/results/* | head -n 1)") >"$out" 2>"$err" || code=$?
    check 'an input that is too slow ends the fuzzer' test "$code" -ne 0
    check 'and is said to be' grep -q 'more processor time than it may' "$err"
else
    echo "fuzz: not run, clang with libFuzzer is not installed"
fi
if [ -x "$damage" ]; then
    call 0 'results' run "$scene" --set stepper.end=0.01 --set output.every=0.005 -q -o small.h5
    check 'damaged results' "$damage" small.h5 1000 7
    check 'damaged contact problem' "$damage" "$root/data/fclib/FrictionContactProblem00031.hdf5" 1000 7
fi
finish
