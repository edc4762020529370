#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verb "report": the results of a run in a format of others.

set -eu
# shellcheck source=runners/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=runners/arguments.sh
. "$CTS_TOP/runners/arguments.sh"
# shellcheck source=runners/programs.sh
. "$CTS_TOP/runners/programs.sh"

USAGE="usage: dmabuf-cts report [OPTION]... RUN
Write the results of a run, a result folder or a run.json, on standard output.
  --format FORMAT   text      the page that ends a run (default)
                    markdown  a page for a cover letter
                    ktap      nested KTAP
                    tap       flat TAP 13
                    junit     JUnit XML
                    kcidb     a submission to KernelCI's database, schema 5.3
  --origin NAME     kcidb: your CI system's name, as agreed with KernelCI
  --build ID        kcidb: the build that was tested, which you submit yourself
Exit status: 0 written, whatever the run found; 2 usage; 125 the run cannot be read or written so."

take_arguments "" "--format --origin --build" "$@"
need_words 1 "one run"
find_programs "${WORDS[@]}"
exec "${PREFIX[@]}" "$PROGRAMS/cts-report" render "${OPTIONS[@]}" "${SEEN[@]}"
