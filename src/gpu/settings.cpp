#include "gpu/settings.h"

#include <fmt/format.h>

namespace heddle {

using config::Schema;
using config::Unit;

namespace {

const Schema<CrossbarSettings>& crossbar_schema() {
    using S = CrossbarSettings;
    static const auto s =
        Schema<S>("crossbar", "crossbar between SMs and L2 slices, one network per direction")
            .key("latency", &S::latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "8",
                  .min = "1",
                  .max = "10000",
                  .about = "from a source port to a destination port, in each direction"})
            .key("flit", &S::flit_bytes,
                 {.unit = Unit::bytes,
                  .def = "32B",
                  .min = "4B",
                  .max = "256B",
                  .about = "bytes that a port moves per cycle"})
            .key("request_header", &S::request_header,
                 {.unit = Unit::bytes,
                  .def = "8B",
                  .min = "1B",
                  .max = "64B",
                  .about = "bytes of a request besides its data"})
            .key("response_header", &S::response_header,
                 {.unit = Unit::bytes,
                  .def = "8B",
                  .max = "64B",
                  .about = "bytes of a response besides its data"})
            .key("credits", &S::credits,
                 {.def = "8",
                  .min = "1",
                  .max = "60000",
                  .about = "packets that one source may have in flight to, or waiting at, one destination"})
            .key("output_queue", &S::output_queue,
                 {.def = "8",
                  .min = "1",
                  .max = "4096",
                  .about = "packets that may wait in front of a source port"});
    return s;
}

const Schema<AddressMapSettings>& address_map_schema() {
    using S = AddressMapSettings;
    static const auto s =
        Schema<S>("address_map", "which channel and slice hold an address")
            .key("interleave", &S::interleave_bytes,
                 {.unit = Unit::bytes,
                  .def = "256B",
                  .min = "128B",
                  .max = "1MiB",
                  .power_of_two = true,
                  .about = "size of a contiguous block in one channel"})
            .one_of("hash", &S::hash,
                    {{"modulo", ChannelHash::modulo, "block number modulo channels"},
                     {"xor3", ChannelHash::xor3,
                      "lowest three bits of the block number XOR the next three, then modulo"},
                     {"xor_fold", ChannelHash::xor_fold,
                      "lowest bits XOR all higher groups of the same width, then modulo"}},
                    {.def = "xor_fold", .about = "how block numbers map to channels"});
    return s;
}

}  // namespace

const Schema<GpuSettings>& GpuSettings::schema() {
    using S = GpuSettings;
    static const auto s =
        Schema<S>("gpu", "one GPU")
            .key("clock", &S::clock_hz,
                 {.unit = Unit::hertz,
                  .min = "1MHz",
                  .max = "100GHz",
                  .about = "clock of the SMs, the crossbar and L2"})
            .key("sms", &S::sms, {.min = "1", .max = "1024", .about = "streaming multiprocessors"})
            .section("sm", &S::sm, SmSettings::schema())
            .section("l1", &S::l1, L1Settings::schema())
            .section("crossbar", &S::crossbar, crossbar_schema())
            .section("l2", &S::l2, L2Settings::schema())
            .section("address_map", &S::address_map, address_map_schema())
            .section("translation", &S::translation, TranslationSettings::schema())
            .key("split_l2_ways", &S::split_l2_ways,
                 {.def = "false",
                  .about = "concurrent applications each get an equal part of the ways of every L2 set"})
            .key("split_channels", &S::split_channels,
                 {.def = "false",
                  .about = "concurrent applications each get an equal part of the memory's channels, with "
                           "the L2 slices in front of them"})
            .key("memory", &S::memory, {.about = "the memory behind L2", .refers_to = "memories"})
            .key("memory_latency", &S::memory_latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "0",
                  .max = "100000",
                  .about = "fixed delay from an L2 slice to its DRAM controller"})
            .key("launch_latency", &S::launch_latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "0",
                  .max = "1000000000",
                  .about = "delay before a kernel's first CTA starts"})
            .key("concurrent_kernels", &S::concurrent_kernels,
                 {.def = "32",
                  .min = "1",
                  .max = "1024",
                  .about = "kernels from different streams of one application that run concurrently"})
            .check_all([](const S& g) -> config::Complaint {
                if (g.sm.schedulers <= g.sm.warps) return {};
                return {{"sm.warps", "sm.schedulers"},
                        fmt::format("an SM needs at least as many warps as schedulers, but has {} and {}",
                                    g.sm.warps, g.sm.schedulers)};
            });
    return s;
}

}  // namespace heddle
