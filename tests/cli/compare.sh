#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# hawser compare: variants, the table, the JSON contract, figures, refusals, interruption.
. "$(dirname "$0")/support/checks"

quick='--set stepper.step=4.0e-5'

# ---- a list of values: table, files, JSON ----
call 0 'values' compare "$scene" $quick --vary contact.points_per_element=2,4,8 --json
silent
json
for path in scenario:string reference:string swept:string variants:array figures:array \
    table:string files:array status:string messages:array \
    'variants[0].name:string' 'variants[0].set:array' 'variants[0].status:string' \
    'variants[0].message:null' 'variants[0].stepper:string' 'variants[0].solver:string' \
    'variants[0].step:number' 'variants[0].steps:number' 'variants[0].t_end:number' \
    'variants[0].cpu_seconds:number' 'variants[0].wall_seconds:number' \
    'variants[0].newton_iterations:number' 'variants[0].factorizations:number' \
    'variants[0].iterations_total:number' 'variants[0].unconverged_steps:number' \
    'variants[0].rejected_steps:number' 'variants[0].contacts_max:number' \
    'variants[0].penetration_max:number' 'variants[0].residual_max:number' \
    'variants[0].balance_error:number' 'variants[0].balance_drift:number' \
    'variants[0].elements:number' 'variants[0].contact_points:number' \
    'variants[0].probes:object' 'variants[0].probes.disk.spin:number' \
    'variants[0].probes.disk.velocity:array' 'variants[0].error:object' \
    'variants[0].error.largest:number' 'variants[0].error.tension_l2:number' \
    'variants[0].error.probes:object' 'variants[0].error.probes.disk.spin:number'; do
    key "${path%:*}" "${path##*:}"
done
key variants array 3
key reference string points_per_element=8
key swept string contact.points_per_element
key status string done
key 'variants[1].set[0]' string contact.points_per_element=4
key 'variants[0].steps' number 6250
key 'variants[0].elements' number 20
key 'variants[2].error.largest' number 0
key table string compare-disk-impact/compare.csv
key figures array 6
check 'values: the coarsest differs' within "$(leaf 'variants[0].error.largest')" 1e-4 0.5
check 'values: a probe differs' within "$(leaf 'variants[0].error.probes.disk.spin')" 1e-5 0.1
check 'values: CPU time' within "$(leaf 'variants[0].cpu_seconds')" 1e-6 60
spin=$(leaf 'variants[2].probes.disk.spin')
for figure in profiles histories sweep; do
    for suffix in png svg gp; do
        check "values: $figure.$suffix" test -s "compare-disk-impact/$figure.$suffix"
    done
done
for table in compare tension contact histories sweep; do
    check "values: $table.csv" test -s "compare-disk-impact/$table.csv"
done
check 'values: a row for each variant' \
    test "$(grep -c '^points_per_element=' compare-disk-impact/compare.csv)" -eq 3
check 'values: as many columns as headers' awk -F , '
    NR == 1 { n = NF } NF != n { exit 1 }' compare-disk-impact/compare.csv
check 'values: 20 elements each' \
    test "$(grep -c '^points_per_element=2,' compare-disk-impact/tension.csv)" -eq 20
check 'values: a history with all frames' \
    test "$(grep -c '^points_per_element=2,' compare-disk-impact/histories.csv)" -eq 251

# ---- the same run by `run` ----
call 0 'run' run "$scene" $quick --no-output --json
check 'a variant is the run itself' test "$(leaf 'probes.disk.spin')" = "$spin"

# ---- the table for people; several lists multiply ----
call 0 'product' compare "$scene" $quick --vary 'rough: ; smooth: contact.friction=0' \
    --vary contact.points_per_element=4,8 -o out
silent
for word in 'rough, points_per_element=4' 'smooth, points_per_element=8' variant error CPU steps \
    Newton factor. unconv. penetration balance tension probes reference; do
    shows "$word"
