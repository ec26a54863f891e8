#include "link/settings.h"

namespace heddle {

using config::Schema;
using config::Unit;

namespace {
constexpr const char* kNuma = "Agarwal et al., HPCA 2015, sec. 4: 100 cycles in all";
}

const Schema<LinkSettings>& LinkSettings::schema() {
    using S = LinkSettings;
    static const auto s =
        Schema<S>("link", "a coherent link from a GPU to a memory that is not its own")
            .key("from", &S::from, {.about = "the GPU", .refers_to = "gpus"})
            .key("to", &S::to,
                 {.about = "the memory, with the L2 slices in front of it", .refers_to = "memories"})
            .key("latency", &S::latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "50",
                  .max = "1000000",
                  .about = "from the crossbar to the memory's L2 slices, and back",
                  .source = kNuma})
            .key("bandwidth", &S::bytes_per_s,
                 {.unit = Unit::bandwidth, .def = "0", .about = "in each direction; 0: no limit"})
            .key("header", &S::header_bytes,
                 {.unit = Unit::bytes,
                  .def = "16B",
                  .max = "1KiB",
                  .about = "of each message, besides its data"})
            .check("bandwidth", [](const S& l) {
                constexpr u64 kLeast = 1'000'000;  // below, a line takes longer than a run
                return l.bytes_per_s != 0 && l.bytes_per_s < kLeast
                           ? "must be 0 (no limit) or at least 1 MB/s"
                           : "";
            });
    return s;
}

}  // namespace heddle
