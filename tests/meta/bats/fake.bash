# SPDX-License-Identifier: GPL-2.0-only
#
# A conformance program for the tests of the agent: writes records and KTAP as a true one does.

NUMBER=0

record() {
	printf '%s\n' "$1" >&"$DMABUF_CTS_RECORD_FD"
}

# plan CASE...
plan() {
	local list

	list=$(printf '{"case":"%s","clauses":["PIN-01"]},' "$@")
	record '{"type":"plan","program":"fake","cases":['"${list%,}"'],"inapplicable":[]}'
}

# wanted CASE: the arguments do not exclude it.
wanted() {
	[[ " $ARGUMENTS " != *" -T $1 "* ]]
}

begin() {
	record '{"type":"case","case":"'"$1"'","state":"start","time_ns":1}'
}

# finish CASE [VERDICT]
finish() {
	record '{"type":"verdict","case":"'"$1"'","clause":"PIN-01","verdict":"'"${2:-pass}"'","strength":"MUST"}'
	record '{"type":"case","case":"'"$1"'","state":"end","time_ns":2}'
	echo "ok $((++NUMBER)) pair.$1"
}

# good CASE...: those of them that are wanted pass.
good() {
	local case

	for case; do
		! wanted "$case" || { begin "$case" && finish "$case"; }
	done
}

# What its one case needs, if a file says so: the answer to "--plan", which touches nothing.
if [ "${1-}" = --plan ] && [ -e "$0.needs" ]; then
	printf '{"type":"plan","program":"fake","cases":[{"case":"one","clauses":["PIN-01"],"needs":[%s]}]}\n' \
		"$(< "$0.needs")"
	exit 0
fi

ARGUMENTS="$*"
