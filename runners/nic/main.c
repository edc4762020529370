// SPDX-License-Identifier: GPL-2.0-only
/*
 * cts-nic: an Amazon EFA network card for a virtual machine, driven by the kernel's own efa
 * driver. It serves QEMU's vfio-user-pci device over a socket, one for each card.
 */
#include "nic/fault.h"
#include "nic/log.h"
#include "nic/options.h"
#include "nic/server.h"

int main(int argc, char **argv)
{
	struct options options;
	int status = options_parse(&options, argc, argv);

	if (status >= 0)
		return status;
	log_show(options.level);
	fault_set(options.fault);
	return server_run(&options);
}
