#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Bundles: what goes into one, what is found wrong with one, and what a private one does not show. The
# run is a recorded stream; plans and profiles are those of the tests that it has.

bats_require_minimum_version 1.5.0
load stream

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	stream normal 1
	make_plans
	make_profiles
	make_statement
}

make_plans() {
	cat > plans <<- 'END'
		{"attach": [
		 {"case": "attaches", "clauses": ["ATT-01", "ATT-02"], "needs": [], "parties": ["core", "exporter"], "each_pair": true},
		 {"case": "counts", "clauses": ["LIFE-01"], "needs": [], "parties": ["exporter"], "each_pair": true},
		 {"case": "limits", "clauses": ["UAPI-08.a", "UAPI-08.b"], "needs": [], "parties": ["exporter"], "each_pair": true},
		 {"case": "moves", "clauses": ["LIFE-02"], "needs": [], "parties": ["exporter"], "each_pair": true}],
		 "pin": [
		 {"case": "holds", "clauses": ["PIN-01", "PIN-02"], "needs": [], "parties": ["exporter"], "each_pair": true},
		 {"case": "refuses", "clauses": ["PIN-11"], "needs": [], "parties": ["exporter"], "each_pair": true}],
		 "never": [
		 {"case": "fits", "clauses": ["REV-01"], "needs": ["exporter revokes"], "parties": ["exporter"], "each_pair": true}]}
	END
}

# udmabuf keeps LIFE-01 and PIN-11, and breaks PIN-01; of the rest nothing was run.
make_profiles() {
	cat > profiles <<- 'END'
		{"clause_table": 3, "profiles": [
		 {"profile": "exporter-static", "role": "exporter", "title": "t", "has": [], "clauses": [
		  {"clause": "LIFE-01", "text": "t", "if": [], "unless": [], "tests": [[]]},
		  {"clause": "PIN-11", "text": "t", "if": [], "unless": [], "tests": [[]]},
		  {"clause": "PIN-01", "text": "t", "if": [], "unless": [], "tests": [[]]},
		  {"clause": "MAP-01", "text": "t", "if": ["mmaps"], "unless": [], "tests": [[]]},
		  {"clause": "MAP-02", "text": "t", "if": [], "unless": [{"feature": "notify_optional", "value": "yes"}], "tests": [[]]},
		  {"clause": "MAP-03", "text": "t", "if": [], "unless": [{"feature": "nobody_knows", "value": "yes"}], "tests": [[]]},
		  {"clause": "MAP-04", "text": "t", "if": [], "unless": [], "tests": [["drm"]]}]},
		 {"profile": "exporter-dynamic", "role": "exporter", "title": "t", "has": ["moves"], "clauses": [
		  {"clause": "UAPI-08.b", "text": "t", "if": [], "unless": [], "tests": [[]]},
		  {"clause": "MAP-05", "text": "t", "if": [], "unless": [{"feature": "notify_optional", "value": "no"}], "tests": [[]]}]},
		 {"profile": "importer-static", "role": "importer", "title": "t", "has": [], "clauses": [
		  {"clause": "PIN-02", "text": "t", "if": [], "unless": [], "tests": [[]]}]}]}
	END
}

make_statement() {
	cat > statement <<- 'END'
		# A comment.
		Submitter: A. Vendor
		Contact: vendor@example.org
		Hardware: a card
		  in a machine
		Driver: udmabuf
		Firmware: none
		Kernel: 7.3.4-test
		Profiles: none
		Consent: yes
	END
}

cts_bundle() {
	inside "$PROGRAMS/cts-bundle" "$@"
}

# pack STATUS OPTION...: of the run in out/, into bundle.
pack() {
	local wanted=$1

	shift
	exits "$wanted" cts_bundle pack --statement statement "$@" out > bundle 2> errors || { cat errors; return 1; }
}

# verifies STATUS OPTION...: the file bundle; what is wrong is in shown.
verifies() {
	local wanted=$1

	shift
	exits "$wanted" cts_bundle verify --profiles profiles --plans plans \
		--schema "$TOP/runners/report/schema/run.schema.json" "$@" < bundle > shown 2> errors ||
		{ cat shown errors; return 1; }
}

