// libFuzzer: any bytes are a fat binary (or a file that holds some), or an InputError.
// Build: cmake -DHEDDLE_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++; run: fatbin_fuzz -max_total_time=600 CORPUS

#include <cstddef>
#include <string_view>

#include "cuda/extract.h"
#include "cuda/fatbin.h"
#include "sim/error.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    try {
        heddle::cuda::choose_ptx(heddle::cuda::read_container(std::as_bytes(std::span(data, size))));
    } catch (const heddle::InputError&) {
    }
    try {
        heddle::cuda::extract_ptx(bytes, "input");
    } catch (const heddle::InputError&) {
    }
    return 0;
}
