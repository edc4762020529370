#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# The driver matrix: what is taken of a run, what is found wrong with facts, and what is shown.

bats_require_minimum_version 1.5.0
load stream
load matrix

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	make_matrix
}

@test "add: a run is reduced to a file for each driver and role, without the suite's own peers" {
	make_run run "PIN-09 pass exporter" "ATT-07.a pass importer" "NIC-01 pass nic" "LIFE-01 pass core" "PIN-09 fail peer"
	matrix 0 add run
	diff <(cd results && find . -type f | sort) - <<- 'END'
		./6.9/dma-buf,core,software.json
		./6.9/efa,importer,emulated.json
		./6.9/vgem,exporter,software.json
	END
	[ "$(clause results/6.9/vgem,exporter,software.json PIN-09 verdict)" = pass ]
	[ "$(clause results/6.9/efa,importer,emulated.json NIC-01 verdict)" = pass ]
	run ! grep -r peer results
}

@test "add: of several verdicts the worst counts, with its reasons and where it came from" {
	make_run run "PIN-09 pass exporter" "PIN-09 fail exporter it moved" "PIN-09 skip exporter not here" \
		"PIN-09 fail exporter it moved" "PIN-09 fail exporter it fell"
	matrix 0 add run
	file=results/6.9/vgem,exporter,software.json
	[ "$(clause "$file" PIN-09 verdict)" = fail ]
	[ "$(clause "$file" PIN-09 counts)" = "{'pass': 1, 'fail': 3, 'skip': 1}" ]
	grep -q '"text": "it moved", "case": "pin.one", "pair": "drm:vgem,verbs:efa_0"}, {"text": "it fell"' "$file"
	run ! grep -q "not here" "$file"
}

@test "add: more reasons than one wants to read are counted" {
	make_run run "PIN-09 warn exporter 1" "PIN-09 warn exporter 2" "PIN-09 warn exporter 3" "PIN-09 warn exporter 4" \
		"PIN-09 warn exporter 5" "PIN-09 warn exporter 6"
	matrix 0 add run
	[ "$(clause results/6.9/vgem,exporter,software.json PIN-09 more)" = 2 ]
}

@test "add: a case that died is its driver's, by the clause; what no clause says stands aside" {
	make_run run "PIN-09 crash - the guest died" "RUN error - it went wrong" "KLOG fail core WARNING: here"
	matrix 0 add run
	[ "$(clause results/6.9/vgem,exporter,software.json PIN-09 verdict)" = crash ]
	[ "$(clause results/6.9/dma-buf,core,software.json KLOG verdict)" = fail ]
	for file in results/6.9/{vgem,exporter,software,efa,importer,emulated}.json; do
		[ -e "$file" ] || continue
		grep -q '"incidents": \[{"text": "it went wrong"' "$file"
		grep -q 'WARNING: here' "$file"
	done
	grep -q "it went wrong" "results/6.9/efa,importer,emulated.json"
}

@test "add: what tests of others found stands in nobody's row" {
	make_run run "PIN-09 pass exporter" "PIN-08.a fail exporter theirs" "RUN crash - theirs"
	twist run 'for leaf in run["leaves"][1:]: leaf["origin"] = "igt"'
	matrix 0 add run
	[ "$(clause results/6.9/vgem,exporter,software.json PIN-09 verdict)" = pass ]
	run ! grep -rq theirs results
}

@test "add: the same run gives the same file, and one that judged less is not taken" {
	make_run run "PIN-09 pass exporter" "PIN-08.a pass exporter"
	matrix 0 add run
	says "vgem,exporter,software.json: 2 clauses, new"
	cp -r results first
	matrix 0 add run
	says "2 clauses, 0 verdicts changed"
	diff -r first results
	make_run less "PIN-09 fail exporter" "ATT-07.a pass importer"
	matrix 125 add less
	says "no verdict on PIN-08.a and 0 other clauses"
	diff -r first results
	matrix 0 add --replace less
	says "1 clauses, 1 verdicts changed"
	[ "$(clause results/6.9/vgem,exporter,software.json PIN-09 verdict)" = fail ]
}

