#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Makes the build root: a Debian tree with the compilers, libraries, QEMU and test tools
# that a recipe of setup/recipes lists, so that all else is the same on every machine. The tree is kept
# in the cache under a name made from the recipe; when it is there, nothing is done.
#
# Works as root, and without where unprivileged user namespaces and subordinate ids do.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/setup/apt.sh
. "$CTS_TOP/runners/setup/apt.sh"
# shellcheck source=runners/setup/root.sh
. "$CTS_TOP/runners/setup/root.sh"

USAGE="usage: setup.sh [--recipe NAME] [--print | --remove]
Makes the build root when it is not there yet.
  --recipe NAME  the root of that recipe of runners/setup/recipes (default: base)
  --print        print the path of the build root, make nothing
  --remove       remove everything that was made or fetched: build roots, kernels, images"

# MiB: the tree, and packages or an archive of it while it is being made.
readonly ROOT_SPACE=3000 SCRATCH_SPACE=1500
readonly SCRATCH=/var/tmp

recipe_file() {
	echo "$CTS_TOP/runners/setup/recipes/$CTS_RECIPE"
}

# recipe_values KEYWORD: the values of all lines with that keyword.
recipe_values() {
	awk -v key="$1" '$1 == key { print $2 }' "$(recipe_file)"
}

# recipe_packages: the package list in the form apt wants it.
recipe_packages() {
	awk '$1 == "package" { print $2 } $1 == "backport" { print $2 "/" $3 }' "$(recipe_file)" | paste -sd,
}

# recipe_sources: the source lines of the root; mirrors are those of the private apt.
recipe_sources() {
	local suite

	for suite in $(recipe_values suite) $(recipe_values also) $(recipe_values security); do
		grep " $suite main\$" "$APT_HOME/sources.list" || true
	done
	for suite in $(recipe_values apart); do
		apt_source_apart "$suite"
	done
}

# find_mmdebstrap: sets MMDEBSTRAP; takes the machine's, else unpacks the package in the cache.
find_mmdebstrap() {
	local dir=$CTS_CACHE/mmdebstrap

	MMDEBSTRAP=(mmdebstrap)
	command -v mmdebstrap > /dev/null && return
	need_command perl perl
	need_command dpkg-deb dpkg
	if [ ! -e "$dir/usr/bin/mmdebstrap" ]; then
		say "mmdebstrap is not installed; unpacking it in the cache"
		rm -rf "$dir.part"
		apt_fetch "$dir.part" mmdebstrap
		dpkg-deb -x "$dir.part"/mmdebstrap_*.deb "$dir.part"
		rm -rf "$dir"
		mv "$dir.part" "$dir"
	fi
	MMDEBSTRAP=(perl "$dir/usr/bin/mmdebstrap")
}

# need_user_namespaces: without root, ids other than our own must be mappable.
need_user_namespaces() {
	local user how

	[ "$(id -u)" -ne 0 ] || return 0
	user=$(id -un)
	how="or run as root"
	unshare --user --map-root-user true 2> /dev/null ||
		die "unprivileged user namespaces are off on this machine, so that a build root cannot be made" \
			"without root; allow them (sysctl kernel.unprivileged_userns_clone," \
			"user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns), $how"
	if ! command -v newuidmap > /dev/null; then
		die "missing command 'newuidmap', needed to make a build root without root;" \
			"it is in the Debian package 'uidmap': apt-get install uidmap, $how"
	fi
	[ "$(grep -lE "^($user|$(id -u)):" /etc/subuid /etc/subgid 2> /dev/null | wc -l)" -eq 2 ] ||
		die "user $user has no subordinate ids, needed to make a build root without root;" \
			"have them added: usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $user, $how"
}

