#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An independent judge of results files and contact problems.

    judge.py [--problems FOLDER] OUT.h5 ...

Nothing here comes from the library: what a run claims is computed again from what it left, with
numpy alone. Of a results file

  finite       no number of a series is infinite, nor NaN where the page of results files has none
  clock        times increase from the first frame to the end that the summary names
  balance      initial + external work - losses against what is stored: the drift that is claimed,
               and that it is no more than steps may leave
  gravity      potential energy from the places of bodies and samples of cables, at every frame
  kinetic      that of the bodies is a part of the whole
  elastic      that of the mean tension of each element is a part of the whole
  penetration  of samples in bodies with a closed form, against what the certificate says
  cone         of the last frame's contact profile: no force across a gap, friction within its cone

and of every contact problem in FOLDER, with its impulses r,

  velocity     u = W r + q (global form: from M v = f + H r + G l, G'v + b = 0, u = H'v + w)
  residual     natural map, against the tolerance of the run and its largest claim
  cone         r in K, against what the run claims
  work         complementarity r . u^ of a contact, against what the run claims

Each disagreement is a line on standard output, and the exit code is 1 if there was one.
"""
import argparse
import math
import os
import re
import sys

import h5py
import numpy as np
import yaml

ROUND = 1.0e-8  # relative: what the order of a sum, or of an elimination, can change
UNBALANCED = 1.0e-6  # of all energies: what a run may miss


class Judge:
    """Collects disagreements; counts what was looked at, so that silence can be told from blindness."""

    def __init__(self):
        self.wrong = []
        self.seen = {}

    def expect(self, holds, check, text):
        self.seen[check] = self.seen.get(check, 0) + 1
        if not holds:
            self.wrong.append(f"{check}: {text}")


# ---- contact problems ----------------------------------------------------------------------------


def matrix(group):
    """Dense matrix of an FCLIB group in the two encodings that hawser writes."""
    rows, columns, kind = (int(group[name][0]) for name in ("m", "n", "nz"))
    p, i, x = (group[name][()] for name in ("p", "i", "x"))
    a = np.zeros((rows, columns))
    if kind == -2:
        for row in range(rows):
            a[row, i[p[row]:p[row + 1]]] = x[p[row]:p[row + 1]]
    elif kind >= 0:
        np.add.at(a, (i, p), x)
    else:
        raise ValueError(f"encoding {kind} of a matrix")
    return a


def global_form(form):
    """M, H, f of a global form, its bilateral rows added to the unknowns."""
    mass, push, vectors = matrix(form["M"]), matrix(form["H"]), form["vectors"]
    free = vectors["f"][()]
    if "G" in form:
        tie = matrix(form["G"])
        count = tie.shape[1]
        mass = np.block([[mass, -tie], [tie.T, np.zeros((count, count))]])
        free = np.concatenate([free, -vectors["b"][()]])
        push = np.vstack([push, np.zeros((count, push.shape[1]))])
    return mass, push, free


def local_form(file):
    """W, q, mu, dimension, whatever the form of the file."""
    if "fclib_local" in file:
        form = file["fclib_local"]
        return matrix(form["W"]), form["vectors/q"][()], form["vectors/mu"][()], int(form["spacedim"][0])
    form = file["fclib_global"]
    mass, push, free = global_form(form)
    answer = np.linalg.solve(mass, np.column_stack([push, free]))
    w = push.T @ answer[:, :-1]
    vectors = form["vectors"]
    return w, push.T @ answer[:, -1] + vectors["w"][()], vectors["mu"][()], int(form["spacedim"][0])


def follows(form, r, claimed, terms):
    """Whether claimed velocities follow from impulses in the global form, to within its rounding.

    W = H' M^-1 H has an error of cond(M) times that of the numbers in M: nothing is left of it where
    a body is held by contact alone (M of an equilibrium, 1e17). What can be asked is that some v
    solves M v = f + H r, u = H' v + w with a residual that is small beside the terms of its rows
    (backward error; N. J. Higham, Accuracy and Stability of Numerical Algorithms (2002), ch. 7).
    Velocities are written as W r + q: they have the rounding of these terms, too.
    """
    mass, push, free = global_form(form)
    offset = form["vectors/w"][()]
    rows, right = np.vstack([mass, push.T]), np.concatenate([free + push @ r, claimed - offset])
    v = np.linalg.solve(mass, free + push @ r)
    for _ in range(2):
        force = np.abs(mass) @ np.abs(v) + np.abs(free) + np.abs(push) @ np.abs(r)
        speed = np.abs(push.T) @ np.abs(v) + np.abs(offset)
        speed = np.full(len(offset), speed.max() + 64 * np.finfo(float).eps / ROUND * terms)
        weight = 1 / np.concatenate([np.maximum(force, ROUND * force.max() + 1e-300), speed])
        left = weight * (right - rows @ v)
        if np.abs(left).max() <= ROUND:
            return True
        v = v + np.linalg.lstsq(weight[:, None] * rows, left, rcond=1e-15)[0]
    return np.abs(weight * (right - rows @ v)).max() <= ROUND


def project(mu, x):
    """Nearest point of the cone |x_T| <= mu x_N."""
    tangential = np.linalg.norm(x[1:])
    if mu * tangential <= -x[0]:
        return np.zeros_like(x)
    if tangential <= mu * x[0]:
        return x
    normal = (x[0] + mu * tangential) / (1 + mu * mu)
    return np.concatenate([[normal], mu * normal / tangential * x[1:]])


# What these dump is linearised about the end of a step, where v = 0: its u is the way itself, and
# W r + q, which mobility blows up where next to nothing holds a body, adds only the balance of forces.
ABOUT_THE_END = {"generalized-alpha", "moreau-jean", "nsga", "quasi-static", "static"}


def judge_problem(judge, path, stepper, tolerance, summary):
    with h5py.File(path) as file:
        w, q, mu, d = local_form(file)
        form = file["fclib_local" if "fclib_local" in file else "fclib_global"]
        words = form["info/description"][()].decode()
        r, claimed = file["solution/r"][()], file["solution/u"][()]
        is_global = "fclib_global" in file
        way = form["vectors/w"][()] if is_global and stepper in ABOUT_THE_END else None
        u = w @ r + q
        terms = max(np.abs(q).max(initial=0), np.abs(w).max(initial=0) * np.abs(r).max(initial=0), 1e-300)
        size = max(terms, np.abs(u).max(initial=0))
        holds = np.abs(u - claimed).max(initial=0) <= ROUND * size
        holds = holds or (is_global and follows(form, r, claimed, terms))
    scale = float(re.search(r"largest contact speed (\S+) m/s", words).group(1))
    name = os.path.basename(path)
    if not len(mu):
        return
    judge.expect(holds, "velocity",
                 f"{name}: u differs by {np.abs(u - claimed).max():.3g} m/s of {size:.3g}")
    u = u if way is None else way
    size = size if way is None else np.abs(way).max(initial=1e-300)
    reference = max(np.linalg.norm(q.reshape(-1, d), axis=1).max(), scale)
    natural = cone = work = 0.0
    most = 1e-300  # impulse that a reference speed weighs
    for c in range(len(mu)):
        at = slice(d * c, d * c + d)
        mean = np.trace(w[at, at]) / d
        force, speed = r[at], u[at].copy()
        speed[0] += mu[c] * np.linalg.norm(speed[1:])
        most = max(most, reference / mean)
        natural = max(natural, mean * np.linalg.norm(force - project(mu[c], force - speed / mean)))
        cone = max(cone, np.linalg.norm(force - project(mu[c], force)))  # distance from K
        work = max(work, abs(force @ speed))
    natural = natural / reference if reference > 0 else (0.0 if not r.any() else math.inf)
    room = 1e-12 * size / max(reference, 1e-300)  # of W r + q, which cancels
    missed = "missed its tolerance" in words
    if stepper != "moreau":  # passes of an implicit step differ by what its tolerance leaves
        room += 2 * tolerance
    if stepper in ("static", "quasi-static"):
        # Bodies that nothing holds have no compliance: w_c is what regularises, and the map, which
        # only weighs r against u^ by it, says less than their signs and their product.
        natural = max(0.0, -u[::d].min()) / reference if reference > 0 else 0.0
    judge.expect(missed or natural <= tolerance * (1 + 1e-6) + room, "residual",
                 f"{name}: natural map {natural:.3g}, tolerance {tolerance:.3g}")
    judge.expect(natural <= summary["residual_max"] * (1 + 1e-6) + 1e-10 + room, "residual",
                 f"{name}: natural map {natural:.3g}, the run claims {summary['residual_max']:.3g}")
    force = np.abs(r).max()
    # An implicit step claims what holds at its end; its problem is linearised about it, which
    # changes r . u^ by what the tolerance leaves.
    left = summary["complementarity_max"] + 2 * force * tolerance * reference
    judge.expect(cone <= summary["cone_max"] + ROUND * max(force, most), "cone",
                 f"{name}: r leaves the cone by {cone:.3g} N s, claimed {summary['cone_max']:.3g}")
    judge.expect(work <= left * (1 + 1e-6) + 1e-12 * force * size, "work",
                 f"{name}: r . u^ = {work:.3g} J, claimed {summary['complementarity_max']:.3g}")


# ---- results files -------------------------------------------------------------------------------


def judge_numbers(judge, file):
    summary, hawser = file["hawser/summary"].attrs, file["hawser"]

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind == "f" and not name.startswith("events"):
            # The gap of a pair is infinite while nothing is near.
            judge.expect("gap" in name or not np.isinf(item[()]).any(), "finite", f"{name} is infinite")
            if name.startswith(("energy", "solver", "bodies")):
                judge.expect(not np.isnan(item[()]).any(), "finite", f"{name} is not a number")

    hawser.visititems(visit)
    t = hawser["energy/initial"].parent["t"][()] if "t" in hawser["energy"] else file["VTKHDF/Steps/Values"][()]
    judge.expect((np.diff(t) > 0).all(), "clock", "times of the frames do not increase")
    judge.expect(abs(t[-1] - summary["t_end"]) <= 1e-9 * max(abs(t[-1]), 1e-300) + 1e-15, "clock",
                 f"last frame at {t[-1]!r} s, end of the run {summary['t_end']!r} s")
    return t


def rounding(cable):
    """Force on a node that is rounding [N], and the nodes' samples; None where these move along.

    A node sums the forces EA (l / le - 1) of two elements. Each length l is the difference of two
    coordinates x, which are known to eps |x| / 2: F = 2 EA eps |x| / le.
    """
    if "xi" not in cable or cable["xi"].ndim != 1 or "label" in cable:
        return None
    nodes = slice(None, None, int(cable.attrs["samples_per_element"]))
    largest = max(np.abs(cable[axis][()]).max() for axis in ("x", "y", "z") if axis in cable)
    element = np.diff(cable["xi"][nodes]).min()
    return 2 * cable.attrs["stiffness"] * np.finfo(float).eps * largest / element, nodes


def rounding_work(hawser):
    """Work that is rounding, from the start to each frame [J].

    No step can be in balance to better than the forces F of `rounding`, nor do reactions of what is
    led know better. They do the work F . dx, whose signs are those of last digits: over nodes it adds
    up by squares, W = F sqrt(sum of s^2), with s the way of a node (along that of others in later
    steps the signs may stay). A helical spring without torsional stiffness, which is pulled out
    without force: 7e-11 J, of which 7e-12 J were seen; 120 elements of 0.07 mm at 0.4 m from the
    origin under 10 N: 2e-10 J and 1.4e-11 J.
    """
    work = 0.0
    for cable in hawser["cables"].values():
        force, nodes = rounding(cable) or (0.0, slice(None))
        if force > 0:
            x = np.stack([cable[axis][:, nodes] for axis in ("x", "y", "z") if axis in cable])
            steps = np.sqrt((np.diff(x, axis=1) ** 2).sum(axis=0))
            steps = np.maximum(steps, np.finfo(float).eps * np.abs(x).max())  # of what seems to rest, too
            way = np.vstack([np.zeros(steps.shape[1]), np.cumsum(steps, axis=0)])
            work = work + force * np.sqrt((way ** 2).sum(axis=1))
    return work


def judge_balance(judge, hawser):
    energy = hawser["energy"]
    value = {name: energy[name][()] for name in energy}
    stored = value["kinetic"] + value["elastic"] + value["gravity"]
    lost = sum(value[name] for name in ("friction_loss", "impact_loss", "damping_loss", "numerical_loss"))
    drift = stored - value["initial"] - value["external_work"] + lost
    scale = sum(np.abs(value[name]) for name in
                ("kinetic", "elastic", "gravity", "external_work", "friction_loss", "impact_loss",
                 "damping_loss", "numerical_loss", "initial"))
    worst = np.argmax(np.abs(drift - value["balance_drift"]) - 1e-12 * scale)
    judge.expect(abs(drift[worst] - value["balance_drift"][worst]) <= 1e-12 * scale[worst], "balance",
                 f"frame {worst}: {drift[worst]:.6g} J, claimed {value['balance_drift'][worst]:.6g} J")
    room = UNBALANCED * np.maximum.accumulate(scale) + rounding_work(hawser)
    worst = np.argmax(np.abs(drift) - room)
    judge.expect(abs(drift[worst]) <= room[worst], "balance",
                 f"frame {worst}: {drift[worst]:.6g} J are missing, of {scale[worst]:.6g} J")


def cotes(intervals):
    """Weights over equal intervals, exact for cubics but for a single one: Simpson's rule, with
    that of three eighths for the last three of an odd number."""
    weight = np.zeros(intervals + 1)
    if intervals == 1:
        return np.array([0.5, 0.5])
    even = intervals - 3 * (intervals % 2)
    for start in range(0, even, 2):
        weight[start:start + 3] += np.array([1, 4, 1]) / 3
    if intervals % 2:
        weight[-4:] += np.array([3, 9, 9, 3]) / 8
    return weight / intervals


def across(values, cable):
    """Integral over a cable of a column per sample, which lie evenly in each element."""
    per, xi = int(cable.attrs["samples_per_element"]), cable["xi"][()]
    weight = np.zeros(len(xi))
    for start in range(0, len(xi) - 1, per):
        weight[start:start + per + 1] += cotes(per) * (xi[start + per] - xi[start])
    return values @ weight


def stretch_energy(cable):
    """That of the mean tension of each element, a lower bound by Jensen's inequality; at the
    borders a sample belongs to either element, so one from between them speaks for it."""
    per, xi = int(cable.attrs["samples_per_element"]), cable["xi"][()]
    if per < 2:
        return 0.0
    tension = cable["element_tension"][:, per // 2::per]
    return tension ** 2 @ np.diff(xi[::per]) / (2 * cable.attrs["stiffness"])


def judge_energies(judge, file, scene):
    hawser = file["hawser"]
    energy = hawser["energy"]
    gravity = np.array(scene.get("gravity", [0, 0]), dtype=float)
    damped = {cable["name"] for cable in scene.get("cables", []) if (cable.get("damping") or {}).get("strain")}
    driven = {body["name"] for body in scene.get("bodies", []) if "motion" in body}
    is_static = file["hawser/options"].attrs["stepper"].decode() == "static"
    at_rest = is_static or file["hawser/options"].attrs["stepper"].decode() == "quasi-static"
    potential = kinetic = elastic = lumped = 0.0
    exact, floor, drawn = True, 1e-300, 0.0
    for name, body in hawser["bodies"].items():
        mass = body.attrs.get("mass", 0.0)
        if not (mass > 0 and np.isfinite(mass)) or body["position"].shape[1] > len(gravity):
            continue
        potential = potential - mass * (body["position"][()] @ gravity[:body["position"].shape[1]])
        moving = 0.5 * mass * (body["velocity"][()] ** 2).sum(axis=1)
        if np.ndim(body.attrs["inertia"]) == 0 and body["spin"].ndim == 1:
            moving = moving + 0.5 * body.attrs["inertia"] * body["spin"][()] ** 2
        kinetic = kinetic + (0 if at_rest or name in driven else moving)
    for name, cable in hawser["cables"].items():
        if "xi" not in cable or cable["xi"].ndim != 1 or "label" in cable:
            return  # samples that move along the rope: no weight of their own
        place = [cable[axis][()] for axis in ("x", "y", "z") if axis in cable]
        height = sum(g * x for g, x in zip(gravity, place))
        curve, nodes = across(height, cable), height[:, ::int(cable.attrs["samples_per_element"])]
        at_nodes = (nodes[:, 1:] + nodes[:, :-1]) @ np.diff(cable["xi"][::int(cable.attrs["samples_per_element"])]) / 2
        potential = potential - cable.attrs["density"] * curve
        lumped = lumped + cable.attrs["density"] * np.abs(curve - at_nodes)
        # What was drawn may have another unstrained length than the equilibrium in which a tension is
        # wanted: by strains, which change its weight.
        strain = np.abs(cable["element_tension"][()]).max() / cable.attrs["stiffness"]
        drawn += strain * np.abs(cable.attrs["density"] * curve[0]) if is_static else 0
        # A tension with a part of dampers in it stores less.
        elastic = elastic + (stretch_energy(cable) if name not in damped else 0)
        floor += 1e-24 * cable.attrs["stiffness"] * cable.attrs["length"]
        exact = exact and cable.attrs["element"].decode() == "bezier"
    ours, theirs = np.broadcast_to(potential, energy["gravity"].shape), energy["gravity"][()]
    # Only changes count: the level of the potential is free.
    change, claimed = ours - ours[0], theirs - theirs[0]
    # Weight that is lumped at nodes is not that of the curve between them, which may bulge.
    room = 1e-6 * (np.abs(theirs).max() + np.abs(ours).max()) + drawn + 1e-300
    room += 0 if exact else 0.05 * np.abs(change).max() + 2 * np.max(lumped)
    worst = np.argmax(np.abs(change - claimed))
    judge.expect(abs(change[worst] - claimed[worst]) <= room, "gravity",
                 f"frame {worst}: change of {change[worst]:.6g} J, claimed {claimed[worst]:.6g} J")
    moving, whole = np.broadcast_to(kinetic, theirs.shape), energy["kinetic"][()]
    worst = np.argmax(moving - whole)
    judge.expect(moving[worst] <= whole[worst] * (1 + 1e-9) + 1e-300, "kinetic",
                 f"frame {worst}: bodies have {moving[worst]:.6g} J, the whole {whole[worst]:.6g} J")
    stretch, whole = np.broadcast_to(elastic, theirs.shape), energy["elastic"][()]
    worst = np.argmax(stretch - 1.02 * whole)
    judge.expect(stretch[worst] <= 1.02 * whole[worst] + floor, "elastic",
                 f"frame {worst}: cables have {stretch[worst]:.6g} J, the whole {whole[worst]:.6g} J")


def turned(body, frame, x):
    """Points x in the frame of the body."""
    place = body["position"][frame]
    y = x[:, :len(place)] - place
    if "orientation" in body:
        w, a, b, c = body["orientation"][frame]
        turn = np.array([[1 - 2 * (b * b + c * c), 2 * (a * b - w * c), 2 * (a * c + w * b)],
                         [2 * (a * b + w * c), 1 - 2 * (a * a + c * c), 2 * (b * c - w * a)],
                         [2 * (a * c - w * b), 2 * (b * c + w * a), 1 - 2 * (a * a + b * b)]])
        return y @ turn
    angle = body["angle"][frame]
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return y @ turn


def gap(shape, y):
    """Distance of points y, in the frame of the body, from its surface; None: not known here."""
    kind = shape["type"]
    if kind in ("circle", "sphere"):
        return np.linalg.norm(y, axis=1) - shape["radius"]
    if kind == "cylinder":
        out = np.hypot(y[:, 0], y[:, 1]) - shape["radius"]
        length = shape.get("length")
        return np.where(np.abs(y[:, 2]) <= length / 2, out, np.inf) if isinstance(length, float) else out
    if kind == "plane":
        if y.shape[1] == 3:
            return y[:, 2]
        n = np.array(shape.get("normal") or [0, 1], dtype=float)[:2]
        n = n if n.any() else np.array([0.0, 1.0])
        return y @ n / np.linalg.norm(n)
    return None


def pair_group(hawser, index):
    return list(hawser["contacts"].values())[index]


def judge_penetration(judge, file, scene, deepest):
    hawser = file["hawser"]
    bodies = {body["name"]: body for body in scene.get("bodies", [])}
    cables = {cable["name"]: cable for cable in scene.get("cables", [])}
    for contact in scene.get("contact", []):
        first, second = contact["between"][:2]
        if contact.get("law", "hard") != "hard" or second not in bodies or first not in cables:
            continue
        cable, body = hawser["cables"].get(first), hawser["bodies"].get(second)
        if cable is None or body is None or "reeving" in cables[first] or "x" not in cable:
            continue
        if contact.get("offset"):
            continue  # to one side of the centreline
        offset = cables[first].get("radius")
        offset = offset if isinstance(offset, (int, float)) else 0.0
        axes = [cable[axis] for axis in ("x", "y", "z") if axis in cable]
        # An equilibrium is the second frame of its run; the first one is what was drawn.
        drawn = 1 if scene["stepper"]["type"] == "static" else 0
        for frame in range(drawn, axes[0].shape[0]):
            y = turned(body, frame, np.column_stack([axis[frame] for axis in axes]))
            distance = gap(bodies[second]["shape"], y)
            if distance is None:
                break
            least = distance.min() - offset
            # The certificate looks at contact points and half way between, samples lie anywhere.
            judge.expect(least >= -deepest * 1.25 - 1e-12, "penetration",
                         f"{first} is {-least:.3g} m deep in {second} at frame {frame}, "
                         f"claimed {deepest:.3g} m")


def rounding_stress(file, name, profile):
    """Force per length of a contact that is rounding, four times that of a node's forces."""
    cable = file["hawser/cables"].get(name.split("-")[0])
    xi = profile["xi"][()] if "xi" in profile else np.zeros(0)
    force = rounding(cable) if cable is not None and len(xi) > 1 else None
    return 4 * force[0] / np.diff(xi).min() if force else 0.0


