#pragma once
// A second auditor, as slow and plain as can be: all commands so far, every row of the listing tried on every
// pair. It says when a command may come at the earliest, so that random streams can run at the limit
// everywhere.

#include <random>

#include "dram/audit/listing.h"

namespace heddle::dram::audit::listing {

class Reference {
  public:
    Reference(const Standard& standard, const Timings& timings) : standard_(standard) {
        for (const Row& row : standard.rows)
            for (const std::string& before : row.preceding)
                for (const std::string& after : row.following)
                    pairs_.push_back({kind_of(before), kind_of(after), row.level, row.window, row.sibling,
                                      distance(standard, before, after, value_of(row.formula, timings))});
        // How long a command keeps its bus, in half steps.
        bus_time_.resize(static_cast<std::size_t>(CommandKind::count_), 2 * standard.steps);
        for (const auto& [kind, clocks] : standard.clocks_of_command)
            bus_time_[static_cast<std::size_t>(kind_of(kind))] =
                static_cast<int>(2 * clocks * standard.steps);
        const int wait = bus_time_[static_cast<std::size_t>(CommandKind::read)] / 2 - standard.steps;
        read_delay_ = timings.at("nCL") * standard.steps + wait;
        write_delay_ = timings.at("nCWL") * standard.steps + wait;
        burst_ = timings.at(standard.burst) * standard.steps;
        rank_gap_ = timings.contains("nCS") ? timings.at("nCS") * standard.steps : 0;
    }

    /// Not before `at`.
    i64 earliest(const Command& c, i64 at) const {
        for (const Pair& pair : pairs_) {
            if (pair.after != c.kind) continue;
            int left = pair.window;
            for (auto p = past_.rbegin(); p != past_.rend(); ++p)
                if (p->kind == pair.before && concerns(pair, *p, c) && --left == 0) {
                    at = std::max(at, static_cast<i64>(p->at.v) + pair.distance);
                    break;
                }
        }
        while (!bus_is_free(c, at)) ++at;
        return at;
    }

    void add(const Command& c) {
        past_.push_back(c);
        // Nothing reaches back further than a thousand commands; the rest only costs time.
        if (past_.size() > 1500) past_.erase(past_.begin(), past_.begin() + 500);
    }

  private:
    struct Pair {
        CommandKind before, after;
        std::string level;
        int window;
        bool sibling;
        i64 distance;
    };

    static bool is_burst(CommandKind k) {
        return k == CommandKind::read || k == CommandKind::read_auto || k == CommandKind::write ||
               k == CommandKind::write_auto;
    }
    static bool is_read(CommandKind k) { return k == CommandKind::read || k == CommandKind::read_auto; }

    static bool concerns(const Pair& pair, const Command& a, const Command& b) {
        if (pair.level == "Channel") return true;
        if (a.pseudo != b.pseudo) return false;
        if (pair.level == "PseudoChannel") return true;
        if (pair.sibling) return a.rank != b.rank;
        if (a.rank != b.rank) return false;
        if (pair.level == "Rank" || pair.level == "Sid") return true;
        const bool any_group = a.kind == CommandKind::refresh_same || b.kind == CommandKind::refresh_same;
        if (!any_group && a.group != b.group) return false;
        return pair.level == "BankGroup" || a.bank == b.bank;
    }

    bool bus_is_free(const Command& c, i64 at) const {
        for (auto p = past_.rbegin(); p != past_.rend(); ++p) {
            const i64 then = static_cast<i64>(p->at.v);
            if (at - then > 300) break;
            const bool same_bus = !standard_.split_bus || is_burst(p->kind) == is_burst(c.kind);
            if (same_bus && 2 * at < 2 * then + bus_time_[static_cast<std::size_t>(p->kind)]) return false;
            if (p->pseudo == c.pseudo && is_burst(p->kind) && is_burst(c.kind) &&
                data_collide(*p, then, c, at))
                return false;
        }
        return true;
    }

    bool data_collide(const Command& a, i64 a_at, const Command& b, i64 b_at) const {
        const i64 a_start = a_at + (is_read(a.kind) ? read_delay_ : write_delay_);
        const i64 b_start = b_at + (is_read(b.kind) ? read_delay_ : write_delay_);
        const bool a_first = a_start <= b_start;
        const Command& first = a_first ? a : b;
        const Command& second = a_first ? b : a;
        const i64 idle = a_first ? b_start - a_start - burst_ : a_start - b_start - burst_;
        if (first.rank != second.rank) return idle < rank_gap_;
        return idle < (is_read(first.kind) && !is_read(second.kind) ? standard_.steps : 0);
    }

