#include "cuda/run_program.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

#include "cuda/child.h"
#include "sim/build.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

std::string runtime_path() {
    std::string path = library_folder();
    std::error_code error;
    if (!std::filesystem::exists(path + "/libcudart.so.12", error))
        throw InputError(fmt::format(
            "Heddle's CUDA runtime is missing: there is no libcudart.so.12 in {0} (next to the program) or "
            "in {0}/../lib/heddle; install Heddle with cmake --install, or run ./heddle in its checkout",
            path));
    if (const char* old = std::getenv("LD_LIBRARY_PATH"); old != nullptr && *old != '\0') {
        path += ':';
        path += old;
    }
    return path;
}

/// How it ended, as a sentence's end; empty: well.
std::string how_it_ended(const ChildEnd& end) {
    if (end.signal != 0)
        return fmt::format("was killed by signal {} ({})", end.signal, strsignal(end.signal));
    if (end.code != 0) return fmt::format("failed with exit code {}", end.code);
    return {};
}

}  // namespace

ProgramRecording run_program(const std::string& path, const std::vector<std::string>& arguments,
                             const ProgramHost& host) {
    auto handover = std::make_shared<Handover>();
    ChildOptions child;
    child.environment = {{"LD_LIBRARY_PATH", runtime_path()},
                         {kDeviceVariable, host.device.text()},
                         {kHandoverVariable, handover->text()}};
    if (!host.memory_check.empty()) child.environment.emplace_back(kMemoryCheckVariable, host.memory_check);
    child.output_to_error = host.output_to_error;
    child.fixed_addresses = true;
    child.interrupted = host.interrupted;
    std::vector<std::string> command{path.find('/') == std::string::npos ? "./" + path : path};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const ChildEnd end = run_child(command, child);
    if (host.interrupted != nullptr && host.interrupted->load(std::memory_order_relaxed))
        throw ProgramInterrupted{};

    const std::string how = how_it_ended(end), report = handover->report();
    const Outcome outcome = handover->outcome();
    if (outcome == Outcome::unwritten) throw InputError(report);
    if (outcome == Outcome::failed)
        throw ProgramFailure(how.empty() ? report : fmt::format("{}\nheddle: '{}' {}", report, path, how));
    if (!how.empty()) throw ProgramFailure(fmt::format("'{}' {}", path, how), end.signal != 0 ? 0 : end.code);
    if (outcome == Outcome::not_loaded)
        throw InputError(fmt::format(
            "'{}' did not use Heddle's CUDA runtime: either it is not a CUDA program, or NVIDIA's runtime is "
            "linked into it; compile with heddle cc, or with nvcc -arch=compute_75 -cudart shared",
            path));
    if (outcome == Outcome::unfinished)
        throw ProgramFailure(
            fmt::format("'{}' ended without returning from main or calling exit(), so its recording is "
                        "incomplete",
                        path));
    return ProgramRecording(std::move(handover));
}

std::unique_ptr<StreamSource> ProgramRecording::open(const OpenOptions& options) const {
    return open_source(handover_->recording(), options);
}

}  // namespace heddle::cuda
