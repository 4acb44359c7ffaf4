#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Wrong physical input: one clear message each, the documented exit code, nothing on stdout, no file.
. "$(dirname "$0")/support/checks"

# refused NAME TEXT ARGUMENT... : check and run refuse alike, with one message that has TEXT
refused() {
    case=$1
    text=$2
    shift 2
    call 3 "check: $case" check "$scene" "$@"
    says "$text"
    one_message
    shows_nothing
    call 3 "run: $case" run "$scene" -o refused.h5 "$@"
    says "$text"
    one_message
    shows_nothing
    check "run: $case: no file" sh -c '! ls refused.h5*'
}

refused 'step above the critical one' step --set stepper.step=1.0e-3
refused 'spacing of the contact points above the radius' radius \
    --set cables.cable.elements=4 --set contact.points_per_element=1
refused 'start inside the disk' 'inside the surface' --set 'bodies.disk.position=[0, 1.0]'
call 3 'minima in explicit steps' check two-strings-collide --set contact.proxy=minima --set stepper.type=moreau \
    --set stepper.step=auto
says 'proxy: minima, which moreau cannot handle: use moreau-jean or'
refused 'density below zero' "'density' must be > 0 kg/m" --set cables.cable.density=-0.1
refused 'density that is not a number' density --set cables.cable.density=.nan
refused 'velocity that is not a number' velocity --set 'bodies.disk.velocity=[.nan, 0]'
refused 'infinite stiffness' stiffness --set cables.cable.stiffness=.inf
refused 'mass of zero' mass --set bodies.disk.mass=0
refused 'radius below zero' radius --set bodies.disk.shape.radius=-0.1 --set bodies.disk.inertia=0.01
refused 'friction below zero' friction --set contact.friction=-0.3
refused 'restitution above one' restitution --set contact.restitution=1.5
refused 'no elements' elements --set cables.cable.elements=0
refused 'half an element' elements --set cables.cable.elements=2.5
refused 'offset that this element cannot have' "offset=1.0e-3: error: contact of 'cable' and 'disk'" --set contact.offset=1.0e-3 \
    --set cables.cable.element=bezier-polar --set contact.law=penalty --set contact.friction=0 \
    --set contact.normal_stiffness=1.0e+6
refused 'step of zero' step --set stepper.step=0
refused 'output interval of zero' every --set output.every=0
refused 'text for a number' friction --set contact.friction=much
refused 'unknown element' "did you mean 'bezier'" --set cables.cable.element=bezir
refused 'unknown solver' pgs --set solver.type=psg
refused 'unknown stepper' moreau --set stepper.type=moreu
refused 'unknown law' hard --set contact.law=hrad
refused 'unknown key' "did you mean 'friction'" --set contact.frictoin=0.2
refused 'unknown body in --set' disk --set bodies.disc.mass=1
refused 'setting without a value' friction --set contact.friction
refused 'unknown probe' 'disk.posture' --set 'output.probes=[disk.posture]'
refused 'cable that touches nothing known' disc --set 'contact.cable-disk.between=[cable, disc]'

# The nominal radii of a published strand: its wires overlap by 26 micrometres.
call 3 'wires that overlap' check "$root/data/scenarios/strand-7.yaml" \
    --set cables.wire1.radius=1.865e-3 --set cables.wire2.radius=1.865e-3
says "contact of 'wire1' and 'wire2': the start is 2.5"
says 'apart' # its elements are not to blame
one_message

# What only the built model can tell has its place as well.
sed -e 's/step: 1.0e-5/step: 1.0e-3/' "$scene" >step.yaml
call 3 'step above the critical one, in the file' check step.yaml
check 'its place is the step' grep -q '^step.yaml:[0-9]*:31: error: step 0.001 s is above' "$err"
call 3 'and in --set' check "$scene" --set stepper.step=1.0e-3
check 'its place is the setting' grep -q '^--set stepper.step=1.0e-3: error: step' "$err"

cat >joints.yaml <<'EOF'
hawser: 1
bodies:
  - {name: a, mass: 1, inertia: 1}
  - {name: b, mass: 1, inertia: 1, velocity: [0, 1]}
joints:
  - {name: one, type: pinned, between: [{body: a}, {ground: [0, 0]}]}
  - {name: two, type: pinned, between: [{body: b}, {ground: [0, 0]}]}
