#include "cli/run_audit.h"

#include <algorithm>
#include <fmt/format.h>

#include "dram/audited.h"
#include "dram/command_files.h"
#include "machine/simulation.h"
#include "sim/error.h"

namespace heddle::cli {
namespace {

constexpr u32 kAnyRow = (u32{1} << 31) - 1;

}  // namespace

RunAudit::RunAudit(Simulation& simulation, bool audit, const std::string& command_trace)
    : simulation_(simulation) {
    MemoryNode& memory = simulation.memory();
    const std::string& name = memory.name();
    std::vector<dram::audit::AuditDevice> devices;
    try {
        for (std::size_t c = 0; c < memory.partitions().size(); ++c) {
            auto& device = devices.emplace_back(
                dram::audit_device(memory.settings(), fmt::format("{} channel {}", name, c)));
            // A run does not enforce the memory's capacity: data beyond it have rows of their own.
            device.rows = kAnyRow;
            if (audit) audits_.push_back(std::make_unique<dram::Audit>(device));
        }
    } catch (const InputError& error) {
        throw InputError(fmt::format("--{}: memory '{}' cannot be audited: {}",
                                     audit ? "audit" : "command-trace", name, error.what()));
    }
    if (!command_trace.empty()) files_ = std::make_unique<dram::CommandFiles>(command_trace, devices);
    for (std::size_t c = 0; c < devices.size(); ++c) {
        dram::CommandObserver* observer = audit ? audits_[c].get() : nullptr;
        if (files_ != nullptr) observer = files_->observer(c, observer);
        memory.partitions()[c]->channel().observe(observer);
    }
}

RunAudit::~RunAudit() = default;

void RunAudit::finish(std::optional<AuditRecord>& verdict) {
    const Cycle end = simulation_.machine().now_of(simulation_.memory());
    if (files_ != nullptr) files_->finish(end);
    for (std::size_t c = 0; c < audits_.size(); ++c) {
        if (!verdict) verdict.emplace();
        dram::Audit& audit = *audits_[c];
        try {
            // The last commands may be a clock behind the last core cycle.
            audit.finish(std::max(end, audit.last_command()), *verdict);
        } catch (const InvariantError& error) {
            throw InvariantError(fmt::format("channel {}: {}", c, error.what()));
        }
    }
}

}  // namespace heddle::cli
