#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check that the kernel's KUnit parser, prove and run.json count the same.

Usage: parity.py KUNIT_FOLDER RESULT_FOLDER...

KUNIT_FOLDER is tools/testing/kunit of a kernel tree. Each result folder holds
run.ktap, run.tap and run.json. Exit status: 0 they agree, 1 they do not, 2 usage.
"""

import inspect
import io
import json
import os
import re
import subprocess
import sys

PERL_COUNT = (
    "my $p = TAP::Parser->new({source => shift});"
    "while (my $r = $p->next) {"
    "  next unless $r->is_test;"
    "  $r->has_skip ? $s++ : $r->is_ok ? $g++ : $b++ }"
    "die $p->parse_errors if $p->parse_errors;"
    "printf '%d %d %d', $g, $b, $s"
)


def from_json(folder):
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        totals = json.load(file)["totals"]
    return totals["ok"], totals["not_ok"], totals["skipped"]


def parse_with_kunit(lines):
    """Newer parsers want a printer, older ones print where they like."""
    import kunit_parser  # pylint: disable=import-outside-toplevel
    import kunit_printer  # pylint: disable=import-outside-toplevel

    if len(inspect.signature(kunit_parser.parse_run_tests).parameters) > 1:
        return kunit_parser.parse_run_tests(lines, kunit_printer.Printer(print=False))
    kunit_printer.stdout._output = io.StringIO()  # pylint: disable=protected-access
    return kunit_parser.parse_run_tests(lines)


def from_kunit(folder):
    with open(os.path.join(folder, "run.ktap"), encoding="ascii") as file:
        counts = parse_with_kunit(file).counts
    if counts.errors or counts.crashed:
        raise ValueError(f"{folder}: KUnit's parser: {counts}")
    return counts.passed, counts.failed, counts.skipped


def from_prove(folder):
    path = os.path.join(folder, "run.tap")
    counts = subprocess.run(["perl", "-MTAP::Parser", "-e", PERL_COUNT, path],
                            check=True, stdout=subprocess.PIPE, text=True)
    good, bad, skipped = map(int, counts.stdout.split())
    prove = subprocess.run(["prove", "--exec", "cat", path], check=False,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    total = re.search(r"Tests=(\d+)", prove.stdout)
    if not total or int(total.group(1)) != good + bad + skipped:
        raise ValueError(f"{folder}: prove counts otherwise:\n{prove.stdout}")
    if (prove.returncode == 0) != (bad == 0):
        raise ValueError(f"{folder}: prove's exit status is {prove.returncode}")
    return good, bad, skipped


def check(folder):
    counts = {"run.json": from_json(folder), "KUnit's parser": from_kunit(folder),
              "prove": from_prove(folder)}
    agree = len(set(counts.values())) == 1
    if not agree:
        print(f"{folder}: passed, failed, skipped differ: {counts}", file=sys.stderr)
    else:
        print("{}: {} passed, {} failed, {} skipped, by all three".format(
            folder, *counts["run.json"]))
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
