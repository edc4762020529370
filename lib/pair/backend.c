// SPDX-License-Identifier: GPL-2.0-only
/* Who a back end is, and why it is not there. */
#include "pair/backend.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pair/kernel.h"
#include "pair/known.h"

void backend_start(struct backend *backend, const char *name,
		   const char *instance)
{
	memset(backend, 0, sizeof(*backend));
	backend->evidence = EVIDENCE_SOFTWARE;
	snprintf(backend->selector, sizeof(backend->selector), "%s%s%s", name,
		 instance ? ":" : "", instance ? instance : "");
}

bool backend_recall(struct backend_memory *memory, const char *role,
		    const char *selector, struct backend *backend)
{
	struct backend known;

	if (!memory->asked[0] || strcmp(memory->asked, selector)) {
		if (!known_backend(role, selector, &known) || known.ours)
			return false;
		backend_remember(memory, selector, &known);
	}
	*backend = memory->backend;
	return true;
}

void backend_remember(struct backend_memory *memory, const char *selector,
		      const struct backend *backend)
{
	snprintf(memory->asked, sizeof(memory->asked), "%s", selector);
	memory->backend = *backend;
}

void backend_reason(struct backend *backend, const char *format, ...)
{
	va_list arguments;

	if (backend->reason_count == BACKEND_REASONS)
		return;
	va_start(arguments, format);
	vsnprintf(backend->reasons[backend->reason_count], BACKEND_REASON_SIZE,
		  format, arguments);
	va_end(arguments);
	backend->reason_count++;
}

void backend_note(struct backend *backend, const char *format, ...)
{
	size_t end = strlen(backend->note);
	va_list arguments;

	if (end)
		end += snprintf(backend->note + end, sizeof(backend->note) - end, "; ");
	if (end >= sizeof(backend->note))
		return;
	va_start(arguments, format);
	vsnprintf(backend->note + end, sizeof(backend->note) - end, format,
		  arguments);
	va_end(arguments);
}

void backend_set_driver(struct backend *backend, const char *driver)
{
	char path[128];

	snprintf(backend->driver, sizeof(backend->driver), "%s", driver);
	snprintf(path, sizeof(path), "/sys/module/%s/version", driver);
	if (kernel_read_line(path, backend->version, sizeof(backend->version)) < 0)
		snprintf(backend->version, sizeof(backend->version), "%s",
			 kernel_release());
}

bool backend_needs_node(struct backend *backend, const char *path,
			const char *hint)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd >= 0) {
		close(fd);
		return true;
	}
	if (errno == ENOENT || errno == ENXIO || errno == ENODEV)
		backend_reason(backend, "no device node %s: %s", path, hint);
	else if (errno == EACCES || errno == EPERM)
		backend_reason(backend, "no permission to open %s: run as root",
			       path);
	else
		backend_reason(backend, "cannot open %s: %s", path,
			       strerror(errno));
	return false;
}

bool backend_needs_module(struct backend *backend, const char *module,
			  const char *option)
{
	enum module_state state = kernel_module(module);

	if (state == MODULE_LOADED || state == MODULE_BUILT_IN)
		return true;
	if (kernel_config(option) == CONFIG_OFF)
		backend_reason(backend, "kernel %s was built without %s",
			       kernel_release(), option);
	else if (state == MODULE_NOT_INSTALLED)
		backend_reason(backend, "module %s (%s) is not installed for kernel %s",
			       module, option, kernel_release());
	else
		backend_reason(backend, "module %s (%s) is not loaded: modprobe %s",
			       module, option, module);
	return false;
}

const char *backend_split(const char *selector, char *name, size_t size)
{
	size_t length = strcspn(selector, ":");

	snprintf(name, size, "%.*s", (int)length, selector);
	return selector[length] ? selector + length + 1 : NULL;
}

const char *evidence_name(enum evidence evidence)
{
	static const char *const names[EVIDENCE_COUNT] = {
		[EVIDENCE_HARDWARE] = "hardware",
		[EVIDENCE_EMULATED] = "emulated",
		[EVIDENCE_SOFTWARE] = "software",
	};

	return evidence < EVIDENCE_COUNT ? names[evidence] : "unknown";
}