# wrong TEXT CODE [rehash]: a case for tests/meta/forge.py, which noticed() tries: a bundle that CODE
# changed is told from a good one, by TEXT.
wrong() {
	printf '%s\0%s\0%s\0' "$1" "$2" "${3-}" >> cases
}

# noticed [STATUS]: all cases so far end with that status (default 1). One call, since each of those into
# the build root takes its time.
noticed() {
	[ -e bundle ] || pack 0
	inside "$TOP/tests/meta/forge.py" bundle "${1:-1}" "$PROGRAMS/cts-bundle" verify --profiles profiles \
		--plans plans --schema "$TOP/runners/report/schema/run.schema.json" < cases
	rm cases
}

@test "pack: the same run makes the same bundle, which verifies, and tar and sha256sum agree" {
	pack 0
	mv bundle first
	touch out/run.json
	pack 0
	cmp first bundle
	verifies 0
	says "nothing is wrong"
	tar xf bundle
	diff <(cd dmabuf-cts-bundle && find . -type f | sort) - <<- 'END'
		./environment.json
		./kernel/1-counts.log
		./kernel/3-counts.log
		./manifest.json
		./programs/1.log
		./programs/2.log
		./programs/3.log
		./programs/4.log
		./run.json
		./run.ktap
		./run.tap
		./statement.txt
		./stream.jsonl
	END
	diff dmabuf-cts-bundle/run.json out/run.json
	inside python3 -c 'import json
for file in json.load(open("dmabuf-cts-bundle/manifest.json"))["files"]:
    print(file["sha256"], "", file["path"])' > sums
	(cd dmabuf-cts-bundle && sha256sum --quiet -c ../sums)
	[ "$(wc -l < sums)" -eq 12 ]
	[ "$(sha256sum < dmabuf-cts-bundle/manifest.json | cut -d ' ' -f 1)" = "$(sed -n 's/^manifest: sha256 //p' shown)" ]
}

@test "pack: what is no part of the run is named and left out; a link is not followed" {
	echo secret > elsewhere
	cp elsewhere out/notes.txt
	pack 0
	says "out/notes.txt is no part of a run"
	run ! grep -q secret bundle
	ln -sf ../elsewhere out/console.log
	pack 125
	says "console.log: it is a link"
}

@test "pack: a run that is not whole, or of a newer suite" {
	cp -r out whole
	truncate -s 300 out/run.json
	pack 125
	says "run.json is no whole JSON file"
	rm out/run.json
	pack 125
	says "out is no run: it has no run.json"
	cp whole/run.json out/
	rm out/environment.json
	pack 125
	says "the run has no environment.json"
	cp whole/environment.json out/
	sed -i 's/"schema": 1/"schema": 9/' out/run.json
	pack 125
	says "of suite 0.1.0 (schema 9, this one knows 1): bundle it with the suite that wrote it"
	rm -r out
	pack 125
	says "cannot read the run out"
}

@test "statement: a template knows what the run tells, and each blank is named" {
	exits 0 cts_bundle template --profiles profiles out > statement
	grep -q '^Kernel: 7.3.4-test$' statement
	grep -q '^Driver: udmabuf 7.3.4-test, vgem 7.3.4-test$' statement
	grep -q '^# What the drivers of this run declare: udmabuf exporter-static, vgem importer-static$' statement
	pack 1
	for name in Submitter Contact Hardware Firmware Profiles Consent; do
		says "statement: the field '$name' is blank"
	done
	[ "$(wc -l < errors)" -eq 6 ]
	pack 0 --allow-blanks
	verifies 1
	says "statement.txt: the field 'Consent' is blank"
	[ "$(grep -c blank shown)" -eq 6 ]
	verifies 0 --allow-blanks
	make_statement
	sed -i 's/^Firmware: none/Firmware:/; s/^Hardware:/Hardwear:/' statement
	pack 1
	says "there is no field 'Hardwear'"
	says "the field 'Hardware' is blank"
}

