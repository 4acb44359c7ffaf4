#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Let every n-th allocation of a command fail, or every n-th call that writes (preload.c), and look at what it leaves.

    sweep.py HAWSER PRELOAD KIND MOST [--stacks] [--errno N] [--lasting] [--from N] [--to N] [--live [--alone]]
             [--twice K] [--share K/M] [--seed S] [--keep FILE] -- COMMAND ...

KIND is ALLOCATION or WRITE, MOST how many of them are tried, evenly spread (0: all); with --stacks allocations that
the same calls lead to count once. COMMAND stands behind `hawser`
and writes to names that begin with `made`. With each fault

- the exit code is a documented one, and a message says why where it is not 0, that memory is out where it was; where
  it is 0 the answer is that of a run without faults, seconds aside, and with --json there is always one;
- every file under a final name is whole: the bytes of the same file of a run without faults (seconds of the clock
  aside), or what stood there before (--keep FILE: it becomes made.h5), or, where the command failed, a table to its
  last row; a checkpoint, or results of a run that failed, can be read;
- no draft is left behind but the .part of results, unless memory ran out in a library that crashes then;
- no process goes on;
- no more blocks of memory that the program itself asked for are left at its end than without faults, unless it leaves
  in the middle of something, nor more open files, but those that HDF5 could not write and must not close (io/hdf5.h).
  What libraries leave is counted: they may lose something when they cannot do what they are asked to.

The program is loaded once, and a copy of the process meets each fault. With --live the copy is made at the fault, of
one run that goes on without it, so that the time grows with the number of faults and not with its square; --alone is
for commands that let a child do all the work: it is that child. What is found so is tried again from the beginning.
With --twice K a run that asks for the same memory once more, and gets it, is not waited for, but each K-th time.

With --share K/M only those of the K-th of M equal parts are tried, which the seed draws: all M parts are the whole.

