// SPDX-License-Identifier: GPL-2.0-only
#include "peer/peer_space.h"

#include "importer/iommufd.h"
#include "peer/ioctl.h"
#include "peer/peer_open.h"

#define MODULE	"dmabuf_peer_space"

int peer_space_open(struct backend *backend)
{
	return peer_open(backend, PEER_SPACE_NODE, MODULE);
}

int peer_space_join(int space, const struct importer *importer)
{
	struct peer_space_join join = {
		.fd = importer->control, .space = iommufd_space(importer),
	};

	return peer_ioctl(space, PEER_SPACE_JOIN, &join);
}

int peer_space_leave(int space)
{
	struct peer_space_leave leave = { 0 };

	return peer_ioctl(space, PEER_SPACE_LEAVE, &leave);
}

uint64_t peer_space_look(int space, uint64_t address)
{
	struct peer_space_look look = { .address = address };

	return peer_ioctl(space, PEER_SPACE_LOOK, &look) ? UINT64_MAX :
							   look.physical;
}

int peer_space_access(int space, const struct importer *importer,
		      enum peer_space_way way, uint64_t address,
		      uint64_t length)
{
	struct peer_space_access access = {
		.fd = importer->control, .space = iommufd_space(importer),
		.address = address, .length = length, .way = way,
	};

	return peer_ioctl(space, PEER_SPACE_ACCESS, &access);
}
