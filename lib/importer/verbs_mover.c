// SPDX-License-Identifier: GPL-2.0-only
/* The ways to move bytes through a registered dma-buf. */
#include "importer/verbs_mover.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define MEMORY_SIZE	(256 << 10)
#define WAIT_MS		10000

/*
 * A piece is moved between @from and @to, addresses that work requests can
 * name, of which one is the mover's own memory.
 */
struct place {
	uint64_t address;
	uint32_t lkey;
	uint32_t rkey;
};

/* One step of one way; its rights are those that the foreign region needs. */
struct verbs_way {
	uint32_t access;
	int (*move)(struct verbs_mover *mover, const struct place *from,
		    const struct place *to, uint32_t length);
};

static int move_by_write(struct verbs_mover *mover, const struct place *from,
			 const struct place *to, uint32_t length)
{
	const struct verbs_work work = {
		.operation = VERBS_WRITE,
		.local = from->address,
		.lkey = from->lkey,
		.remote = to->address,
		.rkey = to->rkey,
		.length = length,
	};

	return verbs_run(mover->near, &work, NULL);
}

static int move_by_read(struct verbs_mover *mover, const struct place *from,
			const struct place *to, uint32_t length)
{
	const struct verbs_work work = {
		.operation = VERBS_READ,
		.local = to->address,
		.lkey = to->lkey,
		.remote = from->address,
		.rkey = from->rkey,
		.length = length,
	};

	return verbs_run(mover->near, &work, NULL);
}

static int move_by_send(struct verbs_mover *mover, const struct place *from,
			const struct place *to, uint32_t length)
{
	const struct verbs_work work = {
		.operation = VERBS_SEND,
		.local = from->address,
		.lkey = from->lkey,
		.length = length,
	};
	struct verbs_completion received;
	int ret = verbs_post_receive(mover->far, 0, to->lkey, to->address,
				     length);

	if (!ret)
		ret = verbs_run(mover->near, &work, NULL);
	if (!ret)
		ret = verbs_complete(mover->far, WAIT_MS, &received);
	if (!ret && (received.status || received.length != length))
		ret = -EREMOTEIO;
	return ret;
}

static const struct verbs_way write_remote = {
	VERBS_LOCAL_WRITE | VERBS_REMOTE_WRITE, move_by_write,
};
static const struct verbs_way read_remote = { VERBS_REMOTE_READ, move_by_read };
/* The dma-buf is the local side of a read, or of a receive. */
static const struct verbs_way read_into = { VERBS_LOCAL_WRITE, move_by_read };
static const struct verbs_way receive_into = { VERBS_LOCAL_WRITE, move_by_send };
static const struct verbs_way send_from = { 0, move_by_send };

static const struct verbs_way *way_in(const struct verbs_traits *traits)
{
	if (traits->rdma_write)
		return &write_remote;
	return traits->rdma_read ? &read_into : &receive_into;
}

static const struct verbs_way *way_out(const struct verbs_traits *traits)
{
	return traits->rdma_read ? &read_remote : &send_from;
}

bool verbs_can_move(const struct verbs_traits *traits)
{
	/* What a datagram is received with would land in the dma-buf as well. */
	return traits->transport && strcmp(traits->transport, "UD");
}

uint32_t verbs_move_access(const struct verbs_traits *traits,
			   unsigned int access)
{
	uint32_t rights = 0;

	if (access & IMPORT_WRITE)
		rights |= way_in(traits)->access;
	if (access & IMPORT_READ)
		rights |= way_out(traits)->access;
	return rights;
}

static size_t step_of(const struct verbs_traits *traits)
{
	size_t most = traits->rdma_read ? traits->message_max :
					  traits->send_max;

	return most < MEMORY_SIZE ? most : MEMORY_SIZE;
}

