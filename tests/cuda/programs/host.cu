// Streams, events, copies, memory of every kind, errors, graphs.
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

__global__ void add(int* p, int n, int by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += by;
}
__global__ void wild(int* p, int at) {
    if (threadIdx.x == 5) p[at] = 1;
}
__device__ int numbers[8] = {1, 2, 3};
__constant__ int factors[4];
__global__ void use_symbols() {
    numbers[threadIdx.x] = numbers[threadIdx.x] * factors[threadIdx.x & 3];
}

constexpr int kN = 256;

/// The copy in device memory of 0, 1, 2, ...
static int* counting() {
    int h[kN], *d;
    for (int i = 0; i < kN; ++i) h[i] = i;
    OK(cudaMalloc(&d, sizeof h));
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    return d;
}
static void expect_added(const int* d, int by) {
    int h[kN];
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kN; ++i) CHECK(h[i] == i + by);
}

static void streams() {
    int* d = counting();
    cudaStream_t a, b;
    cudaEvent_t e;
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreate(&e));
    add<<<2, 128, 0, a>>>(d, kN, 1);
    OK(cudaEventRecord(e, a));
    OK(cudaStreamWaitEvent(b, e, 0));
    add<<<2, 128, 0, b>>>(d, kN, 2);
    OK(cudaEventSynchronize(e));
    OK(cudaStreamSynchronize(b));
    expect_added(d, 3);
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaFree(d));
}

/// The default stream and a blocking one wait for each other.
static void default_stream() {
    int* d = counting();
    cudaStream_t a;
    OK(cudaStreamCreate(&a));
    add<<<2, 128, 0, a>>>(d, kN, 1);
    add<<<2, 128>>>(d, kN, 1);
    add<<<2, 128, 0, a>>>(d, kN, 1);
    OK(cudaDeviceSynchronize());
    expect_added(d, 3);
}

/// Its work stays before what the default stream gets later.
static void destroyed_stream() {
    int* d = counting();
    cudaStream_t a;
    OK(cudaStreamCreate(&a));
    add<<<2, 128, 0, a>>>(d, kN, 1);
    OK(cudaStreamDestroy(a));
    CHECK(cudaStreamDestroy(a) == cudaErrorInvalidResourceHandle);
    CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
    add<<<2, 128>>>(d, kN, 1);
    OK(cudaDeviceSynchronize());
    expect_added(d, 2);
}

static void events() {
    int* d = counting();
    cudaEvent_t start, middle, end, never;
    for (cudaEvent_t* e : {&start, &middle, &end, &never}) OK(cudaEventCreate(e));
    float first = 0, second = 0, both = 0;
    OK(cudaEventRecord(start));
    add<<<2, 128>>>(d, kN, 1);
    OK(cudaEventRecord(middle));
    for (int k = 0; k < 10; ++k) add<<<2, 128>>>(d, kN, 1);
    OK(cudaEventRecord(end));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&first, start, middle));
    OK(cudaEventElapsedTime(&second, middle, end));
    OK(cudaEventElapsedTime(&both, start, end));
    CHECK(first > 0 && second > 5 * first && both >= second);
    CHECK(cudaEventElapsedTime(&first, start, never) == cudaErrorInvalidResourceHandle);
    std::printf("%.6f ms\n", both);
}

static void copies() {
    unsigned char host[24 * 10], back[24 * 10];
    for (int i = 0; i < 240; ++i) host[i] = static_cast<unsigned char>(i);
    // Rows of 24 bytes into pitched memory, a rectangle out of it.
    unsigned char* d;
    size_t pitch;
    OK(cudaMallocPitch(&d, &pitch, 24, 10));
    CHECK(pitch >= 24);
    OK(cudaMemcpy2D(d, pitch, host, 24, 24, 10, cudaMemcpyHostToDevice));
    OK(cudaMemset2D(d + 2 * pitch + 4, pitch, 0xee, 3, 2));
    std::memset(back, 0, sizeof back);
    OK(cudaMemcpy2D(back, 24, d, pitch, 24, 10, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 24; ++x) {
            const bool filled = y >= 2 && y < 4 && x >= 4 && x < 7;
            CHECK(back[y * 24 + x] == (filled ? 0xee : host[y * 24 + x]));
        }
    CHECK(cudaMemcpy2D(d, 8, host, 24, 24, 10, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
    // A box of 4 x 3 x 2 bytes.
    cudaPitchedPtr box;
    OK(cudaMalloc3D(&box, make_cudaExtent(4, 3, 2)));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(host, 4, 4, 3);
    p.dstPtr = box;
    p.extent = make_cudaExtent(4, 3, 2);
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));
    p = {};
    p.srcPtr = box;
    p.srcPos = make_cudaPos(1, 1, 1);
    p.dstPtr = make_cudaPitchedPtr(back, 3, 3, 2);
    p.extent = make_cudaExtent(3, 2, 1);
    p.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&p));
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 3; ++x) CHECK(back[y * 3 + x] == host[12 + (y + 1) * 4 + x + 1]);
    // An array, by rows and by rectangles.
    cudaArray_t a;
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<unsigned char>();
    OK(cudaMallocArray(&a, &desc, 24, 10));
    OK(cudaMemcpyToArray(a, 0, 0, host, 240, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DToArray(a, 3, 1, host, 24, 5, 2, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromArray(back, a, 0, 0, 240, cudaMemcpyDeviceToHost));
    for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 24; ++x) {
            const bool copied = y >= 1 && y < 3 && x >= 3 && x < 8;
            CHECK(back[y * 24 + x] == (copied ? host[(y - 1) * 24 + x - 3] : host[y * 24 + x]));
        }
    OK(cudaFreeArray(a));
}

