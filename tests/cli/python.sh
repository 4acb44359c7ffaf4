#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Python package, where make could build it: its tests, its types, and a library that does not fit.
set -u
top=$(pwd)
python=$(sh src/python/find.sh)
package=$(dirname "$HAWSER")/python
if [ -z "$python" ] || [ ! -f "$package/hawser/_abi.py" ]; then
    echo "not run: there is no Python package here (python3-numpy, python3-pycparser)"
    echo "0 passed, 0 failed"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# expect WHAT STATUS COMMAND...
expect() {
    what=$1
    wanted=$2
    shift 2
    "$@" >"$work/log" 2>&1
    status=$?
    if [ "$status" -eq "$wanted" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "python: $what: status $status"
        cat "$work/log"
    fi
}

for class in Documents Scenarios Runs Control Problems Theories Costs; do
    expect "$class" 0 env PYTHONPATH="$package" "$python" tests/python/test_package.py "$class"
done

# Headers and library that differ are found when the package is built.
generate() {
    (cd "$work" && "$python" "$top/src/python/generate.py" "${CC:-cc}" include/hawser/hawser.h \
        "$(dirname "$HAWSER")/libhawser.so" libhawser.so.0 "$work/_abi.py")
}
cp -r include "$work"
expect 'headers and library' 0 generate
echo 'HAW_API void haw_unknown(void);' >>"$work/include/hawser/hawser.h"
expect 'a function that the library lacks' 1 generate
cp "$work/log" "$work/said"
expect 'its name' 0 grep -q haw_unknown "$work/said"
cp include/hawser/hawser.h "$work/include/hawser"
sed -i '/haw_context_cancelled/d' "$work/include/hawser/base.h"
expect 'a function that the headers lack' 1 generate

# What a type checker says of the package, where there is one.
if "$python" -c 'import mypy' 2>/dev/null; then
    cp -r "$package/hawser" "$work/hawser"
    expect 'types' 0 env -C "$work" "$python" -m mypy --strict --ignore-missing-imports -p hawser
    cat >"$work/user.py" <<EOF
import hawser


def spin(friction: float) -> float:
    try:
        run: hawser.Run = hawser.run("impact.yaml", set={"contact.friction": friction}, control=brake)
    except hawser.GuardError as error:
        run = error.run
    return float(run["disk.spin"][-1])


def brake(simulation: hawser.Simulation) -> None:
    simulation.body("disk").set_torque(-0.1)
EOF
    expect 'types that a user sees' 0 env -C "$work" "$python" -m mypy --strict --ignore-missing-imports user.py
    echo 'spin("much")' >>"$work/user.py"
    expect 'a type that is wrong' 1 env -C "$work" "$python" -m mypy --strict --ignore-missing-imports user.py
else
    echo "types of the Python package: not checked, python3-mypy is not installed"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
