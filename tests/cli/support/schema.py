# SPDX-License-Identifier: BSD-3-Clause
"""Scenarios, keys and examples against the JSON schema, by PyYAML and jsonschema.

schema.py SCHEMA KEYS SCENARIO... : KEYS is the JSON of `hawser list keys`. A line for each failure, then the counts.
"""
import copy
import json
import sys

import jsonschema
import yaml

passed = failed = 0


def check(what, good, why=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print("FAIL ", what, why)


with open(sys.argv[1]) as file:
    schema = json.load(file)
with open(sys.argv[2]) as file:
    keys = json.load(file)["keys"]
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


def errors(document):
    return list(validator.iter_errors(document))


# ---- the same keys, each with text, in the schema and in the lists ----
nouns = {}  # of the schema: title -> {key: its schema}


def gather(node):
    if isinstance(node, dict):
        if "title" in node and node.get("additionalProperties") is False:
            nouns.setdefault(node["title"], {}).update(node["properties"])
        for inner in node.values():
            gather(inner)
    elif isinstance(node, list):
        for inner in node:
            gather(inner)


gather(schema)
listed = {}
for part in keys:
    for option in part["options"]:
        outer, _, inner = option["key"].partition(".")
        listed.setdefault(part["summary"], {}).setdefault(outer, option)
        if inner:
            listed.setdefault(outer, {})[inner] = option
        check(f"{part['name']}.{option['key']}: text", option["help"])
        check(f"{part['name']}.{option['key']}: example", option["example"])
check("keys: many", sum(map(len, listed.values())) > 250)
check("keys: the same mappings", set(nouns) == set(listed), set(nouns) ^ set(listed))
for noun, properties in nouns.items():
    own = set(listed.get(noun, {}))
    # a method takes and ignores the keys of the others
    shared = set().union(*(listed[n] for n in listed if n.split(" '")[0] == noun.split(" '")[0])) if "'" in noun else own
    check(f"{noun}: the same keys", own <= set(properties) <= own | shared, own ^ set(properties))
    for key, described in properties.items():
        check(f"{noun}.{key}: description", described.get("description"))

# ---- no key is what YAML 1.1 takes for a boolean ----
for key in sorted({key for own in listed.values() for key in own}):
    check(f"'{key}' is a text to readers of YAML 1.1", yaml.safe_load(key) == key)

# ---- examples are valid where they stand ----
for part in keys:
    for option in part["options"]:
        outer, _, inner = option["key"].partition(".")
        noun, key = (outer, inner) if inner else (part["summary"], outer)
        if key not in nouns.get(noun, {}):
            continue
        value = yaml.safe_load(option["example"])
        place = {**nouns[noun][key], "$defs": schema["$defs"]}
        wrong = list(jsonschema.Draft202012Validator(place).iter_errors(value))
        check(f"{noun}.{key}: example {option['example']}", not wrong, wrong[:1])


# ---- scenarios are valid; a wrong key in any of their mappings is one error, at that mapping ----
def mappings(node, path=()):
    if isinstance(node, dict):
        yield path
        for key, value in node.items():
            yield from mappings(value, path + (key,))
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from mappings(value, path + (i,))


for name in sys.argv[3:]:
    with open(name) as file:
        document = yaml.safe_load(file)
    wrong = errors(document)
    check(f"{name}: valid", not wrong, wrong[:1])
    places = [] if name.startswith("resolved/") else list(mappings(document))
    for path in places if len(places) < 60 else places[:60]:
        broken = copy.deepcopy(document)
        at = broken
        for step in path:
            at = at[step]
        if len(path) > 2 and path[0] == "springs" and path[2] == "between":
            continue  # {cable: fraction} has no keys of its own
        at["wrnog"] = 1
        found = errors(broken)
        check(f"{name}: wrong key in {path}", len(found) == 1 and tuple(found[0].absolute_path) == path
              and "wrnog" in found[0].message and not found[0].context, [e.message[:99] for e in found])

# A wrong value of a key is one error, at that key.
base = {"hawser": 1, "bodies": [{"name": "a", "mass": 1, "shape": {"type": "circle", "radius": 0.1}}], "stepper": {"end": 1}}
for path, value in [(("stepper", "step"), "fast"), (("stepper", "type"), "moraeu"), (("stepper", "theta"), 3),
                    (("bodies", 0, "shape", "radius"), -1), (("bodies", 0, "torque"), "much"), (("bodies", 0, "mass"), 0),
                    (("bodies", 0, "motion"), {"spin": {"table": [[0, 0], [1, "x"]]}}), (("start",), "statik"),
                    (("output",), {"every": 0}), (("solver",), {"type": "pgs", "tolerance": "low"})]:
    broken = copy.deepcopy(base)
    at = broken
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    found = errors(broken)
    check(f"wrong value of {path}", len(found) == 1 and not found[0].context
          and tuple(found[0].absolute_path)[:len(path)] == path, [e.message[:99] for e in found])
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
