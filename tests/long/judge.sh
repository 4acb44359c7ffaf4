#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An independent judge (tests/judge/judge.py) of every shipped scenario and of random scenes, and of
# files that were spoiled on purpose, each of which it must find wrong.
. "$(dirname "$0")/../cli/support/checks"
judge=$root/tests/judge/judge.py
python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import h5py, numpy, yaml' 2>/dev/null && python=$candidate && break
done
test -n "$python" || {
    echo "judge: not run, python3-h5py, python3-numpy or python3-yaml is not installed"
    exit 0
}

# Run a scenario and judge what it leaves: judged NAME ARGUMENT...
judged() {
    name=$1
    shift
    rm -rf problems results.h5
    code=0
    "$HAWSER" run "$@" --dump-problems 100 --dump-dir problems -q -o results.h5 >"$out" 2>"$err" || code=$?
    check "$name: runs" test "$code" -eq 0
    test "$code" -eq 0 || return 0
    mkdir -p problems
    check "$name: $("$python" "$judge" results.h5 --problems problems 2>&1 >"$work/wrong" | sed 's/.*looked at/judged/' | cut -c 1-160)" \
        test ! -s "$work/wrong"
    test ! -s "$work/wrong" || head -n 3 "$work/wrong" | cut -c 1-200
}

# ---- shipped scenarios, the longest of them not to their end ----
for file in "$root"/data/scenarios/*.yaml; do
    scenario=$(basename "$file" .yaml)
    case $scenario in
        belt-drive-space) judged "$scenario" "$file" --set stepper.end=0.2 ;;
        winding-w1 | yarn-penalty | winding-helix | plectoneme | knot-overhand-4) judged "$scenario" "$file" --set stepper.end=2 ;;
        *) judged "$scenario" "$file" ;;
    esac
done

# ---- spoiled files ----
judged disk-impact "$root/data/scenarios/disk-impact.yaml"
spoil() {
    cp results.h5 spoiled.h5
    rm -rf spoiled
    cp -r problems spoiled
    "$python" - "$1" <<'PYTHON' || exit 1
import glob
import sys
import h5py
with h5py.File("spoiled.h5", "r+") as results:
    for path in sorted(glob.glob("spoiled/*"))[:1]:
        with h5py.File(path, "r+") as problem:
            exec(sys.argv[1])
PYTHON
    check "spoiled: $1" expect_wrong
}
expect_wrong() {
    code=0
    "$python" "$judge" spoiled.h5 --problems spoiled >"$work/wrong" 2>"$err" || code=$?
    test "$code" -eq 1 && test -s "$work/wrong"
}
spoil 'results["hawser/energy/friction_loss"][100] *= 1.02'
spoil 'results["hawser/energy/external_work"][200:] += 1e-4; results["hawser/energy/balance_drift"][200:] -= 1e-4'
spoil 'results["hawser/energy/gravity"][200] *= 1.02; results["hawser/energy/elastic"][200] -= 0.02 * results["hawser/energy/gravity"][200] / 1.02'
spoil 'results["hawser/energy/kinetic"][200] *= 0.5; results["hawser/energy/elastic"][200] += results["hawser/energy/kinetic"][200]'
spoil 'results["hawser/energy/elastic"][200] *= 0.5; results["hawser/energy/kinetic"][200] += results["hawser/energy/elastic"][200]'
spoil 'results["hawser/bodies/disk/position"][50, 0] += 0.01'
spoil 'results["hawser/contacts/cable-disk/profile/tangential_stress"][...] = 1'
spoil 'results["hawser/energy/elastic"][3] = float("nan")'
spoil 'results["hawser/summary"].attrs["t_end"] = 0.2'
spoil 'problem["solution/r"][0] *= 1.02'
spoil 'problem["solution/u"][1] *= 1.02'
spoil 'problem["fclib_local/vectors/q"][1] *= 1.02'
spoil 'problem["fclib_local/vectors/mu"][0] *= 0.98'
spoil 'results["hawser/summary"].attrs["residual_max"] = 0.0'

# ---- random scenes ----
cat >judged <<SH
#!/bin/sh
# In the place of the program: run it, and end with a code of its own if the judge disagrees.
rm -rf "$work/dump"
"$HAWSER" "\$@" --dump-problems 1 --dump-dir "$work/dump"
code=\$?
mkdir -p "$work/dump"
if [ "\$code" -eq 0 ]; then
    "$python" "$judge" "\$4" --problems "$work/dump" >>"$work/disagreements" 2>/dev/null || code=99
fi
exit "\$code"
SH
chmod +x judged
scenes=$(dirname "$HAWSER")/release/tests/long/test_random_scenes
if [ -x "$scenes" ]; then
    for seed in 7000003 7000026 7000131 7000140 7000200 8000480 8000504 8000758 8000833 9000086; do
        check "scene $seed, once wrong" env HAWSER="$work/judged" HAWSER_SCENE=$seed "$scenes"
    done
    check '2000 random scenes: no disagreement' env HAWSER="$work/judged" "$scenes"
    test ! -s disagreements || head -n 20 disagreements | cut -c 1-200
else
    echo "judge: random scenes not run, $scenes is not built"
fi
finish
