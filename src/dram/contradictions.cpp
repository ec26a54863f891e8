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
    {Param::CCDL, Param::CCDS, "the same bank group cannot be faster than another"},
    {Param::WTRL, Param::WTRS, "the same bank group cannot be faster than another"},
};

// Without these a command would wait for nothing that a device needs.
constexpr Param kPositive[] = {Param::CL, Param::CWL, Param::RCDRD, Param::RCDWR, Param::RP,   Param::RAS,
                               Param::RC, Param::WR,  Param::CCDS,  Param::CCDL,  Param::RRDS, Param::RRDL};

}  // namespace

void refuse_contradictions(const std::array<u32, kParams>& clocks) {
    auto at = [&clocks](Param p) { return clocks[static_cast<std::size_t>(p)]; };
    for (std::size_t k = 0; k < kParams; ++k) {
        const auto p = static_cast<Param>(k);
        if (at(p) > kMaxClocks)
            throw SettingError(
                keys_of(p),
                fmt::format("{} clocks, at most {} are possible; is the unit right?", at(p), kMaxClocks));
    }
    for (Param p : kPositive)
        if (at(p) == 0) throw SettingError(keys_of(p), "must be at least 1 clock");
    for (const Order& o : kOrders) {
        if (at(o.longer) >= at(o.shorter)) continue;
        auto keys = keys_of(o.longer);
        for (std::string& key : keys_of(o.shorter)) keys.push_back(std::move(key));
        throw SettingError(std::move(keys),
                           fmt::format("{} clocks are less than the {} of {}: {}", at(o.longer),
                                       at(o.shorter), name_of(o.shorter), o.because));
    }
}

void refuse_endless_refresh(const MemorySettings& s, const Resolved& r) {
    if (s.refresh == RefreshMode::off) return;
    const RefreshPace pace = pace_of(s.refresh, r);
    const u64 interval = pace.interval, steps = r.standard->steps;
    const bool own_time = s.refresh == RefreshMode::all_bank ||
                          (s.refresh == RefreshMode::per_bank && s.timing.REFIpb.has_value());
    const auto fail = [&](std::string_view limit, const std::string& text) {
        std::vector<std::string> keys;
        if (s.refresh == RefreshMode::per_bank && own_time) keys.emplace_back("timing.REFIpb");
        keys.emplace_back("timing.REFI");
        if (!limit.empty()) keys.push_back(fmt::format("timing.{}", limit));
        for (const char* key : {"refresh", "speed"}) keys.emplace_back(key);
        throw SettingError(std::move(keys), text);
    };
    const std::string every = fmt::format(
        "{} clocks{} from {}refresh to refresh{}", interval / steps,
        own_time
            ? ""
            : fmt::format(" (REFI / {})", s.refresh == RefreshMode::same_bank ? 2 * pace.turns : pace.turns),
        s.refresh == RefreshMode::per_bank    ? "one-bank "
        : s.refresh == RefreshMode::same_bank ? "same-bank "
                                              : "",
        pace.units > 1 ? fmt::format(" of each of {} ranks", pace.units) : "");
    const CommandKind kind = refresh_command(s.refresh);
    const Kinds requests = CommandKind::activate | CommandKind::read | CommandKind::write;
    for (const Constraint& row : r.standard->constraints) {
        if (row.sibling || !row.preceding.has(kind)) continue;
        if ((row.following.bits & (requests | kind).bits) == 0) continue;
        u64 needed = 0;
        std::string_view name;
        for (std::size_t k = 0; k < kParams; ++k) {
            if (row.latency.times[k] == 0) continue;
            needed += u64{r.clocks[k]};
            name = name_of(static_cast<Param>(k));
        }
        if (row.level == Level::bank) {
            const u64 own = interval * pace.turns;
            if (own <= needed)
                fail(name, fmt::format("a bank is refreshed every {} clocks, but its refresh takes {} ({})",
                                       own / steps, needed / steps, name));
            continue;
        }
        const u64 sharers = row.level == Level::channel  ? u64{r.geometry.pseudo_channels} * pace.units
                            : row.level == Level::pseudo ? pace.units
                                                         : 1;
        if (interval * row.window > needed * sharers) continue;
        const bool whole = name == "RFC" || name == "RFCsb";
        fail(name, whole ? fmt::format("{}, but one takes {} ({})", every, needed / steps, name)
                         : fmt::format("{}, but they must be at least {} apart ({})", every,
                                       needed * sharers / row.window / steps + 1, name));
    }
    const u64 bus =
        u64{r.geometry.pseudo_channels} * pace.units * r.bus_clocks[static_cast<std::size_t>(kind)];
    if (interval <= bus)
        fail({}, fmt::format("{}, but they must be at least {} apart to leave the command bus to requests",
                             every, bus / steps + 1));
}

void check(const MemorySettings& s) {
    if (s.clock_hz != 0 && s.clock_hz < kMinClock)
        throw SettingError({"clock"}, fmt::format("{} Hz is too slow; the minimum is {} MHz", s.clock_hz,
                                                  kMinClock / 1'000'000));
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
}

}  // namespace heddle::dram
