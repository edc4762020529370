/* SPDX-License-Identifier: GPL-2.0-only */
/* How many DMA mappings there are, where the kernel keeps count (CONFIG_DMA_API_DEBUG). */
#ifndef CTS_DMA_DEBUG_H
#define CTS_DMA_DEBUG_H

/**
 * dma_debug_mappings - DMA mappings of all devices that are not undone
 *
 * Of a scatterlist each entry counts.
 *
 * Return: their number, or a negative errno: -ENOENT if the kernel does not
 * count, or no longer.
 */
long dma_debug_mappings(void);

#endif
