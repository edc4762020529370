// SPDX-License-Identifier: GPL-2.0-only
/*
 * The law is found from what a kernel declares. Kernels are made up here from
 * what three real ones declare, once with types (BTF) and once without.
 */
#include "kselftest_harness.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clause/law.h"
#include "clause/law_probe.h"

#define RELEASE		"9.9.9-test"

/* A struct is "name member member ...". */
struct kernel {
	const char *structs[5];
	const char *functions[8];
	const char *uverbs[7];		/* functions of its module ib_uverbs */
	const char *options;
	const char *law;
};

static const struct kernel old = {
	.structs = {
		"dma_buf size lock resv", "dma_buf_attachment dmabuf sgt dir",
		"dma_buf_ops cache_sgt_mapping attach pin",
		"dma_buf_attach_ops allow_peer2peer move_notify",
	},
	.functions = {
		"dma_buf_map_attachment", "dma_buf_move_notify",
		"dma_buf_fd_install", "sync_file_create",
	},
	.uverbs = {
		"ib_umem_release", "ib_umem_dmabuf_map_pages",
		"ib_uverbs_handler_UVERBS_METHOD_QUERY_MR",
	},
	.options = "CONFIG_SYNC_FILE=y\n"
		   "# CONFIG_DMABUF_MOVE_NOTIFY is not set\n"
		   "# CONFIG_DMABUF_DEBUG is not set\n"
		   "# CONFIG_PCI_P2PDMA is not set\n",
	.law = "notify_optional=no,moves_while_mapped=no,pins_at_attach=yes,"
	       "maps_at_attach=yes,cached_sgt=yes,map_lock_always=no,"
	       "vmap_locked=no,revocable_query=no,unmap_bounded=no,"
	       "pinned_notify_revokes=no,pin_ebusy_warns=no,"
	       "pageless_helpers=no,fd_install_late=yes,p2pdma=no,"
	       "dmabuf_debug=no,sync_file=yes,reg_mr_method=no,"
	       "rereg_checked=no,umem_descriptors=no,umem_revokes=no,"
	       "umem_revocable=no,uverbs_dmabuf=no,"
	       "on_demand_paging=no,wide_words=no",
};

static const struct kernel middle = {
	.structs = {
		"dma_buf size resv", "dma_buf_attachment dmabuf sgt dir",
		"dma_buf_ops cache_sgt_mapping attach pin",
		"dma_buf_attach_ops allow_peer2peer move_notify",
	},
	.functions = {
		"dma_buf_map_attachment", "dma_buf_move_notify",
		"dma_buf_vmap_unlocked", "sync_file_create",
	},
	.uverbs = {
		"ib_umem_release", "ib_umem_dmabuf_map_pages",
		"ib_uverbs_handler_UVERBS_METHOD_QUERY_MR",
		"ib_umem_check_rereg", "ib_umem_dmabuf_revoke",
	},
	.options = "CONFIG_SYNC_FILE=y\n"
		   "CONFIG_64BIT=y\n"
		   "CONFIG_DMABUF_MOVE_NOTIFY=y\n"
		   "CONFIG_INFINIBAND_ON_DEMAND_PAGING=y\n"
		   "# CONFIG_DMABUF_DEBUG is not set\n",
	.law = "notify_optional=no,moves_while_mapped=yes,pins_at_attach=yes,"
	       "maps_at_attach=yes,cached_sgt=yes,map_lock_always=yes,"
	       "vmap_locked=yes,revocable_query=no,unmap_bounded=no,"
	       "pinned_notify_revokes=no,pin_ebusy_warns=no,"
	       "pageless_helpers=no,fd_install_late=no,p2pdma=no,"
	       "dmabuf_debug=no,sync_file=yes,reg_mr_method=no,"
	       "rereg_checked=yes,umem_descriptors=no,umem_revokes=yes,"
	       "umem_revocable=no,uverbs_dmabuf=no,"
	       "on_demand_paging=yes,wide_words=yes",
};