static int make_memory(struct verbs_mover *mover,
		       const struct verbs_traits *traits)
{
	uint32_t access = VERBS_LOCAL_WRITE;
	int ret;

	if (traits->rdma_read)
		access |= VERBS_REMOTE_READ;
	/* Shared, so that a child does not get copies of pinned pages. */
	mover->memory = mmap(NULL, MEMORY_SIZE, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (mover->memory == MAP_FAILED)
		return -errno;
	ret = verbs_register_memory(mover->domain, mover->memory, MEMORY_SIZE,
				    access, &mover->region);
	if (ret)
		munmap(mover->memory, MEMORY_SIZE);
	return ret;
}

static void free_memory(struct verbs_mover *mover)
{
	verbs_deregister(&mover->region);
	munmap(mover->memory, MEMORY_SIZE);
}

static int make_ends(struct verbs_mover *mover)
{
	int ret = verbs_end_new(mover->domain, NULL, &mover->near);

	if (ret)
		return ret;
	ret = verbs_end_new(mover->domain, NULL, &mover->far);
	if (ret)
		goto free_near;
	ret = verbs_connect(mover->near, mover->far);
	if (!ret)
		return 0;
	verbs_end_free(mover->far);
free_near:
	verbs_end_free(mover->near);
	mover->near = mover->far = NULL;
	return ret;
}

static int free_ends(struct verbs_mover *mover)
{
	int ret = verbs_end_free(mover->near);
	int error = verbs_end_free(mover->far);

	mover->near = mover->far = NULL;
	return ret ? ret : error;
}

int verbs_mover_open(struct verbs_domain *domain, struct verbs_mover *mover)
{
	const struct verbs_traits *traits = verbs_domain_traits(domain);
	int ret;

	memset(mover, 0, sizeof(*mover));
	if (!verbs_can_move(traits))
		return -EOPNOTSUPP;
	mover->in = way_in(traits);
	mover->out = way_out(traits);
	mover->step = step_of(traits);
	mover->domain = domain;
	ret = make_memory(mover, traits);
	if (ret)
		goto forget;
	ret = make_ends(mover);
	if (!ret)
		return 0;
	free_memory(mover);
forget:
	mover->domain = NULL;
	return ret;
}

int verbs_mover_close(struct verbs_mover *mover)
{
	int ret;

	if (!mover->domain)
		return 0;
	ret = free_ends(mover);
	free_memory(mover);
	mover->domain = NULL;
	return ret;
}

static struct place place_in(const struct verbs_region *region, uint64_t offset)
{
	return (struct place){
		.address = region->iova + offset,
		.lkey = region->lkey,
		.rkey = region->rkey,
	};
}

static size_t next_step(const struct verbs_mover *mover, size_t left)
{
	return left < mover->step ? left : mover->step;
}

/*
 * An error ends a connection, and what was not done in time may be done
 * later: after either, the next piece needs ends that are as new. If there
 * are none to be had at once, they are made when they are needed.
 */
static void renew_ends(struct verbs_mover *mover)
{
	free_ends(mover);
	make_ends(mover);
}

static int move(struct verbs_mover *mover, const struct verbs_way *way,
		const struct place *from, const struct place *to, size_t length)
{
	int ret = mover->near ? 0 : make_ends(mover);

	if (ret)
		return ret;
	ret = way->move(mover, from, to, length);
	if (ret)
		renew_ends(mover);
	return ret;
}

int verbs_move_in(struct verbs_mover *mover, const struct verbs_region *region,
		  uint64_t offset, const void *data, size_t length)
{
	struct place from = place_in(&mover->region, 0);
	size_t step;
	int ret = 0;

	for (size_t done = 0; !ret && done < length; done += step) {
		struct place to = place_in(region, offset + done);

		step = next_step(mover, length - done);
		memcpy(mover->memory, (const char *)data + done, step);
		ret = move(mover, mover->in, &from, &to, step);
	}
	return ret;
}

int verbs_move_out(struct verbs_mover *mover, const struct verbs_region *region,
		   uint64_t offset, void *data, size_t length)
{
	struct place to = place_in(&mover->region, 0);
	size_t step;
	int ret = 0;

	for (size_t done = 0; !ret && done < length; done += step) {
		struct place from = place_in(region, offset + done);

		step = next_step(mover, length - done);
		ret = move(mover, mover->out, &from, &to, step);
		if (!ret)
			memcpy((char *)data + done, mover->memory, step);
	}
	return ret;
}
