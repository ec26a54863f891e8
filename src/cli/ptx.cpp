// heddle ptx: which kernels a file contains, and what of it Heddle cannot execute.

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "cli/command.h"
#include "cuda/extract.h"
#include "ptx/module.h"
#include "report/figures.h"
#include "report/table.h"
#include "sim/error.h"

namespace heddle::cli {
namespace {

class Ptx final : public Command {
  public:
    void declare(CLI::App& app) override { app.add_flag("--text", text_, "print the PTX itself"); }

    ExitCode run(const Words& words) override {
        if (words.words.size() != 1) throw InputError("missing FILE: give PTX text, a program or an object");
        bool all = true;
        const std::vector<cuda::ExtractedPtx> texts = cuda::extract_ptx(words.words.front());
        for (const cuda::ExtractedPtx& ptx : texts) {
            // One text alone is valid PTX with the right line numbers.
            if (text_ && texts.size() > 1) print(fmt::format("// {}\n", ptx.name));
            if (text_)
                print(ptx.text.ends_with('\n') ? ptx.text : ptx.text + '\n');
            else
                all &= show(*ptx::Module::parse(ptx.text, ptx.name));
        }
        return all ? kDone : kBadInput;
    }

  private:
    /// True if everything can be executed.
    static bool show(const ptx::Module& module) {
        print_text(fmt::format("{}: PTX {} for {}\n", module.name(), module.version(), module.target()));
        using enum report::Table::Align;
        report::Table table({left, right, right, right, right, right});
        table.add({"kernel", "registers", "shared bytes", "local bytes", "parameters", "parameter bytes"});
        for (const ptx::KernelDecl& k : module.kernels())
            table.add({k.name, report::grouped(k.registers),
                       report::grouped(k.static_shared_bytes) + (k.uses_dynamic_shared ? "+" : ""),
                       report::grouped(k.local_bytes), report::grouped(k.params.size()),
                       report::grouped(k.param_bytes)});
        // A '+' stands for what a launch adds.
        print_text(module.kernels().empty() ? "no kernels\n" : table.text(2));
        for (const ptx::Unsupported& u : module.unsupported())
            print_text(
                fmt::format("{}:{}: not supported in {}: {}\n", module.name(), u.line, u.function, u.what));
        return module.unsupported().empty();
    }

    bool text_ = false;
};

}  // namespace

std::unique_ptr<Command> make_ptx() {
    return std::make_unique<Ptx>();
}

}  // namespace heddle::cli
