// The driver API: values in memory that streams write and wait for. Every call executes when it is made, so a value that a stream
// waits for must have been written by an earlier one; what would come later is an error instead of a wait without end.

#include <cstring>

#include "cuda/runtime/driver.h"
#include "cuda/runtime/graph.h"

using namespace heddle::cuda;
using heddle::CopyEvent;
using heddle::CopyKind;
using heddle::u64;

namespace {

using Operations = std::vector<CUstreamBatchMemOpParams>;

bool holds(u64 now, u64 value, unsigned flags, bool wide) {
    switch (flags & 3) {
        case CU_STREAM_WAIT_VALUE_GEQ:
            return wide ? static_cast<heddle::i64>(now - value) >= 0
                        : static_cast<int>(static_cast<unsigned>(now) - static_cast<unsigned>(value)) >= 0;
        case CU_STREAM_WAIT_VALUE_EQ:
            return now == value;
        case CU_STREAM_WAIT_VALUE_AND:
            return (now & value) != 0;
        default:
            return (wide ? ~(now | value) : ~(now | value) & 0xffffffff) != 0;
    }
}

void perform(Runtime& r, const CUstreamBatchMemOpParams& op, Stream& s) {
    const bool wide =
        op.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64 || op.operation == CU_STREAM_MEM_OP_WRITE_VALUE_64;
    const u64 bytes = wide ? 8 : 4, address = op.waitValue.address;
    const u64 value = wide ? op.waitValue.value64 : op.waitValue.value;
    switch (op.operation) {
        case CU_STREAM_MEM_OP_WRITE_VALUE_32:
        case CU_STREAM_MEM_OP_WRITE_VALUE_64:
            std::memcpy(pointer_at(address), &value, bytes);
            r.record(CopyEvent{CopyKind::set, address, 0, bytes, s.number});
            return;
        case CU_STREAM_MEM_OP_WAIT_VALUE_32:
        case CU_STREAM_MEM_OP_WAIT_VALUE_64: {
            u64 now = 0;
            std::memcpy(&now, pointer_at(address), bytes);
            if (holds(now, value, op.waitValue.flags, wide)) return;
            r.note(
                "a stream waits for a value that no earlier call has written; Heddle executes each call when "
                "it is made");
            throw CudaError{cudaErrorNotSupported};
        }
        default:
            return;  // barriers, and writes of others to flush: everything is in order
    }
}

void check(Runtime& r, const CUstreamBatchMemOpParams& op) {
    require(op.operation >= CU_STREAM_MEM_OP_WAIT_VALUE_32 && op.operation <= CU_STREAM_MEM_OP_BARRIER);
    if (op.operation == CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES || op.operation == CU_STREAM_MEM_OP_BARRIER)
        return;
    const u64 bytes = op.operation <= CU_STREAM_MEM_OP_WRITE_VALUE_32 ? 4 : 8;
    require(op.waitValue.address % bytes == 0 && r.memory().accessible(op.waitValue.address, bytes));
}

Operations operations(Runtime& r, const CUstreamBatchMemOpParams* list, unsigned count, unsigned flags) {
    require(list != nullptr && count != 0 && count <= 256 && flags == 0);
    for (unsigned k = 0; k < count; ++k) check(r, list[k]);
    return {list, list + count};
}

constexpr auto kMemoryOperations = static_cast<cudaGraphNodeType>(CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);

CUresult batch(const char* name, CUstream stream, const CUstreamBatchMemOpParams* list, unsigned count,
               unsigned flags) {
    return driver_call(name, [&](Runtime& r) {
        r.submit(stream, kMemoryOperations, [&r, all = operations(r, list, count, flags)](Stream& s) {
            for (const auto& op : all) perform(r, op, s);
        });
    });
}

CUresult one(const char* name, CUstream stream, CUstreamBatchMemOpType operation, CUdeviceptr address,
             u64 value, unsigned flags) {
    CUstreamBatchMemOpParams op{};
    op.waitValue.operation = operation;
    op.waitValue.address = address;
    op.waitValue.value64 = value;
    op.waitValue.flags = flags;
    return batch(name, stream, &op, 1, 0);
}

/// What a node of a graph does; the list is the node's.
void set_operations(Runtime& r, GraphNode& node, const CUDA_BATCH_MEM_OP_NODE_PARAMS& params) {
    const auto all =
        std::make_shared<Operations>(operations(r, params.paramArray, params.count, params.flags));
    node.type = kMemoryOperations;
    node.work = [&r, all](Stream& s) {
        for (const auto& op : *all) perform(r, op, s);
    };
    CUDA_BATCH_MEM_OP_NODE_PARAMS own = params;
    own.paramArray = all->data();
    node.given = {};
    node.given.type = kMemoryOperations;
    static_assert(sizeof own <= sizeof node.given.reserved1);
    std::memcpy(node.given.reserved1, &own, sizeof own);
}

}  // namespace

extern "C" {

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
    return one("cuStreamWriteValue32", stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
}
CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
    return one("cuStreamWriteValue64", stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
}
CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned int flags) {
    return one("cuStreamWaitValue32", stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
}
CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned int flags) {
    return one("cuStreamWaitValue64", stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
}
CUresult cuStreamBatchMemOp(CUstream stream, unsigned int count, CUstreamBatchMemOpParams* list,
                            unsigned int flags) {
    return batch("cuStreamBatchMemOp", stream, list, count, flags);
}
CUresult cuGraphAddBatchMemOpNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
    return driver_call("cuGraphAddBatchMemOpNode", [&](Runtime& r) {
        require(node != nullptr && params != nullptr && (count == 0 || after != nullptr));
        auto made = std::make_unique<GraphNode>();
        set_operations(r, *made, *params);
        made->after = nodes_of(after, count);
        *node = handle_of(graph_of(graph).add(std::move(made)));
    });
}
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
    return driver_call("cuGraphBatchMemOpNodeGetParams", [&](Runtime&) {
        require(params != nullptr && node_of(node).given.type == kMemoryOperations);
        std::memcpy(static_cast<void*>(params), node_of(node).given.reserved1, sizeof *params);
    });
}
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
    return driver_call("cuGraphBatchMemOpNodeSetParams", [&](Runtime& r) {
        require(params != nullptr && node_of(node).type == kMemoryOperations);
        set_operations(r, node_of(node), *params);
    });
}
CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS* params) {
    return driver_call("cuGraphExecBatchMemOpNodeSetParams", [&](Runtime& r) {
        require(params != nullptr && node_of(node).type == kMemoryOperations);
        set_operations(r, copy_in(exec, node), *params);
    });
}

}  // extern "C"
