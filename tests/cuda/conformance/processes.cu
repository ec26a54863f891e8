// Memory, events and pools that another process opens. Two processes, which are forked before either calls CUDA, tell each other
// handles and turns through a socket.

#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define DRIVER(call) CHECK((call) == CUDA_SUCCESS, "%s", #call)

constexpr int kSmall = 100, kLarge = 1000000;

__global__ void fill(int* p, int n, int first) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) p[k] = first + k;
}

struct Handles {
    cudaIpcMemHandle_t small[2], large;
    cudaIpcEventHandle_t event;
    cudaMemPoolPtrExportData pooled;
};

static void put(int socket, const void* data, size_t bytes) {
    CHECK(write(socket, data, bytes) == static_cast<ssize_t>(bytes));
}
static void get(int socket, void* data, size_t bytes) {
    CHECK(recv(socket, data, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes));
}
static void turn(int socket) {
    const char done = 1;
    put(socket, &done, 1);
}
static void wait_turn(int socket) {
    char done;
    get(socket, &done, 1);
}

static void put_file(int socket, int file) {
    char byte = 'f', room[CMSG_SPACE(sizeof(int))] = {};
    iovec data{&byte, 1};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    cmsghdr* const c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(c), &file, sizeof file);
    CHECK(sendmsg(socket, &message, 0) == 1);
}
static int get_file(int socket) {
    char byte, room[CMSG_SPACE(sizeof(int))] = {};
    iovec data{&byte, 1};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    CHECK(recvmsg(socket, &message, 0) == 1);
    int file = -1;
    std::memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    return file;
}

