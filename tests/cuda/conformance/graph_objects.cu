// Graphs: objects of the program that they keep, copies to and from variables, numbers and parameters of nodes, edges, captures into
// a graph that there is.

#include <algorithm>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

__device__ int variable[4];

__global__ void add(int* p, int k) {
    *p += k;
}

__global__ void wild(int* p) {
    p[threadIdx.x] = 1;
}

/// Of a process of its own: a kernel of the graph fails. The launch goes well, what follows the kernel does nothing, and the next call
/// has the error.
static int failing_kernel() {
    static int called = 0;
    int* const nowhere = nullptr;
    void* arguments[] = {const_cast<int**>(&nowhere)};
    cudaKernelNodeParams params{};
    params.func = reinterpret_cast<void*>(wild);
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    const cudaHostNodeParams host{[](void*) { ++called; }, nullptr};
    cudaGraph_t graph;
    CUDA(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t first, second;
    CUDA(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &params));
    CUDA(cudaGraphAddHostNode(&second, graph, &first, 1, &host));
    cudaGraphExec_t exec;
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphLaunch(exec, 0));
    CHECK(cudaPeekAtLastError() == cudaSuccess && called == 0);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaGraphLaunch(exec, 0) == cudaErrorIllegalAddress && called == 0);
    return failures;
}

struct Counted {
    int destroyed = 0;
};
static void destroy(void* p) {
    ++static_cast<Counted*>(p)->destroyed;
}

static void user_objects() {
    Counted a, b, c;
    cudaUserObject_t object;
    // One reference of the program, two more, all given back.
    CUDA(cudaUserObjectCreate(&object, &a, destroy, 1, cudaUserObjectNoDestructorSync));
    CUDA(cudaUserObjectRetain(object, 2));
    CUDA(cudaUserObjectRelease(object, 2));
    CHECK(a.destroyed == 0);
    CUDA(cudaUserObjectRelease(object));
    CHECK(a.destroyed == 1);
    CHECK(cudaUserObjectRelease(object) == cudaErrorInvalidValue);
    CHECK(cudaUserObjectCreate(&object, &a, destroy, 1, 0) == cudaErrorInvalidValue);
    CHECK(cudaUserObjectCreate(&object, &a, destroy, 0, cudaUserObjectNoDestructorSync) ==
          cudaErrorInvalidValue);

    // Moved into a graph; its clone and the executable graph hold it as well.
    cudaGraph_t graph, clone;
    CUDA(cudaGraphCreate(&graph, 0));
    CUDA(cudaUserObjectCreate(&object, &b, destroy, 1, cudaUserObjectNoDestructorSync));
    CUDA(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
    CUDA(cudaGraphClone(&clone, graph));
    cudaGraphExec_t exec;
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    CHECK(b.destroyed == 0);
    CUDA(cudaGraphExecDestroy(exec));
    CHECK(b.destroyed == 0);
    CUDA(cudaGraphDestroy(clone));
    CHECK(b.destroyed == 1);

    // Retained beside the program's own, and given back by hand.
    CUDA(cudaGraphCreate(&graph, 0));
    CUDA(cudaUserObjectCreate(&object, &c, destroy, 1, cudaUserObjectNoDestructorSync));
    CUDA(cudaGraphRetainUserObject(graph, object, 3));
    CHECK(cudaGraphReleaseUserObject(graph, object, 4) == cudaErrorInvalidValue);
    CUDA(cudaGraphReleaseUserObject(graph, object, 2));
    CUDA(cudaUserObjectRelease(object));
    CHECK(c.destroyed == 0);
    CUDA(cudaGraphReleaseUserObject(graph, object));
    CHECK(c.destroyed == 1);
    CUDA(cudaGraphDestroy(graph));
    cudaGetLastError();
}

static void symbols() {
    int* const p = managed<int>(8);
    const int values[4] = {1, 2, 3, 4};
    std::memcpy(p, values, sizeof values);
    cudaGraph_t graph;
    CUDA(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t to, from;
    CUDA(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, p, sizeof values, 0,
                                        cudaMemcpyDefault));
    CUDA(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, p + 4, variable, sizeof values, 0,
                                          cudaMemcpyDefault));
    cudaGraphExec_t exec;
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphLaunch(exec, 0));
    CUDA(cudaDeviceSynchronize());
    CHECK(std::equal(values, values + 4, p + 4));
    // The executable graph alone: the first value goes to the last place, and the two in the middle come back.
    CUDA(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, p, 4, 12, cudaMemcpyDefault));
    CUDA(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, p + 4, variable, 8, 8, cudaMemcpyDefault));
    CUDA(cudaGraphLaunch(exec, 0));
    CUDA(cudaDeviceSynchronize());
    CHECK(p[4] == 3 && p[5] == 1 && p[6] == 3 && p[7] == 4);
    CUDA(cudaGraphMemcpyNodeSetParamsToSymbol(to, variable, p + 1, 4, 0, cudaMemcpyDefault));
    CUDA(cudaGraphMemcpyNodeSetParamsFromSymbol(from, p + 7, variable, 4, 0, cudaMemcpyDefault));
    CHECK(cudaGraphMemcpyNodeSetParamsToSymbol(to, variable, p, 32, 0, cudaMemcpyDefault) ==
          cudaErrorInvalidValue);
    cudaGraphExec_t second;
    CUDA(cudaGraphInstantiate(&second, graph, 0));
    CUDA(cudaGraphLaunch(second, 0));
    CUDA(cudaDeviceSynchronize());
    CHECK(p[7] == 2);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphExecDestroy(second));
    CUDA(cudaGraphDestroy(graph));
    cudaGetLastError();
}

