/* SPDX-License-Identifier: GPL-2.0-only */
/* Which file describes the kernel's types. */
#ifndef CTS_BTF_FILE_H
#define CTS_BTF_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Path of such a file, as BTF without anything around it, before all others. */
#define BTF_FILE_VARIABLE	"DMABUF_CTS_BTF"

/* The kernel's own, and where there may be one for a kernel without. */
#define BTF_FILE_OWN		"/sys/kernel/btf/vmlinux"
#define BTF_FILE_INSTALLED	"/lib/modules/%s/vmlinux.btf"

/**
 * btf_file_find - find that file
 * @root: prefix of all paths, "" for this machine
 * @release: the kernel's release
 * @path: where to write its path, with @root before it
 * @size: bytes at @path
 *
 * Return: false if there is none.
 */
bool btf_file_find(const char *root, const char *release, char *path,
		   size_t size);

#endif
