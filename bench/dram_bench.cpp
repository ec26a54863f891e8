// Requests per CPU second of the DRAM model alone, on the streams of the cross-validation: one request
// offered a clock with head-of-line blocking, the run ends when the last read returns.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <time.h>

#include "dram/alone.h"
#include "dram/reference_sets.h"

namespace {

using namespace heddle;
using namespace heddle::dram;

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace

int main(int argc, char** argv) {
    const u64 n = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1'000'000;
    const char* only = argc > 1 ? argv[1] : "";
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
    fmt::print("{:<10}{:<14}{:>12}{:>10}{:>10}{:>12}{:>16}{:>12}\n", "set", "stream", "clocks", "of peer",
               "GB/s", "row hit %", "requests/CPU s", "audited");
    for (const ReferenceSet& set : reference_sets()) {
        for (const auto& [name, peer_cycles] : set.peer) {
            if (fmt::format("{}/{}", set.name, name).find(only) == std::string::npos) continue;
            const auto stream = reference_stream(name, n);
            double best = 1e9, audited = 1e9;
            AloneResult r;
            for (int k = 0; k < rounds; ++k) {
                double start = cpu_seconds();
                r = run_alone(set.settings, stream);
                best = std::min(best, cpu_seconds() - start);
                AloneOptions audit;
                audit.audit = true;
                start = cpu_seconds();
                run_alone(set.settings, stream, audit);
                audited = std::min(audited, cpu_seconds() - start);
            }
            const double gbps = static_cast<double>(r.bytes_per_s()) / 1e9;
            const double hits = 100.0 * static_cast<double>(r.total.count(RowOutcome::hit)) /
                                static_cast<double>(r.total.reads + r.total.writes);
            const double ratio = static_cast<double>(r.read_cycles) / static_cast<double>(peer_cycles) * 1e6 /
                                 static_cast<double>(n);
            fmt::print("{:<10}{:<14}{:>12}{:>10.3f}{:>10.2f}{:>12.2f}{:>16.0f}{:>12.0f}\n", set.name, name,
                       r.read_cycles, ratio, gbps, hits, static_cast<double>(n) / best,
                       static_cast<double>(n) / audited);
        }
    }
}
