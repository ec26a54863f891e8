// The driver API: graphs built by calls, their nodes' parameters, updates; values in memory that streams write and wait for.

#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <string>
#include <vector>

#include "check.h"

#define DRIVER(call)                                          \
    do {                                                      \
        const CUresult result = call;                         \
        CHECK(result == CUDA_SUCCESS, "%s: %d", #call, result); \
    } while (false)

// p[i] = p[i] * factor + 1
static const char kText[] = R"(
.version 6.4
.target sm_70
.address_size 64
.visible .entry step(.param .u64 p, .param .u32 factor)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [factor];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd1, %rd1, %rd2;
    ld.global.u32 %r3, [%rd1];
    mad.lo.u32 %r3, %r3, %r1, 1;
    st.global.u32 [%rd1], %r3;
    ret;
}
)";

static void host(void* data) {
    ++*static_cast<int*>(data);
}

struct Built {
    CUgraph graph;
    CUgraphNode fill, step, copy, host;
};

static Built build(CUfunction function, CUdeviceptr p, unsigned* factor, int* out, int* hosts) {
    Built b;
    DRIVER(cuGraphCreate(&b.graph, 0));
    CUDA_MEMSET_NODE_PARAMS fill{};
    fill.dst = p;
    fill.elementSize = 4;
    fill.value = 10;
    fill.width = 16;
    fill.height = 1;
    DRIVER(cuGraphAddMemsetNode(&b.fill, b.graph, nullptr, 0, &fill, nullptr));
    void* arguments[] = {&p, factor};
    CUDA_KERNEL_NODE_PARAMS step{};
    step.func = function;
    step.gridDimX = step.gridDimY = step.gridDimZ = step.blockDimY = step.blockDimZ = 1;
    step.blockDimX = 16;
    step.kernelParams = arguments;
    DRIVER(cuGraphAddKernelNode(&b.step, b.graph, &b.fill, 1, &step));
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = p;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = out;
    copy.WidthInBytes = 64;
    copy.Height = copy.Depth = 1;
    DRIVER(cuGraphAddMemcpyNode(&b.copy, b.graph, &b.step, 1, &copy, nullptr));
    CUDA_HOST_NODE_PARAMS call{host, hosts};
    DRIVER(cuGraphAddHostNode(&b.host, b.graph, &b.copy, 1, &call));
    return b;
}

