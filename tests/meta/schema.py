#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check JSON files against a JSON schema.

Usage: schema.py SCHEMA FILE...

A schema lets files have members that it does not know, so that old readers take new
files. Here they are faults: what the suite writes must stand in its schema. Exit
status: 0 all files keep it, 1 some do not, 2 usage.
"""

import json
import sys

import jsonschema

FAULTS_SHOWN = 10


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def close(schema):
    """Allow only the members that are described, wherever members are."""
    if isinstance(schema, list):
        return [close(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: close(item) for name, item in schema.items()}
    if isinstance(schema.get("properties"), dict):
        closed.setdefault("additionalProperties", False)
    return closed


def check(validator, path):
    faults = sorted(validator.iter_errors(load(path)), key=lambda fault: list(map(str, fault.path)))
    for fault in faults[:FAULTS_SHOWN]:
        place = "/".join(map(str, fault.path)) or "(top)"
        print(f"{path}: {place}: {fault.message[:300]}", file=sys.stderr)
    return not faults


def main():
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    schema = load(sys.argv[1])
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    validator = kind(close(schema))
    return 0 if all([check(validator, path) for path in sys.argv[2:]]) else 1


if __name__ == "__main__":
    sys.exit(main())
