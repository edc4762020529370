#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs Bats tests with the build root's Bats, but outside of it: what they test works there.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../runners/common.sh"
# shellcheck source=runners/setup/root.sh
. "$CTS_TOP/runners/setup/root.sh"

"$CTS_TOP/runners/setup.sh"
exec "$CTS_ROOT/usr/bin/bats" "$@"
