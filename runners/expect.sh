#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "expect": brings the files of expected results up to date with a run.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/arguments.sh
. "$CTS_TOP/runners/arguments.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"

USAGE="usage: dmabuf-cts expect [OPTION]... RUN
Bring the files of expected results up to date with a run, a result folder or a run.json, so that it
has nothing unexpected.
  --fails REASON    expect its failures, too, for that reason
  --found-by NAME   who found these failures
  --wide            one line for all pairs, or all with one end, of the run where they all skip or
                    refuse alike
  --rates           count the run in the rates of flakes; once for each run
  --prune           remove lines that met nothing
  --dry-run         say what would be done, and do nothing
  --expected DIR    the files (default expected/ of this checkout)
Exit status: 0 all of the run is expected now, 1 something is left to decide, 2 usage or a mistake in
a file, 125 the run cannot be read, is incomplete, or files cannot be written."

take_arguments "--wide --rates --prune --dry-run" "--fails --found-by --expected" "$@"
need_words 1 "one run"
# The last --expected counts, which is that of the folder as it is seen where the program runs.
find_programs "${VALUE[--expected]:-$CTS_TOP/expected}" "${WORDS[@]}"
exec "${PREFIX[@]}" "$PROGRAMS/cts-report" expect "${OPTIONS[@]}" --expected "${SEEN[@]}"
