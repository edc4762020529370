#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Change a bundle in many ways, and see that each is noticed.

Usage: forge.py BUNDLE STATUS COMMAND... < CASES

CASES are triples of texts, each with a NUL behind it: what must be said, code in Python
that changes the bundle, and "rehash" if the manifest is to be made anew, as a forger would.
The code sees "files", an object of bytes by name; "extra", to which add(NAME, TYPE, SIZE)
adds a member; and change(NAME, FUNCTION), which edits a JSON file. COMMAND is given each
bundle on standard input. Exit status: 0 if it always ended with STATUS and said the text.
"""

import hashlib
import io
import json
import subprocess
import sys
import tarfile

FOLDER = "dmabuf-cts-bundle/"
MANIFEST = "manifest.json"


def read(path):
    with tarfile.open(path) as archive:
        return {member.name[len(FOLDER):]: archive.extractfile(member).read() for member in archive}


def member(name, kind=tarfile.REGTYPE, size=0):
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname = kind, size, "/etc/passwd"
    return info


def rehash(files):
    manifest = json.loads(files[MANIFEST])
    manifest["files"] = [{"path": name, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
                         for name, data in sorted(files.items()) if name != MANIFEST]
    files[MANIFEST] = json.dumps(manifest).encode()


def write(files, extra):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in sorted(files.items()):
            archive.addfile(member(FOLDER + name, size=len(data)), io.BytesIO(data))
        for info in extra:
            archive.addfile(info, io.BytesIO(b"x" * info.size))
    return out.getvalue()


def forge(path, code, anew):
    files, extra = read(path), []

    def change(name, edit):
        value = json.loads(files[name])
        edit(value)
        files[name] = json.dumps(value).encode()

    def add(*arguments, **named):
        extra.append(member(*arguments, **named))

    exec(code, {"files": files, "extra": extra, "change": change, "add": add, "tarfile": tarfile, "FOLDER": FOLDER})
    if anew:
        rehash(files)
    return write(files, extra)


def main():
    path, status, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    texts = sys.stdin.buffer.read().decode().split("\0")[:-1]
    cases = list(zip(texts[::3], texts[1::3], texts[2::3]))
    missed = 0
    for text, code, anew in cases:
        done = subprocess.run(command, input=forge(path, code, anew), capture_output=True, check=False)
        said = (done.stdout + done.stderr).decode(errors="replace")
        if done.returncode != status or text not in said:
            missed += 1
            print(f"wanted {status} and: {text}\ngot {done.returncode}: {said}\nfrom: {code}\n", file=sys.stderr)
    return 0 if cases and not missed else 1


if __name__ == "__main__":
    sys.exit(main())
