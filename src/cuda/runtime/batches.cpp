// Copies that say more than what goes where: between devices, in batches, with hints. The copies of a batch are made in its order.

#include "cuda/runtime/batches.h"

#include <algorithm>

#include "cuda/runtime/copy.h"

using namespace heddle::cuda;
using heddle::u64;

namespace {

void check_order(cudaMemcpySrcAccessOrder order) {
    require(order >= cudaMemcpySrcAccessOrderStream && order <= cudaMemcpySrcAccessOrderAny);
}

void copy_bytes(Runtime& r, void* to, const void* from, size_t bytes, cudaStream_t stream) {
    copy(r, {reinterpret_cast<u64>(to), bytes, bytes}, {reinterpret_cast<u64>(from), bytes, bytes},
         {bytes, 1, 1}, cudaMemcpyDefault, stream, true);
}

u64 element_bytes(Runtime& r, const cudaMemcpy3DOperand& o) {
    return o.type == cudaMemcpyOperandTypeArray ? r.array(o.op.array.array).texel_bytes() : 0;
}

void place(const cudaMemcpy3DOperand& o, const cudaExtent& extent, u64 element, cudaArray_t& array,
           cudaPos& at, cudaPitchedPtr& pointer) {
    if (o.type == cudaMemcpyOperandTypeArray) {
        array = o.op.array.array;
        at = {o.op.array.offset.x, o.op.array.offset.y, o.op.array.offset.z};
        return;
    }
    require(o.type == cudaMemcpyOperandTypePointer && o.op.ptr.ptr != nullptr);
    const u64 row = o.op.ptr.rowLength != 0 ? o.op.ptr.rowLength : extent.width;
    pointer = {o.op.ptr.ptr, row * element, row,
               o.op.ptr.layerHeight != 0 ? o.op.ptr.layerHeight : extent.height};
}

void copy_operand(Runtime& r, const cudaMemcpy3DBatchOp& op, cudaStream_t stream) {
    check_order(op.srcAccessOrder);
    const u64 element =
        std::max<u64>({element_bytes(r, op.src), element_bytes(r, op.dst), 1});  // bytes between pointers
    cudaMemcpy3DParms p{};
    place(op.src, op.extent, element, p.srcArray, p.srcPos, p.srcPtr);
    place(op.dst, op.extent, element, p.dstArray, p.dstPos, p.dstPtr);
    p.extent = op.extent;
    p.kind = cudaMemcpyDefault;
    copy_3d(r, p, stream, true);
}

cudaError_t copy_peer(const char* name, const cudaMemcpy3DPeerParms* p, cudaStream_t stream, bool async) {
    return call(name, [&](Runtime& r) {
        require(p != nullptr);
        require(p->srcDevice == 0 && p->dstDevice == 0, cudaErrorInvalidDevice);
        const cudaMemcpy3DParms one{p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                    p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
        copy_3d(r, one, stream, async);
    });
}

}  // namespace

namespace heddle::cuda {

void check_lists(const size_t* first, size_t list_count, size_t count) {
    require(first != nullptr && list_count != 0 && list_count <= count && first[0] == 0);
    for (size_t k = 1; k < list_count; ++k) require(first[k] > first[k - 1] && first[k] < count);
}

cudaError_t copy_batch(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                       const cudaMemcpyAttributes* attributes, const size_t* first, size_t attribute_count,
                       cudaStream_t stream, size_t& failed) {
    failed = ~size_t{0};
    return call("cudaMemcpyBatchAsync", [&](Runtime& r) {
        require(to != nullptr && from != nullptr && sizes != nullptr && count != 0 && attributes != nullptr);
        check_lists(first, attribute_count, count);
        for (size_t k = 0; k < attribute_count; ++k) check_order(attributes[k].srcAccessOrder);
        for (failed = 0; failed < count; ++failed)
            copy_bytes(r, to[failed], from[failed], sizes[failed], stream);
        failed = ~size_t{0};
    });
}

cudaError_t copy_3d_batch(size_t count, const cudaMemcpy3DBatchOp* list, unsigned long long flags,
                          cudaStream_t stream, size_t& failed) {
    failed = ~size_t{0};
    return call("cudaMemcpy3DBatchAsync", [&](Runtime& r) {
        require(list != nullptr && count != 0 && flags == 0);
        for (failed = 0; failed < count; ++failed) copy_operand(r, list[failed], stream);
        failed = ~size_t{0};
    });
}

}  // namespace heddle::cuda

extern "C" {

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* params) {
    return copy_peer("cudaMemcpy3DPeer", params, nullptr, false);
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* params, cudaStream_t stream) {
    return copy_peer("cudaMemcpy3DPeerAsync", params, stream, true);
}
cudaError_t cudaMemcpyWithAttributesAsync(void* to, const void* from, size_t bytes,
                                          cudaMemcpyAttributes* attributes, cudaStream_t stream) {
    return call("cudaMemcpyWithAttributesAsync", [&](Runtime& r) {
        require(attributes != nullptr);
        check_order(attributes->srcAccessOrder);
        copy_bytes(r, to, from, bytes, stream);
    });
}
cudaError_t cudaMemcpy3DWithAttributesAsync(cudaMemcpy3DBatchOp* op, unsigned long long flags,
                                            cudaStream_t stream) {
    return call("cudaMemcpy3DWithAttributesAsync", [&](Runtime& r) {
        require(op != nullptr && flags == 0);
        copy_operand(r, *op, stream);
    });
}

}  // extern "C"
