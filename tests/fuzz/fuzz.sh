#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `make fuzz` runs: fuzz.sh BUILD SECONDS [TARGET ...], a target being tests/fuzz/fuzz_TARGET.c. Inputs that
# reach new code are kept in BUILD/corpus-TARGET, from where the next call goes on. One that crashes, takes over a
# second (TIMEOUT=1, of the clock: more where the machine has other work) or 512 MiB is kept as tests/fuzz/found-TARGET-*, to be repaired and moved among the seeds of its target.
# The last lines of each are what was found, the executions and the memory.
build=$1
seconds=$2
shift 2
bad=0
for target in ${*:-$(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/')}; do
    case $target in
        scenario) seeds='tests/fuzz/corpus data/scenarios' ;;
        fclib) seeds='tests/fuzz/fclib data/fclib' ;;
        run) seeds='tests/fuzz/run data/scenarios' ;;
        *) seeds=tests/fuzz/$target ;;
    esac
    mkdir -p "$build/corpus-$target"
    echo "== $target, $seconds s"
    # shellcheck disable=SC2086 # several folders
    "$build/tests/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout="${TIMEOUT:-1}" -rss_limit_mb=512 \
        -artifact_prefix="tests/fuzz/found-$target-" -print_final_stats=1 \
        "$build/corpus-$target" $seeds >"$build/$target.log" 2>&1 || bad=1
    grep -E 'ERROR|SUMMARY|Test unit written|stat::(number|peak)|DONE' "$build/$target.log" | tail -n 6
done
exit $bad
