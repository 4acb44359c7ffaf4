#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs end to end: the JSON contract, files, interruption, failures during the run, export, plot.
. "$(dirname "$0")/support/checks"

short='--set stepper.end=0.03'

# ---- a run that is done ----
call 0 'run' run "$scene" $short -o out.h5 --json
silent
json
for path in scenario:string stepper:string solver:string steps:number unconverged_steps:number \
    t_end:number wall_seconds:number seconds_per_step:number contacts_max:number grid_points_max:number \
    iterations_total:number residual_max:number penetration_max:number penetration_points_max:number cpu_seconds:number \
    newton_iterations:number factorizations:number rejected_steps:number \
    newton_residual_max:number suitesparse:object suitesparse.cholmod_factorizations:number \
    suitesparse.klu_solves:number \
    energy:object energy.kinetic:number energy.elastic:number energy.gravity:number \
    energy.external_work:number energy.friction_loss:number energy.impact_loss:number \
    energy.damping_loss:number energy.numerical_loss:number energy.balance_error:number \
    probes:object probes.disk.position:array probes.disk.spin:number \
    probes.cable.tension_mean:number output:string events:array; do
    key "${path%%:*}" "${path##*:}"
done
key status string done
key message null null
key output string out.h5
key steps number 3000
key unconverged_steps number 0
key stepper string moreau
key solver string pgs
key scenario string "$scene"
# Published at h = 1e-5, 20 elements: x = -0.0617053337 at t = 0.03 s; the scenario's tolerance is 1e-8.
check 'run: x of the disk' within "$(leaf 'probes.disk.position[0]')" -0.0617054 -0.0617052
check 'run: the file is there' test -s out.h5
check 'run: no partial file is left' test ! -e out.h5.part

call 0 'run with a summary for people' run "$scene" $short --no-output
silent
for word in 'energy [J]' 'friction loss' 'balance error' certificate residual 'first contact' \
    disk.position moreau pgs; do
    shows "$word"
done
check 'run --no-output: no file' sh -c '! ls disk-impact.h5*'
call 0 'default name of the results' run $short "$scene" -q
check 'default name: in the current folder' test -s disk-impact.h5
call 0 'output key without a file' run "$scene" $short --no-output --json
key output null null

cat "$scene" >piped.yaml
code=0
"$HAWSER" run - $short -o piped.h5 --json <piped.yaml >"$out" 2>"$err" || code=$?
name='scenario from the standard input'
: >"$flat"
check "$name: exit code 0" test "$code" -eq 0
key scenario string -
key status string done
cp "$scene" ./-dash.yaml
call 0 'file behind --' run --no-output $short --json -- -dash.yaml
key scenario string -dash.yaml

# A probe under its own name; without contact there is no entry, nor a mean of it.
call 0 'named probe' run "$scene" --set stepper.end=0.002 --no-output --json \
    --set output.probes='[{name: entry, of: contact.entry, mean_over: 0.01}, disk.spin]'
silent
json
key probes.entry null null
key probes.disk.spin number 40

# ---- --set ----
call 0 '--set' run "$scene" --no-output --json --set cables.cable.elements=40 \
    --set contact.friction=0 --set 'bodies.disk.velocity=[2.5, 0.6]' --set stepper.step=2.0e-5 \
    --set stepper.end=0.01
key steps number 500
check '--set: the last vx is the given one' \
    within "$(leaf 'probes.disk.velocity[0]')" 2.4999999 2.5000001
call 0 'last --set of a path wins' run "$scene" --no-output --json --set stepper.end=1 \
    --set stepper.end=0.001
key steps number 100

# ---- check ----
call 0 'check' check "$scene"
silent
shows ready
call 0 'check in JSON' check "$scene" --json
json
key status string done
key dofs number
key critical_step number
call 0 'check --resolve' check "$scene" --resolve
silent
for word in gauss_points max_iterations separation arm; do
    shows "$word"
