// SPDX-License-Identifier: GPL-2.0-only
#include "nic/function.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nic/bus.h"
#include "nic/log.h"

/* Memory that the client maps as well, and cannot cut off under us. */
static bool make_llq(struct function *function)
{
	function->llq = MAP_FAILED;
	function->llq_fd = memfd_create("cts-nic-llq",
					MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (function->llq_fd < 0 ||
	    ftruncate(function->llq_fd, FUNCTION_LLQ_SIZE) ||
	    fcntl(function->llq_fd, F_ADD_SEALS,
		  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return false;
	function->llq = mmap(NULL, FUNCTION_LLQ_SIZE, PROT_READ | PROT_WRITE,
			     MAP_SHARED, function->llq_fd, 0);
	return function->llq != MAP_FAILED;
}

struct function *function_new(unsigned int number, struct fabric *fabric,
			      const struct options *options)
{
	struct function *function = calloc(1, sizeof(*function));

	if (!function)
		return NULL;
	function->number = number;
	snprintf(function->name, sizeof(function->name), "nic%u", number);
	function->options = options;
	function->controls = options->controls;
	interrupts_init(&function->interrupts);
	pci_reset(&function->pci);
	function->memory = memory_new(function->name, &function->counters);
	if (!make_llq(function) || !function->memory)
		goto free_function;
	memory_allow(function->memory, false);
	function->device = device_new(function, fabric, options);
	if (!function->device)
		goto free_function;
	return function;
free_function:
	function_free(function);
	return NULL;
}

void function_free(struct function *function)
{
	device_free(function->device);
	interrupts_clear(&function->interrupts);
	memory_free(function->memory);
	if (function->llq != MAP_FAILED)
		munmap(function->llq, FUNCTION_LLQ_SIZE);
	if (function->llq_fd >= 0)
		close(function->llq_fd);
	free(function);
}

void function_connect(struct function *function)
{
	/* What the last guest wrote is none of the next one's business. */
	fallocate(function->llq_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
		  FUNCTION_LLQ_SIZE);
	function->counters = (struct counters){ 0 };
	function->controls = function->options->controls;
	function->instrument = (struct instrument){ 0 };
	log_line(LOG_EVENT, function->name, "a client has come");
}

/* Only what happened at all. */
static void log_counters(const struct function *function)
{
	static const char *const names[] = {
#define COUNTER(name, what) #name,
#include "nic/counters.def"
#undef COUNTER
	};
	const uint64_t values[] = {
#define COUNTER(name, what) function->counters.name,
#include "nic/counters.def"
#undef COUNTER
	};

	for (size_t i = 0; i < COUNTERS; i++)
		if (values[i])
			log_line(LOG_EVENT, function->name, "%s %" PRIu64,
				 names[i], values[i]);
}

void function_disconnect(struct function *function)
{
	log_line(LOG_EVENT, function->name, "the client has left; it saw:");
	log_counters(function);
	function_reset(function);
	interrupts_clear(&function->interrupts);
	memory_remove_all(function->memory);
}

void function_reset(struct function *function)
{
	log_line(LOG_COMMAND, function->name, "reset");
	pci_reset(&function->pci);
	memory_allow(function->memory, false);
	device_reset(function->device);
}

unsigned int function_number(const struct function *function)
{
	return function->number;
}

const char *function_name(const struct function *function)
{
	return function->name;
}

void function_interrupt(struct function *function, unsigned int vector)
{
	if (interrupts_send(&function->interrupts, vector))
		function->counters.interrupts++;
	else
		log_line(LOG_DETAIL, function->name, "interrupt %u is dropped",
			 vector);
}

struct memory *function_memory(struct function *function)
{
	return function->memory;
}

const uint8_t *function_llq(struct function *function)
{
	return function->llq;
}

struct counters *function_counters(struct function *function)
{
	return &function->counters;
}

struct controls *function_controls(struct function *function)
{
	return &function->controls;
}
