#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# faults.sh [N] : of each command N (100) allocations fail, one at a time, each led to by other calls (some minutes; 0: all
# of them, hours), and N calls that write to files (0: all); also inside of libraries (tests/fault/preload.c). Then
# every second call is interrupted, files have a largest size, folders are read-only, readers leave, signals come.
# Whatever happens, the command ends with a documented exit code and a message, nothing has a final name but whole
# files, and nothing is left of memory, files and processes (tests/fault/sweep.py).
#
# SHARE=K/M does the K-th of M equal parts of it, drawn by SEED (1); all M parts are the whole. DONE=FILE lists what has
# ended well, which is left out when the script is called again: it goes on where it was stopped.
ended=${DONE:-/dev/null}
case $ended in /*) ;; *) ended=$PWD/$ended ;; esac
. "$(dirname "$0")/../cli/support/checks"
here=$root/tests/cli
most=${1:-100}
share=${SHARE:-1/1} seed=${SEED:-1} units=0

# unit WORD... : call that, unless it was done before
unit() {
    if grep -qxF "$share $seed $most: $*" "$ended" 2>/dev/null; then
        return
    fi
    before=$failed
    "$@"
    test $failed -ne $before || echo "$share $seed $most: $*" >>"$ended"
}

# undivided WORD... : the same of what has no parts: it is of one share
undivided() {
    units=$((units + 1))
    test $(((units + seed) % ${share#*/})) -ne $((${share%/*} % ${share#*/})) || unit "$@"
}
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

# commands WORD...: called with each command that writes, earlier results standing in made.h5
commands() {
    # shellcheck disable=SC2086,SC2048 # words
    $* run few.yaml --set output.checkpoint.frames=1 -o made.h5
    $* run few.yaml --set output.compress=1 --set output.precision=float32 -o made.h5
    $* run --resume good.h5 -o made.h5 --set stepper.end=0.0005
    $* export good.h5 --csv -o made
    $* export good.h5 --vtp -o made
    $* plot good.h5 -o made
    $* report good.h5 -o made.html
    $* compare few.yaml --vary contact.friction=0,0.3 -o made
    $* study few.yaml --vary friction=0:1:2 -o made --json
    $* study few.yaml --vary friction=0:1:2 -o made --results --set output.checkpoint.frames=2
    $* solve problem.hdf5
}

# ---- every n-th of them fails ----
sweep() {
    errno=$1
    shift
    kind=WRITE how= count=$most
    test "$errno" -ne 12 || kind=ALLOCATION how="$every --twice 20"
    case "$1 $2" in
    export* | plot* | report*) how="$how --live --alone" ;; # their child does all the work
    'run few'*) how="$how --live" ;;
    compare* | solve*) how="--twice 20 --live" count=0 ;; # there are few: all of them
    esac
    check "$*: $kind, errno $errno" python3 "$root/tests/fault/sweep.py" "$HAWSER" "$fault" "$kind" "$count" \
        $how --errno "$errno" --share "$share" --seed "$seed" --keep good.h5 -- "$@"
    tail -n 1 .why | sed 's/^/      /'
}
every=--stacks
test "$most" -gt 0 || every=
for errno in 12 28 5; do
    commands unit sweep $errno
done

# ---- every second call that writes, reads or waits is interrupted: nothing comes of it ----
interrupted() {
    rm -rf made*
    code=0
    timeout 120 env LD_PRELOAD="$fault" FAULT_EINTR=1 "$HAWSER" "$@" >"$out" 2>"$err" </dev/null || code=$?
    check "$*: interrupted calls" test $code -eq 0
}
commands undivided interrupted

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
commands undivided limited

# ---- nobody reads what is printed ----
unread() {
    rm -rf made*
    { code=0 && "$HAWSER" "$@" 2>"$err" </dev/null || code=$?; echo $code >code; } | true
    check "$*: nobody reads it" grep -q -e '^4$' -e '^0$' code
}
commands undivided unread

# ---- signals, once they are caught: a program that has not begun may die of one ----
catches() {
    caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null)
    test $((0x${caught:-0} & 0x4000)) -ne 0 # SIGTERM
}
signalled() {
    signal=$1
    shift
    rm -rf made*
    "$HAWSER" "$@" >"$out" 2>"$err" </dev/null &
    pid=$!
    tries=0
    until catches $pid || [ $((tries += 1)) -gt 200 ]; do
        sleep 0.05
    done
    sleep 0.1
    kill -"$signal" $pid
    code=0
    wait $pid || code=$?
    check "$*: SIG$signal" test $code -eq 130 -a -s "$err" -o $code -eq 0
    check "$*: SIG$signal: nothing goes on" test -z "$(ps -o pid= --ppid $pid)"
    for file in made.h5; do
        [ ! -e $file ] || check "$*: SIG$signal: $file is whole" contents $file whole
    done
}
for signal in TERM INT HUP XCPU; do
    undivided signalled $signal plot good.h5 -o made
    undivided signalled $signal run wrap -o made.h5
    undivided signalled $signal compare $short --set stepper.step=1.0e-7 --vary friction=0,1 -o made
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
    commands undivided denied
fi
finish
