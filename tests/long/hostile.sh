#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sample of the scripts that run for hours: numbers of scenarios made bad, keys left out and swapped
# (tests/fuzz/keys.py, whose scenarios must have every number of the grammar), damaged copies of results and
# of a contact problem (tests/fuzz/damage.py).
. "$(dirname "$0")/../cli/support/checks"
python=
for needs in 'yaml, numpy' yaml; do # without numpy the program does what the library would
    for candidate in python3 /usr/bin/python3; do
        [ -n "$python" ] || ! "$candidate" -c "import $needs" 2>/dev/null || python=$candidate
    done
done
if [ -n "$python" ]; then
    check 'every number of the grammar' "$python" "$root/tests/fuzz/keys.py" "$HAWSER" --keys
    check 'bad numbers, missing and swapped keys' "$python" "$root/tests/fuzz/keys.py" "$HAWSER" --share 7/100
else
    echo "keys: not run, python3-yaml is not installed"
fi
# A step of a minute, of a net that is thrown against its rim, is given up.
name='a step that takes long'
"$HAWSER" run ball-on-net --set 'gravity=[1.0e+6, 0, -9.81]' --no-output -q >"$out" 2>"$err" &
run=$!
sleep 3
kill "$run"
code=0
wait "$run" || code=$?
check "$name: exit code 130" test "$code" -eq 130
says 'in a step that went on for seconds'
call 0 'results' run "$scene" --set stepper.end=0.02 --set output.every=0.005 -q -o small.h5
call 0 'problems' run wrap --dump-problems 5000 --dump-dir problems --no-output -q
for command in 'export {file} -o {out}' 'report {file} -o {out}' 'plot {file} -o {out}' 'solve {file}'; do
    file=small.h5 count=500
    case $command in
        solve*) file=problems/wrap-problem-005000.hdf5 ;;
        plot*) count=50 ;;
    esac
    # shellcheck disable=SC2086 # the words of the command
    check "damaged: $command" python3 "$root/tests/fuzz/damage.py" "$HAWSER" "$file" "$count" 7 -- $command
done
finish
