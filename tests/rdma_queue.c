// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory for the queues of an RDMA device, described by user space: RDMA core
 * is given descriptions of a dma-buf for a completion queue, with one thing
 * wrong at a time, by its own ioctl. RDMA core is judged.
 * Clause: RDR-14.
 */
#include "importer/region.h"
#include "pair/clause_test.h"

#define PAGE		UINT64_C(4096)
#define ENTRIES		16	/* any driver's fit in a page */
#define TOO_SHORT	8	/* bytes; less than one entry */

/* Numbers that headers of older distributions do not have. */
enum {
	CREATE_CQ_BUFFER_VA = UVERBS_ATTR_CREATE_CQ_EVENT_FD + 1,
	CREATE_CQ_BUFFER_LENGTH,
	CREATE_CQ_BUFFER_FD,
	CREATE_CQ_BUFFER_OFFSET,
	CREATE_CQ_BUFFER,
};

#define MEMORY_DMA_BUF	0

/* The new way to describe memory. */
struct memory {
	uint32_t type;
	int32_t fd;
	uint32_t flags;
	uint32_t optional_flags;
	uint64_t offset;		/* in the dma-buf, or an address */
	uint64_t length;
};

/* Whose completion queues are tried, and what its driver wants to be told. */
struct maker {
	struct raw_domain raw;
	const void *words;
	size_t words_size;
};

static size_t add(struct uverbs_attribute *attributes, size_t count,
		  uint16_t id, uint16_t length, uint64_t data)
{
	attributes[count] = (struct uverbs_attribute){
		.id = id, .length = length, .data = data,
	};
	return count + 1;
}

/* What every completion queue is told; words of 8 bytes at most go by value. */
static size_t describe_queue(const struct maker *maker,
			     struct uverbs_attribute *attributes,
			     uint32_t *entries)
{
	size_t count = 0;

	count = add(attributes, count, UVERBS_ATTR_CREATE_CQ_HANDLE, 0, 0);
	count = add(attributes, count, UVERBS_ATTR_CREATE_CQ_CQE, 4, ENTRIES);
	count = add(attributes, count, UVERBS_ATTR_CREATE_CQ_USER_HANDLE, 8, 0);
	count = add(attributes, count, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, 4, 0);
	count = add(attributes, count, UVERBS_ATTR_CREATE_CQ_RESP_CQE, 4,
		    (uintptr_t)entries);
	return add(attributes, count, UVERBS_ATTR_UHW_IN, maker->words_size,
		   (uintptr_t)maker->words);
}

/* @memory in the new way, @old in the old one; both, or either, may be NULL. */
static int create(const struct maker *maker, const struct memory *memory,
		  const struct memory *old, uint32_t *queue)
{
	struct uverbs_attribute attributes[UVERBS_ATTRIBUTES_MAX];
	uint32_t entries;
	size_t count = describe_queue(maker, attributes, &entries);
	int ret;

	if (memory)
		count = add(attributes, count, CREATE_CQ_BUFFER,
			    sizeof(*memory), (uintptr_t)memory);
	if (old) {
		count = add(attributes, count, CREATE_CQ_BUFFER_FD, 0, old->fd);
		count = add(attributes, count, CREATE_CQ_BUFFER_OFFSET, 8,
			    old->offset);
		count = add(attributes, count, CREATE_CQ_BUFFER_LENGTH, 8,
			    old->length);
	}
	ret = uverbs_call(&maker->raw.uverbs, UVERBS_OBJECT_CQ,
			  UVERBS_METHOD_CQ_CREATE, attributes, count);
	*queue = attributes[0].data;
	return ret;
}

static int destroy(const struct maker *maker, uint32_t queue)
{
	struct ib_uverbs_destroy_cq_resp answer;
	struct uverbs_attribute attributes[] = {
		{ .id = UVERBS_ATTR_DESTROY_CQ_HANDLE, .data = queue },
		{ .id = UVERBS_ATTR_DESTROY_CQ_RESP, .length = sizeof(answer),
		  .data = (uintptr_t)&answer },
	};

	return uverbs_call(&maker->raw.uverbs, UVERBS_OBJECT_CQ,
			   UVERBS_METHOD_CQ_DESTROY, attributes,
			   ARRAY_SIZE(attributes));
}

static int try(const struct maker *maker, const struct memory *memory,
	       const struct memory *old)
{
	uint32_t queue;
	int ret = create(maker, memory, old, &queue);

	return ret ? ret : destroy(maker, queue);
}