@test "statement: another kernel, and who may not publish" {
	sed -i 's/7.3.4-test/7.4/; s/^Consent: yes/Consent: no/' statement
	pack 0
	verifies 1
	says "it is on kernel '7.4', the run on '7.3.4-test'"
	make_statement
	sed -i 's/^Consent: yes/Consent: no/' statement
	pack 0
	verifies 0
	verifies 1 --publish
	says "does not consent"
	make_statement
	sed -i 's/^Consent: yes/Consent: maybe/' statement
	pack 0
	verifies 1
	says "consent is 'maybe'"
}

@test "verify: files that were changed, taken away or put in" {
	wrong "run.tap: it has" 'files["run.tap"] += b"ok 99 - more"'
	wrong "its hash is not that of the manifest" 'files["run.tap"] = files["run.tap"].replace(b"not ok", b"    ok")'
	wrong "programs/1.log: it is listed, and is not there" 'del files["programs/1.log"]'
	wrong "kernel/9-x.log: it is there, and not listed" 'files["kernel/9-x.log"] = b"x"'
	wrong "the manifest lists it twice" 'change("manifest.json", lambda m: m["files"].append(m["files"][0]))'
	wrong "the manifest lists what is no part of a run" \
		'change("manifest.json", lambda m: m["files"].append({"path": "../x", "size": 1, "sha256": "0"}))'
	wrong "evil.sh: the manifest lists what is no part" 'files["evil.sh"] = b"x"' rehash
	wrong "statement.txt: it is missing" 'del files["statement.txt"]' rehash
	wrong "environment.json: it is missing" 'del files["environment.json"]' rehash
	wrong "run.json: it is missing" 'del files["run.json"]' rehash
	wrong "run.ktap: it is missing" 'del files["run.ktap"]' rehash
	wrong "run.json: it is no whole JSON" 'files["run.json"] = files["run.json"][:500]' rehash
	noticed
}

@test "verify: hostile archives" {
	wrong "/etc/passwd: the name leads out of the bundle" "add('/etc/passwd', size=3)"
	wrong "dmabuf-cts-bundle/../x: the name leads out of the bundle" "add('dmabuf-cts-bundle/../x', size=3)"
	wrong "the name leads out of the bundle" "add('dmabuf-cts-bundle/kernel/../../x', size=3)"
	wrong "other/run.json: the file is not in the folder" "add('other/run.json', size=3)"
	wrong "it is a symbolic link" "add('dmabuf-cts-bundle/kernel/1.log', tarfile.SYMTYPE)"
	wrong "it is a hard link" "add('dmabuf-cts-bundle/kernel/1.log', tarfile.LNKTYPE)"
	wrong "it is a device" "add('dmabuf-cts-bundle/kernel/1.log', tarfile.CHRTYPE)"
	wrong "it is a folder" "add('dmabuf-cts-bundle/kernel', tarfile.DIRTYPE)"
	wrong "it is a pipe" "add('dmabuf-cts-bundle/kernel/1.log', tarfile.FIFOTYPE)"
	wrong "an extension of the format" "add('dmabuf-cts-bundle/kernel/1.log', b'x')"
	wrong "run.json: it is there twice" "add('dmabuf-cts-bundle/run.json', size=3)"
	wrong "the name leads out of the bundle, or is none" "add('dmabuf-cts-bundle/kernel/a\\nb', size=3)"
	noticed
	# A header that announces what no machine has.
	pack 0
	inside python3 -c 'import tarfile
m = tarfile.TarInfo("dmabuf-cts-bundle/kernel/1.log"); m.size = 7 << 30
open("huge", "wb").write(m.tobuf(tarfile.USTAR_FORMAT) + b"x" * 4096)'
	mv huge bundle
	verifies 125
	says "with it the bundle is too large"
}

