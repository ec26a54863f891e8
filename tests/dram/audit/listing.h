#pragma once
// The independent listing of constraints (listing_text.h) as data, and devices that obey it.

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "dram/audit/auditor.h"
#include "dram/audit/listing_text.h"

namespace heddle::dram::audit::listing {

using Timings = std::map<std::string, int>;  // "nCL" -> clocks

struct Row {
    std::string level;
    std::vector<std::string> preceding, following;
    std::string formula;
    int window = 1;
    bool sibling = false;
};

struct Standard {
    std::string name;
    std::vector<Row> rows;
    std::string all_level;  // the level of PREab and REFab
    bool pseudos, ranks, groups, split_bus;
    std::map<std::string, double> clocks_of_command = {};  // 1 where absent
    std::string burst = "nBL";
    int steps = 1;  // in a clock, of the times of commands
};

/// For the names of tests.
inline std::string title(const Standard& s) {
    return s.name + (s.steps == 2 ? "HalfClocks" : "");
}

inline void PrintTo(const Standard& standard, std::ostream* out) {
    *out << title(standard);
}

inline std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

inline std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
    return text;
}

inline CommandKind kind_of(const std::string& name) {
    static const std::map<std::string, CommandKind> kinds = {
        {"ACT", CommandKind::activate},        {"PREpb", CommandKind::precharge},
        {"PREab", CommandKind::precharge_all}, {"RD", CommandKind::read},
        {"RDA", CommandKind::read_auto},       {"WR", CommandKind::write},
        {"WRA", CommandKind::write_auto},      {"REFab", CommandKind::refresh_all},
        {"REFsb", CommandKind::refresh_same},  {"REFpb", CommandKind::refresh_bank}};
    return kinds.at(name);
}

inline void add_rows(Standard& standard, const char* text,
                     const std::map<std::string, std::string>& renamed = {}) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.empty()) continue;
        std::vector<std::string> cells(6);
        std::istringstream cell(line);
        for (std::string& c : cells) std::getline(cell, c, '|');
        const auto plain = [&](const std::string& text) {
            std::vector<std::string> list = words(text);
            for (std::string& w : list) {
                if (w == "ACT1") w = "ACT";
                if (const auto to = renamed.find(w); to != renamed.end()) w = to->second;
            }
            return list;
        };
        Row row;
        row.level = words(cells[0])[0];
        if (row.level == "all") row.level = standard.all_level;
        row.preceding = plain(cells[1]);
        row.following = plain(cells[2]);
        row.formula = joined(plain(cells[3]));
        if (const auto w = words(cells[4]); !w.empty()) row.window = std::stoi(w[0]);
        row.sibling = !words(cells[5]).empty();
        standard.rows.push_back(row);
    }
}

inline std::vector<Standard> standards() {
    const std::map<std::string, std::string> rtpl = {{"nRTP", "nRTPL"}};
    const std::map<std::string, std::string> bl_min = {{"nBL", "nBL_min"}};
    std::vector<Standard> all = {
        {"DDR3", {}, "Rank", false, true, false, false},
        {"DDR4", {}, "Rank", false, true, true, false},
        {"DDR5",
         {},
         "Rank",
         false,
         true,
         true,
         false,
         {{"ACT", 2}, {"RD", 2}, {"RDA", 2}, {"WR", 2}, {"WRA", 2}}},
        {"GDDR5", {}, "Rank", false, false, true, false},
        {"GDDR6", {}, "Channel", false, false, true, false},
        {"HBM2", {}, "PseudoChannel", true, false, true, true, {{"ACT", 2}}},
        {"HBM3",
         {},
         "PseudoChannel",
         true,
         true,
         true,
         true,
         {{"ACT", 1.5}, {"PREpb", 0.5}, {"PREab", 0.5}, {"REFab", 0.5}, {"REFpb", 0.5}}},
        {"LPDDR5", {}, "Rank", false, true, true, false, {}, "nBL_min"}};
    const std::map<std::string, std::vector<const char*>> texts = {
        {"DDR3", {kDdr3, kWriteRecovery, kRefreshTwice, kDdr3Rest}},
        {"DDR4", {kDdr4, kWriteRecovery, kRefreshTwice}},
        {"DDR5", {kDdr5, kWriteRecovery, kRefreshTwice, kDdr5Rest}},
        {"GDDR5", {kGddr5, kWriteRecovery, kPerBankRefresh, kPerBankAfterBursts, kGddr5Rest}},
        {"GDDR6", {kGddr6, kWriteRecovery, kPerBankRefresh, kGddr6Rest}},
        {"HBM2", {kHbm2, kWriteRecovery, kPerBankRefresh, kPerBankAfterBursts, kHbmRest, kHbm2Rest}},
        {"HBM3", {kHbm3, kWriteRecovery, kPerBankRefresh, kPerBankAfterBursts, kHbmRest}},
        {"LPDDR5", {kLpddr5, kWriteRecovery, kPerBankRefresh, kPerBankAfterBursts, kLpddr5Rest}}};
    for (Standard& s : all)
        for (const char* text : texts.at(s.name))
            add_rows(s, text, s.name == "HBM2" ? rtpl : s.name == "LPDDR5" ? bl_min : decltype(rtpl){});
    // Once more with the half clocks of its row commands.
    Standard half = *std::ranges::find(all, "HBM3", &Standard::name);
    half.steps = 2;
    all.push_back(half);
    return all;
}

