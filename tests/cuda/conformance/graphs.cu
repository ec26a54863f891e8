// Graphs: every kind of node, asking and changing, capture with branches, conditions that kernels set.

#include <cstdio>
#include <cstring>
#include <vector>

#include "../programs/check.h"

__device__ int symbol[2];

__global__ void add(int* p, int n) {
    atomicAdd(p, n);
}
__global__ void times(int* p, int n) {
    *p *= n;
}
__global__ void count_down(int* p, cudaGraphConditionalHandle handle) {
    cudaGraphSetConditional(handle, --*p > 0);
}
__global__ void choose(cudaGraphConditionalHandle handle, unsigned value) {
    cudaGraphSetConditional(handle, value);
}

namespace {

int* p;  // managed

int value() {
    OK(cudaDeviceSynchronize());
    return *p;
}

cudaKernelNodeParams kernel_params(void (*kernel)(int*, int), void** arguments) {
    cudaKernelNodeParams k = {};
    k.func = reinterpret_cast<void*>(kernel);
    k.gridDim = dim3(1);
    k.blockDim = dim3(1);
    k.kernelParams = arguments;
    return k;
}

void nodes() {
    cudaGraph_t graph;
    OK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t fill, first, second, host, copy, to_symbol, from_symbol, empty;
    cudaMemsetParams set = {};
    set.dst = p;
    set.elementSize = 4;
    set.value = 3;
    set.width = set.height = 1;
    OK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
    int five = 5, two = 2;
    void *fives[] = {&p, &five}, *twos[] = {&p, &two};
    cudaKernelNodeParams k = kernel_params(add, fives);
    OK(cudaGraphAddKernelNode(&first, graph, &fill, 1, &k));
    k = kernel_params(times, twos);
    OK(cudaGraphAddKernelNode(&second, graph, &first, 1, &k));
    static int seen;
    cudaHostNodeParams h = {[](void* data) { seen = *static_cast<int*>(data); }, p};
    OK(cudaGraphAddHostNode(&host, graph, &second, 1, &h));
    static int there;
    OK(cudaGraphAddMemcpyNode1D(&copy, graph, &host, 1, &there, p, sizeof(int), cudaMemcpyDeviceToHost));
    OK(cudaGraphAddMemcpyNodeToSymbol(&to_symbol, graph, &copy, 1, symbol, p, sizeof(int), sizeof(int),
                                      cudaMemcpyDeviceToDevice));
    static int back;
    OK(cudaGraphAddMemcpyNodeFromSymbol(&from_symbol, graph, &to_symbol, 1, &back, symbol, sizeof(int),
                                        sizeof(int), cudaMemcpyDeviceToHost));
    OK(cudaGraphAddEmptyNode(&empty, graph, &from_symbol, 1));

    size_t count = 0, edges = 0;
    OK(cudaGraphGetNodes(graph, nullptr, &count));
    OK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
    CHECK(count == 8 && edges == 7);
    std::vector<cudaGraphNode_t> from(edges), to(edges);
    OK(cudaGraphGetEdges(graph, from.data(), to.data(), &edges));
    CHECK(from[0] == fill && to[0] == first);
    cudaGraphNode_t near[2];
    size_t two_nodes = 2;
    OK(cudaGraphNodeGetDependencies(second, near, &two_nodes));
    CHECK(two_nodes == 1 && near[0] == first);
    two_nodes = 2;
    OK(cudaGraphNodeGetDependentNodes(second, near, &two_nodes));
    CHECK(two_nodes == 1 && near[0] == host && near[1] == nullptr);
    cudaMemsetParams asked = {};
    OK(cudaGraphMemsetNodeGetParams(fill, &asked));
    CHECK(asked.dst == p && asked.value == 3);
    cudaMemcpy3DParms copied = {};
    OK(cudaGraphMemcpyNodeGetParams(copy, &copied));
    CHECK(copied.extent.width == sizeof(int) && copied.srcPtr.ptr == p);
    cudaHostNodeParams asked_host = {};
    OK(cudaGraphHostNodeGetParams(host, &asked_host));
    CHECK(asked_host.userData == p);
    cudaKernelNodeParams asked_kernel = {};
    OK(cudaGraphKernelNodeGetParams(first, &asked_kernel));
    CHECK(*static_cast<int*>(asked_kernel.kernelParams[1]) == 5);

    cudaGraphExec_t exec;
    cudaGraphNode_t error;
    char log[64];
    OK(cudaGraphInstantiate(&exec, graph, &error, log, sizeof log));
    OK(cudaGraphLaunch(exec, 0));
    CHECK(value() == (3 + 5) * 2 && seen == 16 && there == 16 && back == 16);

    // The executable one changes alone, and nodes of it can be switched off.
    k = kernel_params(times, fives);
    OK(cudaGraphExecKernelNodeSetParams(exec, second, &k));
    OK(cudaGraphNodeSetEnabled(exec, first, 0));
    unsigned enabled = 1;
    OK(cudaGraphNodeGetEnabled(exec, first, &enabled));
    CHECK(enabled == 0);
    set.value = 7;
    OK(cudaGraphExecMemsetNodeSetParams(exec, fill, &set));
    OK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, &seen, p, sizeof(int), cudaMemcpyDeviceToHost));
    OK(cudaGraphLaunch(exec, 0));
    CHECK(value() == 7 * 5 && seen == 35 && there == 16);

    // A clone knows whose copies its nodes are; an update takes what the graph has now.
    cudaGraph_t clone;
    OK(cudaGraphClone(&clone, graph));
    cudaGraphNode_t cloned;
    OK(cudaGraphNodeFindInClone(&cloned, first, clone));
    k = kernel_params(add, twos);
    OK(cudaGraphKernelNodeSetParams(cloned, &k));
    cudaGraphExecUpdateResultInfo info;
    OK(cudaGraphExecUpdate(exec, clone, &info));
    CHECK(info.result == cudaGraphExecUpdateSuccess);
    // The nodes of the graph that was instantiated are still known, also those that are off.
    OK(cudaGraphNodeGetEnabled(exec, first, &enabled));
    CHECK(enabled == 0);
    OK(cudaGraphNodeSetEnabled(exec, first, 1));
    k = kernel_params(times, fives);
    OK(cudaGraphExecKernelNodeSetParams(exec, second, &k));
    OK(cudaGraphLaunch(exec, 0));
    CHECK(value() == (3 + 2) * 5 && seen == 25 && there == 25);
    OK(cudaGraphDestroyNode(cloned));
    enum cudaGraphExecUpdateResult result;
    CHECK(cudaGraphExecUpdate(exec, clone, &error, &result) == cudaErrorGraphExecUpdateFailure);
    CHECK(result == cudaGraphExecUpdateErrorTopologyChanged);
    OK(cudaGraphRemoveDependencies(graph, &from_symbol, &empty, 1));
    CHECK(cudaGraphRemoveDependencies(graph, &from_symbol, &empty, 1) == cudaErrorInvalidValue);

    // A graph in a graph.
    cudaGraph_t outer, inner;
    OK(cudaGraphCreate(&outer, 0));
    cudaGraphNode_t child;
    OK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
    OK(cudaGraphChildGraphNodeGetGraph(child, &inner));
    CHECK(inner != graph);
    OK(cudaGraphGetNodes(inner, nullptr, &count));
    CHECK(count == 8);
    cudaGraphExec_t all;
    OK(cudaGraphInstantiateWithFlags(&all, outer, 0));
    OK(cudaGraphLaunch(all, 0));
    CHECK(value() == 16);
    // After an update the nodes inside are known as well.
    cudaGraph_t twin;
    OK(cudaGraphClone(&twin, outer));
    OK(cudaGraphExecUpdate(all, twin, &info));
    cudaGraphNode_t inside[8];
    OK(cudaGraphGetNodes(inner, inside, &count));
    OK(cudaGraphNodeSetEnabled(all, inside[1], 0));
    OK(cudaGraphLaunch(all, 0));
    CHECK(value() == 3 * 2);
    OK(cudaGraphDestroy(twin));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphExecDestroy(all));
    OK(cudaGraphDestroy(outer));
    OK(cudaGraphDestroy(clone));
    OK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(graph) == cudaErrorInvalidResourceHandle);
}

