#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Points of an open overhand knot of n turns, for `path: [{file: knot.csv}]`.

    knot.py TURNS LENGTH RADIUS SHORTENING > knot.csv

A rod of the given length and section radius h [m], whose ends lie on the x axis, nearer to one another by the shortening e. It
comes along the axis, turns once round a circle of radius R and goes on along the axis. Where it comes back to the axis both
strands x1, x2 have the mean m and the difference d,

    m = c(x) / 2 e_y,   d = sqrt(c(x)^2 + (2 g)^2 w(x)) (-cos(theta), sin(theta)),   c(x) = R - sqrt(R^2 - x^2),

with theta from 0 to (2 n + 1) pi and w from 1 to 0 where |x| grows to 0.9 R: a braid, n = 1 a trefoil, n = 2 a cinquefoil.
g = 1.05 h keeps the strands apart. R is found so that the rod has its length.
"""
import math
import sys


def step(s):
    """Smooth from 0 to 1 with two continuous derivatives."""
    s = min(max(s, 0.0), 1.0)
    return s * s * s * (10 - 15 * s + 6 * s * s)


def strands(x, turns, gap, loop, end):
    """Places (y, z) of both strands beside x, |x| <= end."""
    circle = loop - math.sqrt(loop * loop - x * x)
    inside = 1 - step(2 * abs(x) / end - 1)
    apart = math.sqrt(circle * circle + 4 * gap * gap * inside)
    theta = (2 * turns + 1) * math.pi * step(0.5 * (x + end) / end)
    y, z = -0.5 * apart * math.cos(theta), 0.5 * apart * math.sin(theta)
    return (0.5 * circle + y, z), (0.5 * circle - y, -z)


def curve(turns, gap, loop, reach, count):
    """Points along the knot between the ends -reach and reach on the x axis."""
    end = 0.9 * loop  # of the braid
    points = [(-reach + (reach - end) * k / count, 0.0, 0.0) for k in range(count)]
    braid = [-end + 2 * end * k / (4 * count) for k in range(4 * count)]
    points += [(x, *strands(x, turns, gap, loop, end)[0]) for x in braid]
    start = math.asin(end / loop)
    for k in range(4 * count):
        angle = start + (2 * math.pi - 2 * start) * k / (4 * count)
        points.append((loop * math.sin(angle), loop - loop * math.cos(angle), 0.0))
    points += [(x, *strands(x, turns, gap, loop, end)[1]) for x in braid]
    points += [(end + (reach - end) * k / count, 0.0, 0.0) for k in range(count + 1)]
    return points


def length_of(points):
    return sum(math.dist(a, b) for a, b in zip(points, points[1:]))


def knot(turns, length, radius, shortening, count=40):
    reach, low, high = 0.5 * (length - shortening), 1e-4 * length, shortening
    for _ in range(60):
        loop = 0.5 * (low + high)
        if length_of(curve(turns, 1.05 * radius, loop, reach, count)) < length:
            low = loop
        else:
            high = loop
    return curve(turns, 1.05 * radius, loop, reach, count)


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    turns, length, radius, shortening = int(sys.argv[1]), *map(float, sys.argv[2:])
    print("x, y, z")
    for point in knot(turns, length, radius, shortening):
        print(", ".join(f"{value:.9g}" for value in point))


if __name__ == "__main__":
    main()
