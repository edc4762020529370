/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the peers saw, in a form that reads well in a check. These never fail
 * the way other calls do: where a peer cannot be asked, the answer is one that
 * no check accepts (all bits set, or a negative errno).
 */
#ifndef CTS_PEER_OBSERVE_H
#define CTS_PEER_OBSERVE_H

#include "peer/peer_exporter.h"
#include "peer/peer_importer.h"

#define EVENT_LOG_SIZE	256

struct event_log {
	int count;		/* negative errno if the log could not be read */
	struct peer_event events[EVENT_LOG_SIZE];
};

/**
 * exporter_saw - the exporter's counters now
 */
struct peer_exporter_stat exporter_saw(struct buffer *buffer);

/**
 * importer_saw - the importer's counters of an attachment now
 */
struct peer_importer_stat importer_saw(struct attachment *attachment);

/**
 * exporter_log, importer_log - take the events since the last call
 */
void exporter_log(struct buffer *buffer, struct event_log *log);
void importer_log(struct attachment *attachment, struct event_log *log);

/**
 * event_find - the first event of a kind
 * @log: the events
 * @call: the kind
 * @from: index to start at
 *
 * Return: its index, or -1.
 */
int event_find(const struct event_log *log, enum peer_call call, int from);

/**
 * event_count - how many events of a kind there are
 */
int event_count(const struct event_log *log, enum peer_call call);

/**
 * event_last - the last event of a kind
 *
 * Return: its index, or -1.
 */
int event_last(const struct event_log *log, enum peer_call call);

/**
 * event_count_with - how many events of a kind have certain flags
 * @log: the events
 * @call: the kind
 * @mask: PEER_EVENT_* to look at
 * @flags: the value that they have
 */
int event_count_with(const struct event_log *log, enum peer_call call,
		     uint32_t mask, uint32_t flags);

/**
 * event_count_locked - how many came from a caller that owned the reservation
 */
int event_count_locked(const struct event_log *log, enum peer_call call);

/**
 * device_sees - read a whole mapping through its DMA addresses
 * @mapping: the mapping, also one that a notify invalidated
 * @seed: content that should be there, see pair/pattern.h
 *
 * Return: 0, -EILSEQ if a byte differs, -EFAULT on an untranslated address.
 */
int device_sees(struct mapping *mapping, uint32_t seed);

/**
 * device_writes - write a whole mapping through its DMA addresses
 */
int device_writes(struct mapping *mapping, uint32_t seed);

/**
 * place_holds - compare a place of the peer exporter with content
 * @buffer: the buffer
 * @placement: the place, current or not
 * @seed: the content
 *
 * Return: 0, -EILSEQ, or a negative errno.
 */
int place_holds(struct buffer *buffer, enum peer_placement placement,
		uint32_t seed);

/**
 * place_is_poisoned - whether a place holds nothing but PEER_POISON
 *
 * Return: 0, -EILSEQ, or a negative errno.
 */
int place_is_poisoned(struct buffer *buffer, enum peer_placement placement);

/**
 * place_of - where the storage is
 *
 * Return: enum placement, or PLACE_COUNT if the exporter does not tell.
 */
enum placement place_of(struct buffer *buffer);

#endif
