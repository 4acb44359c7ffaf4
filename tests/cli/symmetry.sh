#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What must not matter: names and order of what a scenario has, the unit of mass (four times as much of all
# masses, forces and stiffnesses: every number doubles twice, which rounds nothing) and the place of the
# scene. All histories are compared, with all their digits but for the last.
. "$(dirname "$0")/support/checks"

# scene STEPPER [FACTOR [X [Y]]] : a disk that hits a rope and a line on which a weight hangs, in scene.yaml
scene() {
    awk -v stepper="$1" -v f="${2:-1}" -v x="${3:-0}" -v y="${4:-0}" '
    function at(px, py) { return "[" px + x ", " py + y "]" }
    BEGIN {
        OFMT = CONVFMT = "%.17g"
        print "hawser: 1\ngravity: [0, -9.81]\nbodies:"
        print "  - {name: disk, shape: {type: circle, radius: 0.125}, mass: " 2 * f ", position: " at(-0.1875, 1) ", velocity: [3, 0], spin: 40}"
        print "  - {name: weight, mass: " 0.5 * f ", inertia: " 0.0625 * f ", position: " at(0.0625, 1.5) "}"
        print "  - {name: wall, shape: {type: plane, normal: [-1, 0]}, position: " at(0.75, 0) ", motion: {fixed: true}}"
        print "cables:"
        print "  - {name: rope, element: bezier, elements: 12, from: " at(0, 0) ", to: " at(0, 2) ", stiffness: " 4e4 * f ", density: " 0.125 * f ", tension: " 400 * f ", damping: {mass: 2}}"
        print "  - {name: line, elements: 6, from: " at(0.0625, 2) ", to: " at(0.0625, 1.5) ", stiffness: " 1e3 * f ", density: " 0.0625 * f ", ends: {end: {body: weight}}}"
        print "contact:"
        print "  - {between: [rope, disk], points_per_element: 8, friction: 0.3}"
        print "  - {between: [line, disk], points_per_element: 8, friction: 0.3}"
        print "springs:"
        print "  - {between: [weight, " at(0.5625, 1.5) "], stiffness: " 50 * f ", damping: " 0.25 * f "}"
        print "  - {between: [disk, weight], stiffness: " 20 * f "}"
        print "forces:"
        print "  - {target: weight, force: [" f ", " 0.5 * f "]}"
        print "  - {target: disk, force: [0, {table: [[0, 0], [0.5, " 64 * f "]]}]}"
        print "start: given"
        print "stepper: {type: " stepper ", end: 0.05, step: 4.0e-5}"
        print "solver: {type: newton, tolerance: 1.0e-11}"
        print "output: {every: 2.5e-3, probes: [disk.position, weight.velocity, rope.tension_mean, contact.normal_sum]}"
    }' >scene.yaml
}

# histories NAME : of scene.yaml, the table NAME.csv and that of energies
histories() {
    call 0 "$1" run scene.yaml -q -o "$1.h5"
    call 0 "$1: export" export "$1.h5" --csv -o "$1" -q
}

# same A B [FACTOR [X [Y [TOLERANCE]]]] : numbers of B are those of A; those with mass in their unit are FACTOR times
# as large, places lie by X and Y further
same() {
    for table in histories energy; do
        awk -F , -v f="${3:-1}" -v x="${4:-0}" -v y="${5:-0}" -v tolerance="${6:-0}" '
        NR == FNR { row[FNR] = $0; next }
        FNR == 1 {
            n = split(row[1], head, ",")
            for (i = 1; i <= n; i++) unit[head[i]] = i
            for (i = 1; i <= NF; i++) {
                if (!($i in unit)) { print "no column " $i; bad = 1; exit }
                from[i] = unit[$i]
                times[i] = $i ~ /\[(N|J|kg)/ ? f : 1
                # by the place of zero potential alone
                left[i] = $i ~ /(gravity|initial|balance|contact_work)/ && (x != 0 || y != 0)
                more[i] = $i ~ /position_x/ ? x : ($i ~ /position_y/ ? y : 0)
            }
            next
        }
        {
            split(row[FNR], was, ",")
            for (i = 1; i <= NF; i++) {
                want = was[from[i]] * times[i] + more[i]
                largest = want < 0 ? -want : want
                error = $i - want
                error = error < 0 ? -error : error
                if (!left[i] && $i != was[from[i]] && !(error <= tolerance * (1 + largest))) {
                    print FILENAME, FNR, i, $i, want; bad = 1
                }
            }
            rows++
        }
        END { exit bad || rows < 20 }' "$1/$table.csv" "$2/$table.csv" || return 1
    done
}

for stepper in moreau moreau-jean; do
    scene $stepper
    histories $stepper
    check "$stepper: something happens" sh -c "grep -q 'first contact' $stepper/events.csv"
    scene $stepper 4
    histories $stepper-four
    check "$stepper: four times as heavy" same $stepper $stepper-four 4
    scene $stepper 1 4 -8
    histories $stepper-moved
    check "$stepper: elsewhere" same $stepper $stepper-moved 1 4 -8 1e-9
    scene $stepper
    sed -e 's/\<disk\>/z_9/g; s/\<weight\>/a-b/g; s/\<rope\>/weight/g; s/\<line\>/disk/g' scene.yaml >other.yaml
    mv other.yaml scene.yaml
    histories $stepper-named
    sed -i 's/\<disk\>/line/g; s/\<weight\>/rope/g; s/\<z_9\>/disk/g; s/\<a-b\>/weight/g' $stepper-named/*.csv
    check "$stepper: other names" same $stepper $stepper-named
    scene $stepper
    awk '/^  -/ { list = $0 "\n" list; next } { printf "%s", list; list = ""; print }' scene.yaml >other.yaml
    mv other.yaml scene.yaml
    check "$stepper: the other way round" grep -q -m 1 wall scene.yaml
    histories $stepper-turned
    check "$stepper: other order" same $stepper $stepper-turned 1 0 0 1e-9
done
finish
