/* SPDX-License-Identifier: GPL-2.0-only */
/* How an instance of the peer importer attaches. */
#ifndef CTS_IMPORTER_PEER_H
#define CTS_IMPORTER_PEER_H

#include "pair/capability.h"
#include "peer/kmod/uapi/dmabuf_peer.h"

struct peer_importer_mode {
	const char *instance;		/* "notify-p2p" */
	enum peer_mode mode;
	unsigned int flags;		/* PEER_ATTACH_* */
	capability_set capabilities;
};

#endif
