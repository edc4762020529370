# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A private apt: reaches the suites the project needs through the mirror this machine
# already uses, without root and without a trace in the machine's own configuration.
# To be sourced after common.sh.

APT_HOME=$CTS_CACHE/apt
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
# Suites that carry kernels, or the build root; bookworm is where 6.1 lives.
APT_SUITES=(bookworm bookworm-updates bookworm-backports trixie trixie-updates trixie-backports)
APT_SECURITY_SUITES=(bookworm-security trixie-security)
# Package lists older than this are fetched again.
APT_LISTS_MINUTES=1440

# apt_mirror LABEL: address of the archive with that label in the machine's configuration.
apt_mirror() {
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Label: $1" 2> /dev/null |
		sed -n 1p
}

# apt_sources: the lines for sources.list, the one place where an archive is chosen.
apt_sources() {
	local archive security suite

	archive=$(apt_mirror Debian)
	security=$(apt_mirror Debian-Security)
	[ -n "$archive" ] ||
		die "no Debian archive in this machine's apt configuration (or its lists were never" \
			"fetched): add a source with 'main' of a Debian release, then run apt-get update"
	for suite in "${APT_SUITES[@]}"; do
		echo "deb [signed-by=$KEYRING] $archive $suite main"
	done
	[ -n "$security" ] || return 0
	for suite in "${APT_SECURITY_SUITES[@]}"; do
		echo "deb [signed-by=$KEYRING] $security $suite main"
	done
}

# apt_source_apart SUITE: the line for a suite whose package lists are wanted in one build root only.
# What is not released yet may be mirrored late, so that its lists are taken after their time as well.
apt_source_apart() {
	echo "deb [signed-by=$KEYRING check-valid-until=no] $(apt_mirror Debian) $1 main"
}

# private_apt TOOL ARG...: apt-TOOL on the private lists.
private_apt() {
	local tool=$1

	shift
	"apt-$tool" -o Dir::Etc::SourceList="$APT_HOME/sources.list" -o Dir::Etc::SourceParts=/dev/null \
		-o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
		-o Dir::State="$APT_HOME/state" -o Dir::State::Status="$APT_HOME/status" \
		-o Dir::Cache="$APT_HOME/cache" -o Acquire::Languages=none \
		-o Acquire::Retries=2 -o APT::Sandbox::User= -o APT::Architecture=amd64 "$@"
}

# apt_lists_are_fresh: whether the lists can be used as they are.
apt_lists_are_fresh() {
	[ -e "$APT_HOME/fetched" ] &&
		[ -z "$(find "$APT_HOME/fetched" -mmin +"$APT_LISTS_MINUTES")" ]
}

# apt_refresh: have package lists that are not old. Who comes second finds those of the first.
apt_refresh() {
	apt_lists_are_fresh && return
	(
		take_lock "$CTS_CACHE/apt.lock" "the package lists"
		apt_lists_are_fresh || apt_fetch_lists
	) || exit
}

# apt_fetch_lists: old lists are better than none.
apt_fetch_lists() {
	local log=$APT_HOME/update.log

	need_command apt-get apt
	[ -r "$KEYRING" ] ||
		die "missing $KEYRING, which proves where packages come from; install debian-archive-keyring"
	mkdir -p "$APT_HOME"/state/lists/partial "$APT_HOME"/cache/archives/partial
	: > "$APT_HOME/status"
	apt_sources > "$APT_HOME/sources.new"
	mv "$APT_HOME/sources.new" "$APT_HOME/sources.list"
	say "fetching package lists"
	if private_apt get -o APT::Update::Error-Mode=any update > "$log" 2>&1; then
		touch "$APT_HOME/fetched"
	elif [ -e "$APT_HOME/fetched" ]; then
		say "cannot refresh the package lists ($(apt_reason "$log")); going on with those of" \
			"$(date -r "$APT_HOME/fetched" +%F)"
	else
		die "cannot fetch the package lists: $(apt_reason "$log");" \
			"check the network and the mirror in this machine's apt configuration (log: $log)"
	fi
}

# apt_reason LOG: the line of an apt log that names the cause.
apt_reason() {
	local why

	why=$(grep -m 1 -E 'No space left|Could not|Cannot initiate|Connection|Temporary failure|NO_PUBKEY|not signed|404' \
		"$1") || why=$(grep -m 1 -E '^(E|W|Err):?' "$1") || why="no reason given"
	sed -E 's/^[EW]: *//; s/^ +//; s/^(.{160}).*/\1.../' <<< "$why"
}

# apt_fetch DIR PACKAGE...: download the packages into DIR; others may do the same with other ones.
apt_fetch() {
	local dir=$1 log=$APT_HOME/download-$2.log

	shift
	mkdir -p "$dir"
	(cd "$dir" && private_apt get download "$@") > "$log" 2>&1 ||
		die "cannot download $*: $(apt_reason "$log"); check the network, or remove" \
			"$APT_HOME/fetched so that the package lists are fetched again (log: $log)"
}
