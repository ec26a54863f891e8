#pragma once
// The analytical model (bandwidth_model.h) beside simulation: what it predicts for applications alone, and for several
// that share a memory under three ways to divide its bandwidth.

#include <optional>
#include <string>
#include <vector>

#include "study/matrix.h"

namespace heddle::study {

/// Bytes that a miss moves: a line of L2.
inline constexpr double kModelLine = 128;

/// One application alone, from a run.
struct AloneReport {
    std::string name;
    double ipc = 0;        ///< thread instructions a core cycle, simulated
    double mpki = 0;       ///< L2 misses per 1000 thread instructions
    double bandwidth = 0;  ///< GB/s
    double model_ipc = 0;  ///< from the two
};

/// IT, WS and HS (metrics.h) and each application's part in them. GB/s, thread instructions a core cycle.
struct Shared {
    std::vector<double> bandwidth, ipc;
    double it = 0, ws = 0, hs = 0;
};

struct MixReport {
    struct Division {
        std::string name;  ///< "blk first", "in turns", or a scheduler's
        std::optional<Shared> model, simulated;
    };
    std::string name;
    double capacity = 0;  ///< GB/s that the applications divide
    std::vector<AloneReport> apps;
    std::size_t favour_it = 0, favour_ws = 0;  ///< of the applications, by the model
    std::vector<Division> divisions;
};

/// Variants for a mix of `apps` applications: first the machine as it is, then each application first, then turns.
std::vector<Variant> mix_variants(const Variant& machine, std::size_t apps);

/// Nothing if the run failed or the application never missed in L2.
std::optional<AloneReport> alone_report(const std::string& name, const PlannedRun& run);
/// Of a workload of several applications in a matrix of mix_variants. `capacity` in GB/s; 0: the memory's peak. Nothing
/// if an application's run alone says nothing. `own`: the name of the machine's own scheduler.
std::optional<MixReport> mix_report(const Matrix& matrix, std::size_t workload, double capacity,
                                    const std::string& own);

std::string model_text(const std::vector<AloneReport>& alone, const std::vector<MixReport>& mixes);
/// alone [{name, ipc, mpki, bandwidth, model_ipc, error}], mean_error, correlation (of MPKI and IPC), mixes [{name,
/// capacity, applications [as alone], favour {it, ws}, divisions [{name, model {it, ws, hs, bandwidth [], ipc []},
/// simulated {...}}]}]
std::string model_json(const std::vector<AloneReport>& alone, const std::vector<MixReport>& mixes);

}  // namespace heddle::study