static void memory_kinds() {
    int *managed, *pinned, *seen;
    OK(cudaMallocManaged(&managed, kN * sizeof(int)));
    for (int i = 0; i < kN; ++i) managed[i] = i;
    add<<<2, 128>>>(managed, kN, 5);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < kN; ++i) CHECK(managed[i] == i + 5);
    OK(cudaHostAlloc(&pinned, kN * sizeof(int), cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer(&seen, pinned, 0));
    for (int i = 0; i < kN; ++i) pinned[i] = i;
    add<<<2, 128>>>(seen, kN, 7);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < kN; ++i) CHECK(pinned[i] == i + 7);
    std::vector<int> own(kN, 3);
    OK(cudaHostRegister(own.data(), kN * sizeof(int), 0));
    add<<<2, 128>>>(own.data(), kN, 1);
    OK(cudaDeviceSynchronize());
    for (int v : own) CHECK(v == 4);
    CHECK(cudaHostRegister(own.data(), 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
    OK(cudaHostUnregister(own.data()));
    cudaPointerAttributes at;
    OK(cudaPointerGetAttributes(&at, managed + 3));
    CHECK(at.type == cudaMemoryTypeManaged);
    OK(cudaPointerGetAttributes(&at, own.data()));
    CHECK(at.type == cudaMemoryTypeUnregistered);
    size_t before, after, total;
    OK(cudaMemGetInfo(&before, &total));
    void* p;
    OK(cudaMallocAsync(&p, 1 << 20, nullptr));
    OK(cudaMemGetInfo(&after, &total));
    CHECK(before - after == 1 << 20 && after < total);
    OK(cudaFreeAsync(p, nullptr));
    OK(cudaFree(managed));
    OK(cudaFreeHost(pinned));
}

static void symbols() {
    const int f[4] = {2, 3, 5, 7};
    int h[8];
    OK(cudaMemcpyToSymbol(factors, f, sizeof f));
    const int last = 100;
    OK(cudaMemcpyToSymbol(numbers, &last, sizeof last, 7 * sizeof(int)));
    use_symbols<<<1, 8>>>();
    OK(cudaMemcpyFromSymbol(h, numbers, sizeof h));
    CHECK(h[0] == 2 && h[1] == 6 && h[2] == 15 && h[3] == 0 && h[7] == 700);
    void* address;
    size_t bytes;
    OK(cudaGetSymbolAddress(&address, numbers));
    OK(cudaGetSymbolSize(&bytes, numbers));
    CHECK(bytes == sizeof h);
    OK(cudaMemcpy(h, address, 4, cudaMemcpyDeviceToHost));
    CHECK(h[0] == 2);
    CHECK(cudaMemcpyToSymbol(numbers, h, 36) == cudaErrorInvalidValue);
}

static void errors() {
    int* d = counting();
    void* p = nullptr;
    CHECK(cudaMalloc(&p, size_t{1} << 50) == cudaErrorMemoryAllocation && p == nullptr);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation && cudaGetLastError() == cudaSuccess);
    CHECK(cudaSetDevice(3) == cudaErrorInvalidDevice);
    CHECK(cudaFree(d + 1) == cudaErrorInvalidValue);
    CHECK(cudaMemcpy(d, d, (kN + 1) * sizeof(int), cudaMemcpyDeviceToDevice) == cudaErrorInvalidValue);
    CHECK(cudaMemset(d + kN - 1, 0, 8) == cudaErrorInvalidValue);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
    add<<<1, 2048>>>(d, kN, 1);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    add<<<dim3(1, 65536), 32>>>(d, kN, 1);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    add<<<1, dim3(1, 1, 65)>>>(d, kN, 1);
    CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
    add<<<1, 32, 100'000'000>>>(d, kN, 1);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(cudaEventRecord(reinterpret_cast<cudaEvent_t>(12345), nullptr) == cudaErrorInvalidResourceHandle);
    CHECK(cudaGraphicsUnmapResources(0, nullptr) == cudaErrorNotSupported);
    CHECK(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
    CHECK(std::strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress") == 0);
    // Nothing of it has done harm.
    add<<<2, 128>>>(d, kN, 1);
    expect_added(d, 1);
}

static void fault() {
    int* d = counting();
    wild<<<1, 32>>>(d, kN + 3);
    CHECK(cudaPeekAtLastError() == cudaSuccess);  // the launch itself has gone well
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    CHECK(cudaMalloc(&d, 4) == cudaErrorIllegalAddress);  // it stays
    std::exit(cudaGetLastError() == cudaErrorIllegalAddress ? 3 : 4);
}
static void ignored_fault() {
    wild<<<1, 32>>>(nullptr, 1 << 20);
}
static void crash() {
    add<<<2, 128>>>(counting(), kN, 1);
    std::abort();
}
static void leave() {
    add<<<2, 128>>>(counting(), kN, 1);
    std::_Exit(0);
}
static void exit_code() {
    std::exit(42);
}

extern "C" void** __cudaRegisterFatBinary(void*);
extern "C" void __cudaRegisterFunction(void**, const char*, char*, const char*, int, void*, void*, void*,
                                       void*, int*);

/// A fat binary as nvcc makes it if it is told to make machine code only.
static void machine_code() {
    struct {
        unsigned magic = 0xba55ed50;
        unsigned short version = 1, header = 16;
        unsigned long long bytes = 64;
        unsigned short kind = 2, entry_version = 1;
        unsigned entry_header = 64, unused[5] = {}, architecture = 90, rest[8] = {};
    } container;
    static_assert(sizeof container == 80);
    struct {
        unsigned magic = 0x466243b1, version = 1;
        const void* data;
        void* unused = nullptr;
    } wrapper;
    wrapper.data = &container;
    static const char stub = 0;
    __cudaRegisterFunction(__cudaRegisterFatBinary(&wrapper), &stub, nullptr, "kernel", -1, nullptr, nullptr,
                           nullptr, nullptr, nullptr);
    CHECK(cudaLaunchKernel(&stub, dim3(1), dim3(1), nullptr, 0, nullptr) != cudaSuccess);
}

static void host_function(void* data) {
    *static_cast<int*>(data) += 10;
}

static void graphs() {
    int* d = counting();
    int called = 0, n = kN, by = 4;
    cudaGraph_t g;
    OK(cudaGraphCreate(&g, 0));
    cudaKernelNodeParams k = {};
    void* args[] = {&d, &n, &by};
    k.func = reinterpret_cast<void*>(add);
    k.gridDim = dim3(2);
    k.blockDim = dim3(128);
    k.kernelParams = args;
    cudaGraphNode_t first, second, host;
    OK(cudaGraphAddKernelNode(&first, g, nullptr, 0, &k));
    by = 1000;  // the node keeps what it was given
    cudaHostNodeParams h = {host_function, &called};
    OK(cudaGraphAddHostNode(&host, g, &first, 1, &h));
    by = 2;
    OK(cudaGraphAddKernelNode(&second, g, &host, 1, &k));
    size_t count = 0;
    OK(cudaGraphGetNodes(g, nullptr, &count));
    CHECK(count == 3);
    cudaGraphExec_t e;
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, nullptr));
    OK(cudaGraphLaunch(e, nullptr));
    expect_added(d, 12);
    CHECK(called == 20);
    by = 1;
    OK(cudaGraphExecKernelNodeSetParams(e, second, &k));
    OK(cudaGraphLaunch(e, nullptr));
    expect_added(d, 17);
    OK(cudaGraphExecDestroy(e));
    OK(cudaGraphDestroy(g));
    // Captured: nothing runs until the launch.
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<2, 128, 0, s>>>(d, kN, 1);
    OK(cudaMemsetAsync(d, 0, sizeof(int), s));
    add<<<2, 128, 0, s>>>(d, kN, 1);
    CHECK(cudaStreamSynchronize(s) == cudaErrorStreamCaptureUnsupported);
    OK(cudaStreamEndCapture(s, &g));
    expect_added(d, 17);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    int v[2];
    OK(cudaMemcpy(v, d, sizeof v, cudaMemcpyDeviceToHost));
    CHECK(v[0] == 1 && v[1] == 1 + 17 + 2);
}

