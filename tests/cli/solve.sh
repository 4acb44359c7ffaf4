#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hawser solve: the JSON contract, several files, limits, what is refused, and no false status.
. "$(dirname "$0")/support/checks"

# Problems of every form: both dimensions, local and global.
call 0 'problems to solve' bench winding --nodes 8 --kappa 1 --dimension 2 --export .
call 0 'problems to solve, in space' bench winding --nodes 8 --kappa 1 --dimension 3 --export .
plane=c2_8_k1e0_m0.4.hdf5
space=c3_8_k1e0_m0.4.hdf5
local=c3_8_k1e0_m0.4-local.hdf5
call 1 'a stiff one' bench winding --nodes 40 --kappa 1e6 --dimension 3 --export . --solver pgs \
    --set max_iterations=1
stiff=c3_40_k1e6_m0.4.hdf5

# ---- one file ----
call 0 'solve' solve "$local" --json
silent
json
for path in problem:string dimension:number contacts:number form:string solver:string \
    converged:boolean outcome:string timed_out:boolean iterations:number cpu_seconds:number \
    residual_natural:number residual_relative:number factorizations:number newton:number \
    sweeps:number products:number newton_flops:number first_order_flops:number \
    newton_solve:boolean cone:number complementarity:number bipotential:number \
    normal_min:number tolerance:number messages:array; do
    key "${path%%:*}" "${path##*:}"
done
key problem string "$local"
key dimension number 3
key contacts number 8
key form string local
key solver string auto
key converged boolean true
key outcome string converged
key status string done
key message null null
check 'solve: residual at the default tolerance' within "$(leaf residual_natural)" 0 1e-8
check 'solve: CPU time' within "$(leaf cpu_seconds)" 1e-9 10

call 0 'solve in global form' solve "$plane" --json
json
key form string global
key dimension number 2

call 0 'solve with another tolerance' solve "$space" --tol 1e-11 --json
check 'another tolerance: it is met' within "$(leaf residual_natural)" 0 1e-11
check 'another tolerance: it is told' within "$(leaf tolerance)" 0.99e-11 1.01e-11

call 0 'solve for people' solve "$space" --solver pgs
silent
for word in problem contacts outcome iterations factor. sweeps CPU natural relative converged pgs; do
    shows "$word"
done

# ---- options of the solver ----
call 1 'few iterations' solve "$stiff" --solver pgs --set max_iterations=3 --json
says "$stiff: not solved: iteration limit"
one_message
json
key converged boolean false
key outcome string 'iteration limit'
key iterations number 3
key status string ended
call 2 'unknown key of a solver' solve "$space" --solver pgs --set max_iteration=3
says "did you mean 'max_iterations'"
one_message
shows_nothing
call 2 'value outside its range' solve "$space" --set max_iterations=0
says 'max_iterations'
call 2 'setting without a value' solve "$space" --set max_iterations
says 'needs KEY=VALUE'
call 2 'unknown solver' solve "$space" --solver psg
says "unknown solver 'psg'; did you mean 'pgs'?"
one_message
shows_nothing
call 2 'unknown solver, nothing like it' solve "$space" --solver qqqqqqqqqq --json
says 'hawser list solvers'
json
key status string usage
for tol in 0 -1 nan inf 1e-8x '' 2; do
    call 2 "tolerance of '$tol'" solve "$space" --tol "$tol"
    says "option '--tol'"
    one_message
done
for limit in 0 -1 nan soon; do
    call 2 "time limit of '$limit'" solve "$space" --time-limit "$limit"
    says "option '--time-limit'"
    one_message
done

# ---- a limit on the time ----
call 1 'time limit' solve "$stiff" --solver pgs --tol 1e-13 --time-limit 0.05 --json
says 'time limit'
one_message
json
key converged boolean false
key outcome string stopped
key timed_out boolean true
check 'time limit: it is kept' within "$(leaf cpu_seconds)" 0.05 1
call 1 'time limit, for people' solve "$stiff" --solver pgs --tol 1e-13 --time-limit 0.05
shows 'time limit'
call 0 'time limit that is not reached' solve "$space" --time-limit 100 --json
key timed_out boolean false
key outcome string converged

