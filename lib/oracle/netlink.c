// SPDX-License-Identifier: GPL-2.0-only
#include "oracle/netlink.h"

#include <string.h>

void netlink_append(struct netlink_message *message, int type,
		    const void *value, size_t size)
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

void netlink_append_text(struct netlink_message *message, int type,
			 const char *text)
{
	netlink_append(message, type, text, strlen(text) + 1);
}

const struct nlattr *netlink_find(const void *start, size_t length, int type)
{
	const struct nlattr *attribute;

	for_netlink_attributes(attribute, start, length)
		if ((attribute->nla_type & NLA_TYPE_MASK) == type)
			return attribute;
	return NULL;
}
