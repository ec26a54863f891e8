#include "cli/run_audit.h"

#include <algorithm>
#include <fmt/format.h>

#include "dram/audited.h"
#include "sim/error.h"
#include "system/simulation.h"

namespace heddle::cli {
namespace {

constexpr u32 kAnyRow = u32{1} << 31;

}  // namespace

RunAudit::RunAudit(Simulation& simulation) : simulation_(simulation) {
    Gpu& gpu = simulation.gpu();
    const std::string& name = gpu.settings().memory;
    try {
        for (std::size_t c = 0; c < gpu.partitions().size(); ++c) {
            auto device = dram::audit_device(gpu.memory_settings(), fmt::format("{} channel {}", name, c));
            // A run does not enforce the memory's capacity: data beyond it have rows of their own.
            device.rows = kAnyRow;
            audits_.push_back(std::make_unique<dram::Audit>(device));
        }
    } catch (const InputError& error) {
        throw InputError(fmt::format("--audit: memory '{}' cannot be audited: {}", name, error.what()));
    }
    for (std::size_t c = 0; c < audits_.size(); ++c) gpu.partitions()[c]->channel().observe(audits_[c].get());
}

RunAudit::~RunAudit() = default;

AuditRecord RunAudit::finish() {
    const Gpu& gpu = simulation_.gpu();
    const Cycle end = gpu.dram_clock().at_or_after(gpu.core().tick(gpu.now()));
    AuditRecord verdict;
    for (std::size_t c = 0; c < audits_.size(); ++c) {
        dram::Audit& audit = *audits_[c];
        try {
            // The last commands may lie a clock behind the last core cycle.
            audit.finish(std::max(end, audit.last_command()), verdict);
        } catch (const InvariantError& error) {
            throw InvariantError(fmt::format("channel {}: {}", c, error.what()));
        }
    }
    return verdict;
}

}  // namespace heddle::cli
