#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run --dump-problems: which problems are written, under which names, and that they can be solved.
. "$(dirname "$0")/support/checks"

short='--set stepper.end=0.03'

count() {
    find . -name "$1" | wc -l
}

call 0 'every hundredth problem' run "$scene" $short -o out.h5 --dump-problems 100 -v --json
says 'contact problems written as out-problem-*.hdf5'
json
key status string done
problems=$(sed -n 's/.*: [0-9]* of \([0-9]*\) contact problems.*/\1/p' "$err")
check 'every hundredth problem: counted' test "${problems:-0}" -gt 100
check 'every hundredth problem: as many files' test "$(count 'out-problem-*')" -eq $((problems / 100))
check 'every hundredth problem: named by its number' test -s out-problem-000100.hdf5
check 'every hundredth problem: no partial file' test "$(count '*.part')" -eq 0

call 0 'results do not depend on it' run "$scene" $short -o plain.h5
call 0 'results do not depend on it: histories' export plain.h5 -o plain --csv
call 0 'results do not depend on it: histories of the dumped run' export out.h5 -o out --csv
check 'results do not depend on it: same bytes' sh -c 'for f in plain/*.csv; do cmp "$f" "out/${f#plain/}" || exit 1; done'

call 0 'a written problem is solved' solve out-problem-000100.hdf5 --solver pgs --tol 1e-10 --json
json
key converged boolean true
key dimension number 2

call 0 'without a results file' run "$scene" $short --no-output --dump-problems 1000
check 'without a results file: in the current folder' test -s disk-impact-problem-001000.hdf5
call 0 'a folder' run "$scene" $short -o folder.h5 --dump-problems 1000 --dump-dir problems
check 'a folder: made' test -s problems/folder-problem-001000.hdf5
check 'a folder: nothing beside the results' test "$(count 'folder-problem-*')" -eq 1

call 1 'the problem that ended the run' run "$scene" -o bad.h5 --dump-problems 1000000 \
    --set solver.tolerance=1.0e-14 --set solver.max_iterations=1
one_message
says 'missed its tolerance'
check 'the problem that ended the run: is the one file' test "$(count 'bad-problem-*.hdf5')" -eq 1
call 0 'problems missed on the way' run "$scene" --set stepper.end=0.032 -o missed.h5 -q \
    --dump-problems 1000000 --set solver.tolerance=1.0e-14 --set solver.max_iterations=1 \
    --set solver.on_unconverged=warn --json
check 'problems missed on the way: all are written' \
    test "$(count 'missed-problem-*')" -eq "$(leaf unconverged_steps)"

# Of hard contacts beside compliant ones, by every stepper: their own problems only.
ball=$root/data/scenarios/slip-to-roll-penalty.yaml
bodies='[{name: ball, shape: {type: sphere, radius: 0.1}, mass: 1, spin: 60, position: [2.7e-5, 0, 0.1],
    orientation: [0.70710678118654752, -0.70710678118654752, 0, 0]}, {name: floor, shape: {type: plane}, motion: {fixed: true}},
    {name: wall, shape: {type: plane}, position: [0.1, 0, 0], orientation: [0.70710678118654752, 0, -0.70710678118654752, 0],
    motion: {fixed: true}}]'
contact='[{between: [ball, floor], friction: 0.3}, {between: [ball, wall], law: penalty, normal_stiffness: 1.0e+5,
    tangential: bristle, tangential_stiffness: 1.0e+5, friction: 0.3}]'
for stepper in moreau moreau-jean nsga generalized-alpha; do
    call 0 "both laws, $stepper" run "$ball" --set "bodies=$bodies" --set "contact=$contact" \
        --set "stepper={type: $stepper, step: 1.0e-3, end: 0.1}" --set 'output.probes=[ball.spin]' \
        -o "$stepper.h5" --dump-problems 50
    call 0 "both laws, $stepper: solved" solve "$stepper-problem-000050.hdf5" --solver newton --tol 1e-10 --json
    json
    key converged boolean true
    key dimension number 3
    key contacts number 1
done

# What found the equilibrium is gone at its end.
call 0 'an equilibrium with friction' run disk-on-slack-rope --set stepper.type=static --set contact.friction=0.3 \
    --no-output --dump-problems 1
says 'no contact problem written'
# With the points of a compliant law there are more than there was room for, and room for a problem is made again.
cat >sphere.yaml <<'END'
hawser: 1
dimension: 3
gravity: [0, 0, -20]
bodies:
  - {name: ball, shape: {type: sphere, radius: 0.34}, motion: {fixed: true}}
cables:
  - {name: soft, from: [-0.58, 0, 0.3425], to: [0.58, 0, 0.51], ends: {start: free, end: clamped}, element: chain, elements: 15, stiffness: 6.0e+5, density: 0.37, radius: 0.003}
  - {name: hard, from: [-1.32, 0, 0.74], to: [1.32, 0, 0.74], ends: {start: pinned, end: free}, element: ancf, elements: 12, stiffness: 6000, density: 0.034, bending_stiffness: 0.036, radius: 0.0012}
contact:
  - {between: [soft, ball], law: penalty, friction: 0.8, tangential: bristle, normal_stiffness: 1.2e+6, tangential_stiffness: 1.5e+6, spacing: 0.104}
  - {between: [hard, ball], friction: 0.96, spacing: 0.121335}
start: given
stepper: {type: static}
END
call 0 'an equilibrium with both laws' run sphere.yaml --no-output --dump-problems 1
says 'no contact problem written'

call 2 'none at all' run "$scene" $short --dump-problems 0
call 4 'a folder that cannot be made' run "$scene" $short --dump-problems 9 --dump-dir no/where
one_message
check 'a folder that cannot be made: before the run' test ! -e disk-impact.h5

# Files of at most 4 KiB, in blocks of 512 bytes: no problem fits.
code=0
(
    ulimit -f 8
    exec "$HAWSER" run "$scene" $short --no-output --dump-problems 1 --json >"$out" 2>"$err"
) || code=$?
name='disk that fills up'
: >"$flat"
check "$name: exit code 4" test "$code" -eq 4
one_message
says 'problem-000001.hdf5'
json
key status string io
check "$name: no partial file" test "$(count '*.part')" -eq 0
finish
