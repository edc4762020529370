// SPDX-License-Identifier: GPL-2.0-only
#include "bundle/tar.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bundle/wrong.h"

#define BLOCK	512

/* Of zeroes after the end; tar(1) fills up to 10 KiB. */
#define END_BLOCKS_MAX	2048

struct header {
	char name[100];
	char mode[8];
	char user[8];
	char group[8];
	char size[12];
	char time[12];
	char sum[8];
	char type;
	char link[100];
	char magic[6];
	char version[2];
	char user_name[32];
	char group_name[32];
	char major[8];
	char minor[8];
	char prefix[155];
	char rest[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a header fills a block");

/* What an archive may hold besides plain files, and a bundle may not. */
static const struct {
	char type;
	const char *what;
} others[] = {
	{ '1', "a hard link" }, { '2', "a symbolic link" },
	{ '3', "a device" }, { '4', "a device" }, { '5', "a folder" },
	{ '6', "a pipe" },
};

static unsigned int sum_of(const struct header *header)
{
	const unsigned char *bytes = (const unsigned char *)header;
	const size_t at = offsetof(struct header, sum);
	unsigned int sum = 0;

	for (size_t i = 0; i < BLOCK; i++)
		sum += i >= at && i < at + sizeof(header->sum) ? ' ' : bytes[i];
	return sum;
}

static bool write_header(const struct file *file, FILE *out)
{
	struct header header = { .type = '0' };
	int length = snprintf(header.name, sizeof(header.name),
			      TAR_FOLDER "/%s", file->name);

	if (length >= (int)sizeof(header.name)) {
		cannot("the name of %s is too long for an archive", file->name);
		return false;
	}
	snprintf(header.mode, sizeof(header.mode), "%07o", 0644);
	snprintf(header.user, sizeof(header.user), "%07o", 0);
	snprintf(header.group, sizeof(header.group), "%07o", 0);
	snprintf(header.size, sizeof(header.size), "%011zo", file->size);
	snprintf(header.time, sizeof(header.time), "%011o", 0);
	memcpy(header.magic, "ustar", 6);
	memcpy(header.version, "00", 2);
	snprintf(header.sum, sizeof(header.sum), "%06o", sum_of(&header));
	header.sum[7] = ' ';
	return fwrite(&header, BLOCK, 1, out) == 1;
}

static size_t padding(size_t size)
{
	return (BLOCK - size % BLOCK) % BLOCK;
}

static bool write_file(const struct file *file, FILE *out)
{
	static const char zeroes[BLOCK];
	size_t pad = padding(file->size);

	return write_header(file, out) &&
	       fwrite(file->data, 1, file->size, out) == file->size &&
	       fwrite(zeroes, 1, pad, out) == pad;
}

bool tar_write(const struct files *files, FILE *out)
{
	static const char end[2 * BLOCK];

	for_list(const struct file *, file, &files->list)
		if (!write_file(file, out))
			goto failed;
	if (fwrite(end, sizeof(end), 1, out) == 1 && !fflush(out))
		return true;
failed:
	cannot("cannot write the archive: %s", strerror(errno));
	return false;
}

struct reading {
	FILE *in;
	struct files *files;
	size_t count;		/* entries so far */
};

/* "name", or "prefix/name": neither need end in a NUL. */
static const char *name_of(const struct header *header)
{
	int name = strnlen(header->name, sizeof(header->name));
	int prefix = strnlen(header->prefix, sizeof(header->prefix));

	return memory_print("%.*s%s%.*s", prefix, header->prefix,
			    prefix ? "/" : "", name, header->name);
}

static bool is_archive(const struct header *header)
{
	char sum[sizeof(header->sum) + 1] = "";

	memcpy(sum, header->sum, sizeof(header->sum));
	return !memcmp(header->magic, "ustar", 5) &&
	       strtoul(sum, NULL, 8) == sum_of(header);
}

/* A size in base 256 is far too large for a bundle anyway. */
static size_t size_of(const struct header *header)
{
	char size[sizeof(header->size) + 1] = "";

	memcpy(size, header->size, sizeof(header->size));
	return size[0] & 0x80 ? SIZE_MAX : strtoull(size, NULL, 8);
}

static const char *other_than_file(char type)
{
	if (type == '0' || type == '\0')
		return NULL;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].type == type)
			return others[i].what;
	return "an extension of the format";
}

