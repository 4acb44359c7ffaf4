#!/bin/sh
# case.sh WORK BASE TOP "NAME SCENARIO SET..." : run one case with both builds and compare (golden.sh).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$1
base=$2
top=$3
set -f
# shellcheck disable=SC2086
set -- $4
set +f
name=$1
scenario=$2
shift 2
settings=
for setting in "$@"; do settings="$settings --set $setting"; done

# record TREE FOLDER : the text of all that a run says
record() {
    rm -rf "$2"
    mkdir -p "$2"
    cd "$2"
    status=0
    # shellcheck disable=SC2086
    "$1/build/hawser" run "$1/data/scenarios/$scenario.yaml" $settings -o run.h5 --json >json 2>messages || status=$?
    if [ -f run.h5 ]; then "$1/build/hawser" export run.h5 -o tables --csv >/dev/null 2>&1 || status="$status export"; fi
    {
        echo "status $status"
        grep -vE '"(wall_seconds|cpu_seconds|seconds_per_step|scenario|output)"' json | sed "s|$1||" || :
        for table in tables/*.csv; do
            [ -f "$table" ] && echo "$(basename "$table")" && cat "$table"
        done
    } | awk -f "$here/points.awk" >record
    rm -rf run.h5 tables
}

# What the revision said before to the same case, it says again.
before=$base/record/$(echo "$name $scenario $settings" | tr -c 'A-Za-z0-9.=_\n-' '_')
if [ ! -f "$before" ]; then
    record "$base" "$work/run/$name/before"
    mkdir -p "$base/record"
    cp record "$before.$$"
    mv "$before.$$" "$before"
fi
record "$top" "$work/run/$name/after"
mkdir -p "$work/run/$name/before"
cp "$before" "$work/run/$name/before/record"
cd "$work/run/$name"
if cmp -s before/record after/record; then
    printf 'same    %-26s %s %s\n' "$name" "$(head -1 after/record)" "$(sha256sum <after/record | cut -c1-16)"
else
    printf 'differs %-26s %s\n' "$name" "$(awk -f "$here/differ.awk" before/record after/record 2>/dev/null || :)"
fi
