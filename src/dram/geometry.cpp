#include "dram/geometry.h"

#include <algorithm>
#include <fmt/format.h>

#include "config/manual.h"
#include "dram/contradictions.h"
#include "dram/parts.h"
#include "dram/refresh.h"
#include "dram/scheduler.h"
#include "dram/setting_error.h"

namespace heddle::dram {

namespace {

constexpr u32 kUnset = ~u32{0};
using Clocks = std::array<u32, kParams>;

u32& at(Clocks& clocks, Param p) {
    return clocks[static_cast<std::size_t>(p)];
}

/// The key of each parameter, and the one that stands for both kinds.
struct TimingKey {
    Param param;
    TimingSettings::Time TimingSettings::*key;
    TimingSettings::Time TimingSettings::*shorthand = nullptr;
};
using T = TimingSettings;
constexpr TimingKey kTimingKeys[] = {
    {Param::BL, &T::BL},
    {Param::CL, &T::CL},
    {Param::CWL, &T::CWL},
    {Param::RCDRD, &T::RCDRD, &T::RCD},
    {Param::RCDWR, &T::RCDWR, &T::RCD},
    {Param::RP, &T::RP},
    {Param::RAS, &T::RAS},
    {Param::RC, &T::RC},
    {Param::RTP, &T::RTP},
    {Param::WR, &T::WR},
    {Param::CCDS, &T::CCDS, &T::CCD},
    {Param::CCDL, &T::CCDL, &T::CCD},
    {Param::CCDS_WR, &T::CCDS_WR},
    {Param::CCDL_WR, &T::CCDL_WR},
    {Param::CCDR, &T::CCDR},
    {Param::RRDS, &T::RRDS, &T::RRD},
    {Param::RRDL, &T::RRDL, &T::RRD},
    {Param::FAW, &T::FAW},
    {Param::AW32, &T::AW32},
    {Param::WTRS, &T::WTRS, &T::WTR},
    {Param::WTRL, &T::WTRL, &T::WTR},
    {Param::RTW, &T::RTW},
    {Param::CS, &T::CS},
    {Param::PPD, &T::PPD},
    {Param::RFC, &T::RFC},
    {Param::RFCsb, &T::RFCsb},
    {Param::RFCpb, &T::RFCpb},
    {Param::REFI, &T::REFI},
    {Param::REFIpb, &T::REFIpb},
    {Param::RREFD, &T::RREFD},
    {Param::PBR, &T::PBR},
};
static_assert(std::size(kTimingKeys) == kParams);

/// The next whole number of clocks. A period such as 570 ps is not a whole number of hertz: half a hertz less keeps
/// 120.27 ns at 211 clocks.
u32 in_clocks(const config::Duration& d, u64 hz) {
    constexpr unsigned __int128 kHalfPeriods = 2'000'000'000'000'000;
    const auto clocks =
        d.in_cycles
            ? static_cast<unsigned __int128>(d.amount)
            : (d.amount * (static_cast<unsigned __int128>(hz) * 2 - 1) + kHalfPeriods - 1) / kHalfPeriods;
    return static_cast<u32>(
        std::min<unsigned __int128>(clocks, kUnset - 1));  // far too long is refused later
}

Clocks base_clocks(const MemorySettings& s, const SpeedBin* bin, u32 density, u64 hz) {
    Clocks clocks;
    clocks.fill(kUnset);
    if (bin != nullptr) {
        for (const auto& [param, value] : bin->clocks) {
            // A speed bin states clocks of its own clock; another clock keeps the time, not the count.
            const bool counted = param == Param::BL || param == Param::CCDS || param == Param::CCDL;
            // Both clocks are rounded to whole hertz.
            at(clocks, param) = bin->clock_hz == hz || counted
                                    ? value
                                    : static_cast<u32>(ceil_div(value * (2 * hz - 1), 2 * bin->clock_hz + 1));
        }
        for (const RefreshTime& t : refresh_times())
            if (t.standard == s.standard && t.density_mbit == density)
                at(clocks, t.param) = in_clocks({t.ps * 1000, false}, hz);
    }
    for (const TimingKey& k : kTimingKeys) {
        const auto& own = s.timing.*k.key;
        if (own) {
            at(clocks, k.param) = in_clocks(*own, hz);
        } else if (k.shorthand != nullptr && s.timing.*k.shorthand) {
            at(clocks, k.param) = in_clocks(*(s.timing.*k.shorthand), hz);
        }
    }
    return clocks;
}

/// Values that follow from others where nobody gives them.
void derive(Clocks& c, const Standard& standard, const Geometry& g) {
    auto or_else = [&c](Param p, u64 value) {
        if (at(c, p) == kUnset) at(c, p) = static_cast<u32>(value);
    };
    // DDR3 has no bank groups: one kind of each.
    const bool grouped = std::any_of(standard.constraints.begin(), standard.constraints.end(),
                                     [](const Constraint& row) { return row.level == Level::group; });
    if (!grouped) {
        or_else(Param::CCDL, at(c, Param::CCDS));
        or_else(Param::RRDL, at(c, Param::RRDS));
        or_else(Param::WTRL, at(c, Param::WTRS));
    }
    or_else(Param::CCDS_WR, at(c, Param::CCDS));
    or_else(Param::CCDL_WR, at(c, Param::CCDL));
    or_else(Param::CCDR, at(c, Param::CCDS));
    // Windows and gaps that a part may simply not have.
    for (Param p : {Param::FAW, Param::AW32, Param::PPD, Param::CS}) or_else(p, 0);
    if (at(c, Param::REFI) != kUnset) or_else(Param::REFIpb, at(c, Param::REFI) / g.banks_per_rank());
    if (at(c, Param::RTW) == kUnset) {
        i64 sum = standard.read_to_write.clocks;
        for (std::size_t k = 0; k < kParams; ++k)
            sum += i64{standard.read_to_write.times[k]} * (c[k] == kUnset ? 0 : c[k]);
        at(c, Param::RTW) = static_cast<u32>(sum < 1 ? 1 : sum);
    }
    or_else(Param::PBR, at(c, Param::RREFD) == kUnset ? 0 : at(c, Param::RREFD));
}

bool is_refresh(const Constraint& c) {
    const Kinds refresh = CommandKind::refresh_all | CommandKind::refresh_same | CommandKind::refresh_bank;
    return ((c.preceding.bits | c.following.bits) & refresh.bits) != 0;
}

/// Every time that a row in force uses must be known. Refresh rows are in force only in their mode.
void require(const MemorySettings& s, const Standard& standard, Clocks& c) {
    auto need = [&](Param p) {
        if (at(c, p) == kUnset)
            throw SettingError({fmt::format("timing.{}", name_of(p)), "speed", "refresh", "standard"},
                               fmt::format("'{}' is not given, {}, and {} needs it", name_of(p),
                                           s.speed.empty() ? std::string("there is no speed bin")
                                                           : fmt::format("'{}' has none", s.speed),
                                           standard.name));
    };
    for (const Constraint& row : standard.constraints) {
        if (is_refresh(row)) continue;
        for (std::size_t k = 0; k < kParams; ++k)
            if (row.latency.times[k] != 0) need(static_cast<Param>(k));
    }
    if (s.refresh == RefreshMode::all_bank) need(Param::RFC), need(Param::REFI);
    if (s.refresh == RefreshMode::same_bank) need(Param::RFCsb), need(Param::REFI), need(Param::RREFD);
    if (s.refresh == RefreshMode::per_bank) need(Param::RFCpb), need(Param::REFIpb), need(Param::RREFD);
    for (u32& v : c)
        if (v == kUnset) v = 0;
}

/// An entry of a table by name; the standard's own are what could have been meant.
template <class Table>
const auto& find_of_standard(const Table& table, std::string_view name, std::string_view standard,
                             const char* key) {
    std::vector<std::string_view> possible;
    for (const auto& entry : table) {
        if (entry.name == name && entry.standard == standard) return entry;
        if (entry.standard == standard) possible.push_back(entry.name);
    }
    for (const auto& entry : table)
        if (entry.name == name)
            throw SettingError({key, "standard"},
                               fmt::format("'{}' is of standard {}, not {}{}", name, entry.standard, standard,
                                           config::suggestion("", possible)));
    throw SettingError({key}, fmt::format("there is no '{}' of standard {}{}", name, standard,
                                          config::suggestion(name, possible)));
}

const Part* part_of(const MemorySettings& s) {
    if (s.part.empty()) return nullptr;
    const Part& part = find_of_standard(parts(), s.part, s.standard, "part");
    const u64 bits = u64{part.pseudo_channels} * part.ranks * part.bank_groups * part.banks_per_group *
                     part.rows * part.columns * part.device_bits * part.device_channels;
    if (bits != u64{part.density_mbit} << 20)
        throw InvariantError(
            fmt::format("DRAM part '{}': density {} Mbit, but its organization gives {} Mbit", part.name,
                        part.density_mbit, bits >> 20));
    return &part;
}

u32 given(u32 own, u32 from_part, std::string_view key) {
    const u32 value = own != 0 ? own : from_part;
    if (value == 0)
        throw SettingError({std::string(key), "part"}, "is not given, and there is no part to take it from");
    return value;
}

Geometry organisation(const MemorySettings& s, const Part* part) {
    auto from = [part](u32 Part::*member) { return part != nullptr ? part->*member : 0u; };
    Geometry g;
    g.pseudo_channels = given(s.pseudo_channels, from(&Part::pseudo_channels), "pseudo_channels");
    g.ranks = given(s.ranks, from(&Part::ranks), "ranks");
    g.groups = given(s.bank_groups, from(&Part::bank_groups), "bank_groups");
    g.banks_per_group = given(s.banks_per_group, from(&Part::banks_per_group), "banks_per_group");
    g.rows = given(s.rows, from(&Part::rows), "rows");
    g.width_bits = given(s.width_bits, from(&Part::channel_bits), "width_bits");
    g.burst_length = given(s.burst_length, from(&Part::burst_length), "burst_length");
    if (part != nullptr) {
        if (g.width_bits % part->device_bits != 0 && s.row_bytes == 0)
            throw SettingError({"width_bits", "part", "row_bytes"},
                               fmt::format("{} is not a multiple of the {} bits of '{}'", g.width_bits,
                                           part->device_bits, part->name));
        g.devices = std::max(1u, g.width_bits / part->device_bits);
        g.row_bytes = g.devices * part->columns * part->device_bits / 8;
    }
    g.row_bytes = given(s.row_bytes, g.row_bytes, "row_bytes");
    if (g.width_bits % 8 != 0 || g.width_bits == 0)
        throw SettingError({"width_bits"}, fmt::format("{} is not a whole number of bytes", g.width_bits));
    g.access_bytes = g.width_bits / 8 * g.burst_length;
    if (g.row_bytes % g.access_bytes != 0)
        throw SettingError(
            {"row_bytes", "burst_length", "width_bits", "part"},
            fmt::format("{} is not a multiple of the {} bytes of one access", g.row_bytes, g.access_bytes));
    g.columns = g.row_bytes / g.access_bytes;
    if (g.banks() > kMaxBanks)
        throw SettingError({"banks_per_group", "bank_groups", "ranks", "pseudo_channels", "part"},
                           fmt::format("{} banks in a channel; the limit is {}", g.banks(), kMaxBanks));
    return g;
}

}  // namespace

namespace {

/// Clocks from a column command's first clock to the one that latencies count from.
u32 column_lead(const Resolved& r) {
    const u32 steps = r.bus_clocks[static_cast<std::size_t>(CommandKind::read)];
    return r.standard->from_last_step && steps > r.standard->steps ? steps - r.standard->steps : 0;
}

}  // namespace

u32 Resolved::read_latency() const {
    return column_lead(*this) + time(Param::CL) + time(Param::BL);
}
u32 Resolved::write_latency() const {
    return column_lead(*this) + time(Param::CWL) + time(Param::BL);
}
u64 Resolved::peak_bytes_per_s() const {
    return u64{geometry.pseudo_channels} * geometry.access_bytes * clock_hz / time(Param::BL);
}

Resolved resolve(const MemorySettings& s) {
    Resolved r;
    r.standard = find_standard(s.standard);
    if (r.standard == nullptr) {
        std::vector<std::string_view> possible;
        for (const Standard& known : standards()) possible.push_back(known.name);
        throw SettingError({"standard"}, fmt::format("there is no '{}'{}", s.standard,
                                                     config::suggestion(s.standard, possible)));
    }
    const Standard& standard = *r.standard;
    if (s.refresh != RefreshMode::off && !standard.refreshes.has(refresh_command(s.refresh)))
        throw SettingError(
            {"refresh", "standard"},
            fmt::format("{} has no such refresh; possible: off, all_bank{}{}", standard.name,
                        standard.refreshes.has(CommandKind::refresh_same) ? ", same_bank" : "",
                        standard.refreshes.has(CommandKind::refresh_bank) ? ", per_bank" : ""));
    const Part* part = part_of(s);
    const SpeedBin* bin =
        s.speed.empty() ? nullptr : &find_of_standard(speed_bins(), s.speed, s.standard, "speed");
    u64 hz = s.clock_hz != 0 ? s.clock_hz : bin != nullptr ? bin->clock_hz : 0;
    if (hz == 0) throw SettingError({"clock", "speed"}, "neither 'clock' nor 'speed' is given");

    r.geometry = organisation(s, part);
    Geometry& g = r.geometry;
    g.ranks_per_unit = standard.whole == Level::pseudo ? g.ranks : 1;
    r.density_mbit = part != nullptr ? part->density_mbit : 0;
    Clocks clocks = base_clocks(s, bin, r.density_mbit, hz);
    g.transfers_per_clock =
        s.transfers_per_clock != 0 ? s.transfers_per_clock
        : bin != nullptr
            ? static_cast<u32>((u64{bin->rate_mbps} * 1'000'000 + bin->clock_hz / 2) / bin->clock_hz)
            : 0;
    if (g.transfers_per_clock == 0)
        throw SettingError({"transfers_per_clock", "speed"}, "is not given, and there is no speed bin");
    const u32 burst = static_cast<u32>(ceil_div(g.burst_length, g.transfers_per_clock));
    if (at(clocks, Param::BL) == kUnset || !s.timing.BL) at(clocks, Param::BL) = burst;
    if (at(clocks, Param::BL) != burst)
        throw SettingError(
            {"timing.BL", "burst_length", "transfers_per_clock", "speed", "part"},
            fmt::format("a burst of {} at {} transfers per clock takes {} clocks, but BL is {}",
                        g.burst_length, g.transfers_per_clock, burst, at(clocks, Param::BL)));
    r.read_to_write_given = at(clocks, Param::RTW) != kUnset;
    derive(clocks, standard, g);
    require(s, standard, clocks);

    refuse_contradictions(clocks);
    if (s.line_bytes > 256 || s.line_bytes > g.access_bytes * Request::kMostBursts)
        throw SettingError(
            {"line_bytes", "width_bits", "burst_length", "part"},
            fmt::format("{} bytes are too many: the limit is 256 bytes and {} column commands of {} bytes",
                        s.line_bytes, Request::kMostBursts, g.access_bytes));
    for (u32& v : clocks) v *= standard.steps;
    r.clocks = clocks;
    r.clock_hz = hz * standard.steps;
    r.refresh = s.refresh;
    r.separate_buses = s.command_buses == CommandBuses::standard ? standard.separate_buses
                                                                 : s.command_buses == CommandBuses::separate;
    for (std::size_t k = 0; k < r.bus_clocks.size(); ++k)
        r.bus_clocks[k] = standard.command_steps(static_cast<CommandKind>(k));
    if (s.activate_cycles != 0)
        r.bus_clocks[static_cast<std::size_t>(CommandKind::activate)] = s.activate_cycles * standard.steps;
    refuse_endless_refresh(s, r);
    return r;
}

std::string describe(const Resolved& r, u32 channels) {
    const Geometry& g = r.geometry;
    const u64 peak = r.peak_bytes_per_s() * channels;
    return fmt::format(
        "{}: {} channel{} of {} x {} bit, {} bytes per column command, {} banks, peak {}.{} GB/s",
        r.standard->name, channels, channels == 1 ? "" : "s", g.pseudo_channels, g.width_bits, g.access_bytes,
        g.banks(), peak / 1'000'000'000, peak / 100'000'000 % 10);
}

}  // namespace heddle::dram