@test "verify: a bundle that was written or sent by half, at whatever byte" {
	local size

	pack 0
	cp bundle whole
	size=$(stat -c %s whole)
	# shellcheck disable=SC2016
	inside bash -c '
		schema=$1 programs=$2
		shift 2
		for at; do
			head -c "$at" whole | "$programs/cts-bundle" verify --profiles profiles --plans plans \
				--schema "$schema" > shown 2>&1 && status=0 || status=$?
			[ "$status" -eq 1 ] || [ "$status" -eq 125 ] || { echo "$at: $status"; exit 1; }
			grep -q "by half\|no bundle\|half of one" shown || { echo "$at:"; cat shown; exit 1; }
			# What did not come is not named file by file.
			[ "$(wc -l < shown)" -eq 1 ] || { echo "$at: more than a line:"; cat shown; exit 1; }
		done' bash "$TOP/runners/report/schema/run.schema.json" "$PROGRAMS" \
		1 511 512 700 1024 4096 $((size / 2)) $((size - 5000)) $((size - 1024)) $((size - 512))
	: > bundle
	verifies 125
	says "this is no bundle: it is empty"
	{ cat whole; echo more; head -c 1000 /dev/zero; } > bundle
	verifies 1
	says "something follows the end"
	inside python3 -c 'data = bytearray(open("whole", "rb").read())
size = int(data[124:135], 8)
data[512 + size] = 1
open("bundle", "wb").write(data)'
	verifies 1
	says "something is hidden behind it"
	head -c 3000 /dev/urandom > bundle
	verifies 125
	says "it is not an archive of tar"
}

@test "verify: what this suite cannot judge is told, and is no verdict" {
	wrong "this bundle has format 2, this suite knows 1" 'change("manifest.json", lambda m: m.update(bundle=2))'
	wrong "the bundle is of suite 9.9" 'change("manifest.json", lambda m: m.update(suite="9.9"))'
	wrong "of clause table 4, this suite has 3" 'change("manifest.json", lambda m: m.update(clause_table=4))'
	wrong "it lists no files" 'change("manifest.json", lambda m: m.pop("files"))'
	wrong "it is no bundle, or half of one" 'del files["manifest.json"]'
	noticed 125
}

# wrong_run TEXT EXPRESSION: a run.json changed so, with new hashes.
wrong_run() {
	wrong "$1" "
def edit(run):
    leaf = run['leaves'][4]
    driver = next(l for l in run['leaves'] if l['subject'] and l['subject']['driver'] == 'udmabuf')
    $2
change('run.json', edit)" rehash
}

@test "verify: a run.json that contradicts itself or others" {
	wrong_run "run.json: leaves/4/verdict is 'good', which is none of the words" "leaf['verdict'] = 'good'"
	wrong_run "run.json: it lacks the member 'law'" "del run['law']"
	wrong_run "run.json: leaves/4/job is of the wrong type" "leaf['job'] = 'one'"
	wrong_run "verdicts 'fail', its totals say" "
    for bad in run['leaves']:
        if bad['verdict'] == 'fail': bad['verdict'] = 'pass'"
	wrong_run "run.tap: result" "
    for bad in run['leaves']:
        if bad['verdict'] == 'fail': bad['verdict'] = 'pass'; run['totals']['fail'] -= 1; run['totals']['pass'] += 1"
	wrong_run "run.ktap: result" "
    for bad in run['leaves']:
        if bad['verdict'] == 'fail': bad['verdict'] = 'pass'; run['totals']['fail'] -= 1; run['totals']['pass'] += 1"
	wrong_run "it is there twice" "run['leaves'].append(leaf)"
	wrong_run "remains to be run" "run['complete'] = False"
	wrong_run "was cut short: no power" "run['cut_short'] = 'no power'"
	wrong_run "a fault was switched on" "leaf['fault'] = 'exporter:x'"
	wrong_run "there is no such job" "leaf['job'] = 77"
	wrong_run "its job is another one" "leaf['program'] = 'other'"
	wrong_run "it judges amdgpu software, the exporter is udmabuf" "driver['subject']['driver'] = 'amdgpu'"
	wrong_run "it judges udmabuf hardware" "driver['evidence'] = 'hardware'"
	wrong_run "environment.json: its kernel is not that of run.json" "run['kernel']['release'] = '9.9'"
	wrong_run "environment.json: its backends is not" "run['backends'][1]['version'] = '2'"
	wrong "environment.json: it does not describe the environment" 'change("environment.json", lambda e: e.pop("environment"))' rehash
	wrong "run.tap: it has" 'files["run.tap"] = b"TAP version 13\\n"' rehash
	noticed
}

