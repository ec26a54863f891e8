#include "cli/cuda_program.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "cli/interrupt.h"
#include "cuda/child.h"
#include "cuda/handover.h"
#include "dram/alone.h"
#include "dram/geometry.h"
#include "sim/build.h"
#include "sim/error.h"

namespace heddle::cli {
namespace {

std::string library_path() {
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
std::string failure(const cuda::ChildEnd& end) {
    if (end.signal != 0)
        return fmt::format("was killed by signal {} ({})", end.signal, strsignal(end.signal));
    if (end.code != 0) return fmt::format("failed with exit code {}", end.code);
    return {};
}

}  // namespace

cuda::DeviceDescription describe_device(const Machine& machine, const std::string& name) {
    const GpuSettings& gpu = the_gpu(machine, name);
    const dram::MemorySettings& memory = machine.memories.at(gpu.memory);
    const dram::Resolved resolved = dram::resolve(memory);
    cuda::DeviceDescription d;
    // The name is one of the values between ';'.
    d.name = "Heddle " + name.substr(name.rfind('/') + 1);
    std::replace(d.name.begin(), d.name.end(), ';', '_');
    d.clock_hz = gpu.clock_hz;
    d.memory_bus_bits =
        u64{resolved.geometry.width_bits} * resolved.geometry.pseudo_channels * memory.channels;
    // Double data rate, as device properties count it: bytes per second are two bus transfers per clock.
    d.memory_clock_hz = resolved.peak_bytes_per_s() * memory.channels * 8 / d.memory_bus_bits / 2;
    d.memory_bytes = dram::memory_bytes(memory);
    d.l2_bytes = gpu.l2.size_bytes * gpu.l2.slices_per_channel * memory.channels;
    ptx::DeviceLimits& l = d.limits;
    l.sms = gpu.sms;
    l.threads_per_sm = gpu.sm.threads;
    l.warps_per_sm = gpu.sm.warps;
    l.ctas_per_sm = gpu.sm.ctas;
    l.registers_per_sm = gpu.sm.registers;
    l.register_granule = gpu.sm.register_granule;
    l.shared_per_sm =
        static_cast<u32>(std::min<u64>(gpu.sm.shared_memory.size_bytes, std::numeric_limits<u32>::max()));
    // Timing takes nothing of it for the system.
    l.reserved_shared_per_cta = 0;
    l.shared_per_cta = l.shared_per_sm;
    l.threads_per_cta = std::min<u32>(1024, gpu.sm.threads);
    return d;
}

ProgramRecording run_cuda_program(const std::string& path, const std::vector<std::string>& arguments,
                                  const ProgramHost& host) {
    auto handover = std::make_shared<cuda::Handover>();
    cuda::ChildOptions child;
    child.environment = {{"LD_LIBRARY_PATH", library_path()},
                         {cuda::kDeviceVariable, describe_device(host.machine, host.machine_name).text()},
                         {cuda::kHandoverVariable, handover->text()}};
    if (!host.memory_check.empty())
        child.environment.emplace_back(cuda::kMemoryCheckVariable, host.memory_check);
    child.output_to_error = host.output_to_error;
    child.fixed_addresses = true;
    child.interrupted = &catch_interrupts();
    std::vector<std::string> command{path.find('/') == std::string::npos ? "./" + path : path};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const cuda::ChildEnd end = cuda::run_child(command, child);
    if (child.interrupted->load(std::memory_order_relaxed)) throw ProgramInterrupted{};

    const std::string how = failure(end), report = handover->report();
    const cuda::Outcome outcome = handover->outcome();
    if (outcome == cuda::Outcome::unwritten) throw InputError(report);
    if (outcome == cuda::Outcome::failed)
        throw ProgramFailure(how.empty() ? report : fmt::format("{}\nheddle: '{}' {}", report, path, how));
    if (!how.empty()) throw ProgramFailure(fmt::format("'{}' {}", path, how));
    if (outcome == cuda::Outcome::not_loaded)
        throw InputError(fmt::format(
            "'{}' did not use Heddle's CUDA runtime: either it is not a CUDA program, or NVIDIA's runtime is "
            "linked into it; compile with heddle cc, or with nvcc -arch=compute_75 -cudart shared",
            path));
    if (outcome == cuda::Outcome::unfinished)
        throw ProgramFailure(
            fmt::format("'{}' ended without returning from main or calling exit(), so its recording is "
                        "incomplete",
                        path));
    return ProgramRecording(std::move(handover));
}

std::unique_ptr<StreamSource> ProgramRecording::open(const OpenOptions& options) const {
    return open_source(handover_->recording(), options);
}

}  // namespace heddle::cli
