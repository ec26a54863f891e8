#include "machine/device_description.h"

#include <algorithm>
#include <limits>

#include "dram/alone.h"
#include "dram/geometry.h"

namespace heddle {

cuda::DeviceDescription describe_device(const MachineSettings& machine, const std::string& name) {
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

}  // namespace heddle
