#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Looks up in kernel trees what the fact files say was read there.

usage: fact_sources.py SERIES=TREE...

For each paragraph of drivers-matrix/drivers/ that holds for a SERIES, such as 7.3, each file that its field "Read" names
must be in TREE, and each function and constant in that file; that it is there says nothing on what it does. Exit status:
0, 1 if one is not there, 2 for wrong usage. No kernel tree is part of "make check".
"""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "drivers-matrix" / "drivers"
SOURCE = re.compile(r"([\w/.-]+\.[ch])(?: \(([\d.]+): ([\w/.-]+\.[ch])\))?: (.*)")
NAME = re.compile(r"\b(\w+)\(\)|\b([A-Z][A-Z0-9]+_[A-Z0-9_]+)\b")


def fields(paragraph):
    """The fields of a paragraph, each with its lines."""
    found = {}
    for line in paragraph.splitlines():
        if line.startswith("#"):
            continue
        if not line.startswith(" "):
            name, _, line = line.partition(":")
            found[name] = lines = []
        lines.append(line.strip())
    return found


def lookups(path, series):
    """What a fact file says was read in that series: file, and name in it or None."""
    for paragraph in re.split(r"\n\s*\n", path.read_text())[1:]:
        found = fields(paragraph)
        if series not in found["Kernels"][0].split():
            continue
        for line in found["Read"]:
            source = SOURCE.search(line)
            if source:
                name = source[3] if source[2] == series else source[1]
                yield name, None
                yield from ((name, function or constant) for function, constant in NAME.findall(source[4]))


def is_there(tree, name, word):
    file = tree / name
    return file.is_file() and (not word or re.search(rf"\b{word}\b", file.read_text(errors="replace")))


def main():
    trees = [word.partition("=")[::2] for word in sys.argv[1:]]
    if not trees or not all(tree for _, tree in trees):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    faults = 0
    for series, tree in trees:
        wanted = [(path.name, *lookup) for path in sorted(FOLDER.glob("*.txt")) for lookup in lookups(path, series)]
        missing = [lookup for lookup in wanted if not is_there(pathlib.Path(tree), *lookup[1:])]
        for path, name, word in missing:
            print(f"{path}: {series} has no {word + ' in ' if word else ''}{name}")
        print(f"{series}: {len(wanted) - len(missing)} of {len(wanted)} are there")
        faults += len(missing) or not wanted
    sys.exit(bool(faults))


main()
