#!/bin/sh
# The count of worlds finds what is planted, passes over comments and rows, and keeps its limits.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
mkdir -p "$work/src/stepper" "$work/src/element" "$work/src/cable"

# expect KIND COUNT FILE TEXT : the count of the kind in a tree of that one file
expect() {
    rm -f "$work"/src/*/*.[ch]
    printf '%s\n' "$4" >"$work/src/$3"
    got=$(LIMITS='dimension 99 ropes 99 addresses 99 worlds 99 pieces 99 lines 99' \
        sh "$here/worlds.sh" "$work" | awk -v kind="$1" '$1 == kind { print $2 }')
    if [ "$got" = "$2" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "worlds: $1 of '$4' in $3: got $got, expected $2"
    fi
}

expect dimension 1 stepper/a.c 'if (model->dimension == 3) {'
expect dimension 1 stepper/a.c 'x = d == 2 ? 0 : 1;'
expect dimension 1 stepper/a.c 'HAW_TRY(haw_guard_planar(simulation));'
expect dimension 0 stepper/a.c '/* dimension == 3 */'
expect dimension 0 stepper/a.c 'for (int i = 0; i < dimension; i++) {'
expect dimension 0 element/a.c 'if (model->dimension == 3) {'
expect ropes 1 stepper/a.c 'if (cable->rope != NULL) {'
expect ropes 0 cable/a.c 'if (cable->rope != NULL) {'
expect addresses 1 stepper/a.c 'if (ops == &haw_stepper_static) {'
expect addresses 0 stepper/a.c 'ops = &haw_stepper_static;'
expect worlds 1 stepper/space_stage.c ''
expect worlds 1 stepper/implicit_rope.c ''
expect worlds 0 element/space.c ''
expect pieces 1 stepper/newton_step.c ''
expect pieces 0 stepper/newton.c ''
expect lines 1 stepper/a.c 'int a;'

rm -f "$work"/src/*/*.[ch]
echo 'if (cable->rope != NULL) {' >"$work/src/stepper/a.c"
if LIMITS='dimension 0 ropes 0 addresses 0 worlds 0 pieces 0 lines 9' sh "$here/worlds.sh" "$work" >/dev/null; then
    failed=$((failed + 1))
    echo 'worlds: passes above its limit'
else
    passed=$((passed + 1))
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