done
cp "$out" resolved.yaml
call 0 'the resolved scenario is one' check resolved.yaml --resolve
check 'resolving twice changes nothing' cmp resolved.yaml "$out"

call 0 'check --resolve in JSON' check "$scene" --resolve --json
json
key resolved string

# ---- names that are hard to quote ----
odd=$(printf 'odd "name" \\ \377.yaml')
title="title: 'A \"b\" \\ c: é'"
awk -v title="$(printf '%s\n' "$title" | sed 's/\\/\\\\/g')" '/^title:/ { $0 = title } { print }' "$scene" >"$odd"
call 0 'odd names in JSON' run --no-output $short "$odd" --json
json
key title string 'A \"b\" \\ c: é'
key scenario string 'odd \"name\" \\ \ufffd.yaml'

# ---- units ----
call 0 'a modulus in Pa' check "$root/data/templates/hanging-weight.yaml" --set cables.rope.stiffness=2.0e+11
says "pulses run through 'rope' at 1.4e+06 m/s"
call 0 'a modulus in GPa' check "$root/data/templates/hanging-weight.yaml" --set cables.rope.stiffness=2 --set bodies.weight.mass=1
says "'rope' is stretched by 5.9 times its length"
call 0 'EA' check "$root/data/templates/hanging-weight.yaml"
silent

# ---- threads that are drawn pressed ----
pressed() {
    printf '%s\n' 'hawser: 1' "dimension: $1" "gravity: $2" 'start: given' \
        "cables: [{name: c, element: $3, elements: 20, from: $4, to: $5, length: 1.05, stiffness: 1.0e+4, density: 0.1, slack: $6}]" >pressed.yaml
}
for element in chain bezier bezier-c0; do
    pressed 2 '[0, 0]' $element '[0, 0]' '[0, 1]' false
    call 0 "a pressed $element" check pressed.yaml
    says "at the start 'c' is pressed by 476 N and does not bend: slack: true lets it sag"
    pressed 3 '[0, 0, 0]' $element '[0, 0, 0]' '[0, 0, 1]' false
    call 0 "a pressed $element in space" check pressed.yaml
    says "'c' is pressed by 476 N"
    pressed 2 '[0, 0]' $element '[0, 0]' '[0, 1]' true
    call 0 "a slack $element" check pressed.yaml
    silent
done

# ---- elements longer than the radius that they bend round ----
over() {
    printf '%s\n' 'hawser: 1' 'dimension: 3' \
        'bodies: [{name: eye, shape: {type: cylinder, radius: 0.01}, motion: {fixed: true}}]' 'cables:' \
        "  - {name: rope, element: $1, elements: $2, from: [0.012, -0.2, 0], stiffness: 1.0e+4, density: 0.05, radius: 0.002, tension: 10," \
        '     path: [{line: [0.012, 0, 0]}, {arc: {center: [0, 0, 0], radius: 0.012, angle_deg: 180}}, {line: [-0.012, -0.2, 0]}]}' \
        'contact: [{between: [rope, eye], friction: 0.2}]' 'stepper: {type: quasi-static, step: 0.02, end: 0.04}' \
        'output: {every: 0.02}' >over.yaml
}
over bezier 24
call 0 'an element turns by 1.5 rad' run over.yaml --no-output --json
says "turns by 1.5 rad round a radius of 0.012 m: forces and friction there are rough; finer ones (0.003 m) follow it"
check 'an element turns by 1.5 rad: said once' test "$(grep -c 'turns by' "$err")" -eq 1
over bezier 72
call 0 'elements turn by 0.5 rad' run over.yaml --no-output
silent
crossed() {
    printf '%s\n' 'hawser: 1' 'dimension: 3' 'cables:' \
        '  - {name: fine, element: bezier-c0, elements: 81, from: [-0.05, 0, 0], to: [0.05, 0, 0], tension: 1000, stiffness: 1.0e+5, density: 0.05, radius: 0.002}' \
        "  - {name: coarse, element: ancf, elements: $1, from: [0, -0.05, 0.0041], to: [0, 0.05, 0.0041], tension: 10, stiffness: 100, density: 0.05, radius: 0.002," \
        '     ends: {start: {motion: {velocity: [0, 0, -0.1]}}, end: {motion: {velocity: [0, 0, -0.1]}}}}' \
        'contact: [{between: [fine, coarse]}]' 'stepper: {type: quasi-static, step: 0.025, end: 0.5}' 'output: {every: 0.1}' >crossed.yaml
}
crossed 9
call 0 'a coarse line on a fine one' run crossed.yaml --no-output --json
says "an element of 'coarse', 0.0101 m long, turns by 1.3 rad round a radius of 0.00401 m"
crossed 101
call 0 'two fine lines' run crossed.yaml --no-output
silent

