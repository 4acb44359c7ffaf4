#!/bin/sh
# builds.sh [CASE...] : have programs made by other compilers, optimizers and BLAS the same bits?
#
# Builds the present tree by gcc and clang with -O2 and -O3, runs every case of `cases` with each, and
# once more with every BLAS below /usr/lib (BLAS names more folders), and compares what the runs say with
# that of gcc -O3, as golden.sh does with revisions. Prints a table of the cases that differ, with how far
# they are apart. doc/trust.md says why some do.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
work=$top/build/builds
rm -rf "$work"
mkdir -p "$work"

# tree NAME : a folder that stands for a checkout
tree() {
    mkdir -p "$work/$1/build"
    ln -sfn "$top/data" "$work/$1/data"
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "not run: there is no $compiler here" && continue; }
    for level in O2 O3; do
        tree $compiler-$level
        make -C "$top" -j"$(nproc)" --no-print-directory BUILD="$work/$compiler-$level/build" CC=$compiler CFLAGS=-$level \
            "$work/$compiler-$level/build/hawser" >"$work/build.log" 2>&1 || { tail "$work/build.log" >&2; exit 2; }
    done
done
for folder in /usr/lib/*/blas /usr/lib/*/openblas-* /usr/lib/*/blis-* /usr/lib/*/atlas ${BLAS:-}; do
    [ -e "$folder/libblas.so.3" ] || continue
    name=blas-$(basename "$folder")
    tree "$name"
    # Of several threads none has the last bits of one.
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%s OPENBLAS_NUM_THREADS=1 exec %s/gcc-O3/build/hawser "$@"\n' "$folder" "$work" \
        >"$work/$name/build/hawser"
    chmod +x "$work/$name/build/hawser"
done

sed -e 's/#.*//' -e '/^ *$/d' "$here/cases" | while read -r name rest; do
    [ $# -gt 0 ] && case " $* " in *" $name "*) ;; *) continue ;; esac
    echo "$name $rest"
done >"$work/list"
: >"$work/report"
for build in "$work"/*/build/hawser; do
    name=${build#"$work/"}
    name=${name%%/*}
    [ "$name" = gcc-O3 ] && continue
    xargs -P "$(nproc)" -I{} sh "$here/case.sh" "$work/run/$name" "$work/gcc-O3" "$work/$name" "{}" <"$work/list" |
        sed "s/^/$name /" >>"$work/report"
done
grep -v '^[^ ]* same' "$work/report" || :
awk '{ n[$1]++ } $2 == "same" { s[$1]++ } END { for (b in n) printf "%s: %d of %d the same\n", b, s[b], n[b] }' "$work/report" | sort