# left_out TEXT EXPRESSION: verdicts taken out of all files, as who hides a failure would.
left_out() {
	wrong "$1" "
def edit(run):
    gone = lambda leaf: $2
    run['leaves'] = [leaf for leaf in run['leaves'] if not gone(leaf)]
    run['jobs'] = [job for job in run['jobs'] if any(leaf['job'] == job['job'] for leaf in run['leaves'])]
change('run.json', edit)" rehash
}

@test "verify: tests that were left out" {
	left_out "udmabuf,drm:vgem pin.holds: the test was left out, and no reason given" \
		"leaf['exporter'] == 'udmabuf' and leaf['case'] == 'holds'"
	left_out "udmabuf,drm:vgem pin.holds: no verdict on PIN-01, which it is for" \
		"leaf['exporter'] == 'udmabuf' and leaf['clause'] == 'PIN-01'"
	left_out "udmabuf,drm:vgem pin: the program was not run; it has 2 tests for this pair" \
		"leaf['exporter'] == 'udmabuf' and leaf['program'] == 'pin'"
	wrong "udmabuf,drm:vgem attach.moves: the test was left out" \
		"change('run.json', lambda run: run.update(inapplicable=[i for i in run['inapplicable'] if i['exporter'] != 'udmabuf']))" rehash
	wrong "does not say what was to be run" "change('run.json', lambda run: run.pop('jobs'))" rehash
	noticed
}

@test "verify: what another pair judges alike need not be there where the run was thinned out" {
	sed -i 's/"each_pair": true/"each_pair": false/' plans
	pack 0
	verifies 0
	# Of the second pair only what the first could not tell; the first says what was chosen.
	wrong "peer:dynamic,peer:notify attach.counts: the test was left out" "
def edit(run):
    run['leaves'] = [leaf for leaf in run['leaves'] if not (leaf['exporter'] == 'peer:dynamic' and leaf['case'] == 'counts')]
    run['jobs'][0]['cases'] = ['attaches', 'limits', 'moves']
change('run.json', edit)" rehash
	noticed
}

# drivers CASE: whom its verdicts are on.
drivers() {
	inside python3 -c 'import json, sys
print(*[(leaf["subject"] or {"driver": "null"})["driver"]
        for leaf in json.load(open("out/run.json"))["leaves"] if leaf["case"] == sys.argv[1]])' "$1"
}

# streamed EXPRESSION...: the run in out/ is made anew of a stream that sed changed.
streamed() {
	sed -E "$@" "$STREAMS/normal.jsonl" > changed
	rm -r out
	reports 1 --output out < changed
}

@test "verify: the monitor judges whom it sees, by the kernel's names for them" {
	local verdict clause role driver subject

	{
		echo '{"type":"plan","program":"attach","cases":[{"case":"monitored","clauses":["MAP-01","PIN-01"]}],"job":1}'
		echo '{"type":"case","case":"monitored","state":"start","time_ns":4600,"job":1}'
		for verdict in "MAP-01 exporter system" "PIN-01 importer dma-buf"; do
			read -r clause role driver <<< "$verdict"
			subject='{"role":"'$role'","name":"x","driver":"'$driver'","version":"1","ours":false}'
			echo '{"type":"verdict","case":"monitored","clause":"'"$clause"'","verdict":"pass","strength":"MUST",' \
				'"law":[],"subject":'"$subject"',"value":"","reason":"","job":1}'
		done
		echo '{"type":"case","case":"monitored","state":"end","time_ns":4700,"job":1}'
		echo '{"type":"output","job":1,"text":"ok 999 attach.monitored"}'
	} > monitored
	streamed '/"job":1,"text":"ok 3 /r monitored'
	[ "$(drivers monitored)" = "system dma-buf" ]
	pack 0
	verifies 0
}

