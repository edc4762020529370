#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that the kernel's KUnit parser, prove and run.json have the same leaves and counts.

Usage: parity.py KUNIT_FOLDER RESULT_FOLDER...

KUNIT_FOLDER is tools/testing/kunit of a kernel tree. Each result folder holds
run.ktap, run.tap and run.json. Exit status: 0 they agree, 1 they do not, 2 usage.
"""

import collections
import inspect
import io
import json
import os
import re
import subprocess
import sys

PERL_TESTS = (
    "my $p = TAP::Parser->new({source => shift});"
    "while (my $r = $p->next) {"
    "  next unless $r->is_test;"
    "  my $what = $r->has_skip ? 'skipped' : $r->is_ok ? 'passed' : 'failed';"
    "  print $what, ' ', $r->description =~ s/^- //r, qq(\\n) }"
    "die $p->parse_errors if $p->parse_errors;"
)
RESULTS = {"skip": "skipped", "refused": "skipped", "fail": "failed", "crash": "failed", "timeout": "failed",
           "error": "failed"}


def counts_of(leaves):
    results = collections.Counter(result for _, result in leaves)
    return results["passed"], results["failed"], results["skipped"]


def from_json(folder):
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        run = json.load(file)
    leaves = []
    for leaf in run["leaves"]:
        fault = f"[{leaf['fault']}]" if "fault" in leaf else ""
        leaves.append((f"{leaf['exporter']},{leaf['importer']} {leaf['program']}{fault}.{leaf['case']} {leaf['clause']}",
                       RESULTS.get(leaf["verdict"], "passed")))
    totals = run["totals"]
    if counts_of(leaves) != (totals["ok"], totals["not_ok"], totals["skipped"]):
        raise ValueError(f"{folder}: the totals of run.json are not those of its leaves")
    return leaves


def parse_with_kunit(lines):
    """Newer parsers want a printer, older ones print where they like."""
    import kunit_parser  # pylint: disable=import-outside-toplevel
    import kunit_printer  # pylint: disable=import-outside-toplevel

    if len(inspect.signature(kunit_parser.parse_run_tests).parameters) > 1:
        return kunit_parser.parse_run_tests(lines, kunit_printer.Printer(print=False))
    kunit_printer.stdout._output = io.StringIO()  # pylint: disable=protected-access
    return kunit_parser.parse_run_tests(lines)


def leaves_below(test, path):
    """(name, result) of all tests without subtests, named by all that they are in."""
    if not test.subtests:
        status = test.status.name
        yield " ".join(path), {"SUCCESS": "passed", "FAILURE": "failed", "SKIPPED": "skipped"}.get(status, status)
    for subtest in test.subtests:
        yield from leaves_below(subtest, path + [subtest.name])


def from_kunit(folder):
    with open(os.path.join(folder, "run.ktap"), encoding="ascii") as file:
        test = parse_with_kunit(file)
    counts = test.counts
    leaves = list(leaves_below(test, []))
    if counts.errors or counts.crashed or counts_of(leaves) != (counts.passed, counts.failed, counts.skipped):
        raise ValueError(f"{folder}: KUnit's parser: {counts}")
    return leaves


def from_prove(folder):
    path = os.path.join(folder, "run.tap")
    tests = subprocess.run(["perl", "-MTAP::Parser", "-e", PERL_TESTS, path],
                           check=True, stdout=subprocess.PIPE, text=True)
    # TIMEOUT and ERROR are directives of KTAP, and text for others.
    leaves = [(re.sub(" # (TIMEOUT|ERROR) .*", "", name), result)
              for result, name in (line.split(" ", 1) for line in tests.stdout.splitlines())]
    good, bad, skipped = counts_of(leaves)
    prove = subprocess.run(["prove", "--exec", "cat", path], check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    total = re.search(r"Tests=(\d+)", prove.stdout)
    if not total or int(total.group(1)) != good + bad + skipped:
        raise ValueError(f"{folder}: prove counts otherwise:\n{prove.stdout}")
    if (prove.returncode == 0) != (bad == 0):
        raise ValueError(f"{folder}: prove's exit status is {prove.returncode}")
    return leaves


def check(folder):
    wanted = collections.Counter(from_json(folder))
    agree = True
    for reader, leaves in (("KUnit's parser", from_kunit(folder)), ("prove", from_prove(folder))):
        found = collections.Counter(leaves)
        for sign, only in (("misses", wanted - found), ("alone has", found - wanted)):
            for name, result in list(only)[:5]:
                print(f"{folder}: {reader} {sign}: {name}, {result}", file=sys.stderr)
        agree = agree and wanted == found
    if agree:
        print("{}: {} passed, {} failed, {} skipped, by all three".format(folder, *counts_of(wanted.elements())))
    return agree


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    sys.path.insert(0, sys.argv[1])
    try:
        return 0 if all([check(folder) for folder in sys.argv[2:]]) else 1
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
