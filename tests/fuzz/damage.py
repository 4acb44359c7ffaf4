#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Read damaged HDF5 files with the program: it may refuse them, but not crash, hang or swallow memory.

    damage.py HAWSER FILE COUNT [SEED] -- COMMAND ...

COMMAND stands behind `hawser`, with {file} for the damaged file and {out} for a folder, e.g.
`export {file} -o {out}` or `solve {file}`. Exit codes 0, 1, 3 and 4 are answers. A file that gets
another one, or takes over 10 s of the processor or 1 GiB, is kept, and the exit code is 1.
"""
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile

ANSWERS = {0, 1, 3, 4}


def damage(data, dice):
    """One to eight wounds: bytes changed, runs zeroed, copied elsewhere, the end cut off."""
    data = bytearray(data)
    for _ in range(dice.choice([1, 1, 1, 2, 3, 8])):
        at, kind = dice.randrange(len(data)), dice.random()
        if kind < 0.5:
            data[at] = dice.choice([0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)])
        elif kind < 0.7:
            data[at] ^= 1 << dice.randrange(8)
        elif kind < 0.8:
            size = dice.randrange(1, 65)
            data[at:at + size] = bytes(len(data[at:at + size]))
        elif kind < 0.95:
            size, to = dice.randrange(1, 257), dice.randrange(len(data))
            data[to:to + size] = data[at:at + len(data[to:to + size])]
        elif len(data) > 1000:
            del data[at:]
            data.extend(b"\0" * (1 if not data else 0))
    return bytes(data)


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main():
    split = sys.argv.index("--")
    program, original, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(sys.argv[4]) if split > 4 else 1
    command = sys.argv[split + 1:]
    with open(original, "rb") as file:
        whole = file.read()
    folder = tempfile.mkdtemp(prefix="hawser-damage-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    path, out = os.path.join(folder, "damaged.h5"), os.path.join(folder, "out")
    ends, bad = {}, 0
    for i in range(count):
        with open(path, "wb") as file:
            file.write(damage(whole, random.Random(seed * 1000003 + i)))
        line = [program] + [word.format(file=path, out=out) for word in command]
        done = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=limit,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, timeout=120, check=False)
        ends[done.returncode] = ends.get(done.returncode, 0) + 1
        shutil.rmtree(out, ignore_errors=True)
        silent = done.returncode != 0 and not done.stderr
        if done.returncode not in ANSWERS or silent:
            bad += 1
            kept = f"damaged-{os.getpid()}-{i}.h5"
            shutil.copy(path, kept)
            print(f"{kept}: exit code {done.returncode}, {done.stderr.decode(errors='replace')[:200].strip()!r}")
    shutil.rmtree(folder, ignore_errors=True)
    print(f"{count} damaged copies of {os.path.basename(original)}: exit codes {dict(sorted(ends.items()))}, {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