static const struct kernel newest = {
	.structs = {
		"dma_buf size resv", "dma_buf_attachment dmabuf dev node",
		"dma_buf_ops attach pin",
		"dma_buf_attach_ops allow_peer2peer invalidate_mappings",
	},
	.functions = {
		"dma_buf_map_attachment", "dma_buf_invalidate_mappings",
		"dma_buf_attach_revocable", "dma_buf_vmap_unlocked",
		"dma_buf_phys_vec_to_sgt", "dma_buf_fd_install",
		"pci_p2pdma_distance_many", "sync_file_create",
	},
	.uverbs = {
		"ib_umem_check_rereg", "ib_umem_dmabuf_revoke",
		"ib_umem_dmabuf_get_pinned_revocable_and_lock",
		"ib_umem_get_desc", "ib_uverbs_handler_UVERBS_METHOD_REG_MR",
		"ib_uverbs_handler_UVERBS_METHOD_DMABUF_ALLOC",
	},
	.options = "CONFIG_SYNC_FILE=y\n"
		   "CONFIG_64BIT=y\n"
		   "CONFIG_DMABUF_DEBUG=y\n"
		   "CONFIG_INFINIBAND_ON_DEMAND_PAGING=y\n"
		   "CONFIG_PCI_P2PDMA=y\n",
	.law = "notify_optional=yes,moves_while_mapped=yes,pins_at_attach=no,"
	       "maps_at_attach=no,cached_sgt=no,map_lock_always=yes,"
	       "vmap_locked=yes,revocable_query=yes,unmap_bounded=yes,"
	       "pinned_notify_revokes=yes,pin_ebusy_warns=yes,"
	       "pageless_helpers=yes,fd_install_late=yes,p2pdma=yes,"
	       "dmabuf_debug=yes,sync_file=yes,reg_mr_method=yes,"
	       "rereg_checked=yes,umem_descriptors=yes,umem_revokes=yes,"
	       "umem_revocable=yes,uverbs_dmabuf=yes,"
	       "on_demand_paging=yes,wide_words=yes",
};

static const struct kernel *const kernels[] = { &old, &middle, &newest };

/* A file of type information while it is written; a module's builds on another. */
struct btf_file {
	__u32 base_names;
	char types[4096];
	size_t types_size;
	char names[4096];
	size_t names_size;
};

static __u32 add_name(struct btf_file *file, const char *name, size_t length)
{
	__u32 offset = file->base_names + file->names_size;

	memcpy(file->names + file->names_size, name, length);
	file->names_size += length + 1;
	return offset;
}

static void add_bytes(struct btf_file *file, const void *bytes, size_t size)
{
	memcpy(file->types + file->types_size, bytes, size);
	file->types_size += size;
}

static void add_function(struct btf_file *file, const char *name)
{
	struct btf_type type = {
		.name_off = add_name(file, name, strlen(name)),
		.info = BTF_KIND_FUNC << 24,
	};

	add_bytes(file, &type, sizeof(type));
}

static void add_struct(struct btf_file *file, const char *text)
{
	size_t length = strcspn(text, " ");
	struct btf_type type = { .name_off = add_name(file, text, length) };
	struct btf_member members[8] = { { 0 } };
	__u32 count = 0;

	while (text[length]) {
		text += length + 1;
		length = strcspn(text, " ");
		members[count++].name_off = add_name(file, text, length);
	}
	type.info = BTF_KIND_STRUCT << 24 | count;
	add_bytes(file, &type, sizeof(type));
	add_bytes(file, members, count * sizeof(members[0]));
}

