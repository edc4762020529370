// SPDX-License-Identifier: GPL-2.0-only
/* map and unmap: lists of mappings, and what they say about the other side. */
#include <linux/dma-mapping.h>
#include <linux/err.h>

#include "exporter/exporter.h"

/*
 * Bring the storage to where the attachments reach it (P2P-06). Pinned, it
 * stays, and then the caller at least has to reach it.
 */
static int settle(struct peer_buffer *buffer, struct dma_buf_attachment *core)
{
	bool everyone, stays;

	if (peer_fault(ignores_peer2peer))
		return 0;
	mutex_lock(&buffer->state);
	everyone = all_reach(buffer, buffer->placement);
	stays = buffer->pins || buffer->vmaps ||
		buffer->policy == PEER_POLICY_STATIC;
	mutex_unlock(&buffer->state);
	if (everyone || (stays && core->peer2peer))
		return 0;
	if (stays)
		return -EINVAL;
	return move_storage(buffer, PEER_PLACE_SYSTEM, 0, 0);
}

static int prepare(struct peer_buffer *buffer, struct dma_buf_attachment *core)
{
	int error = fails_now(buffer, PEER_FAIL_MAP);

	if (error) {
		if (peer_fault(map_fails_leaving_mapping)) {
			mutex_lock(&buffer->state);
			buffer->maps++;
			mutex_unlock(&buffer->state);
		}
		return error;
	}
	if (peer_fault(map_takes_lock)) {
		error = dma_resv_lock_interruptible(&buffer->resv, NULL);
		if (error)
			return error;
		dma_resv_unlock(&buffer->resv);
	}
	/* REV-03 */
	if (READ_ONCE(buffer->revoked) && !peer_fault(maps_while_revoked))
		return -ENODEV;
	error = move_at_map(buffer);
	if (error)
		return error;
	return settle(buffer, core);
}

/* The mutants hand out a table that lives already. */
static struct mapping *reuse(struct attachment *attachment)
{
	struct mapping *mapping;

	if (!peer_fault(shares_table))
		return NULL;
	mapping = list_first_entry_or_null(&attachment->mappings,
					   struct mapping, node);
	if (mapping)
		mapping->users++;
	return mapping;
}

/* What a driver does that keeps one table and fills it in for each map. */
static void rewrite(struct peer_buffer *buffer)
{
	struct attachment *attachment;
	struct mapping *mapping;

	list_for_each_entry(attachment, &buffer->attachments, node)
		list_for_each_entry(mapping, &attachment->mappings, node)
			sg_dma_address(mapping->table.sgl) ^= PAGE_SIZE;
}

static struct mapping *add_mapping(struct peer_buffer *buffer,
				   struct dma_buf_attachment *core,
				   enum dma_data_direction direction)
{
	struct attachment *attachment = to_attachment(core);
	struct mapping *mapping;

	mutex_lock(&buffer->state);
	if (peer_fault(rewrites_table))
		rewrite(buffer);
	mapping = reuse(attachment);
	if (!mapping) {
		mapping = mapping_create(buffer, core, direction);
		if (IS_ERR(mapping))
			goto unlock;
		list_add_tail(&mapping->node, &attachment->mappings);
	}
	attachment->maps++;
	buffer->maps++;
	if (peer_fault(map_changes_priv))
		core->priv = (void *)((unsigned long)core->priv | 1UL);
unlock:
	mutex_unlock(&buffer->state);
	return mapping;
}

struct sg_table *exporter_map(struct dma_buf_attachment *core,
			      enum dma_data_direction direction)
{
	struct peer_buffer *buffer = core->dmabuf->priv;
	struct mapping *mapping;
	struct visit visit;
	int ret;

	visit_begin(&visit, buffer, core, PEER_CALL_MAP);
	visit.event.direction = direction;
	if (!valid_dma_direction(direction)) {
		ret = -EINVAL;
		goto end_visit;
	}
	if (!core->dev->dma_mask) {
		ret = -EOPNOTSUPP;
		goto end_visit;
	}
	ret = fails_now(buffer, PEER_FAIL_MAP_NULL);
	if (ret) {
		visit_end(&visit, ret);
		return NULL;
	}
	ret = prepare(buffer, core);
	if (ret)
		goto end_visit;
	mapping = add_mapping(buffer, core, direction);
	ret = PTR_ERR_OR_ZERO(mapping);
end_visit:
	to_attachment(core)->map_failed = ret;
	visit_end(&visit, ret);
	return ret ? ERR_PTR(ret) : &mapping->table;
}

/* Drop one use; .state is held. */
static void put_mapping(struct peer_buffer *buffer,
			struct attachment *attachment, struct mapping *mapping)
{
	attachment->maps--;
	buffer->maps--;
	if (!buffer->maps)
		wake_up_all(&buffer->unmapped);
	if (--mapping->users)
		return;
	list_del(&mapping->node);
	mapping_destroy(mapping, attachment->core->dev);
}

unsigned int drop_mappings(struct peer_buffer *buffer,
			   struct attachment *attachment)
{
	struct mapping *mapping;
	unsigned int dropped = 0;

	while (!list_empty(&attachment->mappings)) {
		mapping = list_first_entry(&attachment->mappings,
					   struct mapping, node);
		put_mapping(buffer, attachment, mapping);
		dropped++;
	}
	return dropped;
}

static struct mapping *find(struct attachment *attachment,
			    const struct sg_table *table)
{
	struct mapping *mapping;

	list_for_each_entry(mapping, &attachment->mappings, node)
		if (&mapping->table == table)
			return mapping;
	return NULL;
}

/* MAP-03, SGT-05: same table, same direction, entries as they were. */
static u32 compare(const struct mapping *mapping,
		   enum dma_data_direction direction)
{
	u32 flags = 0;

	if (mapping->direction != direction)
		flags |= PEER_EVENT_DIRECTION_CHANGED;
	if (mapping_changed(mapping))
		flags |= PEER_EVENT_TABLE_CHANGED;
	return flags;
}

/* MAP-06: the table says what to undo, not the place of the storage now. */
static u32 remove_mapping(struct peer_buffer *buffer,
			  struct attachment *attachment, struct sg_table *table,
			  enum dma_data_direction direction)
{
	struct mapping *mapping;
	u32 flags;

	mutex_lock(&buffer->state);
	mapping = find(attachment, table);
	if (peer_fault(unmap_by_new_place) && mapping &&
	    mapping->placement != buffer->placement)
		mapping = NULL;
	if (mapping) {
		flags = compare(mapping, direction);
		put_mapping(buffer, attachment, mapping);
	} else if (attachment->maps) {
		flags = PEER_EVENT_TABLE_FOREIGN;
	} else {
		flags = PEER_EVENT_TABLE_FOREIGN;
		atomic_inc(&buffer->order_wrong);
	}
	mutex_unlock(&buffer->state);
	return flags;
}

void exporter_unmap(struct dma_buf_attachment *core, struct sg_table *table,
		    enum dma_data_direction direction)
{
	struct peer_buffer *buffer = core->dmabuf->priv;
	struct visit visit;
	u32 wrong;

	if (peer_fault(unwinding_is_lost) &&
	    is_in_core_map(__builtin_return_address(0)))
		return;
	visit_begin(&visit, buffer, core, PEER_CALL_UNMAP);
	visit.event.direction = direction;
	wrong = remove_mapping(buffer, to_attachment(core), table, direction);
	if (wrong)
		atomic_inc(&buffer->tables_changed);
	visit.event.flags |= wrong;
	visit_end(&visit, 0);
}
