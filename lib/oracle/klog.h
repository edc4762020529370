/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel log of one case. Whatever the kernel complains of between
 * klog_begin() and klog_end() fails the case, but for warnings that the case
 * declared, because the law demands them.
 */
#ifndef CTS_KLOG_H
#define CTS_KLOG_H

#include <stdbool.h>
#include <stddef.h>

/**
 * klog_prepare - open the log, for who forks before klog_begin()
 *
 * Whatever the kernel says only once, it says again from then on.
 */
void klog_prepare(void);

/**
 * klog_begin - start the window; forgets what was expected before
 *
 * Where /dev/kmsg cannot be read a diagnostic line says so, and klog_end()
 * finds nothing. If anything was said since the last window, warnings that
 * come only once are let come again, where debugfs allows.
 */
void klog_begin(void);

/**
 * klog_expect - declare a warning
 * @function: kernel function that warns, without offset:
 *	      "dma_buf_dynamic_attach"; a constant string
 */
void klog_expect(const char *function);

/**
 * klog_end - end the window
 * @text: where to write the first complaint that was not declared
 * @size: bytes at @text
 *
 * Return: how many there were.
 */
int klog_end(char *text, size_t size);

/**
 * klog_listen - begin to listen for words of the kernel that are no complaint
 *
 * Return: a descriptor for klog_heard(), or a negative errno.
 */
int klog_listen(void);

/**
 * klog_heard - whether the kernel said something, and stop listening
 * @listener: from klog_listen()
 * @words: part of a line
 *
 * Return: true if a line of the kernel's since then has @words in it.
 */
bool klog_heard(int listener, const char *words);

/**
 * klog_complaint - whether a record of /dev/kmsg is a complaint
 * @record: as read from /dev/kmsg, "4,1234,5678,-;WARNING: ..."
 * @text: where to write its first line
 * @size: bytes at @text
 *
 * Lines that user space wrote, and declared warnings, are none.
 */
bool klog_complaint(const char *record, char *text, size_t size);

#endif
