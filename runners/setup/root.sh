# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Which build root is meant: CTS_RECIPE names a recipe of setup/recipes, "base" when nothing else
# is said. A root is named by a hash of its recipe. To be sourced after common.sh.

# choose_root RECIPE: sets and hands on CTS_RECIPE and CTS_ROOT.
choose_root() {
	local recipe=$CTS_TOP/runners/setup/recipes/$1

	[ -r "$recipe" ] || usage_error "no recipe '$1' for a build root; there are: $(cd "${recipe%/*}" && echo *)"
	CTS_RECIPE=$1
	CTS_ROOT=$CTS_CACHE/root-$(sha256sum < "$recipe" | cut -c 1-12)
	export CTS_RECIPE CTS_ROOT
}

choose_root "${CTS_RECIPE:-base}"
