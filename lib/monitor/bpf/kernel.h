/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of the kernel's types as the programs look at. Where members really
 * are is filled in when the programs are loaded, from the type information of
 * the kernel that runs. A name that ends in ___ and a word is the same type, of
 * kernels that differ.
 */
#ifndef CTS_MONITOR_KERNEL_H
#define CTS_MONITOR_KERNEL_H

#pragma clang attribute push(__attribute__((preserve_access_index)), \
			     apply_to = record)

typedef struct {
	long counter;
} atomic_long_t;

struct list_head {
	struct list_head *next;
};

struct module {
	char name[56];
};

struct device_driver {
	const char *name;
};

struct kobject {
	const char *name;
};

struct device {
	struct kobject kobj;
	struct device_driver *driver;
};

struct mutex {
	atomic_long_t owner;
};

struct ww_mutex {
	struct mutex base;
};

struct dma_resv {
	struct ww_mutex lock;
};

struct file_ref {
	atomic_long_t refcnt;
};

/* Counts references from 1 to 6.12, and from 0 later. */
struct file___old {
	atomic_long_t f_count;
};

typedef struct {
	atomic_long_t refcnt;
} file_ref_t;

struct file___new {
	file_ref_t f_ref;
};

struct file {
	void *private_data;
};

struct sg_table;

struct dma_buf_ops {
	void *pin;
};

struct dma_buf {
	unsigned long size;
	struct file *file;
	struct list_head attachments;
	const struct dma_buf_ops *ops;
	const char *exp_name;
	struct module *owner;
	struct dma_resv *resv;
};

struct dma_buf_attach_ops {
	bool allow_peer2peer;
};

struct dma_buf_attach_ops___old {
	void *move_notify;
};

struct dma_buf_attach_ops___new {
	void *invalidate_mappings;
};

struct dma_buf_attachment {
	struct dma_buf *dmabuf;
	struct device *dev;
	struct list_head node;
	const struct dma_buf_attach_ops *importer_ops;
};

struct scatterlist {
	unsigned long page_link;
	unsigned long dma_address;
	unsigned int length;
};

struct scatterlist___dma_length {
	unsigned int dma_length;
};

struct sg_table {
	struct scatterlist *sgl;
	unsigned int nents;
};

struct task_struct {
	struct task_struct *real_parent;
	int tgid;
};

struct dentry {
	void *d_fsdata;
};

#pragma clang attribute pop

#endif
