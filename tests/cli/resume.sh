#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hawser run --resume, and results that nothing overwrites, cuts short or follows astray.
. "$(dirname "$0")/support/checks"
long="--set stepper.step=2.0e-6"

# ---- interrupted, and gone on with ----
call 0 'whole' run "$scene" $long -o whole.h5 --json
cp "$out" whole.json
check 'whole: contents' contents whole.h5 whole
for signal in INT TERM XCPU HUP; do
    name="interrupted by $signal"
    env --default-signal=HUP "$HAWSER" run "$scene" $long -o cut.h5 -q >/dev/null 2>"$err" </dev/null &
    pid=$!
    for _ in $(seq 100); do
        test -e cut.h5.part && break
        sleep 0.02
    done
    sleep 0.1
    kill -$signal $pid
    sleep 0.01
    kill -$signal $pid 2>/dev/null # as `timeout` does, to the process and to its group
    code=0
    wait $pid || code=$?
    check "$name: exit code 130" test "$code" -eq 130
    call 0 "interrupted by $signal: goes on" run --resume cut.h5 --json
    json
    key output string cut.h5
    grep -v -e seconds -e output -e '"scenario"' "$out" >cut.txt
    grep -v -e seconds -e output -e '"scenario"' whole.json >whole-json.txt
    check "$name: the same numbers" cmp cut.txt whole-json.txt
    check "$name: contents" contents cut.h5 cut
    check "$name: the same contents" cmp cut.txt whole.txt
    rm -f cut.h5
done

# ---- killed ----
name='killed'
"$HAWSER" run "$scene" $long --set output.checkpoint='{frames: 5, keep: 3}' -o killed.h5 -q \
    >/dev/null 2>"$err" </dev/null &
pid=$!
for _ in $(seq 200); do # all: older ones move one after the other
    test -e killed.h5.ckpt.2 -a -e killed.h5.ckpt.1 && break
    sleep 0.02
done
kill -KILL $pid
wait $pid 2>/dev/null
check "$name: nothing has the final name" test ! -e killed.h5
check "$name: three checkpoints" test -s killed.h5.ckpt -a -s killed.h5.ckpt.1 -a -s killed.h5.ckpt.2
call 0 "killed: a checkpoint is a results file" export killed.h5.ckpt -o ckpt --csv
call 0 "killed: goes on from an older one" run --resume killed.h5.ckpt.2 -o older.h5 -q
check "$name: contents" contents older.h5 older
check "$name: the same contents" cmp older.txt whole.txt
cp killed.h5.ckpt anew.h5.ckpt
call 0 'anew' run "$scene" --set stepper.end=0.01 -o anew.h5
says "'anew.h5.ckpt' is of a run that was killed"
check 'anew: the old checkpoint is gone' test ! -e anew.h5.ckpt
call 0 "killed: goes on" run --resume killed.h5 -q
check "$name: contents" contents killed.h5 killed
check "$name: the same contents" cmp killed.txt whole.txt
check "$name: the last checkpoint is in the results" test ! -e killed.h5.ckpt
name='checkpoint with a changed byte'
cp killed.h5.ckpt.1 damaged.h5
size=$(stat -c %s damaged.h5)
printf '\252\125\252\125' | dd of=damaged.h5 bs=1 seek=$((size - 5000)) conv=notrunc 2>/dev/null
call 4 "$name" run --resume damaged.h5 -o other.h5
says 'damaged'
check "$name: nothing is written" test ! -e other.h5 -a ! -e other.h5.part

# ---- more time, other output ----
some='--set output.checkpoint.frames=1000'
call 0 'short' run "$scene" $some --set stepper.end=0.0305 -o longer.h5 -q
call 0 'longer' run --resume longer.h5 --set stepper.end=0.06 -q
call 0 'at once' run "$scene" $some --set stepper.end=0.06 -o once.h5 -q
check 'longer: contents' contents longer.h5 longer
check 'at once: contents' contents once.h5 once
check 'longer: as at once' cmp longer.txt once.txt
call 3 'other output in the same file' run --resume longer.h5 --set output.every=5.0e-3
says 'name a new file by --output'
call 0 'other output' run --resume longer.h5 --set output.every=5.0e-3 --set stepper.end=0.08 -o other.h5 --json
key steps number 8000
check 'other output: time per step is of the steps that it made' \
    within "$(awk -v wall="$(leaf wall_seconds)" -v each="$(leaf seconds_per_step)" 'BEGIN { print wall / each }')" 2000 2100

