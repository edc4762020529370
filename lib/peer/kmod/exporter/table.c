// SPDX-License-Identifier: GPL-2.0-only
/*
 * Scatter tables in every legal shape. The pages are mapped for the device by
 * a private table; what the importer gets is a copy laid out as asked. So
 * whatever the importer does to its table, unmap gives back what was mapped.
 */
#include <linux/dma-mapping.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "exporter/exporter.h"
#include "shared/memory.h"

/* One entry: of the CPU side, of the DMA side, or of both at once. */
struct piece {
	struct page *page;
	dma_addr_t address;
	unsigned int length;
};

struct layout {
	struct piece *cpu;
	unsigned int cpu_count;
	struct piece *dma;
	unsigned int dma_count;
	unsigned int segment_pages;	/* that the device takes in one entry */
	unsigned int room;		/* entries of either side, but for the spare ones */
};

/* One flag adds an entry, another splits one. */
#define SPARE_PIECES	2

static u32 place_to_map(const struct peer_buffer *buffer)
{
	if (peer_fault(map_returns_old_address) &&
	    buffer->left < PEER_PLACE_COUNT)
		return buffer->left;
	return buffer->placement;
}

/* Most bytes in one entry; a page at least, as less cannot be had. */
static unsigned int segment_size(struct device *device)
{
	return max_t(unsigned int, dma_get_max_seg_size(device), PAGE_SIZE);
}

/* SGT-06: so that the end of an entry is not that of a huge page. */
static unsigned int entry_size(const struct peer_buffer *buffer,
			       struct device *device)
{
	unsigned int size = segment_size(device);

	if (!(buffer->flags & PEER_BUFFER_REPEATED))
		return size;
	return min_t(unsigned int, size,
		     ((1u << PEER_PIECE_ORDER) - 1) << PAGE_SHIFT);
}

static int map_backing(struct peer_buffer *buffer, struct mapping *mapping,
		       struct device *device)
{
	struct place *place = &buffer->places[mapping->placement];
	int ret;

	ret = sg_alloc_table_from_pages_segment(&mapping->backing, place->pages,
						buffer->page_count, 0,
						buffer->size,
						entry_size(buffer, device),
						GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret;
	ret = dma_map_sgtable(device, &mapping->backing, mapping->direction, 0);
	if (ret)
		sg_free_table(&mapping->backing);
	return ret;
}

static int layout_alloc(struct layout *layout)
{
	size_t count = layout->room + SPARE_PIECES;

	layout->cpu = kvcalloc(count, sizeof(*layout->cpu), GFP_KERNEL);
	layout->dma = kvcalloc(count, sizeof(*layout->dma), GFP_KERNEL);
	if (layout->cpu && layout->dma)
		return 0;
	kvfree(layout->cpu);
	kvfree(layout->dma);
	return -ENOMEM;
}

static void layout_free(struct layout *layout)
{
	kvfree(layout->cpu);
	kvfree(layout->dma);
}

/* As the DMA API left it: under an IOMMU fewer DMA entries than CPU entries. */
static void lay_out_merged(struct layout *layout, struct sg_table *backing)
{
	struct scatterlist *sg;
	int i;

	for_each_sgtable_sg(backing, sg, i)
		layout->cpu[layout->cpu_count++] = (struct piece) {
			.page = sg_page(sg),
			.length = sg->length,
		};
	for_each_sgtable_dma_sg(backing, sg, i)
		layout->dma[layout->dma_count++] = (struct piece) {
			.address = sg_dma_address(sg),
			.length = sg_dma_len(sg),
		};
}

/* Pages that the nth entry may cover. */
static unsigned int pages_at_most(u32 shape, unsigned int n)
{
	switch (shape) {
	case PEER_SHAPE_PAGES:
		return 1;
	case PEER_SHAPE_SPLIT:
		return 1 + n % 3;
	default:
		return UINT_MAX;
	}
}

static bool continues(const struct piece *piece, const struct piece *next,
		      bool pageless)
{
	if (piece->address + piece->length != next->address)
		return false;
	return pageless || page_to_pfn(piece->page) +
			   (piece->length >> PAGE_SHIFT) == page_to_pfn(next->page);
}

static void append_page(struct layout *layout, const struct piece *next,
			u32 shape, bool pageless)
{
	unsigned int last = layout->dma_count - 1;
	struct piece *piece = &layout->dma[last];
	unsigned int most = min(pages_at_most(shape, last),
				layout->segment_pages);

	if (layout->dma_count && continues(piece, next, pageless) &&
	    piece->length >> PAGE_SHIFT < most) {
		piece->length += PAGE_SIZE;
		return;
	}
	layout->dma[layout->dma_count++] = *next;
}

/* Page by page, joined as far as the shape allows. */
static void lay_out_pages(struct layout *layout, struct mapping *mapping,
			  struct place *place, u32 shape, bool pageless)
{
	struct sg_dma_page_iter iter;
	unsigned int i = 0;

