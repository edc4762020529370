// SPDX-License-Identifier: GPL-2.0-only
/*
 * The parameter "fault". The file that includes this one defines
 * PEER_FAULTS_DEF, the list of its module; and PEER_FAULT_SWITCHED, a function
 * that is told of each change and may refuse it, if it has one.
 */
#ifdef PEER_FAULTS

#include "shared/fault.h"

#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

unsigned int peer_fault_active;

#define FAULT(name, clauses, effect)	#name,
static const char *const fault_names[] = {
	"none",
#include PEER_FAULTS_DEF
};
#undef FAULT

static int set_fault(const char *value, const struct kernel_param *param)
{
	int index = __sysfs_match_string(fault_names, ARRAY_SIZE(fault_names),
					 value);

	if (index < 0)
		return -EINVAL;
#ifdef PEER_FAULT_SWITCHED
	if (PEER_FAULT_SWITCHED(index))
		return -ENXIO;
#endif
	WRITE_ONCE(peer_fault_active, index);
	return 0;
}

static int get_fault(char *value, const struct kernel_param *param)
{
	return sysfs_emit(value, "%s\n", fault_names[READ_ONCE(peer_fault_active)]);
}

static const struct kernel_param_ops fault_ops = {
	.set = set_fault,
	.get = get_fault,
};

module_param_cb(fault, &fault_ops, NULL, 0600);
MODULE_PARM_DESC(fault, "the one rule of the contract to break, or none");

#endif
