#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that igt_runner's results say of our cases what run.json says.

Usage: igt_readback.py RUN_JSON RESULTS_JSON

Both must be of the same programs, on one pair. Exit status: 0 they agree, 1 they do
not, 2 usage.
"""

import json
import re
import sys

# As in our KTAP: what is ok, what is a skip, and the rest.
WORDS = {"pass": "pass", "value": "pass", "warn": "pass", "skip": "skip", "refused": "skip",
         "timeout": "timeout", "crash": "crash"}
SEVERITY = ["skip", "pass", "fail", "timeout", "crash"]


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def name_of(leaf):
    return f"igt@dmabuf_cts_{leaf['program']}@{leaf['case']}"


def wanted(run):
    """What each case, and each clause of it, should be by the name that IGT has for it."""
    found = {}
    for leaf in run["leaves"]:
        if "origin" in leaf:
            continue
        word = WORDS.get(leaf["verdict"], "fail")
        case = name_of(leaf)
        clause = re.sub("[^a-z0-9]", "-", leaf["clause"].lower())
        found[f"{case}@{clause}"] = word
        found[case] = max(found.get(case, "skip"), word, key=SEVERITY.index)
    for entry in run["inapplicable"]:
        found[name_of(entry)] = "skip"
    return found


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    right = wanted(load(sys.argv[1]))
    said = {name: test["result"] for name, test in load(sys.argv[2])["tests"].items()}
    wrong = 0
    for name in sorted(right.keys() | said.keys()):
        if right.get(name) != said.get(name):
            print(f"{name}: run.json {right.get(name)}, igt_runner {said.get(name)}", file=sys.stderr)
            wrong += 1
    print(f"{len(right)} results, {sum('@' in name.split('@', 2)[2] for name in right)} of them on clauses")
    return 1 if wrong or not right else 0


if __name__ == "__main__":
    sys.exit(main())
