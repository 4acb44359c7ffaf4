#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kill.sh [N] : runs are killed N times (50) after random times of the processor (SIGKILL, by
# tests/fault/preload.c) and gone on with from what is on the disk. No file under its final name is
# damaged, nor is a checkpoint, and every run ends with the numbers of one that was not killed:
# every object of the file bit by bit, the last checkpoint included, where h5py is there, else
# histories, events and profiles with all their digits. What was being written (.part) can be read to its
# last flush, or says that it was killed within one. SEED draws other times.
. "$(dirname "$0")/../cli/support/checks"
here=$root/tests/cli
kills=${1:-50}
seed=${SEED:-1}
often='--set output.checkpoint.frames=3'
fault=$work/fault.so
if ! ${CC:-cc} -O1 -shared -fPIC -o "$fault" "$root/tests/fault/preload.c" 2>"$err"; then
    echo "skipped: the library that kills cannot be built here"
    exit 0
fi
python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import h5py' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || echo "      bytes are not compared: python3-h5py is not installed"

settings() {
    case $1 in
    disk-impact) echo "--set stepper.step=1.0e-5 --set output.every=2.5e-3" ;;
    belt-drive) echo "--set stepper.end=0.01 --set output.every=2.5e-4" ;;
    winding-w1) echo "--set stepper.end=2 --set output.every=0.05" ;;
    elevator) echo "--set stepper.end=0.4 --set output.every=0.01" ;;
    esac
}

# is_same FILE NAME : as the run of that name
is_same() {
    if [ -n "$python" ]; then
        "$python" "$root/tests/fault/same.py" "$1" "$2.h5"
    else
        contents "$1" k.file && cmp -s k.file.txt "$2.whole.txt"
    fi
}

# ---- what each run gives when nobody kills it ----
for name in disk-impact belt-drive winding-w1 elevator; do
    call 0 "$name" run "$name" --json -o "$name.h5" $often $(settings "$name")
    eval "time_$(echo "$name" | tr - _)=$(leaf cpu_seconds)"
    check "$name: contents" contents "$name.h5" "$name.whole"
done

# ---- killed ----
early=0 resumed=0 late=0 unreadable=0 damaged=0 different=0 parts=0 empty=0 wrong=0
for i in $(seq "$kills"); do
    set -- disk-impact belt-drive winding-w1 elevator
    shift $((i % 4))
    name=$1
    eval "most=\$time_$(echo "$name" | tr - _)"
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    wait=$(awk -v r="$seed" -v most="$most" 'BEGIN { print 0.02 + (most + 0.03) * r / 2147483648 }')
    rm -rf k.h5*
    LD_PRELOAD=$fault FAULT_KILL=$wait "$HAWSER" run "$name" -q -o k.h5 $often $(settings "$name") >/dev/null 2>&1
    if [ -e k.h5.part ]; then
        if ! head -c 8 k.h5.part | grep -q HDF; then
            empty=$((empty + 1)) # killed before the first flush
        else
            parts=$((parts + 1))
            if contents k.h5.part k.file; then # each history is the beginning of the whole one
                for table in k.file/*.csv; do
                    case $table in *profile* | *events*) continue ;; esac
                    lines=$(wc -l <"$table")
                    head -n "$lines" "$name.whole/${table#k.file/}" | cmp -s - "$table" || {
                        grep -q seconds "$table" || echo "FAIL  kill $i of $name after $wait s: $table of the .part"
                        grep -q seconds "$table" || wrong=$((wrong + 1))
                    }
                done
            elif grep -q 'before its first flush' k.file.err; then
                empty=$((empty + 1))
            else
                echo "      kill $i of $name after $wait s: $(cat k.file.err)"
                unreadable=$((unreadable + 1))
            fi
        fi
    fi
    if [ -e k.h5.ckpt ]; then
        resumed=$((resumed + 1))
        "$HAWSER" run --resume k.h5 -q >/dev/null 2>k.err || { # it reads all that a checkpoint has
            echo "FAIL  kill $i of $name after $wait s: $(cat k.err)"
            damaged=$((damaged + 1))
            continue
        }
    elif [ -e k.h5 ]; then
        late=$((late + 1))
    else
        early=$((early + 1))
        continue
    fi
    if ! is_same k.h5 "$name"; then
        echo "FAIL  kill $i of $name after $wait s: another end"
        different=$((different + 1))
    fi
    [ $((i % 100)) -ne 0 ] || echo "      $i kills: $resumed gone on with, $damaged damaged, $different different"
done
echo "      $kills kills: $early before a checkpoint, $resumed gone on with, $late after the end;" \
    "of files that were being written $empty have nothing yet, $unreadable of $parts cannot be read"
check "no damaged results or checkpoints" test $damaged -eq 0
check "every run ends as if it had not been killed" test $different -eq 0
check "runs were gone on with" test $((4 * resumed)) -ge "$kills"
check "what was being written is never read wrongly" test $wrong -eq 0
check "what was being written can almost always be read" test $((10 * unreadable)) -le $((parts + 20))
finish
