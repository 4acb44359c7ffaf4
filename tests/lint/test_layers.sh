#!/bin/sh
# The layer check accepts what the layers allow and names every planted violation.
set -eu
here=$(dirname "$0")
passed=0
failed=0

# expect allowed|refused FILE INCLUDE
expect() {
    if printf '%s:7:#include %s\n' "$2" "$3" | awk -f "$here/layers.awk" >/dev/null; then
        got=allowed
    else
        got=refused
    fi
    if [ "$got" = "$1" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "layers: $2 including $3 is $got, expected $1"
    fi
}

expect allowed src/model/model.c '"element/element.h"'
expect allowed src/model/model.c '"model/state.h"'
expect allowed src/solver/pgs.c '<hawser/solver.h>'
expect allowed src/io/hdf5.c '<hawser/scenario.h>'
expect allowed src/stepper/moreau.c '<math.h>'
expect allowed include/hawser/io.h '<hawser/scenario.h>'
expect refused src/solver/pgs.c '"model/model.h"'
expect refused src/solver/pgs.c '<hawser/model.h>'
expect refused src/element/chain.c '"shape/surface.h"'
expect refused src/io/hdf5.c '"scenario/yaml.h"'
expect refused src/report/figures.c '"cli/term.h"'
expect refused src/base/arena.c '"linalg/band.h"'
expect refused src/contact/grid.c '"../model/model.h"'
expect refused src/contact/grid.c '"grid.h"'
expect refused src/newcomer/x.c '"base/status.h"'
expect refused include/hawser/problem.h '<hawser/model.h>'
expect refused include/hawser/model.h '"model/model.h"'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