inline int value_of(const std::string& formula, const Timings& timings) {
    int sum = 0;
    int sign = 1;
    for (const std::string& w : words(formula)) {
        if (w == "+" || w == "-")
            sign = w == "+" ? 1 : -1;
        else
            sum += sign * (w[0] == 'n' ? timings.at(w) : std::stoi(w));
    }
    return sum;
}

/// Between the first clocks of the two: latency + (cycles(preceding) - 1) - (cycles(following) - 1), in whole steps.
inline int distance(const Standard& s, const std::string& before, const std::string& after, int latency) {
    const auto clocks = [&](const std::string& kind) {
        const auto known = s.clocks_of_command.find(kind);
        return known == s.clocks_of_command.end() ? 1.0 : known->second;
    };
    const double exact = s.steps * (latency + (clocks(before) - 1) - (clocks(after) - 1));
    int whole = static_cast<int>(exact);
    while (whole < exact) ++whole;
    return whole;
}

/// Every timing that the standard's rows name.
inline std::vector<std::string> timing_names_in(const Standard& s) {
    std::vector<std::string> names = {"nCL", "nCWL", s.burst};
    for (const Row& row : s.rows)
        for (const std::string& w : words(row.formula))
            if (w[0] == 'n' && std::ranges::find(names, w) == names.end()) names.push_back(w);
    return names;
}

inline AuditDevice device_with(const Standard& s, const Timings& timings) {
    AuditDevice d;
    d.standard = s.name;
    d.pseudos = s.pseudos ? 2 : 1;
    d.ranks = s.ranks ? 2 : 1;
    d.groups = s.groups ? 8 : 1;
    d.banks = s.groups ? 8 : 64;
    d.rows = 1024;
    d.columns = 64;
    d.steps_per_clock = static_cast<u32>(s.steps);
    for (const auto& [name, clocks] : timings)
        d.timing.emplace_back(name.substr(1), static_cast<u32>(clocks));
    return d;
}

/// The rule's name as the auditor says it.
inline std::string rule_text(const Row& row) {
    static const std::map<std::string, std::string> levels = {
        {"Channel", "channel"}, {"PseudoChannel", "pseudo-channel"}, {"Rank", "rank"},
        {"Sid", "rank"},        {"BankGroup", "bank group"},         {"Bank", "bank"}};
    std::string formula;
    for (const std::string& w : words(row.formula))
        formula += (formula.empty() ? "" : " ") + (w[0] == 'n' ? w.substr(1) : w);
    std::string text = (row.sibling ? "other " : "") + levels.at(row.level) + ": " + joined(row.preceding) +
                       " -> " + joined(row.following) + ", " + formula;
    if (row.window != 1) text += ", window " + std::to_string(row.window);
    return text;
}

}  // namespace heddle::dram::audit::listing
