#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ropes over sheaves through the program: run, export, figures at given times, what is refused.
. "$(dirname "$0")/support/checks"

elevator=$root/data/scenarios/elevator.yaml
fast='--set cables.rope.element=arc1d'

call 0 'a ride' run "$elevator" $fast --set stepper.end=2.4 --set output.every=0.1 -o out.h5 --json
json
for probe in torque tension_in tension_out stick_angle slip_angle creep tangential_max; do
    key "probes.$probe" number
done
key status string done
check 'a ride: the car pulls' within "$(leaf probes.torque)" 700 780

call 0 'its tables' export out.h5 -o tables --csv
check 'its tables: labels of every frame' \
    sh -c "head -n 1 tables/profile-rope.csv | grep -qF 'frame,t[s],xi[m],'"
check 'its tables: knots' test -s tables/contact-profile-rope-sheave.csv
check 'its tables: unit of the sums' \
    sh -c "head -n 1 tables/contact-rope-sheave.csv | grep -qF 'normal_sum[N]'"

call 0 'its figures' plot out.h5 -o figures
shows figures/sheaves.png
check 'its figures: a picture' test -s figures/sheaves.png

blocks() {
    grep -c '^# t = ' "$1"
}

call 0 'figures at two times' plot out.h5 -o chosen --at 1,2 --json
json
check 'figures at two times: forces along the sheave' test "$(blocks chosen/sheaves-1.csv)" -eq 2
check 'figures at two times: the first' grep -q '^# t = 1 s' chosen/sheaves-1.csv
check 'figures at two times: the second' grep -q '^# t = 2 s' chosen/sheaves-1.csv
check 'figures at two times: angles ascend to half a turn' awk -F , '
    /^[0-9]/ { if (n++ > 0 && $1 <= last) exit 1; last = $1 }
    /^$/ { n = 0 }
    END { exit !(last > 170 && last < 190) }' chosen/sheaves-1.csv
call 0 'figures at one time' plot out.h5 -o single --at 1.25
check 'figures at one time: the nearest frame' grep -Eq '^# t = 1\.[23][0-9]* s' single/sheaves-1.csv

for times in '' , 1, ,1 1,,2 one 1,two nan inf '1 2' -1,x; do
    call 2 "figures at '$times'" plot out.h5 -o wrong --at "$times"
    says '--at'
    check "figures at '$times': nothing is written" test ! -e wrong
done

call 0 'no rope' run "$scene" --set stepper.end=1.0e-3 -o disk.h5 -q
call 0 'no rope: figures' plot disk.h5 -o disk
check 'no rope: no figure of sheaves' test ! -e disk/sheaves.png

call 3 'a quantity of belts' run "$elevator" $fast --no-output --set 'output.probes=[rope.tension_tight]'
says 'only cables other than ropes have this quantity'
one_message
call 3 'a quantity of ropes' run "$root/data/scenarios/belt-drive.yaml" --no-output \
    --set 'output.probes=[belt-p1.tangential_max]'
says 'only ropes on sheaves have this quantity'
one_message
for end in '{tension: 2.0e+4, towards: [0, -1]}' '{motion: {velocity: [0, 0.5]}}' clamped; do
    call 0 "an end that is $end" run "$elevator" $fast --no-output --set "cables.rope.ends.end=$end" \
        --set 'cables.rope.to=[0.24, -11]' --set stepper.end=0.01
done
call 3 'an element of other cables' check "$elevator" --set cables.rope.element=bezier
says 'ale or arc1d'
call 3 'a side' check "$elevator" --set 'cables.rope.reeving=[{on: sheave, side: up}]'
says 'allowed: left, right'
call 3 'a body that is no sheave' check "$elevator" --set 'cables.rope.reeving=[{on: car}]'

finish