# ---- ended during the run ----
call 1 'unconverged step' run "$scene" -o bad.h5 --json --set solver.tolerance=1.0e-14 \
    --set solver.max_iterations=1
says 'missed its tolerance'
says 'solver.max_iterations'
one_message
json
key status string ended
key message string
check 'unconverged step: counted' within "$(leaf unconverged_steps)" 1 1
check 'unconverged step: what was computed is written' test -s bad.h5
cat >crowd.yaml <<'END'
hawser: 1
start: given
bodies:
  - {name: drum, shape: {type: circle, radius: 0.1}, mass: 1, joint: revolute}
cables:
  - {name: rope, elements: 30, stiffness: 1.0e+3, density: 0.01, tension: 10, from: [-0.1, -0.5],
     path: [{line: [-0.1, 0]}, {arc: {center: [0, 0], radius: 0.1, angle_deg: -180}}, {line: [0.1, -0.5]}]}
contact:
  - {between: [rope, drum], points_per_element: 8, friction: 0.3}
solver: {type: pgs, max_iterations: 3}
stepper: {end: 0.1}
END
call 1 'unconverged step, many points on an element' run crowd.yaml --no-output -q
says 'contact.points_per_element: 2 (or a spacing of 0.022 m)'
call 0 'unconverged step: the file is readable' export bad.h5 -o bad --csv
call 0 'unconverged steps with a warning' run "$scene" --set stepper.end=0.032 --no-output --json \
    --set solver.tolerance=1.0e-14 --set solver.max_iterations=1 --set solver.on_unconverged=warn
says 'hawser: warning: '
key status string done
check 'unconverged steps with a warning: counted' within "$(leaf unconverged_steps)" 1 3000
call 0 'warnings can be silenced' run "$scene" --set stepper.end=0.032 --no-output -q \
    --set solver.tolerance=1.0e-14 --set solver.max_iterations=1 --set solver.on_unconverged=warn
silent
call 1 'too fast for the step' run "$scene" --no-output --json --set 'bodies.disk.velocity=[3000, 0]'
one_message
json
key status string ended
call 1 'state that is not finite' run "$scene" --no-output --json --set bodies.disk.torque=1.0e+308
says 'no longer finite'
one_message
json
key status string ended
cat >guard.yaml <<'YAML'
hawser: 1
title: Ends pushed together until the handles of the polar coordinates vanish
cables:
  - name: cable
    element: bezier-polar
    elements: 4
    from: [0, 0]
    to: [0, 2]
    stiffness: 4.0e+4
    density: 0.1
    tension: 400
    ends: {start: pinned, end: {motion: {velocity: [0, -100]}}}
stepper: {type: moreau, step: auto, end: 0.1}
YAML
call 1 'handle that vanishes' run guard.yaml -o guard.h5 --json
says 'handle'
one_message
json
key status string ended
check 'handle that vanishes: steps were done' within "$(leaf steps)" 1 1000
call 0 'handle that vanishes: the file is readable' export guard.h5 -o guard --csv

