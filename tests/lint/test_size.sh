#!/bin/sh
# The size count finds the longest function and refuses what is too long.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# body LINES : a function of two signature lines, braces and LINES statements
body() {
    printf 'int f(int a,\n      int b)\n{\n'
    i=0
    while [ "$i" -lt "$1" ]; do
        echo '    a += b;'
        i=$((i + 1))
    done
    printf '}\n\n'
}

# expect STATUS LARGEST BODY...
expect() {
    status=$1
    largest=$2
    shift 2
    : >"$work/a.c"
    for lines in "$@"; do body "$lines" >>"$work/a.c"; done
    got=0
    text=$(awk -f "$here/size.awk" "$work/a.c") || got=1
    case "$got $text" in
    "$status "*"largest $largest "*) passed=$((passed + 1)) ;;
    *)
        failed=$((failed + 1))
        echo "size: bodies $*: got $got, $text"
        ;;
    esac
}

expect 0 10 6 5 4
expect 0 60 1 2 3 4 5 6 7 8 9 10 56
expect 1 61 1 2 3 4 5 6 7 8 9 10 57
expect 0 20 16 16 1
expect 1 45 1 1 1 41 41

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