/* With a type of another kind at the front, as there are in a real one. */
static void fill_btf(struct btf_file *file, const struct kernel *kernel)
{
	struct btf_type number = { .info = BTF_KIND_INT << 24 };
	__u32 bits = 32;

	memset(file, 0, sizeof(*file));
	file->names_size = 1;
	number.name_off = add_name(file, "dma_buf", 7);
	add_bytes(file, &number, sizeof(number));
	add_bytes(file, &bits, sizeof(bits));
	for (size_t i = 0; i < 5 && kernel->structs[i]; i++)
		add_struct(file, kernel->structs[i]);
	for (size_t i = 0; i < 8 && kernel->functions[i]; i++)
		add_function(file, kernel->functions[i]);
}

static void make_folders(char *path)
{
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
}

static FILE *create(const char *root, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", root, name);
	make_folders(path);
	return fopen(path, "w");
}

/* All of a module's names stand in its own file, as no other has them. */
static void fill_module_btf(struct btf_file *file, const struct kernel *kernel,
			    const struct btf_file *base)
{
	memset(file, 0, sizeof(*file));
	file->base_names = base->names_size;
	for (size_t i = 0; i < 7 && kernel->uverbs[i]; i++)
		add_function(file, kernel->uverbs[i]);
	/* The section must not be empty. */
	add_name(file, "", 0);
}

static void write_btf_file(const char *root, const char *name,
			   const struct btf_file *file)
{
	FILE *out = create(root, name);
	struct btf_header header = { .magic = BTF_MAGIC, .version = 1 };

	header.hdr_len = offsetof(struct btf_header, str_len) + sizeof(__u32);
	header.type_len = file->types_size;
	header.str_off = file->types_size;
	header.str_len = file->names_size;
	fwrite(&header, header.hdr_len, 1, out);
	fwrite(file->types, file->types_size, 1, out);
	fwrite(file->names, file->names_size, 1, out);
	fclose(out);
}

static void write_btf(const char *root, const struct kernel *kernel)
{
	struct btf_file file, module;

	fill_btf(&file, kernel);
	write_btf_file(root, "/sys/kernel/btf/vmlinux", &file);
	fill_module_btf(&module, kernel, &file);
	write_btf_file(root, "/sys/kernel/btf/ib_uverbs", &module);
}

static void write_symbols(const char *root, const struct kernel *kernel)
{
	FILE *out = create(root, "/proc/kallsyms");

	fputs("0000000000000000 A fixed_percpu_data\n"
	      "0000000000000000 t dma_buf_fd\n", out);
	for (size_t i = 0; i < 8 && kernel->functions[i]; i++)
		fprintf(out, "ffffffff8100%04zx T %s%s\n", i,
			kernel->functions[i], i & 1 ? "\t[core]" : "");
	for (size_t i = 0; i < 7 && kernel->uverbs[i]; i++)
		fprintf(out, "ffffffffc0000%03zx t %s\t[ib_uverbs]\n", i,
			kernel->uverbs[i]);
	fclose(out);
	fclose(create(root, "/sys/module/ib_uverbs/refcnt"));
}

/* Comments and other members are named like what the struct lacks. */
static void write_headers(const char *root, const struct kernel *kernel)
{
	FILE *out = create(root, "/lib/modules/" RELEASE
				 "/source/include/linux/dma-buf.h");

	fputs("struct dma_buf;\nstruct dma_buf_attachment;\n", out);
	for (size_t i = 0; i < 5 && kernel->structs[i]; i++) {
		const char *text = kernel->structs[i];
		size_t length = strcspn(text, " ");

		fprintf(out, "/* no sgt; */\nstruct %.*s {\n"
			"\t/** not @lock; sgt; cache_sgt_mapping */\n"
			"\tint old_lock;\n\tint lock_count;\n",
			(int)length, text);
		while (text[length]) {
			text += length + 1;
			length = strcspn(text, " ");
			fprintf(out, "\tlong %.*s;\n", (int)length, text);
		}
		fputs("};\n", out);
	}
	fclose(out);
}

