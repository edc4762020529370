#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Makes up drivers, kernels, clauses and verdicts, as many as the matrix may one day have.

usage: data.py FOLDER [DRIVERS KERNELS CLAUSES]

FOLDER gets drivers/, results/ and clauses.json. No driver was run for any of it: each result says
"generated", and the page that is rendered of them does so, too. The same numbers give the same data.
"""
import json
import pathlib
import random
import sys

GROUPS = "EXP LIFE ATT PIN MAP SGT LOCK INV REV FENCE P2P ERR CPU UAPI ACCT RUM NIC".split()
VERDICTS = ["pass"] * 60 + ["value"] * 14 + ["skip"] * 14 + ["refused"] * 4 + ["warn"] * 3 + ["fail"] * 3 + \
    ["error", "crash", "timeout"]
ROLES = ["exporter", "importer"]
EVIDENCE = ["hardware", "emulated", "software"]
FACTS = """Driver: {driver}
Vendor: Generated {vendor}
Device: nothing, made up for a test
Tree: upstream
Evidence: {evidence}

Role: {role}
Kernels: {kernels}
First: {first}
Attach: static
Notify: {notify}
Pin: {pin}
Peer-to-peer: no
Revocable: no
Buffers: none
Selector: none
Read: All: nowhere, made up for a test
Unverified: nothing
Predict: {clause} fail: made up for a test
"""


def clauses_of(count):
    for number in range(count):
        group = GROUPS[number * len(GROUPS) // count]
        clause = f"{group}-{number + 1:02}"
        letters = ["", ".a", ".b"] if number % 3 == 0 else [""]
        yield {"clause": clause, "group": group, "title": f"generated group {group}", "text": "Made up for a test.",
               "checks": [{"clause": clause + letter, "party": "exporter", "strength": "MUST",
                           "text": "Made up for a test."} for letter in letters[-2:]]}


def entry_of(chance, number):
    verdict = chance.choice(VERDICTS)
    entry = {"verdict": verdict, "counts": {verdict: chance.randint(1, 9)}}
    if verdict != "pass":
        entry["reasons"] = [{"text": f"generated reason {chance.randint(1, 400)}", "case": f"made.up_{number % 90}",
                             "pair": "made:up,made:up"}]
    return entry


def main():
    folder = pathlib.Path(sys.argv[1])
    drivers, kernels, count = [int(word) for word in sys.argv[2:5]] or (40, 10, 250)
    chance = random.Random(6)
    clauses = list(clauses_of(count))
    checks = [check["clause"] for clause in clauses for check in clause["checks"]]
    series = [f"6.{number}" for number in range(1, kernels + 1)]

    (folder / "drivers").mkdir(parents=True)
    (folder / "clauses.json").write_text(json.dumps(clauses))
    for kernel in series:
        (folder / "results" / kernel).mkdir(parents=True)
    for number in range(drivers):
        driver, role, evidence = f"made_up_{number:02}", ROLES[number % 2], EVIDENCE[number % 3]
        importer = role == "importer"
        (folder / "drivers" / f"{driver}.txt").write_text(FACTS.format(
            driver=driver, vendor=number % 7, evidence=evidence, role=role, kernels=" ".join(series), first=series[0],
            clause=checks[number % len(checks)], notify="none" if importer else "never", pin="core" if importer else "none"))
        for kernel in series:
            result = {"schema": 1, "driver": driver, "role": role, "series": kernel, "evidence": evidence,
                      "kernel": f"{kernel}.0-generated", "version": "0", "suite": "generated", "clause_table": 0,
                      "generated": True, "selectors": [], "incidents": [],
                      "clauses": {check: entry_of(chance, number) for number, check in enumerate(checks)}}
            (folder / "results" / kernel / f"{driver},{role},{evidence}.json").write_text(json.dumps(result))


main()
