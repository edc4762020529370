#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The verdicts of a run as sorted lines, "EXPORTER IMPORTER PROGRAM.CASE CLAUSE<tab>VERDICT".

Usage: verdicts.py RUN_JSON
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    leaves = json.load(file)["leaves"]
for line in sorted("{exporter} {importer} {program}.{case} {clause}\t{verdict}".format(**leaf) for leaf in leaves):
    print(line)