/* The name below the bundle's folder; NULL, which is told, if it is not. */
static const char *name_below(const char *name)
{
	const size_t length = strlen(TAR_FOLDER "/");

	if (!files_is_safe(name)) {
		wrong("%s: the name leads out of the bundle, or is none", name);
		return NULL;
	}
	if (strncmp(name, TAR_FOLDER "/", length)) {
		wrong("%s: the file is not in the folder " TAR_FOLDER, name);
		return NULL;
	}
	return name + length;
}

static void keep(struct reading *reading, const struct header *header,
		 char *data, size_t size)
{
	const char *name = name_of(header);
	const char *other = other_than_file(header->type);

	if (other)
		wrong("%s: it is %s; a bundle holds plain files alone", name,
		      other);
	name = name_below(name);
	if (name && files_find(reading->files, name)) {
		wrong("%s: it is there twice", name);
		name = NULL;
	}
	if (name && !other)
		files_add(reading->files, name, data, size);
	else
		free(data);
}

static bool has_other_than_zeroes(const char *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (data[i])
			return true;
	return false;
}

/* Returns false where nothing can be read that follows. */
static bool read_file(struct reading *reading, const struct header *header)
{
	size_t size = size_of(header);
	const char *name = name_of(header);
	char *data;

	if (reading->count++ == FILES_COUNT_MAX ||
	    size > FILES_SIZE_MAX - reading->files->size) {
		wrong("%s: with it the bundle is too large (%u MiB and %u files at most); the rest was not looked at",
		      name, FILES_SIZE_MAX >> 20, FILES_COUNT_MAX);
		return false;
	}
	data = malloc(size + padding(size) + 1);
	if (!data ||
	    fread(data, 1, size + padding(size), reading->in) !=
	    size + padding(size)) {
		wrong("%s: the bundle ends in the middle of it: it was written or sent by half",
		      name);
		reading->files->cut = true;
		free(data);
		return false;
	}
	/* No hash covers what is behind a file. */
	if (has_other_than_zeroes(data + size, padding(size)))
		wrong("%s: something is hidden behind it", name);
	data[size] = '\0';
	keep(reading, header, data, size);
	return true;
}

static bool is_empty(const struct header *header)
{
	static const struct header empty;

	return !memcmp(header, &empty, BLOCK);
}

/* After the end there is nothing but zeroes. */
static void read_end(struct reading *reading)
{
	struct header block;
	size_t blocks = 1;

	while (fread(&block, BLOCK, 1, reading->in) == 1) {
		if (!is_empty(&block) || blocks == END_BLOCKS_MAX) {
			wrong("something follows the end of the archive");
			return;
		}
		blocks++;
	}
	if (blocks < 2)
		wrong("the archive has no end: it was written or sent by half");
}

bool tar_read(struct files *files, FILE *in)
{
	struct reading reading = { in, files, 0 };
	struct header header;

	while (fread(&header, BLOCK, 1, in) == 1) {
		if (is_empty(&header)) {
			read_end(&reading);
			return true;
		}
		if (!is_archive(&header) && !reading.count) {
			cannot("this is no bundle: it is not an archive of tar");
			return false;
		}
		if (!is_archive(&header)) {
			wrong("the archive is damaged after %zu files",
			      reading.count);
			return true;
		}
		if (!read_file(&reading, &header))
			return true;
	}
	if (!reading.count) {
		cannot("this is no bundle: it is %s",
		       ferror(in) ? strerror(errno) : "empty");
		return false;
	}
	wrong("the archive has no end: it was written or sent by half");
	files->cut = true;
	return true;
}
