#include "cli/cuda_program.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>

#include "cli/interrupt.h"
#include "cuda/child.h"
#include "dram/alone.h"
#include "dram/geometry.h"
#include "sim/build.h"
#include "sim/error.h"

namespace heddle::cli {
namespace {

/// A recording that lives as long as somebody reads it.
class TemporaryRecording final : public StreamSource {
  public:
    TemporaryRecording(std::shared_ptr<cuda::TemporaryFolder> folder, std::unique_ptr<StreamSource> inner)
        : folder_(std::move(folder)), inner_(std::move(inner)) {}
    const std::string& name() const override { return inner_->name(); }
    bool next(ProgramEvent& out) override { return inner_->next(out); }
    std::vector<std::string> warnings() const override { return inner_->warnings(); }

  private:
    std::shared_ptr<cuda::TemporaryFolder> folder_;
    std::unique_ptr<StreamSource> inner_;
};

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string library_path() {
    std::string path = library_folder();
    std::error_code error;
    if (!std::filesystem::exists(path + "/libcudart.so.12", error))
        throw InputError(fmt::format(
            "Heddle's CUDA runtime is missing: there is no libcudart.so.12 beside the program in {0}, nor in "
            "{0}/../lib/heddle; install Heddle with cmake --install, or run ./heddle of its checkout",
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
    // Double data rate, as device properties count: bytes a second are two transfers of the bus a clock.
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
    auto folder = std::make_shared<cuda::TemporaryFolder>();
    cuda::ChildOptions child;
    child.environment = {{"LD_LIBRARY_PATH", library_path()},
                         {cuda::kDeviceVariable, describe_device(host.machine, host.machine_name).text()},
                         {cuda::kFolderVariable, folder->path()}};
    child.output_to_error = host.output_to_error;
    child.fixed_addresses = true;
    child.interrupted = &catch_interrupts();
    std::vector<std::string> command{path.find('/') == std::string::npos ? "./" + path : path};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const cuda::ChildEnd end = cuda::run_child(command, child);
    if (child.interrupted->load(std::memory_order_relaxed)) throw ProgramInterrupted{};

    auto file = [&](const char* name) { return folder->path() + '/' + name; };
    const std::string report = read_file(file(cuda::kReportFile)), how = failure(end);
    if (!report.empty())
        throw ProgramFailure(how.empty() ? report : fmt::format("{}\nheddle: '{}' {}", report, path, how));
    if (!how.empty()) throw ProgramFailure(fmt::format("'{}' {}", path, how));
    if (!std::filesystem::exists(file(cuda::kLoadedFile)))
        throw InputError(
            fmt::format("'{}' did not use Heddle's CUDA runtime: it is no CUDA program, or NVIDIA's runtime "
                        "is linked into it; "
                        "compile with heddle cc, or with nvcc -arch=compute_75 -cudart shared",
                        path));
    if (!std::filesystem::exists(file(cuda::kStreamFile)))
        throw ProgramFailure(
            fmt::format("'{}' ended without returning from main or calling exit(), so its recording is "
                        "incomplete",
                        path));
    return ProgramRecording(std::move(folder));
}

std::unique_ptr<StreamSource> ProgramRecording::open(const OpenOptions& options) const {
    return std::make_unique<TemporaryRecording>(
        folder_, open_source(folder_->path() + '/' + cuda::kStreamFile, options));
}

}  // namespace heddle::cli
