// SPDX-License-Identifier: GPL-2.0-only
/* The calls that every importer answers, whichever back end stands behind. */
#include "importer/importer.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "pair/cpu.h"

static const struct importer_ops *find(const char *name)
{
	for (const struct importer_ops *const *ops = importer_registry; *ops; ops++)
		if (!strcmp((*ops)->name, name))
			return *ops;
	return NULL;
}

/* The cases, which the harness forks off, know what their program knew. */
static struct backend_memory memory;

/* Of most the runner found out before, which then need not be opened. */
static void learn_before(const char *selector)
{
	struct importer importer;
	struct backend known;

	if (!backend_recall(&memory, "importer", selector, &known) &&
	    !importer_open(selector, &importer))
		importer_close(&importer);
}

void importer_prepare(const char *selector)
{
	const struct importer_ops *ops;
	char name[64];

	backend_split(selector, name, sizeof(name));
	ops = find(name);
	if (ops && ops->prepare)
		ops->prepare();
	if (ops && ops->learn)
		learn_before(selector);
}

static int learn(struct importer *importer, const char *selector)
{
	int ret;

	if (!importer->ops->learn ||
	    backend_recall(&memory, "importer", selector, &importer->backend))
		return 0;
	ret = importer->ops->learn(importer);
	if (!ret)
		backend_remember(&memory, selector, &importer->backend);
	return ret;
}

int importer_open(const char *selector, struct importer *importer)
{
	const char *instance;
	char name[64];
	int ret;

	memset(importer, 0, sizeof(*importer));
	importer->control = -1;
	instance = backend_split(selector, name, sizeof(name));
	backend_start(&importer->backend, name, instance);
	importer->ops = find(name);
	if (!importer->ops) {
		backend_reason(&importer->backend, "no importer back end is named \"%s\": see dmabuf-cts list",
			       name);
		return -EINVAL;
	}
	ret = importer->ops->open(importer, instance);
	if (ret)
		/* Its own close is for what it opened as a whole. */
		importer->ops = NULL;
	else
		ret = learn(importer, selector);
	if (ret)
		importer_close(importer);
	return ret;
}

void importer_close(struct importer *importer)
{
	if (importer->ops && importer->ops->close)
		importer->ops->close(importer);
	if (importer->control >= 0)
		close(importer->control);
	importer->control = -1;
	importer->ops = NULL;
}

void importer_report(const char *name, const char *instance,
		     backend_report report, void *context)
{
	struct importer importer;
	struct backend wanted;

	backend_start(&wanted, name, instance);
	if (!importer_open(wanted.selector, &importer))
		importer_close(&importer);
	report(&importer.backend, context);
}

/* The rest of the buffer from @offset; a dma-buf tells its size by lseek(). */
static int length_to_end(int fd, size_t offset, size_t *length)
{
	off_t size = lseek(fd, 0, SEEK_END);

	if (size < 0)
		return -errno;
	if ((size_t)size <= offset)
		return -EINVAL;
	*length = size - offset;
	return 0;
}

int importer_import(struct importer *importer, int fd, size_t offset,
		    size_t length, unsigned int access, struct import *import)
{
	int ret = length ? 0 : length_to_end(fd, offset, &length);

	memset(import, 0, sizeof(*import));
	if (ret)
		return ret;
	import->importer = importer;
	import->offset = offset;
	import->length = length;
	ret = importer->ops->import(importer, fd, offset, length, access, import);
	if (ret)
		import->importer = NULL;
	return ret;
}

int importer_write(struct import *import, size_t offset, const void *data,
		   size_t length)
{
	const struct importer_ops *ops = import->importer->ops;

	if (!in_range(import->length, offset, length))
		return -EINVAL;
	return ops->write ? ops->write(import, offset, data, length) : -EOPNOTSUPP;
}

int importer_read(struct import *import, size_t offset, void *data,
		  size_t length)
{
	const struct importer_ops *ops = import->importer->ops;

	if (!in_range(import->length, offset, length))
		return -EINVAL;
	return ops->read ? ops->read(import, offset, data, length) : -EOPNOTSUPP;
}

int importer_write_slowly(struct import *import, size_t offset,
			  const void *data, size_t length)
{
	const struct importer_ops *ops = import->importer->ops;

	if (!in_range(import->length, offset, length))
		return -EINVAL;
	return ops->write_slowly ?
	       ops->write_slowly(import, offset, data, length) : -EOPNOTSUPP;
}

int importer_release(struct import *import)
{
	struct importer *importer = import->importer;
	int ret = 0;

	if (importer && importer->ops->release)
		ret = importer->ops->release(import);
	import->importer = NULL;
	return ret;
}
