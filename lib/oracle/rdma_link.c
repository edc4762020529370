// SPDX-License-Identifier: GPL-2.0-only
/* What "ip link set up" and "rdma link" do, of which a guest has neither. */
#include "oracle/rdma_link.h"

#include <errno.h>
#include <net/if.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "oracle/netlink.h"

static struct netlink_message begin(int command)
{
	return (struct netlink_message){
		.header = {
			.nlmsg_len = NLMSG_HDRLEN,
			.nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
	};
}

/* The errno in the answer, 0 or negative. */
static int send_message(const struct netlink_message *message)
{
	struct {
		struct nlmsghdr header;
		struct nlmsgerr error;
		char echo[sizeof(*message)];
	} answer;
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
	int ret = 0;

	if (fd < 0)
		return -errno;
	if (send(fd, message, message->header.nlmsg_len, 0) < 0 ||
	    recv(fd, &answer, sizeof(answer), 0) < 0)
		ret = -errno;
	close(fd);
	return ret ? ret : answer.error.error;
}

int link_up(const char *network)
{
	struct ifreq request = { .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int ret;

	if (fd < 0)
		return -errno;
	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", network);
	ret = ioctl(fd, SIOCSIFFLAGS, &request) ? -errno : 0;
	close(fd);
	return ret;
}

int link_add(const char *name, const char *type, const char *network)
{
	struct netlink_message message = begin(RDMA_NLDEV_CMD_NEWLINK);

	netlink_append_text(&message, RDMA_NLDEV_ATTR_DEV_NAME, name);
	netlink_append_text(&message, RDMA_NLDEV_ATTR_LINK_TYPE, type);
	netlink_append_text(&message, RDMA_NLDEV_ATTR_NDEV_NAME, network);
	return send_message(&message);
}

int link_remove(uint32_t index)
{
	struct netlink_message message = begin(RDMA_NLDEV_CMD_DELLINK);

	netlink_append(&message, RDMA_NLDEV_ATTR_DEV_INDEX, &index, sizeof(index));
	return send_message(&message);
}
