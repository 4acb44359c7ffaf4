#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# faults.sh [N] : of each command N (100) allocations fail, one at a time, each led to by other calls (a minute; 0: all of
# them, an hour), and N calls that write to files (0: all); also inside of libraries (tests/fault/preload.c). Then
# every second call is interrupted, files have a largest size, folders are read-only, readers leave, signals come.
# Whatever happens, the command ends with a documented exit code and a message, nothing has a final name but whole
# files, and nothing is left of memory, files and processes (tests/fault/sweep.py).
. "$(dirname "$0")/../cli/support/checks"
here=$root/tests/cli
most=${1:-100}
fault=$work/fault.so
if ! ${CC:-cc} -O1 -shared -fPIC -o "$fault" "$root/tests/fault/preload.c" 2>"$err"; then
    echo "skipped: the library that plants faults cannot be built here"
    exit 0
fi
if ! command -v python3 >/dev/null; then
    echo "skipped: no python3 here"
    exit 0
fi
short="$scene --set stepper.end=0.004"
cat >few.yaml <<'SCENE'
hawser: 1
bodies:
  - {name: disk, mass: 2, shape: {type: circle, radius: 0.1}, position: [-0.1, 1], velocity: [3, 0], spin: 40}
cables:
  - {name: cable, element: bezier, elements: 4, from: [0, 0], to: [0, 2], stiffness: 4.0e+4, density: 0.1, tension: 400,
     ends: {start: pinned, end: pinned}}
contact:
  - {between: [cable, disk], points_per_element: 5, law: hard, friction: 0.3}
stepper: {type: moreau, step: 1.0e-4, end: 3.0e-4}
output: {every: 2.0e-4, probes: [disk.spin]}
SCENE

# ---- what the commands work on, and a gnuplot that takes no time ----
call 0 'results' run few.yaml --set output.checkpoint.frames=1 -o good.h5 -q
cp "$root/data/fclib/FrictionContact3D_1c.hdf5" problem.hdf5
mkdir bin
cat >bin/gnuplot <<'SCRIPT'
#!/bin/sh
# gnuplot -d -c NAME.gp FOLDER ENDING
cd "$4" || exit 1
stem=$(basename "$3" .gp)
printf 'picture IEND\256B`\202' >"$stem.png$5"
echo 'picture </svg>' >"$stem.svg$5"
SCRIPT
chmod +x bin/gnuplot
slow=$PATH
PATH=$work/bin:$PATH

# commands FUNCTION: called with each command that writes, earlier results standing in made.h5
commands() {
    "$1" run few.yaml --set output.checkpoint.frames=1 -o made.h5
    "$1" run few.yaml --set output.compress=1 --set output.precision=float32 -o made.h5
    "$1" run --resume good.h5 -o made.h5 --set stepper.end=0.0005
    "$1" export good.h5 --csv -o made
    "$1" export good.h5 --vtp -o made
    "$1" plot good.h5 -o made
    "$1" report good.h5 -o made.html
    "$1" compare few.yaml --vary contact.friction=0,0.3 -o made
    "$1" study few.yaml --vary friction=0:1:2 -o made --json
    "$1" study few.yaml --vary friction=0:1:2 -o made --results --set output.checkpoint.frames=2
    "$1" solve problem.hdf5
}

# ---- every n-th of them fails ----
sweep() {
    how=$ways
    count=$most
    case "$1 $2" in
    export* | plot* | report*) how="$ways --live --alone" ;; # their child does all the work
    'run few'*) how="$ways --live" ;;
    compare* | solve*) how="--twice 20 --live" count=0 ;; # there are few: all of them
    esac
    check "$*: $kind, errno $errno" python3 "$root/tests/fault/sweep.py" "$HAWSER" "$fault" "$kind" "$count" \
        $how --errno "$errno" --keep good.h5 -- "$@"
    tail -n 1 .why | sed 's/^/      /'
}
every=--stacks
test "$most" -gt 0 || every=
for errno in 12 28 5; do
    kind=ALLOCATION ways="$every --twice 20"
    test $errno = 12 || kind=WRITE ways=
    commands sweep
done

# ---- every second call that writes, reads or waits is interrupted: nothing comes of it ----
interrupted() {
    rm -rf made*
    code=0
    timeout 120 env LD_PRELOAD="$fault" FAULT_EINTR=1 "$HAWSER" "$@" >"$out" 2>"$err" </dev/null || code=$?
    check "$*: interrupted calls" test $code -eq 0
}
commands interrupted

# ---- files may not be larger than so many blocks: as on a full disk ----
PATH=$slow
limited() {
    rm -rf made*
    for blocks in 1 20 100; do
        code=0
        (
            ulimit -f $blocks
            exec "$HAWSER" "$@" >/dev/null 2>"$err" </dev/null
        ) || code=$?
        check "$*: files of $blocks blocks" test $code -eq 0 -o $code -eq 4 -a -s "$err"
        check "$*: files of $blocks blocks: no drafts" test -z "$(find made* -name '*.part' ! -name '*.h5.part' 2>/dev/null)"
        for file in $(find made* -name '*.png' 2>/dev/null); do
            check "$file is whole" sh -c 'tail -c 8 "$1" | grep -q IEND' sh "$file"
        done
        for file in $(find made* -name '*.svg' 2>/dev/null); do
            check "$file is whole" sh -c 'tail -n 3 "$1" | grep -q "</svg>"' sh "$file"
        done
        for file in $(find made* -name '*.h5' 2>/dev/null); do
            check "$file is whole" contents "$file" whole
        done
    done
}
commands limited

# ---- nobody reads what is printed ----
unread() {
    rm -rf made*
    { code=0 && "$HAWSER" "$@" 2>"$err" </dev/null || code=$?; echo $code >code; } | true
    check "$*: nobody reads it" grep -q -e '^4$' -e '^0$' code
}
commands unread

# ---- signals ----
for signal in TERM INT HUP XCPU; do
    for command in 'plot good.h5 -o made' 'run wrap -o made.h5' "compare $short --set stepper.step=1.0e-7 --vary friction=0,1 -o made"; do
        rm -rf made*
        "$HAWSER" $command >"$out" 2>"$err" </dev/null &
        pid=$!
        sleep 0.3
        kill -$signal $pid
        code=0
        wait $pid || code=$?
        check "$command: SIG$signal" test $code -eq 130 -a -s "$err" -o $code -eq 0
        check "$command: SIG$signal: nothing goes on" test -z "$(ps -o pid= --ppid $pid)"
        for file in made.h5; do
            [ ! -e $file ] || check "$command: SIG$signal: $file is whole" contents $file whole
        done
    done
done

# ---- a folder that nothing may be written to ----
if [ "$(id -u)" -ne 0 ]; then
    mkdir closed
    chmod a-w closed
    denied() {
        code=0
        "$HAWSER" $(echo "$*" | sed 's: made: closed/made:') >"$out" 2>"$err" </dev/null || code=$?
        check "$*: read-only" test $code -eq 4 -a -s "$err"
    }
    commands denied
fi
finish
