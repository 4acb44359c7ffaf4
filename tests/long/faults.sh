#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# faults.sh [N] : of each command N (60) allocations fail, one at a time, and N calls that write to
# files; also inside of libraries (tests/fault/preload.c). N=all takes every one. Whatever fails, the
# command ends with a documented exit code and a message, and nothing has a final name but whole
# files: earlier results are as they were.
. "$(dirname "$0")/../cli/support/checks"
most=${1:-60}
cc=${CC:-cc}
fault=$work/fault.so
if ! $cc -O1 -shared -fPIC -o "$fault" "$root/tests/fault/preload.c" 2>"$err"; then
    echo "skipped: the library that plants faults cannot be built here"
    exit 0
fi
short='--set stepper.end=0.004'

# ---- what the commands work on ----
call 0 'results' run "$scene" $short --set output.checkpoint.frames=2 -o good.h5 -q
call 0 'others' run "$scene" $short --set contact.friction=0 -o other.h5 -q
cp "$root/data/fclib/"*.hdf5 . 2>/dev/null
problem=$(ls ./*.hdf5 2>/dev/null | head -n 1)

# is_whole FILE : of the kind that its name tells
is_whole() {
    case $1 in
    *.h5 | *.ckpt) "$HAWSER" export "$1" --csv -o whole >/dev/null 2>whole.err ;;
    *.html) tail -c 20 "$1" | grep -q '</html>' ;;
    *) true ;;
    esac
}

# plant KIND ERRNO LASTING WORDS... : the command with the n-th call failing, for n over all
plant() {
    kind=$1 number=$2 lasting=$3 column=1
    shift 3
    test "$kind" = WRITE && column=2
    rm -rf made* count
    LD_PRELOAD=$fault FAULT_COUNT=$work/count "$HAWSER" "$@" >/dev/null 2>&1 </dev/null
    total=$(awk -v c=$column '$c > most { most = $c } END { print most + 0 }' count)
    tried=0 bad=0 succeeded=0
    n=1
    stride=1
    test "$most" = all || stride=$((total / most + 1))
    while [ $n -le "$total" ]; do
        rm -rf made*
        cp good.h5 made.h5
        code=0
        timeout 60 env LD_PRELOAD="$fault" "FAULT_$kind=$n" "FAULT_ERRNO=$number" \
            "FAULT_LASTING=$lasting" "$HAWSER" "$@" >"$out" 2>"$err" </dev/null || code=$?
        why=
        case $code in
        0) succeeded=$((succeeded + 1)) ;;
        1 | 2 | 3 | 4 | 130) test -s "$err" || why='no message' ;;
        *) why="exit code $code" ;;
        esac
        test $code -eq 0 || cmp -s good.h5 made.h5 || why='earlier results were changed'
        for file in made*.h5 made*.ckpt made*.html; do
            [ ! -e "$file" ] || is_whole "$file" || why="$file is damaged"
        done
        if [ -n "$why" ]; then
            bad=$((bad + 1))
            echo "      $kind $n of $total: $* : $why: $(head -n 1 "$err" | cut -c 1-120)"
        fi
        tried=$((tried + 1))
        n=$((n + stride))
    done
    check "$1: $kind of errno $number, $tried of $total fail, $succeeded do not matter" test "$tried" -gt 0 -a $bad -eq 0
}

for errno in 12 28; do
    kind=ALLOCATION
    test $errno = 28 && kind=WRITE
    plant $kind $errno 0 run "$scene" $short --set output.checkpoint.frames=2 -o made.h5 -q
    plant $kind $errno 1 run "$scene" $short -o made.h5 -q
    plant $kind $errno 0 run --resume good.h5 -o made.h5 --set stepper.end=0.005 -q
    plant $kind $errno 0 export good.h5 --csv -o made
    plant $kind $errno 0 plot good.h5 -o made
    plant $kind $errno 0 report good.h5 -o made.html
    plant $kind $errno 0 compare "$scene" $short --vary contact.friction=0,0.3 -o made
    plant $kind $errno 0 study "$scene" $short --vary friction=0:1:2 -o made
    test -z "$problem" || plant $kind $errno 0 solve "$problem"
done
plant WRITE 5 0 run "$scene" $short -o made.h5 -q
finish