# not_taken TEXT EXPRESSION: a good run, changed so, is refused with that text, and leaves nothing.
not_taken() {
	make_run run "PIN-09 pass exporter"
	twist run "$2"
	matrix 125 add run
	says "$1"
	[ -z "$(ls results)" ]
}

@test "add: what is no whole run of somebody's drivers is refused" {
	not_taken "remains to be run" 'run["complete"] = False'
	not_taken "cut short: no power" 'run["cut_short"] = "no power"'
	not_taken "faults were switched on" 'run["leaves"][0]["fault"] = "exporter:x"'
	not_taken "a verdict that is none: 'fine'" 'run["leaves"][0]["verdict"] = "fine"'
	not_taken "newer suite (schema 9" 'run["schema"] = 9'
	not_taken "no run.json" 'del run["schema"]'
	not_taken "only the suite's own peers" 'run["leaves"][0].update(self_test=True)'
	not_taken "no file can be named" 'run["backends"][0]["driver"] = "../../x"'
	not_taken "no file can be named" 'run["kernel"]["series"] = "../6.9"'
	echo '{"schema": 1,' > run
	matrix 125 add run
	says "cannot read run"
	mkdir empty
	matrix 125 add empty
	says "empty/run.json"
}

@test "add: a result that cannot be read is not written over" {
	make_run run "PIN-09 pass exporter"
	matrix 0 add run
	echo '{' > results/6.9/vgem,exporter,software.json
	matrix 125 add run
	says "vgem,exporter,software.json"
	[ "$(cat results/6.9/vgem,exporter,software.json)" = '{' ]
}

# keeps_schema FILE...
keeps_schema() {
	inside "$TOP/tests/meta/schema.py" "$TOP/runners/matrix/schema/result.schema.json" "$@"
}

@test "add: results keep their schema, which is not one that everything keeps" {
	make_run run "PIN-09 fail exporter 1" "PIN-09 fail exporter 2" "PIN-09 fail exporter 3" "PIN-09 fail exporter 4" \
		"PIN-09 fail exporter 5" "ATT-07.a pass importer" "RDR-01 value rdma-core x" "RUN error - it went wrong"
	matrix 0 add run
	keeps_schema results/6.9/*.json
	sed 's/"verdict": "fail"/"verdict": "bad"/' results/6.9/vgem,* > spoiled
	run ! keeps_schema spoiled
	sed 's/"suite"/"sweet"/' results/6.9/vgem,* > spoiled
	run ! keeps_schema spoiled
	inside "$TOP/tests/meta/page/data.py" made 2 2 40
	keeps_schema made/results/*/*.json
}

@test "add: how DMA was translated is kept, where the run tells" {
	make_run run "PIN-09 pass exporter"
	mkdir folder
	mv run folder/run.json
	echo '{"environment": {"iommu": {"mode": "translated"}}}' > folder/environment.json
	matrix 0 add folder
	grep -q '"iommu": "translated"' results/6.9/vgem,exporter,software.json
	rm folder/environment.json
	matrix 0 add folder/run.json
	run ! grep -q iommu results/6.9/vgem,exporter,software.json
}

