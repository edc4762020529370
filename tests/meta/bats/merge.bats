#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
#
# Guests side by side: cts-merge, which makes one stream of theirs, and cts-report, for which a
# run must be the same however many guests it was made in.

# What runs inside the build root is quoted, so that it is expanded there.
# shellcheck disable=SC2016

bats_require_minimum_version 1.5.0
load stream

setup_file() {
	export BATS_TEST_TIMEOUT=60
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# merges STATUS FILE...: to the file "merged".
merges() {
	local wanted=$1

	shift
	exits "$wanted" inside "$PROGRAMS/cts-merge" "$@" > merged 2> errors || { cat merged errors; return 1; }
}

# share NAME COUNT: what each of COUNT guests says in the recorded run NAME, in share-1 and so on.
share() {
	inside python3 -c '
import json, sys
count = int(sys.argv[2])
files = [open(f"share-{k + 1}", "w") for k in range(count)]
for line in open(sys.argv[1], errors="surrogateescape"):
    try:
        record = json.loads(line)
    except ValueError:
        record = {}
    if record.get("type") in ("hello", "environment", "law", "backend", "schedule", "end", "note"):
        whose = files
    else:
        whose = [files[(record.get("job", 1) - 1) % count]]
    for file in whose:
        file.write(line)' "$STREAMS/$1.jsonl" "$2"
}

# twist FILE...: one line of each after the other, as guests of one speed would speak.
twist() {
	inside python3 -c '
import itertools, sys
files = [open(name, errors="surrogateescape").readlines() for name in sys.argv[1:]]
for lines in itertools.zip_longest(*files):
    for number, line in enumerate(lines, 1):
        if line:
            sys.stdout.write("{\"guest\":%d,%s" % (number, line[1:]))' "$@"
}

# same_run FOLDER: the results are those of the same run in one guest, in "out". Notes are put into
# the KTAP when they come.
same_run() {
	cmp <(grep -v '^# ' "$1/run.ktap") <(grep -v '^# ' out/run.ktap)
	cmp "$1/run.tap" out/run.tap
	cmp "$1/run.json" out/run.json
	cmp "$1/environment.json" out/environment.json
	diff -r "$1/programs" out/programs
	diff -r "$1/kernel" out/kernel
}

# leaves FOLDER: "JOB CASE CLAUSE VERDICT" of run.json.
leaves() {
	inside python3 -c '
import json, sys
for leaf in json.load(open(sys.argv[1]))["leaves"]:
    print(leaf["job"], leaf["case"], leaf["clause"], leaf["verdict"])' "$1/run.json"
}

guest_event() {
	printf '{"guest":%d,"type":"guest","event":"%s","reason":"%s"}\n' "$@"
}

@test "lines come out whole and at once, with the number of their guest" {
	mkfifo one two
	inside bash -c '
		"$1" one two > merged &
		exec 9> two 8> one
		printf "{\"type\":\"a" >&8
		printf "{\"type\":\"b\"}\n" >&9
		until grep -q b merged; do sleep 0.1; done
		exec 9>&-
		printf "\"}\n" >&8
		until grep -q a merged; do sleep 0.1; done
		exec 8>&-
		wait $!' _ "$PROGRAMS/cts-merge"
	diff merged - <<- 'END'
		{"guest":2,"type":"b"}
		{"guest":1,"type":"a"}
	END
}

@test "what is no record stays as it is, and a line that was cut off is ended" {
	printf 'junk\n\n{}\n[1]\n{ }\n{ "a":1}\n\201\377 x\n{"type":"out' > one
	: > two
	printf '{"b":2}\n' > three
	merges 0 one two three
	LC_ALL=C sed '/"b"/d' merged | cmp - <(printf 'junk\n\n{}\n[1]\n{ }\n{"guest":1, "a":1}\n\201\377 x\n{"guest":1,"type":"out\n')
	grep -x '{"guest":3,"b":2}' merged
}

@test "signals that end the guests end cts-merge when they have ended" {
	mkfifo one two
	inside bash -c '
		"$1" one two > merged & p=$!
		exec 8> one 9> two
		sleep 0.3
		kill -INT $p; kill -TERM $p; kill -HUP $p
		sleep 0.3
		echo last >&8
		exec 8>&-
		echo words >&9
		exec 9>&-
		wait $p' _ "$PROGRAMS/cts-merge"
	diff <(sort merged) <(printf 'last\nwords\n')
}

@test "a reader that leaves ends cts-merge, and so whoever writes to it" {
	mkfifo one two
	inside bash -c '
		set -o pipefail
		yes > one & yes > two & w=$!
		"$1" one two | head -n 5 > /dev/null
		s=$?
		wait $w; [ $? -eq 141 ] && exit $s' _ "$PROGRAMS/cts-merge" 2> errors || code=$?
	[ "$code" -eq 125 ]
	grep -q 'cannot write the stream: Broken pipe' errors
}

@test "nothing to merge, and what cannot be read" {
	merges 2
	merges 2 --nonsense
	merges 2 nowhere
	grep -q 'cannot read nowhere: No such file or directory' errors
	merges 0 --help
}

@test "a run in two or three guests is that in one" {
	local count

	stream normal 1
	for count in 2 3; do
		share normal "$count"
		# One that is late by a line or two.
		printf '{"type":"heartbeat"}\n%.0s' 1 2 | cat - "share-$count" > later
		mv later "share-$count"
		twist share-* > "twisted-$count"
		exits 1 report --output "out-$count" < "twisted-$count" > shown
		same_run "out-$count"
		cmp "out-$count/stream.jsonl" "twisted-$count"
	done
}

@test "so it is through cts-merge, with one guest behind the other" {
	stream normal 1
	share normal 3
	merges 0 share-2 share-3 share-1
	exits 1 report --output merged.out < merged > shown
	same_run merged.out
}

@test "a guest that dies takes down its own case alone, and leaves its own share" {
	stream normal 1
	share normal 2
	# The first one dies in its first case; the second one goes on to its end.
	head -n "$(grep -n -m 1 '"state":"start","time' share-1 | cut -d : -f 1)" share-1 > died
	{ twist died share-2 && guest_event 1 panic "the guest died" && guest_event 2 exit "status 0"; } > first
	reports 0 --output two --remaining rest < first
	grep -q '"guest":1' <(grep '"event":"panic"' two/stream.jsonl)
	[ "$(inside python3 -c 'import json; print([job["job"] for job in json.load(open("rest"))["jobs"]])')" = "[1, 3]" ]
	diff <(leaves two | grep -E '^(2|4) ') <(leaves out | grep -E '^(2|4) ')
	[ "$(leaves two | awk '$1 == 1 { print $4 }' | sort -u)" = crash ]
}

@test "a paused job is not given up when a fresh guest begins another" {
	three_jobs > beginning
	{
		twist beginning beginning
		says_job 1 1 died
		says_job 2 2
		guest_event 1 panic "the guest died"
		echo '{"guest":2,"type":"end"}'
	} > first
	reports 0 --output two --remaining rest < first
	grep -q '"job":1.*"job":3' rest
	# The guests come with other shares: job 1 is not that of the first one now.
	{ twist beginning beginning && says_job 1 3 && says_job 2 1 two && printf '{"guest":%d,"type":"end"}\n' 1 2; } > second
	reports 1 --output two --append --remaining rest < second
	[ ! -s rest ]
	diff <(leaves two) - <<- 'END'
		1 one PIN-01 crash
		1 two PIN-01 pass
		2 one PIN-01 pass
		2 two PIN-01 pass
		3 one PIN-01 pass
		3 two PIN-01 pass
	END
}

# three_jobs: the beginning of a stream with three jobs.
three_jobs() {
	sed -n '1,/"backend"/p' "$STREAMS/normal.jsonl"
	inside python3 -c '
import json
print(json.dumps({"type": "schedule", "jobs": [{"job": n, "exporter": f"e:{n}", "importer": "i",
    "program": "pin", "fault": None} for n in (1, 2, 3)]}))'
}

# says_job GUEST JOB [died|CASE]: its two cases, or the one; it may die in the first.
says_job() {
	local case

	printf '{"guest":%d,"job":%d,%s}\n' "$1" "$2" '"type":"job","state":"start"'
	printf '{"guest":%d,"job":%d,%s}\n' "$1" "$2" \
		'"type":"plan","program":"pin","cases":[{"case":"one","clauses":["PIN-01"]},{"case":"two","clauses":["PIN-01"]}]'
	for case in one two; do
		[ "${3:-died}" != two ] || [ "$case" = two ] || continue
		printf '{"guest":%d,"job":%d,"case":"%s",%s}\n' "$1" "$2" "$case" '"type":"case","state":"start","time_ns":1'
		[ "${3-}" != died ] || return 0
		printf '{"guest":%d,"job":%d,"case":"%s",%s}\n' "$1" "$2" "$case" \
			'"type":"verdict","clause":"PIN-01","verdict":"pass","subject":{}'
		printf '{"guest":%d,"job":%d,"case":"%s",%s}\n' "$1" "$2" "$case" '"type":"case","state":"end","time_ns":2'
		printf '{"guest":%d,"job":%d,"type":"output","text":"ok 1 pair.%s"}\n' "$1" "$2" "$case"
	done
	printf '{"guest":%d,"job":%d,%s}\n' "$1" "$2" '"type":"job","state":"end","exit":0'
}

@test "a stream that ends is the end of all that were speaking" {
	three_jobs > beginning
	{ twist beginning beginning && says_job 1 1 died && says_job 2 2 died; } > first
	reports 1 --output two < first
	diff <(leaves two | grep -v ' two ') - <<- 'END'
		1 one PIN-01 crash
		2 one PIN-01 crash
		3 (run) RUN error
	END
}

@test "what the user interrupted stays interrupted, whatever else ends" {
	three_jobs > beginning
	{
		twist beginning beginning
		says_job 1 1 died
		says_job 2 2
		guest_event 1 interrupted "the guest was ended"
		guest_event 2 panic "the guest died"
	} > first
	reports 125 --output two --remaining rest < first
	grep -q '"job":1,.*"exclude":\[\]' rest
	run ! grep -q '"job":2' rest
}

@test "one guest is interrupted, and the others come to their end" {
	three_jobs > beginning
	{
		twist beginning beginning
		says_job 1 1 died
		guest_event 1 interrupted "the guest was ended"
		says_job 2 2
		echo '{"guest":2,"type":"end"}'
		guest_event 2 exit "status 0"
	} > first
	reports 125 --output two --remaining rest < first
}

@test "a guest with another schedule is not listened to, and its share is left" {
	three_jobs > beginning
	sed 's/e:2/e:9/' beginning > other
	{
		twist beginning other
		says_job 1 1
		says_job 2 2
		says_job 1 3
		printf '{"guest":%d,"type":"end"}\n' 1 2
	} > first
	reports 0 --output two --remaining rest < first
	[ "$(grep -o '"job":[0-9]*' rest)" = '"job":2' ]
	reports 1 --output two --append < /dev/null
	says "job 2 is scheduled as two different ones"
}
