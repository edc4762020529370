// SPDX-License-Identifier: GPL-2.0-only
#include "report/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/memory.h"

static bool failed;

bool outfile_failed(void)
{
	return failed;
}

/* One clear line: what follows from a full disk is not news. */
bool outfile_complain(const char *path, const char *what)
{
	if (!failed)
		fprintf(stderr, "%s: cannot %s %s: %s%s\n",
			program_invocation_short_name, what, path,
			strerror(errno), errno == ENOSPC || errno == EDQUOT ?
			" (make room, or choose another --output)" : "");
	failed = true;
	return false;
}

bool outfile_open(struct outfile *file, const char *path, bool afresh)
{
	file->path = path;
	file->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC |
			(afresh ? O_TRUNC : 0), 0644);
	if (file->fd < 0)
		return outfile_complain(path, "write");
	file->length = lseek(file->fd, 0, SEEK_END);
	return true;
}

void outfile_use_stdout(struct outfile *file)
{
	off_t end = lseek(STDOUT_FILENO, 0, SEEK_END);

	file->path = "standard output";
	file->fd = STDOUT_FILENO;
	file->length = end < 0 ? 0 : end;
}

static bool write_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t done = write(fd, text, length);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		text += done;
		length -= done;
	}
	return true;
}

bool outfile_write(struct outfile *file, const char *text, size_t length)
{
	if (file->fd < 0)
		return true;
	if (write_all(file->fd, text, length)) {
		file->length += length;
		return true;
	}
	outfile_complain(file->path, "write");
	if (ftruncate(file->fd, file->length))
		lseek(file->fd, 0, SEEK_END);
	else
		lseek(file->fd, file->length, SEEK_SET);
	return false;
}

bool outfile_print(struct outfile *file, const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;
	bool good;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return outfile_complain(file->path, "write");
	good = outfile_write(file, text, length);
	free(text);
	return good;
}

void outfile_close(struct outfile *file)
{
	/* One that was never opened is all zeroes. */
	if (file->path && file->fd >= 0 && close(file->fd))
		outfile_complain(file->path, "write");
	file->fd = -1;
}

bool outfile_replace(const char *path, const char *text, size_t length)
{
	const char *new = memory_print("%s.new", path);
	int fd = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	bool good;

	if (fd < 0)
		return outfile_complain(path, "write");
	good = write_all(fd, text, length) && !fsync(fd);
	if (!good)
		outfile_complain(path, "write");
	if (close(fd) && good)
		good = outfile_complain(path, "write");
	if (good && rename(new, path))
		good = outfile_complain(path, "write");
	if (!good)
		unlink(new);
	return good;
}
