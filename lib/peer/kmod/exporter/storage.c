// SPDX-License-Identifier: GPL-2.0-only
/* The places that storage can be in, and the bytes in them. */
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "exporter/exporter.h"
#include "shared/memory.h"

#define PAGE_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/*
 * Pages come in runs of 1, 2, 3, 1 ... so that tables have uneven entries; each
 * place begins with another one, so that a move changes how they lie.
 */
#define RUN_MAX		3
#define RUN_ORDER	2

#define PIECE_ORDER	PEER_PIECE_ORDER
#define REPEAT_PAGES	(PEER_REPEAT_BYTES >> PAGE_SHIFT)

static_assert(REPEAT_PAGES % (1u << PIECE_ORDER) == 0);

/* Pages that are its own; the others are these again. */
static unsigned int own_pages(const struct peer_buffer *buffer)
{
	return buffer->flags & PEER_BUFFER_REPEATED ?
	       min_t(unsigned int, buffer->page_count, REPEAT_PAGES) :
	       buffer->page_count;
}

/* What a place costs; the list of pages only where it may be long for its pages. */
static size_t place_bytes(const struct peer_buffer *buffer)
{
	size_t list = buffer->flags & PEER_BUFFER_REPEATED ?
		      buffer->page_count * sizeof(struct page *) : 0;

	return ((size_t)own_pages(buffer) << PAGE_SHIFT) + list;
}

static void free_pages_of(struct page **pages, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (pages[i])
			__free_page(pages[i]);
}

/* Neighbouring pages; what the power of two leaves over goes back. */
static int allocate_run(struct page **pages, unsigned int count,
			unsigned int order)
{
	struct page *first = alloc_pages(PAGE_GFP, order);
	unsigned int i;

	if (!first)
		return -ENOMEM;
	split_page(first, order);
	for (i = 0; i < count; i++)
		pages[i] = first + i;
	for (; i < 1u << order; i++)
		__free_page(first + i);
	return 0;
}

static int allocate_repeated(struct page **pages, unsigned int own,
			     unsigned int count)
{
	unsigned int done, run;
	int ret;

	for (done = 0; done < own; done += run) {
		run = min(1u << PIECE_ORDER, own - done);
		ret = allocate_run(pages + done, run, PIECE_ORDER);
		if (ret)
			return ret;
	}
	for (; done < count; done++)
		pages[done] = pages[done - own];
	return 0;
}

static int allocate_pages(struct page **pages, unsigned int count, u32 placement)
{
	unsigned int done, run, size = placement;
	int ret;

	for (done = 0; done < count; done += run) {
		size = size % RUN_MAX + 1;
		run = min(size, count - done);
		ret = allocate_run(pages + done, run, RUN_ORDER);
		if (ret)
			return ret;
		cond_resched();
	}
	return 0;
}

/* The pages that are the buffer's own. */
static int allocate_own(const struct peer_buffer *buffer, struct page **pages,
			u32 placement)
{
	unsigned int count = buffer->page_count;

	if (buffer->flags & PEER_BUFFER_REPEATED)
		return allocate_repeated(pages, own_pages(buffer), count);
	if (buffer->flags & PEER_BUFFER_CONTIGUOUS)
		return allocate_run(pages, count,
				    get_order((size_t)count << PAGE_SHIFT));
	return allocate_pages(pages, count, placement);
}

int place_ready(struct peer_buffer *buffer, u32 placement)
{
	struct place *place = &buffer->places[placement];
	struct page **pages;
	int ret;

	if (place->pages)
		return 0;
	ret = peer_memory_charge(place_bytes(buffer));
	if (ret)
		return ret;
	pages = kvcalloc(buffer->page_count, sizeof(*pages), GFP_KERNEL_ACCOUNT);
	if (!pages) {
		ret = -ENOMEM;
		goto uncharge;
	}
	ret = allocate_own(buffer, pages, placement);
	if (ret)
		goto free_pages;
	place->pages = pages;
	place_fill(buffer, placement, PEER_POISON);
	return 0;
free_pages:
	free_pages_of(pages, own_pages(buffer));
	kvfree(pages);
uncharge:
	peer_memory_uncharge(place_bytes(buffer));
	return ret;
}

void places_free(struct peer_buffer *buffer)
{
	u32 i;

	for (i = 0; i < PEER_PLACE_COUNT; i++) {
		struct place *place = &buffer->places[i];

		if (!place->pages)
			continue;
		free_pages_of(place->pages, own_pages(buffer));
		kvfree(place->pages);
		place->pages = NULL;
		peer_memory_uncharge(place_bytes(buffer));
	}
}

void place_fill(struct peer_buffer *buffer, u32 placement, u8 byte)
{
	struct page **pages = buffer->places[placement].pages;
	unsigned int i;

	for (i = 0; i < own_pages(buffer); i++) {
		void *data = kmap_local_page(pages[i]);

		memset(data, byte, PAGE_SIZE);
		kunmap_local(data);
		cond_resched();
	}
}

void place_copy(struct peer_buffer *buffer, u32 from, u32 to)
{
	unsigned int i;

	for (i = 0; i < own_pages(buffer); i++) {
		copy_highpage(buffer->places[to].pages[i],
			      buffer->places[from].pages[i]);
		cond_resched();
	}
}

void place_access(struct peer_buffer *buffer, u32 placement, u64 offset,
		  void *data, size_t length, bool write)
{
	struct page **pages = buffer->places[placement].pages;

	while (length) {
		size_t in_page = offset_in_page(offset);
		size_t part = min_t(size_t, length, PAGE_SIZE - in_page);
		struct page *page = pages[offset >> PAGE_SHIFT];

		if (write)
			memcpy_to_page(page, in_page, data, part);
		else
			memcpy_from_page(data, page, in_page, part);
		offset += part;
		data += part;
		length -= part;
	}
}

static int access_place(struct peer_buffer *buffer,
			const struct peer_storage *request, void *data)
{
	int ret = mutex_lock_interruptible(&buffer->state);

	if (ret)
		return ret;
	ret = buffer->released ? -ENODEV :
				 place_ready(buffer, request->placement);
	if (!ret)
		place_access(buffer, request->placement, request->offset, data,
			     request->length, request->write);
	mutex_unlock(&buffer->state);
	return ret;
}

static int transfer(struct peer_buffer *buffer,
		    const struct peer_storage *request)
{
	void __user *user = u64_to_user_ptr(request->data);
	void *data;
	int ret = 0;

	if (request->offset > buffer->size ||
	    request->length > buffer->size - request->offset)
		return -EINVAL;
	data = kvmalloc(request->length, GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	if (request->write && copy_from_user(data, user, request->length))
		ret = -EFAULT;
	if (!ret)
		ret = access_place(buffer, request, data);
	if (!ret && !request->write && copy_to_user(user, data, request->length))
		ret = -EFAULT;
	kvfree(data);
	return ret;
}

int ioctl_storage(struct peer_file *file, void *argument, void __user *user)
{
	const struct peer_storage *request = argument;
	struct peer_buffer *buffer;
	int ret;

	if (request->placement >= PEER_PLACE_COUNT || request->write > 1 ||
	    !request->length || request->length > PEER_TRANSFER_MAX ||
	    request->reserved)
		return -EINVAL;
	buffer = buffer_get(file, request->handle);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	ret = transfer(buffer, request);
	buffer_put(buffer);
	return ret;
}
