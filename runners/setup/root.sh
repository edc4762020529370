# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The name of the build root: a hash of its recipe. To be sourced after common.sh.

CTS_ROOT=$CTS_CACHE/root-$(sha256sum < "$CTS_TOP/runners/setup/recipe" | cut -c 1-12)
export CTS_ROOT
