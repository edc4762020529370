/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CTS_PROBE_BACKENDS_H
#define CTS_PROBE_BACKENDS_H

/**
 * backends_record - write a "backend" record for every exporter and importer
 *
 * Those that are absent are written too, with all reasons. Devices are opened
 * and a buffer of a few pages is made and dropped on each.
 */
void backends_record(void);

#endif
