#pragma once
// A small machine of two memories: the GPU's own, and the host's at the end of a link.

#include "machine/lab.h"

namespace heddle::test {

/// Two SMs; two channels of GDDR5 that are the GPU's, and two of the same, "host", behind a link of 50 cycles a direction.
/// Data begin in the host's memory. Everything at 1 GHz. `more_links` is YAML.
inline MachineSettings numa_machine(const std::vector<std::string>& sets = {},
                                    const std::string& more_links = "") {
    constexpr const char* text = R"(
gpus:
  gpu:
    clock: 1GHz
    sms: 2
    memory: own
    sm: {threads: 1536, warps: 48, ctas: 8}
    l1: {size: 16KiB, ways: 4}
    l2: {size: 64KiB, ways: 8, write: back, write_allocate: true}
    translation: {design: ideal}
memories:
  own: {standard: gddr5, part: gddr5_1gb_x32, speed: gddr5_4000, channels: 2}
  host: {standard: gddr5, part: gddr5_1gb_x32, speed: gddr5_4000, channels: 2}
placement: host
links:
  link: {from: gpu, to: host, latency: 50}
)";
    config::Node tree = config::parse_yaml(text + more_links, "numa");
    for (const std::string& set : sets) config::apply_set(MachineSettings::schema(), tree, set);
    MachineSettings machine;
    config::bind(MachineSettings::schema(), tree, &machine);
    return machine;
}

/// The address of a line of a page of the data.
constexpr u64 line_of(u64 page, u64 line = 0) {
    return kData + page * 4096 + line * 128;
}

}  // namespace heddle::test
