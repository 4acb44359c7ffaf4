#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every number of every scenario replaced by bad and extreme ones, every key left out, pairs of keys
swapped; three steps are run.

    keys.py HAWSER [SCENARIO.yaml ...] [--numbers] [--missing] [--swapped] [--share N/M] [--keys]

Without one of the three all are done; --share takes every M-th of them. Numbers and pairs are those of the
scenario with every default (`hawser check --resolve`), `auto` and `none` among them where a number may
stand; of entries of a list with the same keys the first is taken, of long lists of numbers the ends. The
scenarios are the shipped ones, but for those whose first steps take seconds, and those of tests/fuzz/keys,
which have the other rows of the tables. --keys runs nothing, but says which numbers of the grammar
(`hawser list keys`) none of them has.

The library does so in one process (the Python package; without it the program does all), which costs a
quarter of the time; what goes wrong there, kills it or takes over 1 s, and every fiftieth, is run by the
program, which has the last word.

It is wrong to die of a signal, to hang (a run of many steps is asked to stop after 1 s of the processor,
and does within 10), to end with a code that is not documented, to fail without a message, or to end well
with a number that is not finite or a step that did not converge. Lines of what is wrong, then counts; the
exit code is 1 if there were any.
"""
import argparse
import glob
import json
import logging
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile

import yaml

BAD = [".nan", ".inf", "-1", "0", "1.0e+308", "1.0e-308", "1.0e+6"]
STEPS = 3
ASKED, LONG = 1, 10  # [s] of the processor
EVERY = 50           # which of them are run by the program in any case
WORDS = ("auto", "none")  # where a number may stand
LENGTHY = ("knot-overhand-4.yaml", "knot-trefoil.yaml", "plectoneme.yaml", "strand-7.yaml", "strand-7-bent.yaml")
NUMBERS = ("number", "integer", "vector", "function", "functions", "table")


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


def entries(node):
    """Keys of a node: of entries with the same keys the first, of numbers in a row the ends."""
    if isinstance(node, dict):
        yield from node
    elif isinstance(node, list):
        seen = set()
        for at, value in enumerate(node):
            kind = tuple(value) if isinstance(value, dict) else None
            if kind not in seen if kind else at < 4 or at == len(node) - 1:
                seen.add(kind)
                yield at


def leaves(node, path=()):
    """Paths of the values below a node, inner ones too."""
    for key in entries(node):
        yield path + (key,), node[key]
        yield from leaves(node[key], path + (key,))


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
    if code != 0:
        return None if answer.get("message") else f"exit code {code} without a message", code
    wrong = judge(answer, may_miss(text))
    if wrong and "balance" in wrong:
        wrong = judge(answer, may_miss(text), rounding_work(program, text))
    return wrong, code


def rounding_work(program, text):
    """Work that is rounding [J], from results; its formula is that of the judge."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "judge"))
    try:
        from judge import h5py, rounding_work as work  # pylint: disable=import-outside-toplevel
    except ImportError:
        return 0.0
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "results.h5")
        subprocess.run([program, "run", "-", "-o", results, "-q"], input=text.encode(), stdout=subprocess.DEVNULL,
                       check=True, preexec_fn=limit)
        with h5py.File(results) as file:
            return float(work(file["hawser"])[-1])


def may_miss(text):
    """Whether steps that missed are counted: taken with a warning, or in parts that did not."""
    return any(word in text for word in ("warn", "halve", "step: auto"))


def judge(answer, lenient, rounding=0.0):
    """What is wrong with the numbers of a run that ended well; its balance may be so much rounding [J]."""
    for name in ("energy", "probes", "residual_max", "penetration_max"):
        if not finite(answer.get(name)):
            return f"ends well with {name} = {answer.get(name)}"
    energy = answer["energy"]
    if any(value is None for value in energy.values()):
        return f"ends well with an energy that is no number: {energy}"
    if answer["unconverged_steps"] and not lenient:
        return f"ends well with {answer['unconverged_steps']} unconverged steps"
    scale = sum(abs(value) for key, value in energy.items() if "balance" not in key)
    if abs(energy["balance_drift"]) > 1e-6 * scale + 1e-12 + rounding:
        return f"ends well with a balance of {energy['balance_drift']:.3g} J of {scale:.3g} J"
    return None


