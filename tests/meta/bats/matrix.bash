# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Drivers, runs and results for tests of the driver matrix. To be loaded after stream.
# shellcheck disable=SC2154

# make_matrix: an empty one, in this folder, with the clause table.
make_matrix() {
	mkdir drivers results
	inside "$PROGRAMS/cts-explain" --tests "$PROGRAMS" --json > clauses
}

# matrix STATUS VERB ARG...: what it prints is in shown, what it complains of in errors.
matrix() {
	local wanted=$1 verb=$2

	shift 2
	case $verb in
	render) set -- --drivers drivers --page "$TOP/runners/matrix/page" "$@" ;;
	check) set -- --drivers drivers "$@" ;;
	esac
	exits "$wanted" inside "$PROGRAMS/cts-matrix" "$verb" --clauses clauses --results results "$@" > shown 2> errors ||
		{ cat errors; return 1; }
}

# make_run FILE LINE...: a run of one pair, with a leaf for each "CLAUSE VERDICT ROLE [REASON]" on
# vgem and efa; the role "-" judges nobody, "peer" is one of the suite's own.
make_run() {
	inside python3 - "$@" <<- 'END'
		import json, sys
		def backend(role, selector, driver, ours=False):
		    return {"role": role, "selector": selector, "driver": driver, "version": "1",
		            "evidence": "emulated" if driver == "efa" else "software", "ours": ours}
		ends = {"exporter": ("drm:vgem", "vgem"), "importer": ("verbs:efa_0", "efa"), "nic": ("verbs:efa_0", "efa"),
		        "core": ("dma-buf", "dma-buf"), "rdma-core": ("ib_core", "ib_core"), "peer": ("peer:dynamic", "dmabuf_peer_exporter")}
		leaves = []
		for line in sys.argv[2:]:
		    clause, verdict, role, reason = (line.split(None, 3) + [""])[:4]
		    leaf = {"exporter": "drm:vgem", "importer": "verbs:efa_0", "program": "pin", "case": "one", "clause": clause,
		            "verdict": verdict, "evidence": "software", "self_test": role == "peer", "subject": None, "reason": reason}
		    if role == "peer":
		        leaf["exporter"] = "peer:dynamic"
		    if role in ends:
		        leaf["subject"] = {"role": "exporter" if role == "peer" else role, "name": ends[role][0],
		                           "driver": ends[role][1], "version": "1", "ours": role == "peer"}
		    leaves.append(leaf)
		json.dump({"schema": 1, "suite": "0", "clause_table": 2, "kernel": {"release": "6.9.1-x", "series": "6.9"},
		           "complete": True, "cut_short": None, "leaves": leaves,
		           "backends": [backend("exporter", "drm:vgem", "vgem"), backend("importer", "verbs:efa_0", "efa"),
		                        backend("exporter", "peer:dynamic", "dmabuf_peer_exporter", True)]},
		          open(sys.argv[1], "w"))
	END
}

# twist FILE EXPRESSION: change the run of FILE.
twist() {
	inside python3 -c '
import json, sys
run = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(run, open(sys.argv[1], "w"))' "$@"
}

# clause FILE CLAUSE MEMBER: of a recorded result.
clause() {
	inside python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["clauses"][sys.argv[2]].get(sys.argv[3]))' "$@"
}

# make_fact DRIVER [FIELD VALUE]...: a fact file without faults, in which fields of the importer are changed; no
# value takes the field away.
make_fact() {
	local driver=$1 file=drivers/$1.txt value

	shift
	cat > "$file" <<- END
		Driver: $driver
		Vendor: A Maker
		Device: a card
		Tree: upstream
		Evidence: hardware

		# What it imports.
		Role: importer
		Kernels: 6.8 6.9
		First: <=6.1
		Attach: pinned; in a way
		Notify: none
		Pin: driver
		Peer-to-peer: yes
		Revocable: no
		Buffers: none
		Selector: none
		Read: Attach, Notify, Pin, Peer-to-peer, Revocable, Buffers: drivers/a/card.c: attach()
		Unverified: First: nobody looked
	END
	while [ $# -gt 0 ]; do
		value=${2//$'\n'/\\n}
		if [ -n "$2" ]; then
			sed -i "s|^$1:.*|$1: $value|" "$file"
		else
			sed -i "/^$1:/d" "$file"
		fi
		shift 2
	done
}
