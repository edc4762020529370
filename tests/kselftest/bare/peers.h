/* SPDX-License-Identifier: GPL-2.0-only */
/* The suite's own modules, for who runs a program without a runner around it. */
#ifndef KSELFTEST_PEERS_H
#define KSELFTEST_PEERS_H

/**
 * peers_load - load the peer modules that are not loaded yet
 *
 * They are in DMABUF_CTS_PEER_MODULES, or else in the folder "modules" beside
 * this executable. What cannot be loaded is told, in a comment of TAP; without
 * it the programs skip what needs it.
 */
void peers_load(void);

/**
 * peers_unload - unload those that peers_load() loaded
 */
void peers_unload(void);

#endif
