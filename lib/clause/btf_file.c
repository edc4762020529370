// SPDX-License-Identifier: GPL-2.0-only
#include "clause/btf_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool btf_file_find(const char *root, const char *release, char *path,
		   size_t size)
{
	const char *named = *root ? NULL : getenv(BTF_FILE_VARIABLE);
	int length;

	if (named && *named) {
		snprintf(path, size, "%s", named);
		return true;
	}
	snprintf(path, size, "%s" BTF_FILE_OWN, root);
	if (!access(path, R_OK))
		return true;
	length = snprintf(path, size, "%s" BTF_FILE_INSTALLED, root, release);
	return length < (int)size && !access(path, R_OK);
}
