// SPDX-License-Identifier: GPL-2.0-only
/*
 * Buffers that are bound to a network device: what the kernel does to an
 * exporter from the bind to the end of the binding, and what becomes of a
 * buffer that is being sent. The code that all network devices share
 * (net/core/devmem.c) is judged, by the events and counters of the peer
 * exporter. What is sent here nobody answers: it stays in flight until its
 * socket is closed.
 * Clauses: NET-01 to NET-06, NET-08.
 */
#include <arpa/inet.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "importer/devmem.h"
#include "oracle/fdinfo.h"
#include "oracle/rdma_link.h"
#include "pair/clause_test.h"
#include "pair/kernel.h"
#include "peer/life.h"

#define PAGE		4096
#define WINDOW		65535
#define PORT		4711
/* The room for 9 pages is made by the allocator for 12: a tenth does no harm. */
#define PAGES_WITH_ROOM	9

#ifndef SO_ZEROCOPY
#define SO_ZEROCOPY	60
#endif
#ifndef MSG_ZEROCOPY
#define MSG_ZEROCOPY	0x4000000
#endif
#ifndef SCM_DEVMEM_DMABUF
#define SCM_DEVMEM_DMABUF	79
#endif

/* ---- what is sent --------------------------------------------------- */

struct option {
	int level, name, value;
};

static int set_options(int fd, const struct option *options, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (setsockopt(fd, options[i].level, options[i].name,
			       &options[i].value, sizeof(options[i].value)))
			return -errno;
	return 0;
}

/* Of a network that documents have for examples: nobody is there. */
static struct sockaddr_in place(const char *address)
{
	struct sockaddr_in place = {
		.sin_family = AF_INET, .sin_port = htons(PORT),
	};

	inet_pton(AF_INET, address, &place.sin_addr);
	return place;
}

/* As much as goes into a few packets, without an answer. */
static int open_window(int fd)
{
	struct tcp_repair_window window;
	socklen_t size = sizeof(window);

	if (getsockopt(fd, IPPROTO_TCP, TCP_REPAIR_WINDOW, &window, &size))
		return -errno;
	window.snd_wnd = WINDOW;
	window.max_window = WINDOW;
	return setsockopt(fd, IPPROTO_TCP, TCP_REPAIR_WINDOW, &window, size) ?
	       -errno : 0;
}

/* A connection that is declared to be one, whatever the other end says. */
static int declare_connection(int fd, const char *network)
{
	static const struct option before[] = {
		{ SOL_SOCKET, SO_ZEROCOPY, 1 },
		{ IPPROTO_IP, IP_TRANSPARENT, 1 },
		{ IPPROTO_TCP, TCP_REPAIR, TCP_REPAIR_ON },
	}, after[] = {
		{ IPPROTO_TCP, TCP_REPAIR, TCP_REPAIR_OFF_NO_WP },
	};
	const struct sockaddr_in here = place("192.0.2.1");
	const struct sockaddr_in there = place("192.0.2.2");
	int ret;

	if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, network,
		       strlen(network) + 1))
		return -errno;
	ret = set_options(fd, before, ARRAY_SIZE(before));
	if (ret)
		return ret;
	if (bind(fd, (const void *)&here, sizeof(here)) ||
	    connect(fd, (const void *)&there, sizeof(there)))
		return -errno;
	ret = open_window(fd);
	return ret ?: set_options(fd, after, ARRAY_SIZE(after));
}

/*
 * Return: a socket that sends through @network, or a negative errno. Whoever
 * closes it, the end of a killed process too, gives up what is in flight.
 */
static int open_sender(const char *network)
{
	static const struct linger at_once = { .l_onoff = 1 };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int ret = fd < 0 ? -errno : declare_connection(fd, network);

	if (!ret && setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once,
			       sizeof(at_once)))
		ret = -errno;
	if (ret && fd >= 0)
		close(fd);
	return ret ?: fd;
}

