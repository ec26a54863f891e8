#pragma once
// How much an application gains from DRAM bandwidth: the analytical model of Jog et al., MEMSYS 2015.
//
// An application whose misses are served at `bandwidth` commits one instruction for each 1000/MPKI-th of a line:
//
//     IPC = 1000 x bandwidth / (MPKI x line)          bandwidth in bytes a cycle, line in bytes
//
// Several that share a memory and all want more than it has divide its capacity C. Moving bandwidth to one of them raises
//
//     the sum of IPCs (IT)            if its MPKI is lower than the other's
//     the sum of IPC / IPC alone (WS) if its bandwidth alone is lower
//     WS relative to now              if its bandwidth now is lower
//
// No application gets more than it takes alone, and what it leaves goes to the others (choice: the source speaks
// only of two that are bound by bandwidth). Any unit of bandwidth will do, as long as it is the same everywhere.

#include <cstddef>
#include <span>
#include <vector>

namespace heddle::study {

double model_ipc(double bandwidth, double mpki, double line_bytes);

/// One application, from a run alone.
struct ModelApp {
    double mpki = 0;
    double bandwidth = 0;
};

/// What each gets if application `first` takes what it can and the others divide the rest equally.
std::vector<double> divide_first(std::span<const ModelApp> apps, double capacity, std::size_t first);
/// What each gets of equal parts, where none takes more than it can use.
std::vector<double> divide_equally(std::span<const ModelApp> apps, double capacity);

/// The one to favor for instruction throughput: lowest MPKI. The first of equals.
std::size_t favour_throughput(std::span<const ModelApp> apps);
/// The one to favor for weighted speed-up: lowest bandwidth alone. The first of equals.
std::size_t favour_speedup(std::span<const ModelApp> apps);

}  // namespace heddle::study