@test "verify: tests of other suites are none of this one's, and run on no pair" {
	local job='{"job":5,"exporter":"igt","importer":"igt","program":"prime_one","fault":null,"origin":"igt"'

	# shellcheck disable=SC2016
	streamed -e '/"schedule"/s/\]\}$/,'"$job}]}/" -e "\$i $job"',"type":"job","state":"start"}' \
		-e '$i {"type":"plan","program":"prime_one","cases":[{"case":"good","clauses":["TEST"]}],"job":5}' \
		-e '$i {"type":"case","case":"good","state":"start","time_ns":1,"job":5}' \
		-e '$i {"type":"verdict","case":"good","clause":"TEST","verdict":"pass","strength":"","law":[],"subject":null,"value":"","reason":"","job":5}' \
		-e '$i {"type":"case","case":"good","state":"end","time_ns":2,"job":5}' \
		-e '$i {"type":"output","job":5,"text":"TAP version 13"}' \
		-e '$i {"type":"output","job":5,"text":"1..1"}' \
		-e '$i {"type":"output","job":5,"text":"ok 1 igt.good"}' \
		-e '$i {"type":"job","job":5,"state":"end","exit":0}'
	[ "$(drivers good)" = null ]
	pack 0
	verifies 0
}

@test "profiles: each MUST of a claimed one was judged, as far as it is asked" {
	sed -i 's/^Profiles: none/Profiles: udmabuf exporter-static, vgem importer-static/' statement
	pack 0
	verifies 0
	verifies 1 --profile "udmabuf exporter-dynamic"
	says "udmabuf exporter-dynamic: the driver does not declare 'moves'"
	says "udmabuf exporter-dynamic: UAPI-08.b is a MUST of it, and was not run"
	says "udmabuf exporter-dynamic: MAP-05 is a MUST of it, and was not run"
	[ "$(wc -l < shown)" -eq 3 ]
	verifies 1 --profile "exporter-dynamic, udmabuf importer-static, exporter-splendid"
	says "the run has no such importer"
	says "there is no profile 'exporter-splendid'"
	verifies 0 --profile none
	sed -i 's/"if": \["mmaps"\]/"if": []/' profiles
	verifies 1
	says "MAP-01 is a MUST of it, and was not run"
	sed -i 's/"feature": "notify_optional", "value": "yes"/"feature": "notify_optional", "value": "no"/' profiles
	verifies 1
	says "MAP-02 is a MUST of it, and was not run"
	run ! grep -q "MAP-03\|MAP-04" shown
}

# Each kind of thing in each file of a run, in forms that kernels and programs have for it.
plant() {
	local text="serial number: ZX81-0042, SN 77-ABC-1234, 00:02:c9:0e:0b:72 and 0002:c903:000e:0b72 at 0000:b3:00.1,\
 GUID 0x0002c903000e0b73, fe80::202:c9ff:fe0e:b72, 10.20.30.40, 3f2504e0-4f89-11d3-9a0c-0305e82c3301,\
 proto-lab-7.vendor.example, jdoe@vendor.example in /home/jdoe/src, Hostname set to <proto-lab-7>, secretproject, mlx9_7 [beef:cafe]"

	inside python3 -c '
import json, sys
text = sys.argv[1]
run = json.load(open("out/run.json"))
for leaf in run["leaves"]:
    if leaf["verdict"] in ("fail", "skip", "warn"):
        leaf["reason"] = text
for backend in run["backends"]:
    backend["note"] = text
run["notes"].append(text)
json.dump(run, open("out/run.json", "w"))
environment = json.load(open("out/environment.json"))
environment["backends"] = run["backends"]
environment["environment"]["devices"] = [{"class": "infiniband", "name": "mlx9_7", "device": "0000:b3:00.1", "id": "beef:cafe",
    "serial": 4711471147, "node_guid": "0002:c903:000e:0b72", "hostname": "other-host", text: "key"}]
json.dump(environment, open("out/environment.json", "w"))' "$text"
	printf '%s\n' "$text" >> out/kernel/1-counts.log
	printf 'line\0%s\n%s' "$text" "$text" >> out/programs/3.log
	echo "$text" > out/console.log
	echo "$text" > out/nic-2.log
	echo "# $text" >> out/run.ktap
	echo "# $text" >> out/run.tap
	echo "{\"type\":\"note\",\"text\":\"$text\"}" >> out/stream.jsonl
	printf '%s\n' "host proto-lab-7.vendor.example" "host proto-lab-7" "host vendor.example" "user jdoe" \
		"hidden secretproject" "user pin" > words
}

