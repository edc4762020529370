#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Tables of how long a run took, out of its times and its streams.

Usage: bench.py TIMES SMALL_FOLDER DEMO_FOLDER

TIMES has a line for each command: name, begin and end in seconds, by tabs. The
folders are the results of the last two of them. Within a guest its own clock
counts, which begins with its kernel.
"""

import collections
import json
import os
import statistics
import sys


class Guests:
    """What the clocks of a run's guests say, in seconds."""

    def __init__(self, folder):
        self.boots = []         # from a kernel's begin to its first verdict
        self.inside = 0         # from a kernel's begin to its last verdict
        self.cases = []         # (program, seconds)
        self.gaps = []          # from a case to the next one of its program
        self.between = []       # from a program's last case to the next one's first
        self.runs = collections.Counter()
        with open(os.path.join(folder, "stream.jsonl"), encoding="utf-8") as file:
            self.read(map(json.loads, file))

    def read(self, records):
        programs, last, new, start = {}, None, True, 0
        for record in records:
            kind, state = record["type"], record.get("state")
            if kind == "hello":
                self.inside += last or 0
                last, new = None, True
            elif kind == "schedule":
                programs = {job["job"]: job["program"] for job in record["jobs"]}
            elif kind == "job" and state == "start":
                self.runs[programs[record["job"]]] += 1
                new = True
            elif kind == "case":
                now = record["time_ns"] / 1e9
                if state == "start":
                    if last is not None:
                        (self.between if new else self.gaps).append(now - last)
                    start, new = now, False
                    continue
                if last is None:
                    self.boots.append(now)
                last = now
                self.cases.append((programs[record["job"]], now - start))
        self.inside += last or 0


def print_row(name, seconds, whole, note=""):
    print(f"{name:<44}{seconds:>10.3f} s{100 * seconds / whole:>8.1f} %  {note}".rstrip())


def print_times(times, small, demo):
    whole = times["the demonstration"]
    print(f"{'':<44}{'time':>12}{'of demo':>10}")
    for name, seconds in times.items():
        print_row(name, seconds, whole)
    print_row("  start of a guest to its first verdict", statistics.mean(demo.boots + small.boots), whole,
              f"mean of {len(demo.boots + small.boots)}")
    print_row("  demonstration: outside of its guests", whole - demo.inside, whole)
    print_row("  demonstration: boots", sum(demo.boots), whole, f"{len(demo.boots)} guests")
    print_row("  demonstration: the suite", demo.inside - sum(demo.boots), whole)
    for name, taken in (("cases", [s for _, s in demo.cases]), ("from a case to the next one", demo.gaps),
                        ("from a program to the next one", demo.between)):
        print_row(f"    {name}", sum(taken), whole, f"{len(taken)}, {1e3 * statistics.mean(taken):.0f} ms each, "
                  f"median {1e3 * statistics.median(taken):.0f}")


def print_programs(demo):
    seconds, counts = collections.Counter(), collections.Counter()
    for program, taken in demo.cases:
        seconds[program] += taken
        counts[program] += 1
    whole = sum(seconds.values())
    print(f"\n{'program':<16}{'pairs':>6}{'cases':>7}{'seconds':>10}{'ms a case':>11}{'of all':>9}{'to mean':>9}")
    mean = whole / len(demo.cases)
    for program, taken in seconds.most_common():
        each = taken / counts[program]
        print(f"{program:<16}{demo.runs[program]:>6}{counts[program]:>7}{taken:>10.2f}{1e3 * each:>11.1f}"
              f"{100 * taken / whole:>7.1f} %{each / mean:>9.2f}")


def main(arguments):
    if len(arguments) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    times = {}
    with open(arguments[0], encoding="utf-8") as file:
        for line in file:
            name, begin, end = line.rstrip("\n").split("\t")
            times[name] = float(end) - float(begin)
    small, demo = Guests(arguments[1]), Guests(arguments[2])
    print_times(times, small, demo)
    print_programs(demo)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
