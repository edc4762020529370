# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of cts-agent and cts-report share. CTS_PROGRAMS is the folder of the programs
# under test, by default that of the runners; they run inside the build root that they were built in.

TOP=$(cd "$BATS_TEST_DIRNAME/../../.." && pwd)
PROGRAMS=${CTS_PROGRAMS:-$("$TOP/runners/build.sh" --folder)/bin}
STREAMS=$TOP/tests/meta/streams
GOLDEN=$TOP/tests/meta/golden

inside() {
	"$TOP/runners/enter.sh" --bind "$BATS_TEST_TMPDIR" -- "$@"
}

report() {
	inside "$PROGRAMS/cts-report" "$@"
}

# golden NAME FILE: FILE is what is kept as NAME. CTS_GOLDEN=update keeps what is there now.
golden() {
	[ "${CTS_GOLDEN:-}" != update ] || cp "$2" "$GOLDEN/$1"
	diff -u "$GOLDEN/$1" "$2"
}

# exits STATUS COMMAND...: with that status and no other.
exits() {
	local wanted=$1 status=0

	shift
	"$@" || status=$?
	[ "$status" -eq "$wanted" ] || { echo "exit status $status, wanted $wanted: $*"; return 1; }
}

# stream NAME STATUS OPTION...: the report of a recorded stream, what it shows, and its status.
stream() {
	local name=$1 wanted=$2

	shift 2
	reports "$wanted" --output out "$@" < "$STREAMS/$name.jsonl"
}

# reports STATUS OPTION...: a report of standard input.
reports() {
	local wanted=$1

	shift
	exits "$wanted" report "$@" > shown 2> errors || { cat shown errors; return 1; }
}

# says WORD...: the words are somewhere in what was shown.
says() {
	grep -qF -- "$*" shown errors || { echo "not shown: $*"; cat shown errors; return 1; }
}

# total NAME: of run.json.
total() {
	inside python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["totals"][sys.argv[2]])' \
		out/run.json "$1"
}

# with_two_partners: the recorded run as one of a driver with two of our importers, of which one would
# do: what is judged with the one (jobs 1 and 2) is judged with the other, too (jobs 3 and 4).
with_two_partners() {
	sed -e 's/"selector":"drm:vgem"/"selector":"peer:static"/; s/"importer":"drm:vgem"/"importer":"peer:static"/' \
		-e 's/"exporter":"peer:dynamic"/"exporter":"udmabuf"/; s/"ours":true},/"ours":false},/' \
		-e '/"type":"backend","role":"importer"/s/"ours":false/"ours":true/' "$STREAMS/normal.jsonl" > "$1"
	# The schedule has all of them in one line.
	sed -i '/"schedule"/{s/"drm:vgem"/"peer:static"/g; s/"peer:dynamic"/"udmabuf"/g}' "$1"
}

# without_job NUMBER FILE: that job was not scheduled.
without_job() {
	sed -i -e "/\"schedule\"/!{/\"job\":$1[,}]/d}" -e "/\"schedule\"/s/{\"job\":$1,[^}]*},//" "$2"
}
