/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instrument page: how tests in the guest read what the device counted, and ask
 * it to misbehave. It lies in BAR 1 behind the MSI-X table and is read and written in
 * words of 32 bits. The order of counters.def, controls.def and faults.def gives the
 * indexes. This header needs no other.
 */
#ifndef CTS_NIC_WIRE_INSTRUMENT_H
#define CTS_NIC_WIRE_INSTRUMENT_H

#define INSTRUMENT_OFFSET		0x2000	/* in BAR 1 */
#define INSTRUMENT_SIZE			0x2000

#define INSTRUMENT_MAGIC_VALUE		0x4e535443	/* "CTSN" */
#define INSTRUMENT_VERSION_VALUE	1

/* Offsets in the page; those without a word on writes are read only. */
#define INSTRUMENT_MAGIC		0x00
#define INSTRUMENT_VERSION		0x04
#define INSTRUMENT_COUNTERS		0x08	/* how many there are */
#define INSTRUMENT_CONTROLS		0x0c	/* how many there are */
#define INSTRUMENT_FAULT		0x10	/* the runner's: 1 + index of a fault, 0 none; writable */

/* The first read after a write of FAULT tells what is on now, any other 0. */
#define INSTRUMENT_FAULT_UNKNOWN	0xffffffff	/* as before the write */

/* Bytes moved through the region whose key was last written; 0 if there is none. */
#define INSTRUMENT_REGION_KEY		0x20	/* writable; the write takes the values below */
#define INSTRUMENT_REGION_KNOWN		0x24	/* 1 if there is such a region */
#define INSTRUMENT_REGION_READ_LO	0x28
#define INSTRUMENT_REGION_READ_HI	0x2c
#define INSTRUMENT_REGION_WRITTEN_LO	0x30
#define INSTRUMENT_REGION_WRITTEN_HI	0x34

/* Reading a low half keeps the high half that belongs to it. */
#define INSTRUMENT_COUNTER_LO(index)	(0x100 + 8 * (index))
#define INSTRUMENT_COUNTER_HI(index)	(0x104 + 8 * (index))

/* Writable; reads back what is in force. */
#define INSTRUMENT_CONTROL(index)	(0x800 + 4 * (index))

#endif