void capture() {
    cudaStream_t a, b;
    cudaEvent_t forked, joined;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreate(&b));
    OK(cudaEventCreate(&forked));
    OK(cudaEventCreate(&joined));
    *p = 1;
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, a>>>(p, 1);
    OK(cudaEventRecord(forked, a));
    OK(cudaStreamWaitEvent(b, forked));
    add<<<1, 1, 0, a>>>(p, 2);
    add<<<1, 1, 0, b>>>(p, 4);
    OK(cudaEventRecord(joined, b));
    OK(cudaStreamWaitEvent(a, joined, 0));
    enum cudaStreamCaptureStatus status;
    unsigned long long id = 0;
    cudaGraph_t graph = nullptr, same = nullptr;
    const cudaGraphNode_t* after = nullptr;
    size_t count = 0;
    OK(cudaStreamGetCaptureInfo(a, &status, &id, &graph, &after, &count));
    CHECK(status == cudaStreamCaptureStatusActive && id != 0 && count == 2);
    unsigned long long id_of_b = 0;
    OK(cudaStreamGetCaptureInfo(b, &status, &id_of_b));
    CHECK(status == cudaStreamCaptureStatusActive && id_of_b == id);
    times<<<1, 1, 0, a>>>(p, 10);
    OK(cudaStreamEndCapture(a, &same));
    CHECK(same == graph && value() == 1);
    size_t nodes = 0, edges = 0;
    OK(cudaGraphGetNodes(graph, nullptr, &nodes));
    OK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
    CHECK(nodes == 4 && edges == 4);
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int k = 0; k < 2; ++k) OK(cudaGraphLaunch(exec, a));
    CHECK(value() == ((1 + 7) * 10 + 7) * 10);
    // More of it in the same graph, behind a node of it.
    std::vector<cudaGraphNode_t> all(nodes);
    OK(cudaGraphGetNodes(graph, all.data(), &nodes));
    OK(cudaStreamBeginCaptureToGraph(b, graph, &all[3], nullptr, 1, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, b>>>(p, 9);
    OK(cudaStreamEndCapture(b, &same));
    OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    *p = 0;
    OK(cudaGraphLaunch(exec, a));
    CHECK(value() == 79);
}

/// Memory that a captured stream allocates and frees is the graph's: it is there in each launch. Memory from before may be
/// freed by a launch.
void captured_memory() {
    cudaStream_t a;
    OK(cudaStreamCreate(&a));
    int *mine = nullptr, *before = nullptr;
    OK(cudaMallocAsync(&before, sizeof(int), a));
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    OK(cudaMallocAsync(&mine, sizeof(int), a));
    CHECK(mine != nullptr);
    OK(cudaMemcpyAsync(mine, p, sizeof(int), cudaMemcpyDefault, a));
    times<<<1, 1, 0, a>>>(mine, 3);
    OK(cudaMemcpyAsync(p, mine, sizeof(int), cudaMemcpyDefault, a));
    OK(cudaFreeAsync(mine, a));
    cudaGraph_t graph = nullptr;
    OK(cudaStreamEndCapture(a, &graph));
    size_t count = 5;
    cudaGraphNode_t all[5];
    OK(cudaGraphGetNodes(graph, all, &count));
    CHECK(count == 5);
    cudaGraphNodeType type;
    OK(cudaGraphNodeGetType(all[0], &type));
    cudaMemAllocNodeParams params;
    OK(cudaGraphMemAllocNodeGetParams(all[0], &params));
    CHECK(type == cudaGraphNodeTypeMemAlloc && params.dptr == mine && params.bytesize == sizeof(int));
    OK(cudaGraphNodeGetType(all[4], &type));
    void* freed = nullptr;
    OK(cudaGraphMemFreeNodeGetParams(all[4], &freed));
    CHECK(type == cudaGraphNodeTypeMemFree && freed == mine);
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    *p = 2;
    for (int k = 0; k < 2; ++k) OK(cudaGraphLaunch(exec, a));
    CHECK(value() == 18);
    OK(cudaFree(mine));  // until the next launch
    OK(cudaGraphLaunch(exec, a));
    CHECK(value() == 54);
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    OK(cudaFreeAsync(before, a));
    OK(cudaStreamEndCapture(a, &graph));
    OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    OK(cudaGraphLaunch(exec, a));
    OK(cudaStreamSynchronize(a));
    CHECK(cudaFree(before) == cudaErrorInvalidValue);
}

size_t free_bytes() {
    size_t free = 0, total = 0;
    OK(cudaMemGetInfo(&free, &total));
    return free;
}

size_t graph_bytes(cudaGraphMemAttributeType attribute) {
    unsigned long long bytes = 0;
    OK(cudaDeviceGetGraphMemAttribute(0, attribute, &bytes));
    return bytes;
}

/// A graph's memory goes with the last graph that has it, unless a launch has left it to the program.
void memory_of_gone_graphs() {
    constexpr size_t kBytes = 1 << 20;
    cudaStream_t a;
    OK(cudaStreamCreate(&a));
    const size_t before = free_bytes();
    const size_t reserved = graph_bytes(cudaGraphMemAttrReservedMemCurrent);
    unsigned long long zero = 0;
    OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
    const size_t used = graph_bytes(cudaGraphMemAttrUsedMemHigh);
    for (const bool freed : {true, false}) {
        void* mine = nullptr;
        OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
        OK(cudaMallocAsync(&mine, kBytes, a));
        OK(cudaMemsetAsync(mine, 7, kBytes, a));
        if (freed) OK(cudaFreeAsync(mine, a));
        cudaGraph_t graph = nullptr;
        OK(cudaStreamEndCapture(a, &graph));
        cudaGraphExec_t exec;
        OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
        CHECK(free_bytes() == before - kBytes);
        CHECK(graph_bytes(cudaGraphMemAttrReservedMemCurrent) == reserved + kBytes);
        CHECK(graph_bytes(cudaGraphMemAttrUsedMemCurrent) == used);
        OK(cudaGraphDestroy(graph));
        for (int k = 0; k < 2; ++k) OK(cudaGraphLaunch(exec, a));
        CHECK(graph_bytes(cudaGraphMemAttrUsedMemCurrent) == (freed ? used : used + kBytes));
        CHECK(graph_bytes(cudaGraphMemAttrUsedMemHigh) == used + kBytes);
        OK(cudaGraphExecDestroy(exec));
        CHECK(free_bytes() == (freed ? before : before - kBytes));
        if (freed) continue;
        int got = 0;
        OK(cudaMemcpy(&got, mine, sizeof got, cudaMemcpyDeviceToHost));
        CHECK(got == 0x07070707);
        OK(cudaFree(mine));
        CHECK(free_bytes() == before);
    }
    CHECK(graph_bytes(cudaGraphMemAttrReservedMemCurrent) == reserved);
    // Freed by another graph; and a graph that was never launched.
    cudaGraph_t graph = nullptr, other = nullptr;
    cudaGraphNode_t node;
    cudaGraphExec_t exec, second;
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location = {cudaMemLocationTypeDevice, 0};
    params.bytesize = kBytes;
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphCreate(&other, 0));
    OK(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    OK(cudaGraphAddMemFreeNode(&node, other, nullptr, 0, params.dptr));
    OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    OK(cudaGraphInstantiate(&second, other, nullptr, nullptr, 0));
    OK(cudaGraphLaunch(exec, a));
    OK(cudaGraphDestroy(graph));
    OK(cudaGraphExecDestroy(exec));
    CHECK(free_bytes() == before - kBytes);
    OK(cudaGraphLaunch(second, a));
    CHECK(free_bytes() == before);
    OK(cudaGraphCreate(&graph, 0));
    OK(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    OK(cudaGraphDestroy(graph));
    CHECK(free_bytes() == before);
}

/// Adds a node of a kernel that takes a handle last.
template <class... Arguments>
cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t* after, void* kernel,
                           Arguments... arguments) {
    void* pointers[] = {&arguments...};
    cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
    params.kernel.func = kernel;
    params.kernel.gridDim = params.kernel.blockDim = dim3(1, 1, 1);
    params.kernel.kernelParams = pointers;
    cudaGraphNode_t node;
    OK(cudaGraphAddNode(&node, graph, after, nullptr, after == nullptr ? 0 : 1, &params));
    return node;
}

void conditions() {
    cudaGraph_t graph;
    OK(cudaGraphCreate(&graph, 0));
    // While: p counts down from 5, and the body's second kernel adds nothing.
    cudaGraphConditionalHandle loop, choice;
    OK(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
    OK(cudaGraphConditionalHandleCreate(&choice, graph));
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = loop;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    cudaGraphNode_t node;
    OK(cudaGraphAddNode(&node, graph, nullptr, 0, &params));
    add_kernel(params.conditional.phGraph_out[0], nullptr, (void*)count_down, p, loop);
    const cudaGraphNode_t chosen = add_kernel(graph, &node, (void*)choose, choice, 2u);
    params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = choice;
    params.conditional.type = cudaGraphCondTypeSwitch;
    params.conditional.size = 3;
    OK(cudaGraphAddNode(&node, graph, &chosen, 1, &params));
    for (int k = 0; k < 3; ++k) add_kernel(params.conditional.phGraph_out[k], nullptr, (void*)add, p, 10 + k);
    const cudaGraphNode_t none = add_kernel(graph, &node, (void*)choose, choice, 0u);
    params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = choice;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 2;
    OK(cudaGraphAddNode(&node, graph, &none, 1, &params));
    add_kernel(params.conditional.phGraph_out[0], nullptr, (void*)add, p, 100);
    add_kernel(params.conditional.phGraph_out[1], nullptr, (void*)add, p, 200);
    cudaGraphExec_t exec;
    OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    for (int k = 0; k < 2; ++k) {
        *p = 5;
        OK(cudaGraphLaunch(exec, 0));
        CHECK(value() == 212);
    }
}

}  // namespace

int main() {
    OK(cudaMallocManaged(&p, sizeof(int)));
    nodes();
    capture();
    captured_memory();
    memory_of_gone_graphs();
    conditions();
    std::puts("graphs done");
}
