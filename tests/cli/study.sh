#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hawser study: cases, table, figures; cut off in every way and gone on with; processes that die; two
# commands in one folder; job scripts; Open MPI where it is installed.
. "$(dirname "$0")/support/checks"
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM

short='--set stepper.step=4.0e-5 --set stepper.end=0.02'

# Cases of a folder, also where there is none.
cases() {
    ls "$1/cases" 2>/dev/null | grep -c '\.csv$'
}

# Files of cases with their inodes: a case that is written again has another.
inodes() {
    (cd "$1/cases" && ls -i ./*.csv)
}

# ---- a range: table, figures, JSON; the second time nothing runs ----
call 0 'range' study "$scene" --set stepper.step=4.0e-5 --vary friction=0:1:20 -j 2 --json
silent
json
for path in scenario:string folder:string cases:number done:number ended:number refused:number \
    missing:number ran:number processes:number working:number wall_seconds:number \
    busy_seconds:number files:array status:string message:null messages:array; do
    key "${path%:*}" "${path##*:}"
done
key cases number 20
key ran number 20
key done number 20
key processes number 2
check 'range: two processes work' within "$(leaf working)" 1.7 2.01
check 'range: wall time at most 0.6 of the work' \
    within "$(leaf wall_seconds)" 0 "$(leaf busy_seconds | awk '{ print 0.6 * $1 }')"
for file in study.png study.svg study.gp study-range.png study.csv times.csv; do
    check "range: $file" test -s "study-disk-impact/$file"
done
check 'range: 20 files' test "$(cases study-disk-impact)" -eq 20
check 'range: the figure has a curve of 20 points' \
    test "$(grep -c '^[0-9]' study-disk-impact/study-curves.csv)" -eq 20
spin=$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "disk.spin[rad/s]") c = i }
    NR == 5 { print $3, $c }' study-disk-impact/study.csv)
call 0 'run' run "$scene" --set stepper.step=4.0e-5 --set "contact.friction=${spin% *}" --no-output \
    --json
check 'a case is the run itself' test "$(leaf probes.disk.spin)" = "${spin#* }"
before=$(inodes study-disk-impact)
call 0 'again' study "$scene" --set stepper.step=4.0e-5 --vary friction=0:1:20 -j 2 --json
key ran number 0
check 'again: no file was touched' test "$before" = "$(inodes study-disk-impact)"
call 0 'for people' study "$scene" --set stepper.step=4.0e-5 --vary friction=0:1:20
shows '20 cases: 20 done'
shows study-disk-impact/study.png

# ---- a longer list, another scenario, settings that look like paths ----
call 0 'short list' study "$scene" $short --vary friction=0.1,0.2 -o grow
call 0 'longer list' study "$scene" $short --vary friction=0,0.1,0.2,0.3 -o grow --json
key ran number 2
call 0 'other settings' study "$scene" $short --set bodies.disk.mass=3 --vary friction=0.1,0.2 \
    -o grow --json
key ran number 2
check 'other settings: six files in all' test "$(cases grow)" -eq 6
call 0 'awkward values' study "$scene" $short --vary "title=../up,/etc/x,'a,b; c','\$(touch shell)'" \
    -o 'awk ward' --json
key done number 4
check 'awkward values: names are hashes' \
    sh -c '! ls "awk ward/cases" | grep -vE "^([0-9a-f]{16}\.csv|lock)$"'
check 'awkward values: nothing elsewhere' sh -c '! ls up ../up shell 2>/dev/null'
check 'awkward values: quoted' grep -qF "\"'a,b; c'\"" 'awk ward/study.csv'

# ---- several parameters ----
call 0 'two axes' study "$scene" $short --vary friction=0.1,0.2 --vary contact.restitution=0:0.8:3 \
    -j 2 -o two --json
key cases number 6
check 'two axes: a figure for each' test -s two/study-2.png
check 'two axes: curves by the other' \
    test "$(awk 'BEGIN { RS = "\n\n\n" } END { print NR }' two/study-2-curves.csv)" -eq 2
call 0 'hypercube' study "$scene" $short --samples 9 --seed 3 --vary friction=0:1 \
    --vary bodies.disk.spin=-40:40 -j 2 -o cube
check 'hypercube: each ninth of a side once' awk -F , '
    NR > 1 { n++; if (a[int($3 * 9)]++ || b[int(($4 + 40) * 9 / 80)]++) bad = 1 }
    END { exit bad || n != 9 }' cube/study.csv
call 0 'results' study "$scene" $short --vary friction=0.1,0.2 -o kept --results
check 'results: a file for each' test "$(ls kept/cases/*.h5 | wc -l)" -eq 2
call 0 'results are drawn' plot "$(ls kept/cases/*.h5 | head -n 1)" -o drawn

# ---- cases that fail ----
call 1 'some fail' study "$scene" $short -j 2 -o fail --json \
    --vary 'good: ; bad: contact.friction=-1; early: solver.tolerance=1.0e-12 solver.max_iterations=1 stepper.end=0.1; '
key done number 1
key ended number 1
key refused number 1
check 'some fail: the table says why' grep -q '^1,bad,.*refused,.*friction' fail/study.csv
check 'some fail: said once, by the answer too' test "$(grep -c "bad'.*friction" "$err"), $(grep -c "refused; the first: variant 'bad': " "$out")" = '1, 1'
call 1 'some fail, again' study "$scene" $short -j 2 -o fail --json \
    --vary 'good: ; bad: contact.friction=-1; early: solver.tolerance=1.0e-12 solver.max_iterations=1 stepper.end=0.1; '
key ran number 0
call 1 'what a case says at once is not said at the end' study "$scene" $short -o once --vary friction=0.1,-1
check 'said once' test "$(grep -c "'friction'" "$err"), $(grep -c 'refused, the first as said' "$err")" = '1, 1'
call 1 'said once, another time' study "$scene" $short -o once --vary friction=0.1,-1
says "1 of 2 cases refused; the first: variant 'friction=-1': "
# Which case cannot be read makes no difference: the first, one in the middle, the last.
for values in abc,0.1,0.3 0.1,abc,0.3 0.1,0.3,-1; do
    call 1 "values $values" study "$scene" --set stepper.end=0.001 -o "list-$values" --json --vary friction=$values
    key done number 2
    key refused number 1
done
call 3 'no case can be read' study "$scene" --vary friction=abc,-1 -o none
one_message
says "friction=abc: error: 'friction' must be a number (got 'abc')"
call 3 'a misspelt parameter' study "$scene" --vary contact.frction=0:1:20 -o none
says "did you mean 'friction'"
check 'a misspelt parameter: nothing is written' test ! -e none
call 3 'a refused file' study "$scene" --set contact.friction=-1 --vary bodies.disk.mass=1,2 -o none
: >file
call 4 'a folder that cannot be' study "$scene" $short --vary friction=0,1 -o file/in
one_message

# ---- cut off: by Ctrl-C, by kill -9 of a worker, of all ----
long='--set stepper.step=4.0e-5 --vary friction=0:1:40'

# Wait for three more cases.
await() {
    for _ in $(seq 400); do
        [ "$(cases "$1")" -lt $(($2 + 3)) ] || break
        sleep 0.05
    done
}

study_of() {
    had=$(cases "$1")
    "$HAWSER" study "$scene" $long -j 2 -o "$@" >"$out" 2>"$err" </dev/null &
    pid=$!
    : >"$flat"
    await "$1" "$had"
}

# Living children of a process.
children() {
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$1" '$4 == parent && $3 != "Z" { print $1 }'
}

# Kill a child of one of these processes that has not ended by itself meanwhile.
kill_child() {
    for _ in $(seq 100); do
        killed=$(for parent; do children "$parent"; done | head -n 1)
        [ -z "$killed" ] || ! kill -9 "$killed" 2>/dev/null || return 0
    done
    return 1
}

name='Ctrl-C'
study_of cut --json
kill -INT $pid
code=0
wait $pid || code=$?
check 'Ctrl-C: exit code 130' test "$code" -eq 130
json
key status string interrupted
kept=$(cases cut)
check 'Ctrl-C: it was under way' within "$kept" 3 39
check 'Ctrl-C: what is missing is counted' test "$(leaf missing)" -eq $((40 - kept))

name='kill -9 of all'
before=$(inodes cut)
study_of cut
kill -9 $pid
wait $pid 2>/dev/null
sleep 0.2
kept=$(cases cut)
call 0 'after the kills' study "$scene" $long -j 2 -o cut --json
key ran number $((40 - kept))
key done number 40
check 'after the kills: no case was done twice' \
    sh -c 'printf "%s\n" "$1" | while read -r line; do printf "%s\n" "$2" | grep -qxF "$line" || exit 1; done' \
    sh "$(printf '%s\n' "$before" | sed 's/^ *//')" "$(inodes cut | sed 's/^ *//')"

# Cases that would take seconds: their processes must not outlive the one that gave them out.
"$HAWSER" study "$scene" $short --set stepper.end=60 --vary friction=0.1,0.2 -j 2 -o orphans >"$out" 2>"$err" &
pid=$!
for _ in $(seq 100); do
    worker=$(children $pid)
    [ "$(echo $worker | wc -w)" -lt 2 ] || break
    sleep 0.05
done
kill -9 $pid
wait $pid 2>/dev/null
sleep 0.5
check 'kill -9 of all: there were two' test "$(echo $worker | wc -w)" -eq 2
check 'kill -9 of all: no worker is left' \
    sh -c 'for i; do ! grep -q "^State:.[^Z]" /proc/$i/status 2>/dev/null || exit 1; done' sh $worker

# Cases that keep checkpoints go on from them, killed or interrupted, with the same bits.
slow="--set stepper.step=2.0e-6 --set stepper.end=0.1 --set output.checkpoint.frames=5 --vary friction=0.1,0.3"
call 0 'checkpoints' study "$scene" $slow -j 2 -o uncut
check 'checkpoints: nothing else is kept' test "$(ls uncut/cases | grep -vc -e csv -e lock)" -eq 0
call 0 'older checkpoints' study "$scene" --set stepper.end=0.05 --set output.every=1.0e-3 \
    --set 'output.checkpoint={frames: 2, keep: 3}' --vary friction=0.1 -o older
check 'older checkpoints: none is kept' test "$(ls older/cases | grep -c ckpt)" -eq 0
call 1 'a case that ends early' study "$scene" --set stepper.end=0.05 --set output.every=1.0e-3 --set output.checkpoint.frames=2 \
    --set 'solver={max_iterations: 1, on_unconverged: stop}' --vary friction=0.1 -o early
check 'a case that ends early: no checkpoint is kept' test "$(ls early/cases | grep -c ckpt)" -eq 0
call 0 'checkpoints, results' study "$scene" $slow -j 2 -o uncut--results --results
for file in uncut--results/cases/*.h5; do
    check 'checkpoints, results: contents' contents "$file" "$(basename "$file" .h5)"
done
for kept in '' --results; do
    for signal in KILL INT; do
        name="checkpoints $kept, $signal"
        rm -rf taken
        "$HAWSER" study "$scene" $slow $kept -j 2 -o taken >"$out" 2>"$err" </dev/null &
        pid=$!
        for _ in $(seq 400); do
            test "$(ls taken/cases 2>/dev/null | grep -c 'ckpt$')" -lt 2 || break
            sleep 0.02
        done
        kill -$signal $pid
        wait $pid 2>/dev/null
        sleep 0.2
        call 0 "$name: again" study "$scene" $slow $kept -j 2 -o taken -v
        check "$name: both go on" test "$(grep -c 'goes on from step' "$err")" -eq 2
        check "$name: the same table" cmp taken/study.csv "uncut$kept/study.csv"
        check "$name: nothing else is kept" test "$(ls taken/cases | grep -c -e ckpt -e part)" -eq 0
        for file in taken/cases/*.h5; do
            [ -z "$kept" ] || check "$name: contents" contents "$file" taken-contents
            [ -z "$kept" ] || check "$name: the same contents" cmp taken-contents.txt "$(basename "$file" .h5).txt"
        done
    done
done

name='kill -9 of a worker'
study_of worker --json
check 'kill -9 of a worker: one is killed' kill_child $pid
code=0
wait $pid || code=$?
check 'kill -9 of a worker: exit code 0' test "$code" -eq 0
json
key done number 40
key ran number 40
check 'kill -9 of a worker: the same table' cmp worker/study.csv cut/study.csv

name='two commands'
"$HAWSER" study "$scene" $long -j 1 -o shared --json >one.json 2>/dev/null </dev/null &
pid=$!
call 0 'two commands' study "$scene" $long -j 1 -o shared --json
mine=$(leaf ran)
wait $pid
: >"$flat"
cp one.json "$out"
check 'two commands: both worked' within "$mine" 1 39
check 'two commands: no case twice' test $((mine + $(leaf ran))) -eq 40
check 'two commands: the same table' cmp shared/study.csv cut/study.csv

# ---- memory that is out for one of two cases: it is run again, the other one is not ----
for ran in 2 1; do
    name="memory, $ran cases run"
    code=0
    (
        ulimit -v 1000000
        exec "$HAWSER" study belt-drive-space --set stepper.end=1.0e-4 --vary contact.points_per_element=4,3000 \
            -o memory --results --json >"$out" 2>"$err" </dev/null
    ) || code=$?
    : >"$flat"
    check "$name: exit code 1" test "$code" -eq 1
    says 'memory is out (fewer at a time'
    key ran number $ran
    key missing number 1
    check "$name: results of one" test "$(ls memory/cases/*.h5* | wc -l)" -eq 1
done

# ---- cases at the same time share the memory: what fits alone is run again, with fewer at a time ----
cat >wide.yaml <<'SCENE'
hawser: 1
cables:
  - {name: cable, element: bezier, elements: 300000, from: [0, 0], to: [0, 2], stiffness: 4.0e+4, density: 0.1,
     ends: {start: pinned, end: pinned}}
stepper: {type: moreau, step: 1.0e-9, end: 1.0e-9}
SCENE
for processes in 2 1; do
    name="shared memory, -j $processes"
    code=0
    (
        ulimit -v 1200000
        exec "$HAWSER" study wide.yaml --vary cables.0.density=0.1,0.2 -o wide -j $processes --json >"$out" 2>"$err"
    ) || code=$?
    : >"$flat"
    check "$name: exit code" test "$code" -eq $((processes - 1))
    key missing number $((2 * (processes - 1)))
done

# ---- parts by hand, and a job script without Slurm ----
call 0 'one case' study "$scene" $long -o part --case 7
check 'one case: one file' test "$(cases part)" -eq 1
call 1 'collect too early' study "$scene" $long -o part --collect --json
key missing number 39
key ran number 0
call 0 'script' study "$scene" $long -o part -j 3 --slurm
shows 'sbatch part/study.slurm'
check 'script: an array of three' grep -qx '#SBATCH --array=0-2' part/study.slurm
before=$(inodes part)
for task in 0 1 2; do
    check "script: task $task" env SLURM_ARRAY_TASK_ID=$task sh part/study.slurm
done
call 0 'collect' study "$scene" $long -o part --collect --json
key done number 40
check 'collect: the same table' cmp part/study.csv cut/study.csv
check 'script: the first case was kept' sh -c 'printf "%s\n" "$2" | grep -qxF "$1"' sh "$before" \
    "$(inodes part)"
mkdir "it's"
cp "$scene" "it's/a b.yaml"
call 0 'quoted script' study --slurm -o "it's/x" "--vary=title=it's,'\$x;'" $short -- "it's/a b.yaml"
check 'quoted script: runs' env SLURM_ARRAY_TASK_ID=1 sh "it's/x/study.slurm"
check 'quoted script: one of its cases' test "$(cases "it's/x")" -eq 1

# ---- locks ----

# Hold the lock of a case, as another study that is at it: no study of this folder ends meanwhile.
hold() {
    mkdir -p "$1/cases"
    python3 -c '
import fcntl, signal, sys
with open(sys.argv[1] + "/cases/lock", "a") as file:
    fcntl.lockf(file, fcntl.LOCK_EX, 1, int(sys.argv[2], 16) >> 2)
    print("held", flush=True)
    signal.pause()' "$1" "$2" >held &
    holder=$!
    for _ in $(seq 400); do
        [ ! -s held ] || break
        sleep 0.05
    done
}

hold shared 10000000000000000 # behind all cases: of tables and figures
name='tables are being written'
code=0
timeout 1 "$HAWSER" study "$scene" $long -o shared --collect >/dev/null 2>&1 || code=$?
check 'tables are being written: another command waits' test "$code" -eq 124
kill $holder
wait $holder 2>/dev/null
call 0 'tables have been written' study "$scene" $long -o shared --collect

# ---- Open MPI ----
if [ -x "$(dirname "$HAWSER")/hawser-mpi" ] && command -v mpirun >/dev/null; then
    name='mpirun'
    code=0
    mpirun --oversubscribe -n 3 "$HAWSER" study "$scene" $long -o mpi --json >"$out" 2>"$err" || code=$?
    : >"$flat"
    check 'mpirun: exit code 0' test "$code" -eq 0
    json
    key ran number 40
    key processes number 3
    check 'mpirun: the same table' cmp mpi/study.csv cut/study.csv
    hold mpi2 "$(basename "$(ls cut/cases/*.csv | head -n 1)" .csv)"
    mpirun --oversubscribe -n 2 "$HAWSER" study "$scene" $long -o mpi2 >"$out" 2>"$err" &
    pid=$!
    await mpi2 0
    ranks=$(children $pid)
    check 'mpirun: a child of a rank is killed' kill_child $ranks
    sleep 0.3
    check 'mpirun: its death ends nothing' kill -0 $pid
    kill -9 $(echo $ranks | tr ' ' '\n' | tail -n 1)
    wait $pid
    sleep 0.2
    kill $holder
    wait $holder
    kept=$(cases mpi2)
    check 'mpirun: ended by the death of a rank' within "$kept" 3 39
    mpirun --oversubscribe -n 2 "$HAWSER" study "$scene" $long -o mpi2 --json >"$out" 2>"$err"
    : >"$flat"
    key ran number $((40 - kept))
    check 'mpirun again: the same table' cmp mpi2/study.csv cut/study.csv
else
    echo 'skipped: no Open MPI here (Debian: libopenmpi-dev openmpi-bin, then make)'
    code=0
    name='no Open MPI'
    OMPI_COMM_WORLD_SIZE=2 "$HAWSER" study "$scene" $short --vary friction=0,1 -o no >"$out" 2>"$err" || code=$?
    check 'no Open MPI: exit code 2' test "$code" -eq 2
    says 'no hawser-mpi'
fi
check 'the program itself knows no MPI' sh -c "! ldd '$HAWSER' | grep -q libmpi"

# ---- usage ----
usage() {
    words=$1
    call 2 "$words" study "$scene" $2
    one_message
    says "$3"
    shows_nothing
}
usage 'nothing to study' '' '--vary'
usage 'no count' '--vary friction=0:1' 'from:to:count'
usage 'samples of nothing' '--samples 3 --vary friction=0,1' 'path=from:to'
usage 'no such case' '--vary friction=0,1 --case 2' '0 to 1'
usage 'no case' '--vary friction=0,1 --case 1/x' 'K/N'
usage 'two orders' '--vary friction=0,1 --case 1 --collect' 'exclude each other'
usage 'too many' '--vary friction=0:1:101 --vary x=0:1:101' 'more than 10000'
call 2 'standard input' study - --vary friction=0,1
says 'needs a file'
finish
