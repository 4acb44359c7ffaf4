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

# A load with corners: a step that is no fraction of the given one would miss them.
call 1 'corners' run capstan-history --verify --no-output -q
says 'the error of contact.normal_sum is about 0.09 of'
says 'stepper.step: 0.125 would'
call 0 'the step that it names' run capstan-history --verify --set stepper.step=0.125 --no-output -q

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
