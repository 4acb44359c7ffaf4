#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hawser bench: which problems are run, the JSON contract, several solvers, files, interruption.
. "$(dirname "$0")/support/checks"

# ---- one problem of our own, because the suite has none with 8 nodes ----
call 0 'bench' bench winding --nodes 8 --kappa 1 --json
silent
json
for path in suite:string tolerance:number seed:number solver:string summary:object \
    summary.problems:number summary.solved:number summary.newton_median:number \
    summary.newton_p90:number summary.newton_max:number summary.cpu_seconds:number \
    summary.residual_natural_max:number summary.residual_relative_max:number rows:array \
    'rows[0].name:string' 'rows[0].dimension:number' 'rows[0].nodes:number' \
    'rows[0].layers:number' 'rows[0].kappa:number' 'rows[0].friction:number' \
    'rows[0].contacts:number' 'rows[0].solver:string' 'rows[0].converged:boolean' \
    'rows[0].outcome:string' 'rows[0].residual_natural:number' \
    'rows[0].residual_relative:number' 'rows[0].newton:number' 'rows[0].sweeps:number' \
    'rows[0].products:number' 'rows[0].cpu_seconds:number' 'rows[0].newton_solve:boolean' \
    files:array messages:array; do
    key "${path%:*}" "${path##*:}"
done
key suite string winding
key solver string auto
key status string done
key rows array 1
key files array 0
key summary.problems number 1
key summary.solved number 1
key 'rows[0].name' string c3_8_k1e0_m0.4
key 'rows[0].dimension' number 3
key 'rows[0].layers' number 1
key 'rows[0].contacts' number 8
check 'bench: solved at 1e-8' within "$(leaf 'rows[0].residual_natural')" 0 1e-8
check 'bench: nothing is written' sh -c '! ls | grep .'

call 0 'two layers in the plane' bench winding --nodes 5 --layers 2 --dimension 2 --kappa 2 \
    --friction 0.1 --json
key 'rows[0].contacts' number 10
key 'rows[0].layers' number 2
key 'rows[0].friction' number 0.10000000000000001
call 0 'bench for people' bench winding --nodes 8 --kappa 1
for word in problem c3_8_k1e0_m0.4 'newton' products '1 of 1 solved' median 'CPU time'; do
    shows "$word"
done
call 0 'a seed' bench winding --nodes 8 --kappa 1 --seed 7 --json
key seed number 7

# ---- problems of scenes ----
call 0 'pile' bench pile --solver newton,ppa --export problems --json
json
key suite string pile
key solvers.newton.rows array 12
key solvers.newton.summary.solved number 12
key solvers.ppa.summary.solved number 12
key 'solvers.newton.rows[0].name' string pile_m0.1_2
key 'solvers.newton.rows[11].friction' number 1
key 'solvers.newton.rows[11].contacts' number
check 'pile: solved at 1e-8' within "$(leaf 'solvers.newton.summary.residual_natural_max')" 0 1e-8
call 0 'pile: a problem as a file' solve problems/pile_m1_60.hdf5 --solver newton
rm -r problems

# ---- problems of the suite ----
call 1 'filters' bench winding --dimension 2 --nodes 50 --kappa 1e2 --solver pgs \
    --set max_iterations=1 --json
json
key summary.problems number 3
key 'rows[0].name' string c2_50_k1e2_m0.1
key 'rows[2].name' string c2_50_k1e2_m0.8
call 1 'a filter on the layers' bench winding --layers 2 --nodes 50 --solver pgs \
    --set max_iterations=1 --json
key summary.problems number 3
key 'rows[0].contacts' number 100
call 1 'a filter on the friction' bench winding --friction 0.8 --nodes 50 --solver pgs \
    --set max_iterations=1 --json
key summary.problems number 6

# ---- not solved ----
call 1 'not solved' bench winding --nodes 8 --kappa 1e4 --solver pgs --set max_iterations=2 --json
says '1 of 1 solves missed the tolerance 1e-08'
one_message
json
key status string ended
key summary.solved number 0
key summary.newton_max null null
key summary.newton_median null null
key 'rows[0].converged' boolean false
key 'rows[0].outcome' string 'iteration limit'
call 1 'time limit' bench winding --nodes 40 --kappa 1e6 --solver pgs --tol 1e-13 \
    --time-limit 0.05 --json
