#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run --verify: orders of smooth motion, a step that is too coarse, and one that is named to be fine.
. "$(dirname "$0")/support/checks"
rod=$root/data/scenarios/swinging-rod.yaml

call 0 'smooth motion' run "$rod" --verify --set stepper.step=0.005 --no-output -q --json
json
key verify.holds boolean true
key verify.limit number 0.01
check 'smooth motion: second order' within "$(leaf verify.probes.tip.order)" 1.7 2.1
check 'smooth motion: its error' within "$(leaf verify.probes.tip.error)" 5e-4 2e-3
check 'smooth motion: steps' test "$(leaf 'verify.steps[2]')" = 0.00125

call 1 'too coarse' run "$rod" --verify --set stepper.step=0.02 -o coarse.h5 -q --json
says 'is too coarse: the error of tip is about'
json
key verify.holds boolean false
key status string ended
check 'too coarse: results of the run are kept' test -s coarse.h5
step=$(sed -n 's/.*stepper.step: \([0-9.e-]*\) .*/\1/p' "$err")
call 0 "the step that it names ($step)" run "$rod" --verify --set "stepper.step=$step" --no-output -q

# A load with corners, between which friction remembers nothing: single steps from one to the next are exact, and
# fractions of them keep the corners; steps of 0.75 s miss them.
call 0 'corners' run capstan-history --verify --no-output -q --json
json
check 'corners: no difference' within "$(leaf verify.probes.contact.normal_sum.error)" 0 1e-11
call 1 'corners missed' run capstan-history --verify --set stepper.step=0.75 --set 'output.probes=[contact.normal_sum]' \
    --no-output -q
says 'is too coarse: the error of contact.normal_sum is about 0.0183 of'

# The block rests to the last digits, which are rounding.
call 0 'at rest' run block-on-incline --verify --set stepper.end=1 --no-output -q --json
json
key verify.holds boolean true
check 'at rest: no difference' within "$(leaf verify.probes.block.velocity.error)" 0 0

call 0 'for a reader' run "$rod" --verify --set stepper.step=0.005 --no-output
shows 'convergence (mean over the run'
shows 'h/2 to h/4'

call 2 'nothing to compare' run "$rod" --verify --set 'output.probes=[]' --no-output
says "'--verify' compares probes"
call 2 'one equilibrium' run elastica --verify --no-output
says 'one equilibrium has none'
call 2 'the standard input' run - --verify --no-output
says 'give it a file'
finish
