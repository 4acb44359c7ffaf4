#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Theories of ropes on the command line: keys, words, profiles, figures, refusals.
. "$(dirname "$0")/support/checks"

ride='--t1 1 --t2 3 --radius 1 --mu 0.4'

call 0 'creep' theory creep $ride --json
silent
json
key slip_angle number
check 'creep: ln(3) / 0.4' within "$(leaf slip_angle)" 2.7465307216 2.7465307217
call 0 'printed Firbank' theory firbank $ride --mu-s 0.5 --form printed --json
json
key form string
check 'printed Firbank: labelled' grep -q inconsistent "$out"
check 'printed Firbank: integral' within "$(leaf tangential_sum)" 1.889304008 1.889304010

call 0 'bristle' theory bristle $ride --mu 0.5 --r 1.5 --profile 5 --json
json
key regime string slip-both
for quantity in alpha_low alpha_high T_I T_II T_b tension_min t_start t_end r EA_star; do
    key "$quantity" number
done
for profile in alpha tension tangential; do
    key "$profile" array 5
done
call 0 'bristle by stiffnesses' theory bristle --radius 0.24 --ea 1.6e7 --kt 1e7 --kn 3e8 --json
check 'bristle by stiffnesses: r' within "$(leaf r)" 0.263312 0.263313
for direction in driving braking; do
    call 0 "bristle-steady, $direction" theory bristle-steady $ride --r 2 \
        --direction "$direction" --json
    json
    for quantity in slip_angle stick_angle t_exit; do
        key "$quantity" number
    done
done
for groove in flat v u undercut; do
    call 0 "groove $groove" theory groove --groove "$groove" --mu 0.1 --json
    json
    key groove string "$groove"
    key f_over_mu number
    key ratio number
done
call 0 'groove angles' theory groove --groove undercut --gamma-deg 25 --beta-deg 90 --mu 0.1 --json
check 'groove angles: e^(f pi)' within "$(leaf ratio)" 1.8353275 1.8353277
call 0 'traction' theory traction --t1 13000 --t2 9000 --groove v
silent
shows 'against the standard'
shows 'margin_stalled'
call 0 'names of capstan' theory capstan --t1 40 --mu 0.2 --json
check 'names of capstan: T1' within "$(leaf tension_low)" 39.999999 40.000001

call 3 'load beyond friction' theory bristle $ride --t2 5
says 'slides over the whole arc'
one_message
shows_nothing
call 3 'no such groove' theory groove --groove w
says "unknown word 'w' for 'groove'"
call 3 'one point' theory creep --profile 1
says "'points' must be"
call 2 'profile of a number' theory groove --profile 5
says 'has no profile'
call 2 'figure without its option' theory creep --output figures
says 'add --plot'

if command -v gnuplot >/dev/null; then
    call 0 'figure' theory bristle $ride --plot
    silent
    for file in profile.png profile.svg profile.gp profile.csv; do
        shows "theory-bristle/$file"
        check "figure: $file" test -s "theory-bristle/$file"
    done
    call 0 'figure in JSON' theory catenary --plot --output figures --profile 7 --json
    json
    key files array
    check 'figure in JSON: 7 rows' test "$(wc -l <figures/profile.csv)" -eq 8
fi
finish