key 'rows[0].outcome' string stopped
key 'rows[0].timed_out' boolean true
check 'time limit: it is kept' within "$(leaf 'rows[0].cpu_seconds')" 0.05 1
check 'time limit: it is told' within "$(leaf time_limit)" 0.05 0.05

# ---- several solvers ----
call 0 'two solvers' bench winding --nodes 8 --kappa 1 --solver pgs,alprox --json
json
key solvers object 2
key solvers.pgs.summary.solved number 1
key solvers.alprox.summary.problems number 1
key 'solvers.alprox.rows[0].solver' string alprox
key 'solvers.pgs.rows[0].newton_solve' boolean false
key 'solvers.pgs.rows[0].newton' number 0

# ---- files ----
call 0 'export' bench winding --nodes 6 --kappa 1 --solver pgs --export problems
check 'export: global form' test -s problems/c3_6_k1e0_m0.4.hdf5
check 'export: local form' test -s problems/c3_6_k1e0_m0.4-local.hdf5
call 0 'export: both can be solved' solve problems/*.hdf5 --solver pgs --tol 1e-12 --json
json
key solved number 2
key 'results[0].contacts' number 6
key 'results[0].form' string local
key 'results[1].form' string global
call 4 'export to nowhere' bench winding --nodes 6 --kappa 1 --export /dev/null/x
says '/dev/null/x'
one_message

if command -v gnuplot >/dev/null 2>&1; then
    call 0 'output' bench winding --nodes 8 --kappa 1 --solver pgs,alprox -o figures --json
    json
    key files array 9
    for file in performance-profile.png convergence.png performance-profile.svg convergence.svg \
        performance-profile.gp convergence.gp rows.csv profile.csv convergence.csv; do
        check "output: $file" test -s "figures/$file"
    done
    check 'output: PNG' sh -c "head -c 4 figures/convergence.png | grep -q PNG"
    check 'output: a row for every solve' test "$(wc -l <figures/rows.csv)" -eq 3
    check 'output: the same number of fields in every row' \
        sh -c "awk -F, 'NF != 21 { bad = 1 } END { exit bad }' figures/rows.csv"
    call 0 'output, for people' bench winding --nodes 8 --kappa 1 -o figures
    shows 'figures/convergence.png'
fi
call 4 'output to nowhere' bench winding --nodes 6 --kappa 1 -o /dev/null/x --json
says '/dev/null/x'
json
key status string io
key summary.solved number 1

# ---- wrong command lines ----
call 2 'no suite' bench
says 'SUITE is missing'
call 2 'unknown suite' bench widing
says "unknown suite 'widing' (known: winding, knots, pile)"
call 2 'a scene is not selected by windings' bench pile --nodes 8
says 'options that select problems are of the suite winding, not of pile'
call 2 'unknown solver' bench winding --solver auto,psg
says "unknown solver 'psg'; did you mean 'pgs'?"
shows_nothing
call 2 'a solver twice' bench winding --solver pgs,pgs
says 'named twice'
call 2 'no solver' bench winding --solver ''
says 'unknown solver'
call 2 'kappa that is no number' bench winding --kappa stiff
says "option '--kappa' needs a number"
call 2 'no nodes' bench winding --nodes 0
says 'needs a whole number'
for wrong in '--nodes 2' '--dimension 4' '--layers 3' '--kappa -1' '--friction -0.1'; do
    # shellcheck disable=SC2086
    call 3 "outside its range: $wrong" bench winding $wrong --json
    one_message
    json
    key status string refused
done

# ---- the winding as a simulation ----
call 0 'dynamic, Bezier' bench winding --dynamic --element bezier --solver pgs,alprox --tolerances 1e-4 --end 0.1 --json
json
key stepper string moreau
key 'rows[0].outcome' string done
key 'rows[1].solver' string alprox
call 2 'an element of the plane' bench winding --dynamic --element bezier-polar
says "unknown element 'bezier-polar'"
call 0 'dynamic' bench winding --dynamic --solver newton,enum --tolerances 1e-4,1e-8 --end 0.5 --json
json
key suite string winding-dynamic
key stepper string moreau-jean
key end number 0.5
key 'rows[0].solver' string newton
key 'rows[0].outcome' string done
key 'rows[0].steps' number 100
key 'rows[0].unconverged_steps' number 0
key 'rows[3].solver' string enum
check 'dynamic: tolerances' within "$(leaf 'rows[3].tolerance')" 1e-8 1e-8
check 'dynamic: the tension is seen' within "$(leaf 'rows[1].spurious_tension')" -0.5 1
check 'dynamic: the tension without friction' within "$(leaf frictionless_tension)" 0 0.02
check 'dynamic: Newton passes' within "$(leaf 'rows[1].newton_iterations')" 100 400
for path in scenario:string time_limit:number frictionless_tension:number rows:array \
    'rows[0].tolerance:number' 'rows[0].t_end:number' 'rows[0].iterations_total:number' \
    'rows[0].newton_iterations:number' 'rows[0].factorizations:number' \
    'rows[0].contacts_max:number' 'rows[0].cpu_seconds:number' \
    'rows[0].cpu_seconds_per_step:number' 'rows[0].residual_max:number' \
    'rows[0].spurious_tension:number' 'rows[0].reason:null' files:array messages:array; do
    key "${path%:*}" "${path##*:}"
done
call 0 'dynamic: a budget' bench winding --dynamic --solver newton --tol 1e-8 --time-limit 0.01 --json
key 'rows[0].outcome' string 'time limit'
call 0 'dynamic: a budget ends a solve' bench winding --dynamic --solver pgs --tol 1e-13 \
    --time-limit 0.5 --json
silent
key 'rows[0].outcome' string 'time limit'
key 'rows[0].unconverged_steps' number 0
key messages array 0
check 'dynamic: it is not waited for' within "$(leaf 'rows[0].cpu_seconds')" 0.3 2
call 0 'dynamic: a solver that cannot' bench winding --dynamic --solver enum --tol 1e-6 --end 1.2 --json
key 'rows[0].outcome' string failed
key 'rows[0].reason' string 'enum takes at most 3 contacts (found 4); choose another solver'
if command -v gnuplot >/dev/null 2>&1; then
    call 0 'dynamic: files' bench winding --dynamic --solver newton --end 0.3 --nodes 21 \
        --friction 0.1 -o dynamic
    for file in dynamic.csv dynamic.png dynamic.svg dynamic.gp; do
        shows "dynamic/$file"
        check "dynamic: $file" test -s "dynamic/$file"
    done
    shows 'T/T0'
    shows 'without friction'
    check 'dynamic: a row for each tolerance' test "$(wc -l <dynamic/dynamic.csv)" -eq 4
    check 'dynamic: the same number of fields in every row' \
        sh -c "awk -F, 'NF != 14 { bad = 1 } END { exit bad }' dynamic/dynamic.csv"
    rm -r dynamic
fi
call 2 'dynamic: a solver twice' bench winding --dynamic --solver pgs,pgs
says 'named twice'
call 2 'dynamic: an unknown solver' bench winding --dynamic --solver psg
says "did you mean 'pgs'?"
call 2 'dynamic: no tolerances' bench winding --dynamic --tolerances loose
says "option '--tolerances' needs"
call 3 'dynamic: a path that is not there' bench winding --dynamic --set yarn.colour=red

# ---- interrupted ----
interrupt bench winding --nodes 50 --kappa 1e6 --solver pgs --tol 1e-14 --json
json
key status string interrupted
key summary.problems number 7
key 'rows[0].outcome' string stopped
interrupt bench winding --dynamic --solver pgs --tol 1e-13 --time-limit 60 --json
json
key suite string winding-dynamic
key status string interrupted
key 'rows[0].outcome' string interrupted
finish