static void write_options(const char *root, const struct kernel *kernel)
{
	FILE *out = create(root, "/boot/config-" RELEASE);

	fputs("# Linux Kernel Configuration\n"
	      "CONFIG_SYNC_FILE_NOT=n\n", out);
	fputs(kernel->options, out);
	fputs("CONFIG_DMABUF_DEBUG_MORE=y\n"
	      "# CONFIG_SYNC_FILE_MORE is not set\n", out);
	fclose(out);
}

static int remove_entry(const char *path, const struct stat *status, int type,
			struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

FIXTURE(machine) {
	char root[32];
	struct law law;
	char text[1280];
};

FIXTURE_SETUP(machine)
{
	strcpy(self->root, "/tmp/law-XXXXXX");
	ASSERT_NE(NULL, mkdtemp(self->root));
}

FIXTURE_TEARDOWN(machine)
{
	nftw(self->root, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

#define EXPECT_LAW(wanted) \
	do { \
		law_probe(self->root, RELEASE, &self->law); \
		law_format(&self->law, self->text, sizeof(self->text)); \
		EXPECT_STREQ(wanted, self->text); \
	} while (0)

TEST_F(machine, types_and_options_tell_the_law)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		write_btf(self->root, kernels[i]);
		write_options(self->root, kernels[i]);
		EXPECT_LAW(kernels[i]->law);
		EXPECT_EQ(NULL, law_unexpected(&self->law, 0));
	}
	EXPECT_STREQ("btf: struct dma_buf has no lock",
		     self->law.source[LAW_MAP_LOCK_ALWAYS]);
	EXPECT_STREQ("btf: the kernel has dma_buf_attach_revocable()",
		     self->law.source[LAW_REVOCABLE_QUERY]);
	EXPECT_STREQ("/boot/config-" RELEASE " sets CONFIG_PCI_P2PDMA",
		     self->law.source[LAW_P2PDMA]);
	EXPECT_STREQ("btf: the kernel has ib_umem_get_desc()",
		     self->law.source[LAW_UMEM_DESCRIPTORS]);
}

/* Those of a kernel that says nothing itself; of modules there is no word then. */
TEST_F(machine, types_can_be_in_a_file_for_the_kernel)
{
	struct btf_file file;

	fill_btf(&file, &newest);
	write_btf_file(self->root, "/lib/modules/" RELEASE "/vmlinux.btf", &file);
	law_probe(self->root, RELEASE, &self->law);
	EXPECT_EQ(YES, self->law.value[LAW_NOTIFY_OPTIONAL]);
	EXPECT_STREQ("btf: the kernel has dma_buf_attach_revocable()",
		     self->law.source[LAW_REVOCABLE_QUERY]);
	EXPECT_EQ(EITHER, self->law.value[LAW_UMEM_REVOCABLE]);
	/* What the kernel says itself comes first. */
	write_btf(self->root, &old);
	law_probe(self->root, RELEASE, &self->law);
	EXPECT_EQ(NO, self->law.value[LAW_NOTIFY_OPTIONAL]);
}

/* The functions of a module that is not loaded are missing for that reason. */
TEST_F(machine, a_module_that_is_not_loaded_tells_nothing)
{
	char path[PATH_MAX];

	write_btf(self->root, &newest);
	snprintf(path, sizeof(path), "%s/sys/kernel/btf/ib_uverbs", self->root);
	ASSERT_EQ(0, remove(path));
	law_probe(self->root, RELEASE, &self->law);
	EXPECT_EQ(EITHER, self->law.value[LAW_REG_MR_METHOD]);
	EXPECT_EQ(EITHER, self->law.value[LAW_UMEM_REVOCABLE]);
	EXPECT_EQ(YES, self->law.value[LAW_REVOCABLE_QUERY]);
}

TEST_F(machine, symbols_and_headers_tell_it_without_types)
{
	for (size_t i = 0; i < ARRAY_SIZE(kernels); i++) {
		write_symbols(self->root, kernels[i]);
		write_headers(self->root, kernels[i]);
		write_options(self->root, kernels[i]);
		EXPECT_LAW(kernels[i]->law);
	}
	EXPECT_STREQ("kallsyms: the kernel has dma_buf_attach_revocable()",
		     self->law.source[LAW_REVOCABLE_QUERY]);
	EXPECT_STREQ("include/linux/dma-buf.h: struct dma_buf has no lock",
		     self->law.source[LAW_MAP_LOCK_ALWAYS]);
}

/* A compressed configuration in /proc is the running kernel's own. */
TEST_F(machine, the_kernel_s_own_configuration_comes_first)
{
	char command[200];

	write_options(self->root, &newest);
	fclose(create(self->root, "/proc/config.gz"));
	snprintf(command, sizeof(command),
		 "echo 'CONFIG_DMABUF_DEBUG=y' | gzip > %s/proc/config.gz",
		 self->root);
	ASSERT_EQ(0, system(command));
	law_probe(self->root, RELEASE, &self->law);
	EXPECT_EQ(YES, self->law.value[LAW_DMABUF_DEBUG]);
	EXPECT_EQ(NO, self->law.value[LAW_SYNC_FILE]);
	EXPECT_STREQ("/proc/config.gz does not list CONFIG_SYNC_FILE",
		     self->law.source[LAW_SYNC_FILE]);
}

TEST_F(machine, without_options_functions_still_tell)
{
	write_btf(self->root, &newest);
	law_probe(self->root, RELEASE, &self->law);
	EXPECT_EQ(YES, self->law.value[LAW_P2PDMA]);
	EXPECT_EQ(YES, self->law.value[LAW_MOVES_WHILE_MAPPED]);
	EXPECT_EQ(EITHER, self->law.value[LAW_DMABUF_DEBUG]);

	write_btf(self->root, &middle);
	law_probe(self->root, RELEASE, &self->law);
	EXPECT_EQ(EITHER, self->law.value[LAW_MOVES_WHILE_MAPPED]);
}

TEST_F(machine, what_nothing_declares_is_either)
{
	law_probe(self->root, RELEASE, &self->law);
	for (int i = 0; i < LAW_COUNT; i++) {
		EXPECT_EQ(EITHER, self->law.value[i]);
		EXPECT_EQ(0, strncmp("nothing tells of ", self->law.source[i],
				     17));
	}
}

/* Symbols without the dma-buf ones are symbols that are kept from us. */
TEST_F(machine, hidden_symbols_tell_nothing)
{
	FILE *out = create(self->root, "/proc/kallsyms");

	fputs("0000000000000000 T start_kernel\nrubbish\n\n", out);
	fclose(out);
	law_probe(self->root, RELEASE, &self->law);
	EXPECT_EQ(EITHER, self->law.value[LAW_REVOCABLE_QUERY]);
}

/* Types without functions are types of which functions were left out. */
TEST_F(machine, left_out_functions_tell_nothing)
{
	struct kernel without = newest;

	memset(without.functions, 0, sizeof(without.functions));
	write_btf(self->root, &without);
	law_probe(self->root, RELEASE, &self->law);
	EXPECT_EQ(YES, self->law.value[LAW_NOTIFY_OPTIONAL]);
	EXPECT_EQ(EITHER, self->law.value[LAW_REVOCABLE_QUERY]);
}

/* Whatever is wrong with the types, they are read to no harm. */
TEST_F(machine, damaged_types_do_no_harm)
{
	char path[PATH_MAX];
	struct stat status;

	snprintf(path, sizeof(path), "%s/sys/kernel/btf/vmlinux", self->root);
	write_btf(self->root, &newest);
	ASSERT_EQ(0, stat(path, &status));
	for (long place = 0; place < status.st_size; place++) {
		FILE *file;

		write_btf(self->root, &newest);
		file = fopen(path, "r+");
		fseek(file, place, SEEK_SET);
		fputc(0xff, file);
		fclose(file);
		law_probe(self->root, RELEASE, &self->law);
		EXPECT_NE(NO, self->law.value[LAW_NOTIFY_OPTIONAL]);

		ASSERT_EQ(0, truncate(path, place));
		law_probe(self->root, RELEASE, &self->law);
		EXPECT_EQ(EITHER, self->law.value[LAW_NOTIFY_OPTIONAL]);
	}
}

TEST_F(machine, a_law_is_read_as_it_is_written)
{
	struct law law;
	char problem[120];

	write_btf(self->root, &newest);
	write_options(self->root, &newest);
	EXPECT_LAW(newest.law);
	ASSERT_EQ(0, law_parse(self->text, &law, problem, sizeof(problem)));
	for (int i = 0; i < LAW_COUNT; i++)
		EXPECT_EQ(self->law.value[i], law.value[i]);
	EXPECT_EQ(strlen(newest.law), law_format(&law, self->text, 10));
	EXPECT_STREQ("notify_op", self->text);
}

TEST(what_a_text_lacks_is_either)
{
	struct law law;
	char problem[120];

	ASSERT_EQ(0, law_parse("", &law, problem, sizeof(problem)));
	EXPECT_EQ(EITHER, law.value[LAW_SYNC_FILE]);
	ASSERT_EQ(0, law_parse("sync_file=no", &law, problem, sizeof(problem)));
	EXPECT_EQ(NO, law.value[LAW_SYNC_FILE]);
	EXPECT_EQ(EITHER, law.value[LAW_P2PDMA]);
	EXPECT_STREQ("not in DMABUF_CTS_LAW", law.source[LAW_P2PDMA]);
}

TEST(a_bad_text_is_told)
{
	static const struct {
		const char *text;
		const char *problem;
	} cases[] = {
		{ "sync_file", "\"sync_file\" has no \"=\"" },
		{ "sync_files=yes", "no feature has the name \"sync_files\"" },
		{ "sync_file=maybe", "\"sync_file=maybe\" is not \"yes\", "
				     "\"no\" or \"either\"" },
		{ "sync_file=", "\"sync_file=\" is not \"yes\", \"no\" or "
				"\"either\"" },
		{ "sync_file=yes,sync_file=no", "sync_file is named twice" },
		{ "sync_file=yes,,p2pdma=no", "\"\" has no \"=\"" },
		{ " sync_file=yes", "no feature has the name \" sync_file\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct law law;
		char problem[120] = "";

		EXPECT_EQ(-EINVAL, law_parse(cases[i].text, &law, problem,
					     sizeof(problem)));
		EXPECT_STREQ(cases[i].problem, problem);
	}
}

TEST(an_unexpected_law_is_told)
{
	struct law law = { 0 };

	EXPECT_EQ(NULL, law_unexpected(&law, 0));
	law.value[LAW_MAP_LOCK_ALWAYS] = YES;
	law.value[LAW_VMAP_LOCKED] = NO;
	law.value[LAW_NOTIFY_OPTIONAL] = YES;
	law.value[LAW_MAPS_AT_ATTACH] = YES;
	EXPECT_NE(NULL, law_unexpected(&law, 0));
	EXPECT_NE(NULL, law_unexpected(&law, 1));
	EXPECT_EQ(NULL, law_unexpected(&law, 2));
}

TEST(records_tell_what_is_unexpected)
{
	struct law law = { .value = { [LAW_MAP_LOCK_ALWAYS] = NO } };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	law.value[LAW_VMAP_LOCKED] = YES;
	law_print(&law, out);
	fclose(out);
	EXPECT_NE(NULL, strstr(text, "\"feature\":\"vmap_locked\","
				     "\"value\":\"yes\""));
	EXPECT_NE(NULL, strstr(text, "{\"type\":\"note\",\"text\":"
				     "\"unexpected law: vmap needs"));
	free(text);
}

TEST_HARNESS_MAIN