# ---- from another folder: files of the scenario stand where the run found them ----
mkdir run away
printf '0 0\n0.01 5\n0.02 5\n' >run/force.csv
sed 's/^stepper:/forces:\n  - {target: disk, force: [{csv: force.csv, column: 2}, 0]}\n&/' "$scene" >run/scene.yaml
some='--set output.checkpoint.frames=1000'
call 0 'a file of numbers' run run/scene.yaml $some --set stepper.end=0.01 -o parted.h5 -q
call 0 'a file of numbers: at once' run run/scene.yaml $some --set stepper.end=0.02 -o joined.h5 -q
cp parted.h5 away/
cd away || exit 1
call 0 'from another folder' run --resume parted.h5 --set stepper.end=0.02 -o ../far.h5 -q
cd ..
check 'from another folder: contents' contents far.h5 far
check 'from another folder: at once' contents joined.h5 joined
check 'from another folder: as at once' cmp far.txt joined.txt
mkdir moved
mv run moved/
cp parted.h5 moved/
cd moved || exit 1
call 0 'all moved together' run --resume parted.h5 --set stepper.end=0.02 -o ../moved.h5 -q
cd ..
check 'all moved together: contents' contents moved.h5 moved
check 'all moved together: as at once' cmp moved.txt joined.txt

# ---- refused ----
call 3 'another past' run --resume longer.h5 --set contact.friction=0.1
says 'would change the past'
says 'friction: 0.1'
one_message
call 3 'another step' run --resume longer.h5 --set stepper.step=2.0e-5
says "'step: 2.0e-05' where the run had 'step: 1.0e-05'"
call 0 'no checkpoint' run "$scene" --set stepper.end=0.01 -o none.h5 -q
call 3 'no checkpoint' run --resume none.h5
says 'has no checkpoint'
call 4 'no file' run --resume missing.h5
says 'no such file'
call 4 'a scenario' run --resume "$scene"
says 'not a hawser results file'

call 3 'an end before the checkpoint' run --resume longer.h5 --set stepper.end=0.01
says 'stepper.end lies before it'

# ---- the checkpoint of another run of that name ----
"$HAWSER" run "$scene" --set stepper.end=3600 --set 'output.checkpoint={frames: 5}' -o taken.h5 -q >/dev/null 2>&1 </dev/null &
pid=$!
for _ in $(seq 200); do
    test -e taken.h5.ckpt && break
    sleep 0.02
done
kill -9 $pid
wait $pid 2>/dev/null
call 0 'a new run in its place' run "$scene" --set contact.friction=0.05 --set stepper.end=0.005 -o taken.h5
says "now 'taken.h5.ckpt.1'"
call 3 'it has no checkpoint' run --resume taken.h5
says 'has no checkpoint'
call 0 'the old one goes on' run --resume taken.h5.ckpt.1 --set stepper.end=1 -o old.h5 -q

# ---- a run that fails leaves earlier results ----
cp none.h5 kept.h5
call 1 'fails' run "$scene" --set bodies.disk.velocity='[3, -3000]' -o kept.h5 --json
key output string kept.failed.h5
says "'kept.h5' keeps the earlier results"
check 'fails: the earlier results are there' cmp none.h5 kept.h5
call 0 'fails: its own can be read' export kept.failed.h5 -o failed --csv
call 1 'fails without earlier results' run "$scene" --set bodies.disk.velocity='[3, -3000]' -o first.h5 --json
key output string first.h5

# ---- links, pipes, two runs ----
ln -s "$work/elsewhere" linked.h5.part
call 4 'a part that is a link' run "$scene" --set stepper.end=0.01 -o linked.h5
says 'it is a symbolic link'
check 'a part that is a link: it is not followed' test ! -e elsewhere
mkfifo pipe.h5.part pipe.h5
for file in pipe.h5 piped.h5; do
    call 4 "a pipe: $file" run "$scene" --set stepper.end=0.01 -o $file
    says 'it is not a regular file'
    mv pipe.h5.part piped.h5.part 2>/dev/null
done
name='two runs'
"$HAWSER" run "$scene" --set stepper.end=3600 -o both.h5 -q >/dev/null 2>&1 </dev/null &
pid=$!
for _ in $(seq 100); do
    test -e both.h5.part && break
    sleep 0.02
done
call 4 "$name: the second" run "$scene" --set stepper.end=0.01 -o both.h5
says 'another run is writing it'
kill -INT $pid
wait $pid
call 0 "$name: the first is whole" export both.h5 -o both --csv

# A folder that is removed, and another run in its place: it is not the first one's to finish.
name='a folder that is removed'
begin() {
    "$HAWSER" run "$scene" --set stepper.end=3600 --set contact.friction="$1" -o gone/run.h5 -q >/dev/null 2>"$1.err" </dev/null &
    pid=$!
    for _ in $(seq 100); do
        test -s gone/run.h5.part && break
        sleep 0.02
    done
}
mkdir gone
begin 0.1
first=$pid
rm -rf gone
mkdir gone
begin 0.05
for _ in $(seq 200); do # it ends by itself
    kill -0 $first 2>/dev/null || break
    sleep 0.05
done
kill -TERM $first 2>/dev/null
code=0
wait $first || code=$?
check "$name: exit code 4" test "$code" -eq 4
check "$name: it is said" grep -q "'gone/run.h5.part' was removed, renamed or replaced" 0.1.err
check "$name: nothing has the final name" test ! -e gone/run.h5
kill -TERM $pid
code=0
wait $pid || code=$?
check "$name: the run in its place is interrupted" test "$code" -eq 130
call 0 "$name: the run in its place is whole" export gone/run.h5 -o gone/csv --csv
finish
