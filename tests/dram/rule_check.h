#pragma once
// Judges a command trace by a standard's rows alone, pair by pair: slow, but with no compiled table to be
// wrong. Also checks bank states and the occupation of the command buses.

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "dram/channel.h"
#include "dram/geometry.h"

namespace heddle::dram {

class RuleCheck final : public CommandObserver {
  public:
    explicit RuleCheck(const MemorySettings& settings)
        : resolved_(resolve(settings)), rows_(resolved_.geometry.banks(), kClosed) {
        for (const Constraint& row : resolved_.standard->constraints) {
            for (std::size_t p = 0; p < kKinds; ++p) {
                for (std::size_t f = 0; f < kKinds; ++f) {
                    const auto before = static_cast<CommandKind>(p), after = static_cast<CommandKind>(f);
                    if (row.window != 1 || !row.preceding.has(before) || !row.following.has(after)) continue;
                    const i64 least = latency(row, before, after);
                    if (least <= 0) continue;
                    pairs_[p][f].push_back({row.level, row.sibling, least});
                    (refresh(before) ? longest_refresh_ : longest_) =
                        std::max(refresh(before) ? longest_refresh_ : longest_, static_cast<u64>(least));
                }
            }
        }
    }

    void on_command(const Command& c) override {
        for (std::size_t k = trace_.size(); k-- > 0 && c.at - trace_[k].at < longest_;)
            if (!refresh(trace_[k].kind)) against(trace_[k], c);
        for (std::size_t k = refreshes_.size(); k-- > 0 && c.at - refreshes_[k].at < longest_refresh_;)
            against(refreshes_[k], c);
        windows(c);
        buses(c);
        states(c);
        trace_.push_back(c);
        if (refresh(c.kind)) refreshes_.push_back(c);
    }
    const std::vector<Command>& trace() const { return trace_; }
    const std::vector<std::string>& faults() const { return faults_; }
    /// What may be said at once: the first fault, or nothing.
    std::string first() const { return faults_.empty() ? "" : faults_.front(); }

  private:
    static constexpr u32 kClosed = ~u32{0};
    static constexpr std::size_t kKinds = static_cast<std::size_t>(CommandKind::count_);
    struct Pair {
        Level level;
        bool sibling;
        i64 least;
    };
    static bool refresh(CommandKind k) { return k >= CommandKind::refresh_all; }