# make_tree TARGET FORMAT: run mmdebstrap; its steps are shown, its whole output is kept in the log.
make_tree() {
	local mode=root sources

	[ "$(id -u)" -eq 0 ] || mode=unshare
	mapfile -t sources < <(recipe_sources)
	# Documents are left out; dpkg need not sync a tree that is thrown away when half made.
	# shellcheck disable=SC2016
	"${MMDEBSTRAP[@]}" --mode="$mode" --format="$2" --variant=essential --architectures=amd64 \
		--include="$(recipe_packages)" --setup-hook='mkdir -p "$1/etc/dpkg/dpkg.cfg.d" &&
			printf "path-exclude=/usr/share/%s/*\n" man doc info locale > "$1/etc/dpkg/dpkg.cfg.d/small" &&
			echo force-unsafe-io >> "$1/etc/dpkg/dpkg.cfg.d/small"' \
		"$(recipe_values suite; recipe_values apart)" "$1" "${sources[@]}" 2>&1 |
		tee "$LOG" | sed -un 's/^I: \(running apt-get update\|.*ing .*packages\|extracting\)/dmabuf-cts:   \1/p' >&2
}

# explain_failure: one line that says why no tree was made, from mmdebstrap's log.
explain_failure() {
	local missing

	missing=$(sed -nE "s/^E: (Unable to locate package ([^ ]+)|Package '?([^ ']+)'? has no installation candidate|Release '([^ ]+)' for '([^ ]+)' was not found).*/\2\3\5/p" \
		"$LOG" | head -n 1)
	if [ -n "$missing" ]; then
		die "cannot make the build root: package '$missing' is not in the archive any more;" \
			"update runners/setup/recipes/$CTS_RECIPE (log: $LOG)"
	fi
	die "cannot make the build root: $(apt_reason "$LOG"); check the network, the mirror and the" \
		"free space, then try again (log: $LOG)"
}

# make_root: build beside the final place, move it there when whole.
make_root() {
	local part=$ROOT.part

	say "making the build root '$CTS_RECIPE' (once; about a minute and 1 GiB): $ROOT"
	rm -rf "$CTS_CACHE"/root-*.part*
	if [ "$(id -u)" -eq 0 ]; then
		make_tree "$part" directory || explain_failure
	else
		# As an archive, since the tree would belong to subordinate ids; unpacked it is ours. They
		# cannot reach into a home folder, so that the tree is made in a place open to all.
		mkdir -p "$part"
		TMPDIR=$SCRATCH make_tree "$part.tar" tar || explain_failure
		tar -xf "$part.tar" -C "$part" --no-same-owner --exclude='./dev/*' ||
			die "cannot unpack the build root in $part; is the disk full?"
		rm -f "$part.tar"
	fi
	chmod 755 "$part"
	mv -T "$part" "$ROOT"
	say "build root ready"
}

# remove_cache: only what the runners made there, in case the folder holds something else.
remove_cache() {
	take_lock "$CTS_CACHE/setup.lock" "the build root"
	(cd "$CTS_CACHE" && rm -rf root-* apt apt.lock kernels kernels.lock mmdebstrap source-* trees images build kvm run setup.l*)
	rmdir "$CTS_CACHE" 2> /dev/null || say "left in place, as it is not empty: $CTS_CACHE"
}

main() {
	if [ "${1-}" = --recipe ]; then
		need_value "$1" $#
		choose_root "$2"
		shift 2
	fi
	case ${1-} in
	--print) echo "$CTS_ROOT"; exit ;;
	--remove) remove_cache; exit ;;
	--help) echo "$USAGE"; exit ;;
	'') ;;
	*) usage_error "unknown option $1" ;;
	esac
	ROOT=$CTS_ROOT
	[ ! -d "$ROOT" ] || exit 0
	[ "$(dpkg --print-architecture 2> /dev/null)" = amd64 ] ||
		die "the build root needs a Debian machine of architecture amd64"
	need_command unshare util-linux
	take_lock "$CTS_CACHE/setup.lock" "the build root"
	[ ! -d "$ROOT" ] || exit 0
	LOG=$CTS_CACHE/setup.log
	need_space "$CTS_CACHE" "$ROOT_SPACE" "the build root"
	[ "$(id -u)" -eq 0 ] || need_space "$SCRATCH" "$SCRATCH_SPACE" "making the build root"
	need_user_namespaces
	apt_refresh
	find_mmdebstrap
	set -o pipefail
	make_root
}

main "$@"
