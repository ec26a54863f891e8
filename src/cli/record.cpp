// heddle record: a source's whole stream into one compact file.

#include <CLI/App.hpp>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/overwrite.h"
#include "cli/source.h"
#include "config/machine_file.h"
#include "report/figures.h"
#include "sim/error.h"
#include "trace/recording.h"

namespace heddle::cli {
namespace {

/// Unwinds out of the recorder, which then leaves nothing behind.
struct Interruption {};

void stop_if(const std::atomic<bool>& interrupted) {
    if (interrupted.load(std::memory_order_relaxed)) throw Interruption{};
}

/// A CTA that can be interrupted between two chunks. It exposes a copy of the words of the CTA inside.
class InterruptibleCta final : public CtaStream {
  public:
    InterruptibleCta(std::unique_ptr<CtaStream> inside, const std::atomic<bool>& interrupted)
        : inner(std::move(inside)), interrupted_(interrupted) {}
    std::span<const u32> refill(u32 warp) override {
        stop_if(interrupted_);
        return inner->refill(warp);
    }
    void show() {
        index = inner->index;
        words = inner->words;
        ranges = inner->ranges;
        chunked = inner->chunked;
    }

    const std::unique_ptr<CtaStream> inner;

  private:
    const std::atomic<bool>& interrupted_;
};

/// A kernel that can be interrupted between two CTAs and within one.
class InterruptibleKernel final : public KernelStream {
  public:
    InterruptibleKernel(std::unique_ptr<KernelStream> inner, const std::atomic<bool>& interrupted)
        : inner_(std::move(inner)), interrupted_(interrupted) {}
    const KernelInfo& info() const override { return inner_->info(); }
    const std::vector<StaticInst>& static_insts() const override { return inner_->static_insts(); }
    std::unique_ptr<CtaStream> make_cta() override {
        return std::make_unique<InterruptibleCta>(inner_->make_cta(), interrupted_);
    }
    bool next_cta(CtaStream& out) override {
        stop_if(interrupted_);
        auto& cta = static_cast<InterruptibleCta&>(out);
        if (!inner_->next_cta(*cta.inner)) return false;
        cta.show();
        return true;
    }
    std::vector<std::pair<std::string, u64>> unknown_opcodes() const override {
        return inner_->unknown_opcodes();
    }
    std::vector<std::string> warnings() const override { return inner_->warnings(); }

  private:
    std::unique_ptr<KernelStream> inner_;
    const std::atomic<bool>& interrupted_;
};

class InterruptibleSource final : public StreamSource {
  public:
    InterruptibleSource(std::unique_ptr<StreamSource> inner, const std::atomic<bool>& interrupted)
        : inner_(std::move(inner)), interrupted_(interrupted) {}
    const std::string& name() const override { return inner_->name(); }
    std::vector<std::string> warnings() const override { return inner_->warnings(); }
    std::vector<ProgramRange> ranges() const override { return inner_->ranges(); }
    bool next(ProgramEvent& out) override {
        stop_if(interrupted_);
        if (!inner_->next(out)) return false;
        if (auto* launch = std::get_if<LaunchEvent>(&out))
            launch->kernel = std::make_unique<InterruptibleKernel>(std::move(launch->kernel), interrupted_);
        return true;
    }

  private:
    std::unique_ptr<StreamSource> inner_;
    const std::atomic<bool>& interrupted_;
};

class Record final : public Command {
  public:
    void declare(CLI::App& app) override {
        app.add_option("-o,--output", output_,
                       "the file to write; an existing one is replaced once the new one is complete")
            ->type_name("FILE");
        app.add_option("-m,--machine", machine_, "the machine that a CUDA program sees (gtx480)")
            ->type_name("MACHINE");
        app.add_option("--set", sets_, "set a key of the machine; repeatable")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false);
        source_.declare(app);
    }

    ExitCode run(const Words& words) override {
        if (output_.empty()) throw InputError("missing -o FILE: where to write the recording");
        const MachineSettings machine =
            config::load(MachineSettings::schema(), {.machine = machine_, .sets = sets_});
        std::vector<std::string> inputs = SourceOptions::files(words);
        inputs.push_back(config::locate_machine(machine_));
        refuse_overwriting("-o", output_, inputs);
        auto sources = source_.open(words, "", {machine, machine_});
        if (sources.size() > 1)
            throw InputError("a recording holds one application; record each into its own file");
        const std::atomic<bool>& interrupted = catch_interrupts();
        InterruptibleSource source(std::move(sources.front().stream), interrupted);
        RecordingSummary summary;
        try {
            summary = heddle::record(source, output_);
        } catch (const Interruption&) {
            note(fmt::format("interrupted; '{}' was not written", output_));
            return kInterrupted;
        }
        for (const std::string& line : source.warnings()) note(line);
        print_text(fmt::format("{}: {} kernels, {} CTAs, {} warp instructions, {}\n", output_,
                               report::grouped(summary.kernels), report::grouped(summary.ctas),
                               report::grouped(summary.warp_instructions),
                               report::bytes_text(summary.bytes)));
        return kDone;
    }

  private:
    SourceOptions source_;
    std::string output_, machine_ = "gtx480";
    std::vector<std::string> sets_;
};

}  // namespace

std::unique_ptr<Command> make_record() {
    return std::make_unique<Record>();
}

}  // namespace heddle::cli
