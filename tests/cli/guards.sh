#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs that would go wrong in silence end with exit code 1 and say which limit they passed.
. "$(dirname "$0")/support/checks"

# ends NAME TEXT SCENARIO ARGUMENT...
ends() {
    case=$1
    text=$2
    file=$scenarios/$3.yaml
    shift 3
    call 1 "$case" run "$file" -o guard.h5 --json "$@"
    says "$text"
    one_message
}

scenarios=$(dirname "$scene")
ends 'grid so coarse that the disk sinks between its points' depth_limit disk-impact \
    --set cables.cable.elements=21 --set contact.points_per_element=1
json
check 'depth between the points is told' within "$(leaf penetration_max)" 5e-3 2e-2
check 'at the points there is none' within "$(leaf penetration_points_max)" 0 1e-5
ends 'penalty so soft that the disk passes through' depth_limit disk-impact \
    --set contact.law=penalty --set contact.normal_stiffness=100 --set contact.friction=0
ends 'the same with an implicit step' depth_limit disk-impact --set contact.law=penalty \
    --set contact.normal_stiffness=100 --set contact.friction=0 --set stepper.type=generalized-alpha \
    --set stepper.step=1.0e-4
call 0 'hoist' new hoist -o hoist.yaml
call 1 'springs that damping below 1 does not save' run hoist.yaml -o guard.h5 \
    --set stepper.type=generalized-alpha --set stepper.rho_infinity=0.8
says 'a smaller rho_infinity'
ends 'rope that would pass through its cylinder in one step' speed_limit rope-on-cylinder \
    --set stepper.step=0.12 --set stepper.theta=1
ends 'sphere that would pass through in one step' speed_limit block-on-incline \
    --set bodies.block.joint=none --set 'bodies.block.position=[0, 0, 0.5]' \
    --set 'bodies.block.velocity=[0, 0, -200]'
ends 'tolerance so loose that energy disappears' 'energy ledger misses' slip-to-roll-penalty \
    --set stepper.step=5.0e-3 --set stepper.newton_absolute=10
call 0 'a path of equilibria of loose tolerances' run "$scenarios/capstan-history.yaml" --no-output --json \
    --set stepper.newton_tolerance=0.1 --set solver.tolerance=0.1
check 'has a ledger that closes' within "$(leaf energy.balance_drift)" -1e-14 1e-14
ends 'torque beyond all numbers' 'no longer finite' slip-to-roll --set bodies.disk.torque=1.0e+308

ends 'an equilibrium deeper than its limit' depth_limit circle-on-beam --set contact.depth_limit=1.0e-7

call 0 'an equilibrium of a body that is thrown' run "$scenarios/circle-on-beam.yaml" -o thrown.h5 --json \
    --set 'bodies.circle.velocity=[0, -2]'
check 'has a ledger that closes' within \
    "$(echo "$(leaf kinetic) $(leaf elastic) $(leaf gravity) $(leaf initial)" | awk '{print $1 + $2 + $3 - $4}')" -1e-9 1e-9
# One point an element, and a force beside the middle of one: there the cable is 6.6 mm below the floor.
cat >dip.yaml <<'DIP'
hawser: 1
dimension: 2
gravity: [0, -72.902287782910605]
bodies:
  - {name: ground, shape: {type: plane, normal: [0, 1]}, motion: {velocity: [0.21907869593892437, 0.10953934796946219]}}
  - {name: ball0, shape: {type: circle, radius: 0.05347563153174225}, mass: 1.83, position: [0, 0.11860118649410409], velocity: [-0.91013045089703515, -0.11300191009408816], spin: 16.7}
cables:
  - {name: c0, from: [-0.51873480523347137, 0.038044323520825353], to: [0.51873480523347137, 0.038044323520825353], length: 0.97149996979047326, ends: {start: {motion: {velocity: [0.45214612121628606, 0.26592996349350795]}}, end: pinned}, element: bezier-c0, elements: 7, stiffness: 119.008236, density: 0.0131230401}
contact:
  - {between: [c0, ground], law: hard, friction: 0, spacing: 0.245052}
  - {between: [c0, ball0], law: penalty, friction: 0, normal: lankarani-nikravesh, tangential: regularized, normal_stiffness: 226774.707, regularization_velocity: 0.00993650434, spacing: 0.0373329}
  - {between: [ball0, ground], law: hard, friction: 0.44, restitution: 0.114}
forces:
  - {target: c0, point: 0.886671, force: [-4.763193987767254, -8.3375002214765104]}
start: static
stepper: {type: quasi-static, step: 0.0028625917939515606, end: 0.028625917939515605}
solver: {type: auto, tolerance: 1.0e-8, on_unconverged: warn}
output: {every: 0.0028625917939515606}
DIP
call 0 'a dip beside the middle' run dip.yaml --no-output --json
check 'is in the certificate' within "$(leaf penetration_max)" 6e-3 7e-3
call 0 'a limit that is set' run "$scenarios/disk-impact.yaml" -o set.h5 --json --set cables.cable.elements=21 \
    --set contact.points_per_element=1 --set contact.depth_limit=0.25

# What drives a body bears what pushes it, which has no other effect.
cat >driven.yaml <<'DRIVEN'
hawser: 1
dimension: 3
bodies:
  - {name: plate, position: [0, 0, 0], motion: {spin: 1}, torque: 2}
forces: [{target: plate, force: [0, 0, 20]}]
stepper: {type: moreau, step: 1.0e-3, end: 1.0e-2}
output: {probes: [plate.torque]}
DRIVEN
call 0 'loads on a driven body' run driven.yaml --no-output
says "a torque on 'plate' does not move it: its motion is prescribed, and what drives it bears the load"
says "a force on 'plate' does not move it: its motion is prescribed, and what drives it bears the load"
shows 'plate.torque             -2 N m'
cat >bent.yaml <<'EOF'
hawser: 1
dimension: 3
cables:
  - {name: rod, element: se3, elements: 20, from: [1, 0, 0], path: [{arc: {center: [0, 0, 0], radius: 1, angle_deg: 180}}],
     stiffness: 1.0e+5, bending_stiffness: 1, density: 0.1, radius: 0.01, ends: {start: clamped, end: free}}
  - {name: bar, element: se3, elements: 10, from: [0, 1.02, -1], to: [0, 1.02, 1], stiffness: 1.0e+5, bending_stiffness: 10,
     density: 0.1, radius: 0.01, ends: {start: clamped, end: clamped}}
contact: [{between: [rod, bar], friction: 0.3}]
stepper: {type: quasi-static, step: 0.1, end: 0.1, max_newton: 3}
EOF
call 1 'a rod that straightens in the first step of its path' run bent.yaml --no-output --json
says 'needs start: static'
finish
