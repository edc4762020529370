#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Man pages render without errors, and each verb of the front end has one.

set -eu
cd "$(dirname "$0")/../.."

mandoc -T lint -W error runners/man/*.[0-9]
for verb in $(./dmabuf-cts help --verbs); do
	[ -e "runners/man/dmabuf-cts-$verb.1" ] || {
		echo "verb $verb has no page runners/man/dmabuf-cts-$verb.1"
		exit 1
	}
done
