// Printing results; running is in alone.cpp.

#include <fmt/format.h>
#include <string_view>

#include "dram/alone.h"

namespace heddle::dram {

namespace {

std::string thousands(u64 n) {
    std::string digits = std::to_string(n);
    for (std::size_t k = digits.size(); k > 3; k -= 3) digits.insert(k - 3, ",");
    return digits;
}

std::string share(u64 part, u64 whole) {
    if (whole == 0) return "-";
    const u64 tenths = (part * 1000 + whole / 2) / whole;
    return fmt::format("{}.{} %", tenths / 10, tenths % 10);
}

}  // namespace

std::string to_text(const AloneResult& r) {
    const Statistics& s = r.total;
    std::string out = r.heading + "\n\n";
    auto row = [&out](std::string_view name, const std::string& value, std::string_view unit = "",
                      const std::string& note = "") {
        out += fmt::format("{:<26}{:>16} {:<10}{}\n", name, value, unit, note);
    };
    auto hundredths = [](u64 n, u64 d) {
        if (d == 0) return std::string("-");
        const u64 v = (n * 100 + d / 2) / d;
        return fmt::format("{}.{:02}", v / 100, v % 100);
    };
    row("requests", thousands(r.requests), "",
        fmt::format("{} reads, {} writes, {} reads answered from waiting writes", thousands(s.reads),
                    thousands(s.writes), thousands(s.forwarded_reads)));
    row("cycles", thousands(r.cycles), "clocks",
        fmt::format("{} until the last read", thousands(r.read_cycles)));
    row("bandwidth", hundredths(r.bytes_per_s(), 1'000'000'000), "GB/s",
        fmt::format("{} of the peak", share(r.bytes_per_s(), r.peak_bytes_per_s)));
    row("memory stalls", thousands(r.blocked_clocks), "clocks", "clocks with a request refused");
    row("front-end stalls", thousands(r.injection_clocks), "clocks",
        "clocks with room for more requests than offered");
    const Histogram& l = s.read_latency;
    row("read latency, mean", hundredths(l.sum(), l.count()), "clocks",
        l.count() == 0
            ? ""
            : fmt::format("min {}, median {}, 99 % {}, max {}", thousands(l.min()),
                          thousands(l.quantile(500)), thousands(l.quantile(990)), thousands(l.max())));
    const Histogram& h = s.refresh_read_latency;
    row("reads delayed by a refresh", thousands(h.count()), "reads",
        fmt::format("mean {} clocks", hundredths(h.sum(), h.count())));
    row("write latency, mean", hundredths(s.write_latency.sum(), s.write_latency.count()), "clocks",
        "from acceptance to data written");
    Histogram queue;
    for (const AloneResult::PerChannel& c : r.by_channel) queue.merge(c.queue);
    row("queue length, mean", hundredths(s.occupancy_cycles, r.cycles * r.channels), "requests",
        fmt::format("per channel; on arrival: median {}, 99 % {}, max {}", thousands(queue.quantile(500)),
                    thousands(queue.quantile(990)), thousands(queue.max())));
    const u64 served = s.reads + s.writes;
    row("row hits", thousands(s.count(RowOutcome::hit)), "", share(s.count(RowOutcome::hit), served));
    row("row misses", thousands(s.count(RowOutcome::miss)), "", share(s.count(RowOutcome::miss), served));
    row("row conflicts", thousands(s.count(RowOutcome::conflict)), "",
        share(s.count(RowOutcome::conflict), served));
    static constexpr std::array<std::string_view, static_cast<std::size_t>(CommandKind::count_)> kNames = {
        "activates",
        "precharges",
        "precharges, all banks",
        "reads",
        "reads, auto-precharge",
        "writes",
        "writes, auto-precharge",
        "refreshes, all banks",
        "refreshes, same bank",
        "refreshes, one bank"};
    for (std::size_t k = 0; k < kNames.size(); ++k)
        if (s.commands[k] != 0) row(fmt::format("commands: {}", kNames[k]), thousands(s.commands[k]));
    static constexpr std::array<std::string_view, static_cast<std::size_t>(BusUse::count_)> kUses = {
        "data", "turnaround", "refresh", "bank", "idle"};
    u64 bus = 0;
    for (u64 c : s.bus_cycles) bus += c;
    for (std::size_t k = 0; k < kUses.size(); ++k)
        row(fmt::format("data bus: {}", kUses[k]), thousands(s.bus_cycles[k]), "clocks",
            share(s.bus_cycles[k], bus));
    for (std::size_t k = 0; k < r.by_channel.size() && r.by_channel.size() > 1; ++k) {
        const Statistics& c = r.by_channel[k].counts;
        row(fmt::format("channel {}", k), thousands(c.reads + c.writes), "requests",
            fmt::format("{} row hits, data bus {}, queue {}",
                        share(c.count(RowOutcome::hit), c.reads + c.writes),
                        share(c.count(BusUse::data), bus / r.by_channel.size()),
                        hundredths(c.occupancy_cycles, r.cycles)));
    }
    for (const PolicyCounter& c : r.policy)
        row(fmt::format("scheduler: {}", c.name), thousands(c.value), c.unit);
    if (r.currents == nullptr) return out;
    const Energy& e = r.energy;
    const std::pair<std::string_view, u64> energies[] = {{"activates", e.activate},
                                                         {"reads", e.read},
                                                         {"writes", e.write},
                                                         {"refreshes", e.refresh},
                                                         {"background", e.background}};
    for (const auto& [what, picojoules] : energies)
        row(fmt::format("energy: {}", what), thousands(picojoules / 1000), "nJ",
            share(picojoules, e.total()));
    row("power, mean", thousands(e.average_mw(r.cycles, r.clock_hz)), "mW",
        fmt::format("currents of {}", r.currents->name));
    return out;
}

}  // namespace heddle::dram
