#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Files from others: pipes and devices, titles that would be commands, names that would leave a folder,
# HDF5 files that crash the library that reads them. See doc/trust.md.
. "$(dirname "$0")/support/checks"

# ---- what is no regular file ----
mkfifo pipe
for command in plot export report solve; do
    for file in pipe /dev/zero; do
        call 4 "$command $file" "$command" "$file"
        says 'is not a regular file'
        one_message
    done
done
call 4 'a pipe that a scenario names' run knot-trefoil --set 'cables.rod.path=[{file: pipe}]' --no-output
says 'is not a regular file'
cat "$scene" >pipe &
call 0 'a pipe that the user names is read' check pipe -q
call 3 'a device without an end' run /dev/zero --no-output
says 'too large for a scenario'

# ---- what would take the memory ----
{ printf 'hawser: 1\na: ['; yes 1, | head -n 1100000 | tr -d '\n'; printf '1]\n'; } >values.yaml
call 3 'too many values' check values.yaml
says 'more than a million values'
{ printf 'hawser: 1\na: '; yes '[' | head -n 1000000 | tr -d '\n'; } >deep.yaml
call 3 'too deep' check deep.yaml

# ---- files that are no results, and one that crashes HDF5 ----
cat >crash.c <<'CRASH'
/* In the place of the library's own. */
long H5Fopen(const char *name, unsigned flags, long access)
{
    *(volatile int *)0 = (int)(flags + (unsigned)access + (unsigned)*name);
    return -1;
}
CRASH
${CC:-cc} -shared -fPIC -O0 -o crash.so crash.c
call 0 'results' run "$scene" --set stepper.end=0.001 -q -o results.h5
for command in export report plot; do
    call 4 "$command of what is no result" "$command" "$here/support/damaged.hdf5"
    one_message
    code=0
    LD_PRELOAD=$work/crash.so "$HAWSER" "$command" results.h5 --json >"$out" 2>"$err" </dev/null || code=$?
    name="$command where HDF5 crashes"
    : >"$flat"
    check "$name: exit code 4" test "$code" -eq 4
    says "cannot read 'results.h5': it is damaged, or memory is out: HDF5 crashes"
    json
    key status string io
done

# ---- a file in which HDF5 goes round for ever ----
cat >hang.c <<'HANG'
#include <stdio.h>
#include <sys/resource.h>
/* In the place of the library's own. Its time would be long for a test: it shortens it. */
long H5Fopen(const char *name, unsigned flags, long access)
{
    struct rlimit time;
    FILE *limit = fopen("limit", "w");
    getrlimit(RLIMIT_CPU, &time);
    fprintf(limit, "%lld\n", time.rlim_cur > 1000000 ? -1LL : (long long)time.rlim_cur);
    fclose(limit);
    time.rlim_cur = 1;
    setrlimit(RLIMIT_CPU, &time);
    for (volatile long round = 0; round < 1000000000000; round++) {
    }
    return (long)flags + access + *name;
}
HANG
${CC:-cc} -shared -fPIC -O0 -o hang.so hang.c
for command in export report plot 'run --resume' solve; do
    file=results.h5 want=4
    test "$command" = solve && file=$root/data/fclib/FrictionContact3D_1c.hdf5 want=3
    code=0
    LD_PRELOAD=$work/hang.so timeout 30 "$HAWSER" $command "$file" --json >"$out" 2>"$err" </dev/null || code=$?
    name="$command where HDF5 does not end"
    : >"$flat"
    check "$name: exit code $want" test "$code" -eq "$want"
    check "$name: it had ten minutes" grep -qx '60[0-9]' limit
    says 'HDF5 did not finish reading; damaged?'
    one_message
    json
done

# ---- texts that would be commands ----
cat >title <<'TITLE'
title: "`touch pwned` $(touch pwned)\n'); system(\"touch pwned\"); #</script><script>window.pwned = 1</script>"
TITLE
sed -e '/^title:/{r title
d
}' -e 's/end: 0.25/end: 0.02/' "$scene" >titled.yaml
call 0 'a title' run titled.yaml -o titled.h5 -q
call 0 'a title: plot' plot titled.h5 -o plots
call 0 'a title: export' export titled.h5 -o tables --csv --vtp
call 0 'a title: report' report titled.h5 -o report.html
check 'a title: nothing was run' sh -c '! find . -name pwned | grep -q .'
check 'a title: no script of the report' sh -c '! grep -q "<script>window.pwned" report.html'

# ---- texts that a terminal would obey ----
sed 's/^title:.*/title: "a\\e[31mb"/' "$scene" >escape.yaml
call 0 'a title with an escape' run escape.yaml --set stepper.end=0.001 --no-output
shows 'a?[31mb'
call 3 'a name with an escape' check "$scene" --set 'bodies.disk.name="d\e[31m\x7f\u009b"'
says "(got 'd?[31m??')"
for stream in "$out" "$err"; do
    check 'no control character is shown' sh -c '! LC_ALL=C tr -d "\n\t -~" <"$1" | grep -q .' sh "$stream"
done

# ---- names that would leave the folder ----
for word in ../x /x a/b '.' '"`id`"' '"a b"' '"a\nb"'; do
    call 3 "a body called $word" check "$scene" --set "bodies.disk.name=$word"
    says 'a name is made of'
done
finish
