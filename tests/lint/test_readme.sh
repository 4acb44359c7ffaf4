#!/bin/sh
# The README generator is idempotent, fills the table from the CSV and refuses a broken row.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

check() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'readme: %s: got %s, expected %s\n' "$1" "$2" "$3"
    fi
}

printf 'case,quantity,reference,unit,tolerance,kind,measured,source,command\na,b,1,m,1e-3,absolute,2e-4,x; y,make\n' >"$work/v.csv"
printf 'before\n<!-- figures:begin -->\nold\n<!-- figures:end -->\n<!-- iterations:begin -->\n<!-- iterations:end -->\nafter\n' >"$work/r.md"
printf "scenario,problems,a,b,c,d\nx,3,4.5,6,7,8\n" >"$work/i.csv"
awk -f "$here/readme.awk" "$work/v.csv" "$work/i.csv" "$work/r.md" >"$work/one.md"
awk -f "$here/readme.awk" "$work/v.csv" "$work/i.csv" "$work/one.md" >"$work/two.md"
check 'row' "$(sed -n 5p "$work/one.md")" '| a | b | 1 m | 1e-3 m | 2e-4 | x, y | `make` |'
check 'old text is gone' "$(grep -c old "$work/one.md")" 0
check 'the rest stays' "$(sed -n '1p;$p' "$work/one.md" | tr '\n' ' ')" 'before after '
check "iterations" "$(grep -c "^. x . 3 . 4.5 . 6 . 7 . 8 .$" "$work/one.md")" 1
check 'idempotent' "$(cmp "$work/one.md" "$work/two.md" && echo same)" same
echo 'a,b' >>"$work/v.csv"
awk -f "$here/readme.awk" "$work/v.csv" "$work/i.csv" "$work/r.md" >/dev/null 2>&1 && status=0 || status=1
check 'a broken row fails' "$status" 1

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
