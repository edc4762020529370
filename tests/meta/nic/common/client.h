/* SPDX-License-Identifier: GPL-2.0-only */
/* A vfio-user client, with the function that it talks to in the same process. */
#ifndef CTS_TEST_CLIENT_H
#define CTS_TEST_CLIENT_H

#include "nic/bus.h"
#include "nic/connection.h"
#include "nic/wire/vfio_user.h"

struct client {
	int socket;			/* ours */
	struct fabric *fabric;
	struct options options;
	struct function *function;
	struct connection *connection;	/* NULL once it was ended */
	uint16_t id;			/* of the last message */
	struct vfio_user_header header;	/* of the last reply */
	uint8_t reply[2 << 20];		/* what followed it */
	int fd;				/* that came with it, or -1 */
};

/** client_new - a client that has said nothing yet; exits if there is no memory */
struct client *client_new(void);

/** client_free - the client and its function */
void client_free(struct client *client);

/** client_greet - agree on the version */
void client_greet(struct client *client);

/** client_connect - come again, after the last connection has ended */
void client_connect(struct client *client);

/** client_come_again - leave, come again and agree on the version */
void client_come_again(struct client *client);

/** client_write - send bytes, with descriptors; says whether the socket took them */
bool client_write(struct client *client, const void *data, size_t length,
		  const int *fds, size_t nfds);

/** client_run - let the other side work; true if the connection goes on */
bool client_run(struct client *client);

/**
 * client_read - take a reply
 *
 * Return: bytes after its header; the error that it tells, negative; -EAGAIN if
 * there is none; -ECONNRESET if the connection was ended.
 */
int client_read(struct client *client);

/** client_call - send a message, let the other side work, take the reply */
int client_call(struct client *client, enum vfio_user_command command,
		const void *payload, size_t length, const int *fds, size_t nfds);

/** client_region - read (@write false) or write @count bytes of a region */
int client_region(struct client *client, bool write, uint32_t region,
		  uint64_t offset, void *data, uint32_t count);

/** client_map - let the device reach a file, or (@fd -1) nothing */
int client_map(struct client *client, uint64_t address, uint64_t size, int fd,
	       uint32_t flags);

/** client_unmap - the opposite */
int client_unmap(struct client *client, uint64_t address, uint64_t size,
		 uint32_t flags);

/** client_descriptors - how many descriptors this process has */
unsigned int client_descriptors(void);

#endif