done
check 'product: a line for each variant' test "$(grep -c 'points_per_element' "$out")" -eq 4
check 'product: curves of two groups' \
    test "$(cut -d , -f 1 out/sweep.csv | grep -c '^rough\|^smooth')" -eq 4
call 0 'two lists of numbers' compare "$scene" $quick --vary contact.points_per_element=4,8 \
    --vary contact.friction=0.1,0.2 -o two
check 'two lists of numbers: no sweep' sh -c '! ls two/sweep* 2>/dev/null'

# ---- references ----
call 0 'named reference' compare "$scene" $quick --vary contact.points_per_element=2,4 \
    --reference points_per_element=2 --no-output --json
key reference string points_per_element=2
key figures array 0
key table null
key 'variants[0].error.largest' number 0
call 0 'reference beside the variants' compare "$scene" $quick --vary contact.points_per_element=2,4 \
    --reference 'fine: contact.points_per_element=16 solver.type=newton' -o beside --json
key reference string fine
key variants array 3
key 'variants[2].set[1]' string solver.type=newton
check 'reference beside the variants: not on the curve' sh -c '! grep -q fine beside/sweep.csv'
call 0 'profiles during contact' compare "$scene" $quick --vary contact.friction=0.3 --at 0.08 \
    -o at
check 'profiles during contact: of that time' \
    test "$(awk -F , 'NR > 1 { print $3; exit }' at/tension.csv | cut -c 1-4)" = 0.08
check 'profiles during contact: forces' awk -F , '$7 > 0 { found = 1 } END { exit !found }' \
    at/contact.csv
call 0 'the finest mesh' compare "$scene" $quick --vary cables.cable.elements=10,22,20 \
    --no-output --json
key reference string elements=22

# ---- hard against penalty: the error falls with the stiffness, and so must the step ----
call 0 'penalty' compare "$scene" --no-output --json --set contact.law=penalty \
    --set contact.normal=lankarani-nikravesh --set contact.normal_exponent=1 \
    --set contact.tangential_stiffness=1.0e+6 \
    --vary 'contact.normal_stiffness=1.0e+3,1.0e+4,1.0e+5,1.0e+6 stepper.step=1.0e-5,1.0e-5,1.0e-5,5.0e-6' \
    --reference 'hard: contact.law=hard'
silent
key swept string contact.normal_stiffness
key 'variants[3].set[1]' string stepper.step=5.0e-6
key 'variants[3].steps' number 50000
key reference string hard
for bound in '0 5e-2 2e-1' '1 1e-2 5e-2' '2 2e-3 1e-2' '3 0 2.5e-3'; do
    set -- $bound
    check "penalty: velocity, stiffness $1" \
        within "$(leaf "variants[$1].error.probes.disk.velocity")" "$2" "$3"
    check "penalty: position, stiffness $1" \
        within "$(leaf "variants[$1].error.probes.disk.position")" "$2" "$3"
done
check 'penalty: it penetrates deeper' \
    within "$(leaf 'variants[0].penetration_max')" 1e-2 5e-2

# ---- a closed cable is compared place by place, wherever its first node is ----
round='[{line: [0.31415926535897931, 0.1]}, {arc: {center: [0.31415926535897931, 0], radius: 0.1, angle_deg: -180}}, {line: [0, -0.1]}, {arc: {center: [0, 0], radius: 0.1, angle_deg: -180}}, {line: [0.1, 0.1]}]'
call 0 'closed cable' compare "$root/data/scenarios/belt-drive.yaml" --no-output --json \
    --set cables.belt.elements=60 --set stepper.step=2.0e-4 --set stepper.end=0.2 \
    --vary "corner: ; middle: cables.belt.from=[0.1,0.1] cables.belt.path=$round"
key 'variants[1].status' string done
check 'closed cable: same profile' within "$(leaf 'variants[0].error.tension_l2')" 1e-6 5e-3
check 'closed cable: Newton iterations' within "$(leaf 'variants[0].newton_iterations')" 1000 1e5

