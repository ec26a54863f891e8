// libFuzzer target: any text either parses or is an InputError.
//   cmake -B build/fuzz -DHEDDLE_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++ && build/fuzz/tests/fuzz/ptx_fuzz tests/ptx/data

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ptx/module.h"
#include "sim/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        heddle::ptx::Module::parse({reinterpret_cast<const char*>(data), size}, "fuzz.ptx");
    } catch (const heddle::InputError&) {
    }
    return 0;
}