SECRETS=(ZX81-0042 77-ABC-1234 00:02:c9:0e:0b:72 0002:c903:000e:0b72 0000:b3:00.1 0002c903000e0b73 fe80::202 c9ff:fe0e
	10.20.30.40 3f2504e0-4f89 proto-lab-7 vendor.example jdoe secretproject mlx9_7 beef:cafe 4711471147 other-host)

@test "private: no secret survives in any file, and the bundle verifies" {
	plant
	pack 0
	for secret in "${SECRETS[@]}"; do
		grep -aq "$secret" bundle || { echo "not planted: $secret"; return 1; }
	done
	grep -v example.org statement > plain
	echo "Contact: somebody" >> plain
	mv plain statement
	pack 0 --private --words words
	says "'pin' is a word of the suite as well, and is not hidden"
	for secret in "${SECRETS[@]}"; do
		run ! grep -aiq -- "$secret" bundle
	done
	verifies 0
	tar xf bundle
	[ ! -e dmabuf-cts-bundle/stream.jsonl ]
	grep -q '"private": true' dmabuf-cts-bundle/manifest.json
	grep -aq 'pin.holds' dmabuf-cts-bundle/run.tap
	# The same thing is the same word everywhere.
	token=$(grep -ao 'mac-[0-9]*' dmabuf-cts-bundle/console.log | head -n 1)
	for file in run.json environment.json run.ktap run.tap nic-2.log programs/3.log kernel/1-counts.log; do
		grep -aq "$token" "dmabuf-cts-bundle/$file" || { echo "$file"; return 1; }
	done
	cp bundle first
	pack 0 --private --words words
	cmp first bundle
}

@test "private: words may be long; where one is missing, no bundle is made that shows the next" {
	local long

	long=$(printf 'quux%.0s' {1..100})
	echo "$long and secretproject" >> out/programs/3.log
	printf '%s\n' "hidden $long" "hidden secretproject" > words
	pack 0 --private --words words
	run ! grep -aq "secretproject\|quux" bundle
	for line in "hidden " "hidden" "" " secretproject"; do
		printf '%s\n' "$line" "hidden secretproject" > words
		pack 125 --private --words words
		says "words: '$line' has no word to hide"
	done
}

@test "private: what names the machine or a project is hidden in longer words, too; words of the suite stay" {
	echo "falcon_ib FALCON2 myfalcon_x rack7lab1 xZX810042y; port eports 4711 47110" >> out/programs/3.log
	sed -i 's/"notes": \[/"notes": [\n"of falcon9",/' out/run.json
	printf '%s\n' "hidden falcon" "host rack7lab" "serial ZX810042" "host port" "hidden 4711" > words
	pack 0 --private --words words
	says "'port' is a part of a word of the suite in "
	run ! grep -aiq "falcon\|rack7lab\|zx810042" bundle
	verifies 0
	tar xf bundle
	tail -n 1 dmabuf-cts-bundle/programs/3.log > line
	grep -q '^hidden-\([0-9]*\)-_ib hidden-\1-2 my-hidden-\1-_x host-[0-9]*-1 x-serial-1-y; host-[0-9]* e-host-[0-9]*-s hidden-[0-9]* 47110$' line
	grep -q '"exporter"' dmabuf-cts-bundle/run.json
	# The driver udmabuf.
	echo "hidden mabuf" > words
	pack 125 --private --words words
	says "'mabuf' is a part of a word of the suite in environment.json, and cannot be hidden: no bundle is made"
}

@test "private: a run without secrets stays as it is" {
	pack 0 --private
	tar xf bundle
	for file in run.tap run.ktap programs/1.log programs/2.log kernel/1-counts.log; do
		cmp "out/$file" "dmabuf-cts-bundle/$file"
	done
	inside python3 -c 'import json
for name in "run.json", "environment.json":
    assert json.load(open("out/" + name)) == json.load(open("dmabuf-cts-bundle/" + name)), name'
}

