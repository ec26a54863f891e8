#include "cuda/device.h"

#include <gtest/gtest.h>

#include "config/machine_file.h"
#include "core/sm.h"
#include "machine/device_description.h"
#include "ptx/context.h"
#include "ptx/fit.h"
#include "sim/error.h"
#include "sim/random.h"

namespace heddle {
namespace {

TEST(DeviceDescription, ItsTextReadsBackTheSame) {
    cuda::DeviceDescription d;
    d.name = "Heddle x";
    d.clock_hz = 1;
    d.l2_bytes = 12345678901;
    d.limits.sms = 7;
    d.limits.register_granule = 64;
    EXPECT_EQ(cuda::DeviceDescription::from_text(d.text()).text(), d.text());
    EXPECT_THROW(cuda::DeviceDescription::from_text("sms=many"), InputError);
    EXPECT_THROW(cuda::DeviceDescription::from_text("sms=3;colour=4"), InputError);
}

TEST(DeviceDescription, AProgramSeesTheMachineOfItsFile) {
    const MachineSettings h200 = config::load(MachineSettings::schema(), {.machine = "h200", .sets = {}});
    const cuda::DeviceDescription d = describe_device(h200, "h200");
    EXPECT_EQ(d.name, "Heddle h200");
    EXPECT_EQ(d.limits.sms, 132u);
    EXPECT_EQ(d.clock_hz, 1'980'000'000u);
    // What the card's driver reports: 6,016 bits at 3,201 MHz.
    EXPECT_EQ(d.memory_bus_bits, 6016u);
    EXPECT_EQ(d.memory_clock_hz, 3'201'000'000u);
    EXPECT_EQ(d.l2_bytes, u64{640} * 1024 * 94);
}

TEST(DeviceDescription, ExecutionKeepsAsManyCtasResidentAsTiming) {
    Random random(11);
    int bounded = 0;
    for (const auto& shipped : config::shipped_machines()) {
        const MachineSettings machine =
            config::load(MachineSettings::schema(), {.machine = shipped.name, .sets = {}});
        if (machine.gpus.empty()) continue;
        const SmSettings& sm = machine.gpus.begin()->second.sm;
        const ptx::DeviceLimits limits = describe_device(machine, shipped.name).limits;
        const ptx::Context context(limits);
        for (int round = 0; round < 400; ++round) {
            const u32 threads = static_cast<u32>(random.below(limits.threads_per_cta)) + 1;
            // Execution compiles what needs more registers than a CTA has again; there is nothing to compile here.
            const u64 most = std::min(128u, ptx::register_limit(limits, threads, 1));
            ptx::Kernel kernel;
            kernel.registers = static_cast<u32>(random.below(most)) + 1;
            kernel.static_shared_bytes = static_cast<u32>(random.below(4) == 0 ? random.below(40'000) : 0);
            KernelInfo info;
            info.block = {threads, 1, 1};
            info.registers = kernel.registers;
            const u32 dynamic = static_cast<u32>(random.below(3) == 0 ? random.below(20'000) : 0);
            info.shared_bytes = kernel.static_shared_bytes + dynamic;
            const u32 timing = Sm::occupancy(sm, info, nullptr);
            ASSERT_EQ(context.resident_ctas_per_sm(kernel, info.block, dynamic), timing)
                << shipped.name << ": " << info.block.x << " threads, " << info.registers << " registers, "
                << info.shared_bytes << " bytes";
            bounded += timing != sm.ctas;
        }
    }
    EXPECT_GT(bounded, 1000);
}

}  // namespace
}  // namespace heddle
