#include "dram/contradictions.h"

#include <fmt/format.h>

#include "dram/geometry.h"
#include "dram/location_map.h"
#include "dram/refresh.h"
#include "dram/setting_error.h"

namespace heddle::dram {

namespace {

/// Longest time that is believed; a longer one has a wrong unit. The auditor's limit too.
constexpr u32 kMaxClocks = 10'000'000;
constexpr u64 kMinClock = 1'000'000;

std::vector<std::string> keys_of(Param p) {
    std::string name(name_of(p));
    std::vector<std::string> keys = {"timing." + name};
    // RCD stands for RCDRD and RCDWR; CCD, RRD and WTR for their _S and _L.
    if (p == Param::RCDRD || p == Param::RCDWR) keys.push_back("timing.RCD");
    for (Param kind : {Param::CCDS, Param::CCDL, Param::RRDS, Param::RRDL, Param::WTRS, Param::WTRL})
        if (p == kind) keys.push_back("timing." + name.substr(0, 3));
    // What gives it where it is not written.
    keys.push_back("speed");
    return keys;
}

struct Order {
    Param longer, shorter;
    const char* because;
};
constexpr Order kOrders[] = {
    {Param::RAS, Param::RCDRD, "a row would be closed before it can be read"},
    {Param::RAS, Param::RCDWR, "a row would be closed before it can be written"},
    {Param::RC, Param::RAS, "a row cycle includes the time that the row is open"},
    {Param::CCDL, Param::CCDS, "the same bank group can not be faster than another"},
    {Param::WTRL, Param::WTRS, "the same bank group can not be faster than another"},
};

// Without these a command would wait for nothing that a device needs.
constexpr Param kPositive[] = {Param::CL, Param::CWL, Param::RCDRD, Param::RCDWR, Param::RP,   Param::RAS,
                               Param::RC, Param::WR,  Param::CCDS,  Param::CCDL,  Param::RRDS, Param::RRDL};

}  // namespace

void refuse_contradictions(const MemorySettings& s, const std::array<u32, kParams>& clocks) {
    auto at = [&clocks](Param p) { return clocks[static_cast<std::size_t>(p)]; };
    for (std::size_t k = 0; k < kParams; ++k) {
        const auto p = static_cast<Param>(k);
        if (at(p) > kMaxClocks)
            throw SettingError(
                keys_of(p),
                fmt::format("{} clocks, at most {} are possible; is the unit right?", at(p), kMaxClocks));
    }
    for (Param p : kPositive)
        if (at(p) == 0) throw SettingError(keys_of(p), "0 clocks, at least 1 is needed");
    for (const Order& o : kOrders) {
        if (at(o.longer) >= at(o.shorter)) continue;
        auto keys = keys_of(o.longer);
        for (std::string& key : keys_of(o.shorter)) keys.push_back(std::move(key));
        throw SettingError(std::move(keys),
                           fmt::format("{} clocks are less than the {} of {}: {}", at(o.longer),
                                       at(o.shorter), name_of(o.shorter), o.because));
    }
    if (s.refresh == RefreshMode::all_bank && at(Param::REFI) <= at(Param::RFC))
        throw SettingError({"timing.REFI", "timing.RFC", "refresh", "speed"},
                           fmt::format("{} clocks from refresh to refresh, but one takes {} (RFC)",
                                       at(Param::REFI), at(Param::RFC)));
    if (s.refresh == RefreshMode::per_bank) {
        const u32 apart = std::max(at(Param::RREFD), at(Param::PBR));
        if (at(Param::REFIpb) < std::max(1u, apart))
            throw SettingError(
                {"timing.REFIpb", "timing.REFI", "timing.RREFD", "timing.PBR", "refresh", "speed"},
                fmt::format("{} clocks from one-bank refresh to refresh, but {} must lie between",
                            at(Param::REFIpb), std::max(1u, apart)));
    }
}

void check(const MemorySettings& s) {
    if (s.clock_hz != 0 && s.clock_hz < kMinClock)
        throw SettingError({"clock"}, fmt::format("{} Hz, at least {} Hz are needed", s.clock_hz, kMinClock));
    if (s.write_low > s.write_high)
        throw SettingError({"write_low", "write_high"},
                           fmt::format("{} is above write_high, {}: a drain would end before it starts",
                                       s.write_low, s.write_high));
    if (s.cpu_reserve >= s.read_queue)
        throw SettingError({"cpu_reserve", "read_queue"},
                           fmt::format("{} of {} entries leave none for GPUs", s.cpu_reserve, s.read_queue));
    if (s.cpu_split && s.cpu_reserve == 0)
        throw SettingError({"cpu_split", "cpu_reserve"}, "without cpu_reserve there are no entries for CPUs");
    const Resolved r = resolve(s);
    const LocationMap map(r.geometry, s.map, s.bank_hash, s.line_bytes);
    const RefreshEngine refresh(s, r);
}

}  // namespace heddle::dram
