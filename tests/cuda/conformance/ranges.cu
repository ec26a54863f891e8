// Marks and ranges, in each of their forms, around launches that a test counts in them.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>

#include "../programs/check.h"

namespace {

__global__ void add(int* p) {
    atomicAdd(p, 1);
}

struct my_domain {
    static constexpr const char* name = "mine";
};
struct my_message {
    static constexpr const char* message = "registered";
};

int* counter = nullptr;

void launch(int n) {
    for (int k = 0; k < n; ++k) add<<<1, 32>>>(counter);
}

void whole_function() {
    NVTX3_FUNC_RANGE();
    launch(1);
}

nvtxEventAttributes_t event(const char* text, unsigned color) {
    nvtxEventAttributes_t e;
    std::memset(&e, 0, sizeof e);
    e.version = NVTX_VERSION;
    e.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    e.colorType = NVTX_COLOR_ARGB;
    e.color = color;
    e.messageType = NVTX_MESSAGE_TYPE_ASCII;
    e.message.ascii = text;
    return e;
}

}  // namespace

int main() {
    OK(cudaMalloc(&counter, sizeof(int)));
    OK(cudaMemset(counter, 0, sizeof(int)));
    const int outer = nvtxRangePush("outer");
    launch(1);
    const nvtxEventAttributes_t inner = event("inner", 0xff00ff00);
    const int deeper = nvtxRangePushEx(&inner);
    CHECK(outer == NVTX_NO_PUSH_POP_TRACKING ? deeper == outer : outer == 0 && deeper == 1);
    launch(2);
    CHECK(nvtxRangePop() == deeper);
    nvtxMark("between");
    CHECK(nvtxRangePop() == outer);
    CHECK(nvtxRangePop() == NVTX_NO_PUSH_POP_TRACKING);

    // Ranges that overlap, in a domain, with other letters.
    const nvtxRangeId_t first = nvtxRangeStartW(L"gr\u00fc\u00dfe \u4e16 \U0001f600");
    const nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
    nvtxEventAttributes_t named = event(nullptr, 0);
    named.colorType = NVTX_COLOR_UNKNOWN;
    named.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    named.message.registered = nvtxDomainRegisterStringA(domain, "from a string");
    launch(1);
    const nvtxRangeId_t second = nvtxDomainRangeStartEx(domain, &named);
    launch(1);
    nvtxRangeEnd(first);
    launch(1);
    nvtxDomainRangeEnd(domain, second);

    whole_function();
    {
        const nvtx3::scoped_range_in<my_domain> range{
            nvtx3::rgb{1, 2, 3}, nvtx3::registered_string_in<my_domain>::get<my_message>(), nvtx3::payload{7},
            nvtx3::category{3}};
        launch(3);
        nvtx3::mark_in<my_domain>("a mark");
    }
    // What `moved` was before ends here, though `range` lives on.
    nvtx3::unique_range moved, range("moved");
    moved = std::move(range);
    const nvtx3::scoped_range open{"open at the end"};
    int sum = 0;
    OK(cudaMemcpy(&sum, counter, sizeof sum, cudaMemcpyDeviceToHost));
    CHECK(sum == 10 * 32);
    launch(2);
    OK(cudaDeviceSynchronize());
    std::puts("ranges done");
    std::exit(0);
}