/// A captured kernel's parameters can be asked for, and given back changed.
static void captured_kernel() {
    int* d = counting();
    cudaStream_t s;
    cudaGraph_t g, clone;
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<dim3(2), dim3(128), 64, s>>>(d, kN, 5);
    OK(cudaMemsetAsync(d, 0, 0, s));
    OK(cudaStreamEndCapture(s, &g));
    cudaGraphNode_t nodes[2];
    size_t count = 2;
    OK(cudaGraphGetNodes(g, nodes, &count));
    cudaKernelNodeParams k = {};
    CHECK(cudaGraphKernelNodeGetParams(nodes[1], &k) == cudaErrorInvalidValue);
    CHECK(cudaGraphKernelNodeSetParams(nodes[1], &k) == cudaErrorInvalidValue);
    OK(cudaGraphKernelNodeGetParams(nodes[0], &k));
    CHECK(k.func == reinterpret_cast<void*>(add) && k.sharedMemBytes == 64 && k.extra == nullptr);
    CHECK(k.gridDim.x == 2 && k.gridDim.y == 1 && k.gridDim.z == 1);
    CHECK(k.blockDim.x == 128 && k.blockDim.y == 1 && k.blockDim.z == 1);
    CHECK(*static_cast<int**>(k.kernelParams[0]) == d);
    CHECK(*static_cast<int*>(k.kernelParams[1]) == kN && *static_cast<int*>(k.kernelParams[2]) == 5);
    OK(cudaGraphClone(&clone, g));
    int by = 7;
    void* args[] = {k.kernelParams[0], k.kernelParams[1], &by};
    k.kernelParams = args;
    OK(cudaGraphKernelNodeSetParams(nodes[0], &k));
    OK(cudaGraphKernelNodeGetParams(nodes[0], &k));
    CHECK(*static_cast<int*>(k.kernelParams[2]) == 7);
    cudaGraphExec_t e;
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, s));
    expect_added(d, 7);
    // The clone has what was captured, also when the graph is gone.
    OK(cudaGraphDestroy(g));
    OK(cudaGraphGetNodes(clone, nodes, &count));
    OK(cudaGraphKernelNodeGetParams(nodes[0], &k));
    CHECK(*static_cast<int*>(k.kernelParams[2]) == 5);
}

