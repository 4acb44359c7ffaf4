#!/bin/sh
# against.sh REVISION [RUNS] : CPU time of the present tree over that of a revision, in one run.
#
# Both programs are built on this machine and run the same scenarios in turn, so that whatever else
# the machine does falls on both; the figure is the ratio of the smallest CPU times. Writing results
# is part of both. The last line of the table tells the largest ratio.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/.." && pwd)
[ $# -ge 1 ] || { echo "usage: against.sh REVISION [RUNS]" >&2; exit 2; }
revision=$(git -C "$top" rev-parse --verify "$1^{commit}")
runs=${2:-5}
builds=${GOLDEN:-$top/build/golden}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

base=$builds/$revision
if [ ! -x "$base/build/hawser" ]; then
    mkdir -p "$base"
    git -C "$top" archive "$revision" | tar -x -C "$base"
    make -C "$base" -j"$(nproc)" --no-print-directory all >"$work/build.log" 2>&1
fi
make -C "$top" -j"$(nproc)" --no-print-directory all >"$work/build.log" 2>&1

# seconds TREE ARGUMENT... : CPU seconds of the stepping, as the run says them itself
seconds() {
    tree=$1
    scenario=$2
    shift 2
    "$tree/build/hawser" run "$tree/data/scenarios/$scenario.yaml" "$@" -o "$work/run.h5" --json 2>/dev/null |
        awk -F'[:,]' '/"cpu_seconds"/ { print $2 + 0 }'
}

# compare NAME SCENARIO SETTING...
compare() {
    name=$1
    scenario=$2
    shift 2
    for setting in "$@"; do
        shift
        set -- "$@" --set "$setting"
    done
    i=0
    : >"$work/times"
    while [ "$i" -lt "$runs" ]; do
        echo "$(seconds "$base" "$scenario" "$@") $(seconds "$top" "$scenario" "$@")" >>"$work/times"
        i=$((i + 1))
    done
    awk -v name="$name" '
        NR == 1 { before = $1; after = $2 }
        { before = $1 < before ? $1 : before; after = $2 < after ? $2 : after }
        END { printf "%-28s %10.4f s %10.4f s   %.3f\n", name, before, after, after / before }' "$work/times"
}

printf '%-28s %12s %12s   %s\n' scene before after ratio
{
    compare 'disk impact 20 x 8' disk-impact
    compare 'disk impact 2000' disk-impact cables.cable.elements=2000 contact.points_per_element=2 \
        stepper.step=auto stepper.end=0.0172
    compare 'belt drive' belt-drive stepper.end=0.25
    compare 'winding W1' winding-w1
    compare 'elevator ale' elevator stepper.end=3
    compare 'elevator arc1d' elevator cables.rope.element=arc1d stepper.end=6
} | tee "$work/table"
awk '{ worst = $NF > worst ? $NF : worst } END { printf "largest ratio %.3f\n", worst }' "$work/table"