# ---- several files ----
call 0 'two files' solve "$plane" "$local" --json
silent
json
key results array 2
key solved number 2
key problems number 2
key 'results[0].problem' string "$plane"
key 'results[1].problem' string "$local"
key 'results[1].residual_natural' number
key 'results[1].status' string done
call 0 'two files, for people' solve "$plane" "$local"
shows '2 of 2 solved'

echo 'not HDF5' >text.hdf5
head -c 700 "$local" >short.hdf5
call 4 'missing file' solve missing.hdf5
says "missing.hdf5"
one_message
shows_nothing
call 4 'missing file in JSON' solve missing.hdf5 --json
json
key status string io
key converged boolean false
key residual_natural null null
for file in text.hdf5 short.hdf5; do
    call 3 "refused: $file" solve "$file"
    says "$file"
    one_message
    shows_nothing
done
call 4 'a folder' solve .
one_message
call 3 'a refused file among others' solve "$plane" text.hdf5 "$space" --json
one_message
json
key status string refused
key solved number 2
key problems number 3
key 'results[1].outcome' string refused
key 'results[1].converged' boolean false
key 'results[1].dimension' null null
key 'results[1].message' string
key 'results[2].converged' boolean true
call 4 'a missing file weighs most' solve missing.hdf5 text.hdf5 "$space" --json
key status string io
key solved number 1
key 'results[0].outcome' string unreadable
call 3 'a refused file weighs more than an unsolved one' solve text.hdf5 "$stiff" --solver pgs \
    --set max_iterations=2 --json
key 'results[0].outcome' string refused
key 'results[1].outcome' string 'iteration limit'
call 1 'an unsolved file among solved ones' solve "$plane" "$stiff" --solver pgs \
    --set max_iterations=40 --tol 1e-5 --json
key solved number 1
key 'results[0].converged' boolean true
key 'results[1].converged' boolean false

# ---- no solver has a false status ----
for solver in $("$HAWSER" list solvers --names); do
    for file in "$plane" "$space" "$local" "$stiff"; do
        code=0
        name="$solver on $file"
        : >"$flat"
        "$HAWSER" solve "$file" --solver "$solver" --time-limit 0.3 --json >"$out" 2>"$err" || code=$?
        json
        if [ "$(leaf converged)" = true ]; then
            check "$name: solved" within "$(leaf residual_natural)" 0 1e-8
            check "$name: exit code 0" test "$code" -eq 0
            key outcome string converged
        else
            check "$name: says that it is not solved" test "$(leaf outcome)" != converged
            check "$name: exit code 1 or 3" test "$code" -eq 1 -o "$code" -eq 3
            check "$name: the residual does not contradict" \
                sh -c "test '$(leaf residual_natural)' = null || ! awk 'BEGIN { exit !($(leaf residual_natural) <= 1e-8) }'"
        fi
    done
done

# ---- a file whose inner tables are damaged: HDF5 1.10 crashes on it, other versions may not ----
code=0
"$HAWSER" solve "$here/support/damaged.hdf5" >"$out" 2>"$err" </dev/null || code=$?
check 'damaged: the program lives' test "$code" -le 4
check 'damaged: one line at most' test "$(wc -l <"$err")" -le 1

# ---- the same bits for any number of BLAS threads ----
"$HAWSER" bench winding --nodes 200 --kappa 1e4 --friction 0.4 --dimension 3 --layers 1 --export "$work/threads" \
    -q >/dev/null 2>&1 </dev/null
for n in 1 2 3; do
    OPENBLAS_NUM_THREADS=$n "$HAWSER" solve "$work/threads/c3_200_k1e4_m0.4-local.hdf5" --solver newton --json |
        grep -v cpu_seconds >"$work/threads/$n.json"
done
check 'threads: a figure is there' grep -q '"residual_natural": [1-9]' "$work/threads/1.json"
check 'threads: two as one' cmp "$work/threads/1.json" "$work/threads/2.json"
check 'threads: three as one' cmp "$work/threads/1.json" "$work/threads/3.json"

# ---- interrupted ----
interrupt solve "$stiff" "$plane" --solver pgs --tol 1e-14 --json
json
key status string interrupted
key 'results[0].outcome' string stopped
key 'results[0].timed_out' boolean false
key 'results[1].outcome' string 'not reached'
key problems number 2
finish
