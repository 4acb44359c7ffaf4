#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `make fuzz` runs: fuzz.sh BUILD SECONDS [TARGET ...], a target being tests/fuzz/fuzz_TARGET.c. Inputs that
# reach new code are kept in CORPUS/corpus-TARGET (BUILD), from where the next call goes on. One that crashes, takes over
# TIMEOUT seconds of the processor (1, with sanitizers 20), waits for twenty minutes or takes 512 MiB is kept as
# tests/fuzz/found-TARGET-*, to be repaired and moved among the seeds of its target.
# With FILE=1 inputs that reach code the seeds do not are then filed among them.
# The last lines of each are what was found, the slowest input, the executions and the memory.
build=$1
seconds=$2
shift 2
bad=0
case $build in
    *-fast) most=1 ;;
    *) most=20 ;;
esac
export HAW_FUZZ_SECONDS="${TIMEOUT:-$most}"
# Freed blocks that AddressSanitizer keeps (256 MiB unless told) are not what an input takes.
export ASAN_OPTIONS="quarantine_size_mb=64${ASAN_OPTIONS:+:$ASAN_OPTIONS}"
for target in ${*:-$(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/')}; do
    own=tests/fuzz/$target
    more=
    longest=4096
    case $target in
        scenario) own=tests/fuzz/corpus more='data/scenarios data/templates' ;;
        run) more=data/scenarios ;;
        fclib) more=data/fclib longest=16384 ;;
        probe | set | csv) longest=256 ;;
    esac
    corpus=${CORPUS:-$build}/corpus-$target
    mkdir -p "$corpus"
    echo "== $target, $seconds s"
    # shellcheck disable=SC2086 # none or one
    "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=1200 -rss_limit_mb=512 \
        -max_len="$longest" -artifact_prefix="tests/fuzz/found-$target-" -print_final_stats=1 \
        "$corpus" "$own" $more >"$build/$target.log" 2>&1 || bad=1
    grep -E 'ERROR|SUMMARY|slowest input|Test unit written|stat::(number|peak)|DONE' "$build/$target.log" | tail -n 7
    test -z "$FILE" || "$build/tests/fuzz/fuzz_$target" -merge=1 "$own" "$corpus" 2>&1 | grep 'MERGE-OUTER: [0-9]* new'
done
exit $bad