def largest(value):
    """Of all numbers in a part of a scene."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return max((largest(item) for item in value), default=0.0)
    return abs(value) if isinstance(value, (int, float)) and math.isfinite(value) else 0.0


def judge_rest(judge, file, scene, cone):
    """Impulses of an equilibrium are forces times its step: none leaves its cone by more than a part
    of what the strongest cable and all loads could push with."""
    if scene["stepper"]["type"] not in ("static", "quasi-static"):
        return
    push = sum(cable.attrs.get("stiffness", 0) for cable in file["hawser/cables"].values())
    push += largest(scene.get("gravity")) * sum(largest(body.get("mass")) for body in scene.get("bodies", []))
    push += sum(largest(force.get("force")) for force in scene.get("forces", []))
    judge.expect(cone <= 1e-6 * push * largest(scene["stepper"]["step"]) + 1e-300, "cone",
                 f"an equilibrium claims {cone:.3g} N s")


def judge_profiles(judge, file, scene):
    for name, pair in file["hawser/contacts"].items():
        if pair.attrs.get("law") not in (b"hard", "hard") or "profile" not in pair:
            continue
        profile = pair["profile"]
        if not {"normal_stress", "tangential_stress", "gap"} <= set(profile):
            continue
        n, t, g = (profile[k][()] for k in ("normal_stress", "tangential_stress", "gap"))
        n, t = np.nan_to_num(n), np.nan_to_num(t)
        size = max(np.abs(n).max(initial=1e-20), 1e6 * rounding_stress(file, name, profile))
        judge.expect((n >= -1e-6 * size).all(), "cone", f"{name}: the profile pulls")
        judge.expect((np.abs(t) <= pair.attrs["friction"] * np.maximum(n, 0) * (1 + 1e-5) + 1e-6 * size).all(),
                     "cone", f"{name}: friction of the profile leaves its cone")


def judge_results(judge, path):
    with h5py.File(path) as file:
        if "summary" not in file["hawser"]:
            judge.expect(False, "clock", "no summary: the run was killed")
            return None
        scene = yaml.safe_load(file["hawser/resolved"][()].decode())
        summary = dict(file["hawser/summary"].attrs)
        judge_numbers(judge, file)
        judge_balance(judge, file["hawser"])
        judge_energies(judge, file, scene)
        judge_penetration(judge, file, scene, summary["penetration_max"])
        judge_profiles(judge, file, scene)
        judge_rest(judge, file, scene, summary["cone_max"])
        options = file["hawser/options"].attrs
        return options["stepper"].decode(), float(options.get("solver.tolerance", math.inf)), summary


def main():
    parser = argparse.ArgumentParser(description="Judge results files and contact problems of hawser.")
    parser.add_argument("results", nargs="+", help="results files")
    parser.add_argument("--problems", help="folder of the contact problems of the one results file")
    arguments = parser.parse_args()
    bad = 0
    for path in arguments.results:
        judge = Judge()
        run = judge_results(judge, path)
        folder = arguments.problems
        for name in sorted(os.listdir(folder)) if folder and run and os.path.isdir(folder) else []:
            judge_problem(judge, os.path.join(folder, name), *run)
        for line in judge.wrong[:20]:
            print(f"{path}: {line}")
        seen = ", ".join(f"{name} {count}" for name, count in judge.seen.items())
        print(f"{path}: {len(judge.wrong)} disagreements; looked at {seen}", file=sys.stderr)
        bad += bool(judge.wrong)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