# ---- the same in one process ----


def steps(hawser, text):
    """Exit code of three steps, None where something is wrong."""
    try:
        simulation = hawser.Simulation(hawser.Scenario.from_yaml(text))
        simulation.step(STEPS)
    except (hawser.Error, OSError) as error:
        code = 4 if isinstance(error, OSError) else 3 if isinstance(error, hawser.InputError) else 1
        return code if str(error) else None
    ledger, certificate = simulation.ledger, simulation.certificate
    answer = {name: getattr(certificate, name) for name in ("residual_max", "penetration_max", "unconverged_steps")}
    answer["energy"] = {name: getattr(ledger, name) for name, _ in ledger._fields_}
    answer["probes"] = [value.tolist() if hasattr(value, "tolist") else value for value in simulation.probes.values()]
    return None if judge(answer, may_miss(text)) else 0


def child(hawser, texts, pipe):
    """The steps of one text after another; of each an exit code is told. It is killed where one takes long."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for text in texts:
        signal.setitimer(signal.ITIMER_PROF, ASKED)
        pipe.write(f"{steps(hawser, text)}\n")
        pipe.flush()


def together(hawser, texts):
    """Exit codes of texts, None where the program has to say what is wrong."""
    at = 0
    while at < len(texts):
        out, into = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(out)
            try:
                with os.fdopen(into, "w", encoding="ascii") as pipe:
                    child(hawser, texts[at:], pipe)
            finally:
                os._exit(0)
        os.close(into)
        with os.fdopen(out, encoding="ascii") as pipe:
            for line in pipe:
                at += 1
                yield None if line == "None\n" else int(line)
        os.waitpid(pid, 0)
        if at < len(texts):
            at += 1
            yield None


def package(program):
    """The Python package beside a program, or None."""
    sys.path.insert(0, os.path.join(os.path.dirname(program), "python"))
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    try:
        import hawser  # pylint: disable=import-outside-toplevel
    except (ImportError, OSError):
        return None
    logging.getLogger("hawser").setLevel(logging.CRITICAL)
    return hawser


def is_number(path, value):
    return (isinstance(value, (int, float)) and not isinstance(value, bool) and path != ("hawser",)
            or value in WORDS and path[-1] != "joint")


def numbers(given, full):
    """Trees with the paths of their numbers: all of the full one, and what only the given one has (a column)."""
    seen = {path for path, _ in leaves(full)}
    yield from ((full, path) for path, value in leaves(full) if is_number(path, value))
    yield from ((given, path) for path, value in leaves(given) if path not in seen and is_number(path, value))


def changed(tree, path, change):
    """The text of a tree after a change of the mapping or list at a path, which is taken back."""
    node, key = place(tree, path)
    kept = node.copy()
    change(node, key)
    text = dump(tree)
    node.clear()
    (node.update if isinstance(node, dict) else node.extend)(kept)
    return text


def pairs(tree):
    """Paths of mappings, with two of their keys."""
    for path, value in [((), tree), *leaves(tree)]:
        keys = list(value) if isinstance(value, dict) else []
        for i, first in enumerate(keys):
            for second in keys[i + 1:]:
                if value[first] != value[second]:
                    yield path, first, second


def variants(given, full, chosen):
    """Names and texts (when called) of a scenario's variants; a bad number is written as it is, not by PyYAML."""
    if "numbers" in chosen:
        for tree, path in numbers(given, full):
            for bad in BAD:
                yield f"{dotted(path)}={bad}", lambda tree=tree, path=path, bad=bad: changed(
                    tree, path, lambda node, key: node.__setitem__(key, "@bad@")).replace("'@bad@'", bad)
    if "missing" in chosen:
        for path, _ in leaves(given):
            yield f"without {dotted(path)}", lambda path=path: changed(
                given, path, lambda node, key: node.__delitem__(key))
    if "swapped" in chosen:
        for path, one, other in pairs(full):
            yield f"{dotted(path)}: {one} and {other} swapped", lambda path=path, one=one, other=other: changed(
                full, path + (one,), lambda node, _: node.update({one: node[other], other: node[one]}))


def dotted(path):
    return ".".join(map(str, path))


