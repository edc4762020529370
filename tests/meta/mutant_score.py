#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What runs of the mutants are worth: by clause the score and what caught, by mutant what failed beside it.

Usage: mutant_score.py MUTANTS_JSON [REPEAT_MUTANTS_JSON]...

The first is of the run on all pairs, the others of repeats of those mutants that are a matter of time. Exit status: 0
each mutant was caught, those of the repeats in at least 19 of 20; 1 not so.
"""

import json
import sys

ENOUGH = 19 / 20


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def name(mutant):
    return mutant["module"] + ":" + mutant["mutant"]


def covers(clause, check):
    return check == clause or check.startswith(clause + ".")


def catches(mutant, clause):
    """Tests that noticed it by that clause."""
    found = [text.split()[:2] for text in mutant["caught_by"]]
    return {test for test, check in found if covers(clause, check)}


def is_caught(mutant):
    return all(catches(mutant, clause) for clause in mutant["clauses"].split())


def clauses_of(mutants):
    return sorted({clause for mutant in mutants for clause in mutant["clauses"].split()})


def print_clauses(mutants):
    print(f"{'clause':<10} {'caught':>6}  by")
    for clause in clauses_of(mutants):
        broken = [mutant for mutant in mutants if clause in mutant["clauses"].split()]
        caught = [mutant for mutant in broken if catches(mutant, clause)]
        tests = sorted(set().union(*(catches(mutant, clause) for mutant in broken)))
        print(f"{clause:<10} {f'{len(caught)}/{len(broken)}':>6}  {', '.join(tests) or 'nothing'}")
        for mutant in broken:
            if mutant not in caught:
                print(f"{'':<10} {'':>6}  not {name(mutant)}")


def print_strays(mutants):
    print("\nfailed beside a mutant, by checks of clauses that it is not said to break:")
    for mutant in mutants:
        checks = sorted({" ".join(text.split()[:2]) for text in mutant["strays"]})
        if checks:
            print(f"{name(mutant)}: {', '.join(checks)}")
    alarms = sorted({text for mutant in mutants for text in mutant["false_alarms"]})
    print("\nfailed without any mutant:", *(alarms or ["nothing"]), sep="\n")


def print_repeats(repeats):
    """Return: names of mutants that were caught too seldom."""
    times = {}
    for mutants in repeats:
        for mutant in mutants:
            times.setdefault(name(mutant), []).append(is_caught(mutant))
    print("\nrepeated:")
    for mutant, caught in sorted(times.items()):
        print(f"{mutant} {sum(caught)}/{len(caught)}")
    return [mutant for mutant, caught in times.items() if sum(caught) < ENOUGH * len(caught)]


def main():
    mutants, *repeats = [load(path) for path in sys.argv[1:]]
    print_clauses(mutants)
    print_strays(mutants)
    seldom = print_repeats(repeats) if repeats else []
    missed = [name(mutant) for mutant in mutants if not is_caught(mutant)]
    strays = sum(bool(mutant["strays"]) for mutant in mutants)
    print(f"\n{len(mutants)} mutants: {len(mutants) - len(missed)} caught, {len(missed)} not, "
          f"{strays} with failures beside, {len(seldom)} caught too seldom")
    for text in missed:
        print(f"not caught: {text}")
    for text in seldom:
        print(f"caught too seldom: {text}")
    sys.exit(1 if missed or seldom else 0)


main()
