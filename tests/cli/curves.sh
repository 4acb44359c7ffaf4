#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Overhand knots of 1 to 4 turns from files of points: doc/example/knot.py writes them, and a cable has their length, no twist as
# it is drawn, no strand nearer to another than a diameter, and a writhe of hardly more than its 2 n + 1 crossings.
. "$(dirname "$0")/support/checks"

cat >knot.yaml <<'END'
hawser: 1
dimension: 3
cables:
  - {name: rod, element: se3, elements: 240, path: [{file: knot.csv}], reference: drawn, stiffness: 1.448, bending_stiffness: 9.265e-7,
     density: 9.49e-3, radius: 1.6e-3, ends: {start: clamped, end: clamped}}
start: given
stepper: {type: moreau-jean, step: 1.0e-4, end: 1.0e-4}
output: {every: 1.0e-4, probes: [rod.length, rod.writhe, rod.twist]}
END

# Least distance of points that are more than 0.03 m apart along the curve.
nearest() {
    awk -F', ' 'BEGIN { n = 0 } NR > 1 { x[n] = $1; y[n] = $2; z[n] = $3
        s[n] = n ? s[n - 1] + sqrt((x[n] - x[n-1])^2 + (y[n] - y[n-1])^2 + (z[n] - z[n-1])^2) : 0; n++ }
        END { least = 1
            for (i = 0; i < n; i += 2) for (j = i + 2; j < n; j += 2) if (s[j] - s[i] > 0.03) {
                d = sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2); if (d < least) least = d }
            printf "%.9g\n", least }' "$1"
}

for turns in 1 2 3 4; do
    python3 "$root/doc/example/knot.py" $turns 1.0 1.6e-3 0.45 >knot.csv
    call 0 "knot of $turns turns" run knot.yaml --json
    json
    check "knot of $turns turns: length" within "$(leaf probes.rod.length)" 0.999 1.001
    check "knot of $turns turns: drawn without twist" within "$(leaf probes.rod.twist)" -1e-2 1e-2
    check "knot of $turns turns: strands keep a diameter" within "$(nearest knot.csv)" 3.2e-3 3.5e-3
    least=$((-(2 * turns + 1)))
    check "knot of $turns turns: writhe" within "$(leaf probes.rod.writhe)" "$(awk "BEGIN { print 1.25 * $least }")" "$least"
done
finish
