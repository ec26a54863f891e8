// Reading request streams and printing results; running is in alone.cpp.

#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <string_view>

#include "dram/alone.h"
#include "sim/error.h"

namespace heddle::dram {

namespace {

std::string_view next_word(std::string_view& line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return line = {}, std::string_view{};
    const std::size_t last = std::min(line.find_first_of(" \t\r", first), line.size());
    const std::string_view word = line.substr(first, last - first);
    line.remove_prefix(last);
    return word;
}

bool parse(std::string_view word, int base, u64& out) {
    if (word.starts_with("0x") || word.starts_with("0X")) {
        word.remove_prefix(2);
        base = 16;
    }
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out, base);
    return error == std::errc() && end == word.data() + word.size() && !word.empty();
}

[[noreturn]] void fail(const std::string& file, u64 line, const std::string& what) {
    throw InputError(fmt::format("{}:{}: {}", file, line, what));
}

StreamEntry parse_line(const std::string& file, u64 number, std::string_view line, u64 limit) {
    constexpr const char* kExpected = "expected '0xADDRESS R|W' or '0xADDRESS READ|WRITE CYCLE'";
    StreamEntry entry;
    const std::string_view address = next_word(line), kind = next_word(line), cycle = next_word(line);
    // Addresses are hexadecimal with 0x (both formats); bare decimal digits are decimal.
    if (!parse(address, 10, entry.address))
        fail(file, number, fmt::format("address '{}': {}", address, kExpected));
    if (kind == "R" || kind == "READ" || kind == "r") {
        entry.write = false;
    } else if (kind == "W" || kind == "WRITE" || kind == "w") {
        entry.write = true;
    } else {
        fail(file, number, fmt::format("kind '{}': {}", kind, kExpected));
    }
    u64 at = 0;
    if (!cycle.empty() && !parse(cycle, 10, at))
        fail(file, number, fmt::format("cycle '{}': {}", cycle, kExpected));
    entry.not_before = Cycle(at);
    if (const std::string_view rest = next_word(line); !rest.empty())
        fail(file, number, fmt::format("'{}' after the request: {}", rest, kExpected));
    if (entry.address >= limit)
        fail(file, number,
             fmt::format("address {:#x} is beyond the memory, which ends at {:#x}", entry.address, limit));
    return entry;
}

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

std::vector<StreamEntry> read_stream(const std::string& file, u64 limit) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw InputError(file + ": can not be opened");
    std::vector<StreamEntry> stream;
    std::string line;
    for (u64 number = 1; std::getline(in, line); ++number) {
        std::string_view rest = line;
        if (const std::string_view first = next_word(rest); first.empty() || first.front() == '#') continue;
        stream.push_back(parse_line(file, number, line, limit));
        if (stream.size() > 1 && stream.back().not_before < stream[stream.size() - 2].not_before)
            fail(file, number,
                 fmt::format("cycle {} is before that of the request above, {}", stream.back().not_before.v,
                             stream[stream.size() - 2].not_before.v));
    }
    if (stream.empty()) throw InputError(file + ": holds no request");
    return stream;
}

std::string to_text(const AloneResult& r) {
    const Statistics& s = r.total;
    std::string out = r.heading + "\n\n";
    auto row = [&out](std::string_view name, const std::string& value, std::string_view unit = "",
                      const std::string& note = "") {
        out += fmt::format("{:<26}{:>16} {:<10}{}\n", name, value, unit, note);
    };
    auto hundredths = [](u64 n, u64 d) {
        const u64 v = d == 0 ? 0 : (n * 100 + d / 2) / d;
        return fmt::format("{}.{:02}", v / 100, v % 100);
    };
    row("requests", thousands(r.requests), "",
        fmt::format("{} reads, {} writes, {} reads answered from waiting writes", thousands(s.reads),
                    thousands(s.writes), thousands(s.forwarded_reads)));
    row("cycles", thousands(r.cycles), "clocks",
        fmt::format("{} until the last read", thousands(r.read_cycles)));
    row("bandwidth", hundredths(r.bytes_per_s(), 1'000'000'000), "GB/s",
        fmt::format("{} of the peak", share(r.bytes_per_s(), r.peak_bytes_per_s)));
    row("memory stalls", thousands(r.blocked_clocks), "clocks", "the offered request was refused");
    row("front-end stalls", thousands(r.injection_clocks), "clocks",
        "there was room for more than was offered");
    const Histogram& l = s.read_latency;
    row("read latency, mean", hundredths(l.sum(), l.count()), "clocks",
        fmt::format("min {}, median {}, 99 % {}, max {}", thousands(l.min()), thousands(l.quantile(500)),
                    thousands(l.quantile(990)), thousands(l.max())));
    const Histogram& h = s.refresh_read_latency;
    row("of those behind a refresh", thousands(h.count()), "reads",
        fmt::format("mean {} clocks", hundredths(h.sum(), h.count())));
    row("write latency, mean", hundredths(s.write_latency.sum(), s.write_latency.count()), "clocks",
        "accepted to data written");
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
