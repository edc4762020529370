/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pairs that do not come together because the exporter says no where it may.
 * Whether it says so rightly is the business of the clauses on refusals; any
 * other test ends there as a skip.
 */
#ifndef CTS_DECLINE_H
#define CTS_DECLINE_H

#include "pair/pair.h"

/**
 * pair_declines - why attach, pin or map may give an error
 * @pair: an open pair
 * @error: a negative errno
 *
 * EOPNOTSUPP where the exporter refuses pins and this importer cannot do
 * without one on this kernel, and where the exporter demands importers that it
 * can revoke and this one is none; EINVAL instead from an importer that hides
 * errors. EFAULT where the importer takes memory in
 * one piece alone, which nobody asks the exporter for. EBUSY where it has one
 * import at a time.
 *
 * Return: the reason, or NULL if it may not.
 */
const char *pair_declines(const struct pair *pair, long error);

/* Ends the case if an attach, pin or map gave @error for such a reason. */
#define skip_if_declined(error) \
	do { \
		const char *why_ = pair_declines(&self->pair, error); \
\
		if (why_) \
			skip_case("%s", why_); \
	} while (0)

/* For cases that do not see which of their steps would be declined. */
#define needs_no_decline()	skip_if_declined(-EOPNOTSUPP)

/* A preparation of an attachment or a mapping, for a test that is not about it. */
#define must_unless_declined(call) \
	do { \
		long declined_ = (call); \
\
		skip_if_declined(declined_); \
		END_CASE_IF_ERROR(declined_, #call); \
	} while (0)

/* An import of the whole buffer of the fixture. */
#define must_import(access_, import_) \
	must_unless_declined(importer_import(self->importer, \
					     self->buffer.fd, 0, 0, access_, \
					     import_))

#endif
