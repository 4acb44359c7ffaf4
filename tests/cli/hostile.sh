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
#include <errno.h>
#include <stdlib.h>
/* In the place of the library's own. */
long H5Fopen(const char *name, unsigned flags, long access)
{
    errno = getenv("LACK") != NULL ? ENOMEM : 0;
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

# ---- HDF5 without memory, which it does not tell ----
cat >lack.c <<'LACK'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* In the place of the library's own: LACK is the function that fails, LACK_AT a name it is asked for. */
static int lacks(const char *function, const char *name)
{
    const char *at = getenv("LACK_AT");
    const int fails = strcmp(getenv("LACK"), function) == 0 && (at == NULL || strcmp(at, name) == 0);
    errno = fails ? ENOMEM : errno;
    return fails;
}
long H5Fopen(const char *name, unsigned flags, long access)
{
    long (*own)(const char *, unsigned, long) = dlsym(RTLD_NEXT, "H5Fopen");
    return lacks("H5Fopen", name) ? -1 : own(name, flags, access);
}
int H5Lexists(long place, const char *name, long access)
{
    int (*own)(long, const char *, long) = dlsym(RTLD_NEXT, "H5Lexists");
    return lacks("H5Lexists", name) ? -1 : own(place, name, access);
}
long H5Aopen_by_name(long place, const char *object, const char *name, long a, long b)
{
    long (*own)(long, const char *, const char *, long, long) = dlsym(RTLD_NEXT, "H5Aopen_by_name");
    return lacks("H5Aopen_by_name", name) ? -1 : own(place, object, name, a, b);
}
ssize_t H5Lget_name_by_idx(long place, const char *group, int index, int order, unsigned long long n, char *name,
                           size_t size, long access)
{
    ssize_t (*own)(long, const char *, int, int, unsigned long long, char *, size_t, long) =
        dlsym(RTLD_NEXT, "H5Lget_name_by_idx");
    return lacks("H5Lget_name_by_idx", group) ? -1 : own(place, group, index, order, n, name, size, access);
}
LACK
${CC:-cc} -shared -fPIC -O0 -o lack.so lack.c -ldl
lacking() {
    code=0
    LD_PRELOAD=$work/lack.so "$HAWSER" "$@" >"$out" 2>"$err" </dev/null || code=$?
    name="$* without memory in $LACK"
    check "$name: exit code 3" test "$code" -eq 3
    says 'out of memory'
    one_message
}
call 0 'results with a checkpoint' run "$scene" --set stepper.end=0.001 --set output.checkpoint.frames=2 -q -o kept.h5
export LACK LACK_AT
for LACK in H5Fopen H5Lget_name_by_idx; do
    lacking report results.h5
done
LACK=H5Lexists LACK_AT=/hawser lacking report results.h5
LACK=H5Aopen_by_name LACK_AT=NSteps lacking report results.h5
LACK=H5Lexists LACK_AT=/hawser/checkpoint lacking run --resume kept.h5 --no-output
unset LACK LACK_AT

# a child that is sent ahead says nothing of its crash: its parent does, once
for command in 'run --resume' solve; do
    file=kept.h5 want=4
    test "$command" = solve && file=$root/data/fclib/FrictionContact3D_1c.hdf5 want=3
    code=0
    LACK=1 LD_PRELOAD=$work/crash.so "$HAWSER" $command "$file" --json >"$out" 2>"$err" </dev/null || code=$?
    name="$command where HDF5 crashes without memory"
    : >"$flat"
    check "$name: exit code $want" test "$code" -eq "$want"
    says 'it is damaged, or memory is out: HDF5 crashes'
    one_message
    json
done

# ---- drafts of a child that ends in the middle ----
cat >middle.c <<'MIDDLE'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
/* In the place of the library's own: it fails once a draft is there. */
int H5Dread(long set, long type, long memory, long file, long how, void *value)
{
    int (*own)(long, long, long, long, long, void *) = dlsym(RTLD_NEXT, "H5Dread");
    if (system("ls made* made/* 2>/dev/null | grep -q '[.]part$'") == 0) {
        system("echo >>drafts");
        raise(atoi(getenv("DEATH")));
    }
    return own(set, type, memory, file, how, value);
}
MIDDLE
${CC:-cc} -shared -fPIC -O0 -o middle.so middle.c -ldl
for signal in 11 24 9; do
    for command in 'report results.h5 -o made.html' 'export results.h5 -o made --csv --vtp' 'plot results.h5 -o made'; do
        rm -rf made* drafts
        name="$command, ended by signal $signal"
        DEATH=$signal LD_PRELOAD=$work/middle.so "$HAWSER" $command >"$out" 2>"$err" </dev/null
        check "$name: it had a draft" test -s drafts
        check "$name: none is left" test -z "$(find . -name '*.part')"
    done
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

# ---- a gnuplot that hangs: a study is interrupted in the midst of its figures ----
mkdir hang
printf '#!/bin/sh\necho $$ >"$4/drawing"\nexec sleep 600\n' >hang/gnuplot
chmod +x hang/gnuplot
PATH="$work/hang:$PATH" "$HAWSER" study "$scene" --set stepper.end=0.001 --vary friction=0.1,0.2 -o hung >"$out" 2>"$err" </dev/null &
pid=$!
for _ in $(seq 400); do
    test -s hung/drawing && break
    sleep 0.05
done
kill -TERM $pid
(sleep 30 && kill -KILL $pid) 2>/dev/null &
late=$!
code=0
wait $pid || code=$?
kill $late 2>/dev/null
check 'a gnuplot that hangs does not hold an interruption' test "$code" -eq 130
says 'interrupted while gnuplot draws'
check 'a gnuplot that hangs: the table is there' test -s hung/study.csv
finish
