// heddle audit: checks a file of DRAM commands against its standard.

#include <CLI/App.hpp>

#include "cli/command.h"
#include "dram/audit/audit_file.h"
#include "dram/audit/text.h"
#include "sim/error.h"

namespace heddle::cli {
namespace {

class AuditCommands final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.footer(
            "FILE describes the device and lists its commands (docs/audit.md). Exit code 3 if they break a "
            "rule.");
    }

    ExitCode run(const Words& words) override {
        if (words.words.size() != 1)
            throw InputError(words.words.empty() ? "missing FILE: give a file of DRAM commands"
                                                 : "heddle audit takes one file of DRAM commands");
        const auto report = dram::audit::audit_file(words.words.front());
        print_text(dram::audit::describe(report));
        return report.violation ? kInvariantBroke : kDone;
    }
};

}  // namespace

std::unique_ptr<Command> make_audit() {
    return std::make_unique<AuditCommands>();
}

}  // namespace heddle::cli
