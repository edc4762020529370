// SPDX-License-Identifier: GPL-2.0-only
#include "importer/netdev.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "oracle/netlink.h"

/* Of <linux/netdev.h>, as the headers of older distributions lack them. */
#define FAMILY			"netdev"
#define CMD_QUEUE_GET		10
#define CMD_BIND_RX		13
#define CMD_BIND_TX		15
#define ATTRIBUTE_IFINDEX	1
#define ATTRIBUTE_QUEUES	2
#define ATTRIBUTE_FD		3
#define ATTRIBUTE_ID		4
#define ATTRIBUTE_PIECE_SIZE	5
#define QUEUE_ID		1
#define QUEUE_IFINDEX		2
#define QUEUE_TYPE		3
#define QUEUE_DMABUF		5
#define QUEUE_TYPE_RX		0

#define ANSWER_SIZE		4096

/* What came of a request. */
struct answer {
	uint16_t type;		/* of messages that are no acknowledgement */
	int attribute;		/* that is wanted of them */
	uint32_t value;		/* its first bytes, as far as there are any */
	char *why;		/* room for the kernel's text, or NULL */
	size_t size;
};

static struct netlink_message begin(uint16_t family, uint8_t command)
{
	struct netlink_message message = {
		.header = {
			.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN),
			.nlmsg_type = family,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
	};
	struct genlmsghdr head = { .cmd = command, .version = 1 };

	memcpy(message.room, &head, sizeof(head));
	return message;
}

static void take_text(const struct nlmsghdr *message, struct answer *answer)
{
	const char *start = (const char *)NLMSG_DATA(message) +
			    sizeof(struct nlmsgerr);
	size_t head = NLMSG_LENGTH(sizeof(struct nlmsgerr));
	const struct nlattr *text = NULL;

	if (message->nlmsg_flags & NLM_F_ACK_TLVS && message->nlmsg_len > head)
		text = netlink_find(start, message->nlmsg_len - head,
				    NLMSGERR_ATTR_MSG);
	if (text && answer->why)
		snprintf(answer->why, answer->size, "%.*s",
			 (int)(text->nla_len - NLA_HDRLEN),
			 (const char *)netlink_content(text));
}

static void take_value(const struct nlmsghdr *message, struct answer *answer)
{
	const char *start = (const char *)NLMSG_DATA(message) + GENL_HDRLEN;
	size_t head = NLMSG_LENGTH(GENL_HDRLEN), size;
	const struct nlattr *found = NULL;

	if (message->nlmsg_len > head)
		found = netlink_find(start, message->nlmsg_len - head,
				     answer->attribute);
	if (!found)
		return;
	size = found->nla_len - NLA_HDRLEN;
	memcpy(&answer->value, netlink_content(found),
	       size < sizeof(answer->value) ? size : sizeof(answer->value));
}

/* Return: 1 where more is to come, else 0 or a negative errno. */
static int look_through(const char *data, size_t size, struct answer *answer)
{
	const struct nlmsghdr *message = (const void *)data;
	size_t left = size;

	for (; NLMSG_OK(message, left); message = NLMSG_NEXT(message, left)) {
		if (message->nlmsg_type == NLMSG_ERROR) {
			take_text(message, answer);
			return ((const struct nlmsgerr *)NLMSG_DATA(message))->error;
		}
		if (message->nlmsg_type == answer->type)
			take_value(message, answer);
	}
	return 1;
}

static int ask(int fd, const struct netlink_message *message,
	       struct answer *answer)
{
	char data[ANSWER_SIZE] __attribute__((aligned(NLMSG_ALIGNTO)));
	int ret = send(fd, message, message->header.nlmsg_len, 0) < 0 ? -errno : 1;

	while (ret == 1) {
		ssize_t size = recv(fd, data, sizeof(data), 0);

		ret = size < 0 ? -errno : look_through(data, size, answer);
	}
	return ret;
}

