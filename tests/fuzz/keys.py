#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every number of every shipped scenario replaced by bad and extreme ones, every key left out, pairs of keys
swapped; a few steps are run.

    keys.py HAWSER [SCENARIO.yaml ...] [--numbers] [--missing] [--swapped] [--share N/M]

Without one of the three all are done; --share takes every M-th of them. It is wrong to die of a signal,
to hang (a run of many steps is asked to stop after 2 s of the processor, and does within 10), to end with a code that is not documented, to fail without a message,
or to end well with a number that is not finite or a step that did not converge. Lines of what is wrong,
then counts; the exit code is 1 if there were any.
"""
import argparse
import copy
import glob
import json
import math
import os
import resource
import signal
import subprocess
import sys

import yaml

BAD = [".nan", ".inf", "-1", "0", "1.0e+308", "1.0e-308", "1.0e+6"]
STEPS = 10
ASKED, LONG = 2, 10  # [s] of the processor


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (LONG, LONG))
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def processor(pid):
    """Seconds that a process has used; other work on the machine does not count."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def finish(child, text):
    """Its output and messages; a run of many steps is asked to stop."""
    given, asked = text.encode(), False
    while True:
        try:
            return child.communicate(given, timeout=0.5)
        except subprocess.TimeoutExpired:
            given = None
            if not asked and processor(child.pid) > ASKED:
                child.terminate()
                asked = True


def leaves(node, path=()):
    """Paths of all values below a node, inner ones too."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield path + (key,), value
        yield from leaves(value, path + (key,))


def place(tree, path):
    for key in path[:-1]:
        tree = tree[key]
    return tree, path[-1]


def shorten(scene):
    """A few steps only, where the end is not the point."""
    stepper = scene.get("stepper", {})
    step = stepper.get("step")
    if isinstance(step, (int, float)) and isinstance(stepper.get("end"), (int, float)):
        stepper["end"] = min(stepper["end"], STEPS * step)
    else:
        stepper["end"] = min(stepper.get("end", 1e-3), 1e-3)
    scene["stepper"] = stepper
    scene.setdefault("output", {})["every"] = stepper["end"]
    return scene


def finite(value):
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(finite(item) for item in value.values())
    return all(finite(item) for item in value) if isinstance(value, list) else True


def run(program, text):
    """None where all is well, else what is wrong; and the exit code."""
    with subprocess.Popen([program, "run", "-", "--no-output", "-q", "--json"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit,
                          env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}) as child:
        out, said = finish(child, text)
    code = child.returncode
    if code == -signal.SIGKILL:
        return f"takes over {LONG} s", code
    if code < 0:
        return f"signal {-code}", code
    if code not in (0, 1, 2, 3, 4, 130):
        return f"exit code {code}: {said.decode(errors='replace')[:150]!r}", code
    try:
        answer = json.loads(out)
    except ValueError:
        return f"exit code {code} without an answer: {out[-100:]!r}", code
    if code != 0 and not answer.get("message"):
        return f"exit code {code} without a message", code
    if code == 0:
        for name in ("energy", "probes", "residual_max", "penetration_max"):
            if not finite(answer.get(name)):
                return f"ends well with {name} = {answer.get(name)}", code
        energy = answer["energy"]
        if any(value is None for value in energy.values()):
            return f"ends well with an energy that is no number: {energy}", code
        if answer["unconverged_steps"] and "warn" not in text:
            return f"ends well with {answer['unconverged_steps']} unconverged steps", code
        scale = sum(abs(value) for key, value in energy.items() if "balance" not in key)
        if abs(energy["balance_drift"]) > 1e-6 * scale + 1e-12:
            return f"ends well with a balance of {energy['balance_drift']:.3g} J of {scale:.3g} J", code
    return None, code


def variants(scene, chosen):
    """Names and texts of a scenario's variants; a bad number is written as it is, not by PyYAML."""
    found = list(leaves(scene))
    if "numbers" in chosen:
        for path, value in found:
            if isinstance(value, (int, float)) and not isinstance(value, bool) and path != ("hawser",):
                for bad in BAD:
                    tree = copy.deepcopy(scene)
                    node, key = place(tree, path)
                    node[key] = "@bad@"
                    yield f"{'.'.join(map(str, path))}={bad}", dump(tree).replace("'@bad@'", bad)
    if "missing" in chosen:
        for path, _ in found:
            tree = copy.deepcopy(scene)
            node, key = place(tree, path)
            del node[key]
            yield f"without {'.'.join(map(str, path))}", dump(tree)
    if "swapped" in chosen:
        for path, value in found:
            if not isinstance(value, dict):
                continue
            keys = list(value)
            for i, first in enumerate(keys):
                for second in keys[i + 1:]:
                    tree = copy.deepcopy(scene)
                    node, key = place(tree, path)
                    node[key][first], node[key][second] = node[key][second], node[key][first]
                    yield f"{'.'.join(map(str, path))}: {first} and {second} swapped", dump(tree)
    # Those of the top level are no value of any path.
    if "swapped" in chosen:
        keys = list(scene)
        for i, first in enumerate(keys):
            for second in keys[i + 1:]:
                tree = dict(scene)
                tree[first], tree[second] = tree[second], tree[first]
                yield f"{first} and {second} swapped", dump(tree)


def dump(tree):
    return yaml.safe_dump(tree, sort_keys=False, default_flow_style=None, width=10000)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("scenarios", nargs="*")
    for word in ("numbers", "missing", "swapped"):
        parser.add_argument(f"--{word}", action="store_true")
    parser.add_argument("--share", default="0/1")
    arguments = parser.parse_args()
    words = [word for word in ("numbers", "missing", "swapped") if getattr(arguments, word)]
    chosen = words or ["numbers", "missing", "swapped"]
    part, of = (int(word) for word in arguments.share.split("/"))
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    files = arguments.scenarios or sorted(glob.glob(os.path.join(root, "data", "scenarios", "*.yaml")))
    ends, bad, count = {}, 0, 0
    for file in files:
        with open(file, encoding="utf-8") as stream:
            scene = shorten(yaml.safe_load(stream))
        for name, text in variants(scene, chosen):
            count += 1
            if count % of != part:
                continue
            wrong, code = run(arguments.program, text)
            ends[code] = ends.get(code, 0) + 1
            if wrong:
                bad += 1
                print(f"{os.path.basename(file)}: {name}: {wrong}", flush=True)
    print(f"{sum(ends.values())} runs: exit codes {dict(sorted(ends.items(), key=str))}, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
