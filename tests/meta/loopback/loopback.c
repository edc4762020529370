// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whether the back end "verbs" moves bytes on devices that are no EFA: over
 * reliable connections and datagrams of the kernel's software RDMA, rxe, with
 * the code that other vendors' devices will run. It registers no dma-bufs, so
 * plain memory stands for them. Runs as the guest's only program.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "importer/importer.h"
#include "importer/uverbs.h"
#include "importer/verbs.h"
#include "importer/verbs_mover.h"
#include "oracle/rdma_link.h"
#include "pair/await.h"
#include "pair/pattern.h"

#define DEVICE		"rxe0"
#define NETWORK		"dummy0"
#define PROVIDER	"/cts/files/librxe"	/* without what its version adds */
#define WAIT_MS		10000
#define SIZE		(1 << 20)	/* more than a mover takes at a time */
#define MESSAGE		100
#define GRH		40		/* what a datagram is received behind */
#define IMMEDIATE	0x12345678

static int checks, failed;
static struct verbs *verbs;
static struct verbs_domain *domain;
static struct verbs_region region;
static unsigned char *memory, *content;

static void check(int good, const char *what)
{
	checks++;
	failed += !good;
	printf("%sok %d %s\n", good ? "" : "not ", checks, what);
	fflush(stdout);
}

/* Without an address its port is down, and it has no transport. */
static bool is_ready(void)
{
	if (verbs_open(DEVICE, &verbs))
		return false;
	if (verbs_traits(verbs)->transport)
		return true;
	verbs_close(verbs);
	return false;
}

static int set_up(void)
{
	uint32_t access;
	int ret = link_up(NETWORK);

	if (!ret)
		ret = link_add(DEVICE, "rxe", NETWORK);
	if (!ret && !comes_true(WAIT_MS, is_ready()))
		ret = -ENETDOWN;
	if (!ret)
		ret = verbs_domain_new(verbs, &domain);
	if (ret)
		return ret;
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	content = malloc(SIZE);
	if (memory == MAP_FAILED || !content)
		return -ENOMEM;
	access = verbs_move_access(verbs_traits(verbs), IMPORT_BOTH);
	return verbs_register_memory(domain, memory, SIZE, access, &region);
}

/* All bytes of an odd range, and none beside it. */
static void check_moves(struct verbs_mover *mover)
{
	const size_t offset = 4091, length = SIZE - 2 * 4091;

	memset(memory, 0, SIZE);
	pattern_fill(1, offset, content, length);
	check(!verbs_move_in(mover, &region, offset, content, length) &&
	      pattern_mismatch(1, offset, memory + offset, length) < 0,
	      "what is written arrives");
	check(!memory[offset - 1] && !memory[offset + length],
	      "nothing beside it changes");
	memset(content, 0, length);
	check(!verbs_move_out(mover, &region, offset, content, length) &&
	      pattern_mismatch(1, offset, content, length) < 0,
	      "what is read is what is there");
}

/* An error ends the connection; what comes after it must not suffer. */
static void check_recovery(struct verbs_mover *mover)
{
	struct verbs_region stranger = region;

	stranger.rkey ^= 0x100;
	stranger.lkey ^= 0x100;
	check(verbs_move_in(mover, &stranger, 0, content, 16) == -EREMOTEIO,
	      "a key that nobody has is refused");
	check(verbs_move_out(mover, &region, SIZE - 8, content, 16) == -EREMOTEIO,
	      "a read past the end is refused");
	check_moves(mover);
}

static void check_mover(void)
{
	struct verbs_mover mover;
	int ret = verbs_mover_open(domain, &mover);

	check(!ret, "a mover opens");
	if (ret)
		return;
	check_moves(&mover);
	check_recovery(&mover);
	check(!verbs_mover_close(&mover), "it closes");
}

/* One message with an immediate value, into @memory at half its size. */
static bool message_arrives(struct verbs_end *from, struct verbs_end *to,
			    size_t prefix)
{
	const struct verbs_work work = {
		.operation = VERBS_SEND_IMMEDIATE,
		.id = 5,
		.local = region.iova,
		.lkey = region.lkey,
		.length = MESSAGE,
		.immediate = IMMEDIATE,
	};
	struct verbs_completion sent, received;
	unsigned char *target = memory + SIZE / 2;

	pattern_fill(2, 0, memory, MESSAGE);
	memset(target, 0, 4096);
	return !verbs_arm(to) &&
	       !verbs_post_receive(to, 6, region.lkey, region.iova + SIZE / 2,
				   4096) &&
	       !verbs_run(from, &work, &sent) && sent.id == 5 &&
	       !verbs_await_event(to, WAIT_MS) &&
	       !verbs_complete(to, WAIT_MS, &received) && !received.status &&
	       received.id == 6 && received.received &&
	       received.length == MESSAGE + prefix && received.has_immediate &&
	       received.immediate == IMMEDIATE &&
	       pattern_mismatch(2, 0, target + prefix, MESSAGE) < 0;
}

static void check_messages(const char *transport, size_t prefix)
{
	struct verbs_end *near = NULL, *far = NULL;
	char text[64];
	bool good;

	good = !verbs_end_new(domain, transport, &near) &&
	       !verbs_end_new(domain, transport, &far) &&
	       !verbs_connect(near, far) && message_arrives(near, far, prefix);
	snprintf(text, sizeof(text), "a message arrives over %s", transport);
	check(good, text);
	snprintf(text, sizeof(text), "and another one back");
	check(good && message_arrives(far, near, prefix), text);
	verbs_end_free(near);
	verbs_end_free(far);
}

/* The raw interface finds the driver of any device by itself. */
static void check_raw(void)
{
	const struct verbs_request request = { .fd = -1, .length = 4096 };
	struct uverbs uverbs;
	uint32_t pd = 0, mr;
	int ret = uverbs_open(DEVICE, &uverbs);

	check(!ret && uverbs.driver_id == RDMA_DRIVER_RXE,
	      "the kernel's interface tells the driver");
	if (ret)
		return;
	check(!uverbs_get_context(&uverbs) && !uverbs_alloc_pd(&uverbs, &pd) &&
	      uverbs_register(&uverbs, pd, &request, &mr, NULL) == -EOPNOTSUPP &&
	      !uverbs_dealloc_pd(&uverbs, pd),
	      "and that it registers no dma-bufs");
	uverbs_close(&uverbs);
}

/* As importer it is absent, for that reason. */
static void check_importer(void)
{
	struct importer importer;
	int ret = importer_open("verbs:" DEVICE, &importer);

	check(ret == -ENODEV && importer.backend.reason_count == 1 &&
	      strstr(importer.backend.reasons[0], "registers no dma-bufs"),
	      "the back end says why it cannot import");
}

int main(void)
{
	int ret;

	puts("TAP version 13");
	/* The guest's list of providers has only what its own devices need. */
	setenv("RDMAV_DRIVERS", PROVIDER, 1);
	ret = set_up();
	check(!ret, "software RDMA is there");
	if (ret) {
		printf("# %s\n", strerror(-ret));
	} else {
		check(!strcmp(verbs_traits(verbs)->transport, "RC"),
		      "its transport is RC");
		check_mover();
		check_messages("RC", 0);
		check_messages("UD", GRH);
		check_raw();
		check_importer();
	}
	printf("1..%d\n", checks);
	return failed != 0;
}
