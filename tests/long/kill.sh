#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kill.sh [N] : runs are killed N times (50) at random times and gone on with from what is on the
# disk. No file under its final name is damaged, nor is a checkpoint, and every run ends with the
# numbers of one that was not killed: histories, events and profiles with all their digits, and the
# bytes of the last checkpoint. SEED draws other times.
. "$(dirname "$0")/../cli/support/checks"
kills=${1:-50}
seed=${SEED:-1}
often='--set output.checkpoint.frames=3'

settings() {
    case $1 in
    disk-impact) echo "--set stepper.step=2.0e-6 --set output.every=1.0e-3" ;;
    belt-drive) echo "--set stepper.end=0.02 --set output.every=5.0e-4" ;;
    winding-w1) echo "--set stepper.end=3 --set output.every=0.05" ;;
    elevator) echo "--set stepper.end=0.4 --set output.every=0.01" ;;
    esac
}

# ---- what each run gives when nobody kills it ----
for name in disk-impact belt-drive winding-w1 elevator; do
    least=
    for _ in 1 2 3; do # the machine may have had other things to do
        begin=$(date +%s%N)
        call 0 "$name" run "$name" -q -o "$name.h5" $often $(settings "$name")
        took=$((($(date +%s%N) - begin) / 1000000))
        test -n "$least" && test "$least" -le $took || least=$took
    done
    eval "time_$(echo "$name" | tr - _)=$least"
    check "$name: contents" contents "$name.h5" "$name.whole"
done

# ---- killed ----
early=0 resumed=0 late=0 unreadable=0 damaged=0 different=0 parts=0 empty=0
for i in $(seq "$kills"); do
    set -- disk-impact belt-drive winding-w1 elevator
    shift $((i % 4))
    name=$1
    eval "most=\$time_$(echo "$name" | tr - _)"
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    wait=$(awk -v r="$seed" -v most="$most" 'BEGIN { print most / 1000 * r / 2147483648 }')
    rm -rf k.h5*
    "$HAWSER" run "$name" -q -o k.h5 $often $(settings "$name") >/dev/null 2>&1 &
    pid=$!
    sleep "$wait"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    for file in k.h5 k.h5.ckpt; do
        if [ -e $file ] && ! contents $file k.file; then
            echo "FAIL  kill $i of $name after $wait s: $file is damaged: $(cat k.file.err)"
            damaged=$((damaged + 1))
        fi
    done
    if [ -e k.h5.part ]; then
        if ! head -c 8 k.h5.part | grep -q HDF; then
            empty=$((empty + 1)) # killed before the first flush
        else
            parts=$((parts + 1))
            contents k.h5.part k.file || unreadable=$((unreadable + 1))
        fi
    fi
    if [ -e k.h5.ckpt ]; then
        resumed=$((resumed + 1))
        "$HAWSER" run --resume k.h5 -q >/dev/null 2>k.err || cat k.err
    elif [ -e k.h5 ]; then
        late=$((late + 1))
    else
        early=$((early + 1))
        continue
    fi
    if ! contents k.h5 k.file || ! cmp -s k.file.txt "$name.whole.txt"; then
        echo "FAIL  kill $i of $name after $wait s: another end"
        different=$((different + 1))
    fi
done
echo "      $kills kills: $early before a checkpoint, $resumed gone on with, $late after the end;" \
    "of files that were being written $empty have nothing yet, $unreadable of $parts cannot be read"
check "no damaged results or checkpoints" test $damaged -eq 0
check "every run ends as if it had not been killed" test $different -eq 0
check "runs were gone on with" test $((4 * resumed)) -ge "$kills"
check "what was being written can almost always be read" test $((10 * unreadable)) -le $((parts + 20))
finish