    u32 flat(const Command& c) const {
        const Geometry& g = resolved_.geometry;
        return ((c.pseudo * g.ranks + c.rank) * g.groups + c.group) * g.banks_per_group + c.bank;
    }
    static bool whole_rank(CommandKind k) {
        return k == CommandKind::precharge_all || k == CommandKind::refresh_all;
    }
    /// Whether both commands concern one node of the level.
    static bool same(const Command& a, const Command& b, Level level) {
        const bool pseudo = a.pseudo == b.pseudo, rank = pseudo && a.rank == b.rank;
        const bool any = whole_rank(a.kind) || whole_rank(b.kind);
        switch (level) {
            case Level::channel:
                return true;
            case Level::pseudo:
                return pseudo;
            case Level::rank:
                return rank;
            case Level::group:
                return rank && (any || a.group == b.group);
            case Level::bank:
                if (a.kind == CommandKind::refresh_same || b.kind == CommandKind::refresh_same)
                    return rank && a.bank == b.bank;
                return rank && (any || (a.group == b.group && a.bank == b.bank));
        }
        return false;
    }
    static bool siblings(const Command& a, const Command& b, Level level) {
        if (level == Level::rank) return a.pseudo == b.pseudo && a.rank != b.rank;
        return level == Level::pseudo && a.pseudo != b.pseudo;
    }
    i64 latency(const Constraint& row, CommandKind p, CommandKind f) const {
        i64 sum = i64{row.latency.clocks} * resolved_.standard->steps;
        for (std::size_t k = 0; k < kParams; ++k) sum += i64{row.latency.times[k]} * resolved_.clocks[k];
        if (sum <= 0) return 0;
        if (resolved_.standard->from_last_step)
            sum += i64{resolved_.bus_clocks[static_cast<std::size_t>(p)]} -
                   i64{resolved_.bus_clocks[static_cast<std::size_t>(f)]};
        return sum;
    }
    void against(const Command& before, const Command& c) {
        for (const Pair& pair :
             pairs_[static_cast<std::size_t>(before.kind)][static_cast<std::size_t>(c.kind)]) {
            if (pair.sibling ? !siblings(before, c, pair.level) : !same(before, c, pair.level)) continue;
            if (static_cast<i64>(c.at - before.at) < pair.least) fault("too early", before, c, pair.least);
        }
    }
    void windows(const Command& c) {
        for (const Constraint& row : resolved_.standard->constraints) {
            if (row.window == 1 || !row.following.has(c.kind)) continue;
            u32 seen = 0;
            for (std::size_t k = trace_.size(); k-- > 0 && seen < row.window;) {
                if (!row.preceding.has(trace_[k].kind) || !same(trace_[k], c, row.level)) continue;
                if (++seen < row.window) continue;
                const i64 least = latency(row, trace_[k].kind, c.kind);
                if (static_cast<i64>(c.at - trace_[k].at) < least) fault("window", trace_[k], c, least);
            }
        }
    }
    static bool column(CommandKind k) { return k >= CommandKind::read && k <= CommandKind::write_auto; }
    void buses(const Command& c) {
        const std::size_t bus = resolved_.separate_buses && column(c.kind) ? 1 : 0;
        if (c.at < bus_free_[bus]) faults_.push_back("command bus taken at " + std::to_string(c.at.v));
        bus_free_[bus] = c.at + resolved_.bus_clocks[static_cast<std::size_t>(c.kind)];
    }
    void states(const Command& c) {
        const Geometry& g = resolved_.geometry;
        const u32 bank = flat(c);
        auto wrong = [&](const char* what) {
            faults_.push_back(std::string(what) + " at " + std::to_string(c.at.v));
        };
        switch (c.kind) {
            case CommandKind::activate:
                if (rows_[bank] != kClosed) wrong("activate of an open bank");
                rows_[bank] = c.row;
                break;
            case CommandKind::precharge:
                if (rows_[bank] != c.row) wrong("precharge names another row than the open one");
                rows_[bank] = kClosed;
                break;
            case CommandKind::precharge_all:
                for (u32 b = 0; b < g.banks_per_unit(); ++b)
                    rows_[bank / g.banks_per_unit() * g.banks_per_unit() + b] = kClosed;
                break;
            case CommandKind::refresh_all:
                for (u32 b = 0; b < g.banks_per_unit(); ++b)
                    if (rows_[bank / g.banks_per_unit() * g.banks_per_unit() + b] != kClosed)
                        wrong("refresh with a row open");
                break;
            case CommandKind::refresh_bank:
                if (rows_[bank] != kClosed) wrong("refresh of an open bank");
                break;
            case CommandKind::refresh_same:
                for (u32 k = 0; k < g.groups; ++k)
                    if (rows_[bank + k * g.banks_per_group] != kClosed) wrong("refresh of an open bank");
                break;
            default:
                if (rows_[bank] != c.row) wrong("column command to a row that is not open");
                if (c.kind == CommandKind::read_auto || c.kind == CommandKind::write_auto)
                    rows_[bank] = kClosed;
        }
    }
    void fault(const char* what, const Command& a, const Command& b, i64 least) {
        faults_.push_back(std::string(what) + ": kind " + std::to_string(static_cast<int>(b.kind)) + " at " +
                          std::to_string(b.at.v) + ", kind " + std::to_string(static_cast<int>(a.kind)) +
                          " at " + std::to_string(a.at.v) + ", least " + std::to_string(least));
    }

    Resolved resolved_;
    std::vector<u32> rows_;
    std::array<Cycle, 2> bus_free_{};
    std::vector<Command> trace_, refreshes_;
    std::array<std::array<std::vector<Pair>, kKinds>, kKinds> pairs_;
    u64 longest_ = 0, longest_refresh_ = 0;
    std::vector<std::string> faults_;
};

}  // namespace heddle::dram