/* Return: the family's number, or a negative errno. */
static int find_family(int fd)
{
	struct netlink_message message = begin(GENL_ID_CTRL, CTRL_CMD_GETFAMILY);
	struct answer answer = {
		.type = GENL_ID_CTRL, .attribute = CTRL_ATTR_FAMILY_ID,
	};
	uint16_t family;
	int ret;

	netlink_append_text(&message, CTRL_ATTR_FAMILY_NAME, FAMILY);
	ret = ask(fd, &message, &answer);
	if (ret)
		return ret;
	/* Of 16 bits, which are the first of the value on any processor. */
	memcpy(&family, &answer.value, sizeof(family));
	return family;
}

static int open_socket(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	int on = 1;

	if (fd < 0)
		return -errno;
	/* Without texts, too, it works. */
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	return fd;
}

static void append_number(struct netlink_message *message, int type,
			  uint32_t value)
{
	netlink_append(message, type, &value, sizeof(value));
}

/* Sends a request that gives a binding, and keeps its socket if it did. */
static int bind_by(struct netlink_message *message,
		   struct netdev_binding *binding)
{
	struct answer answer = {
		.attribute = ATTRIBUTE_ID, .why = binding->why,
		.size = sizeof(binding->why),
	};
	int ret = open_socket();

	if (ret < 0)
		return ret;
	binding->socket = ret;
	ret = find_family(binding->socket);
	if (ret >= 0) {
		message->header.nlmsg_type = ret;
		answer.type = ret;
		ret = ask(binding->socket, message, &answer);
	}
	if (ret)
		netdev_unbind(binding);
	else
		binding->id = answer.value;
	return ret;
}

/* @message: gets what both directions have */
static int begin_binding(const char *network, uint8_t command, int fd,
			 struct netlink_message *message,
			 struct netdev_binding *binding)
{
	uint32_t index = if_nametoindex(network);

	memset(binding, 0, sizeof(*binding));
	binding->socket = -1;
	*message = begin(0, command);
	append_number(message, ATTRIBUTE_IFINDEX, index);
	append_number(message, ATTRIBUTE_FD, fd);
	return index ? 0 : -ENODEV;
}

int netdev_bind_tx(const char *network, int fd, struct netdev_binding *binding)
{
	struct netlink_message message;
	int ret = begin_binding(network, CMD_BIND_TX, fd, &message, binding);

	return ret ?: bind_by(&message, binding);
}

/* Attributes of a queue, for within another attribute. */
static void append_queue(struct netlink_message *message, uint32_t queue)
{
	struct netlink_message inner = { .header.nlmsg_len = NLMSG_HDRLEN };

	append_number(&inner, QUEUE_ID, queue);
	append_number(&inner, QUEUE_TYPE, QUEUE_TYPE_RX);
	netlink_append(message, ATTRIBUTE_QUEUES | NLA_F_NESTED, inner.room,
		       inner.header.nlmsg_len - NLMSG_HDRLEN);
}

int netdev_bind_rx(const char *network, uint32_t queue, uint32_t piece_size,
		   int fd, struct netdev_binding *binding)
{
	struct netlink_message message;
	int ret = begin_binding(network, CMD_BIND_RX, fd, &message, binding);

	append_queue(&message, queue);
	if (piece_size)
		append_number(&message, ATTRIBUTE_PIECE_SIZE, piece_size);
	return ret ?: bind_by(&message, binding);
}

static int ask_of_queue(int fd, uint32_t index, uint32_t queue)
{
	struct answer answer = { .attribute = QUEUE_DMABUF };
	int family = find_family(fd), ret;
	struct netlink_message message;

	if (family < 0)
		return family;
	answer.type = family;
	message = begin(family, CMD_QUEUE_GET);
	append_number(&message, QUEUE_IFINDEX, index);
	append_number(&message, QUEUE_ID, queue);
	append_number(&message, QUEUE_TYPE, QUEUE_TYPE_RX);
	ret = ask(fd, &message, &answer);
	/* No binding has the number 0. */
	return ret ?: !answer.value;
}

int netdev_queue_is_free(const char *network, uint32_t queue)
{
	uint32_t index = if_nametoindex(network);
	int fd = index ? open_socket() : -ENODEV, ret;

	if (fd < 0)
		return fd;
	ret = ask_of_queue(fd, index, queue);
	close(fd);
	return ret;
}

void netdev_unbind(struct netdev_binding *binding)
{
	if (binding->socket >= 0)
		close(binding->socket);
	binding->socket = -1;
}
