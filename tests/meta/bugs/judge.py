#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a run says of a public bug.

Usage: judge.py bad|good RUN_JSON CLAUSE...
       judge.py guard MUTANTS_JSON MODULE:MUTANT PROGRAM.CASE CLAUSE

"bad": each clause fails, and nothing else that is not known. "good": each clause passes somewhere and fails
nowhere, and nothing fails that is not known. "guard": that test caught that mutant by that clause.
Prints why not, a line each. Exit status: 0 so it is, 1 it is not.
"""

import json
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def covers(clause, leaf):
    return leaf["clause"] == clause or leaf["clause"].startswith(clause + ".")


def describe(leaf):
    return "{program}.{case} {clause} is {verdict}: ".format(**leaf) + leaf.get("reason", "no reason given")


BAD = ("fail", "warn", "error", "crash", "timeout")


def complaints_of_run(wanted, run, clauses):
    leaves = run["leaves"]
    for clause in clauses:
        verdicts = {leaf["verdict"] for leaf in leaves if covers(clause, leaf)}
        if wanted == "bad" and not verdicts & {"fail", "warn"}:
            yield f"{clause} does not fail, but is {', '.join(sorted(verdicts)) or 'not judged'}"
        if wanted == "good" and "pass" not in verdicts:
            yield f"{clause} does not pass, but is {', '.join(sorted(verdicts)) or 'not judged'}"
    # What the kernel itself says in its log of the very case is no other failure.
    failed = {(leaf["program"], leaf["case"]) for leaf in leaves
              if leaf["verdict"] in ("fail", "warn") and any(covers(clause, leaf) for clause in clauses)}
    for leaf in leaves:
        if wanted == "bad" and leaf["clause"] == "KLOG" and (leaf["program"], leaf["case"]) in failed:
            continue
        concerned = any(covers(clause, leaf) for clause in clauses)
        if leaf["verdict"] not in BAD or (concerned and wanted == "bad" and leaf["verdict"] in ("fail", "warn")):
            continue
        # What is expected of the series may be mended in this version of it, or not yet.
        if concerned or not leaf.get("known"):
            yield describe(leaf)
    for text in run.get("complaints", []):
        yield f"the run complains: {text}"


def complaints_of_guard(mutants, name, test, clause):
    found = [mutant for mutant in mutants if f"{mutant['module']}:{mutant['mutant']}" == name]
    if not found:
        yield f"{name} was not run"
        return
    caught = [" ".join(text.split()[:2]) for text in found[0]["caught_by"]]
    if f"{test} {clause}" not in caught:
        yield f"{name} is not caught by {test} {clause}, but by {', '.join(caught) or 'nothing'}"


def main():
    wanted, path, *rest = sys.argv[1:]
    if wanted == "guard":
        complaints = complaints_of_guard(load(path), *rest)
    else:
        complaints = complaints_of_run(wanted, load(path), rest)
    wrong = list(complaints)
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
