// The DRAM model's property over many requests: every standard x scheduler x page policy under the auditor, and the
// longest wait of any request. `dram_property_bench [REQUESTS] [SCHEDULER]`, a million each if not said; ./check runs a
// shorter form (tests/dram/property_test.cpp). Exit code 1 if the property fails anywhere.

#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <time.h>

#include "dram/every_policy.h"

namespace {

using namespace heddle;
using namespace heddle::dram;

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct Longest {
    u64 clocks = 0, nanoseconds = 0;
    std::string where;
    void see(u64 wait, u64 hz, const PolicyCase& c) {
        const u64 ns = static_cast<u64>(static_cast<unsigned __int128>(wait) * 1'000'000'000 / hz);
        if (ns <= nanoseconds) return;
        *this = {wait, ns, name_of(c.settings)};
    }
};

struct Row {
    u64 cases = 0, requests = 0, commands = 0, failures = 0;
    Longest read, write;
};

}  // namespace

int main(int argc, char** argv) {
    const u64 n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
    const std::string only = argc > 2 ? argv[2] : "";
    const auto stream = mixture(n, u64{1} << 26, 64, 0x1234567);
    std::map<std::string, Row> rows;
    const double start = cpu_seconds();
    for (const PolicyCase& c : every_policy()) {
        if (!only.empty() && c.scheduler != only) continue;
        const PolicyOutcome o = outcome_of(c, stream);
        Row& row = rows[c.scheduler];
        ++row.cases;
        row.requests += n;
        row.commands += o.commands;
        row.read.see(o.result.total.read_latency.max(), o.result.clock_hz, c);
        row.write.see(o.result.total.write_latency.max(), o.result.clock_hz, c);
        if (o.wrong.empty()) continue;
        ++row.failures;
        fmt::print("{}: {}\n", c.name(), o.wrong);
    }
    fmt::print("{:<14}{:>6}{:>14}{:>14}{:>9}  longest read, longest write\n", "scheduler", "cases",
               "requests", "commands", "failures");
    u64 failures = 0;
    for (const auto& [scheduler, row] : rows) {
        fmt::print("{:<14}{:>6}{:>14}{:>14}{:>9}  {} clocks = {} ns ({}), {} clocks = {} ns ({})\n",
                   scheduler, row.cases, row.requests, row.commands, row.failures, row.read.clocks,
                   row.read.nanoseconds, row.read.where, row.write.clocks, row.write.nanoseconds,
                   row.write.where);
        failures += row.failures;
    }
    fmt::print("{:.0f} CPU seconds, audit included\n", cpu_seconds() - start);
    return failures == 0 ? 0 : 1;
}
