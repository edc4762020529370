// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which facts about a kernel tell which feature of the law. Only what the
 * kernel declares counts: the names it gives to its types and functions, and
 * its configuration.
 */

#include "clause/law_probe.h"

#include <string.h>
#include <sys/utsname.h>

#include "clause/fact.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

enum fact_id {
	OPS_INVALIDATE_MAPPINGS,
	OPS_MOVE_NOTIFY,
	ATTACHMENT_SGT,
	OPS_CACHE_SGT_MAPPING,
	BUFFER_LOCK,
	INVALIDATE_MAPPINGS,
	ATTACH_REVOCABLE,
	VMAP_UNLOCKED,
	PHYS_VEC_TO_SGT,
	FD_INSTALL,
	P2PDMA_DISTANCE,
	SYNC_FILE_CREATE,
	REG_MR_HANDLER,
	UMEM_CHECK_REREG,
	UMEM_GET_DESC,
	UMEM_REVOKE,
	UMEM_GET_REVOCABLE,
	DMABUF_ALLOC_HANDLER,
	OPTION_MOVE_NOTIFY,
	OPTION_DEBUG,
	OPTION_P2PDMA,
	OPTION_SYNC_FILE,
	OPTION_ON_DEMAND_PAGING,
	OPTION_64BIT,
	FACT_COUNT
};

static const struct fact what_to_look_for[FACT_COUNT] = {
#define MEMBER(type, member_) \
	{ .kind = FACT_MEMBER, .name = type, .member = member_ }
#define BESIDE(name_, beside_, module_) \
	{ .kind = FACT_FUNCTION, .name = name_, .beside = beside_, \
	  .module = module_ }
#define FUNCTION(name_)	BESIDE(name_, "dma_buf_map_attachment", NULL)
/* These are in ib_core or in ib_uverbs, and the second needs the first. */
#define UVERBS(name_, beside_) BESIDE(name_, beside_, "ib_uverbs")
#define OPTION(name_)	{ .kind = FACT_OPTION, .name = name_ }
	[OPS_INVALIDATE_MAPPINGS] = MEMBER("dma_buf_attach_ops",
					   "invalidate_mappings"),
	[OPS_MOVE_NOTIFY] = MEMBER("dma_buf_attach_ops", "move_notify"),
	[ATTACHMENT_SGT] = MEMBER("dma_buf_attachment", "sgt"),
	[OPS_CACHE_SGT_MAPPING] = MEMBER("dma_buf_ops", "cache_sgt_mapping"),
	[BUFFER_LOCK] = MEMBER("dma_buf", "lock"),
	[INVALIDATE_MAPPINGS] = FUNCTION("dma_buf_invalidate_mappings"),
	[ATTACH_REVOCABLE] = FUNCTION("dma_buf_attach_revocable"),
	[VMAP_UNLOCKED] = FUNCTION("dma_buf_vmap_unlocked"),
	[PHYS_VEC_TO_SGT] = FUNCTION("dma_buf_phys_vec_to_sgt"),
	[FD_INSTALL] = FUNCTION("dma_buf_fd_install"),
	[P2PDMA_DISTANCE] = FUNCTION("pci_p2pdma_distance_many"),
	[SYNC_FILE_CREATE] = FUNCTION("sync_file_create"),
	[REG_MR_HANDLER] = UVERBS("ib_uverbs_handler_UVERBS_METHOD_REG_MR",
				  "ib_uverbs_handler_UVERBS_METHOD_QUERY_MR"),
	[UMEM_CHECK_REREG] = UVERBS("ib_umem_check_rereg", "ib_umem_release"),
	[UMEM_GET_DESC] = UVERBS("ib_umem_get_desc", "ib_umem_release"),
	[UMEM_REVOKE] = UVERBS("ib_umem_dmabuf_revoke",
			       "ib_umem_dmabuf_map_pages"),
	[UMEM_GET_REVOCABLE] =
		UVERBS("ib_umem_dmabuf_get_pinned_revocable_and_lock",
		       "ib_umem_dmabuf_map_pages"),
	[DMABUF_ALLOC_HANDLER] =
		UVERBS("ib_uverbs_handler_UVERBS_METHOD_DMABUF_ALLOC",
		       "ib_uverbs_handler_UVERBS_METHOD_QUERY_MR"),
	[OPTION_MOVE_NOTIFY] = OPTION("CONFIG_DMABUF_MOVE_NOTIFY"),
	[OPTION_DEBUG] = OPTION("CONFIG_DMABUF_DEBUG"),
	[OPTION_P2PDMA] = OPTION("CONFIG_PCI_P2PDMA"),
	[OPTION_SYNC_FILE] = OPTION("CONFIG_SYNC_FILE"),
	[OPTION_ON_DEMAND_PAGING] =
		OPTION("CONFIG_INFINIBAND_ON_DEMAND_PAGING"),
	[OPTION_64BIT] = OPTION("CONFIG_64BIT"),
};