	for_each_sgtable_dma_page(&mapping->backing, &iter, 0) {
		struct piece next = {
			.page = place->pages[i++],
			.address = sg_page_iter_dma_address(&iter),
			.length = PAGE_SIZE,
		};

		append_page(layout, &next, shape, pageless);
	}
	if (pageless)
		return;
	memcpy(layout->cpu, layout->dma, layout->dma_count * sizeof(*layout->dma));
	layout->cpu_count = layout->dma_count;
}

/* Repeats the first page: longer than the buffer, yet nobody else's memory. */
static void lengthen(struct layout *layout)
{
	layout->dma[layout->dma_count] = layout->dma[0];
	layout->dma[layout->dma_count++].length = PAGE_SIZE;
}

static void shorten(struct layout *layout)
{
	struct piece *last = &layout->dma[layout->dma_count - 1];

	last->length -= PAGE_SIZE;
	if (!last->length && layout->dma_count > 1)
		layout->dma_count--;
}

/* Splits the first entry inside a page: same bytes, no alignment. */
static void misalign(struct layout *layout)
{
	memmove(layout->dma + 1, layout->dma,
		layout->dma_count * sizeof(*layout->dma));
	layout->dma_count++;
	layout->dma[0].length = SZ_512;
	layout->dma[1].address += SZ_512;
	layout->dma[1].length -= SZ_512;
}

/* What a driver does that takes physical for DMA addresses. */
static void unmap_addresses(struct layout *layout, struct place *place,
			    unsigned int pages)
{
	unsigned int i;

	layout->dma_count = 0;
	for (i = 0; i < pages && i < layout->room; i++)
		layout->dma[layout->dma_count++] = (struct piece) {
			.page = place->pages[i],
			.address = page_to_phys(place->pages[i]),
			.length = PAGE_SIZE,
		};
}

static void distort(struct layout *layout, struct peer_buffer *buffer)
{
	if (buffer->flags & PEER_BUFFER_SHORT || peer_fault(short_table))
		shorten(layout);
	if (buffer->flags & PEER_BUFFER_LONG || peer_fault(long_table))
		lengthen(layout);
	if (buffer->flags & PEER_BUFFER_MISALIGNED || peer_fault(unaligned_entry))
		misalign(layout);
	if (peer_fault(raw_addresses))
		unmap_addresses(layout, &buffer->places[buffer->placement],
				buffer->page_count);
}

static int build_table(struct mapping *mapping, const struct layout *layout)
{
	struct sg_table *table = &mapping->table;
	struct scatterlist *sg;
	unsigned int i;
	int ret;

	mapping->allocated = max(layout->cpu_count, layout->dma_count);
	ret = sg_alloc_table(table, mapping->allocated, GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret;
	for_each_sg(table->sgl, sg, mapping->allocated, i) {
		if (i < layout->cpu_count)
			sg_set_page(sg, layout->cpu[i].page,
				    layout->cpu[i].length, 0);
		if (i < layout->dma_count) {
			sg_dma_address(sg) = layout->dma[i].address;
			sg_dma_len(sg) = layout->dma[i].length;
		}
	}
	table->nents = layout->dma_count;
	table->orig_nents = layout->cpu_count;
	mapping->given = *table;
	return 0;
}

static u64 mix(u64 sum, u64 value)
{
	return (sum ^ value) * 0x100000001b3ULL;
}

/*
 * Walks what was allocated, not what the importer may have made of it. Only an
 * end mark that it has set ends the walk early.
 */
static u64 checksum(const struct mapping *mapping)
{
	u64 sum = mix(mapping->table.nents, mapping->table.orig_nents);
	struct scatterlist *sg;
	unsigned int i;

	sg = mapping->given.sgl;
	for (i = 0; sg && i < mapping->allocated; i++, sg = sg_next(sg)) {
		sum = mix(sum, sg_dma_address(sg));
		sum = mix(sum, sg_dma_len(sg));
		sum = mix(sum, sg->page_link);
		sum = mix(sum, sg->length);
		sum = mix(sum, sg->offset);
	}
	return sum;
}

bool mapping_changed(const struct mapping *mapping)
{
	return mapping->table.sgl != mapping->given.sgl ||
	       checksum(mapping) != mapping->checksum;
}

/* Of a large buffer there are far fewer entries than pages, unless a mutant is at it. */
static unsigned int pieces_at_most(const struct peer_buffer *buffer,
				   const struct mapping *mapping, bool merged)
{
	return merged && !peer_fault(raw_addresses) ?
	       mapping->backing.orig_nents : buffer->page_count;
}

static int fill(struct peer_buffer *buffer, struct mapping *mapping,
		struct device *device)
{
	bool pageless = buffer->shape == PEER_SHAPE_PAGELESS ||
			(mapping->placement == PEER_PLACE_DEVICE &&
			 !peer_fault(names_device_pages));
	bool merged = buffer->shape == PEER_SHAPE_MERGED && !pageless;
	struct layout layout = {
		.segment_pages = segment_size(device) >> PAGE_SHIFT,
		.room = pieces_at_most(buffer, mapping, merged),
	};
	int ret;

	ret = layout_alloc(&layout);
	if (ret)
		return ret;
	if (merged)
		lay_out_merged(&layout, &mapping->backing);
	else
		lay_out_pages(&layout, mapping,
			      &buffer->places[mapping->placement],
			      buffer->shape, pageless);
	distort(&layout, buffer);
	ret = build_table(mapping, &layout);
	layout_free(&layout);
	return ret;
}

static struct mapping *new_mapping(struct peer_buffer *buffer,
				   enum dma_data_direction direction)
{
	size_t charge = 2 * sizeof(struct scatterlist) * buffer->page_count;
	struct mapping *mapping;

	if (peer_memory_charge(charge))
		return NULL;
	mapping = kzalloc(sizeof(*mapping), GFP_KERNEL_ACCOUNT);
	if (!mapping) {
		peer_memory_uncharge(charge);
		return NULL;
	}
	mapping->charge = charge;
	mapping->direction = direction;
	mapping->users = 1;
	mapping->placement = place_to_map(buffer);
	return mapping;
}

static void free_mapping(struct mapping *mapping)
{
	peer_memory_uncharge(mapping->charge);
	kfree(mapping);
}

struct mapping *mapping_create(struct peer_buffer *buffer,
			       struct dma_buf_attachment *core,
			       enum dma_data_direction direction)
{
	struct mapping *mapping = new_mapping(buffer, direction);
	int ret;

	if (!mapping)
		return ERR_PTR(-ENOMEM);
	ret = map_backing(buffer, mapping, core->dev);
	if (ret)
		goto free_mapping;
	ret = fill(buffer, mapping, core->dev);
	if (ret)
		goto unmap_backing;
	mapping->checksum = checksum(mapping);
	return mapping;
unmap_backing:
	dma_unmap_sgtable(core->dev, &mapping->backing, direction, 0);
	sg_free_table(&mapping->backing);
free_mapping:
	free_mapping(mapping);
	return ERR_PTR(ret);
}

void mapping_unmap(struct mapping *mapping, struct device *device)
{
	if (mapping->backing_gone)
		return;
	dma_unmap_sgtable(device, &mapping->backing, mapping->direction, 0);
	mapping->backing_gone = true;
}

void mapping_destroy(struct mapping *mapping, struct device *device)
{
	mapping_unmap(mapping, device);
	sg_free_table(&mapping->backing);
	mapping->given.orig_nents = mapping->allocated;
	sg_free_table(&mapping->given);
	free_mapping(mapping);
}