# ---- interrupted ----
for signal in INT TERM; do
    rm -f long.h5
    "$HAWSER" run "$scene" --json -o long.h5 --set stepper.end=3600 >"$out" 2>"$err" </dev/null &
    pid=$!
    for i in 1 2 3 4 5 6 7 8 9 10; do
        sleep 0.3
        test -e long.h5.part && break
    done
    kill -$signal $pid
    code=0
    wait $pid || code=$?
    name="interrupted by $signal"
    : >"$flat"
    check "$name: exit code 130" test "$code" -eq 130
    json
    key status string interrupted
    key output string long.h5
    check "$name: steps were done" within "$(leaf steps)" 1 1e12
    check "$name: the file is whole" test -s long.h5 -a ! -e long.h5.part
    call 0 "$name: the file is readable" export long.h5 -o long --csv
done

# ---- no space left ----
if [ -c /dev/full ]; then
    call 4 'no space for the results' run "$scene" $short -o /dev/full --json
    says 'no space left on'
    one_message
    json
    key status string io
    code=0
    "$HAWSER" run "$scene" $short --no-output >/dev/full 2>"$err" || code=$?
    name='no space for the summary'
    : >"$out"
    check "$name: exit code 4" test "$code" -eq 4
    says 'No space left on device'
fi

# A limit on the size of files, in blocks of 512 bytes, acts like a disk that fills up on the way.
rm -f limited.h5*
code=0
(
    ulimit -f 7000
    exec "$HAWSER" run "$scene" -o limited.h5 --json --set output.every=1.0e-5 >"$out" 2>"$err"
) || code=$?
name="disk that fills up"
: >"$flat"
check "$name: exit code 4" test "$code" -eq 4
one_message
json
key status string io
key output string limited.h5.part
check "$name: steps were done" within "$(leaf steps)" 1 25000
call 0 "$name: the file is readable to its last flush" export limited.h5.part -o limited --csv

# ---- export, plot, modes ----
call 0 'export' export out.h5 -o tables
silent
shows tables
check 'export: CSV files' sh -c 'ls tables/*.csv'
check 'export: contact at the end' sh -c \
    'head -1 tables/contact-profile-cable-disk.csv | grep -q "^xi\[m\],x\[m\],.*,slip\[m/s\]$"'
check 'export: a collection for ParaView' sh -c 'ls tables/*.pvd tables/*.vtp || ls tables/*/*.vtp'
call 0 'export --csv' export out.h5 -o csv --csv --json
json
key csv boolean true
key vtp boolean false
check 'export --csv: nothing else' sh -c '! ls csv/*.pvd'
call 0 'export --vtp' export --vtp -o vtp out.h5
check 'export --vtp: nothing else' sh -c '! ls vtp/*.csv'
call 0 'default folder of an export' export out.h5 --csv
check 'default folder: name of the results' test -d out
# A gnuplot that never ends, killed with the program in the midst of its pictures.
mkdir bin
cat >bin/gnuplot <<'SCRIPT'
#!/bin/sh
cd "$4" || exit 1
for ending in png svg; do
    echo half >"$(basename "$3" .gp).$ending$5"
done
echo $$ >drawing
exec sleep 600
SCRIPT
chmod +x bin/gnuplot
for signal in TERM XCPU KILL; do
    name="plot, ended by $signal"
    rm -rf half
    PATH="$work/bin:$PATH" "$HAWSER" plot out.h5 -o half >"$out" 2>"$err" </dev/null &
    pid=$!
    for _ in $(seq 200); do
        test -s half/drawing && break
        sleep 0.05
    done
    kill -$signal $pid
    code=0
    wait $pid || code=$?
    # what is killed says nothing, and leaves no process behind: not even the one that reads the file
    test $signal = KILL && wanted=137 || wanted=130
    check "$name: exit code $wanted" test "$code" -eq $wanted
    check "$name: none of its processes goes on" sh -c 'for _ in $(seq 40); do ps -eo stat=,args= |
        grep -v -e "^Z" -e grep | grep -qF "$1 plot out.h5 -o half" || exit 0; sleep 0.05; done; exit 1' sh "$HAWSER"
    for _ in $(seq 40); do # a process that nobody has waited for yet is no longer at work
        ps -o stat= -p "$(cat half/drawing)" | grep -qv Z || break
        sleep 0.05
    done
    check "$name: gnuplot has ended" sh -c '! ps -o stat= -p "$(cat half/drawing)" | grep -qv Z'
    test $signal = KILL || check "$name: no drafts" test -z "$(find half -name '*.part')"
    kill "$(cat half/drawing)" 2>/dev/null
