#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "diff": what became of the verdicts of one run in another.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/arguments.sh
. "$CTS_TOP/runners/arguments.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"

USAGE="usage: dmabuf-cts diff [OPTION]... BEFORE AFTER
Compare two runs as the gate does, regressions first. Each is a result folder or a run.json.
  --common         only pairs and cases that both runs were to run
  --allow-passes   that a failure is gone is not unexpected
  --all            a line for each verdict, and whole lines
Exit status: 0 nothing unexpected, 1 something unexpected, 2 usage, 125 a run cannot be read, or the
second one is incomplete."

take_arguments "--common --allow-passes --all" "" "$@"
need_words 2 "two runs"
find_programs "${WORDS[@]}"
exec "${PREFIX[@]}" "$PROGRAMS/cts-report" diff "${OPTIONS[@]}" "${SEEN[@]}"
