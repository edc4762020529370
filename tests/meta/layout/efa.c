// SPDX-License-Identifier: GPL-2.0-only
/*
 * Our own definitions of the NIC's formats against those of the kernel's driver, whose folder is
 * given to the compiler; nothing is run.
 */
#include <stddef.h>

#include "efa_common_defs.h"
#include "efa_admin_defs.h"
#include "efa_admin_cmds_defs.h"
#include "efa_io_defs.h"
#include "efa_regs_defs.h"

#include "nic/wire/admin.h"
#include "nic/wire/io.h"
#include "nic/wire/registers.h"

#define VALUE(ours, theirs) \
	_Static_assert((long)(ours) == (long)(theirs), #ours " is not " #theirs)
#define SIZE(ours, theirs) \
	_Static_assert(sizeof(struct ours) == sizeof(struct theirs), "size of " #ours)

/* @skip: what precedes our struct in theirs. */
#define FIELD_AFTER(skip, ours, member, theirs, their_member) \
	_Static_assert(offsetof(struct ours, member) + (skip) == \
		       offsetof(struct theirs, their_member) && \
		       sizeof(((struct ours *)0)->member) == \
		       sizeof(((struct theirs *)0)->their_member), \
		       #member " of " #ours " is not " #their_member)
#define FIELD(...)	FIELD_AFTER(0, __VA_ARGS__)
#define ANSWER(...)	FIELD_AFTER(offsetof(struct admin_completion, answer), __VA_ARGS__)

/* Registers. */
VALUE(REGISTER_VERSION, EFA_REGS_VERSION_OFF);
VALUE(REGISTER_CONTROLLER_VERSION, EFA_REGS_CONTROLLER_VERSION_OFF);
VALUE(REGISTER_CAPABILITIES, EFA_REGS_CAPS_OFF);
VALUE(REGISTER_AQ_BASE, EFA_REGS_AQ_BASE_LO_OFF);
VALUE(REGISTER_AQ_BASE + 4, EFA_REGS_AQ_BASE_HI_OFF);
VALUE(REGISTER_AQ_SHAPE, EFA_REGS_AQ_CAPS_OFF);
VALUE(REGISTER_ACQ_BASE, EFA_REGS_ACQ_BASE_LO_OFF);
VALUE(REGISTER_ACQ_SHAPE, EFA_REGS_ACQ_CAPS_OFF);
VALUE(REGISTER_AQ_DOORBELL, EFA_REGS_AQ_PROD_DB_OFF);
VALUE(REGISTER_AENQ_SHAPE, EFA_REGS_AENQ_CAPS_OFF);
VALUE(REGISTER_AENQ_BASE, EFA_REGS_AENQ_BASE_LO_OFF);
VALUE(REGISTER_AENQ_DOORBELL, EFA_REGS_AENQ_CONS_DB_OFF);
VALUE(REGISTER_INTERRUPT_MASK, EFA_REGS_INTR_MASK_OFF);
VALUE(REGISTER_CONTROL, EFA_REGS_DEV_CTL_OFF);
VALUE(REGISTER_STATUS, EFA_REGS_DEV_STS_OFF);
VALUE(REGISTER_READ_REQUEST, EFA_REGS_MMIO_REG_READ_OFF);
VALUE(REGISTER_ANSWER, EFA_REGS_MMIO_RESP_LO_OFF);
VALUE(REGISTER_ANSWER + 4, EFA_REGS_MMIO_RESP_HI_OFF);
VALUE(REGISTER_EQ_DOORBELL, EFA_REGS_EQ_DB_OFF);
VALUE(CAPABILITY_RESET_TIMEOUT(0x1f), EFA_REGS_CAPS_RESET_TIMEOUT_MASK);
VALUE(CAPABILITY_ADDRESS_BITS(0xff), EFA_REGS_CAPS_DMA_ADDR_WIDTH_MASK);
VALUE(SHAPE_COMMAND_SIZE(EFA_REGS_AQ_CAPS_AQ_ENTRY_SIZE_MASK), 0xffff);
VALUE(SHAPE_ENTRY_SIZE(EFA_REGS_ACQ_CAPS_ACQ_ENTRY_SIZE_MASK), 0xff);
VALUE(SHAPE_VECTOR(EFA_REGS_AENQ_CAPS_AENQ_MSIX_VECTOR_MASK), 0xff);
VALUE(CONTROL_RESET, EFA_REGS_DEV_CTL_DEV_RESET_MASK);
VALUE(STATUS_READY, EFA_REGS_DEV_STS_READY_MASK);
VALUE(STATUS_RESET_IN_PROGRESS, EFA_REGS_DEV_STS_RESET_IN_PROGRESS_MASK);
VALUE(STATUS_RESET_FINISHED, EFA_REGS_DEV_STS_RESET_FINISHED_MASK);
VALUE(DOORBELL_ARM, EFA_REGS_EQ_DB_ARM_MASK);
SIZE(register_answer, efa_admin_mmio_req_read_less_resp);

/* The admin queue. */
VALUE(OPCODE_CREATE_QP, EFA_ADMIN_CREATE_QP);
VALUE(OPCODE_DESTROY_AH, EFA_ADMIN_DESTROY_AH);
VALUE(OPCODE_REG_MR, EFA_ADMIN_REG_MR);
VALUE(OPCODE_DESTROY_CQ, EFA_ADMIN_DESTROY_CQ);
VALUE(OPCODE_GET_STATS, EFA_ADMIN_GET_STATS);
VALUE(OPCODE_DEALLOC_UAR, EFA_ADMIN_DEALLOC_UAR);
VALUE(OPCODE_DESTROY_EQ, EFA_ADMIN_DESTROY_EQ);
VALUE(ADMIN_BUSY, EFA_ADMIN_RESOURCE_BUSY);
VALUE(ADMIN_EXTERNAL, EFA_ADMIN_AQ_COMMON_DESC_CTRL_DATA_MASK);
VALUE(ADMIN_INDIRECT, EFA_ADMIN_AQ_COMMON_DESC_CTRL_DATA_INDIRECT_MASK);
SIZE(admin_header, efa_admin_aq_common_desc);
SIZE(admin_header_long, efa_admin_aq_common_desc_v2);
FIELD(admin_header_long, checksum, efa_admin_aq_common_desc_v2, checksum);
SIZE(admin_completion, efa_admin_acq_entry);
FIELD(admin_completion, flags, efa_admin_acq_entry, acq_common_descriptor.flags);
FIELD(admin_completion, checksum, efa_admin_acq_entry, acq_common_descriptor.checksum);
VALUE(ADMIN_ENTRY_LONG, sizeof(struct efa_admin_aq_entry_v2));
SIZE(external, efa_admin_ctrl_buff_info);

/* Commands and answers. */
SIZE(create_qp, efa_admin_create_qp_cmd);
FIELD(create_qp, receive_ring, efa_admin_create_qp_cmd, rq_base_addr);
FIELD(create_qp, receive_cq, efa_admin_create_qp_cmd, recv_cq_idx);
FIELD(create_qp, send_ring_size, efa_admin_create_qp_cmd, qp_alloc_size.send_queue_ring_size);
FIELD(create_qp, receive_ring_size, efa_admin_create_qp_cmd, qp_alloc_size.recv_queue_ring_size);
FIELD(create_qp, uar, efa_admin_create_qp_cmd, uar);
ANSWER(create_qp_answer, number, efa_admin_create_qp_resp, qp_num);
ANSWER(create_qp_answer, send_doorbell, efa_admin_create_qp_resp, sq_db_offset);
ANSWER(create_qp_answer, send_queue, efa_admin_create_qp_resp, llq_descriptors_offset);
SIZE(modify_qp, efa_admin_modify_qp_cmd);
FIELD(modify_qp, retries, efa_admin_modify_qp_cmd, rnr_retry);
VALUE(MODIFY_RETRIES, EFA_ADMIN_MODIFY_QP_CMD_RNR_RETRY_MASK);
ANSWER(query_qp_answer, retries, efa_admin_query_qp_resp, rnr_retry);
VALUE(QP_ERROR, EFA_ADMIN_QP_STATE_ERR);
VALUE(QP_SRD, EFA_ADMIN_QP_TYPE_SRD);
SIZE(create_ah, efa_admin_create_ah_cmd);
SIZE(destroy_ah, efa_admin_destroy_ah_cmd);
SIZE(reg_mr, efa_admin_reg_mr_cmd);
FIELD(reg_mr, list, efa_admin_reg_mr_cmd, pbl.pbl);
FIELD(reg_mr, pages, efa_admin_reg_mr_cmd, pbl.inline_pbl_array);
FIELD(reg_mr, length, efa_admin_reg_mr_cmd, mr_length);
FIELD(reg_mr, rights, efa_admin_reg_mr_cmd, permissions);
FIELD(reg_mr, address, efa_admin_reg_mr_cmd, iova);
VALUE(REGION_SHIFT(0xff), EFA_ADMIN_REG_MR_CMD_PHYS_PAGE_SIZE_SHIFT_MASK);
VALUE(REGION_PHYSICAL, EFA_ADMIN_REG_MR_CMD_MEM_ADDR_PHY_MODE_EN_MASK);
VALUE(RIGHT_REMOTE_READ, EFA_ADMIN_REG_MR_CMD_REMOTE_READ_ENABLE_MASK);
ANSWER(reg_mr_answer, remote_key, efa_admin_reg_mr_resp, r_key);
SIZE(create_cq, efa_admin_create_cq_cmd);
FIELD(create_cq, eq, efa_admin_create_cq_cmd, eqn);
FIELD(create_cq, ring, efa_admin_create_cq_cmd, cq_ba);
FIELD(create_cq, uar, efa_admin_create_cq_cmd, uar);
VALUE(CQ_INTERRUPTS, EFA_ADMIN_CREATE_CQ_CMD_INTERRUPT_MODE_ENABLED_MASK);
VALUE(CQ_SOURCE_ADDRESS, EFA_ADMIN_CREATE_CQ_CMD_SET_SRC_ADDR_MASK);
ANSWER(create_cq_answer, doorbell, efa_admin_create_cq_resp, db_offset);
ANSWER(create_cq_answer, flags, efa_admin_create_cq_resp, flags);
SIZE(create_eq, efa_admin_create_eq_cmd);
FIELD(create_eq, ring, efa_admin_create_eq_cmd, ba);
SIZE(event, efa_admin_eqe);
FIELD(event, cq, efa_admin_eqe, u.comp_event.cqn);

/* Features, statistics, asynchronous events. */
VALUE(FEATURE_EVENTS, EFA_ADMIN_EVENT_QUEUE_ATTR);
VALUE(FEATURE_HOST, EFA_ADMIN_HOST_INFO);
SIZE(feature_command, efa_admin_set_feature_cmd);
FIELD(feature_command, feature, efa_admin_set_feature_cmd, feature_common.feature_id);
SIZE(feature_device, efa_admin_feature_device_attr_desc);
FIELD(feature_device, doorbell_bar, efa_admin_feature_device_attr_desc, db_bar);
FIELD(feature_device, capabilities, efa_admin_feature_device_attr_desc, device_caps);
FIELD(feature_device, guid, efa_admin_feature_device_attr_desc, guid);
VALUE(DEVICE_WRITES, EFA_ADMIN_FEATURE_DEVICE_ATTR_DESC_RDMA_WRITE_MASK);
VALUE(DEVICE_RETRIES, EFA_ADMIN_FEATURE_DEVICE_ATTR_DESC_RNR_RETRY_MASK);
SIZE(feature_queues, efa_admin_feature_queue_attr_desc_1);
FIELD(feature_queues, sub_cqs, efa_admin_feature_queue_attr_desc_1, sub_cqs_per_cq);
FIELD(feature_queues, max_handles, efa_admin_feature_queue_attr_desc_1, max_ah);
FIELD(feature_queues, max_rdma_segments, efa_admin_feature_queue_attr_desc_1, max_wr_rdma_sges);
SIZE(feature_events, efa_admin_event_queue_attr_desc);
SIZE(feature_network, efa_admin_feature_network_attr_desc);
SIZE(feature_hints, efa_admin_hw_hints);
SIZE(host, efa_admin_host_info);
SIZE(stats_command, efa_admin_aq_get_stats_cmd);
SIZE(stats_basic, efa_admin_basic_stats);
SIZE(stats_rdma, efa_admin_rdma_write_stats);
FIELD(stats_rdma, failed, efa_admin_rdma_read_stats, read_wr_err);
SIZE(async_event, efa_admin_aenq_entry);
FIELD(async_event, flags, efa_admin_aenq_entry, aenq_common_desc.flags);
VALUE(GROUP_KEEP_ALIVE, EFA_ADMIN_KEEP_ALIVE);

/* Work requests and completions. */
SIZE(work_request, efa_io_tx_wqe);
FIELD(work_request, immediate, efa_io_tx_wqe, meta.immediate_data);
FIELD(work_request, handle, efa_io_tx_wqe, meta.ah);
FIELD(work_request, queue_key, efa_io_tx_wqe, meta.qkey);
FIELD(work_request, rdma.local, efa_io_tx_wqe, data.rdma_req.local_mem);
FIELD(work_request, bytes, efa_io_tx_wqe, data.inline_data);
VALUE(WORK_INLINE, EFA_IO_TX_META_DESC_INLINE_MSG_MASK);
VALUE(WORK_WANTS_COMPLETION, EFA_IO_TX_META_DESC_COMP_REQ_MASK);
SIZE(receive_descriptor, efa_io_rx_desc);
FIELD(receive_descriptor, key, efa_io_rx_desc, lkey_ctrl);
VALUE(RECEIVE_LAST, EFA_IO_RX_DESC_LAST_MASK);
SIZE(completion, efa_io_rx_cdesc_ex);
FIELD(completion, flags, efa_io_rx_cdesc_ex, base.common.flags);
FIELD(completion, queue, efa_io_rx_cdesc_ex, base.common.qp_num);
FIELD(completion, source, efa_io_rx_cdesc_ex, base.src_qp_num);
FIELD(completion, immediate, efa_io_rx_cdesc_ex, base.imm);
FIELD(completion, length_high, efa_io_rx_cdesc_ex, u.rdma_write.length_hi);
VALUE(COMPLETION_IMMEDIATE, EFA_IO_CDESC_COMMON_HAS_IMM_MASK);
VALUE(COMPLETION_OPERATION(7), EFA_IO_CDESC_COMMON_OP_TYPE_MASK);
VALUE(OUTCOME_REMOTE_BAD_ADDRESS, EFA_IO_COMP_STATUS_REMOTE_ERROR_BAD_ADDRESS);
VALUE(OUTCOME_REMOTE_UNKNOWN_PEER, EFA_IO_COMP_STATUS_REMOTE_ERROR_UNKNOWN_PEER);
VALUE(OUTCOME_UNREACHABLE, EFA_IO_COMP_STATUS_LOCAL_ERROR_UNREACH_REMOTE);