done
if command -v gnuplot >/dev/null 2>&1; then
    call 0 'plot' plot out.h5 -o figures
    silent
    check 'plot: prints the files it wrote' sh -c "while read -r f; do test -s \"\$f\" || exit 1; done <'$out'"
    check 'plot: PNG and SVG' sh -c 'ls figures/*.png figures/*.svg'
    call 0 'plot in JSON' plot out.h5 -o figures --json
    json
    key 'files[0]' string
fi
call 0 'modes' modes "$scene" -n 3
silent
# Pruefer's phase equation for this cable under gravity: 15.90970731 Hz.
call 0 'modes in JSON' modes "$scene" -n 3 --json --set bodies.disk.position='[-1, 1]' -o modes.csv
json
check 'modes: the first frequency' within "$(leaf 'frequency[0]')" 15.909706 15.909709
key 'frequency[2]' number
check 'modes: shapes as CSV' sh -c "head -n 1 modes.csv | grep -q '^cable,xi\[m\],x\[m\],y\[m\],x1,y1'"

# ---- two cables that a spring ties together ----
cat >strings.yaml <<'END'
hawser: 1
title: Two strings that a spring ties together
gravity: [0, -1]
cables:
  - {name: upper, element: chain, elements: 16, from: [0, 0], to: [2, 0], stiffness: 500, density: 0.1, tension: 50}
  - {name: lower, element: chain, elements: 16, from: [0, -0.1], to: [2, -0.1], stiffness: 500, density: 0.4, tension: 100}
springs:
  - {between: [{upper: 0.5}, {lower: 0.5}], stiffness: 400, length: 0.1}
stepper: {type: static}
output: {probes: [upper.position]}
END
# w L^2 / 8 T + F L / 4 T with F = k (difference of the sags) = 0.04329 N.
call 0 'a spring between two cables' run strings.yaml --json --no-output
check 'a spring between two cables: the sag' within "$(leaf 'probes.upper.position[1]')" -0.0013421 -0.0013419
for stepper in generalized-alpha moreau-jean moreau; do
    call 0 "a spring between two cables, $stepper" run strings.yaml --set stepper.type=$stepper \
        --set stepper.step=1.0e-4 --set stepper.end=0.01 --json --no-output
    check "a spring between two cables, $stepper: the sag" within \
        "$(leaf 'probes.upper.position[1]')" -0.0013421 -0.0013419
done

# ---- the unstrained length that a wanted tension asks for, found by the stepper itself ----
# Elastic catenary: 2 m = H L / EA + (2 H / w) asinh(w L / 2 H), H^2 + (w L / 2)^2 = T^2; L = 1.91737377 m.
cat >wanted.yaml <<'END'
hawser: 1
gravity: [0, -9.81]
cables: [{name: rope, element: bezier, elements: 16, from: [0, 0], to: [2, 0], stiffness: 1000, density: 1, tension: 50}]
start: given
stepper: {type: static}
END
call 0 'a wanted tension, given start and static' run wanted.yaml -o wanted.h5
call 0 'a wanted tension: export' export wanted.h5 -o wanted
check 'a wanted tension: the length found, in the profile' within \
    "$(tail -n 1 wanted/profile-rope.csv | cut -d , -f 3)" 1.917373 1.917375
call 3 'a spring between a point and itself' run strings.yaml --no-output \
    --set springs.0.between='[{upper: 0.5}, {upper: 0.5}]'
finish