/// A stream captures into a graph that there is, after one of its nodes.
static void captures(int* p) {
    cudaGraph_t graph;
    CUDA(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t fill;
    cudaMemsetParams zeros{};
    zeros.dst = p;
    zeros.elementSize = 4;
    zeros.value = 100;
    zeros.width = zeros.height = 1;
    CUDA(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zeros));
    cudaStream_t stream, other;
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaStreamCreate(&other));
    unsigned long long id = 0, other_id = 0;
    CUDA(cudaStreamGetId(stream, &id));
    CUDA(cudaStreamGetId(other, &other_id));
    CHECK(id != other_id);
    CUDA(cudaStreamBeginCaptureToGraph(stream, graph, &fill, nullptr, 1, cudaStreamCaptureModeGlobal));
    add<<<1, 1, 0, stream>>>(p, 5);
    add<<<1, 1, 0, stream>>>(p, 7);
    cudaGraph_t same;
    CUDA(cudaStreamEndCapture(stream, &same));
    CHECK(same == graph);
    size_t count = 0;
    CUDA(cudaGraphGetNodes(graph, nullptr, &count));
    CHECK(count == 3);
    cudaGraphExec_t exec;
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphLaunch(exec, stream));
    CUDA(cudaStreamSynchronize(stream));
    CHECK(*p == 112);
    const char* const path = "graph.dot";
    CUDA(cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose));
    std::string text(4096, 0);
    std::FILE* const f = std::fopen(path, "r");
    text.resize(std::fread(text.data(), 1, text.size(), f));
    std::fclose(f);
    std::remove(path);
    CHECK(text.find("digraph") == 0 && text.find("add") != std::string::npos &&
          std::count(text.begin(), text.end(), '>') == 2);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaStreamDestroy(other));
}

