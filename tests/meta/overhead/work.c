// SPDX-License-Identifier: GPL-2.0-only
/* map and unmap, attach and detach, of a peer by a peer, again and again. */
#include "overhead.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "pair/pair.h"
#include "peer/peer_importer.h"

#define BATCH		64
#define MEASURE_NS	400000000ll

const char *const work_names[WORKS] = { "map and unmap", "attach and detach" };

static int map_once(struct pair *pair, struct attachment *attachment)
{
	struct mapping mapping;
	int ret = peer_map(attachment, PEER_BIDIRECTIONAL, &mapping);

	(void)pair;
	return ret ? ret : peer_unmap(&mapping);
}

static struct buffer buffer;

static int attach_once(struct pair *pair, struct attachment *attachment)
{
	struct attachment other;
	int ret = peer_attach(&pair->importer, buffer.fd, NULL, &other);

	(void)attachment;
	return ret ? ret : peer_detach(&other);
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/*
 * The fastest batch: what else the machine does makes others slower. A batch has
 * all that the monitor does only now and then.
 */
static int measure(int (*once)(struct pair *, struct attachment *),
		   struct pair *pair, struct attachment *attachment, double *ns)
{
	long long begin = now_ns(), start = begin, passed;
	int ret = 0;

	*ns = 1e18;
	while (!ret && start < begin + MEASURE_NS) {
		for (int i = 0; !ret && i < BATCH; i++)
			ret = once(pair, attachment);
		passed = now_ns() - start;
		start += passed;
		if (passed < *ns * BATCH)
			*ns = (double)passed / BATCH;
	}
	return ret;
}

static int failed(const char *what, int ret)
{
	fprintf(stderr, "overhead: %s: %s\n", what, strerror(-ret));
	return ret;
}

int work_measure(double ns[WORKS])
{
	const struct buffer_spec spec = { .size = PAIR_BUFFER_SIZE };
	struct attachment attachment;
	struct pair pair;
	int ret = pair_open(&pair);

	if (ret)
		return failed("opening the peers", ret);
	ret = exporter_alloc(&pair.exporter, &spec, &buffer);
	if (!ret)
		ret = peer_attach(&pair.importer, buffer.fd, NULL, &attachment);
	if (!ret)
		ret = measure(map_once, &pair, &attachment, &ns[0]);
	if (!ret)
		ret = measure(attach_once, &pair, &attachment, &ns[1]);
	return ret ? failed("a call of the peers", ret) : 0;
}