start: given
stepper: {type: moreau-jean}
EOF
call 3 'a joint that moves apart' check joints.yaml
check 'its place is that joint' grep -q '^joints.yaml:7:5: error: its points move apart' "$err"
call 0 'a joint is set by its name' check joints.yaml --set 'bodies.b.velocity=[0, 0]' \
    --set joints.two.type=fixed

# All errors at once, each with its place; the summary comes after.
sed -e 's/mass: 2.0/mas: 2.0/' -e 's/friction: 0.3/friction: -0.3/' -e 's/density: 0.1/density: -1/' \
    "$scene" >three.yaml
call 3 'three errors' check three.yaml
says "unknown key 'mas' in a body; did you mean 'mass'?"
says "'friction' must be between 0 and 1000000000"
says "'density' must be > 0"
says 'hawser: error: three.yaml:'
check 'three errors: each with file, line and column' \
    sh -c "test \$(grep -c '^three.yaml:[0-9]*:[0-9]*: error: ' '$err') -ge 3"
call 3 'three errors in JSON' run three.yaml --json
json
key status string refused
key message string
key 'messages[2]' string

printf 'hawser: 1\ntitle: [broken\n' >broken.yaml
call 3 'no YAML' check broken.yaml
says 'broken.yaml:'
: >empty.yaml
call 3 'empty file' check empty.yaml
says empty
printf 'hawser: 2\n' >future.yaml
call 3 'version of the future' check future.yaml
says version
printf 'title: x\n' >unversioned.yaml
call 3 'no version' check unversioned.yaml
says hawser

for command in run check modes; do
    call 4 "$command: missing file" "$command" nowhere.yaml
    says "nowhere.yaml"
    says 'No such file or directory'
    one_message
    shows_nothing
    call 4 "$command: missing file in JSON" "$command" nowhere.yaml --json
    json
    key status string io
    mkdir -p folder.yaml
    call 4 "$command: a folder" "$command" folder.yaml
    says folder.yaml
    one_message
done
for command in export plot; do
    call 4 "$command: missing results" "$command" nowhere.h5
    says nowhere.h5
    one_message
    shows_nothing
    echo 'no results' >text.h5
    call 4 "$command: not a results file" "$command" text.h5
    says text.h5
    one_message
done
call 4 'output folder is missing' run "$scene" -o nowhere/out.h5
says nowhere/out.h5
one_message
shows_nothing
call 4 'shapes into a missing folder' modes "$scene" -o nowhere/modes.csv
says nowhere/modes.csv
one_message

# What has been said of a key is not said again of what follows from it.
cat >lacking.yaml <<'SCENE'
hawser: 1
bodies:
  - {name: block, shape: {type: box, length: 1}, mass: 1}
stepper: {type: moreau, step: 1.0e-3, end: 0.01}
SCENE
call 3 'a box without a height' check lacking.yaml
says "lacking.yaml:3:26: error: missing required key 'height' in the shape 'box'"
one_message
call 3 'a height that is refused' check lacking.yaml --set bodies.block.shape.height=-1
says "'height' must be"
one_message

# More than there is memory for is said before any of it is asked for: the place, the need, what to change.
large() {
    name=$1
    text=$2
    shift 2
    code=0
    (
        ulimit -v 2000000
        exec timeout 60 "$HAWSER" run belt-drive-space --no-output "$@" >"$out" 2>"$err" </dev/null
    ) || code=$?
    check "$name: exit code 3" test "$code" -eq 3
    says "$text"
    one_message
    shows_nothing
}
large 'a million elements' 'elements=1000000: error: 3000014 coordinates and 0 contact points need about 2.2' \
    --set cables.belt.elements=1000000 --set contact.points_per_element=1
says 'GB of memory, and there are 1.8 GB: fewer elements'
large 'millions of points' 'points_per_element=10000: error: 1460 coordinates and 4800002 contact points need about 1.9' \
    --set contact.points_per_element=10000
says 'GB of memory, and there are 1.8 GB: fewer points per element, or a wider spacing'

# ---- a case of a study ----
name='a refused case is named when it is met'
"$HAWSER" study "$scene" --set stepper.end=3600 --vary contact.friction=-1,0 -o met >"$out" 2>"$err" </dev/null &
pid=$!
for _ in $(seq 200); do
    grep -q friction "$err" && break
    sleep 0.05
done
says "warning: variant 'friction=-1': "
check "$name, before the end of the others" test ! -e met/study.csv
kill -INT $pid
wait $pid
finish
