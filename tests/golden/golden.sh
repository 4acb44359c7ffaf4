#!/bin/sh
# golden.sh [-j JOBS] REVISION [CASE...] : is the present tree the same program as that revision?
#
# Builds both on this machine, runs every case of `cases` with both, and compares what the runs say
# (the summary without its seconds) and all numbers of their results: histories, profiles, contacts
# and the ledger of every frame, the final state among them, with all 17 digits. No number is stored:
# bits depend on compiler and libraries. Prints one line a case: the hash that both have, or how far
# apart they are. GOLDEN names a folder for the builds of revisions, to be shared between trees.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
jobs=$(nproc)
[ "${1:-}" = -j ] && jobs=$2 && shift 2
[ $# -ge 1 ] || { echo "usage: golden.sh [-j JOBS] REVISION [CASE...]" >&2; exit 2; }
revision=$(git -C "$top" rev-parse --verify "$1^{commit}")
shift
work=$top/build/golden
builds=${GOLDEN:-$work}
mkdir -p "$work" "$builds"

for scenario in "$top"/data/scenarios/*.yaml; do
    name=$(basename "$scenario" .yaml)
    grep -qE "^[^ #]+ $name( |\$)" "$here/cases" || { echo "golden: no case runs $name" >&2; exit 2; }
done

# The revision as it was, built once.
base=$builds/$revision
if [ ! -x "$base/build/hawser" ]; then
    new=$builds/new.$$
    mkdir -p "$new"
    git -C "$top" archive "$revision" | tar -x -C "$new"
    make -C "$new" -j"$jobs" --no-print-directory all >"$work/build.log" 2>&1 ||
        { tail "$work/build.log" >&2; exit 2; }
    [ -d "$base" ] || mv "$new" "$base"
    rm -rf "$new"
fi
make -C "$top" -j"$jobs" --no-print-directory all >"$work/build.log" 2>&1 || { tail "$work/build.log" >&2; exit 2; }

sed -e 's/#.*//' -e '/^ *$/d' "$here/cases" | while read -r name rest; do
    [ $# -gt 0 ] && case " $* " in *" $name "*) ;; *) continue ;; esac
    echo "$name $rest"
done >"$work/list"
xargs -P "$jobs" -I{} sh "$here/case.sh" "$work" "$base" "$top" "{}" <"$work/list" | tee "$work/report"
awk '$1 == "same" { p++ } $1 != "same" { f++ } END { printf "%d passed, %d failed\n", p, f; exit f > 0 || p == 0 }' "$work/report"