/* Send @length bytes of what is bound, from its beginning. */
static ssize_t send_bound(int fd, uint32_t binding, size_t length)
{
	char control[CMSG_SPACE(sizeof(binding))] = "";
	/* Where in the buffer stands in the place of an address. */
	struct iovec range = { .iov_base = NULL, .iov_len = length };
	struct msghdr message = {
		.msg_iov = &range, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	ssize_t sent;

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_DEVMEM_DMABUF;
	head->cmsg_len = CMSG_LEN(sizeof(binding));
	memcpy(CMSG_DATA(head), &binding, sizeof(binding));
	sent = sendmsg(fd, &message, MSG_ZEROCOPY | MSG_DONTWAIT | MSG_NOSIGNAL);
	return sent < 0 ? -errno : sent;
}

/* Sends through other machines' networks are not for a test to begin. */
#define needs_own_network() \
	do { \
		if (strcmp(devmem_network(self->importer), PEER_NET_NAME)) \
			skip_case("sends through the suite's own network device alone"); \
		must(link_up(PEER_NET_NAME)); \
	} while (0)

/* ---- how it is attached and mapped ----------------------------------- */

/* Places of a binding's calls in the log. */
struct one_life {
	int attach;
	int map;
	int unmap;
};

#define must_live_once(access_, log_, life_) \
	do { \
		must_live(access_, log_); \
		*(life_) = (struct one_life){ \
			.attach = event_find(log_, PEER_CALL_ATTACH, 0), \
			.map = event_find(log_, PEER_CALL_MAP, 0), \
			.unmap = event_find(log_, PEER_CALL_UNMAP, 0), \
		}; \
		must_be((life_)->attach >= 0 && (life_)->map >= 0 && \
			(life_)->unmap >= 0); \
	} while (0)

CLAUSE_TEST(binding_attaches_and_maps_one_way,
	    NEEDS(EXPORTER_PEER, IMPORTER_DEVMEM, IMPORTER_DEVMEM_TX,
		  IMPORTER_MAPS),
	    NET_01_a, NET_06_a, NET_06_b)
{
	static struct event_log log;
	struct one_life life;

	must_live_once(IMPORT_READ, &log, &life);
	check(NET_01_a, !(log.events[life.attach].flags &
			  (PEER_EVENT_DYNAMIC | PEER_EVENT_P2P)));
	check_equal(NET_06_a, PEER_TO_DEVICE, log.events[life.map].direction);
	check(NET_06_b, !(log.events[life.unmap].flags &
			  PEER_EVENT_DIRECTION_CHANGED));
}

/* Then the core maps for whoever is static, and both ways. */
static bool maps_by_itself(struct exporter *exporter)
{
	return law_is(LAW_MAPS_AT_ATTACH) && exporter_is_dynamic(exporter);
}

CLAUSE_TEST(binding_for_receiving_is_written,
	    NEEDS(EXPORTER_PEER, IMPORTER_DEVMEM, IMPORTER_DEVMEM_RX),
	    NET_01_a, NET_06_b, NET_06_c)
{
	static struct event_log log;
	struct one_life life;

	must_live_once(IMPORT_WRITE, &log, &life);
	check(NET_01_a, !(log.events[life.attach].flags &
			  (PEER_EVENT_DYNAMIC | PEER_EVENT_P2P)));
	if (maps_by_itself(self->exporter)) {
		skip_clause(NET_06_c, "this kernel maps at attach, both ways");
		skip_clause(NET_06_b, "this kernel unmaps at detach, both ways");
		return;
	}
	check_equal(NET_06_c, PEER_FROM_DEVICE, log.events[life.map].direction);
	check(NET_06_b, !(log.events[life.unmap].flags &
			  PEER_EVENT_DIRECTION_CHANGED));
}

CLAUSE_TEST(memory_of_devices_is_out_of_reach,
	    NEEDS(EXPORTER_PEER, IMPORTER_DEVMEM), NET_01_b)
{
	const struct buffer_spec spec = {
		.size = PAIR_BUFFER_SIZE, .placement = PLACE_DEVICE,
	};
	struct import import;
	struct buffer buffer;

	if (exporter_is_dynamic(self->exporter))
		skip_case("this exporter brings its memory to where it is reached");
	must(exporter_alloc(self->exporter, &spec, &buffer));
	check_errno(NET_01_b, EOPNOTSUPP,
		    importer_import(self->importer, buffer.fd, 0, 0,
				    IMPORT_READ, &import));
	exporter_release(&buffer);
}

/* ---- what cannot be bound -------------------------------------------- */

/* Binds a buffer of a kind; what was bound by mistake is let go. */
static int bind_kind(struct exporter *exporter, const char *network,
		     const struct buffer_spec *spec, char *why, size_t size)
{
	struct netdev_binding binding;
	struct buffer buffer;
	int ret = exporter_alloc(exporter, spec, &buffer);

	if (ret)
		return ret;
	ret = netdev_bind_tx(network, buffer.fd, &binding);
	snprintf(why, size, "%s", binding.why);
	if (!ret)
		netdev_unbind(&binding);
	exporter_release(&buffer);
	return ret;
}

CLAUSE_TEST(pieces_are_whole_pages,
	    NEEDS(EXPORTER_PEER, IMPORTER_DEVMEM, IMPORTER_DEVMEM_TX),
	    NET_02_a, NET_02_b, NET_02_c)
{
	const struct buffer_spec ragged = {
		.size = PAIR_BUFFER_SIZE, .flags = BUFFER_RAGGED,
	}, misaligned = {
		.size = PAIR_BUFFER_SIZE, .flags = BUFFER_MISALIGNED,
	};
	const char *network = devmem_network(self->importer);
	char why[128];

	needs_no_decline();
	check_errno(NET_02_a, EINVAL,
		    bind_kind(self->exporter, network, &ragged, why, sizeof(why)));
	check_saying(NET_02_c, strstr(why, "size"), "it says \"%s\"", why);
	check_errno(NET_02_b, EINVAL,
		    bind_kind(self->exporter, network, &misaligned, why,
			      sizeof(why)));
	check_saying(NET_02_c, strstr(why, "aligned"), "it says \"%s\"", why);
}

/* Binds a buffer of 16 pages; what was bound is let go. */
static int bind_in_pieces(struct exporter *exporter, struct importer *importer,
			  unsigned int shape, size_t piece_size)
{
	const struct buffer_spec spec = { .size = 16 * PAGE, .shape = shape };
	struct netdev_binding binding;
	struct buffer buffer;
	int ret = exporter_alloc(exporter, &spec, &buffer);

	if (ret)
		return ret;
	ret = devmem_bind(importer, buffer.fd, piece_size, &binding);
	if (!ret)
		netdev_unbind(&binding);
	exporter_release(&buffer);
	return ret;
}

CLAUSE_TEST(larger_pieces_need_larger_entries,
	    NEEDS(EXPORTER_PEER, IMPORTER_DEVMEM, IMPORTER_DEVMEM_RX,
		  IMPORTER_DEVMEM_PIECES),
	    NET_02_d)
{
	needs_no_decline();
	must(bind_in_pieces(self->exporter, self->importer, PEER_SHAPE_PAGES,
			    PAGE));
	check_errno(NET_02_d, EINVAL,
		    bind_in_pieces(self->exporter, self->importer,
				   PEER_SHAPE_PAGES, DEVMEM_LARGE_PIECE));
	/* The piece is no larger than what is there: so that was the reason. */
	self->exporter->contiguous = true;
	must(bind_in_pieces(self->exporter, self->importer, PEER_SHAPE_MERGED,
			    DEVMEM_LARGE_PIECE));
}

CLAUSE_TEST(longer_table_is_refused,
	    NEEDS(EXPORTER_PEER, IMPORTER_DEVMEM, IMPORTER_DEVMEM_TX), NET_08)
{
	const struct buffer_spec spec = {
		.size = PAGES_WITH_ROOM * PAGE, .flags = BUFFER_LONG,
	};
	char why[128];

	needs_no_decline();
	if (kernel_config("CONFIG_KASAN_GENERIC") == CONFIG_ON)
		skip_case("KASAN would take what follows for the end of the kernel");
	disrupts("has the kernel write past what it asked the allocator for");
	check_fails(NET_08, bind_kind(self->exporter,
				      devmem_network(self->importer), &spec,
				      why, sizeof(why)));
}

/* ---- what a failed bind leaves ---------------------------------------- */

/* The steps of a bind that an exporter can make fail, and one behind them. */
static const struct {
	const char *name;
	enum peer_failure what;		/* 0: what comes after the map */
	int error;
} stages[] = {
	{ "attach", PEER_FAIL_ATTACH, EREMOTEIO },
	{ "map", PEER_FAIL_MAP, ESTALE },
	{ "pieces", 0, EINVAL },
};

static int fail_at(struct importer *importer, struct buffer *buffer, int stage)
{
	struct import import;
	int ret = 0;

	if (stages[stage].what)
		ret = peer_exporter_fail(buffer, stages[stage].what, 0, 1,
					 -stages[stage].error);
	return ret ?: importer_import(importer, buffer->fd, 0, 0, IMPORT_READ,
				      &import);
}

CLAUSE_TEST(failed_bind_unwinds,
	    NEEDS(EXPORTER_PEER, IMPORTER_DEVMEM, IMPORTER_DEVMEM_TX,
		  IMPORTER_MAPS),
	    NET_03_a, NET_03_b, NET_03_c)
{
	const struct buffer_spec spec = {
		.size = PAIR_BUFFER_SIZE, .flags = BUFFER_RAGGED,
	};
	struct buffer buffer;
	bool put = true;
	long before;

	needs_no_decline();
	must(exporter_alloc(self->exporter, &spec, &buffer));
	must(before = fdinfo_references(buffer.fd));
	for (int i = 0; put && i < (int)ARRAY_SIZE(stages); i++) {
		int error = fail_at(self->importer, &buffer, i);

		check_saying(NET_03_c, error == -stages[i].error, "%s: %s",
			     stages[i].name, errno_text(error));
		check_equal(NET_03_a, 0, left_behind(&buffer));
		put = comes_true(LET_GO_MS,
				 fdinfo_references(buffer.fd) == before);
		check_saying(NET_03_b, put, "%s: %ld references, before %ld",
			     stages[i].name, fdinfo_references(buffer.fd),
			     before);
	}
	exporter_release(&buffer);
}

/* ---- the end of a binding ---------------------------------------------- */

CLAUSE_TEST(closed_socket_ends_binding,
	    NEEDS(EXPORTER_PEER, IMPORTER_DEVMEM), NET_04_a)
{
	struct import import;
	long before;

	must(before = fdinfo_references(self->buffer.fd));
	must_import(IMPORT_READ, &import);
	must_be(exporter_saw(&self->buffer).maps == 1);
	netdev_unbind(devmem_binding(&import));
	check_equal(NET_04_a, 0, left_behind(&self->buffer));
	check(NET_04_a, comes_true(LET_GO_MS,
		fdinfo_references(self->buffer.fd) == before));
	must(importer_release(&import));
}

/* Binds, says so, and waits to be killed. */
static void hold_binding(struct importer *importer, int fd, int tell)
{
	struct import import;
	int ret;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	ret = importer_import(importer, fd, 0, 0, IMPORT_READ, &import);
	if (write(tell, &ret, sizeof(ret)) == sizeof(ret))
		pause();
	_exit(1);
}

CLAUSE_TEST(killed_process_ends_binding,
	    NEEDS(EXPORTER_PEER, IMPORTER_DEVMEM), NET_04_b)
{
	int ends[2], ret;
	pid_t child;

	needs_no_decline();
	must_call(pipe(ends));
	must_call(child = fork());
	if (!child)
		hold_binding(self->importer, self->buffer.fd, ends[1]);
	close(ends[1]);
	must_be(read(ends[0], &ret, sizeof(ret)) == sizeof(ret));
	close(ends[0]);
	must(ret);
	must_be(exporter_saw(&self->buffer).maps == 1);
	must_call(kill(child, SIGKILL));
	must_call(waitpid(child, NULL, 0));
	check_equal(NET_04_b, 0, left_behind(&self->buffer));
}

CLAUSE_TEST(what_is_in_flight_keeps_the_mapping,
	    NEEDS(EXPORTER_PEER, IMPORTER_DEVMEM, IMPORTER_DEVMEM_TX,
		  IMPORTER_MAPS),
	    NET_04_c, NET_04_d)
{
	struct import import;
	int sender;

	needs_own_network();
	must_import(IMPORT_READ, &import);
	must(sender = open_sender(PEER_NET_NAME));
	must_be(send_bound(sender, import.handle, 2 * PAGE) == 2 * PAGE);

	must(importer_release(&import));
	check(NET_04_c, !comes_true(200, exporter_saw(&self->buffer).maps == 0));
	check_equal(NET_04_c, 1, exporter_saw(&self->buffer).attachments);
	close(sender);
	check_equal(NET_04_d, 0, left_behind(&self->buffer));
}

/* ---- ordinary buffers --------------------------------------------------- */

#define judge_ordinary(clause) \
	do { \
		struct import import_; \
		int sender_; \
\
		needs_own_network(); \
		check_ok(clause, importer_import(self->importer, \
						 self->buffer.fd, 0, 0, \
						 IMPORT_READ, &import_)); \
		if (!import_.importer) \
			return; \
		must(sender_ = open_sender(PEER_NET_NAME)); \
		check_equal(clause, PAGE, send_bound(sender_, import_.handle, \
						     PAGE)); \
		close(sender_); \
		must(importer_release(&import_)); \
	} while (0)

CLAUSE_TEST(udmabuf_is_taken,
	    NEEDS(EXPORTER_UDMABUF, IMPORTER_DEVMEM, IMPORTER_DEVMEM_TX),
	    NET_05_a)
{
	judge_ordinary(NET_05_a);
}

CLAUSE_TEST(heap_is_taken,
	    NEEDS(EXPORTER_HEAP, IMPORTER_DEVMEM, IMPORTER_DEVMEM_TX), NET_05_b)
{
	judge_ordinary(NET_05_b);
}

CLAUSE_TEST_MAIN("devmem")