static void nodes(CUfunction function) {
    CUdeviceptr p;
    DRIVER(cuMemAlloc(&p, 64));
    unsigned factor = 3;
    int out[16] = {}, hosts = 0;
    const Built b = build(function, p, &factor, out, &hosts);
    CUgraphExec exec;
    DRIVER(cuGraphInstantiate(&exec, b.graph, 0));
    DRIVER(cuGraphUpload(exec, nullptr));
    DRIVER(cuGraphLaunch(exec, nullptr));
    DRIVER(cuCtxSynchronize());
    CHECK(out[0] == 31 && out[15] == 31 && hosts == 1, "%d", out[0]);

    CUgraphNodeType type;
    DRIVER(cuGraphNodeGetType(b.copy, &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_MEMCPY);
    size_t count = 0;
    DRIVER(cuGraphGetNodes(b.graph, nullptr, &count));
    CHECK(count == 4);
    CUgraphNode root;
    count = 1;
    DRIVER(cuGraphGetRootNodes(b.graph, &root, &count));
    CHECK(count == 1 && root == b.fill);
    CUDA_KERNEL_NODE_PARAMS step{};
    DRIVER(cuGraphKernelNodeGetParams(b.step, &step));
    CHECK(step.func == function && step.blockDimX == 16 &&
          *static_cast<unsigned*>(step.kernelParams[1]) == 3);
    CUDA_MEMCPY3D copy;
    DRIVER(cuGraphMemcpyNodeGetParams(b.copy, &copy));
    CHECK(copy.WidthInBytes == 64 && copy.Height == 1);
    CUDA_MEMSET_NODE_PARAMS fill;
    DRIVER(cuGraphMemsetNodeGetParams(b.fill, &fill));
    CHECK(fill.dst == p && fill.value == 10 && fill.width == 16);
    CUDA_HOST_NODE_PARAMS call;
    DRIVER(cuGraphHostNodeGetParams(b.host, &call));
    CHECK(call.fn == host && call.userData == &hosts);

    // Changes: of the executable graph, then of the graph and an update.
    fill.value = 20;
    DRIVER(cuGraphExecMemsetNodeSetParams(exec, b.fill, &fill, nullptr));
    factor = 5;
    void* arguments[] = {&p, &factor};
    step.kernelParams = arguments;
    DRIVER(cuGraphExecKernelNodeSetParams(exec, b.step, &step));
    unsigned enabled = 7;
    DRIVER(cuGraphNodeSetEnabled(exec, b.host, 0));
    DRIVER(cuGraphNodeGetEnabled(exec, b.host, &enabled));
    CHECK(enabled == 0);
    DRIVER(cuGraphLaunch(exec, nullptr));
    DRIVER(cuCtxSynchronize());
    CHECK(out[3] == 101 && hosts == 1, "%d %d", out[3], hosts);
    // One packed block in place of pointers.
    struct {
        CUdeviceptr p;
        unsigned factor;
    } packed{p, 2};
    size_t bytes = sizeof packed;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    step.kernelParams = nullptr;
    step.extra = extra;
    DRIVER(cuGraphKernelNodeSetParams(b.step, &step));
    CUgraphExecUpdateResultInfo info;
    DRIVER(cuGraphExecUpdate(exec, b.graph, &info));
    CHECK(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS);
    DRIVER(cuGraphLaunch(exec, nullptr));
    DRIVER(cuCtxSynchronize());
    CHECK(out[3] == 21, "%d", out[3]);

    CUgraph clone, child;
    CUgraphNode there, nested;
    DRIVER(cuGraphClone(&clone, b.graph));
    DRIVER(cuGraphNodeFindInClone(&there, b.step, clone));
    DRIVER(cuGraphNodeGetType(there, &type));
    CHECK(type == CU_GRAPH_NODE_TYPE_KERNEL && there != b.step);
    DRIVER(cuGraphDestroyNode(b.host));
    DRIVER(cuGraphAddChildGraphNode(&nested, b.graph, &b.copy, 1, clone));
    DRIVER(cuGraphChildGraphNodeGetGraph(nested, &child));
    CHECK(child != clone && child != nullptr);
    CUgraphExec whole;
    DRIVER(cuGraphInstantiateWithFlags(&whole, b.graph, 0));
    DRIVER(cuGraphLaunch(whole, nullptr));
    DRIVER(cuCtxSynchronize());
    CHECK(hosts == 2, "%d", hosts);  // of the first launch, and of the clone within the graph
    DRIVER(cuGraphExecDestroy(whole));
    DRIVER(cuGraphExecDestroy(exec));
    DRIVER(cuGraphDestroy(clone));
    DRIVER(cuGraphDestroy(b.graph));
    DRIVER(cuMemFree(p));
}

static void any_kind(CUfunction function) {
    CUgraph graph;
    DRIVER(cuGraphCreate(&graph, 0));
    CUgraphNode node, step, free_node, event_node, wait_node, empty;
    CUgraphNodeParams params{};
    params.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
    params.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.alloc.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    params.alloc.bytesize = 64;
    DRIVER(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    CUdeviceptr p = params.alloc.dptr;
    CHECK(p != 0);
    unsigned factor = 0;
    void* arguments[] = {&p, &factor};
    params = {};
    params.type = CU_GRAPH_NODE_TYPE_KERNEL;
    params.kernel.func = function;
    params.kernel.gridDimX = params.kernel.gridDimY = params.kernel.gridDimZ = 1;
    params.kernel.blockDimX = 16;
    params.kernel.blockDimY = params.kernel.blockDimZ = 1;
    params.kernel.kernelParams = arguments;
    DRIVER(cuGraphAddNode(&step, graph, &node, nullptr, 1, &params));
    int* const out = managed<int>(16);
    params = {};
    params.type = CU_GRAPH_NODE_TYPE_MEMCPY;
    params.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    params.memcpy.copyParams.srcDevice = p;
    params.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    params.memcpy.copyParams.dstDevice = reinterpret_cast<CUdeviceptr>(out);
    params.memcpy.copyParams.WidthInBytes = 64;
    params.memcpy.copyParams.Height = params.memcpy.copyParams.Depth = 1;
    CUgraphNode copy;
    DRIVER(cuGraphAddNode(&copy, graph, &step, nullptr, 1, &params));
    CUevent event, second;
    DRIVER(cuEventCreate(&event, 0));
    DRIVER(cuEventCreate(&second, 0));
    DRIVER(cuGraphAddEventRecordNode(&event_node, graph, &copy, 1, event));
    DRIVER(cuGraphAddEventWaitNode(&wait_node, graph, &event_node, 1, event));
    DRIVER(cuGraphAddEmptyNode(&empty, graph, &wait_node, 1));
    DRIVER(cuGraphAddMemFreeNode(&free_node, graph, &empty, 1, p));
    CUevent got;
    DRIVER(cuGraphEventRecordNodeGetEvent(event_node, &got));
    CHECK(got == event);
    CUdeviceptr freed = 0;
    DRIVER(cuGraphMemFreeNodeGetParams(free_node, &freed));
    CHECK(freed == p);
    size_t count = 0;
    DRIVER(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    CHECK(count == 6);
    DRIVER(cuGraphRemoveDependencies(graph, &wait_node, &empty, nullptr, 1));
    DRIVER(cuGraphAddDependencies(graph, &wait_node, &empty, nullptr, 1));
    count = 0;
    DRIVER(cuGraphNodeGetDependencies(empty, nullptr, nullptr, &count));
    CHECK(count == 1);
    count = 0;
    DRIVER(cuGraphNodeGetDependentNodes(step, nullptr, nullptr, &count));
    CHECK(count == 1);
    CUgraphExec exec;
    CUDA_GRAPH_INSTANTIATE_PARAMS how{};
    how.flags = CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    DRIVER(cuGraphInstantiateWithParams(&exec, graph, &how));
    CHECK(how.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS);
    cuuint64_t flags = 0;
    DRIVER(cuGraphExecGetFlags(exec, &flags));
    CHECK(flags == CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH);
    DRIVER(cuGraphExecEventRecordNodeSetEvent(exec, event_node, second));
    DRIVER(cuGraphLaunch(exec, nullptr));
    DRIVER(cuEventSynchronize(second));
    CHECK(out[0] == 1 && out[15] == 1);
    DRIVER(cuGraphExecDestroy(exec));
    DRIVER(cuGraphDestroy(graph));
    DRIVER(cuEventDestroy(event));
    DRIVER(cuEventDestroy(second));
}

static void captures(CUfunction function) {
    int* const p = managed<int>(16);
    p[0] = 2;
    CUgraph graph;
    CUstream stream;
    DRIVER(cuGraphCreate(&graph, 0));
    DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DRIVER(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_RELAXED));
    unsigned factor = 10;
    CUdeviceptr at = reinterpret_cast<CUdeviceptr>(p);
    void* arguments[] = {&at, &factor};
    DRIVER(cuLaunchKernel(function, 1, 1, 1, 16, 1, 1, 0, stream, arguments, nullptr));
    CUstreamCaptureStatus status;
    cuuint64_t id;
    CUgraph into;
    const CUgraphNode* after;
    size_t count = 0;
    DRIVER(cuStreamGetCaptureInfo(stream, &status, &id, &into, &after, nullptr, &count));
    CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && into == graph && count == 1);
    DRIVER(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    DRIVER(cuStreamEndCapture(stream, &into));
    CUgraphExec exec;
    DRIVER(cuGraphInstantiate(&exec, graph, 0));
    DRIVER(cuGraphLaunch(exec, stream));
    DRIVER(cuStreamSynchronize(stream));
    CHECK(p[0] == 21);
    CUstreamAttrValue value{};
    value.accessPolicyWindow.base_ptr = p;
    value.accessPolicyWindow.num_bytes = 64;
    value.accessPolicyWindow.hitRatio = 0.5f;
    value.accessPolicyWindow.hitProp = CU_ACCESS_PROPERTY_PERSISTING;
    DRIVER(cuStreamSetAttribute(stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
    value = {};
    DRIVER(cuStreamGetAttribute(stream, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
    CHECK(value.accessPolicyWindow.num_bytes == 64 && value.accessPolicyWindow.hitRatio == 0.5f);
    unsigned long long number = 0;
    DRIVER(cuStreamGetId(stream, &number));
    CHECK(number != 0);
    DRIVER(cuGraphExecDestroy(exec));
    DRIVER(cuGraphDestroy(graph));
    DRIVER(cuStreamDestroy(stream));
}

static void memory_operations() {
    unsigned* const p = managed<unsigned>(4);
    std::memset(p, 0, 16);
    const CUdeviceptr at = reinterpret_cast<CUdeviceptr>(p);
    DRIVER(cuStreamWriteValue32(nullptr, at, 5, 0));
    DRIVER(cuStreamWaitValue32(nullptr, at, 5, CU_STREAM_WAIT_VALUE_EQ));
    DRIVER(cuStreamWaitValue32(nullptr, at, 4, CU_STREAM_WAIT_VALUE_GEQ));
    DRIVER(cuStreamWaitValue32(nullptr, at, 1, CU_STREAM_WAIT_VALUE_AND));
    DRIVER(cuStreamWriteValue64(nullptr, at + 8, 0x100000002ull, 0));
    DRIVER(cuStreamWaitValue64(nullptr, at + 8, 0x100000000ull, CU_STREAM_WAIT_VALUE_AND));
    CHECK(p[0] == 5 && p[2] == 2 && p[3] == 1);
    CHECK(cuStreamWaitValue32(nullptr, at, 6, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuStreamWriteValue32(nullptr, at + 2, 6, 0) == CUDA_ERROR_INVALID_VALUE);
    CUstreamBatchMemOpParams list[2] = {};
    list[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    list[0].writeValue.address = at;
    list[0].writeValue.value = 77;
    list[1].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_32;
    list[1].waitValue.address = at;
    list[1].waitValue.value = 77;
    list[1].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    DRIVER(cuStreamBatchMemOp(nullptr, 2, list, 0));
    CHECK(p[0] == 77);
    CUgraph graph;
    CUgraphNode node;
    DRIVER(cuGraphCreate(&graph, 0));
    CUDA_BATCH_MEM_OP_NODE_PARAMS params{};
    params.count = 2;
    params.paramArray = list;
    DRIVER(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params));
    CUDA_BATCH_MEM_OP_NODE_PARAMS got{};
    DRIVER(cuGraphBatchMemOpNodeGetParams(node, &got));
    CHECK(got.count == 2 && got.paramArray != list && got.paramArray[0].writeValue.value == 77);
    CUgraphExec exec;
    DRIVER(cuGraphInstantiate(&exec, graph, 0));
    p[0] = 0;
    DRIVER(cuGraphLaunch(exec, nullptr));
    CHECK(p[0] == 77);
    DRIVER(cuGraphExecDestroy(exec));
    DRIVER(cuGraphDestroy(graph));
}

int main() {
    CUDA(cudaSetDevice(0));
    CUmodule module;
    CUfunction function;
    DRIVER(cuModuleLoadData(&module, kText));
    DRIVER(cuModuleGetFunction(&function, module, "step"));
    nodes(function);
    any_kind(function);
    captures(function);
    memory_operations();
    return finished();
}
