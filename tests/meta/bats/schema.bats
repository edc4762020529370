#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# run.json and its published schema: what cts-report writes, whatever happened in the run, keeps
# it; and the schema is not one that everything keeps.

bats_require_minimum_version 1.5.0
load stream

SCHEMA=$TOP/runners/report/schema/run.schema.json

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

keeps_schema() {
	inside "$TOP/tests/meta/schema.py" "$SCHEMA" "$@" > shown 2> errors || { cat shown errors; return 1; }
}

# spoiled CODE: run.json after CODE, in Python, has changed "run" and its first "leaf".
spoiled() {
	inside python3 -c 'import json, sys
run = json.load(open("out/run.json"))
leaf = run["leaves"][0]
exec(sys.argv[1])
json.dump(run, open("spoiled.json", "w"))' "$1"
}

@test "run.json keeps its schema, whatever happened" {
	local path name files=()

	for path in "$STREAMS"/*.jsonl; do
		name=$(basename "$path" .jsonl)
		report --quiet --output "$name" < "$path" > shown 2> errors || true
		[ ! -e "$name/run.json" ] || files+=("$name/run.json")
	done
	[ "${#files[@]}" -ge 15 ]
	keeps_schema "${files[@]}"
}

@test "what known results and a baseline add keeps it too" {
	mkdir -p known/7.3
	cat > known/7.3/udmabuf,drm:vgem.txt <<- 'END'
		PIN-01 pin.holds fail | a true deviation
		PIN-09 pin.vanished fail | it was there
	END
	stream normal 1 --expected known
	grep -q 'pin.vanished PIN-09' out/run.json
	keeps_schema out/run.json
}

@test "a run of mutants keeps it" {
	report --quiet --output out --mutants "$TOP/tests/meta/mutants.list" < "$STREAMS/mutants.jsonl" > shown 2> errors || true
	grep -q '"fault"' out/run.json
	keeps_schema out/run.json
}

@test "what is wrong with a run.json is noticed" {
	local code

	stream normal 1
	for code in 'del run["schema"]' 'run["schema"] = 2' 'run["schema"] = "1"' 'del run["leaves"]' \
		'del leaf["verdict"]' 'leaf["verdict"] = "splendid"' 'leaf["clause"] = "pin 1"' \
		'leaf["evidence"] = "hearsay"' 'leaf["subject"] = {}' 'leaf["law"] = "yes"' \
		'leaf["duration_ns"] = -1' 'leaf["strength"] = "OUGHT"' 'leaf["oracle"] = "new"' \
		'leaf["case"] = ""' 'del run["totals"]["warn"]' 'run["totals"]["passed"] = 1' \
		'run["law"][0]["value"] = "perhaps"' 'run["backends"][0]["role"] = "user"' \
		'del run["jobs"][0]["program"]' 'run["notes"] = None' 'run["mode"] = "dream"' 'del run["inapplicable"]'; do
		spoiled "$code"
		exits 1 inside "$TOP/tests/meta/schema.py" "$SCHEMA" spoiled.json 2> errors || { echo "$code"; return 1; }
		grep -q '^spoiled.json: ' errors
	done
}

# version FILE NAME: of a header.
version() {
	sed -n "s/^#define $2[[:space:]]*//p" "$TOP/runners/$1"
}

@test "a schema is published under the version that the files have" {
	# shellcheck disable=SC2016
	inside python3 -c 'import json, sys
for path, name, version in zip(sys.argv[1::3], sys.argv[2::3], sys.argv[3::3]):
    schema = json.load(open(path))
    assert schema["$id"] == f"urn:dmabuf-cts:{name}:{version}", schema["$id"]
    assert schema["properties"]["schema"]["const"] == int(version)' \
		"$SCHEMA" run "$(version stream/version.h STREAM_SCHEMA)" \
		"$TOP/runners/matrix/schema/result.schema.json" matrix-result "$(version matrix/record.h RECORD_SCHEMA)"
}

@test "the manual names every member" {
	# shellcheck disable=SC2016
	inside python3 -c 'import json, re, sys
schema = json.load(open(sys.argv[1]))
words = set(re.findall(r"\w+", open(sys.argv[2]).read()))
parts = [schema] + list(schema["$defs"].values())
missing = {name for part in parts for name in part.get("properties", {})} - words
sys.exit(f"not in the manual: {missing}" if missing else 0)' "$SCHEMA" "$TOP/runners/man/dmabuf-cts-results.5"
}