The exit code is 1 where something else was found; each finding is a line.
"""
import argparse
import csv
import glob
import hashlib
import json
import os
import random
import select
import shutil
import signal
import struct
import subprocess
import sys
import time

ANSWERS = {0, 1, 2, 3, 4, 130}
TWICE = 77  # what failed was asked for once more (preload.c)


def run(command, **fault):
    """Exit code, complaint, words of the answer"""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, env={**os.environ, **fault}, timeout=120,
                          check=False)
    return done.returncode, done.stderr.decode(errors="replace").strip(), done.stdout.decode(errors="replace").split()


class Server:
    """A loaded program, of which a copy runs with each fault; its own folder, and that where files are made."""

    LONGEST = 120

    def __init__(self, command, kind, folder=".", made=".", **fault):
        self.folder, self.made, self.every = folder, made, fault.get("FAULT_EVERY") == "1"
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, cwd=folder,
                                        env={**os.environ, **fault, "FAULT_SERVE": kind, "LD_BIND_NOW": "1",
                                             "FAULT_COUNT": os.path.abspath("count")})

    def call(self, number):
        """Number that was come to, exit code, complaint; codes None: the run ends before"""
        if os.path.exists("count"):
            os.unlink("count")
        self.process.stdin.write(b"%d\n" % number)
        code = TWICE
        while code == TWICE:
            line = self.process.stdout.readline()
            if not line:
                return number, None, ""
            number, copy = (int(word) for word in line.split())
            ready, _, _ = select.select([self.process.stdout], [], [], self.LONGEST)
            if not ready:
                os.killpg(copy, signal.SIGKILL)
            code = os.waitstatus_to_exitcode(int(self.process.stdout.readline()))
            if not ready:
                raise subprocess.TimeoutExpired(self.process.args, self.LONGEST)
            if not self.every:
                break
        self.goes_on = self.is_there(copy)
        with open(os.path.join(self.folder, "err"), encoding="utf-8", errors="replace") as file:
            return number, code, file.read().strip()

    @staticmethod
    def is_there(group):
        """A process that was made and has not ended, a second after the one that made it."""
        for _ in range(100):
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return False
            time.sleep(0.01)
        os.killpg(group, signal.SIGKILL)
        return True

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def twin(name, keep):
    """A folder in this one from which the same files are seen."""
    shutil.rmtree(name, ignore_errors=True)
    os.mkdir(name)
    for file in os.listdir("."):
        if os.path.isfile(file) and not file.startswith("made") and file not in ("out", "err", "count"):
            os.symlink(os.path.abspath(file), os.path.join(name, file))
    if keep:
        shutil.copy(keep, os.path.join(name, "made.h5"))
    return name


class Answer:
    """The words of the answer, but for those that differ among equal runs: seconds."""

    def __init__(self, is_json):
        self.words, self.clock, self.is_json = None, set(), is_json

    def learn(self, words):
        self.words = words if self.words is None else self.words
        self.clock.update(i for i, pair in enumerate(zip(words, self.words)) if pair[0] != pair[1])

    def judge(self, code, folder):
        with open(os.path.join(folder, "out"), encoding="utf-8", errors="replace") as file:
            text = file.read()
        try:
            _ = json.loads(text) if self.is_json else None
        except ValueError:
            return f"the answer is not one of JSON: {text[:80]!r}"
        words = text.split()
        for i, word in enumerate(self.words):
            found = words[i] if i < len(words) else "nothing"
            if code == 0 and i not in self.clock and found != word:
                return f"the answer has {found} for {word}, and the exit code is 0"
        return None


class Left:
    """What processes leave at their ends: of the program itself, which ends last, and of its children."""

    NOTHING = [0, 0, 0, 0, 0]

    def __init__(self):
        self.own, self.children = self.NOTHING, self.NOTHING
        self.lent = {}

    @staticmethod
    def read():
        with open("count", encoding="ascii") as file:
            return [[int(word) for word in line.split()] for line in file]

    def learn(self):
        lines = self.read()
        self.own = lines[-1]
        self.children = [max(column) for column in zip(self.NOTHING, *lines[:-1])] if lines[:-1] else lines[-1]

    def judge(self, code, why):
        if code not in ANSWERS or "does not survive it" in why or not os.path.exists("count"):
            return None
        lines = self.read()
        for line, most in zip(lines, [self.children] * (len(lines) - 1) + [self.own]):
            if line[3] > most[3] and line[2] <= most[2]:
                first = min(line[5:])
                self.lent[first] = self.lent.get(first, 0) + 1
            for i, what in (2, "blocks of its own"), (4, "open files"):
                broken = i == 4 and "cannot write" in why  # HDF5 must not close these
                if line[i] > most[i] + 2 * broken:
                    return f"{line[i]} {what} are left, {most[i]} without a fault (allocations {sorted(line[5:])})"
        return None


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
        code, why, _ = run([self.program, "export", path, "--csv", "-o", "contents"])
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


def part(numbers, share, seed):
    """The K-th of M parts, in order."""
    which, parts = (int(word) for word in share.split("/"))
    drawn = list(numbers)
    random.Random(seed).shuffle(drawn)
    return sorted(drawn[which % parts::parts])


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
    parser.add_argument("--to", type=int, default=sys.maxsize, dest="final")
    parser.add_argument("--stacks", action="store_true")
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--twice", type=int, default=0)
    parser.add_argument("--share", default="1/1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    given = parser.parse_args(sys.argv[1:split])
    words = sys.argv[split + 1:]
    command = [given.program] + words
    files = Files(given.program)

    def begin():
        clear()
        if given.keep:
            shutil.copy(given.keep, "made.h5")

    answer = Answer("--json" in command)
    begin()
    before = files.all()
    for _ in range(4):
        begin()
        if os.path.exists("count"):
            os.unlink("count")
        code, why, said = run(command, LD_PRELOAD=given.preload, FAULT_COUNT=os.path.abspath("count"))
        answer.learn(said)
        if code != 0:
            print(f"without a fault: exit code {code}: {why}")
            return 1
        for path in glob.glob("made*.h5"):
            files.learn_clock(path)
    whole = files.all()
    left = Left()
    left.learn()
    total = max(line[given.kind == "WRITE"] for line in left.read())
    numbers = list(range(given.first, min(total, given.final) + 1))
    if given.stacks:
        begin()
        numbers = [n for n in distinct(command, given.preload) if given.first <= n <= given.final]
    ways = len(numbers)
    every = given.live and given.twice > 0 and given.most == 0 and not given.stacks and given.share == "1/1"
    step = 1 if given.most == 0 else len(numbers) // given.most + 1
    tried = bad = done = again = twice = 0
    fault = {"LD_PRELOAD": given.preload, "FAULT_ERRNO": str(given.errno), "FAULT_LASTING": str(int(given.lasting)),
             "FAULT_TWICE": str(given.twice)}
    servers = [Server(command, given.kind, **fault)]
    begin()
    servers[0].call(0)  # what is left without a fault, among the same files
    left.learn()
    if left.own[2] > 0:
        print(f"without a fault: {left.own[2]} blocks of its own are left (allocations {left.own[5:]})")
        return 1
    if given.live:
        servers.insert(0, Server(command, given.kind, folder=twin("live", given.keep), made=twin("case", None),
                                 FAULT_LIVE="1", FAULT_ALONE=str(int(given.alone)), FAULT_EVERY=str(int(every)), **fault))

    def attempt(server, n):
        """Number, exit code, complaint, finding"""
        back = os.getcwd()
        os.chdir(server.made)
        begin() if server is servers[-1] else clear()
        os.chdir(back)
        try:
            at, code, why = server.call(n)
        except subprocess.TimeoutExpired:
            return n, -1, "", "it does not end"
        if code is None:
            return n, code, why, None
        os.chdir(server.made)
        finding = None
        if code != TWICE:
            finding = judge(code, why, files.all(), whole, before) or left.judge(code, why)
        os.chdir(back)
        if code != TWICE:
            finding = finding or answer.judge(code, server.folder)
        if given.kind == "ALLOCATION" and "space left" in why:
            finding = finding or "a full device is named"
        return at, code, why, finding or ("a process goes on" if server.goes_on else None)

    numbers = part(numbers[::step], given.share, given.seed)
    others = {}
    while numbers:
        n, code, why, finding = attempt(servers[0], numbers[0])
        before_it = sum(number < n for number in numbers)
        if code is None:  # those that are left were asked for twice, and the run that goes on has ended
            tried, twice = tried + len(numbers), twice + len(numbers)
            if servers[0].process.wait() != 0:
                bad += 1
                print(f"without a fault: exit code {servers[0].process.returncode}")
            break
        tried, done, twice = tried + before_it + 1, done + (code == 0), twice + before_it + (code == TWICE)
        numbers = numbers[before_it + 1:]
        if finding and given.live:
            again += 1
            _, code, why, finding = attempt(servers[-1], n)
        if given.kind == "ALLOCATION" and code not in (0, TWICE, None) and "memory" not in why:
            others[why.splitlines()[-1] if why else ""] = n
        if finding:
            bad += 1
            last = why.splitlines()[-1][:160] if why else ""
            print(f"{given.kind} {n} of {total}: {finding} ({code}: {last})", flush=True)
    for server in servers:
        server.end()
    print(f"{given.kind}, errno {given.errno}{' lasting' if given.lasting else ''}: {tried} of {total} of "
          f"`{words[0]}`{f' ({ways} ways)' if given.stacks else ''} tried, {done} do not matter, "
          f"{f'{twice} were asked for twice, ' if given.twice else ''}"
          f"{f'{again} from the beginning, ' if given.live else ''}{bad} bad", flush=True)
    for why, n in sorted(others.items()):
        print(f"      another cause is named, as for {n}: {why}")
    for first, times in sorted(left.lent.items()):
        print(f"      blocks of libraries are left {times} times, the first of them that of allocation {first}")
    clear()
    return 1 if bad or others else 0


if __name__ == "__main__":
    sys.exit(main())