/// What the second process sees and changes.
static int second(int socket) {
    Handles h;
    get(socket, &h, sizeof h);
    int *small[2], *large;
    for (int k = 0; k < 2; ++k)
        CUDA(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&small[k]), h.small[k],
                                  cudaIpcMemLazyEnablePeerAccess));
    CUDA(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&large), h.large, cudaIpcMemLazyEnablePeerAccess));
    static int got[kLarge];
    for (int k = 0; k < 2; ++k) {
        CUDA(cudaMemcpy(got, small[k], kSmall * 4, cudaMemcpyDeviceToHost));
        for (int i = 0; i < kSmall; ++i) CHECK(got[i] == 1000 * k + i, "%d %d: %d", k, i, got[i]);
    }
    CUDA(cudaMemcpy(got, large, kLarge * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kLarge; i += 997) CHECK(got[i] == 7 + i);
    fill<<<1, 128>>>(small[0], kSmall, 5000);
    CUDA(cudaDeviceSynchronize());
    turn(socket);
    // What the first process writes now is here at once.
    wait_turn(socket);
    cudaEvent_t event;
    CUDA(cudaIpcOpenEventHandle(&event, h.event));
    CUDA(cudaStreamWaitEvent(0, event, 0));
    CUDA(cudaMemcpy(got, large, kLarge * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kLarge; i += 997) CHECK(got[i] == 90 + i);
    CUDA(cudaEventQuery(event));
    CUDA(cudaEventDestroy(event));
    for (int* p : small) CUDA(cudaIpcCloseMemHandle(p));
    CUDA(cudaIpcCloseMemHandle(large));
    CHECK(cudaIpcCloseMemHandle(large) == cudaErrorInvalidValue);

    // A pool and memory of it.
    const int file = get_file(socket);
    cudaMemPool_t pool;
    CUDA(cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(static_cast<size_t>(file)),
                                              cudaMemHandleTypePosixFileDescriptor, 0));
    int* pooled;
    CUDA(cudaMemPoolImportPointer(reinterpret_cast<void**>(&pooled), pool, &h.pooled));
    CUDA(cudaMemcpy(got, pooled, kSmall * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kSmall; ++i) CHECK(got[i] == 33 + i);
    void* more;
    CHECK(cudaMallocFromPoolAsync(&more, 64, pool, 0) != cudaSuccess);
    CUDA(cudaFreeAsync(pooled, 0));
    CUDA(cudaMemPoolDestroy(pool));
    close(file);
    cudaGetLastError();
    turn(socket);
    return failures;
}

static void first(int socket) {
    Handles h{};
    int *small[2], *large, *pooled;
    for (int k = 0; k < 2; ++k) {
        CUDA(cudaMalloc(&small[k], kSmall * 4));
        fill<<<1, 128>>>(small[k], kSmall, 1000 * k);
        CUDA(cudaIpcGetMemHandle(&h.small[k], small[k]));
    }
    CUDA(cudaMalloc(&large, kLarge * 4));
    fill<<<(kLarge + 255) / 256, 256>>>(large, kLarge, 7);
    CUDA(cudaIpcGetMemHandle(&h.large, large));
    cudaEvent_t event, plain;
    CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventInterprocess));
    CUDA(cudaEventCreate(&plain));
    CHECK(cudaEventCreateWithFlags(&plain, cudaEventInterprocess) == cudaErrorInvalidValue);
    CUDA(cudaIpcGetEventHandle(&h.event, event));
    CHECK(cudaIpcGetEventHandle(&h.event, plain) == cudaErrorInvalidResourceHandle);
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    props.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPool_t pool, closed;
    CUDA(cudaMemPoolCreate(&pool, &props));
    CUDA(cudaMallocFromPoolAsync(reinterpret_cast<void**>(&pooled), kSmall * 4, pool, 0));
    fill<<<1, 128>>>(pooled, kSmall, 33);
    CUDA(cudaMemPoolExportPointer(&h.pooled, pooled));
    int file = -1;
    CUDA(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypePosixFileDescriptor, 0));
    CUDA(cudaDeviceGetDefaultMemPool(&closed, 0));
    CHECK(cudaMemPoolExportToShareableHandle(&file, closed, cudaMemHandleTypePosixFileDescriptor, 0) ==
          cudaErrorInvalidValue);
    void* mine;
    CHECK(cudaIpcOpenMemHandle(&mine, h.large, 0) == cudaErrorDeviceUninitialized);
    put(socket, &h, sizeof h);
    wait_turn(socket);
    int got[kSmall];
    CUDA(cudaMemcpy(got, small[0], sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kSmall; ++i) CHECK(got[i] == 5000 + i, "%d", got[i]);
    CUDA(cudaMemcpy(got, small[1], sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kSmall; ++i) CHECK(got[i] == 1000 + i);
    fill<<<(kLarge + 255) / 256, 256>>>(large, kLarge, 90);
    CUDA(cudaEventRecord(event));
    turn(socket);
    put_file(socket, file);
    wait_turn(socket);

    // In one process as well: the imported pointer is another name of the same memory.
    cudaMemPool_t again;
    CUDA(cudaMemPoolImportFromShareableHandle(&again, reinterpret_cast<void*>(static_cast<size_t>(file)),
                                              cudaMemHandleTypePosixFileDescriptor, 0));
    int* alias;
    CUDA(cudaMemPoolImportPointer(reinterpret_cast<void**>(&alias), again, &h.pooled));
    CHECK(alias != pooled);
    // It can't be given on.
    CHECK(cudaIpcGetMemHandle(&h.large, alias) == cudaErrorInvalidValue);
    fill<<<1, 128>>>(alias, kSmall, 60);
    CUDA(cudaMemcpy(got, pooled, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kSmall; ++i) CHECK(got[i] == 60 + i);
    CUDA(cudaFree(alias));
    CUDA(cudaMemPoolDestroy(again));
    CUDA(cudaFreeAsync(pooled, 0));
    CUDA(cudaMemPoolDestroy(pool));
    close(file);
    // An address within an allocation frees nothing of it.
    CHECK(cudaFreeAsync(large + 1, 0) == cudaErrorInvalidValue);
    CUDA(cudaMemcpy(got, large + 2000, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kSmall; ++i) CHECK(got[i] == 90 + 2000 + i);
    // Memory that was shared and freed is zeros again, also where its last page is only in part its own.
    CUDA(cudaFree(large));
    int* fresh;
    CUDA(cudaMalloc(&fresh, kLarge * 4));
    CHECK(fresh == large);
    CUDA(cudaMemcpy(got, fresh + 2000, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kSmall; ++i) CHECK(got[i] == 0);
    CUDA(cudaMemcpy(got, fresh + kLarge - kSmall, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kSmall; ++i) CHECK(got[i] == 0);
    CUDA(cudaFree(fresh));
    CUDA(cudaFree(small[0]));
    CUDA(cudaMemcpy(got, small[1], sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < kSmall; ++i) CHECK(got[i] == 1000 + i);
    CUDA(cudaFree(small[1]));
    CUDA(cudaEventDestroy(event));
    CUDA(cudaEventDestroy(plain));
    CUipcMemHandle driver;
    CUdeviceptr p;
    DRIVER(cuMemAlloc(&p, 64));
    DRIVER(cuIpcGetMemHandle(&driver, p));
    DRIVER(cuMemFree(p));
    CHECK(cuIpcGetMemHandle(&driver, p) == CUDA_ERROR_INVALID_VALUE);
    cudaGetLastError();
}

int main() {
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return 2;
    const pid_t child = fork();
    if (child == 0) {
        const int failed = second(sockets[1]);
        std::fflush(stdout);
        _exit(failed == 0 ? 0 : 1);
    }
    first(sockets[0]);
    int status = 1;
    waitpid(child, &status, 0);
    CHECK(status == 0, "the other process: %d", status);
    return finished();
}
