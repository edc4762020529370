// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded into QEMU. When the server of an emulated NIC dies, the guest
 * shall lose a device and live on. QEMU 11.1 manages that if the connection
 * merely ends; but a server that is killed before it has read the last
 * request resets it, and for a reset QEMU sets one error twice and aborts.
 * So a reset is made to look like an end.
 */
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
	ssize_t length = syscall(SYS_recvmsg, socket, message, flags);

	return length < 0 && errno == ECONNRESET ? 0 : length;
}