    Standard standard_;
    std::vector<Pair> pairs_;
    std::vector<int> bus_time_;
    std::vector<Command> past_;
    i64 read_delay_ = 0, write_delay_ = 0, burst_ = 0, rank_gap_ = 0;
};

/// Timings as public simulators ship them (Ramulator 2.1, GDDR5: Ramulator 1); refresh timings that they lack
/// are plausible ones.
inline Timings shipped_timings(const std::string& standard) {
    if (standard == "DDR3")  // DDR3_1600K
        return {{"nBL", 4},  {"nCL", 11}, {"nRCD", 11}, {"nRP", 11},  {"nRAS", 28},
                {"nRC", 39}, {"nWR", 12}, {"nRTP", 6},  {"nCWL", 8},  {"nCCD", 4},
                {"nWTR", 6}, {"nCS", 2},  {"nRRD", 5},  {"nFAW", 24}, {"nRFC", 88}};
    if (standard == "DDR4")  // DDR4_2400R
        return {{"nBL", 4},   {"nCL", 16}, {"nRCD", 16}, {"nRP", 16},  {"nRAS", 39}, {"nRC", 55},
                {"nWR", 18},  {"nRTP", 9}, {"nCWL", 12}, {"nCCDS", 4}, {"nCCDL", 6}, {"nWTRS", 3},
                {"nWTRL", 9}, {"nCS", 2},  {"nRRDS", 4}, {"nRRDL", 6}, {"nFAW", 16}, {"nRFC", 193}};
    if (standard == "DDR5")  // DDR5_4800AN
        return {{"nBL", 8},    {"nCL", 34},     {"nRCD", 34},    {"nRP", 34},      {"nRAS", 77},
                {"nRC", 111},  {"nWR", 72},     {"nRTP", 18},    {"nCWL", 32},     {"nPPD", 2},
                {"nCCDS", 8},  {"nCCDL", 12},   {"nCCDS_WR", 8}, {"nCCDL_WR", 48}, {"nWTRS", 6},
                {"nWTRL", 24}, {"nCS", 2},      {"nRRDS", 8},    {"nRRDL", 12},    {"nFAW", 48},
                {"nRFC", 469}, {"nRFCsb", 312}, {"nREFSBRD", 72}};
    if (standard == "GDDR5")  // GDDR5_6000
        return {{"nBL", 2},     {"nCL", 18},   {"nCWL", 5},    {"nCCDS", 2},  {"nCCDL", 3},  {"nRCDRD", 18},
                {"nRCDWR", 15}, {"nRP", 18},   {"nRAS", 42},   {"nRC", 60},   {"nPPD", 2},   {"nRTP", 2},
                {"nWTRS", 8},   {"nWTRL", 9},  {"nWR", 18},    {"nRRDS", 9},  {"nRRDL", 10}, {"nFAW", 40},
                {"n32AW", 400}, {"nRFC", 165}, {"nRFCpb", 90}, {"nRREFD", 12}};
    if (standard == "GDDR6")  // GDDR6_14000_1350mV_double
        return {{"nBL", 2},    {"nCL", 24},  {"nRCDRD", 27},  {"nRCDWR", 16}, {"nRP", 27},
                {"nRAS", 53},  {"nRC", 79},  {"nWR", 27},     {"nRTP", 4},    {"nCWL", 6},
                {"nCCDS", 2},  {"nCCDL", 4}, {"nRRDS", 8},    {"nRRDL", 9},   {"nWTRS", 9},
                {"nWTRL", 11}, {"nFAW", 36}, {"nRFCpb", 106}, {"nRREFD", 15}, {"nRFCab", 211},
                {"nPPD", 1}};
    if (standard == "HBM2")  // HBM2_2000Mbps
        return {{"nBL", 2},   {"nCL", 14},  {"nRCDRD", 14}, {"nRCDWR", 12},  {"nRP", 14},
                {"nRAS", 34}, {"nRC", 48},  {"nWR", 16},    {"nRTPL", 5},    {"nCWL", 5},
                {"nCCDS", 2}, {"nCCDL", 4}, {"nWTRS", 6},   {"nWTRL", 8},    {"nRRDS", 4},
                {"nRRDL", 5}, {"nFAW", 18}, {"nRFC", 110},  {"nRFCpb", 160}, {"nRREFD", 8}};
    if (standard == "HBM3")  // HBM3_6400Mbps
        return {{"nBL", 2},   {"nCL", 20},     {"nRCDRD", 31}, {"nRCDWR", 15}, {"nRP", 26},  {"nRAS", 45},
                {"nRC", 72},  {"nWR", 33},     {"nRTP", 9},    {"nCWL", 10},   {"nCCDS", 2}, {"nCCDL", 4},
                {"nCCDR", 3}, {"nRRDS", 4},    {"nRRDL", 5},   {"nFAW", 24},   {"nWTRS", 7}, {"nWTRL", 10},
                {"nRTW", 20}, {"nRFCpb", 320}, {"nRREFD", 8},  {"nPPD", 2},    {"nRFC", 416}};
    // LPDDR5_6400
    return {{"nBL_min", 2},   {"nBL_max", 4}, {"nCL", 17},     {"nRCD", 15},    {"nRP", 15},   {"nRPab", 17},
            {"nRAS", 34},     {"nRC", 49},    {"nWR", 28},     {"nRTP", 8},     {"nCWL", 9},   {"nPPD", 2},
            {"nCCDS", 2},     {"nCCDL", 4},   {"nCCDS_WR", 2}, {"nCCDL_WR", 4}, {"nWTRS", 5},  {"nWTRL", 10},
            {"nCS", 2},       {"nRRDS", 4},   {"nRRDL", 5},    {"nFAW", 20},    {"nRFC", 168}, {"nRFCpb", 96},
            {"nPBR2PBR", 72}, {"nPBR2ACT", 6}};
}

}  // namespace heddle::dram::audit::listing