/// An event recorded in a capture leads nowhere once the capture has ended.
static void captured_events() {
    int* d = counting();
    cudaStream_t a, b;
    cudaEvent_t fork, join;
    OK(cudaStreamCreate(&a));
    OK(cudaStreamCreate(&b));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal));
    OK(cudaEventRecord(fork, a));
    OK(cudaStreamWaitEvent(b, fork, 0));
    add<<<2, 128, 0, b>>>(d, kN, 1);
    OK(cudaEventRecord(join, b));
    OK(cudaStreamWaitEvent(a, join, 0));
    cudaGraph_t g;
    OK(cudaStreamEndCapture(a, &g));
    size_t count = 0;
    OK(cudaGraphGetNodes(g, nullptr, &count));
    CHECK(count == 1);
    OK(cudaGraphDestroy(g));
    for (cudaEvent_t e : {fork, join}) {
        OK(cudaStreamWaitEvent(b, e, 0));
        cudaStreamCaptureStatus status;
        OK(cudaStreamIsCapturing(b, &status));
        CHECK(status == cudaStreamCaptureStatusNone);
    }
    add<<<2, 128, 0, b>>>(d, kN, 2);
    OK(cudaStreamSynchronize(b));
    expect_added(d, 2);
}

/// The child is the first to use CUDA; the parent does so too.
static void forks() {
    const pid_t child = fork();
    CHECK(child >= 0);
    int* d = counting();
    add<<<2, 128>>>(d, kN, 3);
    expect_added(d, 3);
    if (child == 0) std::exit(0);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(int argc, char** argv) {
    const Case cases[] = {{"streams", streams},
                          {"default_stream", default_stream},
                          {"destroyed_stream", destroyed_stream},
                          {"events", events},
                          {"copies", copies},
                          {"memory_kinds", memory_kinds},
                          {"symbols", symbols},
                          {"errors", errors},
                          {"fault", fault},
                          {"ignored_fault", ignored_fault},
                          {"crash", crash},
                          {"leave", leave},
                          {"exit_code", exit_code},
                          {"graphs", graphs},
                          {"captured_kernel", captured_kernel},
                          {"captured_events", captured_events},
                          {"machine_code", machine_code},
                          {"forks", forks}};
    return run_case(cases, sizeof cases / sizeof *cases, argc, argv);
}
