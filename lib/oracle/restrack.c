// SPDX-License-Identifier: GPL-2.0-only
/* Asks the kernel over netlink for the regions of an RDMA device. */
#include "oracle/restrack.h"

#include <errno.h>
#include <rdma/rdma_netlink.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "oracle/netlink.h"

#define MESSAGE_SIZE	32768

/* What is looked for, and what was found. */
struct search {
	const char *device;
	uint32_t index;
	bool found;
	uint64_t *lengths;
	int capacity;
	int count;
};

static void note_device(struct search *search, const void *start, size_t length)
{
	const struct nlattr *name = netlink_find(start, length,
						 RDMA_NLDEV_ATTR_DEV_NAME);
	const struct nlattr *index = netlink_find(start, length,
						  RDMA_NLDEV_ATTR_DEV_INDEX);

	if (!name || !index || strcmp(netlink_content(name), search->device))
		return;
	memcpy(&search->index, netlink_content(index), sizeof(search->index));
	search->found = true;
}

static void note_region(struct search *search, const struct nlattr *entry)
{
	size_t size = entry->nla_len - NLA_HDRLEN;
	const void *start = netlink_content(entry);
	const struct nlattr *owner = netlink_find(start, size,
						  RDMA_NLDEV_ATTR_RES_PID);
	const struct nlattr *length = netlink_find(start, size,
						   RDMA_NLDEV_ATTR_RES_MRLEN);
	uint32_t pid;

	if (!owner || !length)
		return;
	memcpy(&pid, netlink_content(owner), sizeof(pid));
	if (pid != (uint32_t)getpid())
		return;
	if (search->count < search->capacity)
		memcpy(&search->lengths[search->count], netlink_content(length),
		       sizeof(search->lengths[0]));
	search->count++;
}

static void note_regions(struct search *search, const void *start,
			 size_t length)
{
	const struct nlattr *table = netlink_find(start, length,
						  RDMA_NLDEV_ATTR_RES_MR);
	const struct nlattr *entry;

	if (!table)
		return;
	for_netlink_attributes(entry, netlink_content(table),
			       table->nla_len - NLA_HDRLEN)
		note_region(search, entry);
}

typedef void (*note)(struct search *search, const void *start, size_t length);

/* One part of an answer; returns 1 at its end, or a negative errno. */
static int look_through(const char *data, size_t size, note take,
			struct search *search)
{
	const struct nlmsghdr *message = (const void *)data;
	size_t left = size;

	for (; NLMSG_OK(message, left); message = NLMSG_NEXT(message, left)) {
		if (message->nlmsg_type == NLMSG_DONE)
			return 1;
		if (message->nlmsg_type == NLMSG_ERROR)
			return ((const struct nlmsgerr *)NLMSG_DATA(message))->error ?: 1;
		take(search, NLMSG_DATA(message), NLMSG_PAYLOAD(message, 0));
	}
	return 0;
}

static int ask(int fd, int command, struct search *search)
{
	struct {
		struct nlmsghdr header;
		struct nlattr attribute;
		uint32_t index;
	} request = {
		.header = {
			.nlmsg_len = NLMSG_HDRLEN,
			.nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		},
		.attribute = {
			.nla_len = NLA_HDRLEN + sizeof(uint32_t),
			.nla_type = RDMA_NLDEV_ATTR_DEV_INDEX,
		},
		.index = search->index,
	};

	if (search->found)
		request.header.nlmsg_len = sizeof(request);
	return send(fd, &request, request.header.nlmsg_len, 0) < 0 ? -errno : 0;
}

static int dump(int fd, int command, note take, struct search *search)
{
	static char answer[MESSAGE_SIZE];
	int ret = ask(fd, command, search);

	while (!ret) {
		ssize_t size = recv(fd, answer, sizeof(answer), 0);

		ret = size < 0 ? -errno :
		      look_through(answer, size, take, search);
	}
	return ret < 0 ? ret : 0;
}

static int find_device(int fd, struct search *search)
{
	int ret = dump(fd, RDMA_NLDEV_CMD_GET, note_device, search);

	return ret || search->found ? ret : -ENODEV;
}

static int open_netlink(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);

	return fd < 0 ? -errno : fd;
}

int restrack_regions(const char *device, uint64_t *lengths, int capacity)
{
	struct search search = {
		.device = device, .lengths = lengths, .capacity = capacity,
	};
	int fd = open_netlink(), ret;

	if (fd < 0)
		return fd;
	ret = find_device(fd, &search);
	if (!ret)
		ret = dump(fd, RDMA_NLDEV_CMD_RES_MR_GET, note_regions, &search);
	close(fd);
	return ret ? ret : search.count;
}

int restrack_device(const char *device, uint32_t *index)
{
	struct search search = { .device = device };
	int fd = open_netlink(), ret;

	if (fd < 0)
		return fd;
	ret = find_device(fd, &search);
	close(fd);
	*index = search.index;
	return ret;
}
