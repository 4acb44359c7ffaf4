#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The program under valgrind: no value that was not set decides, nothing is read or written outside what was
# allocated, nothing is lost. AddressSanitizer, under which the unit tests run, sees no values that were not set,
# and not what libraries do.
. "$(dirname "$0")/../cli/support/checks"
command -v valgrind >/dev/null || { echo 'not run: there is no valgrind here'; finish; }

# clean NAME CODE ARGUMENT... : after SECONDS_EACH a run is asked to end, which is exit code 130 and told
clean() {
    name=$1
    want=$2
    shift 2
    code=0
    env OPENBLAS_NUM_THREADS=1 timeout -s INT --preserve-status "${SECONDS_EACH:-8}" valgrind -q --error-exitcode=66 --leak-check=full \
        --show-leak-kinds=definite --errors-for-leak-kinds=definite "$HAWSER" "$@" >"$out" 2>"$err" </dev/null || code=$?
    test "$code" -ne 130 || name="$name, asked to end"
    check "$name" test "$code" -eq "$want" -o "$code" -eq 130
}
for scenario in "$root"/data/scenarios/*.yaml; do
    scenario=$(basename "$scenario" .yaml)
    clean "run $scenario" 0 run "$scenario" -q -o "$scenario.h5"
done
call 0 'results' run disk-impact --set stepper.end=1e-3 -q -o disk-impact.h5
clean 'plot' 0 plot disk-impact.h5 -o pictures
clean 'export' 0 export disk-impact.h5 -o tables --csv
clean 'report' 0 report disk-impact.h5 -o report.html
clean 'check' 0 check disk-impact
clean 'theory' 0 theory capstan
clean 'study' 0 study bouncing-ball --set stepper.end=0.1 --vary bodies.ball.mass=1,2 -o study
clean 'an input error' 4 run nothing-of-that-name
finish
