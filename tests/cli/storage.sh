#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How frames are stored: output.precision and output.compress change the size of a file and, the
# former, the digits of its profiles; nothing else, also of a run that is gone on with.
. "$(dirname "$0")/support/checks"
run="run $scene --set output.every=4.0e-4 --set stepper.end=0.1"

size() {
    wc -c <"$1"
}

# profiles FILE: those of the last frame, below digits that a float has
close() {
    awk -F , 'NR == FNR { for (i = 1; i <= NF; i++) old[FNR, i] = $i; next }
        { for (i = 1; i <= NF; i++) {
            d = $i - old[FNR, i]; d = d < 0 ? -d : d; a = old[FNR, i] < 0 ? -old[FNR, i] : old[FNR, i]
            if (d > 6.0e-8 * a) exit 1
            differ += $i != old[FNR, i] } }
        END { exit !(differ > 0) }' "$1" "$2"
}

call 0 'plain' $run -q -o plain.h5
check 'plain: contents' contents plain.h5 plain
call 0 'compressed' $run -q -o small.h5 --set output.compress=6
check 'compressed: contents' contents small.h5 small
check 'compressed: the same contents' cmp plain.txt small.txt
check 'compressed: less than half' test "$((2 * $(size small.h5)))" -lt "$(size plain.h5)"
call 0 'float32' $run -q -o single.h5 --set output.precision=float32
check 'float32: contents' contents single.h5 single
check 'float32: three fifths' test "$((5 * $(size single.h5)))" -lt "$((3 * $(size plain.h5)))"
check 'float32: profiles to seven digits' close plain/profile-cable.csv single/profile-cable.csv
grep -v '^profile' plain.txt >plain.rest
grep -v '^profile' single.txt >single.rest
check 'float32: the same histories' cmp plain.rest single.rest

# ---- gone on with ----
both='--set output.compress=1 --set output.precision=float32 --set output.checkpoint.frames=100'
call 0 'both' $run -q -o both.h5 $both
check 'both: contents' contents both.h5 both
call 0 'half' $run -q -o half.h5 $both --set stepper.end=0.03
call 0 'half: goes on' run --resume half.h5 -q --set stepper.end=0.1
check 'half: contents' contents half.h5 half
check 'half: the same contents' cmp both.txt half.txt
check 'half: hardly a chunk is written twice' test "$((20 * $(size half.h5)))" -lt "$((21 * $(size both.h5)))"
call 3 'half: other digits' run --resume half.h5 -q --set stepper.end=0.3 --set output.precision=float64
says 'frames of another output'

# ---- a checkpoint that cannot be written: said once, not at each that is due ----
mkdir -p full.h5.ckpt.part/stays
call 0 'no checkpoint' $run -o full.h5 --set output.checkpoint.frames=10
says 'no checkpoint from t = '
check 'no checkpoint: said once' test "$(grep -c checkpoint "$err")" -eq 1
"$HAWSER" $run -o full.h5 --set output.checkpoint.frames=10 --set stepper.end=30 >"$out" 2>"$err" &
pid=$!
wait_for() {
    for _ in $(seq 400); do
        ! grep -q "$1" "$err" || break
        sleep 0.05
    done
}
wait_for 'no checkpoint'
rm -r full.h5.ckpt.part
wait_for 'checkpoints again'
kill -TERM $pid
wait $pid
says 'checkpoints again, from t = '
check 'checkpoints again: said once' test "$(grep -c checkpoint "$err")" -eq 2

# ---- many bodies: their surfaces together have a bound ----
# spheres NUMBER
spheres() {
    awk -v n="$1" 'BEGIN {
        print "hawser: 1\ndimension: 3\nbodies:"
        for (i = 0; i < n; i++)
            printf "  - {name: b%d, shape: {type: sphere, radius: 0.1}, mass: 1, position: [%g, 0, 1]}\n", i, 0.3 * i
        print "stepper: {type: moreau, step: 1.0e-3, end: 1.0e-2}\noutput: {every: 1.0e-3}" }'
}
spheres 50 >some.yaml
spheres 500 >many.yaml
call 0 'fifty' run some.yaml -q -o some.h5
call 0 'five hundred' run many.yaml -q -o many.h5
check 'ten times as many bodies take less than twice the space' test "$(size many.h5)" -lt "$((2 * $(size some.h5)))"

# ---- a row that is longer than a chunk ----
call 0 'a rope of many samples' run "$root/data/scenarios/elevator.yaml" -q -o long.h5 \
    --set cables.rope.elements=1100 --set stepper.end=0.001
check 'a rope of many samples: contents' contents long.h5 long
call 0 'a frame that is longer than a chunk' run "$root/data/scenarios/elevator.yaml" -q -o longer.h5 \
    --set cables.rope.elements=4100 --set stepper.end=0.001 --set output.compress=1
check 'a frame that is longer than a chunk: contents' contents longer.h5 longer

# ---- refused ----
call 3 'no precision' $run --set output.precision=float16
says 'float64, float32'
call 3 'no level' $run --set output.compress=10
says 'between 0 and 9'
finish