/*
 * What a fact says of a feature; EITHER is to say nothing. Of several entries
 * for a feature the first that says something counts. An option that the
 * configuration does not list is one that could not be chosen, and counts as
 * unset; but CONFIG_DMABUF_MOVE_NOTIFY is also missing where it is always on.
 */
static const struct evidence {
	enum law_feature feature;
	enum fact_id fact;
	enum law_value present;
	enum law_value absent;
	enum law_value unlisted;
} evidence[] = {
	{ LAW_NOTIFY_OPTIONAL, OPS_INVALIDATE_MAPPINGS, YES, EITHER, EITHER },
	{ LAW_NOTIFY_OPTIONAL, OPS_MOVE_NOTIFY, NO, EITHER, EITHER },
	{ LAW_MOVES_WHILE_MAPPED, OPTION_MOVE_NOTIFY, YES, NO, EITHER },
	{ LAW_MOVES_WHILE_MAPPED, OPS_INVALIDATE_MAPPINGS, YES, EITHER, EITHER },
	{ LAW_PINS_AT_ATTACH, ATTACHMENT_SGT, YES, NO, EITHER },
	{ LAW_MAPS_AT_ATTACH, ATTACHMENT_SGT, YES, NO, EITHER },
	{ LAW_CACHED_SGT, OPS_CACHE_SGT_MAPPING, YES, NO, EITHER },
	{ LAW_MAP_LOCK_ALWAYS, BUFFER_LOCK, NO, YES, EITHER },
	{ LAW_VMAP_LOCKED, VMAP_UNLOCKED, YES, NO, EITHER },
	{ LAW_REVOCABLE_QUERY, ATTACH_REVOCABLE, YES, NO, EITHER },
	{ LAW_UNMAP_BOUNDED, OPS_INVALIDATE_MAPPINGS, YES, EITHER, EITHER },
	{ LAW_UNMAP_BOUNDED, OPS_MOVE_NOTIFY, NO, EITHER, EITHER },
	{ LAW_PINNED_NOTIFY_REVOKES, INVALIDATE_MAPPINGS, YES, NO, EITHER },
	/* Pinning at map and the warning came in one change. */
	{ LAW_PIN_EBUSY_WARNS, ATTACHMENT_SGT, NO, YES, EITHER },
	{ LAW_PAGELESS_HELPERS, PHYS_VEC_TO_SGT, YES, NO, EITHER },
	{ LAW_FD_INSTALL_LATE, FD_INSTALL, YES, NO, EITHER },
	{ LAW_P2PDMA, OPTION_P2PDMA, YES, NO, NO },
	{ LAW_P2PDMA, P2PDMA_DISTANCE, YES, NO, EITHER },
	{ LAW_DMABUF_DEBUG, OPTION_DEBUG, YES, NO, NO },
	{ LAW_SYNC_FILE, OPTION_SYNC_FILE, YES, NO, NO },
	{ LAW_SYNC_FILE, SYNC_FILE_CREATE, YES, NO, EITHER },
	{ LAW_REG_MR_METHOD, REG_MR_HANDLER, YES, NO, EITHER },
	{ LAW_REREG_CHECKED, UMEM_CHECK_REREG, YES, NO, EITHER },
	{ LAW_UMEM_DESCRIPTORS, UMEM_GET_DESC, YES, NO, EITHER },
	{ LAW_UMEM_REVOKES, UMEM_REVOKE, YES, NO, EITHER },
	{ LAW_UMEM_REVOCABLE, UMEM_GET_REVOCABLE, YES, NO, EITHER },
	{ LAW_UVERBS_DMABUF, DMABUF_ALLOC_HANDLER, YES, NO, EITHER },
	{ LAW_ON_DEMAND_PAGING, OPTION_ON_DEMAND_PAGING, YES, NO, NO },
	{ LAW_WIDE_WORDS, OPTION_64BIT, YES, NO, NO },
};

static enum law_value weigh(const struct evidence *entry,
			    const struct fact *fact)
{
	switch (fact->state) {
	case PRESENT:
		return entry->present;
	case ABSENT:
		return entry->absent;
	case UNLISTED:
		return entry->unlisted;
	default:
		return EITHER;
	}
}

/* The source of a feature that stays EITHER is the last fact looked at. */
static void conclude(const struct fact *facts, struct law *law)
{
	for (size_t i = 0; i < COUNT(evidence); i++) {
		const struct evidence *entry = &evidence[i];
		const struct fact *fact = &facts[entry->fact];

		if (law->value[entry->feature] != EITHER)
			continue;
		law->value[entry->feature] = weigh(entry, fact);
		fact_format(fact, law->source[entry->feature],
			    LAW_SOURCE_SIZE);
	}
}

void law_probe(const char *root, const char *release, struct law *law)
{
	struct fact facts[FACT_COUNT];
	struct utsname name;

	if (!release) {
		uname(&name);
		release = name.release;
	}
	memset(law, 0, sizeof(*law));
	memcpy(facts, what_to_look_for, sizeof(facts));
	facts_read(root, release, facts, FACT_COUNT);
	conclude(facts, law);
}
