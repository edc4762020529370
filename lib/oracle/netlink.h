/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages of netlink: to write one, and to find what is in an answer. */
#ifndef CTS_NETLINK_H
#define CTS_NETLINK_H

#include <linux/netlink.h>
#include <stddef.h>

struct netlink_message {
	struct nlmsghdr header;
	char room[256];
};

/**
 * netlink_append - add an attribute to a message
 * @message: with its length in .header
 * @type: of the attribute
 * @value: of it; all that is appended to one message has room there
 * @size: bytes at @value
 */
void netlink_append(struct netlink_message *message, int type,
		    const void *value, size_t size);

/**
 * netlink_append_text - the same for a text, with its final zero
 */
void netlink_append_text(struct netlink_message *message, int type,
			 const char *text);

/**
 * netlink_content - what an attribute holds, nla_len - NLA_HDRLEN bytes
 */
static inline const void *netlink_content(const struct nlattr *attribute)
{
	return (const char *)attribute + NLA_HDRLEN;
}

/* Walks over attributes in @length bytes; a damaged one ends it. */
#define for_netlink_attributes(attribute, start, length) \
	for (attribute = (const struct nlattr *)(start); \
	     (const char *)attribute + NLA_HDRLEN <= \
	     (const char *)(start) + (length) && \
	     attribute->nla_len >= NLA_HDRLEN && \
	     (const char *)attribute + attribute->nla_len <= \
	     (const char *)(start) + (length); \
	     attribute = (const struct nlattr *)((const char *)attribute + \
			 NLA_ALIGN(attribute->nla_len)))

/**
 * netlink_find - the first attribute of a type
 * @start: of the attributes
 * @length: bytes there
 * @type: which
 *
 * Return: the attribute, or NULL.
 */
const struct nlattr *netlink_find(const void *start, size_t length, int type);

#endif
