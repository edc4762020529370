// SPDX-License-Identifier: GPL-2.0-only
/* What "ip link set up" and "rdma link" do, of which a guest has neither. */
#include "oracle/rdma_link.h"

#include <errno.h>
#include <linux/netlink.h>
#include <net/if.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct message {
	struct nlmsghdr header;
	char room[256];
};

static void append(struct message *message, int type, const void *value,
		   size_t size)
{
	struct nlattr attribute = {
		.nla_len = NLA_HDRLEN + size,
		.nla_type = type,
	};
	char *end = (char *)message + message->header.nlmsg_len;

	memcpy(end, &attribute, sizeof(attribute));
	memcpy(end + NLA_HDRLEN, value, size);
	message->header.nlmsg_len += NLA_ALIGN(attribute.nla_len);
}

static void append_text(struct message *message, int type, const char *text)
{
	append(message, type, text, strlen(text) + 1);
}

static struct message begin(int command)
{
	return (struct message){
		.header = {
			.nlmsg_len = NLMSG_HDRLEN,
			.nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
	};
}

/* The errno in the answer, 0 or negative. */
static int send_message(const struct message *message)
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
	struct message message = begin(RDMA_NLDEV_CMD_NEWLINK);

	append_text(&message, RDMA_NLDEV_ATTR_DEV_NAME, name);
	append_text(&message, RDMA_NLDEV_ATTR_LINK_TYPE, type);
	append_text(&message, RDMA_NLDEV_ATTR_NDEV_NAME, network);
	return send_message(&message);
}

int link_remove(uint32_t index)
{
	struct message message = begin(RDMA_NLDEV_CMD_DELLINK);

	append(&message, RDMA_NLDEV_ATTR_DEV_INDEX, &index, sizeof(index));
	return send_message(&message);
}
