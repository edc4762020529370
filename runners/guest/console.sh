# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What a guest's console says of one that came to no good end: how far it was, and what its kernel
# complained of. To be sourced by boot.sh, which sets CONSOLE; the file may have those of earlier
# guests before.

# console_begins: this guest's words are those that follow.
console_begins() {
	: >> "$CONSOLE" || die "cannot write the guest's console to $CONSOLE"
	CONSOLE_BEGAN=$(stat -c %s "$CONSOLE")
}

# console_words: of this guest.
console_words() {
	tail -c +$((CONSOLE_BEGAN + 1)) "$CONSOLE" | tr -d '\r'
}

# guest_phase: what it was about; guest/init says the words.
guest_phase() {
	local words module

	words=$(console_words | tr -d '\0')
	if [[ $words == *"guest: agent after"* ]]; then
		echo "while the suite ran"
	elif [[ $words == *"guest: init after"* ]]; then
		module=$(sed -n 's/^guest: loading //p' <<< "$words" | tail -n 1)
		echo "while it loaded its modules${module:+, the last of them $module}"
	else
		echo "while its kernel started"
	fi
}

# guest_complaint: the first of its kernel's words that tell of its end, or that there are none.
guest_complaint() {
	console_words | grep -a -m 1 -oE '(BUG: |kernel BUG at|Oops: |general protection fault[:,]|Kernel panic).*' ||
		echo "its console does not say why"
}

# say_once TEXT: guests side by side often have the same fate, which is told once in CTS_SAID, a
# folder of theirs.
say_once() {
	[ -z "${CTS_SAID-}" ] || mkdir "$CTS_SAID/$(sha256sum <<< "$*" | cut -c 1-16)" 2> /dev/null || return 0
	say "$*"
}
