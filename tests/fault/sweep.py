#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Let every n-th allocation of a command fail, or every n-th call that writes (preload.c), and look at what it leaves.

    sweep.py HAWSER PRELOAD KIND MOST [--stacks] [--errno N] [--lasting] [--from N] [--keep FILE]... -- COMMAND ...

KIND is ALLOCATION or WRITE, MOST how many of them are tried, evenly spread (0: all); with --stacks allocations that
the same calls lead to count once. COMMAND stands behind `hawser`
and writes to names that begin with `made`. With each fault

- the exit code is a documented one, and a message says why where it is not 0;
- every file under a final name is whole: the bytes of the same file of a run without faults (seconds of the clock
  aside), or what stood there before (--keep FILE: it becomes made.h5), or, where the command failed, a table to its
  last row; a checkpoint, or results of a run that failed, can be read;
- no draft is left behind but the .part of results, unless memory ran out in a library that crashes then.

The exit code is 1 where something else was found; each finding is a line.
"""
import argparse
import csv
import glob
import hashlib
import os
import shutil
import struct
import subprocess
import sys

ANSWERS = {0, 1, 2, 3, 4, 130}


def run(command, **fault):
    """Exit code, complaint"""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          env={**os.environ, **fault}, timeout=120, check=False)
    return done.returncode, done.stderr.decode(errors="replace").strip()


def clear():
    for name in glob.glob("made*"):
        if os.path.isdir(name):
            shutil.rmtree(name)
        else:
            os.unlink(name)


def without_clock(data):
    """A table without the columns, or rows, that are measured seconds."""
    lines = [line.split(b",") for line in data.split(b"\n")]
    keep = [i for i, head in enumerate(lines[0]) if b"seconds" not in head]
    return [[line[i] for i in keep if i < len(line)] for line in lines if b"seconds" not in line[0]]


def is_table(path):
    """Rows of equal length, and the last one has its end: tables of studies with fewer variants are whole, too."""
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    rows = list(csv.reader(text.splitlines()))
    return text.endswith("\n") and all(len(row) in (0, len(rows[0])) for row in rows)


class Files:
    """What is in files: equal for equal contents, a text that says what is wrong."""

    def __init__(self, program):
        self.program, self.clock, self.first, self.known = program, {}, {}, {}

    def learn_clock(self, path):
        """Equal runs differ where seconds are written."""
        with open(path, "rb") as file:
            data = file.read()
        first = self.first.setdefault(path, data)
        places = self.clock.setdefault(path, set())
        if len(first) == len(data):
            for i in (i for i in range(len(data)) if first[i] != data[i]):
                places.update(range(i - 7, i + 8))

    def essence(self, path):
        with open(path, "rb") as file:
            data = file.read()
        if path.endswith(".csv"):
            return without_clock(data)
        if not (path.endswith(".h5") or ".ckpt" in path):
            return hashlib.sha1(data).digest()
        plain = bytearray(data)
        for i in self.clock.get(path, ()):
            if i < len(plain):
                plain[i] = 0
        key = hashlib.sha1(plain).digest()
        if key not in self.known:
            self.known[key] = self.read(path)
        return self.known[key]

    def read(self, path):
        code, why = run([self.program, "export", path, "--csv", "-o", "contents"])
        if code != 0:
            return why
        tables = {}
        for folder, _, names in os.walk("contents"):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    tables[name] = without_clock(file.read())
        shutil.rmtree("contents")
        return tables

    def all(self):
        """Path: essence, of everything that was made."""
        found = {}
        for top in glob.glob("made*"):
            inside = [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names]
            for path in inside if os.path.isdir(top) else [top]:
                found[path] = path if ".part" in path else self.essence(path)
        return found


def distinct(command, preload):
    """Numbers of the allocations, of each way to one the first."""
    if os.path.exists("stacks"):
        os.unlink("stacks")
    run(command, LD_PRELOAD=preload, FAULT_STACKS=os.path.abspath("stacks"))
    with open("stacks", "rb") as file:
        records = struct.iter_unpack("LL", file.read())
    first = {}
    for number, calls in records:
        first[calls] = min(number, first.get(calls, number))
    return sorted(first.values())


def judge(code, why, found, whole, before):
    if code not in ANSWERS:
        return f"exit code {code}"
    if code != 0 and not why:
        return "no message"
    for path, essence in found.items():
        if path.endswith(".part"):
            if ".h5.part" not in path and "does not survive it" not in why:
                return f"{path} is left behind"
        elif path.endswith(".failed.h5") or ".ckpt" in path:
            if not isinstance(essence, dict):
                return f"{path}: {essence}"
        elif code != 0 and path.endswith(".csv") and is_table(path):
            continue
        elif essence not in (whole.get(path), before.get(path)) and not path.endswith(".gp"):  # they have seconds
            return f"{path} is not whole: {str(essence)[:80]}"
        elif code == 0 and essence != whole.get(path) and not path.endswith(".gp"):
            return f"{path} is not new, and the exit code 0"
    missing = sorted(set(whole) - set(found))
    return f"{missing[0]} is missing, and the exit code 0" if code == 0 and missing else None


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("preload")
    parser.add_argument("kind", choices=["ALLOCATION", "WRITE"])
    parser.add_argument("most", type=int)
    parser.add_argument("--errno", type=int, default=28)
    parser.add_argument("--lasting", action="store_true")
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--stacks", action="store_true")
    parser.add_argument("--keep")
    given = parser.parse_args(sys.argv[1:split])
    words = sys.argv[split + 1:]
    command = [given.program] + words
    files = Files(given.program)

    def begin():
        clear()
        if given.keep:
            shutil.copy(given.keep, "made.h5")

    begin()
    before = files.all()
    for _ in range(4):
        begin()
        if os.path.exists("count"):
            os.unlink("count")
        code, why = run(command, LD_PRELOAD=given.preload, FAULT_COUNT=os.path.abspath("count"))
        if code != 0:
            print(f"without a fault: exit code {code}: {why}")
            return 1
        for path in glob.glob("made*.h5"):
            files.learn_clock(path)
    whole = files.all()
    with open("count", encoding="ascii") as file:
        total = max(int(line.split()[given.kind == "WRITE"]) for line in file)
    numbers = list(range(given.first, total + 1))
    if given.stacks:
        numbers = [n for n in distinct(command, given.preload) if n >= given.first]
    step = 1 if given.most == 0 else len(numbers) // given.most + 1
    tried = bad = done = 0
    for n in numbers[::step]:
        begin()
        fault = {"LD_PRELOAD": given.preload, f"FAULT_{given.kind}": str(n), "FAULT_ERRNO": str(given.errno),
                 "FAULT_LASTING": str(int(given.lasting))}
        try:
            code, why = run(command, **fault)
            finding = judge(code, why, files.all(), whole, before)
        except subprocess.TimeoutExpired:
            code, finding = -1, "it does not end"
        tried, done = tried + 1, done + (code == 0)
        if finding:
            bad += 1
            last = why.splitlines()[-1][:160] if why else ""
            print(f"{given.kind} {n} of {total}: {finding} ({code}: {last})", flush=True)
    print(f"{given.kind}, errno {given.errno}{' lasting' if given.lasting else ''}: {tried} of {total} of "
          f"`{words[0]}`{f' ({len(numbers)} ways)' if given.stacks else ''} tried, {done} do not matter, {bad} bad", flush=True)
    clear()
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
