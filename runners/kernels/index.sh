# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Which kernels the distribution's archive carries, found from its package lists.
# To be sourced by kernels.sh.
#
# The index has one line a version, oldest first: VERSION SERIES PARTS, where PARTS is
# "image" (bootable with modules), "image+headers" (peers can be built as well), or
# "nothing" (only a remnant, of no use).

KERNEL_INDEX=$APT_HOME/kernels
readonly VERSION_PATTERN='[0-9]+\.[0-9]+[^ ]*-amd64'

# index_refresh: make the index anew when the package lists were fetched since.
index_refresh() {
	apt_refresh
	[ "$KERNEL_INDEX" -nt "$APT_HOME/fetched" ] && return
	(
		take_lock "$CTS_CACHE/kernels.lock" "the list of kernels"
		[ "$KERNEL_INDEX" -nt "$APT_HOME/fetched" ] || index_write
	) || exit
}

index_write() {
	index_make > "$KERNEL_INDEX.new"
	[ -s "$KERNEL_INDEX.new" ] ||
		die "the archive has no kernel packages; is the mirror in this machine's apt configuration complete?"
	mv "$KERNEL_INDEX.new" "$KERNEL_INDEX"
}

# index_make: sort out all kernel packages. From 6.19 on the image package is empty and the
# kernel comes as linux-binary, linux-base and linux-modules.
index_make() {
	private_apt cache pkgnames linux- |
		grep -E "^linux-(image|headers|binary|modules)-$VERSION_PATTERN\$" |
		grep -v -E -- '-(rt|cloud)-amd64$' |
		sed -E 's/^linux-([a-z]+)-(.*)$/\2 \1/' |
		awk '
		{ has[$1, $2] = 1; versions[$1] = 1 }
		END {
			for (v in versions) {
				if (!has[v, "image"])
					continue
				whole = !has[v, "binary"] || has[v, "modules"]
				parts = !whole ? "nothing" : has[v, "headers"] ? "image+headers" : "image"
				split(v, n, /[.+-]/)
				print v, n[1] "." n[2], parts
			}
		}' | sort -V
}

# index_series: one line a series, for people.
index_series() {
	awk '
	$3 == "nothing" { if (!($2 in best)) note[$2] = "not usable: the archive has no modules for it" }
	$3 == "image" && !full[$2] { best[$2] = $1; note[$2] = "without headers: no peer modules" }
	$3 == "image+headers" { best[$2] = $1; note[$2] = "with headers"; full[$2] = 1 }
	{ if (!($2 in seen)) { seen[$2] = 1; order[++n] = $2 } }
	END { for (i = 1; i <= n; i++) printf "%-6s %-24s %s\n", order[i], best[order[i]], note[order[i]] }' \
		"$KERNEL_INDEX"
}

# index_newest_of SERIES: its newest version, one with headers if there is any; fails when none.
index_newest_of() {
	awk -v series="$1" '
	$2 == series && $3 == "image+headers" { full = $1 }
	$2 == series && $3 == "image" { bare = $1 }
	END { v = full ? full : bare; if (v == "") exit 1; print v }' "$KERNEL_INDEX"
}

# index_newest: newest version that has everything.
index_newest() {
	awk '$3 == "image+headers" { v = $1 } END { if (v == "") exit 1; print v }' "$KERNEL_INDEX"
}

# index_parts VERSION: what the archive carries of it; fails when it is unknown.
index_parts() {
	awk -v v="$1" '$1 == v { print $3; found = 1 } END { exit !found }' "$KERNEL_INDEX"
}