def dump(tree):
    return yaml.dump(tree, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=False,
                     default_flow_style=None, width=10000)


# ---- which keys of the grammar have been tried ----

INSIDE = {("meridian", "path"): "meridian-path", ("meridian-path", "arc"): "meridian-arc",
          ("ends", "start"): "end", ("ends", "end"): "end", ("end", "motion"): "end-motion"}


def table_of(path, tree, grammar):
    """Name of the table of a number of a scenario, and its key there."""
    table, rest, node = "scene", [], tree
    for key in path:
        node = node[key]
        if isinstance(key, int):
            continue
        inside = INSIDE.get((table, key), key)
        if isinstance(node, dict) and ("table" in node or "csv" in node):
            inside = "function" if "table" in node else "history"
        if isinstance(node, dict) and f"{key}.{node.get('type')}" in grammar:
            inside = f"{key}.{node['type']}"
        holds = isinstance(node, dict) or isinstance(node, list) and any(isinstance(item, dict) for item in node)
        if holds and inside in grammar:
            table, rest = inside, []
        else:
            rest.append(key)
    return table, ".".join(rest)


def untried(program, files):
    """Numbers of the grammar that no scenario has."""
    answer = subprocess.run([program, "list", "keys", "--json"], stdout=subprocess.PIPE, check=True)
    grammar = {}
    for table in json.loads(answer.stdout)["keys"]:
        grammar.setdefault(table["name"], set()).update(
            option["key"] for option in table["options"] if option["type"] in NUMBERS and option["key"] != "hawser")
    wanted = {(table, key) for table, keys in grammar.items() for key in keys}
    for file in files:
        wanted -= {table_of(path, tree, grammar) for tree, path in numbers(*read(program, file))}
    return sorted(wanted)


def read(program, file):
    """A scenario as it is given, and with every default."""
    with open(file, encoding="utf-8") as stream:
        given = shorten(yaml.safe_load(stream))
    answer = subprocess.run([program, "check", "-", "--resolve", "-q"], input=dump(given).encode(),
                            stdout=subprocess.PIPE, cwd=os.path.dirname(file), check=True)
    return given, yaml.safe_load(answer.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("scenarios", nargs="*")
    for word in ("numbers", "missing", "swapped", "keys"):
        parser.add_argument(f"--{word}", action="store_true")
    parser.add_argument("--share", default="0/1")
    arguments = parser.parse_args()
    words = [word for word in ("numbers", "missing", "swapped") if getattr(arguments, word)]
    chosen = words or ["numbers", "missing", "swapped"]
    part, of = (int(word) for word in arguments.share.split("/"))
    here = os.path.dirname(os.path.abspath(__file__))
    shipped = os.path.join(os.path.dirname(os.path.dirname(here)), "data", "scenarios")
    files = [os.path.abspath(file) for file in arguments.scenarios] or sorted(
        file for folder in (shipped, os.path.join(here, "keys")) for file in glob.glob(os.path.join(folder, "*.yaml"))
        if os.path.basename(file) not in LENGTHY)
    if arguments.keys:
        missing = untried(arguments.program, files)
        for pair in missing:
            print(".".join(pair))
        return 1 if missing else 0
    ends, bad, count, hawser = {}, 0, 0, package(arguments.program)
    for file in files:
        given, full = read(arguments.program, file)
        before, names, texts = dict(ends), [], []
        for name, text in variants(given, full, chosen):
            count += 1
            if count % of == part % of:
                names.append(name)
                texts.append(text())
        os.chdir(os.path.dirname(os.path.abspath(file)))
        codes = together(hawser, texts) if hawser else [None] * len(texts)
        for i, code in enumerate(codes):
            wrong = None
            if code is None or i % EVERY == 0:
                wrong, code = run(arguments.program, texts[i])
            ends[code] = ends.get(code, 0) + 1
            if wrong:
                bad += 1
                print(f"{os.path.basename(file)}: {names[i]}: {wrong}", flush=True)
        counts = {code: ends[code] - before.get(code, 0) for code in sorted(ends)}
        print(f"{os.path.basename(file)}: exit codes {counts}", file=sys.stderr, flush=True)
    print(f"{sum(ends.values())} runs: exit codes {dict(sorted(ends.items()))}, {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