static void edges() {
    cudaGraph_t graph;
    CUDA(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t n[3];
    cudaGraphNodeParams empty{};
    empty.type = cudaGraphNodeTypeEmpty;
#if CUDART_VERSION >= 13000
    for (auto& node : n) CUDA(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &empty));
#else
    for (auto& node : n) CUDA(cudaGraphAddNode_v2(&node, graph, nullptr, nullptr, 0, &empty));
#define cudaGraphAddDependencies cudaGraphAddDependencies_v2
#define cudaGraphGetEdges cudaGraphGetEdges_v2
#define cudaGraphNodeGetDependencies cudaGraphNodeGetDependencies_v2
#define cudaGraphNodeGetDependentNodes cudaGraphNodeGetDependentNodes_v2
#define cudaGraphRemoveDependencies cudaGraphRemoveDependencies_v2
#endif
    CUDA(cudaGraphAddDependencies(graph, n, n + 1, nullptr, 2));
    cudaGraphNode_t from[4], to[4];
    cudaGraphEdgeData data[4];
    std::memset(data, 1, sizeof data);
    size_t count = 4;
    CUDA(cudaGraphGetEdges(graph, from, to, data, &count));
    CHECK(count == 2 && from[0] == n[0] && to[0] == n[1] && from[1] == n[1] && to[1] == n[2]);
    CHECK(data[0].type == 0 && data[1].from_port == 0);
    count = 4;
    CUDA(cudaGraphNodeGetDependencies(n[2], from, data, &count));
    CHECK(count == 1 && from[0] == n[1]);
    count = 4;
    CUDA(cudaGraphNodeGetDependentNodes(n[0], to, data, &count));
    CHECK(count == 1 && to[0] == n[1]);
    CUDA(cudaGraphRemoveDependencies(graph, n, n + 1, nullptr, 1));
    count = 4;
    CUDA(cudaGraphGetEdges(graph, from, to, data, &count));
    CHECK(count == 1 && from[0] == n[1]);
    CUDA(cudaGraphDestroy(graph));
}

#ifdef HEDDLE_LATEST  // of CUDA 13.1 and later
static void numbers(int* p) {
    cudaGraph_t graph, other, of;
    CUDA(cudaGraphCreate(&graph, 0));
    CUDA(cudaGraphCreate(&other, 0));
    unsigned a = 0, b = 0;
    CUDA(cudaGraphGetId(graph, &a));
    CUDA(cudaGraphGetId(other, &b));
    CHECK(a != b);
    int k = 9;
    void* arguments[] = {&p, &k};
    cudaKernelNodeParams params{};
    params.func = reinterpret_cast<void*>(add);
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraphNode_t first, second;
    CUDA(cudaGraphAddEmptyNode(&first, graph, nullptr, 0));
    CUDA(cudaGraphAddKernelNode(&second, graph, &first, 1, &params));
    CUDA(cudaGraphNodeGetLocalId(first, &a));
    CUDA(cudaGraphNodeGetLocalId(second, &b));
    CHECK(a != b);
    CUDA(cudaGraphNodeGetContainingGraph(second, &of));
    CHECK(of == graph);
    unsigned long long tools = 0, others = 0;
    CUDA(cudaGraphNodeGetToolsId(first, &tools));
    CUDA(cudaGraphNodeGetToolsId(second, &others));
    CHECK(tools != others);
    cudaGraphNodeParams all{};
    CUDA(cudaGraphNodeGetParams(second, &all));
    CHECK(all.type == cudaGraphNodeTypeKernel && all.kernel.func == params.func &&
          *static_cast<int*>(all.kernel.kernelParams[1]) == 9);
    CUDA(cudaGraphNodeGetParams(first, &all));
    CHECK(all.type == cudaGraphNodeTypeEmpty);
    cudaGraphExec_t exec;
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphExecGetId(exec, &b));
    CUDA(cudaGraphGetId(graph, &a));
    CHECK(a != b);
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    CUDA(cudaGraphDestroy(other));
}

static void host_function(int* p) {
    *p = 1;
    CUDA(cudaLaunchHostFunc_v2(
        0, [](void* q) { *static_cast<int*>(q) += 41; }, p, 0));
    CUDA(cudaDeviceSynchronize());
    CHECK(*p == 42);
}
#endif

int main() {
    const pid_t child = fork();
    if (child == 0) {
        const int failed = failing_kernel();
        std::fflush(stdout);
        _exit(failed == 0 ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    CHECK(status == 0, "the other process: %d", status);
    int* const p = managed<int>(4);
    user_objects();
    symbols();
    captures(p);
    edges();
#ifdef HEDDLE_LATEST
    numbers(p);
    host_function(p);
#endif
    return finished();
}
