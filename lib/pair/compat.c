// SPDX-License-Identifier: GPL-2.0-only
#include "pair/compat.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pair/kernel.h"

#ifdef __x86_64__

#define CALL_IOCTL	54	/* in the 32-bit table */
#define CALL_GETPID	20

static long call(long number, long a, long b, long c)
{
	long ret;

	/* Kernels before 4.17 did not keep the upper registers. */
	asm volatile("int $0x80"
		     : "=a" (ret)
		     : "a" (number), "b" (a), "c" (b), "d" (c)
		     : "memory", "r8", "r9", "r10", "r11");
	/* The result has 32 bits. */
	return (int32_t)ret;
}

/*
 * A kernel without the entry kills whoever uses it, and logs that. It may have
 * been built with it and be told at boot to do without.
 */
bool compat_works(void)
{
	pid_t child;
	int status;

	if (kernel_config("CONFIG_IA32_EMULATION") == CONFIG_OFF)
		return false;
	child = fork();
	if (!child)
		_exit(call(CALL_GETPID, 0, 0, 0) == getpid() ? 0 : 1);
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

void *compat_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

long compat_ioctl(int fd, unsigned int request, void *argument)
{
	return call(CALL_IOCTL, fd, request, (long)argument);
}

#else

bool compat_works(void)
{
	return false;
}

void *compat_memory(size_t size)
{
	(void)size;
	return NULL;
}

long compat_ioctl(int fd, unsigned int request, void *argument)
{
	(void)fd;
	(void)request;
	(void)argument;
	return -ENOSYS;
}

#endif