@test "private: the manual has the list of what is hidden" {
	cts_bundle hidden > list
	[ "$(wc -l < list)" -ge 20 ]
	sed -n '/^.Sh PRIVATE BUNDLES/,/^.Sh EXIT/p' "$TOP/runners/man/dmabuf-cts-bundle.1" | tr '\n' ' ' > manual
	grep -v 'in members of JSON files' list | cut -c 12- | while read -r line; do
		grep -qF "$line" manual || { echo "not in the manual: $line"; exit 1; }
	done
	for word in "serial numbers" "GUIDs and UUIDs" "hardware addresses" "host names" "user names"; do
		grep -qF "$word" manual
	done
}

# cts VERB ARG...: the front end, with the programs of the build.
cts() {
	"$TOP/dmabuf-cts" "$@" > shown 2> errors
}

@test "bundle: the first call writes a statement to fill in; what cannot be read or written is told" {
	exits 2 cts bundle
	exits 2 cts bundle out other
	for word in "" " " $'a\nb'; do
		exits 2 cts bundle --private --hide "$word" out
		says "option --hide wants a word"
	done
	exits 125 cts bundle nowhere
	says "there is no run nowhere"
	exits 1 cts bundle out
	says "fill in what stands blank in $PWD/out/statement.txt"
	grep -q '^Kernel: 7.3.4-test$' out/statement.txt
	exits 1 cts bundle out
	says "the field 'Consent' is blank"
	[ ! -e out.tar.gz ]
	exits 125 cts bundle --statement nowhere/s out
	says "no folder for the statement"
	exits 125 cts bundle --statement statement --output "$PWD" out
	says "is a folder; choose another --output"
	echo old > kept
	mv out/run.json gone
	exits 125 cts bundle --statement statement --output kept out
	[ "$(cat kept)" = old ]
	[ ! -e kept.new ]
}

@test "verify: what is none is told; a compressed bundle of another clause table is not judged" {
	exits 2 cts verify
	exits 125 cts verify nowhere
	says "cannot read the bundle nowhere"
	exits 125 cts verify out
	says "out is a folder"
	sed -i 's/"clause_table": 3/"clause_table": 999/' out/run.json out/environment.json
	pack 0
	gzip -9n bundle
	exits 125 cts verify bundle.gz
	says "of clause table 999"
	exits 125 cts matrix add --results "$PWD" bundle.gz
	says "is not taken"
	exits 125 cts verify out/run.json
	says "it is not an archive of tar"
}

@test "bundle: on a full disk what was there stays, and the file is named" {
	echo old > kept
	ln -s /dev/full kept.new
	exits 125 cts bundle --allow-blanks --statement statement --output kept out
	says "cannot write kept; choose another place: --output FILE"
	[ "$(cat kept)" = old ]
}

@test "bundle: a machine that has a long name is told by its first word, too" {
	local namespaces=(--uts --mount)

	[ "$(id -u)" -eq 0 ] || namespaces+=(--user --map-root-user)
	echo "zanzibar printed this, and zanzibar.vendor.example" >> out/programs/3.log
	# shellcheck disable=SC2016
	unshare "${namespaces[@]}" bash -c 'echo zanzibar.vendor.example > /proc/sys/kernel/hostname && exec "$@"' bash \
		"$TOP/dmabuf-cts" bundle --private --statement statement --output named.tar.gz out > shown 2> errors || true
	gunzip -c named.tar.gz > bundle
	grep -aq "host-[0-9]* printed this, and host-[0-9]*$" bundle
	run ! grep -aq zanzibar bundle
}

@test "bundle: a read-only folder can be bundled elsewhere" {
	local namespaces=(--mount)

	[ "$(id -u)" -eq 0 ] || namespaces+=(--user --map-root-user)
	# shellcheck disable=SC2016
	exits 125 unshare "${namespaces[@]}" bash -c 'mount --bind out out && mount -o remount,bind,ro out && exec "$@"' bash \
		"$TOP/dmabuf-cts" bundle "$PWD/out" > shown 2> errors
	says "cannot write the statement $PWD/out/statement.txt; choose another place: --statement FILE"
	[ ! -e out/statement.txt ]
}