@test "add: a recorded run of every verdict" {
	stream normal 1
	matrix 0 add out
	keeps_schema results/*/*.json
	[ -n "$(ls results)" ]
	run ! grep -r '"driver": "dmabuf_peer' results
	matrix 0 check
}

@test "check: the facts and results of this project have no faults" {
	exits 0 inside "$PROGRAMS/cts-matrix" check --clauses clauses --drivers "$TOP/drivers-matrix/drivers" \
		--results "$TOP/drivers-matrix/results"
}

@test "check: a good fact file has no faults" {
	make_fact card
	matrix 0 check
	says "1 fact files and 0 results: no faults"
}

# fault_of FIELD VALUE TEXT: a fact file with that has one fault, told with file and line.
fault_of() {
	make_fact card "$1" "$2"
	matrix 1 check
	says "$3"
	[ "$(wc -l < errors)" -eq 1 ]
	grep -q '^drivers/card.txt:[0-9]*: ' errors
}

@test "check: each fault of a fact file is told with its place" {
	fault_of Vendor "" "lacks the field 'Vendor'"
	fault_of Tree sideways "wanted is one of: upstream out-of-tree"
	fault_of Evidence rumour "wanted is one of: hardware emulated software"
	fault_of Role both "wanted is one of: exporter importer"
	fault_of Kernels "6.8 latest" "'latest' is no series"
	fault_of First "long ago" "First: wanted is a series"
	fault_of First 6.x "First: wanted is a series"
	fault_of Attach loosely "Attach: wanted is one of"
	fault_of Attach "pinnedly; so" "Attach: wanted is one of"
	fault_of Notify "" "lacks the field 'Notify'"
	fault_of Peer-to-peer perhaps "Peer-to-peer: wanted is one of"
	fault_of Buffers "" "lacks the field 'Buffers'"
	fault_of Unverified "First, Pinn: why" "there is no field 'Pinn'"
	fault_of Unverified "First: nobody looked
 at all" "wanted are lines 'FIELD, ...: text'"
	fault_of Unverified nothing "First: neither 'Read' nor 'Unverified'"
	fault_of Read "Attach, Notify, Pin, Peer-to-peer, Buffers: card.c" "Revocable: neither"
	fault_of Selector "none
Selector: twice" "is there twice"
	fault_of Selector "none
Colour: red" "there is no field 'Colour' here"
	fault_of Selector "none
just words" "not 'Field: value'"
	fault_of Selector "none
Note:" "says nothing"
	fault_of Unverified "First, Predict: nobody looked
Predict: PIN-09 breaks: so" "there is no verdict 'breaks'"
}

@test "check: a driver that takes no dma-bufs need not say how" {
	make_fact card Attach none Notify "" Pin "" Peer-to-peer "" Revocable "" Buffers "" Read "Attach: drivers/a/card.c"
	matrix 0 check
}

@test "check: predictions name clauses that there are, and no driver has two files" {
	make_fact card Unverified "First, Predict: nobody looked
Predict: PIN-99 fail: so"
	matrix 1 check
	says "there is no clause or check 'PIN-99'"
	make_fact card
	make_fact other
	sed -i '2i Like: card' drivers/other.txt
	matrix 1 check
	says "driver 'card' is in drivers/card.txt, too"
	mv drivers/card.txt drivers/ace.txt
	matrix 1 check
	says "must be called card.txt"
	: > drivers/ace.txt
	matrix 1 check
	says "drivers/ace.txt: there is nothing in it"
}

@test "check: each fault of a recorded result is told" {
	make_run run "PIN-09 pass exporter"
	matrix 0 add run
	mv results/6.9/vgem,exporter,software.json results/6.9/vgem,exporter,hardware.json
	matrix 1 check
	says "belongs in 6.9/vgem,exporter,software.json"
	matrix 0 add run
	rm results/6.9/*hardware*
	sed -i 's/"verdict": "pass"/"verdict": "fine"/' results/6.9/*.json
	matrix 1 check
	says "unknown verdict 'fine'"
	sed -i 's/"schema": 1/"schema": 2/' results/6.9/*.json
	matrix 1 check
	says "of a newer suite"
}

# cell FILE ROW COLUMN: of a table in CSV, by the row's driver and evidence.
cell() {
	inside python3 -c '
import csv, sys
for row in csv.DictReader(open(sys.argv[1], newline="")):
    if [row["driver"], row["evidence"]] == sys.argv[2].split(","):
        print(row[sys.argv[3]])' "$@"
}

@test "render: what a run measured and what a source lets one expect have rows of their own" {
	make_run run "PIN-09 pass exporter" "PIN-08.a fail importer so it was"
	matrix 0 add run
	make_fact efa Unverified "First: nobody looked
Predict: PIN-08.b refused: its source says so
 PIN-09 pass: it counts" Read "Attach, Notify, Pin, Peer-to-peer, Revocable, Buffers, Predict: drivers/a/card.c"
	make_fact never
	matrix 0 render --format csv
	mv shown matrix.csv
	[ "$(cell matrix.csv efa,emulated PIN-08)" = fail ]
	[ "$(cell matrix.csv efa,emulated PIN-09)" = "" ]
	[ "$(cell matrix.csv efa,emulated vendor)" = "A Maker" ]
	[ "$(cell matrix.csv efa,source PIN-08 | sort -u)" = refused ]
	[ "$(cell matrix.csv efa,source kernel | xargs)" = "6.8 6.9" ]
	[ "$(cell matrix.csv efa,source origin | sort -u)" = read ]
	# Nothing was run of these, so nothing is known.
	[ "$(cell matrix.csv never, kernel | xargs)" = "6.8 6.9" ]
	[ -z "$(cell matrix.csv never, PIN-09 | tr -d '\n')" ]
	# It was measured on one of its kernels.
	[ "$(cell matrix.csv efa, kernel)" = 6.8 ]
}

@test "render: a driver under another name was run, one that is like another was not" {
	make_run run "ATT-07.a pass importer"
	matrix 0 add run
	make_fact card Kernels 6.9
	sed -i '2i Also: efa' drivers/card.txt
	matrix 0 render --format csv
	[ "$(cell shown efa,emulated vendor)" = "A Maker" ]
	[ -z "$(cell shown card, kernel)" ]
	sed -i 's/^Also/Like/' drivers/card.txt
	matrix 0 render --format csv
	[ "$(cell shown efa,emulated vendor)" = "A Maker" ]
	[ "$(cell shown card, kernel)" = 6.9 ]
}

@test "render: CSV with a line for each verdict, and a reason that is no formula" {
	make_run run "PIN-09 pass exporter" 'PIN-08.a fail importer ="x",1+1'
	matrix 0 add run
	matrix 0 render --format csv --long
	grep -qF "\"efa\",\"\",\"importer\",\"6.9\",\"measured\",\"emulated\",\"PIN-08.a\",\"fail\",\"'=\"\"x\"\",1+1\"" shown
	[ "$(wc -l < shown)" -eq 3 ]
}

@test "render: Markdown tells what was measured, read and not run" {
	make_run run "PIN-09 pass exporter" "PIN-08.a fail importer a|b <i>"
	matrix 0 add run
	make_fact never
	matrix 0 render
	says '| vgem | exporter | 6.9 | software |'
	says 'efa, importer, 6.9 (emulated): PIN-08.a **fail**: a\|b \<i\>'
	says '- never, importer, 6.8: Attach pinned, Notify none, Pin driver, Peer-to-peer yes, Revocable no'
	says '- Read: Attach, Notify, Pin, Peer-to-peer, Revocable, Buffers: drivers/a/card.c: attach()'
}

@test "render: one page that asks for nothing else, and that no reason can break" {
	make_run run 'PIN-09 fail exporter </script><b>x'
	matrix 0 add run
	make_fact card Vendor 'A <b>Maker</b> \&'
	matrix 0 render --format html
	run ! grep -qE '(src|href)=.?https?:|@import|url\(' shown
	grep -q "default-src 'none'" shown
	[ "$(grep -o '</script>' shown | wc -l)" -eq 2 ]
	says 'A &lt;b&gt;Maker&lt;/b&gt; &amp;'
	run ! grep -q '{{' shown
	inside python3 -c '
import json, re, sys
data = json.loads(re.search(r"id=\"data\">(.*?)</script>", open("shown").read(), re.S).group(1))
assert "</script><b>x" in data["texts"]
assert [row["cells"].strip(".") for row in data["rows"] if row["driver"] == "vgem"] == ["f"]'
	run ! grep -q 'class=generated' shown
}

@test "render: a clause that this version does not know is shown all the same" {
	make_run run "NEW-77 fail exporter from tomorrow"
	matrix 0 add run
	matrix 0 render --format csv
	[ "$(cell shown vgem,software NEW-77)" = fail ]
}

@test "render: 40 drivers, 10 kernels and 250 clauses, and the page says that they are made up" {
	inside "$TOP/tests/meta/page/data.py" made
	cp made/clauses.json clauses
	cp -r made/drivers made/results .
	matrix 0 render --format html
	grep -q 'class=generated' shown
	[ "$(stat -c %s shown)" -lt 4000000 ]
	matrix 0 render --format csv
	[ "$(grep -c '"measured"' shown)" -eq 400 ]
	[ "$(head -n 1 shown | tr ',' '\n' | wc -l)" -eq 258 ]
}

# make_profiled: a result of vgem, which declares that it moves, and profiles that it is compared with.
make_profiled() {
	make_run run "PIN-09 pass exporter" "PIN-08.a pass exporter" "PIN-08.a skip exporter" "PIN-04.a fail exporter it moved" \
		"PIN-04.b skip exporter not here" "PIN-04.c error exporter" "PIN-04.c pass exporter"
	twist run 'run["backends"][0]["capabilities"] = ["moves"]
run["law"] = [{"feature": "map_lock_always", "value": "yes"}]'
	matrix 0 add run
	inside python3 -c '
import json
def clause(id, *unless, when=(), tested=True):
    return {"clause": id, "text": "t", "if": list(when), "unless": [{"feature": f, "value": v} for f, v in unless], "tests": [[]] if tested else [["drm"], ["heap"]]}
def profile(name, has, *clauses):
    return {"profile": name, "role": "exporter", "title": "t", "has": has, "clauses": list(clauses)}
json.dump({"clause_table": 2, "profiles": [
    profile("low", [], clause("PIN-09"), clause("PIN-08.a"), clause("MAP-01.a", when=["mmaps"]),
            clause("MAP-01.b", ("map_lock_always", "yes")), clause("MAP-01.c", ("vmap_locked", "no")), clause("SGT-07.a", tested=False)),
    profile("high", ["moves", "pin-op"], clause("PIN-09"), clause("PIN-04.a"), clause("PIN-04.b"), clause("PIN-04.c"),
            clause("INV-01.a", ("map_lock_always", "no"), when=["moves"]))]}, open("profiles", "w"))'
}

@test "profiles: what a driver meets, and what keeps it from the next, in each format" {
	local met="low, of which 1 clause has no test"
	local next="high; does not declare: pin-op; breaks: PIN-04.a; not run: PIN-04.b, PIN-04.c, INV-01.a"

	make_profiled
	matrix 0 render --profiles profiles
	says "- vgem, exporter, 6.9 (software): $met. Next is $next"
	matrix 0 render --profiles profiles --format csv
	mv shown matrix.csv
	[ "$(cell matrix.csv vgem,software profile)" = "$met" ]
	[ "$(cell matrix.csv vgem,software "next profile")" = "$next" ]
	matrix 0 render --profiles profiles --format html
	says "\"profile\":[\"$met\",\"$next\"]"
	matrix 0 render --format csv
	mv shown matrix.csv
	[ -z "$(cell matrix.csv vgem,software profile)" ]
}

@test "profiles: what was not run, or is not declared, is not met" {
	make_profiled
	sed -i 's/"clause": "MAP-01.a", "text": "t", "if": \["mmaps"\]/"clause": "MAP-01.a", "text": "t", "if": []/' profiles
	matrix 0 render --profiles profiles
	says "(software): none. Next is low; not run: MAP-01.a; without a test: SGT-07.a"
	inside python3 -c '
import json
file = "results/6.9/vgem,exporter,software.json"
result = json.load(open(file))
del result["capabilities"]
json.dump(result, open(file, "w"))'
	matrix 0 render --profiles profiles
	run ! grep -q "Next is" shown
	echo '{}' > profiles
	matrix 125 render --profiles profiles
	says "has no profiles of conformance"
}

@test "a wrong command line says what is wanted" {
	matrix 2 render --format pdf
	says "markdown, csv, html and ambiguities, not 'pdf'"
	fails 2 "$TOP/dmabuf-cts" matrix
	says "no verb given"
	fails 2 "$TOP/dmabuf-cts" matrix add
	says "add which run?"
	fails 2 "$TOP/dmabuf-cts" matrix render this
	says "one word too many"
	fails 125 "$TOP/dmabuf-cts" matrix check --drivers nowhere
	says "no folder of fact files"
	fails 125 "$TOP/dmabuf-cts" matrix add nowhere
	says "there is no run nowhere"
}

# fails STATUS COMMAND...
fails() {
	exits "$@" > shown 2> errors
}

@test "the verb: from a run to a page, which is written whole or not at all" {
	make_run run "PIN-09 pass exporter"
	mkdir folder
	mv run folder/run.json
	make_fact card
	"$TOP/dmabuf-cts" matrix add --results results folder
	"$TOP/dmabuf-cts" matrix render --drivers drivers --results results --format html --output page.html
	grep -q '</html>' page.html
	make_fact card Vendor ""
	cp page.html before
	fails 1 "$TOP/dmabuf-cts" matrix render --drivers drivers --results results --output page.html
	cmp before page.html
	[ ! -e page.html.new ]
}

@test "the verb: of a run on all kernels, each that has results" {
	local series

	for series in 7.3 6.1; do
		make_run run "PIN-09 pass exporter"
		mkdir -p "all/$series"
		sed "s/\"series\": *\"[^\"]*\"/\"series\": \"$series\"/" run > "all/$series/run.json"
	done
	printf '%s\t%s\t%s\t%s\t%s\n' 6.1 0 1 6.1 "" 6.12 125 "" "" "not run yet" 7.3 1 1 7.3 "" > all/kernels.tsv
	"$TOP/dmabuf-cts" matrix add --results results all
	[ "$(find results -name '*.json' | sed 's|/[^/]*$||' | sort -u | paste -sd ' ')" = "results/6.1 results/7.3" ]
	# All or none.
	rm -r all/7.3/run.json results/6.1
	fails 125 "$TOP/dmabuf-cts" matrix add --results results all
	grep -q 'all/7.3/run.json' errors
	[ ! -e results/6.1 ]
	printf '%s\t%s\t%s\t%s\t%s\n' 6.12 125 "" "" "not run yet" > all/kernels.tsv
	fails 125 "$TOP/dmabuf-cts" matrix add --results results all
	grep -q 'no kernel of .*all has results' errors
}

@test "ambiguities: each dispute with what waits for an answer, and what runs saw of it" {
	make_run run "PIN-05.b value exporter signalled" "PIN-05.b value exporter unsignalled" "PIN-05.a pass exporter" \
		"PIN-05.b skip importer" "PIN-05.c fail peer" "PIN-09 fail exporter"
	matrix 0 add run
	matrix 0 render --format ambiguities
	grep -q '^- \*\*PIN-05.b\*\* records and waits' shown
	grep -qF '| 6.9 | PIN-05.b | value (2 times): signalled; unsignalled | vgem, exporter (software) |' shown
	grep -qF '| 6.9 | PIN-05.a | pass | vgem, exporter (software) |' shown
	run ! grep -E '\| PIN-05.c|PIN-09|importer \(' shown
	[ "$(sed -n '/^## ATT-07/,/^## /p' shown | grep -c 'No recorded run')" = 1 ]
}