# ---- standard input ----
code=0
name='standard input'
: >"$flat"
"$HAWSER" compare - $quick --vary contact.friction=0,0.3 --no-output --json <"$scene" >"$out" \
    2>"$err" || code=$?
check 'standard input: exit code 0' test "$code" -eq 0
json
key variants array 2
key 'variants[1].status' string done

# ---- variants that fail do not stop the others ----
call 3 'one refused' compare "$scene" $quick --no-output --json \
    --vary 'bad: contact.frction=1; good: ; high: contact.friction=-1'
json
says "did you mean 'friction'"
says "variant 'bad' did not start"
key status string refused
key 'variants[0].status' string refused
key 'variants[0].message' string
key 'variants[1].status' string done
key 'variants[2].status' string refused
key reference string good
call 1 'one ends early' compare "$scene" $quick -o early \
    --vary 'loose: ; tight: solver.tolerance=1.0e-12 solver.max_iterations=1'
says "variant 'tight': "
shows 'ended at t = '
check 'one ends early: its row says so' grep -q '^tight,ended,' early/compare.csv
check 'one ends early: figures are drawn' test -s early/histories.png
call 3 'all refused' compare "$scene" --vary contact.friction=-1,-2 -o none
shows_nothing
check 'all refused: nothing is written' sh -c '! ls none 2>/dev/null'

# ---- usage ----
refused() {
    call 2 "$1" compare "$scene" --vary "$2"
    one_message
    says "$3"
    shows_nothing
}
refused 'empty' '' 'write path=value'
refused 'no value' contact.friction 'write path=value'
refused 'no path' =1,2 'path=value,value'
refused 'missing value' contact.friction=1,,2 'a value is missing'
refused 'open bracket' 'gravity=[0,1' 'not closed'
refused 'open quote' "a: title='x" 'not closed'
refused 'no name' 'a: x=1; y=2' 'has no name'
refused 'no assignment' 'a: friction' 'is not an assignment'
refused 'same names' 'a: x=1; a: x=2' 'appears twice'
call 2 'nothing to compare' compare "$scene"
one_message
says '--vary'
call 2 'unknown reference' compare "$scene" --vary contact.friction=0.3,0.5 \
    --reference friction=0.4
one_message
says "did you mean 'friction=0.3'"
call 2 'malformed reference' compare "$scene" --vary contact.friction=0.3,0.5 --reference 'x: y'
one_message
says 'is not an assignment'
call 2 'no file' compare --vary contact.friction=0.3,0.5
one_message
call 2 'usage in JSON' compare "$scene" --vary x --json
json
key status string usage

# ---- progress: which variant of how many, on lines that a narrow terminal holds ----
if command -v script >"$out"; then
    TERM=xterm script -qc "stty cols 60; '$HAWSER' compare '$scene' --vary contact.friction=0.3,0.5 \
        --set stepper.step=1.0e-6 --no-output" typescript >"$out" 2>"$err" </dev/null
    tr '\r' '\n' <"$out" | sed 's/\x1b\[K//g' | grep ' of 2  ' >"$flat"
    check 'progress: the first of two' grep -q '^1 of 2  .* %  t = ' "$flat"
    check 'progress: the second of two' grep -q '^2 of 2  .* %  t = ' "$flat"
    check 'progress: fits into 60 columns' awk 'length > 59 { exit 1 }' "$flat"
fi

# ---- files ----
call 4 'missing file' compare none.yaml --vary contact.friction=0.3,0.5
one_message
says 'none.yaml'
: >file
call 4 'folder that cannot be' compare "$scene" $quick --vary contact.friction=0.3 -o file/in
one_message
interrupt compare "$scene" --set stepper.end=100 --vary contact.friction=0.3,0.5 --no-output --json
json
key status string interrupted
key 'variants[0].status' string interrupted
key 'variants[1].status' string skipped
finish
