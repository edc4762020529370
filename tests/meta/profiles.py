#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Whether a run of the default profile judges all that a run of the full one judges.

Usage: profiles.py DEFAULT FULL   (result folders)

The default profile runs a self-test of peers once, one peer as the partner of others where any will
do, and what judges all alike, or only the kernel's own code, until each end was there once; of two
drivers, always what judges all alike. Where a case says ANY_EXPORTER or ANY_IMPORTER, one partner does.
If the full one finds more to judge by some check, or a worse verdict, that check depends on the partner,
and its case wants EACH_PAIR, or says ANY_ wrongly. A deviation that is listed in expected/ is no news, on
whichever pairs it shows. What is judged only with an IOMMU, or only on other kernels, shows in runs made so.
"""

import itertools
import json
import os
import sys

# Verdicts that one partner may have brought and another one not, from bad to worse.
BAD = ("warn", "fail", "error", "timeout", "crash")


def is_ours(selector):
    return selector.split(":")[0] in ("peer", "umem", "uapi")


def leaves_of(folder):
    with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
        return [leaf for leaf in json.load(file)["leaves"] if leaf["verdict"] != "skip"]


def plans_of(folder):
    """What each case needs of its pair and says beside that, as the programs told."""
    plans = {}
    with open(os.path.join(folder, "stream.jsonl"), encoding="utf-8") as file:
        for line in file:
            if '"type":"plan"' in line:
                plan = json.loads(line)
                for case in plan["cases"]:
                    plans[plan["program"] + "." + case["case"]] = case
    return plans


def end_of(leaf, role, plan):
    """Who was there, as far as it matters."""
    role_of_subject = (leaf["subject"] or {}).get("role")
    if plan.get("any_" + role) and role_of_subject != role:
        return "any"
    return "ours" if is_ours(leaf[role]) else leaf[role]


def is_on_ends(roles):
    """Whether a case judges all alike, or only the kernel's own code: then each end is to be there once."""
    return roles == {"all"} or roles <= {"core", "rdma-core"}


def judged_pairs(leaves, plans):
    """What was judged of whom: peers, by their self-tests, else the pair, whichever of ours is in it."""
    for leaf, case, roles in leaves:
        if is_on_ends(roles):
            continue
        ends = [end_of(leaf, role, plans.get(case, {})) for role in ("exporter", "importer")]
        where = "ours" if (leaf["subject"] or {}).get("ours") else ",".join(ends)
        yield (where, case, leaf["clause"]), badness(leaf)


def judged_ends(leaves, plans):
    """Who was there. Unless a peer is needed, or all are judged alike, one of them is as good as another."""
    for leaf, case, roles in leaves:
        if not is_on_ends(roles):
            continue
        plan = plans.get(case, {"needs": []})
        for role in ("exporter", "importer"):
            peer = set(plan["needs"]) & {role + " peer", role + " umem"}
            if not plan.get("any_" + role) and (roles == {"all"} or peer or not is_ours(leaf[role])):
                yield (role + " " + leaf[role], case, leaf["clause"]), badness(leaf)
        if roles == {"all"} and not is_ours(leaf["exporter"]) and not is_ours(leaf["importer"]):
            yield (leaf["exporter"] + "," + leaf["importer"], case, leaf["clause"]), badness(leaf)


def badness(leaf):
    return BAD.index(leaf["verdict"]) + 1 if leaf["verdict"] in BAD and "known" not in leaf else 0


def case_of(leaf):
    return leaf["program"] + "." + leaf["case"]


def judged(folder, plans):
    leaves = leaves_of(folder)
    roles = {}
    for leaf in leaves:
        roles.setdefault(case_of(leaf), set()).add((leaf["subject"] or {}).get("role"))
    leaves = [(leaf, case_of(leaf), roles[case_of(leaf)]) for leaf in leaves]
    worst = {}
    for about, bad in itertools.chain(judged_pairs(leaves, plans), judged_ends(leaves, plans)):
        worst[about] = max(worst.get(about, 0), bad)
    return worst


plans_of_cases = plans_of(sys.argv[2])
default, full = (judged(folder, plans_of_cases) for folder in sys.argv[1:])
wrong = [("judged by the full profile alone:", *about) for about in full.keys() - default.keys()]
wrong += [("judged worse by the full profile:", *about)
          for about in full.keys() & default.keys() if full[about] > default[about]]
for line in sorted(wrong):
    print(*line)
sys.exit(bool(wrong))
