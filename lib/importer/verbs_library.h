/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libibverbs, loaded when it is first wanted: programs start without it and
 * run where it is not installed. Only what includes this header knows its
 * types, and is left out of a build that has no headers of rdma-core.
 */
#ifndef CTS_VERBS_LIBRARY_H
#define CTS_VERBS_LIBRARY_H

#if defined(__has_include) && __has_include(<infiniband/verbs.h>)
#define VERBS_HEADERS	1

#include <infiniband/verbs.h>

/* Functions of the library that its header does not have inline; without "ibv_". */
#define VERBS_FUNCTIONS(FUNCTION) \
	FUNCTION(get_device_list) \
	FUNCTION(free_device_list) \
	FUNCTION(get_device_name) \
	FUNCTION(open_device) \
	FUNCTION(close_device) \
	FUNCTION(query_device) \
	FUNCTION(query_port) \
	FUNCTION(query_gid) \
	FUNCTION(alloc_pd) \
	FUNCTION(dealloc_pd) \
	FUNCTION(reg_mr) \
	FUNCTION(reg_dmabuf_mr) \
	FUNCTION(dereg_mr) \
	FUNCTION(create_comp_channel) \
	FUNCTION(destroy_comp_channel) \
	FUNCTION(create_cq) \
	FUNCTION(destroy_cq) \
	FUNCTION(get_cq_event) \
	FUNCTION(ack_cq_events) \
	FUNCTION(create_qp) \
	FUNCTION(modify_qp) \
	FUNCTION(destroy_qp) \
	FUNCTION(qp_to_qp_ex) \
	FUNCTION(create_ah) \
	FUNCTION(destroy_ah)

struct verbs_library {
#define VERBS_FUNCTION_MEMBER(name) __typeof__(ibv_##name) *name;
	VERBS_FUNCTIONS(VERBS_FUNCTION_MEMBER)
#undef VERBS_FUNCTION_MEMBER
};
#endif

/**
 * verbs_library_load - load the library, once for the life of the process
 * @why: set to what is missing if it cannot be used
 *
 * Return: its functions, or NULL.
 */
const struct verbs_library *verbs_library_load(const char **why);

/**
 * verbs_library_function - a function of another library of rdma-core
 * @library: "libefa.so.1"
 * @name: of the function
 *
 * Return: it, or NULL if the library or the function is not there.
 */
void *verbs_library_function(const char *library, const char *name);

#endif
