# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# First process of the namespaces that enter.sh makes: mounts what the build root needs, then
# stays as parent of the command. When it ends the kernel ends all that was started inside.
#
# CTS_ROOT, CTS_BIND (folders to show inside, a line each), CTS_WHERE (working directory) and
# CTS_GRACE (seconds to end when asked to) come from enter.sh, and so does file descriptor 3: a
# pipe that tells by a word, or by its end, that all this is to end.

set -eu

# must_mount ARG...: mount, or say which one failed; a partial root must not run anything.
must_mount() {
	mount "$@" || {
		echo "dmabuf-cts: cannot enter the build root: mount $* failed" >&2
		exit 125
	}
}

# mount_root: the root read-only, so that nothing that runs in it can change the next run.
mount_root() {
	local dir

	must_mount --bind "$CTS_ROOT" "$CTS_ROOT"
	must_mount -t tmpfs -o mode=1777 tmpfs "$CTS_ROOT/tmp"
	must_mount -t tmpfs tmpfs "$CTS_ROOT/run"
	must_mount --rbind /dev "$CTS_ROOT/dev"
	must_mount --rbind /sys "$CTS_ROOT/sys"
	# A container may forbid a new proc; then the outer one has to do.
	mount -t proc proc "$CTS_ROOT/proc" 2> /dev/null || must_mount --rbind /proc "$CTS_ROOT/proc"
	while IFS= read -r dir; do
		[ -d "$CTS_ROOT$dir" ] || mkdir -p "$CTS_ROOT$dir"
		must_mount --rbind "$dir" "$CTS_ROOT$dir"
	done <<< "$CTS_BIND"
	must_mount -o remount,bind,ro "$CTS_ROOT"
}

# end_all: ask everything inside to end; what does not is ended with the namespace.
end_all() {
	local deadline=$((SECONDS + CTS_GRACE))

	trap '' TERM INT HUP
	kill -TERM -1 2> /dev/null || true
	while kill -0 "$COMMAND" 2> /dev/null && [ "$SECONDS" -lt "$deadline" ]; do
		sleep 0.05
	done
	exit 143
}

mount_root
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 CTS_INSIDE=1
unset LANGUAGE CTS_BIND
trap end_all TERM INT HUP
{ read -r -u 3 || true; kill -TERM 1; } < /dev/null > /dev/null 2>&1 &
# shellcheck disable=SC2016
env --default-signal=INT,QUIT chroot "$CTS_ROOT" /bin/bash -c \
	'cd "$CTS_WHERE" 2> /dev/null || cd "$CTS_TOP"; exec "$@"' bash "$@" <&0 3<&- &
COMMAND=$!
wait "$COMMAND"
