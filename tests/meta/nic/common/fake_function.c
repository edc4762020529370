// SPDX-License-Identifier: GPL-2.0-only
#include "common/fake_function.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct function {
	unsigned int number;
	char name[8];
	struct memory *memory;
	struct counters counters;
	struct controls controls;
	unsigned int interrupts[FUNCTION_VECTORS];
	int guest_fd;
	uint8_t *guest;
	uint8_t llq[FUNCTION_LLQ_SIZE];
};

static void need(bool done, const char *what)
{
	if (done)
		return;
	perror(what);
	exit(EXIT_FAILURE);
}

static void map_guest(struct function *function)
{
	memory_remove_all(function->memory);
	need(!memory_add(function->memory, FAKE_GUEST_ADDRESS, FAKE_GUEST_SIZE,
			 function->guest_fd, 0, MEMORY_READ | MEMORY_WRITE), "memory_add");
}

static void make_guest(struct function *function)
{
	int fd = memfd_create("guest", MFD_CLOEXEC);

	need(fd >= 0 && !ftruncate(fd, FAKE_GUEST_SIZE), "memfd");
	function->guest_fd = fd;
	function->guest = mmap(NULL, FAKE_GUEST_SIZE, PROT_READ | PROT_WRITE,
			       MAP_SHARED, fd, 0);
	need(function->guest != MAP_FAILED, "mmap");
	map_guest(function);
}

struct function *fake_function_new(unsigned int number)
{
	struct function *function = calloc(1, sizeof(*function));

	need(function, "calloc");
	function->number = number;
	snprintf(function->name, sizeof(function->name), "nic%u", number);
	function->controls = controls_initial;
	function->memory = memory_new(function->name, &function->counters);
	need(function->memory, "memory_new");
	make_guest(function);
	return function;
}

void fake_function_clear(struct function *function)
{
	need(!fallocate(function->guest_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			FAKE_GUEST_SIZE), "fallocate");
	map_guest(function);
	function->controls = controls_initial;
	memset(&function->counters, 0, sizeof(function->counters));
}

void fake_function_free(struct function *function)
{
	memory_free(function->memory);
	munmap(function->guest, FAKE_GUEST_SIZE);
	close(function->guest_fd);
	free(function);
}

void *fake_guest(struct function *function, uint64_t address)
{
	return function->guest + (address - FAKE_GUEST_ADDRESS);
}

int fake_guest_fd(struct function *function)
{
	return function->guest_fd;
}

uint8_t *fake_llq(struct function *function)
{
	return function->llq;
}

unsigned int fake_interrupts(struct function *function, unsigned int vector)
{
	return function->interrupts[vector];
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
	function->counters.interrupts++;
	if (vector < FUNCTION_VECTORS)
		function->interrupts[vector]++;
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
