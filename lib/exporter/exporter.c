// SPDX-License-Identifier: GPL-2.0-only
/* The calls that every exporter answers, whichever back end stands behind. */
#include "exporter/exporter.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "exporter/marks.h"
#include "pair/cpu.h"

static const struct exporter_ops *find(const char *name)
{
	for (const struct exporter_ops *const *ops = exporter_registry; *ops; ops++)
		if (!strcmp((*ops)->name, name))
			return *ops;
	return NULL;
}

void exporter_prepare(const char *selector)
{
	const struct exporter_ops *ops;
	char name[64];

	backend_split(selector, name, sizeof(name));
	ops = find(name);
	if (ops && ops->prepare)
		ops->prepare();
}

/* Once: the cases, which the harness forks off, know what their program knew. */
static int learn(struct exporter *exporter, const char *selector)
{
	static struct backend_memory memory;
	int ret;

	if (!exporter->ops->learn ||
	    backend_recall(&memory, "exporter", selector, &exporter->backend))
		return 0;
	ret = exporter->ops->learn(exporter);
	if (!ret)
		backend_remember(&memory, selector, &exporter->backend);
	return ret;
}

int exporter_open(const char *selector, struct exporter *exporter)
{
	const char *instance;
	char name[64];
	int ret;

	memset(exporter, 0, sizeof(*exporter));
	exporter->control = -1;
	instance = backend_split(selector, name, sizeof(name));
	backend_start(&exporter->backend, name, instance);
	exporter->ops = find(name);
	if (!exporter->ops) {
		backend_reason(&exporter->backend, "no exporter back end is named \"%s\": see dmabuf-cts list",
			       name);
		return -EINVAL;
	}
	ret = exporter->ops->open(exporter, instance);
	if (ret)
		/* Its own close is for what it opened as a whole. */
		exporter->ops = NULL;
	else
		ret = learn(exporter, selector);
	if (ret)
		exporter_close(exporter);
	return ret;
}

void exporter_close(struct exporter *exporter)
{
	if (exporter->ops && exporter->ops->close)
		exporter->ops->close(exporter);
	if (exporter->control >= 0)
		close(exporter->control);
	exporter->control = -1;
	exporter->ops = NULL;
}

bool exporter_is_dynamic(const struct exporter *exporter)
{
	return exporter->backend.capabilities &
	       NEEDS(EXPORTER_PIN_OP, EXPORTER_REFUSES_PIN);
}

void exporter_report(const char *name, const char *instance,
		     backend_report report, void *context)
{
	struct exporter exporter;
	struct backend wanted;

	backend_start(&wanted, name, instance);
	if (!exporter_open(wanted.selector, &exporter))
		exporter_close(&exporter);
	report(&exporter.backend, context);
}

int exporter_alloc(struct exporter *exporter, const struct buffer_spec *spec,
		   struct buffer *buffer)
{
	int ret;

	memset(buffer, 0, sizeof(*buffer));
	buffer->fd = -1;
	buffer->size = spec->size;
	buffer->exporter = exporter;
	ret = exporter->ops->alloc(exporter, spec, buffer);
	if (ret)
		buffer->exporter = NULL;
	return ret;
}

int exporter_alloc_unanswered(struct exporter *exporter, size_t size)
{
	const struct exporter_ops *ops = exporter->ops;

	return ops->alloc_unanswered ? ops->alloc_unanswered(exporter, size) :
				       -EOPNOTSUPP;
}

int exporter_write(struct buffer *buffer, size_t offset, const void *data,
		   size_t length)
{
	const struct exporter_ops *ops = buffer->exporter->ops;

	if (!in_range(buffer->size, offset, length))
		return -EINVAL;
	if (ops->write)
		return ops->write(buffer, offset, data, length);
	return cpu_write(buffer->fd, buffer->size, offset, data, length);
}

int exporter_read(struct buffer *buffer, size_t offset, void *data,
		  size_t length)
{
	const struct exporter_ops *ops = buffer->exporter->ops;

	if (!in_range(buffer->size, offset, length))
		return -EINVAL;
	if (ops->read)
		return ops->read(buffer, offset, data, length);
	return cpu_read(buffer->fd, buffer->size, offset, data, length);
}

int exporter_move(struct buffer *buffer, enum placement placement)
{
	const struct exporter_ops *ops = buffer->exporter->ops;
	int ret;

	if (!ops->move)
		return -EOPNOTSUPP;
	ioctl(buffer->fd, MARK_MOVE_BEGINS, 0L);
	ret = ops->move(buffer, placement);
	ioctl(buffer->fd, MARK_MOVE_ENDS, (long)-ret);
	return ret;
}

int exporter_placement(struct buffer *buffer, enum placement *placement)
{
	const struct exporter_ops *ops = buffer->exporter->ops;

	return ops->placement ? ops->placement(buffer, placement) : -EOPNOTSUPP;
}

int exporter_revoke(struct buffer *buffer)
{
	const struct exporter_ops *ops = buffer->exporter->ops;

	return ops->revoke ? ops->revoke(buffer) : -EOPNOTSUPP;
}

int exporter_restore(struct buffer *buffer)
{
	const struct exporter_ops *ops = buffer->exporter->ops;

	return ops->restore ? ops->restore(buffer) : -EOPNOTSUPP;
}

void exporter_release(struct buffer *buffer)
{
	if (buffer->fd >= 0)
		close(buffer->fd);
	buffer->fd = -1;
	if (buffer->exporter && buffer->exporter->ops->release)
		buffer->exporter->ops->release(buffer);
	buffer->exporter = NULL;
}
