#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that what run_kselftest.sh printed says what the programs' own records say.

Usage: kselftest.py KUNIT_FOLDER OUTPUT PART...

KUNIT_FOLDER is tools/testing/kunit of a kernel tree, whose parser reads the output. OUTPUT is in
parts, "=== NAME" before and "=== status N" behind each; one is called records. In those that are
named, each case must be once, in the order in which the records have it, and as they have it; a
selftest must come out as its cases do. Exit status: 0 all agree, 1 something does not, 2 usage.
"""

import collections
import json
import sys

from parity import parse_with_kunit

MARK = "# selftests: "
RESULTS = {"SUCCESS": "ok", "FAILURE": "not ok", "SKIPPED": "skip"}


def parts_of(path):
    """The lines of each part, by its name."""
    parts, lines = {}, []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("=== status "):
                lines = []
            elif line.startswith("=== "):
                parts[line[4:].strip()] = lines = []
            else:
                lines.append(line)
    return parts


def result_of(test):
    return RESULTS.get(test.status.name, test.status.name)


def selftests_of(lines):
    """(its own words, its result line) of each selftest of one call of run_kselftest.sh."""
    words = None
    for line in lines:
        if line.startswith(MARK):
            words = []
        elif words is not None and line.startswith(("ok ", "not ok ")):
            yield words, line
            words = None
        elif words is not None:
            words.append(line[2:])


def runs_of(test):
    """The cases of each program that ran, as the parser has them."""
    if test.subtests and not any(sub.subtests for sub in test.subtests):
        yield [(sub.name.split(".")[-1], result_of(sub)) for sub in test.subtests]
    else:
        for sub in test.subtests:
            yield from runs_of(sub)


def worst(verdicts):
    if verdicts & {"fail", "error"}:
        return "not ok"
    return "skip" if verdicts == {"skip"} else "ok"


def recorded(lines):
    """The same, out of the records of the programs."""
    runs = []
    for record in map(json.loads, lines):
        if record["type"] == "plan":
            runs.append(collections.OrderedDict((case["case"], set()) for case in record["cases"]))
        elif record["type"] == "verdict":
            runs[-1][record["case"]].add(record["verdict"])
    return [[(case, worst(verdicts)) for case, verdicts in run.items()] for run in runs if run]


def check_part(name, lines, runs):
    """Its selftests against their own cases; the latter are added to runs."""
    found = [result_of(test) for test in parse_with_kunit(lines).subtests]
    wanted = []
    for words, line in selftests_of(lines):
        cases = list(runs_of(parse_with_kunit(words))) if "1..0 # SKIP" not in "".join(words) else []
        results = {result for run in cases for _, result in run}
        wanted.append("not ok" if "not ok" in results else "ok" if "ok" in results else "skip")
        if line.startswith("not ok") != (wanted[-1] == "not ok"):
            print(f"{name}: not as its cases: {line}", file=sys.stderr)
            return False
        runs.extend(cases)
    if found != wanted:
        print(f"{name}: the parser has {found}, the cases say {wanted}", file=sys.stderr)
    return found == wanted


def main():
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    sys.path.insert(0, sys.argv[1])
    parts = parts_of(sys.argv[2])
    wanted, runs = recorded(parts["records"]), []
    good = [check_part(name, parts[name], runs) for name in sys.argv[3:]]
    for run, record in zip(runs, wanted):
        if run != record:
            print(f"the parser has {run}, the records say {record}", file=sys.stderr)
    print(f"{len(runs)} runs of programs, {sum(map(len, runs))} cases, in {len(good)} calls")
    return 0 if all(good) and runs == wanted and runs else 1


if __name__ == "__main__":
    sys.exit(main())