/* Which of the words known the driver takes for a queue in memory of its own. */
static bool find_words(struct maker *maker, const struct verbs *verbs)
{
	for (unsigned int i = 0; ; i++) {
		maker->words_size = verbs_queue_words(verbs, i, &maker->words);
		if (!maker->words_size)
			return false;
		if (!try(maker, NULL, NULL))
			return true;
	}
}

/* Attachments of the buffer while a queue is in it; or a negative errno. */
static int attachments_with_queue(const struct maker *maker,
				  const struct buffer *buffer,
				  const struct memory *memory)
{
	uint32_t queue;
	int ret = create(maker, memory, NULL, &queue), attachments;

	if (ret)
		return ret;
	attachments = region_attachments(buffer);
	ret = destroy(maker, queue);
	return ret ? ret : attachments;
}

static struct memory page_of(const struct buffer *buffer)
{
	return (struct memory){
		.type = MEMORY_DMA_BUF, .fd = buffer->fd, .length = PAGE,
	};
}

/*
 * A driver whose queues can be made here, in a page of the fixture's buffer;
 * @good_ gets that page's description, @attached_ who else is attached.
 */
#define must_open_maker(maker_, good_, attached_) \
	do { \
		needs_law(LAW_UMEM_DESCRIPTORS, YES); \
		must_open_raw(&(maker_)->raw); \
		*(attached_) = region_attachments(&self->buffer); \
		if (*(attached_) < 0) \
			skip_case("cannot read bufinfo: %s", \
				  errno_text(*(attached_))); \
		if (!find_words(maker_, verbs_of(self->importer))) \
			skip_case("nobody here knows how its driver is told of a queue"); \
		*(good_) = page_of(&self->buffer); \
		if (attachments_with_queue(maker_, &self->buffer, good_) != \
		    *(attached_) + 1) \
			skip_case("its driver makes no queue in this buffer"); \
	} while (0)

CLAUSE_TEST(unknown_description_is_refused,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_14_a, RDR_14_b)
{
	static const uint32_t flags[] = { 1u << 16, 1u << 30, 1u << 31 };
	static const uint32_t types[] = { 1u << 8, INT32_MAX, UINT32_MAX };
	struct memory good, bad;
	struct maker maker;
	int attached;

	must_open_maker(&maker, &good, &attached);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		bad = good;
		bad.flags = flags[i];
		check_errno(RDR_14_a, EINVAL, try(&maker, &bad, NULL));
	}
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		bad = good;
		bad.type = types[i];
		check_errno(RDR_14_b, EINVAL, try(&maker, &bad, NULL));
	}
	must_be(region_attachments(&self->buffer) == attached);
	must(raw_domain_close(&maker.raw));
}

CLAUSE_TEST(short_memory_is_let_go,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_14_c)
{
	struct memory good, brief;
	struct maker maker;
	int attached;

	must_open_maker(&maker, &good, &attached);
	brief = good;
	brief.length = TOO_SHORT;
	check_errno(RDR_14_c, EINVAL, try(&maker, &brief, NULL));
	check_equal(RDR_14_c, attached, region_attachments(&self->buffer));
	must(try(&maker, &good, NULL));
	must(raw_domain_close(&maker.raw));
}

/* Each of them alone is taken. */
CLAUSE_TEST(memory_is_described_in_one_way,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_14_d)
{
	struct memory good;
	struct maker maker;
	int attached;

	must_open_maker(&maker, &good, &attached);
	must(try(&maker, NULL, &good));
	check_errno(RDR_14_d, EINVAL, try(&maker, &good, &good));
	check_equal(RDR_14_d, attached, region_attachments(&self->buffer));
	must(raw_domain_close(&maker.raw));
}

/* Past what a word of the kernel holds, where a word is shorter than 64 bits. */
CLAUSE_TEST(memory_beyond_the_machine_is_refused,
	    NEEDS(EXPORTER_MAPS, IMPORTER_VERBS) | ANY_EXPORTER, RDR_14_e)
{
	struct memory good, bad;
	struct maker maker;
	int attached;

	needs_law(LAW_WIDE_WORDS, NO);
	must_open_maker(&maker, &good, &attached);
	bad = good;
	bad.offset = UINT64_C(1) << 32;
	check_errno(RDR_14_e, EOVERFLOW, try(&maker, &bad, NULL));
	bad = good;
	bad.length = UINT64_C(1) << 32;
	check_errno(RDR_14_e, EOVERFLOW, try(&maker, &bad, NULL));
	must(raw_domain_close(&maker.raw));
}

CLAUSE_TEST_MAIN("rdma_queue")
