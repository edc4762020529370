#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Whether a run of the default profile judges all that a run of the full one judges.

Usage: profiles.py DEFAULT FULL   (result folders)

The default profile runs a self-test of a peer with one partner, and one peer as the partner of others
where any will do. If the full one finds more to judge by some check, that check depends on the
partner, and its case wants EACH_PAIR. What is judged only with an IOMMU, or only on other kernels,
shows in runs made so.
"""

import json
import os
import sys


def is_ours(selector):
    return selector.split(":")[0] in ("peer", "umem", "uapi")


def judged(folder):
    """What was judged of whom: a peer, by its self-test, else the pair, whichever of ours is in it."""
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        leaves = json.load(file)["leaves"]
    found = set()
    for leaf in leaves:
        subject = leaf["subject"] or {}
        ends = ["ours" if is_ours(selector) else selector
                for selector in (leaf["exporter"], leaf["importer"])]
        where = subject["name"] if subject.get("ours") else ",".join(ends)
        if leaf["verdict"] != "skip":
            found.add((where, leaf["program"] + "." + leaf["case"], leaf["clause"]))
    return found


missing = judged(sys.argv[2]) - judged(sys.argv[1])
for check in sorted(missing):
    print("judged by the full profile alone:", *check)
sys.exit(bool(missing))
