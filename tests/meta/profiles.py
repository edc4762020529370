#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Whether a run of the default profile judges all that a run of the full one judges.

Usage: profiles.py DEFAULT FULL   (result folders)

The default profile runs a self-test of a peer with one partner, one peer as the partner of others
where any will do, and what judges all alike, or only the kernel's own code, until each end was there
once. If the full one finds more to judge by some check, that check depends on the partner, and its
case wants EACH_PAIR. What is judged only with an IOMMU, or only on other kernels, shows in runs made so.
"""

import json
import os
import sys


def is_ours(selector):
    return selector.split(":")[0] in ("peer", "umem", "uapi")


def leaves_of(folder):
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        return [leaf for leaf in json.load(file)["leaves"] if leaf["verdict"] != "skip"]


def needs_of(folder):
    """What each case needs of its pair, as the programs told."""
    needs = {}
    with open(os.path.join(folder, "stream.jsonl"), encoding="utf-8") as file:
        for line in file:
            if '"type":"plan"' in line:
                plan = json.loads(line)
                for case in plan["cases"]:
                    needs[plan["program"] + "." + case["case"]] = set(case["needs"])
    return needs


def judged_pairs(leaves):
    """What was judged of whom: a peer, by its self-test, else the pair, whichever of ours is in it."""
    for leaf in leaves:
        subject = leaf["subject"] or {}
        ends = ["ours" if is_ours(selector) else selector
                for selector in (leaf["exporter"], leaf["importer"])]
        where = subject["name"] if subject.get("ours") else ",".join(ends)
        yield where, leaf["program"] + "." + leaf["case"], leaf["clause"]


def judged_ends(leaves, needs):
    """Who was there when a case judged all alike, or only the kernel's own code. Unless a peer is
    needed there, one of them is as good as another in the latter."""
    roles = {}
    for leaf in leaves:
        roles.setdefault(leaf["program"] + "." + leaf["case"], set()).add((leaf["subject"] or {}).get("role"))
    for leaf in leaves:
        case = leaf["program"] + "." + leaf["case"]
        if roles[case] != {"all"} and not roles[case] <= {"core", "rdma-core"}:
            continue
        for role in ("exporter", "importer"):
            peer = needs.get(case, set()) & {role + " peer", role + " umem"}
            if roles[case] == {"all"} or peer or not is_ours(leaf[role]):
                yield role + " " + leaf[role], case, leaf["clause"]


def judged(folder, needs):
    leaves = leaves_of(folder)
    return set(judged_pairs(leaves)) | set(judged_ends(leaves, needs))


case_needs = needs_of(sys.argv[2])
missing = judged(sys.argv[2], case_needs) - judged(sys.argv[1], case_needs)
for check in sorted(missing):
    print("judged by the full profile alone:", *check)
sys.exit(bool(missing))
