#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that reports say of a run what its run.json says: each leaf once, and as it was.

Usage: readback.py RUN_JSON REPORT...

A report is read by the end of its name: .xml (JUnit, by Python's own parser and by
junitparser), .kcidb.json, .md. Exit status: 0 they agree, 1 they do not, 2 usage.
"""

import collections
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

import junitparser

JUNIT = {"fail": "failure", "crash": "failure", "timeout": "failure", "error": "error",
         "skip": "skipped", "refused": "skipped"}
KCIDB = {"pass": "PASS", "warn": "PASS", "value": "DONE", "skip": "SKIP", "refused": "SKIP",
         "fail": "FAIL", "crash": "FAIL", "timeout": "FAIL", "error": "ERROR"}


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def name_of(leaf):
    fault = f"[{leaf['fault']}]" if "fault" in leaf else ""
    return (f"{leaf['exporter']},{leaf['importer']} {leaf['program']}{fault}.{leaf['case']}"
            f" {leaf['clause']}")


def differ(path, what, wanted, found):
    """Say what differs; two lists of things, in which each may be once."""
    wanted, found = collections.Counter(wanted), collections.Counter(found)
    for sign, only in (("missing", wanted - found), ("too much", found - wanted)):
        for thing in list(only)[:5]:
            print(f"{path}: {what}: {sign}: {thing}", file=sys.stderr)
    return wanted != found


def junit_cases(path):
    """(name, element of the result, verdict) of each test case, by Python's parser."""
    for suite in ElementTree.parse(path).getroot():
        counts = collections.Counter()
        for case in suite.iter("testcase"):
            words = {item.get("name"): item.get("value") for item in case.iter("property")}
            results = [part.tag for part in case if part.tag in JUNIT.values()]
            counts.update(results or ["passed"])
            yield (f"{case.get('classname')} {case.get('name')}",
                   results[0] if len(results) == 1 else str(results or None), words["verdict"])
        said = [int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")]
        found = [sum(counts.values()), counts["failure"], counts["error"], counts["skipped"]]
        if said != found:
            yield (f"counts of {suite.get('name')}", str(said), str(found))


def check_junit(path, run):
    wanted = [(name_of(leaf), JUNIT.get(leaf["verdict"], "None"), leaf["verdict"])
              for leaf in run["leaves"]]
    wrong = differ(path, "test cases", wanted, junit_cases(path))
    other = junitparser.JUnitXml.fromfile(path)
    count = sum(1 for suite in other for _ in suite)
    totals = run["totals"]
    said = (other.tests, count, other.failures, other.errors, other.skipped)
    right = (totals["leaves"], totals["leaves"],
             totals["fail"] + totals["crash"] + totals["timeout"], totals["error"],
             totals["skipped"])
    if said != right:
        print(f"{path}: junitparser counts {said}, run.json {right}", file=sys.stderr)
    missing = [item.get("value") for item in ElementTree.parse(path).iter("property")
               if item.get("name") == "missing"]
    return wrong | (said != right) | differ(path, "missing", run.get("missing", []), missing)


def check_kcidb(path, run):
    tests = load(path).get("tests", [])
    wrong = differ(path, "tests",
                   [(name_of(leaf), KCIDB[leaf["verdict"]], json.dumps(leaf)) for leaf in run["leaves"]],
                   [(test["id"].split(":", 2)[2], test["status"], json.dumps(test["misc"]))
                    for test in tests])
    return wrong | differ(path, "paths", {test["path"] for test in tests},
                          [test["path"] for test in tests])


def check_markdown(path, run):
    with open(path, encoding="utf-8") as file:
        rows = [re.split(r" *\| *", line.strip(" |\n")) for line in file if line.startswith("|")]
    head, body = rows[0][1:], {row[0]: dict(zip(rows[0][1:], map(int, row[1:]))) for row in rows[2:]}
    totals = dict(run["totals"], all=run["totals"]["leaves"])
    said = body.pop("all")
    wrong = differ(path, "totals", [(name, totals[name]) for name in head], said.items())
    wrong |= sum(totals[name] for name in head if name != "all") != totals["leaves"]
    for name in head:
        wrong |= sum(row[name] for row in body.values()) != said[name]
    return wrong


READERS = {".xml": check_junit, ".kcidb.json": check_kcidb, ".md": check_markdown}


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    run = load(sys.argv[1])
    wrong = False
    for path in sys.argv[2:]:
        reader = next(READERS[end] for end in READERS if path.endswith(end))
        wrong |= bool(reader(path, run))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
