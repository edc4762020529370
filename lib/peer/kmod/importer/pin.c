// SPDX-License-Identifier: GPL-2.0-only
/*
 * pin and unpin, each successful pin matched by one unpin. The mutants call
 * without the reservation (PIN-02).
 */
#include <linux/err.h>

#include "importer/importer.h"

int pin(struct import *import)
{
	int ret;

	/* The end of an import gives all back in one go. */
	if (import->pins >= PEER_PINS_MAX)
		return -ENOSPC;
	if (peer_fault(pin_unlocked))
		import_unlock(import);
	ret = dma_buf_pin(import->core);
	if (peer_fault(pin_unlocked))
		dma_resv_lock(import->resv, NULL);
	if (!ret) {
		mutex_lock(&import->state);
		import->pins++;
		mutex_unlock(&import->state);
	}
	import_record(import, PEER_CALL_PIN, PEER_NONE, ret);
	return ret;
}

/* An exporter that notifies without the reservation may come in between. */
static bool claim_pin(struct import *import)
{
	bool pinned;

	mutex_lock(&import->state);
	pinned = import->pins;
	import->pins -= pinned;
	mutex_unlock(&import->state);
	return pinned;
}

void unpin(struct import *import)
{
	if (!claim_pin(import))
		return;
	if (peer_fault(unpin_unlocked))
		import_unlock(import);
	dma_buf_unpin(import->core);
	if (peer_fault(unpin_unlocked))
		dma_resv_lock(import->resv, NULL);
	import_record(import, PEER_CALL_UNPIN, PEER_NONE, 0);
}

/*
 * MAP-07: without a notify callback the pin is all that keeps a mapping true,
 * so the last one cannot go while there is a mapping.
 */
static int may_unpin(const struct import *import)
{
	if (!import->pins)
		return -EINVAL;
	if (import->mode == PEER_MODE_SILENT && import->pins == 1 &&
	    import->maps)
		return -EBUSY;
	return 0;
}

static int try_unpin(struct import *import)
{
	int ret = may_unpin(import);

	if (!ret)
		unpin(import);
	return ret;
}

static int run(struct peer_file *file, const struct peer_handle *request,
	       int (*call)(struct import *import))
{
	struct import *import;
	int ret;

	if (request->reserved)
		return -EINVAL;
	import = import_get(file, request->handle);
	if (IS_ERR(import))
		return PTR_ERR(import);
	/* PIN-01: the core warns at static importers that pin. */
	if (import->mode == PEER_MODE_STATIC) {
		ret = -EINVAL;
		goto put_import;
	}
	ret = import_lock(import);
	if (ret)
		goto put_import;
	ret = call(import);
	import_unlock(import);
put_import:
	import_put(import);
	return ret;
}

int ioctl_pin(struct peer_file *file, void *argument, void __user *user)
{
	return run(file, argument, pin);
}

int ioctl_unpin(struct peer_file *file, void *argument, void __user *user)
{
	return run(file, argument, try_unpin);
}
