# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the tests and the clause table say of themselves, for programs of the runners, which do not
# have them. To be sourced after programs.sh; find_programs comes first.

CONTRACT=''

# make_contract: sets CONTRACT, a folder with the files clauses, profiles and plans. Whoever calls this
# has remove_contract called at the end.
make_contract() {
	mkdir -p "$CTS_CACHE/run" || die "cannot make the folder $CTS_CACHE/run; choose another: DMABUF_CTS_CACHE=DIR"
	CONTRACT=$(mktemp -d "$CTS_CACHE/run/contract.XXXXXX")
	explain --json > "$CONTRACT/clauses"
	explain --profiles --json > "$CONTRACT/profiles"
	"${PREFIX[@]}" "$PROGRAMS/cts-agent" --plans > "$CONTRACT/plans" ||
		die "cannot ask the test programs in $PROGRAMS which tests they have"
}

remove_contract() {
	[ -z "$CONTRACT" ] || rm -rf "$CONTRACT"
}

# explain OPTION...
explain() {
	"${PREFIX[@]}" "$PROGRAMS/cts-explain" --tests "$PROGRAMS" "$@" ||
		die "cannot read the clause table with $PROGRAMS/cts-explain"
}

# is_bundle FILE: it is compressed, or an archive; a run.json is neither.
is_bundle() {
	[ -f "$1" ] || return 1
	[ "$(head -c 2 "$1" | od -An -tx1)" = " 1f 8b" ] || [ "$(head -c 262 "$1" | tail -c 5)" = ustar ]
}

# unpacked FILE: the archive that is in it.
unpacked() {
	if [ "$(head -c 2 "$1" | od -An -tx1)" = " 1f 8b" ]; then
		gzip -dc "$1" 2> "$CONTRACT/gzip"
	else
		cat "$1"
	fi
}

# verify_bundle FILE OPTION...: says what is wrong with it.
verify_bundle() {
	local file=$1 statuses

	shift
	set +e
	unpacked "$file" | "${PREFIX[@]}" "$PROGRAMS/cts-bundle" verify --profiles "$CONTRACT/profiles" \
		--plans "$CONTRACT/plans" --schema "$CTS_TOP/runners/report/schema/run.schema.json" "$@"
	statuses=("${PIPESTATUS[@]}")
	set -e
	if [ "${statuses[1]}" -eq 0 ] && [ "${statuses[0]}" -ne 0 ]; then
		echo "the compressed file is damaged: $(tail -n 1 "$CONTRACT/gzip")"
		return 1
	fi
	return "${statuses[1]}"
}
